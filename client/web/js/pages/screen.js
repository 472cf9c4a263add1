// A tournament for a whole room, on a projector: the standings, page after page, and the running match that matters most.
import { fill, h } from '../dom.js';
import { findGame, gameLabel } from '../games/index.js';
import { viewOf } from '../grid.js';
import { isCommand } from '../keys.js';
import { say, sayIn, sayPlural } from '../language.js';
import { go, linkTo } from '../router.js';
import { Seat } from '../seat.js';
import { Picture, whereWords } from '../tv.js';
import { resultWords, shownName } from '../words.js';
import { Following, roundsOf, roundWords, standings } from './tournament.js';
import { formatWords, STATUSES } from './tournaments.js';

const PAGE_MS = 10000;
const END_MS = 6000; /* how long the end of a match is shown */
const COLUMNS = 6; /* of the standings */
const WINNERS = 3; /* as many have room for their names */

class Projector extends Following {
	/** @param {App} app @param {string} id */
	constructor(app, id) {
		super(app, id);
		this.match = ''; /* that is watched */
		this.ended = ''; /* of which the end is shown */
		this.until = 0; /* when that has been seen */
		this.busy = false;
		this.turn = 0; /* how many pages of the standings were shown */
		this.shown = '';
		this.picture = new Picture(false);
		/** @type {Seat[]} black, who sits at the top, and white */
		this.seats = [];
		this.words = h('p');
		this.range = h('span');
		this.rows = h('div.screen-rows');
		this.line = h('p.screen-line');
		this.board = h('div.screen-match', { id: 'screen-match', hidden: true });
		this.news = h('div.screen-news', { id: 'screen-news' });
		this.node = h('div.screen', { id: 'screen', 'data-tournament': id, onclick: event => event.target instanceof Element && !event.target.closest('a') && this.fillScreen() },
			h('div.screen-head', this.title, this.words, h('p.note', this.range, h('span.screen-fill', say('Full screen: F')), h('a', { href: linkTo('t', id), 'data-action': 'back' }, say('Back: Esc')))),
			this.problem, this.rows, h('div.screen-side', this.board, this.news));
		const keys = new AbortController();
		addEventListener('keydown', event => this.press(event), { signal: keys.signal });
		addEventListener('resize', () => this.showTable(), { signal: keys.signal });
		const pages = setInterval(() => this.turnPage(), PAGE_MS);
		this.stops.push(() => keys.abort(), () => clearInterval(pages), app.store.on('state', state => state.match === this.match && this.showMatch(state)));
		this.begin();
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (!isCommand(event)) return;
		if (event.key === 'f' || event.key === 'F') this.fillScreen();
		else if (event.key === 'Escape' && !document.fullscreenElement) go('t', this.id);
	}

