// A link from another device: play here, too, as who made it there.
import { h } from '../dom.js';
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
		node: h('div.you', h('h1', 'Another device'),
			h('p', 'On another device you are ', h('strong', name), '. You can play under this name here, too.'),
			other && h('p.note', `In this browser you are ${identity.name} so far. That name stays here, too: you come back to it on the page of your name.`),
			h('p', h('button.primary', { 'data-action': 'use', onclick: use }, `Play as ${name}`)), problem),
		title: 'Another device',
	};
}
