// The games that the page can draw.
import { h } from '../dom.js';
import { linkTo } from '../router.js';
import { capital } from '../words.js';
import { clobber } from './clobber.js';
import { latrunculi } from './latrunculi.js';
import { shakti } from './shakti.js';
import { xadrersi } from './xadrersi.js';

export const games = [clobber, xadrersi, latrunculi, shakti];

/** @param {string} name */
export function findGame(name) {
	return games.find(game => game.name === name);
}

/** @param {string} name with its variant, as `clobber:5x6`, if it is not given @param {string} [variant] */
export function gameLabel(name, variant = name.split(':')[1]) {
	const game = findGame(name.split(':')[0]);

	return `${game?.title ?? name}${variant === 'standard' ? '' : ` ${variantTitle(variant)}`}`;
}

/** @param {string} variant */
export function variantTitle(variant) {
	return capital(variant.replace('x', '\u00a0×\u00a0'));
}

/** The way to each game on a page. @param {string} route @param {Game} current @param {string[]} more of the route */
export function gameTabs(route, current, ...more) {
	return h('nav.tabs', { 'aria-label': 'Games' }, games.map(game =>
		h('a', { href: linkTo(route, game.name, ...more), 'aria-current': game === current ? 'page' : null }, game.title)));
}
