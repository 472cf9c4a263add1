// The settings: how the page looks and sounds, which keys it takes, and what it asks. Each holds at once, in this browser.
import { mayAlert, noAlerts } from '../alerts.js';
import { choice, fill, h } from '../dom.js';
import { games } from '../games/index.js';
import { keyList } from '../keys.js';
import { languages, say } from '../language.js';
import { linkTo } from '../router.js';
import { picture } from '../scene.js';
import { choose, onSettings, setting } from '../settings.js';
import { capital } from '../words.js';

const THEMES = { system: say('As the system'), light: say('Light'), dark: say('Dark') };
const BOARDS = { game: say('Each game’s own'), wood: say('Wood'), slate: say('Slate'), contrast: say('High contrast') };
const ASKED = { never: say('Never'), slow: say('In matches without a clock'), always: say('Always') };
const KEYS = { on: say('On'), off: say('Off') };
const NOTIFY = { off: say('Off'), on: say('On') };
const SOUNDS = { off: say('Off'), soft: say('Soft'), medium: say('Medium'), loud: say('Loud') };

/** The languages of the server, each by its own name. @returns {{[tag: string]: string}} */
function languageChoices() {
	const nameOf = (/** @type {string} */ tag) => capital(new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag);

	return { '': say('As the browser'), ...Object.fromEntries(languages.map(tag => [tag, nameOf(tag)])) };
}

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
			if (name === 'language') location.reload();
			return;
		}
		if (value !== 'off') choose('volume', value);
		app.sound.turn(value !== 'off');
	};
	const turnAlertsOn = async () => {
		choose('notify', await mayAlert() ? 'on' : 'off');
		alertsWords.textContent = setting('notify') === 'on' ? '' : noAlerts() || say('The browser does not allow them for this page.');
	};
	const alertsWords = h('p.note', { id: 'no-alerts', role: 'status' }, noAlerts());
	const keys = h('div');
	const form = h('form.setup', { id: 'settings', onchange: change },
		languages.length > 1 && choice('language', say('Language'), languageChoices(), setting('language')),
		choice('theme', say('Colours'), THEMES, setting('theme')),
		h('div', choice('boards', say('Boards'), BOARDS, setting('boards')), h('div.samples', games.map(game => game.sample && picture(game, game.sample, '')))),
		choice('sound', say('Sound'), SOUNDS, heard()),
		h('div', choice('notify', say('Notifications of your move, challenges and ends, while the page is hidden'), NOTIFY, setting('notify')), alertsWords),
		choice('confirm', say('Ask before a move is sent'), ASKED, setting('confirm')),
		h('div', choice('keys', say('Keys of one letter or sign'), KEYS, setting('keys')), keys));
	const show = () => {
		/** @type {RadioNodeList} */ (form.elements.namedItem('sound')).value = heard();
		/** @type {RadioNodeList} */ (form.elements.namedItem('notify')).value = setting('notify');
		fill(keys, keyList());
	};
	const stop = onSettings(show);

	show();

	return {
		node: h('div.new', h('h1', say('Settings')), h('p.note', say('This browser keeps them.')), form,
			h('p.buttons', h('a.button', { href: linkTo('you') }, say('Your name, and whom you hear')))),
		title: say('Settings'),
		close: stop,
	};
}
