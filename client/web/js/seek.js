// Looking for an opponent: what is sought, for how long, and the match that comes of it.
import { h } from './dom.js';
import { gameLabel } from './games/index.js';
import { recall } from './kept.js';
import { say, sayPlural } from './language.js';
import { go } from './router.js';
import { capital, termsText } from './words.js';

const PEOPLE_MS = 10000; /* between two looks at how many people are here */

export class Seek {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		/** @type {SeekWish | null} what is sought; null: nothing */
		this.wish = null;
		this.since = 0; /* by performance.now() */
		this.people = 0; /* others who are here */
		this.asked = 0;
		this.problem = '';
		app.store.on('paired', paired => this.meet(paired));
		app.store.on('status', () => app.store.status === 'here' && this.wish && this.send(this.wish)); /* a seek ends with its connection */
	}

	/** Seeks this instead of what was sought so far. Rejects with a Refusal. @param {SeekWish} wish */
	async start(wish) {
		await this.app.session.ensureName();
		if (this.wish) await this.cancel();
		this.wish = wish;
		this.since = performance.now();
		this.asked = 0;
		this.problem = '';
		try {
			await this.app.session.ask(lineOf(wish));
		} catch (refusal) {
			this.wish = null;
			throw refusal;
		} finally {
			this.app.store.emit('seek');
		}
	}

	/** @param {SeekWish} wish after the connection has come back */
	async send(wish) {
		await this.app.session.ask(lineOf(wish)).catch(refusal => { this.problem = refusal.message; });
		this.app.store.emit('seek');
	}

	async cancel() {
		this.wish = null;
		this.app.store.emit('seek');
		await this.app.session.ask('unseek').catch(() => null); /* it may have been paired meanwhile */
	}

	/** @param {Message} paired */
	meet(paired) {
		if (paired.seek !== undefined && paired.seek !== null) this.wish = null; /* else a tournament has paired */
		this.app.store.emit('seek');
		this.app.sound.play('turn');
		go('m', paired.match);
	}

	/** Opens a match against a bot of the level that was chosen last; the seek goes on. */
	async playBot() {
		const level = /** @type {{level?: string} | null} */ (recall('ludus.setup'))?.level ?? 'gentle';
		const { wish } = this;

		if (!wish) return;
		try {
			const { match } = await this.app.session.ask(`new ${wish.game}:${wish.variant} white=me black=bot:${/^[a-z]{3,8}$/.test(level) ? level : 'gentle'}`);
			go('m', match);
		} catch (refusal) {
			this.problem = capital(refusal.message);
			this.app.store.emit('seek');
		}
	}

	/** Counts the people here, now and then. */
	async look() {
		const now = performance.now();

		if (this.asked && now - this.asked < PEOPLE_MS) return;
		this.asked = now;
		const who = await this.app.session.ask('who bot=no').catch(() => null);
		if (who) this.people = Math.max(0, who.total - 1);
	}
}

/** @param {SeekWish} wish */
function lineOf({ game, variant, clock, rated, color }) {
	return ['seek', `${game}:${variant}`, clock && `clock=${clock}`, `rated=${rated ? 'yes' : 'no'}`, color && `color=${color}`].filter(word => word).join(' ');
}

/** What waits at the foot of every page while an opponent is sought; null: nothing is. @param {App} app @returns {HTMLElement | null} */
export function seekNotice(app) {
	const { seek, store } = app;
	const { wish } = seek;

	if (!wish) return null;
	const time = h('span', { role: 'timer' });
	const bot = h('button', { 'data-action': 'meanwhile', onclick: () => seek.playBot() }, say('Play a bot meanwhile'));
	const node = h('div.notice.seeking', { id: 'seeking' }, h('span.spinner'),
		h('p', h('strong', say('Looking for an opponent')), ` — ${gameLabel(wish.game, wish.variant)}, ${termsText(clockOf(wish.clock), wish.rated)}. `, time, seek.problem && h('span.problem', ` ${seek.problem}`)),
		bot, h('button', { 'data-action': 'unseek', onclick: () => seek.cancel() }, say('Cancel')));
	const tick = () => {
		const seconds = Math.floor((performance.now() - seek.since) / 1000);
		if (seek.wish !== wish) return;
		bot.hidden = store.mine().some(state => state.status === 'playing');
		time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} · ${seek.people === 0 ? say('nobody else is here yet') : sayPlural('{count} other person here', '{count} other people here', seek.people)}`;
		void seek.look();
		setTimeout(tick, 1000);
	};

	tick();
	return node;
}

/** @param {string} clock as a command has it @returns {TimeControl | null} */
export function clockOf(clock) {
	const [base, increment = 0] = clock.split('+').map(Number);

	return clock === '' ? null : { base_ms: base * 1000, increment_ms: increment * 1000 };
}

/** @param {TimeControl | null} clock as the server tells it @returns {string} as a command has it */
export function clockWord(clock) {
	return clock ? `${clock.base_ms / 1000}+${clock.increment_ms / 1000}` : '';
}
