// What the page knows: filled by the server's messages, read by everything that is shown.

const CHAT_LINES = 200;

/**
 * Topics: `status`, `name`, `state` (a State), `chat` (a match), `challenges`, `lobby`, `seek` (what this player seeks),
 * `rematch`, `paired`, `tournament` and `offer` (their events).
 */
export class Store {
	constructor() {
		/** @type {Map<string, Set<(value?: any) => void>>} by topic */
		this.listeners = new Map();
		/** @type {Status} */
		this.status = 'connecting';
		this.name = '';
		/** @type {Map<string, State>} */
		this.matches = new Map();
		/** @type {Map<string, number>} when each state came, by performance.now() */
		this.since = new Map();
		/** @type {Map<string, ChatLine[]>} */
		this.chats = new Map();
		/** @type {Set<string>} matches whose state has come and no line of chat since */
		this.fresh = new Set();
		/** @type {Map<string, Challenge>} */
		this.challenges = new Map();
		/** @type {Row[]} */
		this.lobby = [];
		/** @type {SeekRow[]} */
		this.seeks = [];
	}

	/** @param {string} topic @param {(value?: any) => void} listener @returns {() => void} stops listening */
	on(topic, listener) {
		const set = this.listeners.get(topic) ?? new Set();

		this.listeners.set(topic, set.add(listener));
		return () => set.delete(listener);
	}

	/** Acts now if the server is there, and each time that it comes back. @param {() => void} act @returns {() => void} stops */
	whenHere(act) {
		const follow = () => {
			if (this.status === 'here') act();
		};

		follow();
		return this.on('status', follow);
	}

	/** @param {string} topic @param {any} [value] */
	emit(topic, value) {
		for (const listener of [...this.listeners.get(topic) ?? []]) listener(value);
	}

	/** @param {Status} status */
	setStatus(status) {
		this.status = status;
		this.emit('status');
	}

	/** @param {string} name */
	setName(name) {
		this.name = name;
		this.emit('name');
	}

	/** @param {State} state @returns {boolean} whether it waits for a move of this player */
	static isMine(state) {
		return state.status === 'playing' && (state.you === 'both' || state.you === state.turn);
	}

	/** @returns {State[]} the unfinished matches of this player, those that wait for a move first */
	mine() {
		return [...this.matches.values()].filter(state => state.you !== null && state.status !== 'over')
			.sort((a, b) => Number(Store.isMine(b)) - Number(Store.isMine(a)));
	}

	/** @param {Message} message any message of the server */
	apply(message) {
		if (message.type === 'state') this.setState(message);
		else if (message.type === 'presence') this.setPresence(message);
		else if (message.type === 'chat') this.addChat(message);
		else if (message.type === 'challenge') this.addChallenge(message);
		else if (message.type === 'lobby') this.setRow(message);
		else if (message.type === 'offer') this.setOffer(message);
		else if (['rematch', 'paired', 'tournament'].includes(message.type)) this.emit(message.type, message);
	}

	/** @param {State} state */
	setState(state) {
		this.matches.set(state.match, state);
		this.fresh.add(state.match);
		this.since.set(state.match, performance.now());
		if (this.challenges.has(state.match) && (state.status === 'over' || state.you !== null)) {
			this.challenges.delete(state.match);
			this.emit('challenges');
		}
		this.emit('state', state);
	}

	/** @param {Message} event */
	setPresence(event) {
		const state = this.matches.get(event.match);

		if (!state) return;
		const { players, ...rest } = this.asOfNow(state);
		const { name, online, claim_ms } = event;
		const now = { .../** @type {any} */ (players)[event.color], name, online, claim_ms };
		this.setState({ ...rest, players: { ...players, [event.color]: now } });
	}

	/** @param {Message} event */
	setOffer(event) {
		const state = this.matches.get(event.match);
		const offer = { what: event.what, from: event.from, color: event.color };

		if (!state) return;
		const others = state.offers.filter(each => each.what !== event.what || each.color !== event.color);
		this.setState({ ...this.asOfNow(state), offers: event.open ? [...others, offer] : others });
		this.emit('offer', event);
	}

	/** A state as if it had come just now. @param {State} state @returns {State} */
	asOfNow(state) {
		const { clock, players } = state;
		const passed = performance.now() - (this.since.get(state.match) ?? 0);
		const later = (/** @type {any} */ ms) => (typeof ms === 'number' ? Math.max(0, ms - passed) : ms);
		const gone = (/** @type {Player | null} */ player) => player && { ...player, claim_ms: later(player.claim_ms), stall_ms: later(player.stall_ms) };

		return {
			...state, players: { white: gone(players.white), black: gone(players.black) },
			clock: clock?.running ? { ...clock, [`${clock.running}_ms`]: later(clock[`${clock.running}_ms`]) } : clock,
		};
	}

	/** Adds a line. Those of the past come all together after a state, and stand for what was known. @param {Message} event */
	addChat({ match, from, text, to, past = false }) {
		const anew = past && this.fresh.has(match);
		const lines = anew ? [] : this.chats.get(match) ?? [];

		this.fresh.delete(match);
		this.chats.set(match, [...lines.slice(1 - CHAT_LINES), { from, text, to, past }]);
		this.emit('chat', match);
	}

	/** @param {Challenge} challenge */
	addChallenge(challenge) {
		this.challenges.set(challenge.match, challenge);
		this.emit('challenges', challenge);
	}

	/** @param {string} match */
	dropChallenge(match) {
		this.challenges.delete(match);
		this.emit('challenges');
	}

	/** @param {Row[]} rows @param {SeekRow[]} [seeks] */
	setLobby(rows, seeks = this.seeks) {
		this.lobby = rows;
		this.seeks = seeks;
		this.emit('lobby');
	}

	/** @param {Row} row */
	setRow(row) {
		const others = this.lobby.filter(each => each.match !== row.match);

		this.setLobby(row.status === 'over' ? others : [row, ...others]);
	}
}
