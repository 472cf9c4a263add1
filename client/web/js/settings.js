// What this player has chosen in this browser: how the page looks and sounds, which keys it takes, and what it asks.
import { recall, remember } from './kept.js';
import { languages } from './language.js';

/** The values of each setting, the usual one first. @type {{[name: string]: string[]}} */
const VALUES = {
	theme: ['system', 'light', 'dark'], boards: ['game', 'wood', 'slate', 'contrast'],
	sound: ['off', 'on'], volume: ['medium', 'soft', 'loud'], keys: ['on', 'off'], confirm: ['never', 'slow', 'always'], notify: ['off', 'on'], language: ['', ...languages],
};

/** @type {Set<() => void>} */
const listeners = new Set();

/** @param {string} name */
export function setting(name) {
	const kept = recall(`ludus.${name}`);

	return VALUES[name].find(value => value === kept || (value === 'on' && kept === true)) ?? VALUES[name][0];
}

/** @param {string} name @param {string} value */
export function choose(name, value) {
	remember(`ludus.${name}`, value === VALUES[name][0] ? null : value);
	apply();
}

/** @param {() => void} listener is told of each change @returns {() => void} stops it */
export function onSettings(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Shows what is chosen; start.js has shown the theme before. */
function apply() {
	const theme = setting('theme');

	document.documentElement.dataset.theme = theme;
	document.documentElement.dataset.boards = setting('boards');
	for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
		const own = meta.getAttribute('data-theme');
		meta.setAttribute('media', theme === 'system' ? `(prefers-color-scheme: ${own})` : theme === own ? 'all' : 'not all');
	}
	listeners.forEach(listener => listener());
}

addEventListener('storage', apply); /* chosen in another tab */
apply();
