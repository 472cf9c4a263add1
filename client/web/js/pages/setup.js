// A new match: against whom, which colour, which variant, which clock.
import { fill, h, line } from '../dom.js';
import { findGame, games } from '../games/index.js';
import { go, linkTo } from '../router.js';
import { picture } from '../scene.js';
import { recall, remember } from '../session.js';
import { botLevels } from '../words.js';

const KEY = 'ludus.setup';
const OPPONENTS = [
	{ name: 'bot', title: 'A bot' }, { name: 'friend', title: 'A friend, by link' }, { name: 'anyone', title: 'Anyone here' },
	{ name: 'both', title: 'Two at this screen' }, { name: 'player', title: 'A player by name' }];
const COLORS = [{ name: 'white', title: 'White' }, { name: 'random', title: 'Either' }, { name: 'black', title: 'Black' }];
const CLOCKS = [
	{ name: '', title: 'None' }, { name: '60+1', title: '1 + 1' }, { name: '180+2', title: '3 + 2' }, { name: '300+5', title: '5 + 5' },
	{ name: '600+5', title: '10 + 5' }, { name: '1800+20', title: '30 + 20' }];

/** @param {string} name @param {string} title @param {{name: string, title: string}[]} choices @param {string} value */
function choice(name, title, choices, value) {
	const chosen = choices.some(each => each.name === value) ? value : choices[0].name;

	return h('fieldset', { 'data-field': name }, h('legend', title), h('div.choices', choices.map(each =>
		h('label', h('input', { type: 'radio', name, value: each.name, checked: each.name === chosen }), h('span', each.title)))));
}

/** What was chosen last, but for somebody who is challenged. @param {string} player */
function keptWish(player) {
	const bot = /^bot:(\w+)$/.exec(player)?.[1];

	return { opponent: 'bot', level: 'easy', color: 'white', clock: '', ...recall(KEY), ...(bot ? { opponent: 'bot', level: bot } : player ? { opponent: 'player' } : {}) };
}

/** The command that opens the match. @param {Game} game @param {{[name: string]: string}} wish */
function commandFor(game, wish) {
	const other = { bot: `bot:${wish.level}`, friend: 'open', anyone: 'open', both: 'me', player: wish.player?.trim() }[wish.opponent] ?? 'open';
	const white = wish.color === 'white' || (wish.color === 'random' && Math.random() < 0.5);
	const words = ['new', `${game.name}:${wish.variant}`, `white=${white ? 'me' : other}`, `black=${white ? other : 'me'}`,
		wish.clock && `clock=${wish.clock}`, /^(friend|both)$/.test(wish.opponent) && 'private=yes'];

	return words.filter(word => word).join(' ');
}

/** @param {App} app @param {string} [name] @param {string} [player] somebody to challenge */
export function page(app, name = '', player = '') {
	const game = findGame(name) ?? games[0];
	const kept = keptWish(player);
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const show = () => {
		const opponent = new FormData(form).get('opponent');
		form.dataset.opponent = String(opponent);
	};
	const start = async (/** @type {Event} */ event) => {
		const wish = /** @type {{[name: string]: string}} */ (Object.fromEntries(new FormData(form)));
		event.preventDefault();
		remember(KEY, { ...wish, player: undefined });
		try {
			await app.session.ensureName();
			const reply = await app.session.ask(commandFor(game, wish));
			go('m', reply.match);
		} catch (refusal) {
			problem.textContent = refusal.message;
		}
	};
	const form = h('form.setup', { id: 'setup', onsubmit: start, onchange: show },
		choice('opponent', 'Play against', OPPONENTS, kept.opponent),
		choice('level', 'Level', botLevels, kept.level),
		h('fieldset', { 'data-field': 'player' }, h('legend', 'Their name'), line('player', 'Their name', { value: player, maxlength: 24 })),
		choice('color', 'Your colour', COLORS, kept.color),
		game.variants.length > 1 && choice('variant', game.name === 'clobber' ? 'Board' : 'Variant', game.variants, kept.variant),
		game.variants.length === 1 && h('input', { type: 'hidden', name: 'variant', value: game.variants[0].name }),
		choice('clock', 'Clock, minutes + seconds a move', CLOCKS, kept.clock),
		problem, h('div.buttons', h('button.primary.big', { type: 'submit', id: 'start' }, 'Start'), h('a.button', { href: `#/rules/${game.name}` }, 'Rules')));

	show();
	const tabs = h('nav.tabs', { 'aria-label': 'Games' }, games.map(each => h('a', { href: linkTo('new', each.name, ...(player ? [player] : [])), 'aria-current': each === game ? 'page' : null }, each.title)));
	const node = h('div.new');
	fill(node, tabs, h('div.intro', picture(game, game.sample, ''), h('div', h('h1', game.title), h('p', game.summary))), form);
	return { node, title: `New ${game.title}` };
}
