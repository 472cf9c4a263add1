// Shows the theme that was chosen before anything is painted, and says why the page does not start, or does not get a WebSocket. No module: behind a proxy that changes the page's
// address the server gives browsers no modules, and a browser tells a page nothing of why it got none.

try {
	const place = new URL('.', document.baseURI).pathname; /* as kept.js has it */
	document.documentElement.dataset.theme = JSON.parse(localStorage.getItem(`ludus.theme${place === '/' ? '' : ` ${place}`}`) ?? '"system"');
} catch { /* a browser that keeps nothing */ }

/** Asks the server how it is addressed. Resolves to a sentence; '': nothing is known. @returns {Promise<string>} */
window.whyNoConnection = async () => {
	const answer = await fetch('ws', { cache: 'no-store' }).catch(() => null);
	const text = answer ? await answer.text().catch(() => '') : '';
	const host = text.match(/ pages of (\S+)$/m)?.[1].replace(location.protocol === 'https:' ? /:443$/ : /:80$/, '');

	if (answer?.status === 403) return text;
	if (host && host.toLowerCase() !== location.host)
		return `A proxy in between asks the server for ${host} instead of ${location.host}: it must pass Host on as it is, with its port.`;
	return answer?.status === 426 ? 'Something in between does not pass WebSockets on to the server.' : '';
};

document.querySelector('script[type=module]')?.addEventListener('error', async () => {
	const notice = document.createElement('p');

	notice.className = 'notice problem';
	notice.id = 'not-started';
	notice.setAttribute('role', 'alert');
	notice.textContent = `The page cannot start. ${await window.whyNoConnection()}`;
	document.getElementById('notices')?.replaceChildren(notice);
});
