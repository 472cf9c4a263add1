// A new match: against whom, which colour, which variant, which clock; from the start, or from a position.
import { choice, h, line } from '../dom.js';
import { findGame, gameLabel, games, gameTabs, variantTitle } from '../games/index.js';
import { rowsOf, sideOf } from '../grid.js';
import { recall, remember } from '../kept.js';
import { say } from '../language.js';
import { checked } from '../line.js';
import { go, linkTo, linkToPosition, unpacked } from '../router.js';
import { picture } from '../scene.js';
import { capital } from '../words.js';

const KEY = 'ludus.setup';
const OPPONENTS = { bot: say('A bot'), friend: say('A friend, by link'), anyone: say('Anyone here'), both: say('Two at this screen'), player: say('A player by name') };
/** From a position: nobody seeks that. */
const OPPONENTS_FROM = { bot: OPPONENTS.bot, friend: OPPONENTS.friend, both: OPPONENTS.both, player: OPPONENTS.player };
const LEVELS = {
	random: say('Random'), greedy: say('Greedy'), gentle: say('Gentle'), easy: say('Easy'), medium: say('Medium'), hard: say('Hard'), expert: say('Expert'), master: say('Master'), max: say('Max'),
};
const COLORS = { white: say('White'), random: say('Either'), black: say('Black') };
const RATED = { no: say('Casual'), yes: say('Rated') };
const CLOCKS = { '': say('None'), '60+1': '1 + 1', '180+2': '3 + 2', '300+5': '5 + 5', '600+5': '10 + 5', '1800+20': '30 + 20' };

/** What was chosen last, but for somebody who is challenged. @param {string} player */
function keptWish(player) {
	const bot = /^bot:(\w+)$/.exec(player)?.[1];

	return { opponent: 'bot', level: 'gentle', color: 'white', clock: '', rated: '', ...recall(KEY), ...(bot ? { opponent: 'bot', level: bot } : player ? { opponent: 'player' } : {}) };
}

/**
 * The command that opens the match.
 * @param {Game} game @param {{[name: string]: string}} wish @param {string} key by which the server knows it when it comes again
 * @param {string} position '': the usual start
 */
function commandFor(game, wish, key, position) {
	const other = { bot: `bot:${wish.level}`, friend: 'open', both: 'me', player: wish.player }[wish.opponent] ?? 'open';
	const white = wish.color === 'white' || (wish.color === 'random' && Math.random() < 0.5);
	const words = ['new', `${game.name}:${wish.variant}`, `white=${white ? 'me' : other}`, `black=${white ? other : 'me'}`,
		wish.clock && `clock=${wish.clock}`, /^(friend|both)$/.test(wish.opponent) && 'private=yes', wish.opponent !== 'both' && `rated=${position ? 'no' : wish.rated}`, `once=${key}`, position && `position=${checked.position(position)}`];

	return words.filter(word => word).join(' ');
}

/** As many digits as nobody has by chance. */
function someKey() {
	return [...crypto.getRandomValues(new Uint32Array(3))].map(number => number.toString(36)).join('-');
}

/** @param {App} app @param {string} [name] @param {string} [player] somebody to challenge */
export function page(app, name = '', player = '') {
	return setup(app, findGame(name) ?? games[0], player, '', '');
}

/** To play on from a position. @param {App} app @param {string} [which] the game and its variant @param {string} [word] the position */
export function pageFrom(app, which = '', word = '') {
	const [name, variant = ''] = which.split(':');

	return setup(app, findGame(name) ?? games[0], '', variant, unpacked(word));
}

/** A field with nothing to choose. @param {string} name @param {string} value */
function fixed(name, value) {
	return h('input', { type: 'hidden', name, value });
}

/** @param {Game} game @param {string} given that of a position @param {string} wished */
function variantField({ variants }, given, wished) {
	if (given || variants.length === 1) return fixed('variant', given || variants[0]);
	return choice('variant', /^\d+x\d+$/.test(variants[0]) ? say('Board') : say('Variant'), Object.fromEntries(variants.map(each => [each, variantTitle(each)])), wished);
}

