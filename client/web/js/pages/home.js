// The start page: the games, this player's matches, and what others offer or play.
import { fill, h } from '../dom.js';
import { findGame, gameLabel, games } from '../games/index.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';
import { Store } from '../store.js';
import { controlText, nameOf, opponentOf, turnWords } from '../words.js';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** @param {Game} game */
function card(game) {
	return h('a.card', { href: linkTo('new', game.name), 'data-game': game.name }, game.sample && picture(game, game.sample, ''), h('h2', game.title), h('p', game.summary));
}

/** @param {State} state */
function ownMatch(state) {
	const game = findGame(state.game);

	return h('li', h('a.row', { href: linkTo('m', state.match), 'data-match': state.match, 'data-mine': String(Store.isMine(state)) },
		game && picture(game, state.position, state.variant),
		h('span.what', h('strong', gameLabel(state.game, state.variant)), h('span', state.you === 'both' ? 'Two at this screen' : nameOf(opponentOf(state)?.name))),
		h('span.when', turnWords(state))));
}

/** A match that waits for the answer of somebody who was challenged has no seat for others. @param {Row} row */
function isChallenge({ status, white, black }) {
	return status === 'open' && white !== null && black !== null;
}

/** @param {Row} row */
function lobbyMatch(row) {
	const open = row.status === 'open';

	return h('li', h('a.row', { href: linkTo('m', row.match), 'data-match': row.match },
		h('span.what', h('strong', gameLabel(row.game, row.variant)),
			h('span', open ? `${row.white ?? row.black ? `${nameOf(row.white ?? row.black)} waits` : 'Both seats are free'}, ${controlText(row.clock)}${row.code ? ', asks for a word' : ''}` : `${nameOf(row.white)} and ${nameOf(row.black)}, ${row.ply} plies`)),
		h('span.when', open ? 'Join' : 'Watch')));
}

/** @param {App} app */
export function page(app) {
	const mine = h('section.mine', { id: 'mine' });
	const lobby = h('section.lobby', { id: 'lobby' });
	const showMine = () => {
		const states = app.store.mine();
		fill(mine, states.length > 0 && [h('h2', 'Your matches'), h('ul.rows', states.map(ownMatch))]);
	};
	const showLobby = () => {
		const own = new Set(app.store.mine().map(state => state.match));
		const rows = app.store.lobby.filter(row => !own.has(row.match) && !isChallenge(row));
		const list = (/** @type {string} */ title, /** @type {Row[]} */ some) => some.length > 0 && [h('h2', title), h('ul.rows', some.map(lobbyMatch))];
		fill(lobby, list('Waiting for an opponent', rows.filter(row => row.status === 'open')), list('Being played', rows.filter(row => row.status === 'playing').slice(0, 12)));
	};
	const look = async () => {
		const reply = await app.session.ask('watch lobby').then(() => app.session.ask('list')).catch(() => null);
		if (reply) app.store.setLobby(reply.matches);
	};
	const stops = [app.store.on('state', () => (showMine(), showLobby())), app.store.on('lobby', showLobby), app.store.whenHere(look)];
	const node = h('div.home', h('section.hero', h('h1', `${NUMBERS[games.length] ?? games.length} small games with deep ends.`), h('p', 'Pick one. Play a bot, a friend, or somebody next to you.')),
		mine, h('section.cards', { 'aria-label': 'Games' }, games.map(card)), lobby);

	showMine();
	showLobby();
	return {
		node, title: '', close: () => {
			stops.forEach(stop => stop());
			app.session.ask('leave lobby').catch(() => null);
		},
	};
}
