// What players and watchers say to each other.
import { fill, h, line } from './dom.js';
import { nameOf } from './words.js';

export class Chat {
	/** @param {App} app @param {string} match */
	constructor(app, match) {
		this.app = app;
		this.match = match;
		this.lines = h('ol.lines', { id: 'chat-lines', 'aria-label': 'Chat' });
		this.input = line('say', 'Say something', { maxlength: 200, enterkeyhint: 'send' });
		this.problem = h('p.problem', { role: 'alert' });
		this.node = h('section.chat', { id: 'chat', 'aria-label': 'Chat' }, this.lines,
			h('form', { onsubmit: event => this.say(event) }, this.input), this.problem);
		this.stop = app.store.on('chat', which => which === match && this.show(true));
		this.show(false);
	}

	/** @param {boolean} loud whether the last line is new */
	show(loud) {
		const lines = this.app.store.chats.get(this.match) ?? [];
		const last = lines.at(-1);

		this.lines.hidden = lines.length === 0;
		fill(this.lines, lines.map(each => h('li', h('strong', nameOf(each.from)), ' ', each.text)));
		this.lines.scrollTop = this.lines.scrollHeight;
		if (!loud || !last || last.from === this.app.store.name) return;
		this.app.announce(`${nameOf(last.from)} says: ${last.text}`);
		this.app.sound.play('talk');
	}

	/** @param {Event} event */
	async say(event) {
		const text = this.input.value.trim();

		event.preventDefault();
		if (text === '') return;
		this.input.value = this.problem.textContent = '';
		try {
			await this.app.session.ask(`say ${this.match} ${text}`);
		} catch (refusal) {
			this.input.value ||= text;
			this.problem.textContent = refusal.message;
		}
	}

	close() {
		this.stop();
	}
}
