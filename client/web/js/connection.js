// The connection to the server: lines out, messages in, and back again after it was lost.
import { say } from './language.js';
import { Refusal, refusalText } from './line.js';
import { learnNames } from './names.js';

const WAITS_MS = [100, 300, 700, 1500, 3000, 5000];
const CONNECT_MS = 8000;
const QUIET_MS = 25000; /* then the server is asked whether it is there */
const ANSWER_MS = 8000;
const GOOD_MS = 10000; /* a connection that holds so long was no failure */
const LINE_BYTES = 1024; /* unless the greeting says otherwise */
const MISUNDERSTOOD = [1003, 1007, 1009]; /* close codes: what this page sends is not what the server expects */
const encoder = new TextEncoder();

/**
 * Sends a hello on a connection of its own, which ends with the reply. Rejects with a Refusal.
 * @param {string} url @param {string} line @returns {Promise<Message>}
 */
export function sayHello(url, line) {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url, 'ludus.v1');
		const timer = setTimeout(() => socket.close(), ANSWER_MS);

		socket.onopen = () => socket.send(line);
		socket.onmessage = event => {
			const message = JSON.parse(event.data);

			if (message.cmd !== 'hello') return;
			if (message.type === 'ok') resolve(message);
			else reject(new Refusal(message.code, refusalText(message)));
			socket.close();
		};
		socket.onclose = () => {
			clearTimeout(timer);
			reject(new Refusal('lost', say('There is no connection to the server.')));
		};
	});
}

export class Connection {
	/** @param {string} url @param {{message: (message: Message) => void, down: (misunderstood: boolean) => void}} handlers */
	constructor(url, handlers) {
		this.url = url;
		this.handlers = handlers;
		/** @type {WebSocket | null} */
		this.socket = null;
		/** @type {Map<string, {resolve: (reply: Message) => void, reject: (refusal: Refusal) => void}>} */
		this.waiting = new Map();
		this.count = 0;
		this.lineBytes = LINE_BYTES;
		this.tries = 0;
		this.stopped = false;
		this.timer = 0;
		this.holds = 0;
		this.silence = 0;
		/** @type {AbortController | null} of what the browser tells of network and page, while this is not stopped */
		this.heeds = null;
	}

	heed() {
		const heeds = this.heeds = new AbortController();

		addEventListener('online', () => this.hurry(), heeds);
		document.addEventListener('visibilitychange', () => document.hidden || this.hurry(), heeds);
		addEventListener('pagehide', () => this.drop(), heeds); /* a page that is kept for the way back is not here */
		addEventListener('pageshow', () => this.hurry(), heeds);
	}

	open() {
		const socket = new WebSocket(this.url, 'ludus.v1');

		this.stopped = false;
		if (!this.heeds) this.heed();
		this.socket = socket;
		this.giveUpAfter(CONNECT_MS);
		socket.onopen = () => {
			this.watchSilence();
			this.send(''); /* a connection that says nothing is closed */
		};
		socket.onmessage = event => this.receive(event.data);
		socket.onclose = event => this.lose(socket, event.code);
	}

	/** Ends the connection for good, until open(). */
	stop() {
		this.stopped = true;
		this.heeds?.abort();
		this.heeds = null;
		this.drop();
	}

	/** Ends the connection until hurry(). */
	drop() {
		const { socket } = this;

		socket?.close();
		if (socket) this.lose(socket);
		clearTimeout(this.timer);
	}

	/** Tries again at once if the connection is lost and waits for its next try. */
	hurry() {
		if (this.socket !== null || this.stopped) return;
		clearTimeout(this.timer);
		this.open();
	}

	/** Sends a line that nobody waits for. @param {string} line */
	send(line) {
		if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
	}

	/** Sends a command. Rejects with a Refusal. @param {string} line */
	ask(line) {
		const id = String(++this.count);
		const text = `#${id} ${line}`;

		return new Promise((resolve, reject) => {
			if (encoder.encode(text).length >= this.lineBytes) {
				reject(new Refusal('line-too-long', say('That is too long for one line.')));
				return;
			}
			if (this.socket?.readyState !== WebSocket.OPEN) {
				reject(new Refusal('lost', say('There is no connection to the server.')));
				return;
			}
			this.waiting.set(id, { resolve, reject });
			this.socket.send(text);
		});
	}

	/** @param {string} text */
	receive(text) {
		/** @type {Message} */
		const message = JSON.parse(text);
		const asked = this.waiting.get(message.id ?? '');

		this.watchSilence();
		learnNames(message);
		if (message.type === 'hello') this.begin(message);
		if (asked === undefined) {
			this.handlers.message(message);
			return;
		}
		this.waiting.delete(message.id ?? '');
		if (message.type === 'error') asked.reject(new Refusal(message.code, refusalText(message)));
		else asked.resolve(message);
	}

	/** @param {Message} hello */
	begin(hello) {
		this.lineBytes = hello.limits?.line ?? LINE_BYTES;
		clearTimeout(this.holds);
		this.holds = setTimeout(() => { this.tries = 0; }, GOOD_MS);
	}

	watchSilence() {
		clearTimeout(this.silence);
		this.silence = setTimeout(() => {
			this.send('ping');
			this.giveUpAfter(ANSWER_MS);
		}, QUIET_MS);
	}

	/** Takes the connection for lost if nothing is heard for so long. @param {number} ms */
	giveUpAfter(ms) {
		const socket = this.socket;

		clearTimeout(this.silence);
		this.silence = setTimeout(() => {
			socket?.close();
			if (socket) this.lose(socket);
		}, ms);
	}

	/** @param {WebSocket} socket @param {number} [code] */
	lose(socket, code = 0) {
		const misunderstood = MISUNDERSTOOD.includes(code);

		if (this.socket !== socket) return;
		this.socket = null;
		this.stopped ||= misunderstood;
		clearTimeout(this.silence);
		clearTimeout(this.holds);
		for (const { reject } of this.waiting.values()) reject(new Refusal('lost', say('The connection was lost.')));
		this.waiting.clear();
		this.handlers.down(misunderstood);
		if (this.stopped) return;
		this.timer = setTimeout(() => this.open(), WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]);
	}
}
