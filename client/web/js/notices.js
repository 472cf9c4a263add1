// What is shown above every page: the state of the connection, the join code, challenges.
import { byId, fill, h, line } from './dom.js';
import { gameLabel } from './games/index.js';
import { go } from './router.js';
import { controlText, nameOf } from './words.js';

const LOST_SHOWN_MS = 600; /* a loss that is mended sooner is not worth a word */
/** @type {{[status: string]: string[]}} */
const ENDINGS = { replaced: ['You are playing in another window.', 'Play here'], closed: ['The host has ended the server.', 'Try again'] };

/** @param {App} app */
function codeForm(app) {
	const input = line('code', 'Join code', { autocapitalize: 'none', required: true, maxlength: 64 });
	const enter = (/** @type {Event} */ event) => {
		event.preventDefault();
		void app.session.enter(input.value.trim());
	};

	return h('form.notice', { id: 'code-form', onsubmit: enter },
		h('label', { for: 'code' }, 'This server asks for a join code. Whoever runs it has it.'), input,
		h('button.primary', { type: 'submit' }, 'Enter'), app.session.problem && h('p.problem', { role: 'alert' }, app.session.problem));
}

/** @param {App} app */
function statusNotice(app) {
	const { status } = app.store;

	if (status === 'code') return codeForm(app);
	if (status === 'lost')
		return h('p.notice.lost', { id: 'lost', role: 'status' }, h('span.spinner'), 'The connection is lost. Trying to come back…');
	if (ENDINGS[status])
		return h('p.notice', { id: status, role: 'status' }, ENDINGS[status][0], h('button', { onclick: () => app.session.takeOver() }, ENDINGS[status][1]));
	if (status === 'refused') return h('p.notice.problem', { role: 'alert' }, `The server refused: ${app.session.problem}`);
	return null;
}

/** @param {App} app @param {Challenge} challenge */
function challengeNotice(app, challenge) {
	const answer = async (/** @type {string} */ verb) => {
		await app.session.ask(`${verb} ${challenge.match}`).catch(() => null);
		app.store.dropChallenge(challenge.match);
		if (verb === 'join') go('m', challenge.match);
	};

	return h('div.notice.challenge', { 'data-match': challenge.match, role: 'status' },
		h('p', h('strong', nameOf(challenge.from)), ` challenges you: ${gameLabel(challenge.game, challenge.variant)}, ${controlText(challenge.clock)}. You play ${challenge.color}.`),
		h('button.primary', { onclick: () => answer('join') }, 'Accept'),
		h('button', { onclick: () => answer('decline') }, 'Decline'));
}

/** @param {App} app */
export function notices(app) {
	let timer = 0;
	const show = () => {
		clearTimeout(timer);
		fill(byId('notices'), statusNotice(app), [...app.store.challenges.values()].map(each => challengeNotice(app, each)));
	};
	const later = () => {
		clearTimeout(timer);
		if (app.store.status === 'lost') timer = setTimeout(show, LOST_SHOWN_MS);
		else show();
	};

	app.store.on('status', later);
	app.store.on('challenges', () => {
		if (app.store.status !== 'lost') show();
		app.sound.play('talk');
	});
}