/** @param {Game} game @param {string} variant @param {string} position */
function introFrom(game, variant, position) {
	const drawn = /^[^ ]+ [wb]/.test(position) && new Set(rowsOf(position).map(row => row.length)).size === 1; /* the server says whether it is one */

	return h('div.intro', drawn && picture(game, position, variant), h('div', h('h1', say('Play on from here')), h('p', sideOf(position) === 'white' ? say('{game}, white to move.', { game: gameLabel(game.name, variant) }) : say('{game}, black to move.', { game: gameLabel(game.name, variant) }))));
}

/** @param {App} app @param {Game} game @param {string} player somebody to challenge @param {string} variant @param {string} position '': the usual start */
function setup(app, game, player, variant, position) {
	const kept = { ...keptWish(player), ...position && { color: sideOf(position) } };
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	let key = '';
	let { rated } = kept; /* '': as it is usual */
	const show = () => {
		const opponent = String(new FormData(form).get('opponent'));
		const usual = opponent === 'bot' || app.session.identity === null ? 'no' : 'yes'; /* bots are to practise with, and so is a first match */
		const choices = /** @type {RadioNodeList | HTMLInputElement} */ (form.elements.namedItem('rated'));
		key = someKey();
		form.dataset.opponent = opponent;
		choices.value = rated || usual;
	};
	const choose = (/** @type {Event} */ event) => {
		const { name: field, value } = /** @type {HTMLInputElement} */ (event.target);
		if (field === 'rated') rated = value;
		else if (field === 'opponent') rated = '';
		show();
	};
	const start = async (/** @type {Event} */ event) => {
		const wish = /** @type {{[name: string]: string}} */ (Object.fromEntries(new FormData(form)));
		event.preventDefault();
		if (!position) remember(KEY, { ...wish, rated, player: undefined });
		try {
			if (wish.opponent === 'player') wish.player = checked.player(wish.player.trim());
			if (wish.opponent === 'anyone') {
				await app.seek.start({ game: game.name, variant: wish.variant, clock: wish.clock, rated: wish.rated === 'yes', color: wish.color === 'random' ? '' : wish.color });
				go();
				return;
			}
			await app.session.ensureName();
			const reply = await app.session.ask(commandFor(game, wish, key, position));
			go('m', reply.match);
		} catch (refusal) {
			problem.textContent = capital(refusal.message);
		}
	};
	const form = h('form.setup', { id: 'setup', onsubmit: start, onchange: choose },
		choice('opponent', say('Play against'), position ? OPPONENTS_FROM : OPPONENTS, kept.opponent),
		choice('level', say('Level'), LEVELS, kept.level),
		h('fieldset', { 'data-field': 'player' }, h('legend', say('Their name')), line('player', say('Their name'), { value: player, maxlength: 24 })),
		choice('color', say('Your colour'), COLORS, kept.color),
		variantField(game, variant, kept.variant),
		choice('clock', say('Clock, minutes + seconds a move'), CLOCKS, kept.clock),
		position ? fixed('rated', 'no') : choice('rated', say('Does it count for the ratings?'), RATED, 'no'),
		problem, h('div.buttons', h('button.primary.big', { type: 'submit', id: 'start' }, say('Start')), h('a.button', { href: linkTo('learn', game.name) }, say('Learn')), h('a.button', { href: linkTo('rules', game.name) }, say('Rules')),
			h('a.button', { href: position ? linkToPosition('analysis', game.name, variant, position) : linkTo('analysis', game.name) }, say('Analysis board'))));

	show();
	return {
		node: h('div.new', !position && gameTabs('new', game, ...(player ? [player] : [])),
			position ? introFrom(game, variant, position) : h('div.intro', game.sample && picture(game, game.sample, ''), h('div', h('h1', game.title), h('p', game.summary))), form),
		title: position ? say('Play on') : say('New {game}', { game: game.title }),
	};
}
