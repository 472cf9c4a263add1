// One tournament: standings, pairings, who met whom, the boards that are played on; and directing it.
import { fill, h } from '../dom.js';
import { say, sayIn, sayPlural } from '../language.js';
import { findGame, gameLabel } from '../games/index.js';
import { checked } from '../line.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';
import { clockText, nameOf, sentence, shownName, termsText } from '../words.js';
import { formatWords, openingsText, STATUSES } from './tournaments.js';

const SOON_MS = 300; /* several events are one look */
const LOOK_MS = 5000; /* boards move, and players come and go, without an event */
const BOARDS = 6;

/** @typedef {{rank: number, number: number, name: string, online: boolean, left: boolean, score: number, matches: number, buchholz: number, sonneborn_berger: number, performance: number | null, performance_error: number | null}} Standing */
/** @typedef {{white: string | null, black: string | null, match: string | null, result: string, walkover: boolean}} Pairing */

/** @param {Standing[]} players @param {string} own @param {string} format */
export function standings(players, own, format) {
	return h('table', { id: 'standings' }, h('caption', say('Standings')),
		h('thead', h('tr', ['#', say('Player'), say('Points'), say('Matches'), format === 'swiss' ? say('Buchholz') : 'S.-B.', say('Perf.')].map(title => h('th', { scope: 'col' }, title)))),
		h('tbody', players.map(row => h('tr', { 'data-player': row.name, 'class': row.name === own ? 'own' : null }, h('td', row.rank),
			h('td', h('a', { href: linkTo('p', row.name) }, shownName(row.name)), row.left ? h('span.note', ` ${say('has left')}`) : !row.online && h('span.note', ` ${say('away')}`)),
			h('td', h('strong', row.score)), h('td', row.matches), h('td', format === 'swiss' ? row.buchholz : row.sonneborn_berger), h('td', row.performance === null ? '–' : `${row.performance} ± ${row.performance_error}`)))));
}

/** How many rounds a tournament has. @param {Message} told @returns {number} 0: that is not known */
export function roundsOf({ format, rounds_planned: planned, total_players: count, cycles }) {
	return format === 'round-robin' ? (count - 1 + count % 2) * cycles : planned;
}

/** @param {Message} told of a tournament in rounds */
export function roundWords(told) {
	const { round } = told;
	const planned = roundsOf(told);

	return planned ? say('round {number} of {count}', { number: round, count: planned }) : say('round {number}', { number: round });
}

/** @param {Pairing} pairing */
function pairingRow({ white, black, match, result, walkover }) {
	const score = black === null ? say('bye') : `${result === '*' ? say('plays') : result === '1/2-1/2' ? '½ – ½' : result.replace('-', ' – ')}${walkover ? ` (${say('walkover')})` : ''}`;

	return h('tr', { 'data-match': match }, h('td', shownName(white)), h('td', match ? h('a', { href: linkTo('m', match) }, score) : score), h('td', black === null ? '' : shownName(black)));
}

/** @param {{round: number, pairings: Pairing[]}[]} rounds the latest comes first */
function pairings(rounds) {
	return h('div', { id: 'pairings' }, [...rounds].reverse().map(({ round, pairings: list }, i) => {
		const table = h('table.pairs', h('thead.unseen', h('tr', [say('White'), say('Result'), say('Black')].map(title => h('th', { scope: 'col' }, title)))), h('tbody', list.map(pairingRow)));
		return h('details', { open: i === 0, 'data-round': round }, h('summary', say('Round {number}', { number: round })), table);
	}));
}

/** @param {string[][] | null} rows in the order of the standings @param {Standing[]} players */
function crossTable(rows, players) {
	return rows && rows.some(cells => cells.length > 0) && h('div.wide', { tabindex: 0, 'aria-label': say('Cross table'), role: 'region' }, h('table', { id: 'crosstable' }, h('caption', say('Who met whom: number of the opponent, colour, 1 won, = drawn, 0 lost')),
		h('tbody', rows.map((cells, i) => players[i] && h('tr', h('th', { scope: 'row' }, `${players[i].number}. `, shownName(players[i].name)), cells.map(cell => h('td', cell)))))));
}

/** Keeps up with a tournament, for a page that shows it. */
export class Following {
	/** @param {App} app @param {string} id */
	constructor(app, id) {
		this.app = app;
		this.id = id;
		this.timer = 0;
		this.closed = false;
		this.problem = h('p.problem', { id: 'problem', role: 'alert' });
		this.title = h('h1'); /* stays: the keyboard may be there */
		this.clock = h('span', { role: 'timer' });
		/** @type {(() => void)[]} */
		this.stops = [];
		/** @type {Message | null} */
		this.told = null;
	}

	/** Begins to follow it, once the page is built. */
	begin() {
		const { store } = this.app;

		this.stops.push(store.whenHere(() => this.follow()), store.on('tournament', event => event.tournament === this.id && this.soon(SOON_MS)));
	}

	/** Shows what is told. @param {Message} told */
	async show(told) {
		this.title.textContent = told.name;
	}

	/** @param {string} line */
	async ask(line) {
		try {
			this.problem.textContent = '';
			return await this.app.session.ask(line);
		} catch (refusal) {
			this.problem.textContent = sentence(refusal.message);
			return null;
		}
	}

	async follow() {
		if (/^[0-9A-Za-z]{1,32}$/.test(this.id)) await this.ask(`watch tournament ${this.id}`);
		await this.look();
	}

	/** @param {number} ms */
	soon(ms) {
		clearTimeout(this.timer);
		if (!this.closed) this.timer = setTimeout(() => this.look(), ms);
	}

