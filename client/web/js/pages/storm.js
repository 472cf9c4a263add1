// A storm: puzzle after puzzle, from easy to hard, against the clock. Its rules and its puzzles are the server's.
import { fill, h } from '../dom.js';
import { Exercise } from '../exercise.js';
import { findGame, gameTabs, games } from '../games/index.js';
import { viewOf } from '../grid.js';
import { say, sayPlural } from '../language.js';
import { bestStorm, keepStorm, stormOf } from '../puzzles.js';
import { linkTo } from '../router.js';
import { sentence, typeset } from '../words.js';

const TICK_MS = 200;

/** @param {number} ms */
function clockText(ms) {
	const seconds = Math.max(0, Math.ceil(ms / 1000));

	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

class StormView {
	/** @param {App} app @param {Game} game @param {Storm} storm @param {() => void} again begins another one */
	constructor(app, game, storm, again) {
		this.app = app;
		this.game = game;
		this.storm = storm;
		this.again = again;
		this.place = 0; /* of the puzzle in the storm */
		this.solved = 0;
		this.wrong = 0;
		this.end = 0; /* by performance.now() */
		this.timer = 0;
		this.exercise = new Exercise(app, game, { id: 'storm', 'data-game': game.name }, move => this.judge(move));
		this.node = this.exercise.node;
		this.task = h('p', { id: 'task' });
		this.clock = h('strong', { id: 'left', role: 'timer' });
		this.score = h('p.note', { id: 'score' });
		this.exercise.layOut([h('p.note', game.title), h('h1', say('Storm')), this.task, h('p', this.clock), this.score], null);
		this.task.textContent = say('As many puzzles as you can in {seconds} seconds, from easy to hard. A wrong move costs {cost}.', { seconds: storm.seconds, cost: storm.wrong_seconds });
		this.exercise.show(viewOf(storm.puzzles[0].position, storm.puzzles[0].variant));
		this.setState('ready');
	}

	/** @param {'ready' | 'running' | 'over'} state */
	setState(state) {
		this.node.dataset.state = state;
		this.exercise.setButtons([
			state === 'ready' && h('button.primary', { 'data-action': 'start', onclick: () => this.start() }, say('Start')),
			state === 'over' && h('button.primary', { 'data-action': 'again', onclick: this.again }, say('Again')),
			h('a.button', { 'data-action': 'back', href: linkTo('puzzle', this.game.name) }, say('Puzzles of {game}', { game: this.game.title })),
		]);
		this.showScore();
	}

	start() {
		this.end = performance.now() + 1000 * this.storm.seconds;
		this.timer = setInterval(() => this.tick(), TICK_MS);
		this.setState('running');
		this.showNext('');
	}

	tick() {
		this.clock.textContent = clockText(this.end - performance.now());
		if (performance.now() >= this.end) this.finish(sayPlural('Time is up: {count} puzzle solved, {wrong} wrong.', 'Time is up: {count} puzzles solved, {wrong} wrong.', this.solved, { wrong: this.wrong }));
	}

	showScore() {
		const best = bestStorm(this.game);

		Object.assign(this.node.dataset, { solved: this.solved, wrong: this.wrong });
		this.score.textContent = `${say('Solved: {solved}. Wrong: {wrong}.', { solved: this.solved, wrong: this.wrong })}${best > 0 ? ` ${say('Your best: {best}.', { best })}` : ''}`;
	}

	/** Shows the puzzle that comes next. @param {string} said of the one before @param {string} [style] */
	showNext(said, style) {
		const { position, variant, legal, number, task } = this.storm.puzzles[this.place];

		this.node.dataset.puzzle = String(number);
		this.task.textContent = `${say('Puzzle {number}', { number })}. ${typeset(task)}`;
		this.exercise.flipped = viewOf(position, variant).turn === 'black';
		this.exercise.show({ ...viewOf(position, variant), legal });
		this.exercise.say(said, style);
		this.showScore();
		this.tick();
	}

	/** @param {string} move */
	judge(move) {
		if (this.node.dataset.state !== 'running') return;
		const { answer } = this.storm.puzzles[this.place++];
		const right = move === answer;

		if (right) this.solved++;
		else {
			this.wrong++;
			this.end -= 1000 * this.storm.wrong_seconds;
		}
		this.app.sound.play('move');
		if (this.place === this.storm.puzzles.length) this.finish(sayPlural('That was the last one: {count} puzzle solved, {wrong} wrong.', 'That was the last one: {count} puzzles solved, {wrong} wrong.', this.solved, { wrong: this.wrong }));
		else this.showNext(right ? say('Right.') : say('{move} does not win, {answer} does: {seconds} s less.', { move, answer, seconds: this.storm.wrong_seconds }), right ? 'right' : 'problem');
	}

	/** @param {string} result in words */
	finish(result) {
		const { view } = this.exercise.board;
		const best = this.solved > bestStorm(this.game);

		clearInterval(this.timer);
		this.clock.textContent = clockText(0);
		if (best) keepStorm(this.game, this.solved);
		if (view) this.exercise.show({ ...view, legal: null });
		this.exercise.say(`${result}${best ? ` ${say('Your best so far.')}` : ''}`, 'right');
		this.setState('over');
	}

	close() {
		clearInterval(this.timer);
		this.exercise.stop();
	}
}

/** @param {App} app @param {string} [name] of the game */
export function page(app, name = '') {
	const game = findGame(name) ?? games[0];
	const place = h('div', h('p.loading', say('One moment…')));
	const tabs = gameTabs('storm', game);
	/** @type {StormView | null} */
	let view = null;
	let closed = false;
	const begin = async () => {
		try {
			const storm = await stormOf(app.session, game);
			if (closed) return;
			view?.close();
			view = new StormView(app, game, storm, () => void begin());
			fill(place, view.node);
		} catch (refusal) {
			if (refusal.code !== 'lost') fill(place, h('div.empty', h('h1', say('No storm')), h('p', sentence(refusal.message)), h('a.button', { href: linkTo('puzzle') }, say('Puzzle of the day'))));
		}
	};
	const stop = app.store.whenHere(() => void (view ?? begin()));

	tabs.prepend(h('a', { href: linkTo('puzzle') }, say('Puzzles')));
	return {
		node: h('div.learn', place, tabs), title: say('Storm of {game}', { game: game.title }),
		close: () => {
			closed = true;
			stop();
			view?.close();
		},
	};
}
