// Setting up a position: pieces are put and taken away by hand. Whether that is a position, the server says.
import { fill, h } from './dom.js';
import { cells, colorOf, rowsOf, sideOf, squareAt } from './grid.js';
import { say } from './language.js';
import { pieceIcon, pieceWords } from './pieces.js';

/** The letters of a text. @param {string} text */
function letters(text) {
	return [...text].filter(letter => colorOf(letter));
}

/** The pieces in hand, as the position has them in brackets; null: there are none in this game. @param {string} position */
function handOf(position) {
	return /\[(.*)\]/.exec(position)?.[1] ?? null;
}

export class Editor {
	/** @param {Game} game @param {(position: string) => void} changed is told each position */
	constructor(game, changed) {
		this.game = game;
		this.changed = changed;
		this.position = '';
		/** @type {string} what a press on a square puts there; `.`: nothing */
		this.cell = '.';
		this.last = ''; /* the square of the piece that was put last */
		this.palette = h('div.hand', { role: 'group', 'aria-label': say('Pieces') });
		this.side = h('button', { 'data-action': 'side', onclick: () => this.change({ side: sideOf(this.position) === 'white' ? 'b' : 'w' }) });
		this.node = h('div.editor', this.palette, h('div.buttons', this.side, h('button', { 'data-action': 'clear', onclick: () => this.clear() }, say('Clear the board'))));
	}

	/** @param {string} position to begin with */
	open(position) {
		this.position = position;
		this.cell = this.kinds()[0];
		this.show();
	}

	/** The cells that a board of the game may have. */
	kinds() {
		return [...new Set(this.game.start.split(' ')[0].replace(/[^A-Za-z*]/g, ''))];
	}

	/** Those of which there is one more to put; where pieces come from the hand, these are all that there are. @param {string} kind */
	isLeft(kind) {
		return kind === '.' || (handOf(this.position)?.includes(kind) ?? true);
	}

	show() {
		this.side.textContent = sideOf(this.position) === 'white' ? say('White to move') : say('Black to move');
		fill(this.palette, this.kinds().map(kind => h('button.piece-button', {
			'data-put': kind, 'data-fits': 'yes', 'aria-pressed': String(kind === this.cell), disabled: !this.isLeft(kind),
			'aria-label': kind === '*' ? say('hole') : pieceWords(this.game, kind), onclick: () => this.choose(kind),
		}, kind === '*' ? '✕' : pieceIcon(this.game, kind))), h('button', { 'data-put': '.', 'aria-pressed': String(this.cell === '.'), onclick: () => this.choose('.') }, say('Remove')));
	}

	/** @param {string} kind */
	choose(kind) {
		this.cell = kind;
		this.show();
		/** @type {HTMLElement | null} */ (this.palette.querySelector('[aria-pressed="true"]'))?.focus();
	}

	/** Puts what is chosen on a square, or takes away what is there already. @param {string} square */
	put(square) {
		const rows = rowsOf(this.position);
		const [file, rank] = squareAt(square);
		const row = rows.length - 1 - rank;
		const was = rows[row][file];
		const cell = was === this.cell || !this.isLeft(this.cell) ? '.' : this.cell;

		rows[row] = rows[row].slice(0, file) + cell + rows[row].slice(file + 1);
		this.last = colorOf(cell) ? square : '';
		this.change({ rows });
	}

	clear() {
		this.last = '';
		this.change({ rows: rowsOf(this.position).map(row => row.replace(/[A-Za-z]/g, '.')) });
	}

	/** @param {{rows?: string[], side?: string}} what is another */
	change({ rows = rowsOf(this.position), side = sideOf(this.position)[0] }) {
		const [, rest] = /^\S+ [wb](.*)$/.exec(this.position) ?? ['', ''];
		const whole = handOf(this.position) === null ? null : letters(this.game.start.split(' ')[0]);
		const placed = cells(rows).map(at => at.cell);
		const hand = whole?.filter(letter => {
			const at = placed.indexOf(letter);
			if (at >= 0) placed.splice(at, 1);
			return at < 0;
		}).join('');
		const placement = rows.map(row => row.replace(/\.+/g, run => String(run.length))).join('/');

		this.position = `${placement}${hand === undefined ? '' : `[${hand}]`} ${side}${this.game.fields?.(rows, hand ?? '', side, this.last) ?? rest}`;
		this.show();
		this.changed(this.position);
	}
}
