// The tournaments of the server, and a form for a new one.
import { h, keepItems, line, fill } from '../dom.js';
import { say, sayAs, sayPlural } from '../language.js';
import { gameLabel, games } from '../games/index.js';
import { checked } from '../line.js';
import { go, linkTo } from '../router.js';
import { sentence, termsText } from '../words.js';

const LOOK_MS = 5000;
/** @type {{[format: string]: string}} */
export const FORMATS = { 'round-robin': say('Everyone meets everyone'), 'swiss': say('Swiss'), 'knockout': say('Knockout'), 'arena': say('Arena') };
/** @type {{[status: string]: string}} */
export const STATUSES = { open: say('Not started yet'), running: say('Running'), paused: say('Paused'), over: say('Over'), aborted: sayAs('of a tournament', 'Broken off') };

/** @typedef {{tournament: string, name: string, game: string, variant: string, format: string, status: string, director: string, entrants: number, clock: TimeControl, rated: boolean, openings?: string}} TournamentRow */

/** A format in the middle of a sentence. @param {string} format */
export function formatWords(format) {
	return { 'round-robin': say('everyone meets everyone'), 'swiss': sayAs('inside a sentence', 'Swiss'), 'knockout': say('knockout'), 'arena': say('arena') }[format] ?? format;
}

/** @param {string | undefined} openings */
export function openingsText(openings) {
	if (!openings) return '';
	if (openings === 'balanced') return `, ${say('balanced openings')}`;
	return `, ${sayPlural('random openings of {count} ply', 'random openings of {count} plies', Number(openings.slice('random:'.length)))}`;
}

/** @param {string} name @param {string} label @param {{[value: string]: string}} choices */
function select(name, label, choices) {
	return h('label', { 'data-field': name }, label, h('select', { name }, Object.entries(choices).map(([value, title]) => h('option', { value }, title))));
}

/** @param {string} name @param {string} label @param {number} value @param {number} max */
function number(name, label, value, max) {
	return h('label', { 'data-field': name }, label, h('input', { name, type: 'number', min: 1, max, value }));
}

/** The command that opens a tournament. @param {{[name: string]: string}} wish */
function commandFor(wish) {
	const length = { 'round-robin': `cycles=${Number(wish.cycles) * (wish.openings ? 2 : 1)}`, 'swiss': wish.rounds && `rounds=${wish.rounds}`, 'arena': `minutes=${wish.minutes}` }[wish.format];
	const words = ['tournament new', checked.tournament(wish.title.trim()), wish.kind, `format=${wish.format}`, length, `clock=${wish.clock}`, `bots=${wish.bots}`, wish.rated === 'no' && 'rated=no', wish.openings && `openings=${wish.openings}`, wish.series.trim() && `series=${checked.tournament(wish.series.trim())}`];

	return words.filter(word => word).join(' ');
}

/** @param {App} app */
function newForm(app) {
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const open = async (/** @type {Event} */ event) => {
		event.preventDefault();
		try {
			await app.session.ensureName();
			const reply = await app.session.ask(commandFor(/** @type {{[name: string]: string}} */ (Object.fromEntries(new FormData(form)))));
			go('t', reply.tournament);
		} catch (refusal) {
			problem.textContent = sentence(refusal.message);
		}
	};
	const show = () => { form.dataset.format = String(new FormData(form).get('format')); };
	const kinds = games.flatMap(game => game.variants.map(variant => [`${game.name}:${variant}`, gameLabel(game.name, variant)]));
	const form = h('form.setup.contest', { id: 'new-tournament', onsubmit: open, onchange: show },
		h('label', say('Name'), line('title', say('Name, such as Friday-cup'), { required: true, maxlength: 32, pattern: '[A-Za-z0-9_.\\-]+', title: say('Letters, digits, _ . and -') })),
		select('kind', say('Game'), Object.fromEntries(kinds)), select('format', say('Who meets whom'), FORMATS),
		number('cycles', say('How often'), 1, 10), number('rounds', say('Rounds'), 5, 100), number('minutes', say('Minutes'), 60, 10080),
		select('clock', say('Clock, minutes + seconds a move'), { '300+3': '5 + 3', '180+2': '3 + 2', '60+1': '1 + 1', '600+5': '10 + 5', '1800+20': '30 + 20' }),
		select('bots', say('Who may come'), { yes: say('People and bots'), no: say('People'), only: say('Bots') }), select('rated', say('Ratings'), { yes: say('Rated'), no: say('Casual') }),
		select('openings', say('Matches begin'), { '': say('At the start'), balanced: say('From balanced openings, two each with colours swapped') }),
		h('label', { 'data-field': 'series' }, say('Series, if it is one of several that add up'), line('series', sayAs('a series', 'None'), { maxlength: 32, pattern: '[A-Za-z0-9_.\\-]+', title: say('Letters, digits, _ . and -') })),
		problem, h('div.buttons', h('button.primary', { type: 'submit' }, say('Open it'))));

	show();
	return h('details', { id: 'open-form' }, h('summary.button', say('New tournament')), h('p.note', say('You direct it: you start it when all are there. To play in it you join it, too.')), form);
}

/** @param {HTMLElement} node @param {TournamentRow} row */
function showRow(node, row) {
	fill(node, h('a.row', { href: linkTo('t', row.tournament), 'data-tournament': row.tournament }, h('span.what', h('strong', row.name),
		h('span', `${gameLabel(row.game, row.variant)}, ${formatWords(row.format)}, ${termsText(row.clock, row.rated)}${openingsText(row.openings)}, ${sayPlural('{count} player', '{count} players', row.entrants)}`)), h('span.when', STATUSES[row.status])));
}

/** @param {App} app */
export function page(app) {
	const list = h('ul.rows', { id: 'tournaments' });
	const none = h('p.empty', { hidden: true }, say('There is no tournament yet. Anybody with a name can open one.'));
	let timer = 0;
	let closed = false;
	const look = async () => {
		clearTimeout(timer);
		if (closed) return;
		timer = setTimeout(look, LOOK_MS);
		const reply = document.hidden ? null : await app.session.ask('tournaments').catch(() => null);
		if (!reply) return;
		none.hidden = reply.tournaments.length > 0;
		keepItems(list, /** @type {TournamentRow[]} */ (reply.tournaments), row => row.tournament, () => h('li'), showRow);
	};
	const stop = app.store.whenHere(look);

	return {
		node: h('div.players', h('h1', say('Tournaments')), list, none, newForm(app)), title: say('Tournaments'), close: () => {
			closed = true;
			clearTimeout(timer);
			stop();
		},
	};
}
