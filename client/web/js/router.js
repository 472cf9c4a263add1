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
