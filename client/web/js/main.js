// Puts the page together: the connection, the header, and the page that the address names.
import { byId, fill } from './dom.js';
import { definePieces } from './pieces.js';
import { notices } from './notices.js';
import { go, linkTo, startRouter } from './router.js';
import { Session } from './session.js';
import { Sound } from './sound.js';
import { Store } from './store.js';

/** @type {{[name: string]: () => Promise<{page: PageMaker}>}} */
const pages = {
	home: () => import('./pages/home.js'), m: () => import('./pages/match.js'), new: () => import('./pages/setup.js'), rules: () => import('./pages/rules.js'), players: () => import('./pages/players.js'),
	history: () => import('./pages/history.js'), you: () => import('./pages/you.js'),
};

const store = new Store();
const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
const session = new Session(store, `${scheme}://${location.host}/ws`);
let title = '';

/** @type {App} */
const app = {
	store,
	session,
	sound: new Sound(),
	announce(text) {
		byId('announcer').textContent = text;
	},
	setTitle(text) {
		title = text;
		showTurn();
	},
};

/** @type {Page | null} */
let current = null;

/** @param {string[]} path */
async function show([name = 'home', ...args]) {
	const route = location.hash;
	const page = (await pages[name]?.())?.page;

	if (location.hash !== route) return;
	if (!page) {
		go();
		return;
	}
	current?.close?.();
	current = page(app, ...args);
	fill(byId('main'), current.node);
	byId('main').dataset.page = name;
	for (const link of document.querySelectorAll('header nav a'))
		link.toggleAttribute('aria-current', link.getAttribute('href') === linkTo(...(name === 'home' ? [] : [name])));
	app.setTitle(current.title);
	scrollTo(0, 0);
}

/** Says in the title and the icon whether a match waits for this player. */
function showTurn() {
	const waits = store.mine().some(state => Store.isMine(state) && state.you !== 'both');

	document.title = `${waits ? '● Your move · ' : ''}${title ? `${title} · ` : ''}Ludus`;
	byId('icon').setAttribute('href', waits ? 'icon-turn.svg' : 'icon.svg');
}

function showName() {
	fill(byId('you'), store.name || '…');
	byId('you').setAttribute('aria-label', `You are ${store.name}`);
}

function showSound() {
	byId('sound').setAttribute('aria-pressed', String(app.sound.on));
	byId('sound').setAttribute('aria-label', app.sound.on ? 'Sound is on' : 'Sound is off');
}

byId('sound').addEventListener('click', () => {
	app.sound.turn(!app.sound.on);
	showSound();
});
definePieces();
showSound();
store.on('name', showName);
store.on('state', showTurn);
notices(app);
startRouter(show, code => session.useCode(code));
session.connection.open();
