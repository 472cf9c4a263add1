// This player: the name, and the way to another one.
import { fill, h, line } from '../dom.js';
import { linkTo } from '../router.js';

/** @param {App} app */
export function page(app) {
	const problem = h('p.problem', { id: 'problem', role: 'alert' });
	const input = line('name', 'Your name', { maxlength: 24, pattern: '[A-Za-z0-9_\\-]+', title: 'Letters, digits, _ and -', required: true });
	const about = h('p');
	const note = h('p.note');
	const take = async (/** @type {Event} */ event) => {
		event.preventDefault();
		try {
			await app.session.rename(input.value.trim());
			problem.textContent = '';
		} catch (refusal) {
			problem.textContent = refusal.message;
		}
	};
	const show = () => {
		const named = app.session.identity !== null;
		fill(about, named ? ['You are ', h('strong', app.store.name), '. This browser keeps the proof of it and brings you back to your matches.']
			: 'You have no name yet. You get one with your first match, or choose one here.');
		note.textContent = named ? 'Another name is another player: you leave this one, its rating and its matches for good.' : '';
		submit.textContent = named ? 'Play under another name' : 'Take this name';
	};
	const submit = h('button.primary', { type: 'submit' });
	const stop = app.store.on('name', show);

	show();
	return {
		node: h('div.you', h('h1', 'You'), about, h('form', { id: 'name-form', onsubmit: take }, input, submit), problem, note,
			h('p', h('a.button', { href: linkTo('history') }, 'Your finished matches'))),
		title: 'You',
		close: stop,
	};
}
