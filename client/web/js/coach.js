// What a review teaches: at a mistake another move is tried, and the better line is stepped through on the board.
import { fill, h } from './dom.js';
import { sideOf, viewOf } from './grid.js';
import { say } from './language.js';
import { analysisOf, standingAfter, standingOf } from './positions.js';
import { bestWords, judgedWords, sentence } from './words.js';

/** A mistake that is tried again: where it was made, and what a good move has led to (null: none was found yet). @typedef {{ply: number, from: Standing, found: Standing | null, move: string, said: string, style: string}} Retry */
/** A better line, and what each of its moves leads to; `at`: the one that is shown. @typedef {{ply: number, moves: string[], positions: string[], at: number}} Line */

export class Coach {
	/** @param {App} app @param {MatchView} match */
	constructor(app, match) {
		this.app = app;
		this.match = match;
		this.node = h('div.coach', { id: 'coach', hidden: true });
		/** @type {Retry | null} */
		this.retry = null;
		/** @type {Line | null} */
		this.line = null;
		this.goes = false; /* mistakes are tried again from one to the next */
		this.busy = false;
	}

	/** The ply that is shown, and what the review says of the move before it. */
	here() {
		const ply = this.match.at ?? this.match.timeline.moves.length;

		return { ply, judged: this.match.timeline.judged[ply - 1], played: this.match.timeline.moves[ply - 1] };
	}

	/** @returns {Color} who made the move before a ply @param {number} ply */
	mover(ply) {
		return sideOf(this.match.timeline.positions[ply - 1] ?? '');
	}

	/** Has the server judge the moves, and shows the first mistake. */
	async review() {
		const { match } = this;

		match.timeline.judged = (await match.command('review'))?.plies ?? [];
		const [first] = this.mistakes();
		if (first) await this.toMistake(first);
		else await match.step(null);
	}

	/** The plies after moves that the review has marked. @returns {number[]} */
	mistakes() {
		return this.match.timeline.judged.flatMap(({ mark }, i) => mark ? [i + 1] : []);
	}

	/** Shows a mistake: one's own is tried again before the answer is told. @param {number} ply */
	async toMistake(ply) {
		await this.match.step(ply);
		if (this.goes || this.isOwn(ply)) await this.tryAgain();
	}

	/** What would have been played in place of the move before a ply, if that was a mistake. @param {number} ply */
	better(ply) {
		const { mark, best } = this.match.timeline.judged[ply - 1] ?? {};

		return mark ? best : null;
	}

	/** What the review says at the ply that is shown. */
	words() {
		return !this.hides && judgedWords(this.match.timeline.judged, this.here().ply, this.mover(this.here().ply));
	}

	/** Whether this player made the move before a ply. @param {number} ply */
	isOwn(ply) {
		const { state } = this.match;
		const mover = this.mover(ply);

		return state !== null && state.you !== 'both' && (state.you === mover || (state.players[mover]?.name === this.app.store.name && state.players.white?.name !== state.players.black?.name));
	}

	/** Whether the answer is not to be seen. */
	get hides() {
		return this.retry !== null && this.retry.found === null;
	}

	/** Lets go of what was tried: another position is shown. */
	leave() {
		this.retry = null;
		this.line = null;
	}

	/** The board, where it is not that of the match. @returns {View | null} */
	view() {
		const { retry, line, match } = this;
		const variant = match.state?.variant ?? '';

		if (line) return { ...viewOf(line.positions[line.at], variant), last: line.moves[line.at] };
		if (retry?.found) return { ...viewOf(retry.found.position, variant), last: retry.move };
		return retry && { ...viewOf(retry.from.position, variant), last: match.timeline.moves[retry.ply - 2] ?? null, legal: this.busy ? null : retry.from.moves };
	}

	/** Asks for a better move than the one before the ply that is shown. */
	async tryAgain() {
		const { match } = this;
		const { ply } = this.here();

		this.leave();
		this.goes = true;
		try {
			const position = await match.timeline.positionAt(ply - 1);
			if (!match.game || !match.state || position === undefined) return;
			const from = await standingOf(this.app.session, match.game, match.state.variant, position);
			if (this.here().ply !== ply) return;
			this.retry = { ply, from, found: null, move: '', said: '', style: '' };
			this.app.announce(this.task(ply));
		} catch (refusal) {
			match.complain(refusal.message);
		}
		match.show();
	}

	/** @param {number} ply */
	task(ply) {
		const values = { move: this.match.timeline.moves[ply - 1] };

		if (this.isOwn(ply)) return say('You played {move}: find a better move.', values);
		return this.mover(ply) === 'white' ? say('White played {move}: find a better move.', values) : say('Black played {move}: find a better move.', values);
	}

	/** Takes a move that is tried. @param {string} move @returns {boolean} whether one is */
	takes(move) {
		const { retry, match } = this;

		if (!retry) return false;
		if (this.busy || retry.found) match.board?.refuse();
		else void this.judge(retry, move);
		return true;
	}

	/** Refuses a move, or has it judged. @param {Retry} retry @param {string} move */
	async judge(retry, move) {
		const { match } = this;
		const { played } = this.here();

		if (!retry.from.moves.includes(move)) {
			match.board?.refuse();
			void match.explain(move);
		} else if (move === played) {
			this.say(retry, say('{move} is the move that was played.', { move }), 'problem');
			match.board?.refuse();
		} else {
			this.busy = true;
			await this.weigh(retry, move).catch(refusal => this.say(retry, refusal.message, 'problem'));
			this.busy = false;
			if (this.retry !== retry || !retry.found) match.board?.refuse();
			match.show();
		}
	}

