// Puts the page together: the connection, the header, and the page that the address names.
import { byId, fill } from './dom.js';
import { definePieces } from './pieces.js';
import { homePage } from './pages/home.js';
import { historyPage } from './pages/history.js';
import { matchPage } from './pages/match.js';
import { playersPage } from './pages/players.js';
import { rulesPage } from './pages/rules.js';
import { setupPage } from './pages/setup.js';
import { youPage } from './pages/you.js';
import { notices } from './notices.js';
import { go, linkTo, startRouter } from './router.js';
import { Session } from './session.js';
import { Sound } from './sound.js';
import { Store } from './store.js';

/** @type {{[name: string]: (app: App, ...args: string[]) => Page}} */
const pages = {
	'': homePage, new: setupPage, m: matchPage, rules: rulesPage, players: playersPage, history: historyPage, you: youPage,
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
function show(path) {
	const [name = '', ...args] = path;
	const make = pages[name];

	if (!make) {
		go();
		return;
	}
	current?.close?.();
	current = make(app, ...args);
	fill(byId('main'), current.node);
	byId('main').dataset.page = name || 'home';
	for (const link of document.querySelectorAll('header nav a'))
		link.toggleAttribute('aria-current', link.getAttribute('href') === linkTo(...path.slice(0, 1)));
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
session.start();
