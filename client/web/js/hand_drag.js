// Takes a piece from the hand onto the board: by a drag, or by a tap on each.
import { h } from './dom.js';
import { pieceIcon } from './pieces.js';

/** @typedef {import('./board.js').Board} Board @typedef {import('./types').Game} Game */

const DRAG_PX = 8;

export class HandDrag {
    /** @param {Board} board @param {Game} game */
    constructor(board, game) {
        this.board = board;
        this.game = game;
    }

    /** @param {string} piece its letter @param {PointerEvent | null} event null: chosen by key */
    pick(piece, event) {
        const source = `${piece}@`;
        const again = this.board.source === source;

        if (event === null || !again) this.board.choose(again ? null : source);
        if (event !== null) this.carry(piece, event, again);
    }

    /** @param {string} piece @param {PointerEvent} start @param {boolean} again whether it was picked up before */
    carry(piece, start, again) {
        const letter = this.board.view?.turn === 'black' ? piece.toLowerCase() : piece;
        const size = this.board.grid.getBoundingClientRect().width / this.board.scene.files;
        const ghost = h('div.ghost', {}, pieceIcon(this.game.name, letter));
        const end = new AbortController();
        const move = (/** @type {PointerEvent} */ event) => {
            if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG_PX && !ghost.isConnected) return;
            if (!ghost.isConnected) document.body.append(ghost);
            ghost.style.width = `${size}px`;
            ghost.style.transform = `translate(${event.clientX - size / 2}px, ${event.clientY - size / 2}px)`;
        };
        const drop = (/** @type {PointerEvent} */ event) => {
            const square = this.board.squareAtPoint(event.clientX, event.clientY);
            end.abort();
            if (!ghost.isConnected) {
                if (again) this.board.choose(null);
                return;
            }
            ghost.remove();
            if (square !== null) this.board.handlers.play(`${piece}@${square}`);
        };

        addEventListener('pointermove', move, { signal: end.signal });
        addEventListener('pointerup', drop, { signal: end.signal });
        addEventListener('pointercancel', () => (end.abort(), ghost.remove()), { signal: end.signal });
    }
}