	/**
	 * Judges a move: what the review prefers is right, and so is any that the server's analysis does not mark.
	 * @param {Retry} retry @param {string} move
	 */
	async weigh(retry, move) {
		const { match, app } = this;
		const { judged } = this.here();
		const best = move === judged.best;

		if (!match.game) return;
		this.say(retry, best ? '' : say('One moment…'));
		const mark = best ? '' : (await analysisOf(app.session, match.game, retry.from, move)).mark;
		if (mark) {
			this.say(retry, mark === '?' ? say('{move} is a mistake, too. Try again.', { move }) : say('{move} is a blunder, too. Try again.', { move }), 'problem');
			return;
		}
		retry.found = await standingAfter(app.session, match.game, retry.from, move);
		retry.move = move;
		app.sound.play('move');
		this.say(retry, best ? say('Right: {best}.', { best: bestWords(judged) }) : say('{move} is good, too. The review prefers {best}.', { move, best: bestWords(judged) }), 'right');
	}

	/** @param {Retry} retry @param {string} text @param {string} [style] */
	say(retry, text, style = '') {
		retry.said = sentence(text);
		retry.style = style;
		if (text) this.app.announce(retry.said);
		if (this.retry === retry) this.match.show();
	}

	/** Steps through the better line. @param {number} at of its moves */
	async showLine(at) {
		const { match, app } = this;
		const { ply, judged } = this.here();

		if (!match.game || !match.state) return;
		this.retry = null;
		try {
			const line = this.line ?? { ply, moves: judged.pv, positions: [], at: 0 };
			let position = line.positions.at(-1) ?? await match.timeline.positionAt(ply - 1) ?? '';
			while (line.positions.length <= at) {
				const standing = await standingAfter(app.session, match.game, { variant: match.state.variant, position, moves: [], result: '*', reason: null }, line.moves[line.positions.length]);
				if (!standing) break;
				line.positions.push(position = standing.position);
			}
			if (this.here().ply !== ply || line.positions.length === 0) return;
			line.at = Math.min(at, line.positions.length - 1);
			this.line = line;
			app.announce(say('{move}, move {number} of {count} of the better line.', { move: line.moves[line.at], number: line.at + 1, count: line.moves.length }));
		} catch (refusal) {
			match.complain(refusal.message);
		}
		match.show();
	}

	/** Takes a step of the match for one of the line that is shown. @param {string} name @returns {boolean} whether it was one */
	stepsLine(name) {
		const { line } = this;

		if (!line) return false;
		const at = { first: 0, back: line.at - 1, forward: Math.min(line.at + 1, line.moves.length - 1), latest: line.moves.length - 1 }[name];
		if (at === undefined) return false;
		if (at < 0) this.stop();
		else void this.showLine(at);
		return true;
	}

	/** The board is pressed while it takes no move: it goes back to the match. @returns {boolean} whether it was not there */
	stops() {
		const elsewhere = this.view() !== null;

		if (elsewhere && !this.busy) this.stop();
		return elsewhere;
	}

	/** Goes back to the match. */
	stop() {
		this.leave();
		this.goes = false;
		this.match.show();
	}

	/** @param {string} action @param {string} label @param {() => void} act @param {string} [style] */
	button(action, label, act, style = '') {
		return h(`button${style}`, { 'data-action': action, onclick: act }, label);
	}

	show() {
		const { retry, line } = this;
		const { action, line: number } = this.node.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset : {};

		this.node.hidden = !this.better(this.here().ply);
		if (this.node.hidden) return;
		this.node.dataset.state = line ? 'line' : this.hides ? 'asked' : retry ? 'found' : 'told';
		if (line) fill(this.node, this.lineParts(line));
		else if (retry) fill(this.node, this.retryParts(retry));
		else fill(this.node, h('div.buttons', this.button('retry', say('Retry'), () => void this.tryAgain()), this.button('better', say('Better line'), () => void this.showLine(0))));
		if (action || number) /** @type {HTMLElement | null} */ (this.node.querySelector(`[data-action="${action}"], [data-line="${number}"]`) ?? this.node.querySelector('button'))?.focus();
	}

	/** @param {Line} line @returns {Child} */
	lineParts(line) {
		return [h('p', say('The better line, move {number} of {count}.', { number: line.at + 1, count: line.moves.length })), h('div.moves', { role: 'group', 'aria-label': say('Better line') }, line.moves.map((move, i) =>
			h('button.move', { 'data-line': i, 'aria-current': i === line.at ? 'step' : null, onclick: () => void this.showLine(i) }, move))), h('div.buttons', this.button('stop', say('Back to the match'), () => this.stop()))];
	}

	/** @param {Retry} retry @returns {Child} */
	retryParts({ ply, found, said, style }) {
		const { match } = this;
		const answer = () => {
			this.leave();
			match.show();
		};

		return [h('p', this.task(ply)), said && h(`p${style ? `.${style}` : ''}`, { id: 'tried' }, said),
			h('div.buttons', found ? this.button('better', say('Better line'), () => void this.showLine(0), '.primary') : this.button('answer', say('Show the answer'), answer),
				this.button('next-mistake', say('Next mistake'), () => match.moves?.step('mistake')))];
	}
}
