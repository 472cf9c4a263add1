// Puts the page together: the connection, the header, and the page that the address names.
import { alerts } from './alerts.js';
import { byId, fill, h } from './dom.js';
import { gamesKnown, learnGames } from './games/index.js';
import './keys.js';
import { notices } from './notices.js';
import { linkTo, parseRoute, startRouter } from './router.js';
import { recall } from './kept.js';
import { languageKnown, say } from './language.js';
import { Seek } from './seek.js';
import { Session } from './session.js';
import { onSettings } from './settings.js';
import { Sound } from './sound.js';
import { Store } from './store.js';
import { nameOf, shownName } from './words.js';

/** @type {Map<string, () => Promise<{page: PageMaker}>>} */
const pages = new Map(Object.entries({
	home: () => import('./pages/home.js'), m: () => import('./pages/match.js'), new: () => import('./pages/setup.js'), from: () => import('./pages/setup.js').then(({ pageFrom }) => ({ page: pageFrom })), storm: () => import('./pages/storm.js'), rules: () => import('./pages/rules.js'), learn: () => import('./pages/learn.js'), puzzle: () => import('./pages/puzzle.js'), analysis: () => import('./pages/analysis.js'), players: () => import('./pages/players.js'),
	history: () => import('./pages/history.js'), p: () => import('./pages/profile.js'), you: () => import('./pages/you.js'), settings: () => import('./pages/settings.js'), tournaments: () => import('./pages/tournaments.js'), t: () => import('./pages/tournament.js'), 't/screen': () => import('./pages/screen.js'), series: () => import('./pages/series.js'), device: () => import('./pages/device.js'),
}));

const SAID_MS = 10000; /* what is heard is forgotten */
const store = new Store();
const session = new Session(store, new URL('ws', document.baseURI).href.replace(/^http/, 'ws')); /* beside the page, wherever a proxy has that */
const known = recall('ludus.games');
let title = '';

const app = /** @type {App} */ ({
	store,
	session,
	sound: new Sound(),
	announce(text, about = 'match') {
		const said = h('div', { 'data-about': about }, text);

		byId('announcer').append(said); /* what is said soon after is said, too */
		setTimeout(() => said.remove(), SAID_MS);
	},
	setTitle(text) {
		title = text;
		showTurn();
	},
});
app.seek = new Seek(app);

/** @type {Page | null} */
let current = null;
/** @type {string | null} */
let shown = null; /* its route */

/** Stands for a page that could not be fetched: the server is away, or is another version by now. @type {PageMaker} */
function notLoaded() {
	const stop = store.on('status', () => store.status === 'here' && location.reload()); /* it has come again */

	return {
		node: h('div.empty', { id: 'not-loaded', role: 'alert' }, h('h1', say('This page did not load')),
			h('p', say('There is no connection to the server, or the server has been renewed.')),
			h('button.primary', { onclick: () => location.reload() }, say('Load again'))),
		title: say('Not loaded'), close: stop,
	};
}

/** @param {string[]} path */
async function show([name = 'home', ...args]) {
	const route = location.hash;
	const part = `${name}/${args[1]}`; /* of what has pages of its own: `t/screen` */
	const place = pages.has(part) ? part : name;
	const load = pages.get(place);

	if (!load) {
		location.replace(linkTo());
		return;
	}
	const [page] = await Promise.all([load().then(module => module.page, () => notLoaded), gamesKnown]);
	if (location.hash !== route) return;
	current?.close?.();
	current = page(app, ...args);
	fill(byId('main'), current.node);
	byId('main').dataset.page = place;
	for (const link of document.querySelectorAll('header a:not(.mark)')) {
		link.removeAttribute('aria-current');
		if (link.getAttribute('href') === linkTo(...(name === 'home' ? [] : [name]))) link.setAttribute('aria-current', 'page');
	}
	app.setTitle(current.title);
	scrollTo(0, 0);
	if (shown !== null && shown !== route) byId('main').focus({ preventScroll: true });
	shown = route;
}

/** Takes the keyboard from the page to its heading, which may come later. */
function focusHeading() {
	const heading = document.activeElement === byId('main') && byId('main').querySelector('h1');

	if (!heading) return;
	heading.tabIndex = -1;
	heading.focus({ preventScroll: true });
}

/** Says in the title and the icon whether a match waits for this player. */
function showTurn() {
	const waits = store.mine().some(state => Store.isMine(state) && state.you !== 'both');

	document.title = `${waits ? `● ${say('Your move')} · ` : ''}${title ? `${title} · ` : ''}Ludus`;
	byId('icon').setAttribute('href', new URL(waits ? '../icon-turn.svg' : '../icon.svg', import.meta.url).href);
}

function showName() {
	fill(byId('you'), store.name ? shownName(store.name) : '…');
	byId('you').setAttribute('aria-label', say('You are {name}', { name: nameOf(store.name) }));
}

function showSound() {
	byId('sound').setAttribute('aria-pressed', String(app.sound.on));
	byId('sound').setAttribute('aria-label', app.sound.on ? say('Sound is on') : say('Sound is off'));
}

function begin() {
	byId('sound').addEventListener('click', () => app.sound.turn(!app.sound.on));
	new MutationObserver(focusHeading).observe(byId('main'), { childList: true, subtree: true });
	onSettings(showSound);
	showSound();
	store.on('name', showName);
	store.on('state', showTurn);
	notices(app);
	alerts(app);
	store.on('games', () => void show(parseRoute(location.hash).path));
	if (Array.isArray(known)) void learnGames(known); /* as the server told them the last time */
	startRouter(show, code => {
		try {
			session.linkCode(code);
		} catch { /* it is none: the server asks for one if it needs one */ }
	});
	session.connection.open();
}

void languageKnown.then(begin);
