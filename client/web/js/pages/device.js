// A link from another device: play here, too, as who made it there.
import { h } from '../dom.js';
import { say, sayIn } from '../language.js';
import { capital } from '../words.js';

/** @param {App} app @param {string} [name] @param {string} [code] */
export function page(app, name = '', code = '') {
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const { identity } = app.session;
	const other = identity !== null && identity.name !== name;
	const use = async () => {
		try {
			await app.session.useDevice(name, code);
		} catch (refusal) {
			problem.textContent = capital(refusal.message);
		}
	};

	return {
		node: h('div.you', h('h1', say('Another device')),
			h('p', sayIn('On another device you are {name}. You can play under this name here, too.', { name: h('strong', name) })),
			other && h('p.note', say('In this browser you are {name} so far. That name stays here, too: you come back to it on the page of your name.', { name: identity.name })),
			h('p', h('button.primary', { 'data-action': 'use', onclick: use }, say('Play as {name}', { name }))), problem),
		title: say('Another device'),
	};
}
