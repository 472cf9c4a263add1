// The games: what the server tells of them, and pictures of those that have a module here.
import { h } from '../dom.js';
import { say } from '../language.js';
import { definePieces } from '../pieces.js';
import { linkTo } from '../router.js';
import { capital, typeset } from '../words.js';

/** Of a game without a module. @type {Pictures} */
const PLAIN = { pieces: {}, shapes: {}, style: '', aid: null, draws: true, marks: () => new Map(), tell: () => [], examples: [] };

/** @type {Game[]} */
export const games = [];

/** @type {() => void} */
let tellKnown = () => undefined;

/** Waits for the first learnGames(). @type {Promise<void>} */
export const gamesKnown = new Promise(resolve => { tellKnown = resolve; });

const sheet = new CSSStyleSheet();

/** @param {ServerGame} server @returns {Promise<Game>} */
async function makeGame(server) {
	const { name, start, rules } = server;
	const drawn = document.querySelector(`link[href$="js/games/${name}.js"]`) !== null; /* index.html asks for all modules */
	/** @type {Pictures} */
	const pictures = drawn ? await import(`./${name}.js`).then(module => module.pictures, () => PLAIN) : PLAIN;

	return { startOf: variant => (variant === server.default ? start : ''), sample: start ?? '', ...server, ...pictures, summary: typeset(server.summary), rules: rules.map(typeset) };
}

/** Takes the games from the server's reply to `games`. @param {ServerGame[]} list */
export async function learnGames(list) {
	games.splice(0, games.length, ...await Promise.all(list.map(makeGame)));
	definePieces(games);
	sheet.replaceSync(games.map(game => game.style.replaceAll('&', `[data-game="${game.name}"]`)).join(''));
	document.adoptedStyleSheets = [sheet];
	tellKnown();
}

/** @param {string} name */
export function findGame(name) {
	return games.find(game => game.name === name);
}

/** @param {string} name with its variant, as `clobber:5x6`, if it is not given @param {string} [variant] */
export function gameLabel(name, variant = name.split(':')[1]) {
	const game = findGame(name.split(':')[0]);

	return `${game?.title ?? name}${variant === 'standard' ? '' : ` ${variantTitle(variant)}`}`;
}

/** @param {string} name */
export function gameTitle(name) {
	return findGame(name)?.title ?? capital(name);
}

/** @param {string} variant */
export function variantTitle(variant) {
	return games.map(game => game.variantNames?.[variant]).find(title => title) ?? capital(variant.replace(/^(\d+)x/, '$1\u00a0×\u00a0'));
}

/** The way to each game on a page. @param {string} route @param {Game | undefined} current @param {string[]} more of the route */
export function gameTabs(route, current, ...more) {
	return h('nav.tabs', { 'aria-label': say('Games') }, games.map(game =>
		h('a', { href: linkTo(route, game.name, ...more), 'aria-current': game === current ? 'page' : null }, game.title)));
}
