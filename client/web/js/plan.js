// A move that is chosen and not sent yet: a premove, which goes when the turn comes, or one that is asked about first.
import { h } from './dom.js';
import { say } from './language.js';
import { setting } from './settings.js';
import { Store } from './store.js';
import { moveWords } from './words.js';

/** @param {State} state whether a move of this player is asked about before it is sent */
function isAsked({ clock }) {
	const confirm = setting('confirm');

	return confirm === 'always' || (confirm === 'slow' && clock === null);
}

/** @param {State} state whether this player may choose a premove */
export function isWaiting(state) {
	return state.status === 'playing' && state.you !== null && state.you !== 'both' && !Store.isMine(state);
}

export class Plan {
	/** @param {MatchView} match */
	constructor(match) {
		this.match = match;
		/** @type {string | null} */
		this.move = null;
	}

	/** Keeps a move for later, if that is wished. @param {string} move @param {State} state @returns {boolean} whether it is kept */
	keeps(move, state) {
		const premove = isWaiting(state);

		if (!premove && !(Store.isMine(state) && isAsked(state) && state.legal?.includes(move))) return false;
		this.match.board?.choose(null);
		this.move = move;
		this.match.show();
		if (premove) this.match.app.announce(say('Premove: {move}.', { move: this.words() }));
		else /** @type {HTMLElement | null} */ (this.match.node.querySelector('[data-action="send"]'))?.focus();
		return true;
	}

	words() {
		return moveWords(this.move ?? '', this.match.game?.pieces ?? {});
	}

	/** A state has come: what was chosen for another one is sent, or forgotten. @param {State | null} before @param {State} state */
	follow(before, state) {
		const { move } = this;
		const came = before !== null && isWaiting(before) && Store.isMine(state) && state.ply === before.ply + 1;

		if (move === null || (before?.ply === state.ply && before.status === state.status)) return;
		this.move = null;
		if (came && state.legal?.includes(move)) void this.match.send(move);
		else if (came) this.match.complain(say('The premove {move} is not possible now', { move }));
	}

	/** The answer was yes. */
	send() {
		const { move } = this;

		this.move = null;
		if (move !== null) void this.match.send(move);
	}

	/** Takes it back. */
	drop() {
		if (this.move === null) return;
		this.move = null;
		this.match.board?.putBack();
		this.match.show();
	}

	/** What is said of it. @param {State} state */
	node(state) {
		if (this.move === null || this.match.at !== null) return null;
		if (!Store.isMine(state))
			return h('p.detail', { id: 'premove' }, say('Premove: {move}.', { move: this.words() }), ' ', h('button', { 'data-action': 'unplan', onclick: () => this.drop() }, say('Take it back')));
		return h('div.offer', { id: 'confirm' }, h('p', say('Play {move}?', { move: this.words() })), h('button.primary', { 'data-action': 'send', onclick: () => this.send() }, say('Play')),
			h('button', { 'data-action': 'unplan', onclick: () => this.drop() }, say('Not yet')));
	}
}
