// Playing moves back at the pace of who watches: those of a match between bots, which may be over in a second, and those
// of a match that is over.
import { h, s } from './dom.js';
import { recall, remember } from './kept.js';
import { say } from './language.js';
import { moveWords } from './words.js';

const PACES = [4000, 2000, 1000, 500, 250]; /* milliseconds a move */
const words = () => [say('a move in 4 s'), say('a move in 2 s'), say('a move a second'), say('2 moves a second'), say('4 moves a second')];
const PLAY = 'M8 5l11 7-11 7z';
const PAUSE = 'M8 5v14M16 5v14';
const KEPT = 'ludus.pace';

/** @param {State} state @returns {boolean} whether this player only watches, and two bots play */
function isOfBots(state) {
	return state.you === null && (state.players.white?.bot ?? false) && (state.players.black?.bot ?? false);
}

export class Pace {
	/** @param {MatchView} match */
	constructor(match) {
		this.match = match;
		this.pace = PACES.indexOf(Number(recall(KEPT) ?? 1000));
		if (this.pace < 0) this.pace = 2;
		this.runs = false;
		this.follows = false; /* a match of bots that was played while this page showed it: its moves come at the pace */
		this.path = s('path');
		this.button = h('button.icon-button', { 'data-pace': 'run', onclick: () => this.toggle() }, s('svg', { viewBox: '0 0 24 24' }, this.path));
		this.words = h('span.note', { id: 'pace', role: 'status' });
		this.node = h('div.pace', { role: 'group', 'aria-label': say('Play the moves') }, this.button,
			this.step('slower', say('slower'), '−', -1), this.words, this.step('faster', say('faster'), '+', 1));
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
	}

	/** @param {string} name @param {string} label @param {string} sign @param {number} by */
	step(name, label, sign, by) {
		return h('button.icon-button', { 'data-pace': name, 'aria-label': label, title: label, onclick: () => this.change(by) }, sign);
	}

	/** A state has come. @param {State | null} before @param {State} state @returns {boolean} whether its move is to be shown later, at the pace */
	takes(before, state) {
		if (before === null) {
			this.follows = isOfBots(state) && state.status !== 'over';
			if (this.follows) this.start();
		}
		return this.follows && state.ply > 0 && (this.runs || this.match.at !== null);
	}

	/** Whether the end of a match is not to be told yet: the moves before it are still being shown. */
	get hides() {
		return this.follows && this.match.at !== null;
	}

	/** @param {State} state */
	show(state) {
		this.node.hidden = !(this.follows || (state.status === 'over' && state.ply > 0));
		const label = this.runs ? say('Pause') : say('Play the moves');
		this.path.setAttribute('d', this.runs ? PAUSE : PLAY);
		this.button.setAttribute('aria-label', label);
		this.button.title = say('{label} (Space)', { label });
		this.words.textContent = words()[this.pace];
	}

	toggle() {
		if (this.runs) this.pause();
		else {
			if (this.match.at === null && this.match.state?.status === 'over') void this.match.step(0, true);
			this.start();
		}
		this.match.show();
	}

	/** @param {number} by */
	change(by) {
		this.pace = Math.min(PACES.length - 1, Math.max(0, this.pace + by));
		remember(KEPT, PACES[this.pace]);
		if (this.runs) this.start();
		this.match.show();
	}

	start() {
		clearTimeout(this.timer);
		this.runs = true;
		this.timer = setTimeout(() => void this.tick(), PACES[this.pace]);
	}

	pause() {
		clearTimeout(this.timer);
		this.runs = false;
	}

	/** Shows the next move. At the last one of a match that goes on it waits for more. */
	async tick() {
		const { match } = this;

		if (match.at !== null) {
			const move = match.timeline.moves[match.at];
			await match.step(match.at + 1, true);
			match.app.sound.play('move');
			match.app.announce(moveWords(move, match.game?.pieces ?? {}));
		}
		if (match.at === null && match.state?.status === 'over') {
			this.pause();
			match.show();
		} else if (this.runs) {
			this.start();
		}
	}

	/** @param {KeyboardEvent} event @returns {boolean} whether it was one of the keys of the pace */
	key(event) {
		const action = { ' ': () => this.toggle(), '+': () => this.change(1), '-': () => this.change(-1) }[event.key];

		if (this.node.hidden || !action || (event.key === ' ' && event.target instanceof HTMLButtonElement)) return false;
		event.preventDefault();
		action();
		return true;
	}
}
