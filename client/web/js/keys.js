// The keys of the page: which are taken for commands, and the list of them that `?` shows.
import { h } from './dom.js';
import { setting } from './settings.js';

const KEYS = /** @type {[string[], string][]} */ ([
	[['←', '→'], 'One move back, one forward'], [['Home', 'End'], 'First position, latest position'], [['Tab'], 'To the board, and on from there'],
	[['←', '↑', '→', '↓'], 'On the board: from square to square'], [['Enter'], 'On the board: pick up, put down'], [['Esc'], 'Put back; take a premove back'],
	[['Space'], 'Play the moves, or pause'],
]);
const SIGNS = /** @type {[string[], string][]} */ ([
	[['a', '…', '9'], 'Begin to type a move, such as b2b3'], [['<', '>'], 'One move back, one forward'], [['+', '−'], 'Play the moves faster, slower'], [['m'], 'After a review: to the next mistake'], [['?'], 'This list'],
]);

/** Whether a key means a command: nobody is typing, nor is it another program's, and a letter or a sign is wanted as one. @param {KeyboardEvent} event */
export function isCommand(event) {
	const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey
		|| (event.target instanceof Element && event.target.closest('input:not([type="radio"]), textarea, select, dialog') !== null);

	return !busy && (event.key.length > 1 || event.key === ' ' || setting('keys') === 'on');
}

/** The list of the keys that are taken now. */
export function keyList() {
	return h('dl.keys', [...KEYS, ...(setting('keys') === 'on' ? SIGNS : [])].map(([keys, words]) => h('div', h('dt', keys.map(key => h('kbd', key))), h('dd', words))));
}

/** Lists the keys over the page. */
export function showKeys() {
	const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { id: 'keys', 'aria-labelledby': 'keys-title', closedby: 'any' },
		h('h2', { id: 'keys-title' }, 'Keys'), keyList(), h('button.primary', { onclick: () => dialog.close() }, 'Close')));

	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

document.addEventListener('keydown', event => {
	if (event.key === '?' && isCommand(event)) showKeys();
});
