// The finished matches of a player.
import { fill, h } from '../dom.js';
import { gameLabel } from '../games/index.js';
import { checked } from '../line.js';
import { linkTo } from '../router.js';
import { resultWords, shownName } from '../words.js';

/** @typedef {MatchRecord & {plies: number}} HistoryRow */

/** @param {HistoryRow} row @param {string} name whose history it is */
export function matchRow(row, name) {
	const color = row.white === name ? 'white' : 'black';
	const won = row.result === (color === 'white' ? '1-0' : '0-1');
	const word = row.result === '1/2-1/2' ? 'Draw' : row.result === '*' ? 'Broken off' : row.white === row.black ? resultWords(row.result, row.reason).headline : won ? 'Won' : 'Lost';

	return h('li', h('a.row', { href: linkTo('m', row.match), 'data-match': row.match },
		h(`span.disc.${color}`, { role: 'img', 'aria-label': color }),
		h('span.what', h('strong', `${gameLabel(row.game, row.variant)}`), h('span', row.white === row.black ? 'at one screen' : ['against ', shownName(color === 'white' ? row.black : row.white)])),
		h('span.when', h('strong', word), h('span', `${row.plies} plies, ${new Date(row.date).toLocaleDateString()}`))));
}

/** @param {App} app @param {string} [name] */
export function page(app, name = '') {
	const list = h('div', { id: 'history' });
	const look = async () => {
		try {
			const reply = await app.session.ask(name ? `history ${checked.player(name)}` : 'history');
			fill(list, reply.matches.length === 0 ? h('div.empty', h('p', 'No finished matches yet. What you play with a move on each side is listed here, and can be looked at again.'), h('a.button.primary', { href: linkTo() }, 'Play'))
				: h('ul.rows', reply.matches.map((/** @type {HistoryRow} */ row) => matchRow(row, reply.name))));
		} catch (refusal) {
			fill(list, h('p.problem', refusal.message));
		}
	};

	return { node: h('div.past', h('h1', name ? ['Matches of ', shownName(name)] : 'Your matches'), list), title: 'Matches', close: app.store.whenHere(look) };
}
