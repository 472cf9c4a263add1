// A board that can be played: by taps, by drags and by keys. It offers what `legal` says, and lets
// the server refuse the rest. The right button draws arrows and circles on it.
import { h } from './dom.js';
import { cellAt, colorOf, moveParts, squareAt, squareName } from './grid.js';
import { say } from './language.js';
import { pieceIcon, pieceWords } from './pieces.js';
import { Scene } from './scene.js';

const DRAG_PX = 6;
const LIFTED = { mouse: { size: 1.25, up: 0 }, touch: { size: 2, up: 0.9 } }; /* what is dragged, in squares: above a finger, which covers a square */
const THUMB_PX = 40;

export class Board {
	/**
	 * @param {Game} game
	 * @param {{play: (move: string) => void, chose?: (source: string | null) => void, idle?: (square: string) => void, why?: (what: string) => void}} handlers
	 *   `play` gets every move that is tried; `chose` the square or the `Q@` that is picked up, or null;
	 *   `idle` tells of a tap on a square while no move may be made; `why` of a square or a `Q@` that nothing can be done with
	 */
	constructor(game, handlers) {
		this.game = game;
		this.handlers = handlers;
		this.scene = new Scene(game);
		this.grid = h('div.grid', { role: 'grid', 'aria-label': say('{game} board', { game: game.title }) });
		this.node = h('div.board', { 'data-game': game.name }, this.scene.node);
		this.scene.node.append(this.grid);
		/** @type {Map<string, HTMLElement>} */
		this.cells = new Map();
		/** @type {View | null} */
		this.view = null;
		/** @type {Map<string, Mark>} */
		this.marks = new Map();
		this.flipped = false;
		/** @type {string | null} the square or the `Q@` that is picked up */
		this.source = null;
		this.focus = 'a1';
		/** @type {string | null} the square to tap when the pointer that is down comes up */
		this.aimed = null;
		this.unsure = false; /* between two squares */
		/** @type {Set<string>} arrows and circles: two squares each */
		this.drawn = new Set();
		this.listen();
	}

	listen() {
		this.grid.addEventListener('pointerdown', event => this.press(event));
		this.grid.addEventListener('contextmenu', event => event.preventDefault()); /* the right button draws */
		this.grid.addEventListener('keydown', event => this.key(event));
		this.grid.addEventListener('mousedown', event => { /* the arrows step through the moves for hands that do not walk the board by them */
			event.preventDefault();
			if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
		});
		this.grid.addEventListener('click', event => {
			const square = event.detail === 0 ? squareOf(event.target) : this.aimed; /* 0: from a screen reader */
			this.magnify(event);
			if (square !== null) this.tap(square);
		});
	}

	/** @param {View} view @param {boolean} flipped @param {boolean} aid whether the game's aid is on */
	show(view, flipped, aid) {
		const changed = this.view === null || this.view.position !== view.position || (view.legal === null && !view.ahead);
		const held = this.view?.ahead && view.legal !== null && this.source && this.isOwn(this.source); /* picked up ahead, and the turn has come */

		if (this.view?.position !== view.position) this.drawn.clear();
		this.view = view;
		this.flipped = flipped;
		this.marks = this.game.marks(view, aid);
		if (changed && !(held && this.source && this.isOwn(this.source))) this.source = null;
		this.scene.show(view, flipped, this.marks);
		this.layOut();
		this.refresh();
	}

	/** Makes the cells, in the order in which they are seen. */
	layOut() {
		const { files, ranks, pad } = this.scene;
		const key = `${files} ${ranks} ${pad} ${this.flipped}`;

		if (this.grid.dataset.layout === key) return;
		this.grid.dataset.layout = key;
		this.grid.style.inset = `${100 * pad / (ranks + 2 * pad)}% ${100 * pad / (files + 2 * pad)}%`;
		this.cells.clear();
		this.grid.replaceChildren(...[...Array(ranks).keys()].map(y => h('div.row', { role: 'row' },
			[...Array(files).keys()].map(x => this.makeCell(this.flipped ? squareName(files - 1 - x, y) : squareName(x, ranks - 1 - y))))));
		if (!this.cells.has(this.focus)) this.focus = 'a1';
	}

	/** @param {string} square */
	makeCell(square) {
		const cell = h('div.cell', { role: 'gridcell', 'data-square': square, tabindex: -1 });

		this.cells.set(square, cell);
		return cell;
	}

	/** @param {string} square */
	cell(square) {
		return this.view === null ? '' : cellAt(this.view.rows, ...squareAt(square));
	}

	/** @returns {Color | null} whose pieces may be picked up: to move now, or ahead */
	side() {
		return this.view === null ? null : this.view.legal === null ? this.view.ahead ?? null : this.view.turn;
	}

	/** @param {string} square @returns {boolean} whether it holds a piece that may be picked up */
	isOwn(square) {
		return this.side() !== null && colorOf(this.cell(square)) === this.side();
	}