	/** All of the screen, or the window again. */
	fillScreen() {
		void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => null);
	}

	/** After a lost connection the match is watched again, too. */
	async follow() {
		if (this.match) await this.app.session.ask(`watch ${this.match}`).catch(() => { this.match = ''; });
		await super.follow();
	}

	/** @param {Message} told */
	async show(told) {
		const text = JSON.stringify(told);

		await super.show(told);
		this.showClock(told);
		if (text !== this.shown) {
			const count = this.running().length;
			const parts = [gameLabel(told.game, told.variant), formatWords(told.format), told.round > 0 && told.format !== 'arena' && roundWords(told),
				told.status !== 'running' && STATUSES[told.status], count > 0 && sayPlural('{count} match is running', '{count} matches are running', count)];
			fill(this.words, parts.filter(part => part).join(', '), this.clock);
			this.showTable();
		}
		this.shown = text;
		await this.tune();
	}

	turnPage() {
		this.turn++;
		this.showTable();
	}

	/** Shows as many rows of the standings as there is room for, as high as that and the names allow. */
	showTable() {
		if (!this.told) return;
		const { players, format } = this.told;
		const space = this.rows.clientHeight;
		const least = Math.min(this.node.clientHeight * 0.0315, this.node.clientWidth * 0.044);
		const row = Math.floor(Math.min(Math.max(space / (players.length + 1), least), least * 1.7));
		const fit = Math.max(1, Math.floor(space / row) - 1);
		const first = Math.max(0, Math.min(this.turn % Math.ceil(players.length / fit) * fit, players.length - fit)) || 0;
		const table = /** @type {HTMLTableElement} */ (standings(players, '', format));

		for (const link of table.querySelectorAll('a')) link.removeAttribute('href'); /* nothing is pressed here */
		fill(this.rows, table);
		this.range.textContent = players.length > fit ? `${first + 1}–${first + fit} / ${players.length}` : '';
		const names = [...table.tBodies[0].rows].map(each => each.cells[1]);
		let [height, columns] = [row, COLUMNS];
		const fits = () => {
			this.rows.style.setProperty('--row', `${height}px`);
			this.rows.dataset.columns = String(columns);
			return names.every(cell => cell.scrollWidth <= cell.clientWidth);
		};
		while (!fits() && height > least * 0.7) /* names and points are worth more than the last columns, and than letters larger than in a long table */
			if (columns > 4 || (columns > 3 && height <= least)) columns--;
			else height--;
		[...table.tBodies[0].rows].forEach((each, i) => (i < first || i >= first + fit) && each.remove());
	}

	/** @returns {string} the match whose players stand highest together, the oldest of these; '': none is played */
	best() {
		const ranks = new Map(this.told?.players.map((/** @type {{name: string, rank: number}} */ row) => [row.name, row.rank]));
		const rankOf = (/** @type {string | null} */ name) => Number(ranks.get(name ?? '') ?? ranks.size + 1);
		const played = /running|paused/.test(this.told?.status) ? this.running().filter(({ match }) => this.app.store.matches.get(String(match))?.status !== 'over') : [];
		const [first] = played.map(({ match, white, black }) => ({ match, sum: rankOf(white) + rankOf(black) })).sort((a, b) => a.sum - b.sum);

		return first?.match ?? '';
	}

	/** Stays with a match until its end has been seen, then goes to the best one. */
	async tune() {
		const { session } = this.app;

		if (this.closed || this.busy || performance.now() < this.until) return;
		if (!this.match || !this.running().some(({ match }) => match === this.match) || this.match === this.ended) {
			this.busy = true;
			if (this.match) void session.ask(`leave ${this.match}`).catch(() => null);
			this.match = this.best();
			if (this.match) await session.ask(`watch ${this.match}`).catch(() => { this.match = ''; }); /* it is over by now */
			this.busy = false;
		}
		this.board.hidden = !this.match;
		this.showNews();
	}

	/** @param {State} state of the match that is watched */
	showMatch(state) {
		const { app, picture } = this;
		const game = findGame(state.game);
		const over = state.status === 'over';

		if (!game || !picture.show(state)) return;
		if (this.seats.length === 0) {
			this.seats = [0, 1].map(() => new Seat(game, () => null));
			picture.node.classList.add('screen-board');
			fill(this.board, this.seats[0].node, picture.node, this.seats[1].node, this.line);
		}
		(/** @type {Color[]} */ (['black', 'white'])).forEach((color, i) => {
			const score = this.told?.players.find((/** @type {{name: string}} */ row) => row.name === state.players[color]?.name)?.score ?? 0;
			this.seats[i].show(color, state, viewOf(state.position, state.variant), app.store.since.get(state.match) ?? 0, null);
			this.seats[i].who.append(h('span.points', sayPlural('{count} point', '{count} points', Math.ceil(score), { count: score })));
		});
		const { headline, detail } = resultWords(state.result, state.reason);
		this.line.textContent = over ? `${headline}. ${detail}` : whereWords(state);
		for (const [key, value] of Object.entries({ match: state.match, ply: String(state.ply), status: state.status })) this.board.dataset[key] = value;
		this.board.hidden = false;
		this.showNews();
		if (!over || this.ended === state.match) return;
		this.ended = state.match;
		this.until = performance.now() + END_MS;
		setTimeout(() => void this.tune(), END_MS + 50);
	}

	/** What is to be known while no match is shown. */
	showNews() {
		this.news.hidden = !this.board.hidden;
		if (this.told && !this.news.hidden) fill(this.news, this.newsOf(this.told));
	}

	/** @param {Message} told @returns {Child} */
	newsOf(told) {
		const { status, format, round, players, entrants } = told;
		const winners = players.filter((/** @type {{rank: number}} */ row) => row.rank === 1);
		const names = winners.flatMap((/** @type {{name: string}} */ row, /** @type {number} */ i) => [i > 0 && ', ', h('strong', shownName(row.name))]);
		const shared = winners.length > WINNERS ? sayPlural('{count} player shares first place', '{count} players share first place', winners.length) : sayIn('{names} share first place', { names });
		const more = format === 'arena' ? say('The next matches begin soon') : (roundsOf(told) || Infinity) > round && say('Round {number} begins soon', { number: round + 1 });

		if (status === 'over' && winners.length > 0)
			return [h('p', say('The tournament is over')), h('p.screen-winner', winners.length === 1 ? sayIn('{name} has won', { name: names }) : shared)];
		return [h('p', status === 'running' ? more || STATUSES[status] : STATUSES[status]), h('p.note', status === 'open' ? sayPlural('{count} player', '{count} players', entrants) : status === 'paused' && more)];
	}

	close() {
		super.close();
		this.seats.forEach(seat => seat.close());
		if (this.match) this.app.session.ask(`leave ${this.match}`).catch(() => null);
		if (document.fullscreenElement) void document.exitFullscreen().catch(() => null);
	}
}

/** @param {App} app @param {string} [id] */
export function page(app, id = '') {
	const projector = new Projector(app, id);

	return { node: projector.node, title: say('Tournament'), close: () => projector.close() };
}
