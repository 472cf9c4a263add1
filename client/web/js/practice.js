// A board in the rules: at the first touch it becomes a match of both sides by this player.
import { Board } from './board.js';
import { fill, h } from './dom.js';
import { rowsOf, sideOf } from './grid.js';
import { Seat } from './seat.js';
import { HandDrag } from './hand_drag.js';
import { Store } from './store.js';
import { capital, outcomeWords, turnWords } from './words.js';

/** @typedef {import('./main.js').App} App @typedef {import('./types').Game} Game @typedef {import('./types').Example} Example @typedef {import('./types').State} State */

class Practice {
    /** @param {App} app @param {Game} game @param {Example} example */
    constructor(app, game, example) {
        this.app = app;
        this.game = game;
        this.example = example;
        /** @type {State | null} */
        this.state = null;
        this.starting = false;
        this.board = new Board(game, { play: move => this.play(move), chose: () => this.show(), idle: () => this.start() });
        const drag = new HandDrag(this.board, game);
        this.hands = game.hand ? ['black', 'white'].map(() => new Seat(game, (piece, event) => drag.pick(piece, event))) : [];
        this.status = h('p.try', { role: 'status' });
        this.buttons = h('div.buttons', {});
        this.node = h('section.example', { 'data-example': example.title }, h('h2', {}, example.title), this.board.node, this.hands.map((hand, i) => h('div.hands', {}, h(`span.disc.${i === 0 ? 'black' : 'white'}`, { 'aria-hidden': 'true' }), hand.hand)), h('p', {}, example.text), this.status, this.buttons);
        this.stop = app.store.on('state', state => state.match === this.state?.match && this.receive(state));
        this.show();
    }

    async start() {
        if (this.starting || this.app.store.status !== 'here' || (this.state && this.state.status !== 'over')) return;
        this.starting = true;
        try {
            const { game, example } = this;
            await this.app.session.ensureName();
            const reply = await this.app.session.ask(`new ${game.name}:${example.variant} white=me black=me private=yes position=${example.position}`);
            this.receive(/** @type {any} */ (await this.app.session.ask(`state ${reply.match}`)));
        } catch (refusal) {
            this.status.textContent = /** @type {Error} */ (refusal).message;
        }
        this.starting = false;
    }

    /** @param {State} state */
    receive(state) {
        this.state = state;
        this.problem = '';
        this.show();
    }

    show() {
        const { state, example } = this;
        const view = state ? { rows: state.board, position: state.position, variant: state.variant, turn: state.turn, last: state.last, legal: Store.isMine(state) ? state.legal ?? [] : null }
            : { rows: rowsOf(example.position), position: example.position, variant: example.variant, turn: sideOf(example.position), last: null, legal: null };

        if (this.board.view?.position !== view.position || this.board.view.legal !== view.legal) this.board.show(view, false, true);
        this.hands.forEach((hand, i) => {
            hand.color = i === 0 ? 'black' : 'white';
            hand.showHand(view, this.board.source?.endsWith('@') ? this.board.source[0] : null);
        });
        this.showStatus();
    }

    showStatus() {
        const { state } = this;

        this.status.classList.toggle('problem', this.problem !== '' && this.problem !== undefined);
        this.status.textContent = this.problem || (!state ? '' : state.status === 'over' ? Object.values(outcomeWords(state)).join('. ') : turnWords(state));
        fill(this.buttons, !state && h('button', { type: 'button', 'data-action': 'try', onclick: () => this.start() }, 'Try it on this board'),
            state && state.ply > 0 && h('button', { type: 'button', 'data-action': 'again', onclick: () => this.again() }, 'From the beginning'));
    }

    /** @param {string} move */
    async play(move) {
        try {
            await this.app.session.ask(`move ${this.state?.match} ${move}`);
        } catch (refusal) {
            this.problem = `${capital(/** @type {Error} */ (refusal).message)}.`;
            this.board.refuse();
            this.app.announce(this.problem);
        }
    }

    async again() {
        await this.end();
        this.state = null;
        await this.start();
    }

    /** Takes everything back and breaks the match off: it leaves no trace. */
    async end() {
        const { state, app } = this;

        if (!state || state.status === 'over') return;
        for (let ply = state.ply; ply > 0; ply--) await app.session.ask(`undo ${state.match}`).catch(() => null);
        await app.session.ask(`abort ${state.match}`).catch(() => null);
    }

    close() {
        this.stop();
        void this.end();
    }
}

/** @param {App} app @param {Game} game @param {Example} example @returns {{node: HTMLElement, close: () => void}} */
export function practice(app, game, example) {
    const board = new Practice(app, game, example);

    return { node: board.node, close: () => board.close() };
}
