// What lies over every page, at its foot: the state of the connection, the join code, challenges, the search
// for an opponent.
import { byId, h, keep, line } from './dom.js';
import { say, sayAs, sayIn, sayPlural } from './language.js';
import { gameLabel } from './games/index.js';
import { go } from './router.js';
import { seekNotice } from './seek.js';
import { nameOf, shownName, termsText, typedName } from './words.js';

const LOST_SHOWN_MS = 600; /* a loss that is mended sooner is not worth a word */
/** What is said when the server has ended the connection, and the button. @type {{[status: string]: () => [string, string]}} */
const ENDINGS = { replaced: () => [say('You are playing in other windows.'), say('Play here')], closed: () => [say('The host has ended the server.'), say('Try again')] };

/** @param {App} app */
function codeForm(app) {
	const input = line('code', say('Join code'), { autocapitalize: 'none', required: true, maxlength: 64 });
	const enter = (/** @type {Event} */ event) => {
		event.preventDefault();
		void app.session.enter(input.value.trim());
	};

	return h('form.notice', { id: 'code-form', onsubmit: enter },
		h('label', { for: 'code' }, say('This server asks for a join code. Whoever runs it has it.')), input,
		h('button.primary', { type: 'submit' }, sayAs('a button', 'Enter')), app.session.problem && h('p.problem', { role: 'alert' }, app.session.problem));
}

/** @param {App} app */
function statusNotice(app) {
	const { status } = app.store;
	const [ending, button] = ENDINGS[status]?.() ?? [];

	if (status === 'code') return codeForm(app);
	if (status === 'lost')
		return h('p.notice.lost', { id: 'lost', role: 'status' }, h('span.spinner'),
			app.session.greeted ? say('The connection is lost. Trying to come back…') : `${say('There is no connection to the server yet.')} ${app.session.problem}`);
	if (ending)
		return h('p.notice', { id: status, role: 'status' }, ending, h('button', { onclick: () => app.session.takeOver() }, button));
	if (status === 'refused') return h('p.notice', { id: 'refused', role: 'alert' }, say('The server refused: {problem}', { problem: app.session.problem }), h('button', { onclick: () => app.session.takeOver() }, say('Try again')));
	if (app.session.lostName)
		return h('p.notice', { id: 'name-gone', role: 'alert' }, say('{other} is somebody else here now: the server does not take this browser’s proof of that name any more. You are {name}.', { other: app.session.lostName, name: app.store.name }),
			h('button', { onclick: () => { app.session.lostName = ''; app.store.emit('status'); } }, 'OK'));
	return null;
}

/** @param {App} app @param {Challenge} challenge */
function challengeNotice(app, challenge) {
	const answer = async (/** @type {string} */ verb) => {
		app.store.dropChallenge(challenge.match);
		await app.session.ask(`${verb} ${challenge.match}`).catch(() => null);
		if (verb === 'join') go('m', challenge.match);
	};

	const values = { name: [h('strong', shownName(challenge.from)), typedName(challenge.from)], game: gameLabel(challenge.game, challenge.variant), terms: termsText(challenge.clock, challenge.rated) };

	return h('div.notice.challenge', { 'data-match': challenge.match, role: 'status' },
		h('p', challenge.color === 'white' ? sayIn('{name} challenges you: {game}, {terms}. You play white.', values) : sayIn('{name} challenges you: {game}, {terms}. You play black.', values)),
		h('button.primary', { onclick: () => answer('join') }, say('Accept')),
		h('button', { onclick: () => answer('decline') }, say('Decline')),
		h('button.quiet', { 'data-action': 'ignore', 'aria-label': say('Ignore {name}', { name: nameOf(challenge.from) }), onclick: () => app.session.ignore(challenge.from, true) }, say('Ignore')));
}

/** One challenge, and a button for the others; beside a running clock only a badge in the header. */
class Challenges {
	/** @param {App} app @param {() => void} show */
	constructor(app, show) {
		this.app = app;
		/** @type {Map<string, HTMLElement>} by match */
		this.nodes = new Map();
		this.open = false; /* whether all are shown */
		this.badge = byId('calls');
		this.more = h('button.notice.more', { onclick: () => this.turn(show) });
		this.badge.addEventListener('click', () => this.turn(show));
	}

	/** @param {() => void} show */
	turn(show) {
		this.open = !this.open;
		show();
	}

	/** @returns {HTMLElement[]} what is to be shown now */
	list() {
		const { store } = this.app;
		const all = [...store.challenges.values()];
		const played = store.mine().some(state => state.status === 'playing' && state.clock?.running);

		this.open &&= all.length > 0;
		for (const match of this.nodes.keys()) if (!store.challenges.has(match)) this.nodes.delete(match);
		for (const each of all) if (!this.nodes.has(each.match)) this.nodes.set(each.match, challengeNotice(this.app, each));
		this.badge.hidden = !played || all.length === 0;
		this.badge.textContent = String(all.length);
		this.badge.setAttribute('aria-label', sayPlural('{count} challenge', '{count} challenges', all.length));
		this.badge.setAttribute('aria-expanded', String(this.open));
		this.more.textContent = this.open ? say('Show fewer') : sayPlural('{count} more', '{count} more', all.length - 1);
		if (this.open) return [...this.nodes.values(), ...(played || all.length === 1 ? [] : [this.more])];
		return played ? [] : [...this.nodes.values()].slice(0, 1).concat(all.length > 1 ? this.more : []);
	}
}

/** @param {App} app */
export function notices(app) {
	let timer = 0;
	let told = '';
	/** @type {HTMLElement | null} */
	let status = null;
	/** @type {HTMLElement | null} */
	let seeking = null;
	const show = () => {
		const { session, store } = app;
		const what = [store.status, session.problem, session.lostName, session.greeted].join();
		clearTimeout(timer);
		if (what !== told) status = statusNotice(app);
		told = what;
		keep(byId('notices'), [...(status ? [status] : []), ...challenges.list(), ...(seeking ? [seeking] : [])]);
	};
	const later = () => {
		clearTimeout(timer);
		if (app.store.status === 'lost') timer = setTimeout(show, LOST_SHOWN_MS);
		else show();
	};
	const challenges = new Challenges(app, show);

	app.store.on('status', later);
	app.store.on('seek', () => {
		seeking = seekNotice(app);
		show();
	});
	app.store.on('state', () => app.store.challenges.size > 0 && show());
	app.store.on('challenges', challenge => {
		if (app.store.status !== 'lost') show();
		if (challenge && challenges.badge.hidden) app.sound.play('talk');
	});
}
