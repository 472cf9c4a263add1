// Notifications of the system: what waits for this player while the page is open and cannot be seen. Nobody is asked for
// them who has not turned them on in the settings.
import { say } from './language.js';
import { gameLabel } from './games/index.js';
import { go } from './router.js';
import { setting } from './settings.js';
import { Store } from './store.js';
import { nameOf, opponentOf, outcomeWords, typedName } from './words.js';

/** @returns {string} why this browser shows none; '': it may */
export function noAlerts() {
	if (!isSecureContext) return say('The browser allows them over https and on this computer only.');
	return 'Notification' in window ? '' : say('This browser has none.');
}

/** Asks the browser, which asks the player once. @returns {Promise<boolean>} whether they are allowed */
export async function mayAlert() {
	return noAlerts() === '' && await Notification.requestPermission() === 'granted';
}

/** @param {string} match @param {string} title @param {string} body */
function show(match, title, body) {
	if (!document.hidden || setting('notify') !== 'on' || noAlerts() || Notification.permission !== 'granted') return;
	try {
		const note = new Notification(title, { body, tag: `ludus-${match}`, icon: new URL('../icon-180.png', import.meta.url).href });
		note.onclick = () => {
			focus();
			go('m', match);
			note.close();
		};
	} catch { /* a browser that takes them from service workers alone, as on Android */ }
}

/** @param {App} app */
export function alerts({ store }) {
	/** @type {Map<string, State>} */
	const seen = new Map();

	store.on('state', (/** @type {State} */ state) => {
		const before = seen.get(state.match);
		const label = gameLabel(state.game, state.variant);
		const against = nameOf(opponentOf(state)?.name);

		seen.set(state.match, state);
		if (state.you === null || state.you === 'both' || (!before && state.ply > 1)) return; /* told of by another page, or long ago */
		if (state.status === 'over' && before && before.status !== 'over') show(state.match, outcomeWords(state).headline, say('{game} against {name}', { game: label, name: against }));
		else if (Store.isMine(state) && !(before && Store.isMine(before))) show(state.match, say('Your move'), say('{game} against {name}', { game: label, name: against }));
	});
	store.on('challenges', challenge => challenge && show(challenge.match, say('{name} challenges you', { name: nameOf(challenge.from) + typedName(challenge.from) }), gameLabel(challenge.game, challenge.variant)));
}
