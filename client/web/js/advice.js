// For who has not finished a match of a game yet: what can be done now, and what the pieces do. The server says both.
import { fill, h } from './dom.js';
import { recall, remember } from './kept.js';
import { say, told } from './language.js';
import { pieceIcon } from './pieces.js';
import { capital, typeset } from './words.js';

const KEY = 'ludus.finished';

/** @returns {string[]} the games of which this browser has seen a match of its own to the end */
function finished() {
	const names = recall(KEY);

	return Array.isArray(names) ? names : [];
}

export class Advice {
	/** @param {App} app @param {Game} game */
	constructor(app, game) {
		this.app = app;
		this.game = game;
		this.position = ''; /* for which it was asked last */
		this.said = '';
		this.line = h('p', { id: 'advice' });
		this.symbols = h('dl.symbols', { id: 'symbols' });
		this.node = h('div.advice', { hidden: true }, this.line, h('details', h('summary', say('What the pieces do')), this.symbols));
	}

	/** @param {State} state @param {View} view */
	show(state, view) {
		const moves = view.legal !== null;

		this.node.hidden = state.status !== 'playing' || state.you === null || finished().includes(this.game.name);
		this.line.classList.toggle('idle', !moves); /* what is below it stays where it is */
		if (!this.node.hidden && moves && view.position !== this.position) void this.ask(view);
	}

	/** Keeps that this player has finished a match of the game. @param {State} state */
	end({ you, result }) {
		if (you !== null && result !== '*' && !finished().includes(this.game.name)) remember(KEY, [...finished(), this.game.name]);
	}

	/** @param {View} view */
	async ask({ position, variant }) {
		this.position = position;
		const said = await this.app.session.ask(`explain ${this.game.name}:${variant} position=${position}`).catch(() => null);
		if (this.position !== position) return;
		if (said === null) this.position = ''; /* the next time */
		this.line.textContent = typeset(said?.advice ?? '');
		if (this.line.textContent !== this.said) this.app.announce(this.line.textContent);
		this.said = this.line.textContent;
		if (said && this.symbols.childElementCount === 0) fill(this.symbols, said.symbols.map((/** @type {GameSymbol} */ symbol) => this.symbol(symbol)));
	}

	/** @param {GameSymbol} symbol */
	symbol({ letter, name, does }) {
		return h('div', h('dt', letter !== '*' && pieceIcon(this.game, letter), capital(told(name))), h('dd', typeset(does)));
	}
}
