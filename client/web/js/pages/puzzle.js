// Puzzles: positions in which one move wins. It is played on to the end; any other is refuted.
import { fill, h } from '../dom.js';
import { Exercise } from '../exercise.js';
import { findGame, gameTabs } from '../games/index.js';
import { viewOf } from '../grid.js';
import { addressOf, textCard } from '../invite.js';
import { say, sayPlural } from '../language.js';
import { attempt, changeWords, isSolved, keepDay, keepNumber, keepShown, nextNumber, puzzleFor, puzzleOf, puzzleTitle, ratingWords, streakOf, streakWords, wasShown } from '../puzzles.js';
import { linkTo, linkToPosition } from '../router.js';
import { sentence, typeset } from '../words.js';

const STEP_MS = 900;

/** @type {Set<string>} the puzzles whose answers were shown: they are not solved by coming back */
const told = new Set();

class PuzzleView {
	/** @param {App} app @param {Game} game @param {Puzzle} puzzle @param {boolean} daily whether it is meant as that of its day */
	constructor(app, game, puzzle, daily) {
		this.app = app;
		this.game = game;
		this.puzzle = puzzle;
		this.daily = daily;
		this.next = puzzle.number % puzzle.count + 1; /* the number of the one that comes then */
		this.wrong = 0;
		this.name = `${game.name} ${puzzle.number}`;
		this.shown = told.has(this.name) || wasShown(puzzle); /* the answer was asked for */
		this.solved = false;
		this.timer = 0;
		this.exercise = new Exercise(app, game, { id: 'puzzle', 'data-game': game.name, 'data-puzzle': puzzle.number }, move => void this.ask(move), () => this.goOn());
		this.exercise.flipped = puzzle.turn === 'black';
		this.node = this.exercise.node;
		this.streak = h('p.note', { id: 'streak' });
		this.rating = h('p.note', { id: 'rating' }, ratingWords(puzzle));
		this.share = h('div.share');
		this.exercise.layOut([h('p.note', puzzleTitle(puzzle, daily)), h('h1', daily ? say('Puzzle of the day') : say('Puzzle {number}', { number: puzzle.number })), h('p', { id: 'task' }, typeset(puzzle.task)), this.rating, this.streak], this.share);
		this.showStreak();
		this.begin();
	}

	/** @param {'asking' | 'refuted' | 'solved'} state; and `judging`, while the server is asked */
	setState(state) {
		this.node.dataset.state = state;
		this.exercise.setButtons(this.makeButtons(state));
	}

	/** @param {string} state @returns {Child} */
	makeButtons(state) {
		const { game, puzzle, daily } = this;
		const next = daily ? linkTo('puzzle', game.name) : linkTo('puzzle', game.name, String(this.next));
		const done = state === 'solved';

		return [
			state === 'refuted' && h('button.primary', { 'data-action': 'again', onclick: () => this.begin() }, say('Try again')),
			!this.solved && !done && h('button', { 'data-action': 'answer', onclick: () => void this.ask('answer') }, say('Show the answer')),
			h(`a.button${done ? '.primary' : ''}`, { 'data-action': 'next', href: next }, daily ? say('More of {game}', { game: game.title }) : say('Next puzzle')),
			done && h('button', { 'data-action': 'again', onclick: () => this.begin() }, say('Again')),
			(this.solved || this.shown) && h('button', { 'data-action': 'tell', onclick: () => this.showLine() }, say('Share')),
			(this.solved || this.shown) && h('a.button', { 'data-action': 'analyse', href: linkToPosition('analysis', game.name, puzzle.variant, puzzle.position) }, say('Analyse')),
			(this.solved || this.shown) && h('a.button', { 'data-action': 'from', href: linkToPosition('from', game.name, puzzle.variant, puzzle.position) }, say('Play on from here')),
		];
	}

	begin() {
		const { position, variant, legal } = this.puzzle;

		clearTimeout(this.timer);
		this.exercise.show({ ...viewOf(position, variant), legal });
		this.exercise.say('');
		this.setState('asking');
	}

	/** The board is pressed while it takes no move: after a refutation it goes back. */
	goOn() {
		if (this.node.dataset.state === 'refuted') this.begin();
	}

	/** @param {string} move that is tried, or `answer` */
	async ask(move) {
		if (this.node.dataset.state === 'judging') return;
		clearTimeout(this.timer);
		this.node.dataset.state = 'judging';
		try {
			this.judge(await attempt(this.app.session, this.puzzle, move), move === 'answer');
		} catch (refusal) {
			this.begin();
			this.exercise.say(sentence(refusal.message), 'problem');
		}
	}