	async look() {
		const { session, store } = this.app;

		this.soon(LOOK_MS);
		if (document.hidden || store.status !== 'here') return;
		const told = await session.ask(`tournament show ${checked.match(this.id)}`).catch(refusal => {
			this.problem.textContent = sentence(refusal.message);
			return null;
		});
		if (!told || this.closed) return;
		this.told = told;
		await this.show(told);
	}

	/** @returns {Pairing[]} those whose matches are played now */
	running() {
		return (this.told?.rounds ?? []).flatMap((/** @type {{pairings: Pairing[]}} */ round) => round.pairings).filter((/** @type {Pairing} */ pairing) => pairing.match && pairing.result === '*');
	}

	/** How long an arena still runs. @param {Message} told */
	showClock({ status, minutes, started }) {
		const left = started && minutes ? new Date(started).getTime() + minutes * 60000 - Date.now() : 0;

		this.clock.textContent = status === 'running' && left > 0 ? `, ${say('{time} left', { time: clockText(left).replace(/\.\d$/, '') })}` : '';
	}

	close() {
		this.closed = true;
		clearTimeout(this.timer);
		this.stops.forEach(stop => stop());
		this.app.session.ask(`leave tournament ${this.id}`).catch(() => null);
	}
}

class Contest extends Following {
	/** @param {App} app @param {string} id */
	constructor(app, id) {
		super(app, id);
		this.words = h('div');
		this.buttons = h('div.buttons');
		this.boards = h('div.boards', { id: 'boards' });
		this.tables = h('div.tables.contest-tables', { id: 'tables' });
		this.node = h('div.contest', { id: 'tournament', 'data-tournament': id }, h('div.contest-head', this.title, this.words), this.buttons, this.problem, this.boards, this.tables);
		this.shown = '';
		this.stops.push(app.store.on('state', () => this.showBoards()));
		this.begin();
	}

	/** @returns {string[]} the matches of the boards that are shown */
	onBoards() {
		return this.running().slice(-BOARDS).map(pairing => String(pairing.match));
	}

	/** @param {Message} told */
	async show(told) {
		await super.show(told);
		this.showTables(told);
		for (const match of this.onBoards()) await this.app.session.ask(`state ${match}`).catch(() => null);
	}

	/** @param {Message} told */
	showTables(told) {
		const text = JSON.stringify(told);

		this.showClock(told);
		if (text === this.shown) return;
		this.shown = text;
		fill(this.words, h('p', `${gameLabel(told.game, told.variant)}, ${formatWords(told.format)}, ${termsText(told.clock, told.rated)}${openingsText(told.openings)}. ${say('Directed by {name}.', { name: nameOf(told.director) })}`),
			told.series && h('p', sayIn('It counts in the series {name}.', { name: h('a', { href: linkTo('series', told.series) }, told.series) })),
			h('p', h('strong', STATUSES[told.status]), told.round > 0 && told.format !== 'arena' && `, ${roundWords(told)}`, `, ${sayPlural('{count} player', '{count} players', told.entrants)}`, this.clock));
		fill(this.buttons, this.deeds(told));
		fill(this.tables, standings(told.players, this.app.store.name, told.format), pairings(told.rounds));
		const cross = crossTable(told.crosstable, told.players);
		if (cross) this.tables.append(cross);
		this.showBoards();
	}

	/** @param {Message} told */
	deeds({ status, format, players, director }) {
		const { name } = this.app.store;
		const own = players.some((/** @type {Standing} */ row) => row.name === name && !row.left);
		const late = status === 'running' && /swiss|arena/.test(format);
		const lives = /open|running|paused/.test(status);
		/** @type {[string, string] | undefined} */
		const next = { open: /** @type {[string, string]} */ (['start', say('Start')]), running: /** @type {[string, string]} */ (['pause', say('Pause')]), paused: /** @type {[string, string]} */ (['resume', say('Go on')]) }[/** @type {string} */ (status)];
		const button = (/** @type {string} */ verb, /** @type {string} */ label, style = '') => h(`button${style}`, { 'data-action': verb, onclick: () => this.command(verb) }, label);

		return [(status === 'open' || late) && !own && button('join', say('Join'), '.primary'), own && lives && button('leave', say('Leave')),
			director === name && next && [button(...next, '.primary'), this.abort()],
			h('a.button.quiet', { 'data-action': 'screen', href: linkTo('t', this.id, 'screen') }, say('On a projector')),
			h('button.quiet', { 'data-action': 'projector', onclick: () => this.node.requestFullscreen().catch(() => null) }, say('Fill the screen'))];
	}

	/** Asks once more. */
	abort() {
		const button = h('button', { 'data-action': 'abort', onclick: () => {
			if (!button.classList.toggle('sure')) void this.command('abort');
			else button.textContent = say('Really break it off?');
		} }, say('Break off'));

		return button;
	}

	/** @param {string} verb */
	async command(verb) {
		try {
			if (verb === 'join') await this.app.session.ensureName();
		} catch (refusal) {
			this.problem.textContent = sentence(refusal.message);
			return;
		}
		if (await this.ask(`tournament ${verb} ${checked.match(this.id)}`)) await this.look();
	}

	showBoards() {
		fill(this.boards, this.onBoards().map(match => {
			const state = this.app.store.matches.get(match);
			const game = state && findGame(state.game);
			return game && h('a.board-card', { href: linkTo('m', match), 'data-match': match }, picture(game, state.position, state.variant), h('span', shownName(state.players.white?.name), ' – ', shownName(state.players.black?.name)));
		}));
	}
}

/** @param {App} app @param {string} [id] */
export function page(app, id = '') {
	const contest = new Contest(app, id);

	return { node: contest.node, title: say('Tournament'), close: () => contest.close() };
}
