// The games that the page can draw.
import { clobber } from './clobber.js';
import { latrunculi } from './latrunculi.js';
import { shakti } from './shakti.js';
import { xadrersi } from './xadrersi.js';

/** @typedef {import('../types').Game} Game */

export const games = [clobber, xadrersi, latrunculi, shakti];

/** @param {string} name @returns {Game | undefined} */
export function findGame(name) {
    return games.find(game => game.name === name);
}

/** @param {string} name @param {string} variant @returns {string} such as "Clobber 5 × 6" */
export function gameLabel(name, variant) {
    const game = findGame(name);
    const title = game?.variants.find(each => each.name === variant)?.title ?? variant.replace('x', '\u00a0×\u00a0');

    return [game?.title ?? name, ...(variant === 'standard' ? [] : [title])].join(' ');
}
