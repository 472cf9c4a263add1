// Shows the theme and the language that were chosen before anything is painted, and says why the page does not start, or does not get a WebSocket. No module: behind a proxy that changes the page's
// address the server gives browsers no modules, and a browser tells a page nothing of why it got none.

/** @param {string} key @returns {any} what kept.js keeps under it; null: nothing */
function keptAtStart(key) {
	const place = new URL('.', document.baseURI).pathname; /* as kept.js has it */

	try {
		return JSON.parse(localStorage.getItem(place === '/' ? key : `${key} ${place}`) ?? 'null');
	} catch { /* a browser that keeps nothing */
		return null;
	}
}

/** The languages of the server, by their tags: the addresses of their tables. @type {{[tag: string]: string}} */
const languageTables = Object.fromEntries([...document.querySelectorAll('link[rel=languages]')].flatMap(link => {
	const [, tag] = /\/([\w-]+)\.json$/.exec(link.getAttribute('href') ?? '') ?? [];

	return tag ? [[tag, link.getAttribute('href') ?? '']] : [];
}));

/** The language that was chosen, else the first that the browser wants and the server has. @returns {string} its tag */
function chooseLanguage() {
	const tags = ['en', ...Object.keys(languageTables)];
	const kept = keptAtStart('ludus.language');
	const find = (/** @type {string} */ wanted) => tags.find(tag => tag.toLowerCase() === wanted.toLowerCase());

	if (tags.includes(kept)) return kept;
	for (const wanted of navigator.languages ?? []) {
		const found = find(wanted) ?? find(wanted.split('-')[0]);
		if (found) return found;
	}
	return 'en';
}

document.documentElement.dataset.theme = keptAtStart('ludus.theme') ?? 'system';
document.documentElement.lang = chooseLanguage();
window.language = {
	tag: document.documentElement.lang,
	tags: ['en', ...Object.keys(languageTables)],
	table: languageTables[document.documentElement.lang] ? fetch(languageTables[document.documentElement.lang]).then(answer => answer.json()).catch(() => null) : null,
};

/** @type {Table | null} */
let tableAtStart = null;

/** As say() of language.js, as far as the table has come. @param {string} text @param {{[name: string]: string}} values */
function sayAtStart(text, values = {}) {
	const found = tableAtStart?.texts[text];

	return (typeof found === 'string' ? found : text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

void window.language.table?.then(told => { tableAtStart = told; });

/** Asks the server how it is addressed. Resolves to a sentence; '': nothing is known. @returns {Promise<string>} */
window.whyNoConnection = async () => {
	const answer = await fetch('ws', { cache: 'no-store' }).catch(() => null);
	const text = answer ? await answer.text().catch(() => '') : '';
	const host = text.match(/ pages of (\S+)$/m)?.[1].replace(location.protocol === 'https:' ? /:443$/ : /:80$/, '');

	if (answer?.status === 403) return text;
	if (host && host.toLowerCase() !== location.host)
		return sayAtStart('A proxy in between asks the server for {host} instead of {here}: it must pass Host on as it is, with its port.', { host, here: location.host });
	return answer?.status === 426 ? sayAtStart('Something in between does not pass WebSockets on to the server.') : '';
};

document.querySelector('script[type=module]')?.addEventListener('error', async () => {
	const notice = document.createElement('p');

	notice.className = 'notice problem';
	notice.id = 'not-started';
	notice.setAttribute('role', 'alert');
	notice.textContent = `${sayAtStart('The page cannot start.')} ${await window.whyNoConnection()}`;
	document.getElementById('notices')?.replaceChildren(notice);
});
