// What others seek, offer and play, kept up to date for as long as it is shown.
import { fill, h, keepItems } from './dom.js';
import { say, sayIn, sayPlural } from './language.js';
import { findGame, gameLabel } from './games/index.js';
import { linkTo } from './router.js';
import { picture } from './scene.js';
import { clockWord } from './seek.js';
import { sentence, shownName, termsText } from './words.js';

const LOOK_MS = 4000; /* no event tells of seeks, of those who are away, or how many watch */
const BOARDS = 8; /* matches that are shown with their boards */

/** @param {Row} row whether it waits for somebody who was challenged, and so has no seat for others */
function isChallenge({ status, white, black }) {
	return status === 'open' && white !== null && black !== null;
}

/** @param {string} title @param {string} name of the list */
function section(title, name) {
	const list = h('ul.rows', { 'data-list': name });

	return { list, node: h('section', h('h2', title), list) };
}

/** @param {HTMLElement} node @param {Row} row an open seat */
function showOpen(node, row) {
	const host = row.white ?? row.black;

	fill(node, h('span.what', h('strong', gameLabel(row.game, row.variant)),
		h('span', host ? sayIn('{name} waits', { name: shownName(host) }) : say('Both seats are free'), `, ${termsText(row.clock, row.rated)}`, row.code && `, ${say('asks for a word')}`)),
	h('span.when', say('Join')));
}

export class Lobby {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		this.node = h('section.lobby', { id: 'lobby' });
		this.seeks = section(say('Looking for an opponent'), 'seeks');
		this.open = section(say('Waiting for an opponent'), 'open');
		this.played = section(say('Being played'), 'played');
		this.problem = h('p.problem', { role: 'alert' });
		this.timer = 0;
		this.closed = false;
		this.stops = [app.store.on('state', state => state.you === null ? this.showPlayed() : this.show()), app.store.on('lobby', () => this.show()),
			app.store.on('seek', () => this.look()), app.store.whenHere(() => this.follow())];
		fill(this.node, this.problem, this.seeks.node, this.open.node, this.played.node);
		this.show();
	}

	async follow() {
		await this.app.session.ask('watch lobby').catch(() => null);
		await this.look();
	}

	/** Asks for what no event tells, and again later. */
	async look() {
		const { session, store } = this.app;

		clearTimeout(this.timer);
		if (this.closed) return;
		this.timer = setTimeout(() => this.look(), LOOK_MS);
		if (document.hidden || store.status !== 'here') return;
		const [list, seeks] = await Promise.all([session.ask('list'), session.ask('seeks')]).catch(() => []);
		if (list && seeks && !this.closed) store.setLobby(list.matches, seeks.seeks);
	}

	/** The rows that this player can do something with. */
	rows() {
		const { store } = this.app;
		const own = new Set(store.mine().map(state => state.match));

		return store.lobby.filter(row => !own.has(row.match) && !row.away && !isChallenge(row));
	}

	show() {
		const { store } = this.app;
		const rows = this.rows();
		const seeks = store.seeks.filter(seek => seek.name !== store.name && seek.bots !== 'only');
		const open = rows.filter(row => row.status === 'open');

		this.seeks.node.hidden = seeks.length === 0;
		this.open.node.hidden = open.length === 0;
		keepItems(this.seeks.list, seeks, seek => seek.seek, () => h('li'), (node, seek) => this.showSeek(node, seek));
		keepItems(this.open.list, open, row => row.match, row => this.link(row), (node, row) => showOpen(/** @type {HTMLElement} */ (node.firstElementChild), row));
		this.showPlayed();
	}

	/** Shows what is played, by the latest states. */
	showPlayed() {
		const { store } = this.app;
		const played = this.rows().filter(row => row.status === 'playing').slice(0, BOARDS);

		this.played.node.hidden = played.length === 0;
		keepItems(this.played.list, played.map(row => ({ ...row, position: store.matches.get(row.match)?.position })), row => row.match, row => this.link(row),
			(node, row) => this.showMatch(/** @type {HTMLElement} */ (node.firstElementChild), row));
		for (const row of played) {
			const known = store.matches.get(row.match);
			if (!known || known.ply < row.ply) void this.app.session.ask(`state ${row.match}`).catch(() => null);
		}
	}

	/** @param {Row} row */
	link(row) {
		return h('li', h('a.row', { href: linkTo('m', row.match), 'data-match': row.match }));
	}

	/** @param {HTMLElement} node @param {SeekRow} seek */
	showSeek(node, seek) {
		const { game, variant, rated, name, rating, color } = seek;
		const wish = { game, variant, rated, clock: clockWord(seek.clock), color: '' };
		const take = () => this.app.seek.start(wish).catch(refusal => { this.problem.textContent = sentence(refusal.message); });

		fill(node, h('button.row', { 'data-seek': seek.seek, onclick: take }, h('span.what', h('strong', gameLabel(game, variant)),
			h('span', shownName(name), `${rating === null ? '' : ` (${rating})`}, ${termsText(seek.clock, rated)}`, color && `, ${color === 'white' ? say('wants white') : say('wants black')}`)), h('span.when', say('Play'))));
	}

	/** @param {HTMLElement} node @param {Row & {position?: string}} row */
	showMatch(node, row) {
		const game = findGame(row.game);

		fill(node, game && row.position && picture(game, row.position, row.variant),
			h('span.what', h('strong', shownName(row.white), ' – ', shownName(row.black)),
				h('span', `${gameLabel(row.game, row.variant)}, ${say('move {number}', { number: row.ply })}`, row.watchers > 0 && `, ${sayPlural('{count} person watches', '{count} people watch', row.watchers)}`)),
			h('span.when', say('Watch')));
	}

	close() {
		this.closed = true;
		clearTimeout(this.timer);
		this.stops.forEach(stop => stop());
		this.app.session.ask('leave lobby').catch(() => null);
	}
}
