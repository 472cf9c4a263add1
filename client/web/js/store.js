// What the page knows: filled by the server's messages, read by everything that is shown.
import { Emitter } from './emitter.js';

/** @typedef {'connecting' | 'here' | 'lost' | 'code' | 'replaced' | 'refused'} Status */

const CHAT_LINES = 200;

/**
 * Topics: `status`, `name`, `state` (a State), `chat` (a match), `challenges`, `lobby`, `rematch` and
 * `offer` (their events); an offer changes the state first.
 */
export class Store extends Emitter {
	constructor() {
		super();
		/** @type {Status} */
		this.status = 'connecting';
		this.name = '';
		/** @type {Map<string, State>} */
		this.matches = new Map();
		/** @type {Map<string, number>} when each state came, by performance.now() */
		this.since = new Map();
		/** @type {Map<string, {from: string, text: string}[]>} */
		this.chats = new Map();
		/** @type {Map<string, Challenge>} */
		this.challenges = new Map();
		/** @type {Row[]} */
		this.lobby = [];
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
			.sort((a, b) => Number(Store.isMine(b)) - Number(Store.isMine(a)) || Number(b.match) - Number(a.match));
	}

	/** @param {Message} message any message of the server */
	apply(message) {
		if (message.type === 'state') this.setState(message);
		else if (message.type === 'presence') this.setPresence(message);
		else if (message.type === 'chat') this.addChat(message);
		else if (message.type === 'challenge') this.addChallenge(message);
		else if (message.type === 'lobby') this.setRow(message);
		else if (message.type === 'offer') this.setOffer(message);
		else if (message.type === 'rematch') this.emit('rematch', message);
	}

	/** @param {State} state */
	setState(state) {
		this.matches.set(state.match, state);
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
		const player = state?.players[/** @type {'white' | 'black'} */ (event.color)];

		if (!state || !player) return;
		const now = { ...player, name: event.name, online: event.online, claim_ms: event.claim_ms };
		this.setState({ ...this.withClockNow(state), players: { ...state.players, [event.color]: now } });
	}

	/** @param {Message} event */
	setOffer(event) {
		const state = this.matches.get(event.match);
		const offer = { what: event.what, from: event.from, color: event.color };

		if (!state) return;
		const others = state.offers.filter(each => each.what !== event.what || each.color !== event.color);
		this.setState({ ...this.withClockNow(state), offers: event.open ? [...others, offer] : others });
		this.emit('offer', event);
	}

	/** A state as if it had come just now. @param {State} state */
	withClockNow(state) {
		const { clock } = state;
		const passed = performance.now() - (this.since.get(state.match) ?? 0);

		if (clock === null || clock.running === null) return state;
		const left = Math.max(0, (clock.running === 'white' ? clock.white_ms : clock.black_ms) - passed);
		return { ...state, clock: { ...clock, [`${clock.running}_ms`]: left } };
	}

	/** @param {Message} event */
	addChat(event) {
		const lines = this.chats.get(event.match) ?? [];

		this.chats.set(event.match, [...lines.slice(1 - CHAT_LINES), { from: event.from, text: event.text }]);
		this.emit('chat', event.match);
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

	/** @param {Row[]} rows */
	setLobby(rows) {
		this.lobby = rows;
		this.emit('lobby');
	}

	/** @param {Row} row */
	setRow(row) {
		const others = this.lobby.filter(each => each.match !== row.match);

		this.setLobby(row.status === 'over' ? others : [row, ...others]);
	}
}
