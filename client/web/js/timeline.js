// The moves of a match that are known, and the position after each.
import { checked } from './line.js';

const PAGE = 200; /* positions that the server sends at a time */

export class Timeline {
	/** @param {Session} session @param {string} match */
	constructor(session, match) {
		this.session = session;
		this.match = match;
		/** @type {string[]} */
		this.moves = [];
		/** @type {(string | undefined)[]} by ply */
		this.positions = [];
		/** @type {Judged[]} by ply, once the match was reviewed */
		this.judged = [];
		/** @type {MatchRecord | null} as it was asked for last */
		this.record = null;
	}

	/** Asks the server for the moves, and for the positions from a ply on. @param {number} [from] */
	async load(from = 0) {
		const start = from - from % PAGE;
		const record = /** @type {MatchRecord} */ (/** @type {any} */ (
			await this.session.ask(`record ${checked.match(this.match)} positions=${start}`)));

		if (record.moves.length < this.moves.length) return; /* older than what came meanwhile */
		this.record = record;
		this.moves = [...record.moves];
		this.positions[0] = record.start;
		record.positions?.forEach((position, i) => { this.positions[start + i] = position; });
	}

	/** Takes in a state. @param {State} state @returns {boolean} false: there are moves that only load() can tell */
	follow(state) {
		this.moves.length = Math.min(this.moves.length, state.ply);
		this.positions.length = Math.min(this.positions.length, state.ply + 1);
		if (state.last !== null && this.moves.length === state.ply - 1) this.moves.push(state.last);
		this.positions[state.ply] = state.position;
		return this.moves.length === state.ply && (state.ply === 0 || this.moves[state.ply - 1] === state.last);
	}

	/** @param {number} ply @returns {Promise<string | undefined>} the position after that many moves */
	async positionAt(ply) {
		if (this.positions[ply] === undefined) await this.load(ply);
		return this.positions[ply];
	}
}
