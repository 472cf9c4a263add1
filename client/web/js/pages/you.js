// This player: the name, other names in this browser, and the way to another device.
import { fill, h, line } from '../dom.js';
import { linkCard } from '../invite.js';
import { forgetIdentity, ignoredPlayers, otherIdentities } from '../kept.js';
import { say, sayIn, sayPlural } from '../language.js';
import { displayOf } from '../names.js';
import { linkTo } from '../router.js';
import { capital, shownName, typedName } from '../words.js';

/** @param {App} app @param {(refusal: Refusal) => void} refuse */
function nameForm(app, refuse) {
	const input = line('name', say('Your name'), { maxlength: 24, pattern: '[A-Za-z0-9_\\-]+', title: say('Letters, digits, _ and -'), required: true, oninput: () => ask('') });
	const submit = h('button.primary', { type: 'submit' });
	const note = h('p.note', { role: 'status' });
	let sure = '';
	/** Asks once more before something is left behind. @param {string} belongings */
	const ask = belongings => {
		sure = belongings;
		submit.classList.toggle('sure', belongings !== '');
		submit.textContent = belongings ? say('Really?') : app.session.identity ? say('Play under another name') : say('Take this name');
		note.textContent = belongings ? say('{name} has {belongings}: another name is another player, without them. Press again to change.', { name: app.store.name, belongings })
			: app.session.identity ? say('Another name is another player. This browser keeps the one that you have, so that you can come back.') : '';
	};
	const take = async (/** @type {Event} */ event) => {
		const name = input.value.trim();
		const known = otherIdentities().some(other => other.name.toLowerCase() === name.toLowerCase());
		event.preventDefault();
		try {
			if (!sure && (app.session.identity || known)) ask(await app.session.belongings());
			else ask('');
			if (!sure) await app.session.rename(name);
		} catch (refusal) {
			refuse(refusal);
		}
	};

	return { node: [h('form', { id: 'name-form', onsubmit: take }, input, submit), note], show: () => ask('') };
}

/** The name in one's own letters, which a guest has not. @param {App} app @param {(refusal: Refusal) => void} refuse */
function displayForm(app, refuse) {
	const input = line('display', say('In your own letters: João, 田中'), { maxlength: 64, dir: 'auto' });
	const set = async (/** @type {Event} */ event) => {
		event.preventDefault();
		try {
			await app.session.setDisplay(input.value.trim());
		} catch (refusal) {
			refuse(refusal);
		}
	};
	const form = h('form', { id: 'display-form', onsubmit: set }, input, h('button', { type: 'submit' }, say('Show this name')));
	const node = h('div', form, h('p.note', say('Others see it in place of your name, which stays the one to type. Leave it empty to be shown by that again.')));

	return { node, show: () => {
		node.hidden = app.session.identity === null;
		input.value = displayOf(app.store.name) ?? '';
	} };
}

/** The names that this browser has had before. @param {App} app @param {(refusal: Refusal) => void} refuse */
function otherNames(app, refuse) {
	const node = h('section', { id: 'names' });
	/** @param {string} name */
	const forget = name => {
		const button = h('button.quiet', { 'aria-label': say('Forget {name}', { name }), onclick: () => {
			if (button.classList.toggle('sure')) {
				button.textContent = say('Really forget?');
				return;
			}
			forgetIdentity(name);
			show();
		} }, say('Forget'));
		return button;
	};
	const show = () => {
		const names = otherIdentities();
		fill(node, names.length > 0 && [h('h2', say('Your other names')), h('ul.rows', names.map(({ name }) => h('li', h('div.row', { 'data-name': name }, h('span.what', h('strong', name)),
			h('button', { 'aria-label': say('Play as {name}', { name }), onclick: () => app.session.rename(name).catch(refuse) }, say('Play')), forget(name)))))]);
	};

	show();
	return node;
}

/** Whom this player wants to hear nothing of, and when. @param {App} app */
function peace(app) {
	const list = h('div', { id: 'ignored' });
	const quiet = h('button.quiet.toggle', { id: 'quiet', 'aria-pressed': String(app.session.quiet), onclick: () => {
		app.session.setQuiet(!app.session.quiet);
		quiet.setAttribute('aria-pressed', String(app.session.quiet));
	} }, say('Do not disturb me while I play'));
	const show = () => {
		const names = ignoredPlayers();
		fill(list, names.length > 0 && [h('h2', say('Players whom you ignore')), h('ul.rows', names.map(name => h('li', h('div.row', { 'data-name': name }, h('span.what', h('strong', name)),
			h('button', { 'aria-label': say('Hear {name} again', { name }), onclick: () => {
				app.session.ignore(name, false);
				show();
			} }, say('Hear again'))))))]);
	};

	show();
	return [h('div', quiet, h('p.note', say('Nobody can challenge you then.'))), list];
}

/** @param {App} app */
export function page(app) {
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const refuse = (/** @type {Refusal} */ refusal) => { problem.textContent = capital(refusal.message); };
	const form = nameForm(app, refuse);
	const display = displayForm(app, refuse);
	const about = h('p');
	const show = () => {
		fill(about, app.session.identity ? sayIn('You are {name}. This browser keeps the proof of it and brings you back to your matches.', { name: [h('strong', shownName(app.store.name)), typedName(app.store.name)] })
			: say('You have no name yet. You get one with your first match, or choose one here.'));
		problem.textContent = '';
		form.show();
		display.show();
	};
	const device = h('div.invite', { id: 'device' });
	const offer = async () => {
		try {
			const { code, expires_ms: ms } = await app.session.ask('device');
			fill(device, h('p', sayPlural('Open this link there within {count} minute. It works once: do not give it to anybody.', 'Open this link there within {count} minutes. It works once: do not give it to anybody.', Math.round(ms / 60000))),
				linkCard(app, say('Link for the other device'), linkTo('device', app.store.name, code)));
		} catch (refusal) {
			refuse(refusal);
		}
	};
	const stop = app.store.on('name', show);

	show();
	return {
		node: h('div.you', h('h1', say('You')), about, form.node, display.node, problem, otherNames(app, refuse),
			h('p', h('button', { 'data-action': 'device', onclick: offer }, say('Use on another device'))), device, peace(app),
			h('p.buttons', h('a.button', { href: linkTo('p', app.store.name) }, say('Your results')), h('a.button', { href: linkTo('history') }, say('Your finished matches')))),
		title: say('You'),
		close: stop,
	};
}
