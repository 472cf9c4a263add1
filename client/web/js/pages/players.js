// Who is here, and the best players of each game.
import { fill, h } from '../dom.js';
import { say, sayPlural } from '../language.js';
import { gameLabel, games } from '../games/index.js';
import { linkTo } from '../router.js';
import { shownName } from '../words.js';

/** @param {App} app @param {any} player */
function playerRow(app, player) {
	const self = player.name === app.store.name;
	const rating = player.rating === null ? '' : say('{rating} in {game}', { rating: player.rating, game: gameLabel(player.rating_game) });

	return h('li', h('div.row', { 'data-player': player.name },
		h('span.what', h('a', { href: linkTo('p', player.name) }, shownName(player.name)), h('span', [rating, player.playing > 0 && sayPlural('plays {count}', 'plays {count}', player.playing)].filter(word => word).join(', '))),
		!self && !player.name.startsWith('guest-') && h('a.button', { href: linkTo('new', games[0].name, player.name) }, say('Challenge')), self && h('span.note', say('you'))));
}

/** @param {any[]} ranks of one variant */
function table(ranks) {
	return h('table', h('caption', gameLabel(ranks[0].game, ranks[0].variant)),
		h('thead', h('tr', ['#', say('Player'), say('Rating'), say('Matches')].map(title => h('th', { scope: 'col' }, title)))),
		h('tbody', ranks.map(rank => h('tr', h('td', rank.rank), h('td', h('a', { href: linkTo('p', rank.name) }, shownName(rank.name))),
			h('td', rank.rating, h('span.note', ` ± ${rank.deviation * 2}`)), h('td', rank.matches)))));
}

/** @param {App} app */
export function page(app) {
	const here = h('section', { id: 'here' });
	const top = h('section.top', { id: 'top' });
	const look = async () => {
		const [who, best] = await Promise.all([app.session.ask('who'), app.session.ask('top')]);
		const order = (/** @type {any} */ a, /** @type {any} */ b) => Number(a.bot) - Number(b.bot) || a.name.localeCompare(b.name);
		fill(here, h('h2', say('Here now: {count}', { count: who.total })), h('ul.rows', who.players.sort(order).map((/** @type {any} */ player) => playerRow(app, player))));
		if (who.players.every((/** @type {any} */ player) => player.bot || player.name === app.store.name))
			here.append(h('div.empty', h('p', say('You are the only person here. Look for an opponent: whoever comes sees that you wait; meanwhile play a bot.')), h('a.button.primary', { href: linkTo('new', games[0].name) }, say('Play'))));
		const ranks = /** @type {any[]} */ (best.players);
		const keys = games.flatMap(game => [...new Set(ranks.filter(rank => rank.game === game.name).map(rank => `${rank.game}:${rank.variant}`))]);
		fill(top, h('h2', say('Best players')), ranks.length === 0 ? h('p', say('Nobody has a rating yet. Ratings come with the first match against another player or a bot.'))
			: h('div.tables', keys.map(key => table(ranks.filter(rank => `${rank.game}:${rank.variant}` === key)))));
	};

	return { node: h('div.players', h('h1', say('Players')), here, top), title: say('Players'), close: app.store.whenHere(look) };
}
