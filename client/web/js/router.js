// The route in the address: `#/m/12`, `#/rules/shakti`; and a join code beside it: `#/m/12&code=abcd2345`.

/** @param {string} hash */
export function parseRoute(hash) {
	const parts = hash.replace(/^#/, '').split('&');
	const code = parts.find(part => part.startsWith('code='));
	const path = parts.find(part => part.startsWith('/')) ?? '/';

	return { path: path.split('/').filter(word => word !== '').map(decode), code: code ? decode(code.slice(5)) : null };
}

/** @param {string} text */
function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** @param {string[]} path */
export function linkTo(...path) {
	return `#/${path.map(encodeURIComponent).join('/')}`;
}

/** The address of a match for others: the server's page about it, of which chats show the title and the board, and which leads to `linkTo('m', match)`. @param {string} match */
export function previewOf(match) {
	return `m/${encodeURIComponent(match)}`;
}

/** A position in letters that addresses leave alone, and so do those who send them on. @type {{[letter: string]: string}} */
const PACKED = { '/': '.', ' ': '_', '[': '(', ']': ')', '@': '~' };

/**
 * The address of a page that shows a position: `#/analysis/clobber:5x6/PpPpP.pPpPp…_w`, and moves from there.
 * @param {string} page @param {string} game @param {string} variant @param {string} position @param {string[]} [moves]
 */
export function linkToPosition(page, game, variant, position, moves = []) {
	const pack = (/** @type {string} */ text) => [...text].map(letter => PACKED[letter] ?? letter).join('');

	return linkTo(page, `${game}:${variant}`, pack(position), ...moves.length > 0 ? [pack(moves.join(' '))] : []).replace('%3A', ':');
}

/** What such an address has. @param {string} word */
export function unpacked(word) {
	return Object.entries(PACKED).reduce((text, [letter, packed]) => text.replaceAll(packed, letter), word);
}

/** @param {string[]} path */
export function go(...path) {
	location.hash = linkTo(...path);
}

/**
 * Calls `show` for the address as it is and as it changes. `useCode` gets a join code, which then leaves the address.
 * @param {(path: string[]) => void} show @param {(code: string) => void} useCode
 */
export function startRouter(show, useCode) {
	const follow = () => {
		const { path, code } = parseRoute(location.hash);
		if (code !== null) {
			useCode(code);
			history.replaceState(null, '', linkTo(...path));
		}
		show(path);
	};

	addEventListener('hashchange', follow);
	follow();
}
