// A player's strip beside the board: name, presence, clock, and the pieces in hand.
import { fill, h } from './dom.js';
import { say } from './language.js';
import { pieceIcon } from './pieces.js';
import { clockText, nameOf, shownName } from './words.js';

const LOW_MS = 20000;

export class Seat {
	/**
	 * @param {Game} game
	 * @param {(piece: string, event: PointerEvent | null) => void} pick a piece in hand is pressed, or chosen by key
	 */
	constructor(game, pick) {
		this.game = game;
		this.pick = pick;
		this.who = h('div.who');
		this.hand = h('div.hand', { role: 'group' });
		this.clock = h('div.clock', { role: 'timer' });
		this.node = h('section.seat', this.who, this.hand, this.clock);
		/** @type {Color} */
		this.color = 'white';
		/** @type {Clock | null} */
		this.times = null;
		this.since = 0;
		this.timer = 0;
	}

	/**
	 * @param {Color} color @param {State} state @param {View} view what the board shows
	 * @param {number} since when the state came @param {string | null} chosen the letter picked up, if any
	 */
	show(color, state, view, since, chosen) {
		const player = state.players[color];
		const moves = state.status === 'playing' && state.turn === color;

		this.color = color;
		this.node.dataset.seat = color;
		this.node.classList.toggle('turn', moves);
		this.node.setAttribute('aria-label', color === 'white' ? say('White: {name}', { name: nameOf(player?.name) }) : say('Black: {name}', { name: nameOf(player?.name) }));
		fill(this.who, h(`span.disc.${color}`), h('span.name', shownName(player?.name)),
			player?.rating && h('span.rating', { title: say('Rating') }, player.rating),
			player && !player.seated && h('span.note', say('challenged')),
			player && player.seated && !player.online && h('span.note', say('away')));
		this.showHand(view, chosen);
		this.times = state.clock;
		this.since = since;
		this.tick();
	}

	/** @param {View} view @param {string | null} chosen */
	showHand(view, chosen) {
		const letters = this.game.hand?.(view, this.color) ?? '';
		const active = view.legal === null ? view.ahead === this.color : view.turn === this.color;

		this.hand.hidden = this.game.hand === undefined;
		this.hand.setAttribute('aria-label', this.color === 'white' ? say('White in hand') : say('Black in hand'));
		const focused = this.hand.contains(document.activeElement) && document.activeElement?.getAttribute('data-piece');
		fill(this.hand, [...new Set(letters)].map(letter => this.handPiece(letter, letters, active, view, chosen)));
		if (focused) /** @type {HTMLElement | null} */ (this.hand.querySelector(`[data-piece=${focused}]`))?.focus();
	}

	/** @param {string} letter @param {string} letters @param {boolean} active @param {View} view @param {string | null} chosen */
	handPiece(letter, letters, active, view, chosen) {
		const piece = letter.toUpperCase();
		const count = [...letters].filter(each => each === letter).length;
		const fits = active && (view.legal?.some(move => move.startsWith(`${piece}@`)) ?? true);

		return h('button.piece-button', {
			'data-piece': piece, disabled: !active, 'aria-pressed': String(active && chosen === piece),
			'aria-label': [this.game.pieces[piece] ?? piece, count > 1 && count, active && !fits && say('cannot be placed now')].filter(word => word).join(', '),
			'data-fits': fits ? view.legal === null ? 'ahead' : 'yes' : 'no',
			onpointerdown: event => event.button === 0 && this.pick(piece, event),
			onclick: event => event.detail === 0 && this.pick(piece, null),
		}, pieceIcon(this.game, letter), count > 1 && h('span.count', count));
	}

	/** Shows the clock, and comes again when its text changes. */
	tick() {
		clearTimeout(this.timer);
		this.clock.hidden = this.times === null;
		if (this.times === null) return;
		const runs = this.times.running === this.color;
		const left = Math.max(0, this.times[`${this.color}_ms`] - (runs ? performance.now() - this.since : 0));
		this.clock.textContent = clockText(left);
		this.clock.classList.toggle('runs', runs);
		this.clock.classList.toggle('low', runs && left < LOW_MS);
		if (!runs || left === 0) return;
		const step = left < LOW_MS + 1000 ? 100 : 1000;
		this.timer = setTimeout(() => this.tick(), left % step + 5);
	}

	close() {
		clearTimeout(this.timer);
	}
}