	/** @param {Attempt} answer @param {boolean} asked for it */
	judge(answer, asked) {
		const { move, right, reply, line } = answer;

		if (asked) {
			this.shown = true;
			told.add(this.name);
			keepShown(this.puzzle);
		} else if (right) {
			this.keep();
		} else if (!this.solved) {
			this.wrong++;
		}
		this.exercise.say(right ? typeset(answer.said) : `${typeset(answer.said)} ${say('Press the board to try again.')}`, right ? 'right' : 'problem');
		if (right && !asked && this.shown) this.exercise.say(say('Right. It does not count as solved: the answer was shown.'), 'right');
		this.playOn(line ?? (reply === null ? [move] : [move, reply]), answer.positions, 0);
		this.setState(right ? 'solved' : 'refuted');
		if (answer.rated) void this.showRating(answer);
	}

	/** Shows what has become of the rating, and finds the puzzle that comes then. @param {Attempt} answer */
	async showRating(answer) {
		this.rating.textContent = changeWords(answer);
		const next = await puzzleFor(this.app.session, this.game.name).catch(() => null);

		if (!next || this.daily) return;
		this.next = next.number;
		this.exercise.buttons.querySelector('[data-action="next"]')?.setAttribute('href', linkTo('puzzle', this.game.name, String(next.number)));
	}

	/** Shows what one move after the other leads to. @param {string[]} moves @param {string[]} positions @param {number} at */
	playOn(moves, positions, at) {
		this.node.dataset.ply = String(at + 1);
		this.exercise.show({ ...viewOf(positions[at], this.puzzle.variant), last: moves[at] });
		this.app.sound.play('move');
		if (at + 1 < moves.length) this.timer = setTimeout(() => this.playOn(moves, positions, at + 1), STEP_MS);
	}

	/** Keeps that it is solved, unless the answer was shown. */
	keep() {
		const { date } = this.puzzle;

		if (this.shown) return;
		this.solved = true;
		if (date) keepDay(date);
		if (!this.daily) keepNumber(this.puzzle);
		this.showStreak();
	}

	showStreak() {
		const { date } = this.puzzle;

		this.streak.textContent = date ? `${isSolved(date) ? `${say('Solved.')} ` : ''}${streakWords(streakOf(date))}` : '';
	}

	/** Shows the line that tells others how it went. */
	showLine() {
		const { game, puzzle, daily, wrong } = this;
		const how = this.shown ? say('answer shown') : wrong === 0 ? say('solved at the first try') : sayPlural('solved after {count} wrong move', 'solved after {count} wrong moves', wrong);
		const streak = this.solved && puzzle.date ? streakOf(puzzle.date) : 0;
		const text = `Ludus: ${puzzleTitle(puzzle, daily)}: ${how}${streak > 1 ? `, ${sayPlural('{count} day in a row', '{count} days in a row', streak)}` : ''} ${addressOf('puzzle', game.name, String(puzzle.number))}`.trim();

		fill(this.share, textCard(say('How it went'), text, { text }));
		/** @type {HTMLElement} */ (this.share.querySelector('[data-action="copy"]')).focus();
	}

	close() {
		clearTimeout(this.timer);
		this.exercise.stop();
	}
}

/** @param {App} app @param {Game | undefined} game @param {string} which number, `daily`, or '': the next one */
async function find(app, game, which) {
	if (!game || which === 'daily') return puzzleOf(app.session, game);
	if (/^\d{1,6}$/.test(which)) return puzzleOf(app.session, game, which);
	if (app.session.identity) return puzzleFor(app.session, game.name);
	return puzzleOf(app.session, game, String(nextNumber(game))).catch(refusal => {
		if (refusal.code === 'lost') throw refusal;
		return puzzleOf(app.session, game, '1'); /* there were more of them once */
	});
}

/** @param {App} app @param {string} [name] of the game; else that of the game of the day @param {string} [which] */
export function page(app, name = '', which = '') {
	const chosen = findGame(name);
	const place = h('div', h('p.loading', say('One moment…')));
	const tabs = gameTabs('puzzle', chosen);
	/** @type {PuzzleView | null} */
	let view = null;
	let closed = false;
	const begin = async () => {
		if (view) return;
		try {
			const puzzle = await find(app, chosen, which);
			const game = findGame(puzzle.game);
			if (view || closed || !game) return;
			view = new PuzzleView(app, game, puzzle, !chosen || which === 'daily');
			fill(place, view.node);
		} catch (refusal) {
			if (refusal.code !== 'lost') fill(place, h('div.empty', h('h1', say('No such puzzle')), h('p', sentence(refusal.message)), h('a.button', { href: linkTo('puzzle') }, say('Puzzle of the day'))));
		}
	};
	const stop = app.store.whenHere(() => void begin());

	tabs.prepend(h('a', { href: linkTo('puzzle'), 'aria-current': chosen ? null : 'page' }, say('Today')));
	tabs.append(h('a', { href: linkTo('storm', ...chosen ? [chosen.name] : []) }, say('Storm')));
	return {
		node: h('div.learn', place, tabs), title: chosen ? say('Puzzles of {game}', { game: chosen.title }) : say('Puzzle of the day'),
		close: () => {
			closed = true;
			stop();
			view?.close();
		},
	};
}
