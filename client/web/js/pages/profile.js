// A player: how they have played in each game, how their ratings went, and their latest matches.
import { fill, h, s } from '../dom.js';
import { gameLabel, games } from '../games/index.js';
import { ignoredPlayers } from '../kept.js';
import { checked } from '../line.js';
import { displayOf } from '../names.js';
import { linkTo } from '../router.js';
import { nameOf, sentence, shownName } from '../words.js';
import { matchRow } from './history.js';
import { say, sayAs, sayIn, sayPlural } from '../language.js';

const PAGES = 5; /* of 200 matches */
const RECENT = 8;

/** @typedef {import('./history.js').HistoryRow} HistoryRow */
/** @typedef {{key: string, won: number, drawn: number, lost: number, ratings: number[]}} Sum of one variant, the ratings from the oldest on */

/** The matches of a player, the latest first. @param {App} app @param {string} name */
async function allMatches(app, name) {
	/** @type {HistoryRow[]} */
	const rows = [];

	for (let i = 0; i < PAGES; i++) {
		const reply = await app.session.ask(`history ${checked.player(name)} from=${rows.length}`);
		rows.push(...reply.matches);
		if (rows.length >= reply.total || reply.matches.length === 0) return { name: reply.name, rows, total: reply.total };
	}
	return { name, rows, total: rows.length };
}

/** @param {HistoryRow[]} rows @param {string} name @returns {Sum[]} those with the most matches first */
function sumUp(rows, name) {
	/** @type {Map<string, Sum>} */
	const sums = new Map();

	for (const row of [...rows].reverse()) {
		if (row.white === row.black) continue;
		const key = `${row.game}:${row.variant}`;
		const sum = sums.get(key) ?? { key, won: 0, drawn: 0, lost: 0, ratings: [] };
		const color = row.white === name ? 'white' : 'black';
		const rating = row[`${color}_rating`];
		if (row.result === '1/2-1/2') sum.drawn++;
		else if (row.result !== '*') sum[row.result === (color === 'white' ? '1-0' : '0-1') ? 'won' : 'lost']++;
		if (rating !== null) sum.ratings.push(rating);
		sums.set(key, sum);
	}
	const played = (/** @type {Sum} */ sum) => sum.won + sum.drawn + sum.lost;
	return [...sums.values()].sort((a, b) => played(b) - played(a));
}

/** The way of a rating from match to match. @param {Sum} sum */
function graph({ key, ratings }) {
	const points = [1500, ...ratings];
	const [low, high] = [Math.min(...points) - 10, Math.max(...points) + 10];
	const path = points.map((rating, i) => `${i * 100 / (points.length - 1)} ${100 - (rating - low) * 100 / (high - low)}`).join('L');

	return ratings.length > 0 && h('figure.graph', { 'data-variant': key }, h('figcaption', h('strong', gameLabel(key)), ` ${ratings.at(-1)} `, h('span.note', sayPlural('from {low} to {high} in {count} match', 'from {low} to {high} in {count} matches', ratings.length, { low: Math.min(...points), high: Math.max(...points) }))),
		s('svg.curve', { preserveAspectRatio: 'none', viewBox: '0 0 100 100' }, s('path', { d: `M0 ${100 - (1500 - low) * 100 / (high - low)}H100` }), s('path.chances', { d: `M${path}` })));
}

/** @param {Sum[]} sums */
function table(sums) {
	return h('table', { id: 'sums' }, h('caption', say('Matches')), h('thead', h('tr', [say('Game'), say('Rating'), sayAs('matches', 'Won'), sayAs('matches', 'Drawn'), sayAs('matches', 'Lost')].map(title => h('th', { scope: 'col' }, title)))),
		h('tbody', sums.map(sum => h('tr', { 'data-variant': sum.key }, h('td', gameLabel(sum.key)), h('td', sum.ratings.at(-1) ?? '–'), h('td', sum.won), h('td', sum.drawn), h('td', sum.lost)))));
}

/** What one can do with this player. @param {App} app @param {string} name */
function deeds(app, name) {
	const ignored = () => ignoredPlayers().includes(name);
	const words = () => (ignored() ? say('Hear them again') : say('Ignore'));
	const ignore = h('button.quiet', { 'data-action': 'ignore', onclick: () => {
		app.session.ignore(name, !ignored());
		ignore.textContent = words();
	} }, words());

	return h('div.buttons', !name.startsWith('guest-') && h('a.button.primary', { href: linkTo('new', games[0].name, name) }, say('Challenge')), ignore);
}

/** @param {App} app @param {string} [asked] */
export function page(app, asked = '') {
	const heading = h('h1', nameOf(asked)); /* stays: the keyboard may be there */
	const body = h('div.profile', h('p.loading', say('One moment…')));
	const look = async () => {
		try {
			const { name, rows, total } = await allMatches(app, asked || app.store.name);
			const sums = sumUp(rows, name);
			fill(heading, shownName(name));
			fill(body, displayOf(name) && h('p.note', sayIn('Name to type: {name}', { name: h('strong', name) })), name === app.store.name ? h('p.note', say('This is you.')) : deeds(app, name), sums.length > 0 && [h('div.graphs', sums.map(graph)), table(sums)],
				rows.length < total && h('p.note', say('Of the latest {count} of {total} matches.', { count: rows.length, total })),
				rows.length === 0 ? h('div.empty', h('p', sayIn('{name} has finished no match yet.', { name: shownName(name) })), h('a.button', { href: linkTo() }, say('To the start')))
					: [h('h2', say('Latest matches')), h('ul.rows', rows.slice(0, RECENT).map(row => matchRow(row, name))), h('p', h('a.button', { href: linkTo('history', name) }, sayPlural('All {count} match', 'All {count} matches', total)))]);
		} catch (refusal) {
			fill(body, h('p.problem', { id: 'problem', role: 'alert' }, sentence(refusal.message)));
		}
	};

	return { node: h('div.profile', { id: 'profile' }, heading, body), title: nameOf(asked), close: app.store.whenHere(look) };
}
