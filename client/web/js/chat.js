// What players say to each other, and those who watch among themselves.
import { fill, h, line } from './dom.js';
import { ignoredPlayers, recall, remember } from './kept.js';
import { say } from './language.js';
import { nameOf, shownName } from './words.js';

const MUTED = 'ludus.muted';
const ROOMS = /** @type {const} */ (['players', 'watchers']);
const TITLES = { players: say('Players'), watchers: say('Watchers') };

export class Chat {
	/** @param {App} app @param {string} match */
	constructor(app, match) {
		this.app = app;
		this.match = match;
		/** @type {ChatLine['to']} */
		this.room = 'players';
		/** @type {State | null} */
		this.state = null;
		this.muted = recall(MUTED) === true;
		this.unread = 0; /* in the other room */
		this.tabs = ROOMS.map(room => h('button.tab', { 'data-room': room, 'aria-pressed': 'false', onclick: () => this.enter(room) }));
		this.mute = h('button.quiet.toggle', { 'data-action': 'mute', onclick: () => this.setMuted(!this.muted) }, say('Mute'));
		this.lines = h('ol.lines', { id: 'chat-lines', 'aria-label': say('Chat'), tabindex: 0 });
		this.input = line('say', say('Say something'), { maxlength: 200, enterkeyhint: 'send' });
		this.form = h('form', { onsubmit: event => this.say(event) }, this.input);
		this.problem = h('p.problem', { role: 'alert' });
		this.node = h('section.chat', { id: 'chat', 'aria-label': say('Chat') }, h('div.rooms', this.tabs, this.mute), this.lines, this.form, this.problem);
		this.badge = h('button.unread-badge', { id: 'unread', hidden: true, onclick: () => this.node.scrollIntoView({ block: 'center' }) }); /* what was said where the chat is out of sight */
		this.unseen = 0;
		this.node.append(this.badge);
		this.look = () => this.isSeen() && this.setUnseen(0);
		addEventListener('scroll', this.look, { passive: true });
		this.stops = [() => removeEventListener('scroll', this.look), app.store.on('chat', which => which === match && this.hear()), app.store.on('ignored', () => this.show())];
		this.show();
	}

	/** Begins in the room in which this player talks. @param {State} state */
	turnTo(state) {
		if (this.state === null) this.room = state.you === null ? 'watchers' : 'players';
		this.state = state;
		this.show();
	}

	/** @param {ChatLine['to']} room */
	enter(room) {
		this.room = room;
		this.unread = 0;
		this.show();
		this.lines.scrollTop = this.lines.scrollHeight;
	}

	/** @param {boolean} muted */
	setMuted(muted) {
		this.muted = muted;
		remember(MUTED, muted || null);
		this.show();
	}

	isSeen() {
		const { top, bottom } = this.form.getBoundingClientRect();

		return !document.hidden && top >= 0 && bottom <= window.innerHeight;
	}

	/** @param {number} count */
	setUnseen(count) {
		this.unseen = count;
		this.badge.hidden = count === 0;
		this.badge.textContent = String(count);
		this.badge.setAttribute('aria-label', say('{count} unread, go to the chat', { count }));
	}

	/** The lines that this player wants to read. */
	heard() {
		const ignored = ignoredPlayers();

		return (this.app.store.chats.get(this.match) ?? []).filter(each => !ignored.includes(each.from));
	}

	/** Whether this player is to be told of a line. @param {ChatLine} line */
	isNews({ from, past }) {
		return !past && !this.muted && from !== this.app.store.name && !ignoredPlayers().includes(from);
	}

	/** A line has come. */
	hear() {
		const last = this.app.store.chats.get(this.match)?.at(-1);
		const news = last !== undefined && this.isNews(last);

		if (news && last.to !== this.room) this.unread++;
		this.show();
		this.lines.scrollTop = this.lines.scrollHeight;
		if (!news) return;
		if (!this.isSeen()) this.setUnseen(this.unseen + 1);
		this.app.announce(say('{name} says: {text}', { name: nameOf(last.from), text: last.text }), 'chat');
		this.app.sound.play('talk');
	}

	show() {
		const lines = this.heard();
		const shown = lines.filter(each => each.to === this.room);
		const both = this.state?.you === null || lines.some(each => each.to === 'watchers');

		this.tabs.forEach((tab, i) => {
			const count = ROOMS[i] === this.room ? 0 : this.unread;
			tab.setAttribute('aria-pressed', String(ROOMS[i] === this.room));
			tab.hidden = !both;
			fill(tab, TITLES[ROOMS[i]], count > 0 && h('span.unread', { 'aria-label': say('{count} unread', { count }) }, count));
		});
		this.mute.hidden = lines.length === 0;
		this.mute.setAttribute('aria-pressed', String(this.muted));
		this.lines.hidden = this.muted || shown.length === 0;
		this.form.hidden = this.muted || this.state?.you === null && this.room === 'players'; /* only players talk to players */
		fill(this.lines, shown.map(each => h('li', h('strong', shownName(each.from)), ' ', each.text)));
	}

	/** @param {Event} event */
	async say(event) {
		const text = this.input.value.trim();

		event.preventDefault();
		if (text === '') return;
		this.input.value = this.problem.textContent = '';
		try {
			await this.app.session.ask(`say ${this.match} to=${this.room} ${text}`);
		} catch (refusal) {
			this.input.value ||= text;
			this.problem.textContent = refusal.message;
		}
	}

	close() {
		this.stops.forEach(stop => stop());
	}
}
