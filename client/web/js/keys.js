// The keys of the page: which are taken for commands, and the list of them that `?` shows.
import { h } from './dom.js';
import { say, sayAs } from './language.js';
import { setting } from './settings.js';

const usualKeys = () => /** @type {[string[], string][]} */ ([
	[['←', '→'], say('One move back, one forward')], [['Home', 'End'], say('First position, latest position')], [['Tab'], say('To the board, and on from there')],
	[['←', '↑', '→', '↓'], say('On the board: from square to square')], [['Enter'], say('On the board: pick up, put down')], [['Esc'], say('Put back; take a premove back')],
	[['Space'], say('Play the moves, or pause')],
]);
const signs = () => /** @type {[string[], string][]} */ ([
	[['a', '…', '9'], say('Begin to type a move, such as b2b3')], [['<', '>'], say('One move back, one forward')], [['+', '−'], say('Play the moves faster, slower')], [['m'], say('After a review: to the next mistake')], [['?'], say('This list')],
]);

/** Whether a key means a command: nobody is typing, nor is it another program's, and a letter or a sign is wanted as one. @param {KeyboardEvent} event */
export function isCommand(event) {
	const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey
		|| (event.target instanceof Element && event.target.closest('input:not([type="radio"]), textarea, select, dialog') !== null);

	return !busy && (event.key.length > 1 || event.key === ' ' || setting('keys') === 'on');
}

/** What is printed on some keys. @returns {{[key: string]: string}} */
const keyNames = () => ({ Home: sayAs('key', 'Home'), End: sayAs('key', 'End'), Tab: sayAs('key', 'Tab'), Enter: sayAs('key', 'Enter'), Esc: sayAs('key', 'Esc'), Space: sayAs('key', 'Space') });

/** The list of the keys that are taken now. */
export function keyList() {
	return h('dl.keys', [...usualKeys(), ...(setting('keys') === 'on' ? signs() : [])].map(([keys, words]) => h('div', h('dt', keys.map(key => h('kbd', keyNames()[key] ?? key))), h('dd', words))));
}

/** Lists the keys over the page. */
export function showKeys() {
	const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { id: 'keys', 'aria-labelledby': 'keys-title', closedby: 'any' },
		h('h2', { id: 'keys-title' }, say('Keys')), keyList(), h('button.primary', { onclick: () => dialog.close() }, say('Close'))));

	dialog.addEventListener('close', () => dialog.remove());
	document.body.append(dialog);
	dialog.showModal();
}

document.addEventListener('keydown', event => {
	if (event.key === '?' && isCommand(event)) showKeys();
});