	/** The legal moves to a square. */
	moves() {
		return (this.view?.legal ?? []).flatMap(move => moveParts(move) ?? []);
	}

	/** @returns {string[]} the squares that what is picked up may go to */
	targets() {
		return this.moves().filter(move => move.from === this.source).map(move => move.to);
	}

	/** @returns {string | null} what a tap sends: what is picked up, or the only kind of piece in hand */
	held() {
		const { view, source } = this;
		const kinds = view?.legal ? [...new Set(this.game.hand?.(view, view.turn).toUpperCase())] : [];

		return source ?? (kinds.length === 1 ? `${kinds[0]}@` : null);
	}

	/** @param {string} square @returns {boolean} whether a tap on it does something */
	acts(square) {
		return square === this.source || this.targets().includes(square) || this.moves().some(move => move.from === square)
			|| this.moves().some(move => move.from === this.held() && move.to === square)
			|| (this.view?.legal === null && (this.source !== null || this.isOwn(square)));
	}

	/** Picks up the piece on a square, or one in hand (`Q@`); null: puts it back. @param {string | null} source */
	choose(source) {
		this.source = source;
		this.refresh();
		this.handlers.chose?.(source);
		if (source !== null && this.view?.legal && this.targets().length === 0) this.handlers.why?.(source);
	}

	/** Draws what depends on the choice, and names the squares. */
	refresh() {
		const targets = new Set(this.targets());
		const classes = new Map();
		const last = moveParts(this.view?.last ?? '');
		const add = (/** @type {string} */ square, /** @type {string} */ name) =>
			this.cells.has(square) && classes.set(square, classes.has(square) ? `${classes.get(square)} ${name}` : name);

		if (last !== null) [last.from, last.to].forEach(square => add(square, 'last'));
		const plan = moveParts(this.view?.plan ?? '');
		if (plan !== null) [plan.from, plan.to].forEach(square => add(square, 'plan'));
		if (this.source !== null) add(this.source, 'chosen');
		for (const square of targets) add(square, colorOf(this.cell(square)) === null ? 'step' : 'take');
		this.scene.markSquares(classes);
		this.scene.draw([...this.drawn], this.view?.better);
		for (const [square, cell] of this.cells) this.nameCell(square, cell, targets.has(square));
	}

	/** @param {string} square @param {HTMLElement} cell @param {boolean} isTarget */
	nameCell(square, cell, isTarget) {
		const words = [this.words(square), isTarget && say('can go here'), moveParts(this.view?.plan ?? '')?.to === square && say('chosen')];

		cell.setAttribute('aria-label', words.filter(word => word).join(', '));
		cell.setAttribute('aria-selected', String(square === this.source));
		cell.tabIndex = square === this.focus ? 0 : -1;
		cell.classList.toggle('own', this.isOwn(square));
		cell.classList.toggle('target', isTarget);
	}

	/** @param {string} square @returns {string} such as "white soldier, locked, e5" */
	words(square) {
		const cell = this.cell(square);
		const color = colorOf(cell);
		const piece = color !== null ? pieceWords(this.game, cell) : cell === '*' && say('hole');

		return [piece, this.marks.get(square)?.words, square].filter(word => word).join(', ');
	}

	/** Takes a square for the piece that is picked up, or picks one up. @param {string} square */
	tap(square) {
		const { source } = this;
		const held = this.held();

		if (this.side() === null || (this.view?.legal === null && source === null && (this.game.hand || !this.isOwn(square)))) {
			this.handlers.idle?.(square);
			return;
		}
		if (source === square) this.choose(null);
		else if (this.isOwn(square) && !this.game.hand && !this.targets().includes(square)) this.choose(square);
		else if (held !== null) this.send(held, square);
		else this.handlers.why?.(square);
	}

	/** @param {PointerEvent} event */
	press(event) {
		const square = this.aimed = this.aim(event);

		if (event.button === 2 && square !== null) this.sketch(square);
		else if (event.button === 0 && this.drawn.size > 0) this.erase();
		if (square === null || event.button !== 0) return;
		this.setFocus(square, false);
		if (this.game.hand || !this.isOwn(square) || this.targets().includes(square)) return;
		if (this.source !== square) {
			this.aimed = null;
			this.choose(square);
		}
		this.carry(event, this.cell(square));
	}

	/** The square that a press means: for a thumb, the one that does something within its size. @param {PointerEvent} event */
	aim(event) {
		const reached = event.pointerType !== 'touch' ? [] : [...this.cells].filter(([square, cell]) => {
			const box = cell.getBoundingClientRect();
			const [x, y] = [event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2];
			return Math.max(Math.abs(x), Math.abs(y), box.width / 2) < THUMB_PX / 2 && this.acts(square);
		});

		this.unsure = reached.length > 1;
		return this.unsure ? null : reached[0]?.[0] ?? squareOf(event.target);
	}

