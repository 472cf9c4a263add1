// The connection to the server: lines out, messages in, and back again after it was lost.

const WAITS_MS = [100, 300, 700, 1500, 3000, 5000];
const CONNECT_MS = 8000;
const QUIET_MS = 25000; /* then the server is asked whether it is there */
const ANSWER_MS = 8000;

/** The server's answer to a command that it did not take, or the loss of the connection (`lost`). */
export class Refusal extends Error {
	/** @param {string} code @param {string} message */
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

export class Connection {
	/** @param {string} url @param {{message: (message: Message) => void, down: () => void}} handlers */
	constructor(url, handlers) {
		this.url = url;
		this.handlers = handlers;
		/** @type {WebSocket | null} */
		this.socket = null;
		/** @type {Map<string, {resolve: (reply: Message) => void, reject: (refusal: Refusal) => void}>} */
		this.waiting = new Map();
		this.count = 0;
		this.tries = 0;
		this.stopped = false;
		this.timer = 0;
		this.silence = 0;
		addEventListener('online', () => this.hurry());
		document.addEventListener('visibilitychange', () => document.hidden || this.hurry());
	}

	open() {
		const socket = new WebSocket(this.url, 'ludus.v1');

		this.stopped = false;
		this.socket = socket;
		this.giveUpAfter(CONNECT_MS);
		socket.onopen = () => {
			this.watchSilence();
			this.send(''); /* a connection that says nothing is closed */
		};
		socket.onmessage = event => this.receive(event.data);
		socket.onclose = () => this.lose(socket);
	}

	/** Ends the connection for good, until open(). */
	stop() {
		this.stopped = true;
		clearTimeout(this.timer);
		this.socket?.close();
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

		return new Promise((resolve, reject) => {
			if (this.socket?.readyState !== WebSocket.OPEN) {
				reject(new Refusal('lost', 'There is no connection to the server.'));
				return;
			}
			this.waiting.set(id, { resolve, reject });
			this.socket.send(`#${id} ${line}`);
		});
	}

	/** @param {string} text */
	receive(text) {
		/** @type {Message} */
		const message = JSON.parse(text);
		const asked = this.waiting.get(message.id ?? '');

		this.watchSilence();
		if (message.type === 'hello') this.tries = 0;
		if (asked === undefined) {
			this.handlers.message(message);
			return;
		}
		this.waiting.delete(message.id ?? '');
		if (message.type === 'error') asked.reject(new Refusal(message.code, message.message));
		else asked.resolve(message);
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

	/** @param {WebSocket} socket */
	lose(socket) {
		if (this.socket !== socket) return;
		this.socket = null;
		clearTimeout(this.silence);
		for (const { reject } of this.waiting.values()) reject(new Refusal('lost', 'The connection was lost.'));
		this.waiting.clear();
		this.handlers.down();
		if (this.stopped) return;
		this.timer = setTimeout(() => this.open(), WAITS_MS[Math.min(this.tries++, WAITS_MS.length - 1)]);
	}
}
