// Links to be opened elsewhere, with their QR codes: into a match for a friend, and to another device.
import { h } from './dom.js';
import { say } from './language.js';
import { qrPicture } from './qr.js';
import { linkTo, previewOf } from './router.js';

const COPIED_MS = 2000;
const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** A text to be copied, or shared where the browser can. @param {string} label @param {string} text @param {ShareData} shared @param {string} [what] the button says */
export function textCard(label, text, shared, what = say('Copy')) {
	const field = /** @type {HTMLTextAreaElement} */ (/** @type {unknown} */ (h('textarea.address', { id: 'link', 'aria-label': label, readonly: true, rows: Math.ceil(text.length / 30), spellcheck: 'false', onfocus: () => field.select() }, text)));
	const share = 'share' in navigator && h('button', { 'data-action': 'share', onclick: () => navigator.share(shared).catch(() => null) }, say('Share'));
	const copy = h('button.primary', {
		'data-action': 'copy', onclick: () => {
			field.select();
			copy.textContent = document.execCommand('copy') ? say('Copied') : say('Selected'); /* over plain HTTP there is no navigator.clipboard */
			setTimeout(() => { copy.textContent = what; }, COPIED_MS);
		},
	}, what);

	return [field, h('div.buttons', copy, share)];
}

/** The address of a page elsewhere; '' where this one leads to this computer only. @param {string[]} path */
export function addressOf(...path) {
	return LOOPBACK.test(location.host) ? '' : new URL(linkTo(...path), document.baseURI).href;
}

/**
 * A link to a page, to be copied or scanned. A join code goes with it, in a part of the address that browsers send to nobody.
 * @param {App} app @param {string} label @param {string} route @param {string} [preview] an address that leads there, of which chats show more; but to those without the code the server tells nothing
 * @returns {Child}
 */
export function linkCard(app, label, route, preview = route) {
	const { codeNeeded, code } = app.session;
	const link = new URL(codeNeeded && code ? `${route}&code=${encodeURIComponent(code)}` : preview, document.baseURI).href;

	return [...textCard(label, link, { title: label, url: link }, say('Copy link')),
		LOOPBACK.test(location.host) ? h('p.note', say('This address leads to this computer only. Open the page by the computer’s name or network address for a link that works elsewhere.')) : qrPicture(link)];
}

/** @param {App} app @param {string} match */
export function invitation(app, match) {
	return h('div.invite', { id: 'invite' }, h('p', say('Send this link to a friend. Whoever opens it first takes the other seat.')),
		linkCard(app, say('Link to this match'), linkTo('m', match), previewOf(match)));
}
