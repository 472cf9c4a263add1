// The settings: how the page looks and sounds, which keys it takes, and what it asks. Each holds at once, in this browser.
import { mayAlert, noAlerts } from '../alerts.js';
import { choice, fill, h } from '../dom.js';
import { games } from '../games/index.js';
import { keyList } from '../keys.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';
import { choose, onSettings, setting } from '../settings.js';

const THEMES = { system: 'As the system', light: 'Light', dark: 'Dark' };
const BOARDS = { game: 'Each game’s own', wood: 'Wood', slate: 'Slate', contrast: 'High contrast' };
const ASKED = { never: 'Never', slow: 'In matches without a clock', always: 'Always' };
const KEYS = { on: 'On', off: 'Off' };
const NOTIFY = { off: 'Off', on: 'On' };
const SOUNDS = { off: 'Off', soft: 'Soft', medium: 'Medium', loud: 'Loud' };

const heard = () => (setting('sound') === 'on' ? setting('volume') : 'off');

/** @param {App} app */
export function page(app) {
	const change = (/** @type {Event} */ event) => {
		const { name, value } = /** @type {HTMLInputElement} */ (event.target);
		if (name === 'notify' && value === 'on') {
			void turnAlertsOn();
			return;
		}
		if (name !== 'sound') {
			choose(name, value);
			return;
		}
		if (value !== 'off') choose('volume', value);
		app.sound.turn(value !== 'off');
	};
	const turnAlertsOn = async () => {
		choose('notify', await mayAlert() ? 'on' : 'off');
		alertsWords.textContent = setting('notify') === 'on' ? '' : noAlerts() || 'The browser does not allow them for this page.';
	};
	const alertsWords = h('p.note', { id: 'no-alerts', role: 'status' }, noAlerts());
	const keys = h('div');
	const form = h('form.setup', { id: 'settings', onchange: change },
		choice('theme', 'Colours', THEMES, setting('theme')),
		h('div', choice('boards', 'Boards', BOARDS, setting('boards')), h('div.samples', games.map(game => game.sample && picture(game, game.sample, '')))),
		choice('sound', 'Sound', SOUNDS, heard()),
		h('div', choice('notify', 'Notifications of your move, challenges and ends, while the page is hidden', NOTIFY, setting('notify')), alertsWords),
		choice('confirm', 'Ask before a move is sent', ASKED, setting('confirm')),
		h('div', choice('keys', 'Keys of one letter or sign', KEYS, setting('keys')), keys));
	const show = () => {
		/** @type {RadioNodeList} */ (form.elements.namedItem('sound')).value = heard();
		/** @type {RadioNodeList} */ (form.elements.namedItem('notify')).value = setting('notify');
		fill(keys, keyList());
	};
	const stop = onSettings(show);

	show();

	return {
		node: h('div.new', h('h1', 'Settings'), h('p.note', 'This browser keeps them.'), form,
			h('p.buttons', h('a.button', { href: linkTo('you') }, 'Your name, and whom you hear'))),
		title: 'Settings',
		close: stop,
	};
}
