// The standings over all tournaments of a series.
import { fill, h } from '../dom.js';
import { say, sayPlural } from '../language.js';
import { gameLabel } from '../games/index.js';
import { checked } from '../line.js';
import { linkTo } from '../router.js';
import { nameOf, sentence, shownName } from '../words.js';

/** @typedef {{rank: number, name: string, tournaments: number, score: number, matches: number, performance: number | null, performance_error: number | null}} SeriesRow */

/** @param {SeriesRow[]} players @param {string} own */
function standings(players, own) {
	return h('table', { id: 'standings' }, h('caption', say('Standings')),
		h('thead', h('tr', ['#', say('Player'), say('Points'), say('Tournaments'), say('Matches'), say('Perf.')].map(title => h('th', { scope: 'col' }, title)))),
		h('tbody', players.map(row => h('tr', { 'data-player': row.name, 'class': row.name === own ? 'own' : null }, h('td', row.rank),
			h('td', h('a', { href: linkTo('p', row.name) }, shownName(row.name))),
			h('td', h('strong', row.score)), h('td', row.tournaments), h('td', row.matches), h('td', row.performance === null ? '–' : `${row.performance} ± ${row.performance_error}`)))));
}

/** @param {App} app @param {string} [name] */
export function page(app, name = '') {
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const words = h('div');
	const tables = h('div.tables.contest-tables');
	const look = async () => {
		try {
			const told = await app.session.ask(`tournament series ${checked.tournament(name)}`);
			problem.textContent = '';
			fill(words, h('p', `${gameLabel(told.game, told.variant)}. ${say('Directed by {name}.', { name: nameOf(told.director) })}`),
				h('p', `${sayPlural('{count} tournament is over', '{count} tournaments are over', told.tournaments)}, ${sayPlural('{count} player', '{count} players', told.total_players)}.`));
			fill(tables, standings(told.players, app.store.name));
		} catch (refusal) {
			problem.textContent = sentence(refusal.message);
		}
	};

	return {
		node: h('div.contest', { id: 'series', 'data-series': name }, h('div.contest-head', h('h1', say('Series {name}', { name })), words), problem, tables),
		title: say('Series'), close: app.store.whenHere(look),
	};
}
