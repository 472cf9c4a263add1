// A match in the report of a course, step by step, without a server: the board, the moves and the pace of the page for
// browsers, which pack_board.py puts into one script.
import { Board } from '../web/js/board.js';
import { fill, h } from '../web/js/dom.js';
import { otherColor, rowsOf, sideOf, viewOf } from '../web/js/grid.js';
import { showKeys } from '../web/js/keys.js';
import { Moves } from '../web/js/moves.js';
import { Pace } from '../web/js/pace.js';
import { definePieces } from '../web/js/pieces.js';
import { onFrames } from '../web/js/scene.js';
import { Seat } from '../web/js/seat.js';
import { resultWords } from '../web/js/words.js';

/** Of a game without a module. @type {Pictures} */
const PLAIN = { pieces: {}, shapes: {}, style: '', aid: null, draws: true, marks: () => new Map(), tell: () => [], examples: [] };

/** What moves.js and pace.js need of a match: those of the page are handed a MatchView. */
class Replay {
	/** @param {any} record a line of matches.jsonl, with the title of its game @param {Game} game @param {HTMLElement} node */
	constructor(record, game, node) {
		this.record = record;
		this.game = game;
		this.node = node;
		this.timeline = { moves: record.moves, positions: record.positions, judged: [] };
		this.app = { sound: { play: () => undefined }, announce: (/** @type {string} */ text) => { if (this.announcer) this.announcer.textContent = text; } };
		this.plan = { drop: () => undefined };
		/** @type {number | null} the ply that is shown; null: the last */
		this.at = null;
		this.flip = false;
		const player = (/** @type {string} */ name) => ({ name, bot: true, rating: null, rating_deviation: null, online: true, seated: true });
		/** @type {State} */
		this.state = {
			match: record.match, game: record.game, variant: record.variant, status: 'over', you: null, ply: record.moves.length,
			turn: sideOf(record.positions.at(-1)), position: record.positions.at(-1), board: rowsOf(record.positions.at(-1)),
			last: record.moves.at(-1) ?? null, players: { white: player(record.white), black: player(record.black) }, clock: null,
			offers: [], result: record.result, reason: record.reason, rated: true,
		};
		this.build();
	}

	build() {
		const { record } = this;

		this.board = new Board(this.game, { play: () => undefined });
		this.seats = [0, 1].map(() => new Seat(this.game, () => undefined));
		this.seats[0].node.id = 'seat-far';
		this.seats[1].node.id = 'seat-near';
		this.status = h('div.status', { id: 'status' });
		this.announcer = h('p.unseen', { role: 'status', id: 'announcer' });
		const pace = new Pace(/** @type {any} */ (this));
		this.pace = pace;
		this.moves = new Moves(/** @type {any} */ (this), pace);
		fill(this.node, this.seats[0].node, this.board.node, this.seats[1].node,
			h('div.side', h('div.label', h('p.title', `${record.title}${record.variant === 'standard' ? '' : ` ${record.variant}`}`),
				h('button.quiet', { 'data-action': 'keys', onclick: showKeys }, 'Keys')), this.status, this.moves.node, this.announcer));
		onFrames(() => this.show());
	}

	/** @param {number | null} ply null: the last @param {boolean} [paced] nobody has asked for it just now */
	step(ply, paced = false) {
		const { length } = this.timeline.moves;

		if (!paced) this.pace?.pause();
		this.at = ply === null || ply >= length ? null : Math.max(0, ply);
		history.replaceState(null, '', `#${this.at ?? ''}`);
		this.show();
	}

	turnBoard() {
		this.flip = !this.flip;
		this.show();
	}

	show() {
		const { board, record, state, timeline } = this;
		const at = this.at ?? timeline.moves.length;
		const near = this.flip ? 'black' : 'white';
		const view = { ...viewOf(timeline.positions[at], record.variant), last: timeline.moves[at - 1] ?? null };

		if (!board || !this.seats) return;
		this.node.dataset.status = 'over';
		this.node.dataset.ply = String(at);
		board.show(view, this.flip, false);
		for (const side of ['--files', '--ranks']) this.node.style.setProperty(side, board.scene.node.style.getPropertyValue(side)); /* the seats are as wide */
		this.seats[0].show(otherColor(near), state, view, 0, null);
		this.seats[1].show(near, state, view, 0, null);
		this.showStatus(at);
		this.pace?.show(state);
		this.moves?.show(state);
	}

	/** @param {number} at */
	showStatus(at) {
		const { record } = this;
		const { headline, detail } = resultWords(record.result, record.reason);
		const ms = record.times_ms?.[at - 1];
		const played = at > 0 && `Move ${at} of ${record.moves.length}: ${record.moves[at - 1]}${typeof ms === 'number' ? `, after ${(ms / 1000).toFixed(2)} s` : ''}`;

		const random = (record.random ?? []).find((/** @type {{number: number}} */ mark) => mark.number === at);

		if (this.status) {
			fill(this.status, h('p.headline', headline), detail && h('p.detail', detail), h('p.detail', played || 'Before the first move'),
				random && h('p.detail.random', `Played at random: ${random.why}`));
		}
	}
}

/** Shows the match of the page, if it has one. @param {{[game: string]: Pictures}} pictures of the games that have any */
export function show(pictures) {
	const text = document.getElementById('record')?.textContent;
	const node = document.getElementById('match');

	if (!text || !node) return;
	const record = JSON.parse(text);
	const game = /** @type {Game} */ (/** @type {any} */ ({ ...PLAIN, ...pictures[record.game], name: record.game, title: record.title }));
	const sheet = new CSSStyleSheet();

	definePieces([game]);
	sheet.replaceSync(game.style.replaceAll('&', `[data-game="${game.name}"]`));
	document.adoptedStyleSheets = [sheet];
	const replay = new Replay(record, game, node);
	const follow = () => replay.step(/^#\d{1,5}$/.test(location.hash) ? Number(location.hash.slice(1)) : null);
	addEventListener('hashchange', follow);
	follow();
}
