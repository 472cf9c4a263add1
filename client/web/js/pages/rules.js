// The rules of each game, with boards to try them on.
import { h } from '../dom.js';
import { findGame, gameTabs, games } from '../games/index.js';
import { linkTo } from '../router.js';
import { practices } from '../practice.js';

/** @param {App} app @param {string} [name] */
export function page(app, name = '') {
	const game = findGame(name) ?? games[0];
	const boards = practices(app, game);

	return {
		node: h('div.rules', gameTabs('rules', game), h('article', h('h1', game.title), game.rules.map(text => h('p', text)),
			h('p', h('a.button.primary', { href: linkTo('new', game.name) }, `Play ${game.title}`), ' ', h('a.button', { href: linkTo('learn', game.name) }, 'Learn it by moves'))),
		h('div.examples', boards.nodes)),
		title: `Rules of ${game.title}`,
		close: boards.close,
	};
}
