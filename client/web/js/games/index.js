// The games that the page can draw.
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
	const title = game?.variants.find(each => each.name === variant)?.title ?? variant.replace('x', '\u00a0×\u00a0');

	return `${game?.title ?? name}${variant === 'standard' ? '' : ` ${title}`}`;
}