	/** Shows the board twice as large for one touch, after one that may have meant two squares. @param {MouseEvent} event */
	magnify(event) {
		const box = this.scene.node.getBoundingClientRect();

		this.scene.node.style.transformOrigin = `${event.clientX - box.x}px ${event.clientY - box.y}px`;
		this.node.classList.toggle('near', this.unsure);
	}

	/** Draws an arrow from a square to where the right button comes up, a circle around the same one; drawn again it goes. @param {string} start */
	sketch(start) {
		const listeners = new AbortController();
		const to = (/** @type {PointerEvent} */ event) => squareOf(document.elementFromPoint(event.clientX, event.clientY)) ?? start;

		addEventListener('pointermove', event => this.scene.draw([...this.drawn, start + to(event)], this.view?.better), listeners);
		addEventListener('pointerup', event => {
			const shape = start + to(event);
			if (!this.drawn.delete(shape)) this.drawn.add(shape);
			this.scene.draw([...this.drawn], this.view?.better);
			listeners.abort();
		}, listeners);
		addEventListener('pointercancel', () => listeners.abort(), listeners);
	}

	/** Takes away what was drawn. */
	erase() {
		this.drawn.clear();
		this.scene.draw([], this.view?.better);
	}

	/** Picks up a piece in hand, or puts it back. @param {string} piece its letter @param {PointerEvent | null} event null: by key */
	pick(piece, event) {
		const source = `${piece}@`;

		this.choose(this.source === source ? null : source);
		if (event && this.source) this.carry(event, this.side() === 'black' ? piece.toLowerCase() : piece);
	}

	/** Lets what is picked up follow the pointer, and plays it where it is let go. @param {PointerEvent} start @param {string} cell */
	carry(start, cell) {
		const { source } = this;
		const { size: times, up } = LIFTED[start.pointerType === 'touch' ? 'touch' : 'mouse'];
		const square = this.grid.getBoundingClientRect().width / this.scene.files;
		const size = times * square;
		const held = this.scene.pieces.get(source ?? '')?.node;
		const ghost = h('div.ghost', pieceIcon(this.game, cell));
		const listeners = new AbortController();
		const end = () => {
			listeners.abort();
			ghost.remove();
			this.point(null);
			requestAnimationFrame(() => held?.classList.remove('held'));
		};

		addEventListener('pointermove', event => {
			if (!ghost.isConnected && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG_PX) return;
			held?.classList.add('held');
			if (!ghost.isConnected) document.body.append(ghost);
			ghost.style.width = `${size}px`;
			ghost.style.transform = `translate(${event.clientX - size / 2}px, ${Math.max(0, event.clientY - size / 2 - up * square)}px)`;
			this.point(squareOf(document.elementFromPoint(event.clientX, event.clientY)));
		}, listeners);
		addEventListener('pointerup', event => {
			const under = document.elementFromPoint(event.clientX, event.clientY);
			const target = ghost.isConnected && this.grid.contains(under) ? squareOf(under) : null;
			if (target !== null && source !== null && target !== source && this.source === source) this.send(source, target);
			end();
		}, listeners);
		addEventListener('pointercancel', end, listeners);
	}

	/** Shows over which square something is carried. @param {string | null} square */
	point(square) {
		for (const [name, cell] of this.cells) cell.classList.toggle('below', name === square);
	}

	/** Tries a move; if it is legal, the piece goes ahead of the answer. @param {string} from @param {string} to */
	send(from, to) {
		const piece = this.scene.pieces.get(from);

		if (piece && this.targets().includes(to)) this.scene.moveTo(piece, ...this.scene.place(to));
		this.handlers.play(from + to);
	}

	/** Takes back what went ahead. */
	putBack() {
		for (const piece of this.scene.pieces.values()) this.scene.moveTo(piece, ...this.scene.place(piece.square));
	}

	/** The move was refused. */
	refuse() {
		this.putBack();
		this.choose(null);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];

		if (event.ctrlKey || event.altKey || event.metaKey) return;
		if (step) this.walk(step[0], step[1]);
		else if (event.key === 'Enter' || event.key === ' ') this.tap(this.focus);
		else if (event.key === 'Escape') this.choose(null);
		else return;
		if (event.key !== 'Escape') event.preventDefault(); /* which the match hears, too */
	}

	/** @param {number} dx @param {number} dy as seen on the screen */
	walk(dx, dy) {
		const [file, rank] = squareAt(this.focus);
		const turn = this.flipped ? -1 : 1;
		const square = squareName(file + turn * dx, rank + turn * dy);

		if (this.cells.has(square)) this.setFocus(square, true);
	}

	/** @param {string} square @param {boolean} move whether the keyboard goes there, too */
	setFocus(square, move) {
		const [before, after] = [this.cells.get(this.focus), this.cells.get(square)];

		if (before) before.tabIndex = -1;
		this.focus = square;
		if (!after) return;
		after.tabIndex = 0;
		if (move) after.focus();
	}
}

/** @param {EventTarget | null} target */
function squareOf(target) {
	const cell = target instanceof Element ? target.closest('[data-square]') : null;

	return cell?.getAttribute('data-square') ?? null;
}
