// The best match that is being played, live on the start page. While nobody plays, one that two bots have played, at a
// pace for eyes.
import { fill, h } from './dom.js';
import { findGame, gameLabel, games } from './games/index.js';
import { moveParts, rowsOf, sideOf, viewOf } from './grid.js';
import { say } from './language.js';
import { linkTo } from './router.js';
import { Scene } from './scene.js';
import { shownName } from './words.js';

const IDLE_MS = 3000; /* nobody plays for so long: a match of bots is shown */
const PACE_MS = 1500;
const END_MS = 6000; /* how long the end of a match is shown */
const UNRATED = 1000; /* as good as that is a player whom nobody knows */

/** A match of bots, as the states that it went through. @param {string} game @param {Reel} reel @returns {State[]} */
function statesOf(game, { variant, moves, positions, result, reason }) {
	const list = moves.split(' ');
	const bot = { name: 'bot:medium', bot: true, rating: null, rating_deviation: null, online: true, seated: true };

	return positions.map((position, ply) => ({
		match: '', game, variant, status: ply < list.length ? 'playing' : 'over', you: null, ply, turn: sideOf(position), position, board: rowsOf(position),
		last: list[ply - 1] ?? null, players: { white: bot, black: bot }, clock: null, offers: [], result, reason, rated: false,
	}));
}

/** @param {Store} store @returns {Row[]} what others play before people's eyes */
function running({ lobby, matches }) {
	return lobby.filter(row => row.status === 'playing' && !row.away && (matches.get(row.match)?.you ?? null) === null);
}

/** @param {Row} row */
function isOfBots({ white, black }) {
	return [white, black].every(name => name?.startsWith('bot:'));
}

/** Which game it is, and how far it has come. @param {State} state */
export function whereWords({ game: name, variant, status, result, ply }) {
	const game = gameLabel(name, variant);

	if (status !== 'over') return say('{game}, move {number}', { game, number: ply });
	if (result === '*') return say('{game}, broken off', { game });
	if (result === '1/2-1/2') return say('{game}, a draw', { game });
	return result === '1-0' ? say('{game}, white wins', { game }) : say('{game}, black wins', { game });
}

/** A board to look at: the latest position of a match. */
export class Picture {
	/** @param {boolean} small without coordinates and marks */
	constructor(small) {
		this.small = small;
		/** @type {Scene | null} */
		this.scene = null;
		this.node = h('div');
	}

	/** @param {State} state @returns {boolean} whether its game is known */
	show(state) {
		const game = findGame(state.game);
		const view = viewOf(state.position, state.variant);
		const last = moveParts(state.last ?? '');

		if (!game) return false;
		if (this.scene?.game !== game) fill(this.node, (this.scene = new Scene(game)).node);
		this.scene.node.classList.toggle('small', this.small);
		this.scene.show({ ...view, last: state.last }, false, game.marks(view, false));
		if (!this.small) this.scene.markSquares(new Map(last ? [last.from, last.to].filter(square => !square.endsWith('@')).map(square => [square, 'last']) : []));
		return true;
	}
}

export class Television {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		this.match = ''; /* that is watched */
		this.until = 0; /* when the end of the last one has been seen */
		this.closed = this.busy = this.paused = false;
		/** @type {State[]} */
		this.reel = []; /* what the bots have played */
		this.at = 0; /* in it */
		this.picture = new Picture(true);
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		this.timer = undefined;
		this.words = h('div.what');
		this.link = h('a.tv-board', {}, this.picture.node, this.words);
		this.pause = h('button.quiet', { 'data-action': 'pause', 'aria-pressed': 'false', onclick: () => this.turn() }, say('Pause'));
		this.node = h('section.tv', { id: 'tv', 'aria-label': say('Watch'), hidden: true }, this.link, this.pause);
		this.stops = [app.store.on('state', state => state.match === this.match && this.show(state, 'live')), app.store.on('lobby', () => void this.tune())];
	}

	/** Chooses what to show, when the lobby has news. */
	async tune() {
		const rows = running(this.app.store);
		const now = rows.find(row => row.match === this.match);

		if (this.busy || this.closed || performance.now() < this.until || (now && !(isOfBots(now) && rows.some(row => !isOfBots(row))))) return;
		if (rows.length > 0) await this.watch(rows);
		else if (this.timer === undefined) this.timer = setTimeout(() => void this.showBots(), IDLE_MS);
	}

	/** Watches the best of some matches: people before bots, then by their ratings. @param {Row[]} rows */
	async watch(rows) {
		const { session } = this.app;

		this.busy = true;
		this.stopBots();
		try {
			const { players } = await session.ask('who playing=yes');
			const known = new Map(players.map((/** @type {Player} */ player) => [player.name, player]));
			const worth = (/** @type {string | null} */ name) => (known.get(name)?.rating ?? UNRATED) + (known.get(name)?.bot ?? name?.startsWith('bot:') ? 0 : 10000);
			const [best] = rows.map(row => ({ row, worth: worth(row.white) + worth(row.black) })).sort((a, b) => b.worth - a.worth);
			this.leave();
			this.match = best.row.match;
			if (!this.closed) await session.ask(`watch ${this.match}`);
		} catch {
			this.match = ''; /* over by now, or too many are watched */
		}
		this.busy = false;
	}

	leave() {
		if (this.match) this.app.session.ask(`leave ${this.match}`).catch(() => null);
		this.match = '';
	}

	/** @param {State} state @param {'live' | 'bots'} kind */
	show(state, kind) {
		if (state.status === 'over' && kind === 'live') this.until = performance.now() + END_MS;
		if (this.paused || !this.picture.show(state)) return;
		this.link.setAttribute('href', kind === 'live' ? linkTo('m', state.match) : linkTo('new', state.game));
		for (const [key, value] of Object.entries({ kind, match: state.match, ply: String(state.ply) })) this.node.dataset[key] = value;
		fill(this.words, h('strong', shownName(state.players.white?.name), ' – ', shownName(state.players.black?.name)),
			h('span', whereWords(state)),
			h('span', kind === 'live' ? say('Live') : say('Two bots have played this: nobody plays just now.')));
		this.node.hidden = false;
	}

	/** Shows the match of the bots, one move after the other, again and again. */
	async showBots() {
		if (this.closed || running(this.app.store).length > 0) {
			this.timer = undefined;
			return;
		}
		if (this.reel.length === 0) await this.chooseReel();
		const state = this.reel[this.at];
		const ends = state?.status === 'over';
		if (state && !document.hidden && !this.paused) {
			this.show(state, 'bots');
			this.at = ends ? 0 : this.at + 1;
		}
		if (!this.closed && this.reel.length > 0) this.timer = setTimeout(() => void this.showBots(), ends ? END_MS : PACE_MS);
	}

	async chooseReel() {
		const reels = await import('./reels.js').then(module => module.reels, () => /** @type {{[game: string]: Reel}} */ ({}));
		const shown = games.filter(game => reels[game.name]);
		const game = shown[Math.floor(Math.random() * shown.length)];

		if (game) this.reel = statesOf(game.name, reels[game.name]);
	}

	stopBots() {
		clearTimeout(this.timer);
		this.timer = undefined;
		this.at = 0;
	}

	/** What moves by itself can be stopped. */
	turn() {
		this.paused = !this.paused;
		this.pause.setAttribute('aria-pressed', String(this.paused));
		this.pause.textContent = this.paused ? say('Go on') : say('Pause');
	}

	close() {
		this.closed = true;
		this.stopBots();
		this.stops.forEach(stop => stop());
		this.leave();
	}
}
