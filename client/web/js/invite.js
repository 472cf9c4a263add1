// The way into a match for a friend: a link and its QR code.
import { h, line } from './dom.js';
import { qrPicture } from './qr.js';
import { linkTo } from './router.js';

const COPIED_MS = 2000;
const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** @param {App} app @param {string} match */
export function invitation(app, match) {
	const { codeNeeded, code } = app.session;
	const link = `${location.origin}/${linkTo('m', match)}${codeNeeded && code ? `&code=${encodeURIComponent(code)}` : ''}`;
	const field = line('link', 'Link to this match', { value: link, readonly: true, onfocus: () => field.select() });
	const copy = h('button.primary', {
		'data-action': 'copy', onclick: () => {
			field.select();
			copy.textContent = document.execCommand('copy') ? 'Copied' : 'Selected'; /* over plain HTTP there is no navigator.clipboard */
			setTimeout(() => { copy.textContent = 'Copy link'; }, COPIED_MS);
		},
	}, 'Copy link');

	return h('div.invite', { id: 'invite' }, h('p', 'Send this link to a friend. Whoever opens it first takes the other seat.'),
		h('div.copy', field, copy),
		LOOPBACK.test(location.host) ? h('p.note', 'This address leads to this computer only. Open the page by the computer’s name or network address to invite somebody elsewhere.') : qrPicture(link));
}
