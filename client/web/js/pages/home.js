// The start page: the games, this player's matches, and what others offer or play.
import { fill, h } from '../dom.js';
import { say, sayPlural } from '../language.js';
import { findGame, gameLabel, games } from '../games/index.js';
import { Lobby } from '../lobby.js';
import { dailyPuzzle } from '../puzzles.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';
import { Store } from '../store.js';
import { Television } from '../tv.js';
import { opponentOf, shownName, turnWords } from '../words.js';

/** @param {number} count */
function headline(count) {
	if (count === 4) return say('Four small games with deep ends.');
	return sayPlural('{count} small game with deep ends.', '{count} small games with deep ends.', count);
}

/** @param {Game} game */
function card(game) {
	return h('a.card', { href: linkTo('new', game.name), 'data-game': game.name }, game.sample && picture(game, game.sample, ''), h('h2', game.title), h('p', game.summary));
}

/** @param {State} state */
function ownMatch(state) {
	const game = findGame(state.game);

	return h('li', h('a.row', { href: linkTo('m', state.match), 'data-match': state.match, 'data-mine': String(Store.isMine(state)) },
		game && picture(game, state.position, state.variant),
		h('span.what', h('strong', gameLabel(state.game, state.variant)), h('span', state.you === 'both' ? say('Two at this screen') : shownName(opponentOf(state)?.name))),
		h('span.when', turnWords(state))));
}

/** @param {App} app */
export function page(app) {
	const mine = h('section.mine', { id: 'mine' });
	const tv = new Television(app); /* before the lobby asks */
	const lobby = new Lobby(app);
	const daily = dailyPuzzle(app);
	const showMine = () => {
		const states = app.store.mine();
		fill(mine, states.length > 0 && [h('h2', say('Your matches')), h('ul.rows', states.map(ownMatch))]);
	};
	const stop = app.store.on('state', state => (state.you !== null || mine.querySelector(`[data-match="${state.match}"]`)) && showMine());
	const node = h('div.home', h('section.hero', h('h1', headline(games.length)), h('p', say('Pick one. Play a bot, a friend, or somebody next to you.'))),
		mine, h('section.cards', { 'aria-label': say('Games') }, games.map(card)), daily.node, lobby.node, tv.node,
		h('p.buttons', h('a.button', { href: linkTo('tournaments') }, say('Tournaments')), h('a.button', { href: linkTo('players') }, say('Players'))));

	showMine();
	return {
		node, title: '', close: () => {
			stop();
			daily.close();
			lobby.close();
			tv.close();
		},
	};
}
