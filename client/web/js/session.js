// This browser at the server: its name and token, the join code, and coming back.
import { Connection, Refusal } from './connection.js';

const PLAYER = 'ludus.player';
const CODE = 'ludus.code';
const NAME_TRIES = 5;
const FIRST = ['brisk', 'calm', 'clever', 'fair', 'keen', 'lucky', 'merry', 'nimble', 'quiet', 'swift', 'warm', 'witty'];
const LAST = ['badger', 'crane', 'falcon', 'fox', 'hare', 'heron', 'lynx', 'otter', 'owl', 'raven', 'seal', 'wren'];

/** @param {string} key @returns {any} what was kept under a key; null: nothing that can be read */
export function recall(key) {
	try {
		return JSON.parse(localStorage.getItem(key) ?? 'null');
	} catch {
		return null;
	}
}

/** @param {string} key @param {any} value null forgets it */
export function remember(key, value) {
	try {
		if (value === null) localStorage.removeItem(key);
		else localStorage.setItem(key, JSON.stringify(value));
	} catch { /* a browser that keeps nothing: the page works until it is closed */ }
}

function someName() {
	const pick = (/** @type {string[]} */ words) => words[Math.floor(Math.random() * words.length)];

	return `${pick(FIRST)}-${pick(LAST)}-${10 + Math.floor(Math.random() * 90)}`;
}

export class Session {
	/** @param {Store} store @param {string} url */
	constructor(store, url) {
		this.store = store;
		/** @type {Identity | null} */
		this.identity = recall(PLAYER);
		/** @type {string | null} */
		this.code = recall(CODE);
		this.codeNeeded = false;
		this.problem = '';
		this.connection = new Connection(url, {
			message: message => this.receive(message),
			down: () => this.goDown(),
		});
	}

	/** Keeps a join code that came with the address. @param {string} code */
	useCode(code) {
		this.code = code;
		remember(CODE, code);
	}

	/** Sends a command. Rejects with a Refusal. @param {string} line */
	async ask(line) {
		const reply = await this.connection.ask(line);

		if (reply.type === 'state') this.store.apply(reply);
		return reply;
	}

	/** @param {Message} message */
	receive(message) {
		if (message.type === 'hello') void this.greet(message);
		else if (message.type === 'bye') this.end(message.reason);
		else this.store.apply(message);
	}

	goDown() {
		const { status } = this.store;

		if (status === 'here' || status === 'connecting') this.store.setStatus('lost');
	}

	/** @param {string} reason */
	end(reason) {
		if (reason !== 'replaced' && reason !== 'closed') return;
		this.connection.stop();
		this.store.setStatus(reason);
	}

	/** Connects again after the server said bye. */
	takeOver() {
		this.store.setStatus('connecting');
		this.connection.open();
	}

	/** @param {Message} hello */
	async greet(hello) {
		this.codeNeeded = hello.code;
		this.store.setName(hello.name);
		try {
			if (this.identity) await this.comeBack(this.identity);
			else if (hello.code && this.code) await this.takeName(someName());
			if (hello.code && !this.code) throw new Refusal('code-needed', '');
			this.store.setStatus('here');
		} catch (refusal) {
			this.refuse(refusal);
		}
	}

	/** @param {Refusal} refusal of the greeting */
	refuse(refusal) {
		if (refusal.code === 'lost') return;
		this.problem = refusal.code === 'code-needed' ? '' : refusal.message;
		if (refusal.code === 'bad-code') remember(CODE, this.code = null);
		this.store.setStatus(this.codeNeeded ? 'code' : 'refused');
	}

	/** Tries a join code that was typed. @param {string} code */
	async enter(code) {
		this.useCode(code);
		await this.greet({ type: 'hello', code: true, name: this.store.name });
	}

	/** @param {Identity} identity */
	async comeBack(identity) {
		try {
			await this.takeName(identity.name, identity.token);
		} catch (refusal) {
			const { code } = refusal;
			if (code === 'bad-token') await this.comeBack({ name: identity.name }); /* a server that forgot */
			else if (code === 'name-taken') await this.startAfresh();
			else throw refusal;
		}
	}

	/** The name belongs to somebody else now: play on without it. */
	async startAfresh() {
		this.forget();
		if (this.codeNeeded) await this.takeName(someName());
	}

	/** @param {string} name @param {string} [token] */
	async takeName(name, token) {
		const words = ['hello', name, token && `token=${token}`, this.codeNeeded && this.code && `code=${this.code}`, 'client=web'];
		const reply = await this.connection.ask(words.filter(word => word).join(' '));

		if (reply.token) remember(PLAYER, this.identity = { name: reply.name, token: reply.token });
		this.store.setName(reply.name);
	}

	/** Gives a guest a name, so that they can come back. */
	async ensureName() {
		for (let i = 0; this.identity === null && i < NAME_TRIES; i++) {
			try {
				await this.takeName(someName());
			} catch (refusal) {
				if (refusal.code !== 'name-taken') throw refusal;
			}
		}
	}

	forget() {
		this.identity = null;
		remember(PLAYER, null);
	}

	/** Leaves the name for good and comes again as somebody else. @param {string} name */
	async rename(name) {
		if (this.identity === null) {
			await this.takeName(name);
			return;
		}
		await this.connection.ask('quit').catch(() => null);
		this.identity = { name };
		remember(PLAYER, this.identity);
		location.reload();
	}
}
