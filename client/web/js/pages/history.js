// The finished matches of a player.
import { fill, h } from '../dom.js';
import { isEnglish, language, say, sayAs, sayIn, sayPlural } from '../language.js';
import { gameLabel } from '../games/index.js';
import { checked } from '../line.js';
import { linkTo } from '../router.js';
import { resultWords, shownName } from '../words.js';

/** @typedef {MatchRecord & {plies: number}} HistoryRow */

/** @param {HistoryRow} row @param {string} name whose history it is */
export function matchRow(row, name) {
	const color = row.white === name ? 'white' : 'black';
	const won = row.result === (color === 'white' ? '1-0' : '0-1');
	const word = row.result === '1/2-1/2' ? sayAs('a match', 'Draw') : row.result === '*' ? say('Broken off') : row.white === row.black ? resultWords(row.result, row.reason).headline : won ? sayAs('a match', 'Won') : sayAs('a match', 'Lost');

	return h('li', h('a.row', { href: linkTo('m', row.match), 'data-match': row.match },
		h(`span.disc.${color}`, { role: 'img', 'aria-label': color === 'white' ? say('white') : say('black') }),
		h('span.what', h('strong', `${gameLabel(row.game, row.variant)}`), h('span', row.white === row.black ? say('at one screen') : sayIn('against {name}', { name: shownName(color === 'white' ? row.black : row.white) }))),
		h('span.when', h('strong', word), h('span', `${sayPlural('{count} ply', '{count} plies', row.plies)}, ${new Date(row.date).toLocaleDateString(isEnglish() ? [] : language)}`))));
}

/** @param {App} app @param {string} [name] */
export function page(app, name = '') {
	const list = h('div', { id: 'history' });
	const look = async () => {
		try {
			const reply = await app.session.ask(name ? `history ${checked.player(name)}` : 'history');
			fill(list, reply.matches.length === 0 ? h('div.empty', h('p', say('No finished matches yet. What you play with a move on each side is listed here, and can be looked at again.')), h('a.button.primary', { href: linkTo() }, say('Play')))
				: h('ul.rows', reply.matches.map((/** @type {HistoryRow} */ row) => matchRow(row, reply.name))));
		} catch (refusal) {
			fill(list, h('p.problem', refusal.message));
		}
	};

	return { node: h('div.past', h('h1', name ? sayIn('Matches of {name}', { name: shownName(name) }) : say('Your matches')), list), title: say('Matches'), close: app.store.whenHere(look) };
}
