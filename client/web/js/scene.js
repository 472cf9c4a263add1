// Draws a position as SVG: squares, marks, pieces, and their way from one position to the next.
import { h, s } from './dom.js';
import { cells, colorOf, moveParts, squareAt, squareName, viewOf } from './grid.js';
import { pieceShape } from './pieces.js';

const FADE_MS = 220;
const SMALL = matchMedia('(max-width: 43rem), (max-height: 32rem)'); /* a phone: the frame is slim, and its letters fill it */

/** @param {() => void} listener is told when frames change, as a window becomes as small as a phone @returns {() => void} stops it */
export function onFrames(listener) {
	SMALL.addEventListener('change', listener);
	return () => SMALL.removeEventListener('change', listener);
}

export class Scene {
	/** @param {Game} game @param {string} [part] of the board, as two corners: `a3f6` */
	constructor(game, part = '') {
		const corners = moveParts(part);

		this.game = game;
		/** @type {[number, number, number, number] | null} the first file and rank of what is shown, and the last; null: all */
		this.part = corners && [...squareAt(corners.from), ...squareAt(corners.to)];
		this.files = 0;
		this.ranks = 0;
		this.pad = 0; /* the frame around the squares, in squares */
		this.flipped = false;
		/** @type {Map<string, Piece>} by square */
		this.pieces = new Map();
		/** @type {Map<string, SVGElement>} */
		this.tiles = new Map();
		this.layers = {
			squares: s('g.squares'), coordinates: s('g.coordinates'), under: s('g.under'),
			pieces: s('g.pieces'), over: s('g.over'), drawn: s('g.drawn'),
		};
		this.svg = s('svg');
		this.node = h('div.scene', { 'data-game': game.name }, this.svg);
	}

	/** The place of a square on the screen, in squares. @param {string} square @returns {[number, number]} */
	place(square) {
		const [file, rank] = squareAt(square);

		return this.flipped ? [this.files - 1 - file, rank] : [file, this.ranks - 1 - rank];
	}

	/** @param {string[]} rows @param {boolean} flipped @returns {boolean} whether the squares were drawn anew */
	layOut(rows, flipped) {
		const [left, low, right, high] = this.part ?? [0, 0, rows[0].length - 1, rows.length - 1];
		const pad = this.part ? 0.09 * Math.max(right - left + 1, high - low + 1) : (SMALL.matches ? 0.027 : 0.045) * Math.max(rows[0].length, rows.length);

		if (this.files === rows[0].length && this.ranks === rows.length && this.flipped === flipped && this.pad === pad) return false;
		[this.files, this.ranks, this.flipped, this.pad] = [rows[0].length, rows.length, flipped, pad];
		const [x, y, files, ranks] = [left, this.ranks - 1 - high, right - left + 1, high - low + 1];
		const [width, height] = [files + 2 * pad, ranks + 2 * pad];
		this.svg.setAttribute('viewBox', `${x - pad} ${y - pad} ${width} ${height}`);
		this.node.style.setProperty('--files', String(width));
		this.node.style.setProperty('--ranks', String(height));
		this.svg.replaceChildren(
			s('rect.frame', { x: x - pad, y: y - pad, width, height, rx: pad * 0.4 }),
			s('rect.ground', { x, y, width: files, height: ranks }), ...Object.values(this.layers));
		this.drawSquares(rows);
		this.drawCoordinates(left, low, right, high);
		this.layers.pieces.replaceChildren();
		this.pieces.clear();
		return true;
	}

	/** The cells that are shown. @param {string[]} rows */
	cells(rows) {
		const [left, low, right, high] = this.part ?? [0, 0, Infinity, Infinity];

		return cells(rows).filter(({ file, rank }) => file >= left && file <= right && rank >= low && rank <= high);
	}

	/** @param {string[]} rows */
	drawSquares(rows) {
		this.tiles.clear();
		for (const { square, file, rank } of this.cells(rows)) {
			const [x, y] = this.place(square);
			const shade = (file + rank) % 2 === 0 ? 'dark' : 'light';
			this.tiles.set(square, s(`rect.square.${shade}`, { x, y, width: 1, height: 1 }));
		}
		this.layers.squares.replaceChildren(...this.tiles.values());
	}

	/** @param {number} left @param {number} low @param {number} right @param {number} high */
	drawCoordinates(left, low, right, high) {
		const files = [...Array(right - left + 1).keys()].map(file => squareName(left + file, low));
		const ranks = [...Array(high - low + 1).keys()].map(rank => squareName(left, low + rank));
		const [x, y] = [left - this.pad / 2, this.ranks - low + this.pad / 2];

		this.layers.coordinates.setAttribute('font-size', String(this.pad * (SMALL.matches || this.part ? 0.85 : 0.56)));
		this.layers.coordinates.replaceChildren(
			...files.map(square => s('text', { x: this.place(square)[0] + 0.5, y }, square[0])),
			...ranks.map(square => s('text', { x, y: this.place(square)[1] + 0.5 }, square.slice(1))));
	}

	/**
	 * Shows a position; pieces glide from the one shown before.
	 * @param {View} view @param {boolean} flipped @param {Map<string, Mark>} marks
	 */
	show(view, flipped, marks) {
		const still = this.layOut(view.rows, flipped);

		this.node.classList.toggle('still', still);
		for (const { square, cell } of cells(view.rows)) this.tiles.get(square)?.classList.toggle('hole', cell === '*');
		this.movePieces(view);
		for (const piece of this.pieces.values()) {
			piece.node.setAttribute('class', `piece ${colorOf(piece.cell)} ${marks.get(piece.square)?.piece ?? ''}`);
		}
		this.layers.over.replaceChildren(...[...marks].flatMap(([square, mark]) => this.markShapes(square, mark)));
	}

	/** @param {View} view */
	movePieces(view) {
		const wanted = new Map(this.cells(view.rows).filter(at => colorOf(at.cell) !== null).map(at => [at.square, at.cell]));
		const left = [...this.pieces.values()].filter(piece => wanted.get(piece.square) !== piece.cell);
		const came = [...wanted].filter(([square, cell]) => this.pieces.get(square)?.cell !== cell);
		const parts = moveParts(view.last ?? '');

		for (const piece of left) this.pieces.delete(piece.square);
		for (const [square, cell] of came) {
			const fits = left.filter(piece => piece.cell === cell);
			const mover = fits.find(piece => piece.square === parts?.from && square === parts.to) ?? fits[0];
			if (mover !== undefined) left.splice(left.indexOf(mover), 1);
			this.put(mover ?? this.newPiece(cell), square);
		}
		for (const piece of left) this.fade(piece.node);
	}

	/** @param {string} cell */
	newPiece(cell) {
		return { cell, square: '', node: s('g', pieceShape(this.game, cell)) };
	}

	/** @param {Piece} piece @param {string} square */
	put(piece, square) {
		piece.square = square;
		this.pieces.set(square, piece);
		this.moveTo(piece, ...this.place(square));
		this.layers.pieces.append(piece.node); /* the one that moves passes over the others */
	}

	/** @param {Piece} piece @param {number} x @param {number} y in squares */
	moveTo(piece, x, y) {
		piece.node.style.transform = `translate(${x}px, ${y}px)`;
	}

	/** @param {SVGElement} node */
	fade(node) {
		node.classList.add('gone');
		setTimeout(() => node.remove(), FADE_MS);
	}

	/** @param {string} square @param {Mark} mark */
	markShapes(square, mark) {
		const [x, y] = this.place(square);
		const shapes = [];

		if (mark.badge) shapes.push(badge(mark.badge, x, y));
		mark.counts?.forEach((count, side) => {
			if (count > 0) shapes.push(chip(count, side, x, y));
		});
		return shapes;
	}

	/**
	 * Draws arrows and circles over the pieces.
	 * @param {string[]} shapes two squares each, as a move has them @param {string | null} [better] the move that a review prefers
	 */
	draw(shapes, better = null) {
		const parts = better === null ? null : moveParts(better);

		const shape = parts && (parts.from.endsWith('@') ? parts.to : parts.from) + parts.to; /* a placement is a circle */

		this.layers.drawn.replaceChildren(...shapes.map(each => this.drawing(each)), shape ? this.drawing(shape, '.better') : '');
	}

	/** @param {string} shape @param {string} [kind] */
	drawing(shape, kind = '') {
		const { from, to } = /** @type {{from: string, to: string}} */ (moveParts(shape));
		const [x, y, toX, toY] = [...this.place(from), ...this.place(to)].map(value => value + 0.5);

		return from === to ? s(`circle.ringed${kind}`, { cx: x, cy: y, r: 0.44, 'data-shape': shape }) : arrow(x, y, toX, toY, shape, kind);
	}

	/** Draws marks below the pieces: `classes` by square. @param {Map<string, string>} classes */
	markSquares(classes) {
		this.layers.under.replaceChildren(...[...classes].flatMap(([square, names]) => {
			const [x, y] = this.place(square);
			return names.split(' ').map(name => underShape(name, x, y));
		}));
	}
}

/** @param {string} name @param {number} x @param {number} y */
function underShape(name, x, y) {
	if (name === 'step') return s('circle.step', { cx: x + 0.5, cy: y + 0.5, r: 0.15 });
	if (name === 'take') return s('circle.take', { cx: x + 0.5, cy: y + 0.5, r: 0.46 });
	return s(`rect.${name}`, { x, y, width: 1, height: 1 });
}

/** @param {number} x @param {number} y @param {number} toX @param {number} toY @param {string} shape @param {string} kind */
function arrow(x, y, toX, toY, shape, kind) {
	const length = Math.hypot(toX - x, toY - y);
	const turn = Math.atan2(toY - y, toX - x) * 180 / Math.PI;

	return s(`path.arrow${kind}`, { transform: `translate(${x} ${y}) rotate(${turn})`, 'data-shape': shape,
		d: `M.2-.08H${length - 0.4}V-.22L${length - 0.05} 0 ${length - 0.4} .22V.08H.2z` });
}

/** @param {'lock' | 'check' | 'aim'} kind @param {number} x @param {number} y */
function badge(kind, x, y) {
	const parts = {
		lock: [s('path.shackle', { d: 'M-.07-.02v-.06a.07.07 0 0 1 .14 0v.06' }),
			s('rect.solid', { x: -0.1, y: -0.03, width: 0.2, height: 0.15, rx: 0.03 })],
		check: [s('path.shackle', { d: 'M0-.11v.13M0 .1v.005' })],
		aim: [s('path.shackle', { d: 'M0-.11v.22M-.11 0h.22' })],
	};

	return s(`g.badge.${kind}`, { transform: `translate(${x + 0.82} ${y + 0.18})` }, s('circle', { r: 0.17 }), parts[kind]);
}

/** @param {number} count @param {number} side @param {number} x @param {number} y */
function chip(count, side, x, y) {
	return s(`g.chip.${side === 0 ? 'white' : 'black'}`, { transform: `translate(${x + (side === 0 ? 0.24 : 0.76)} ${y + 0.78})` },
		s('rect', { x: -0.17, y: -0.16, width: 0.34, height: 0.32, rx: 0.09 }), s('text', count));
}

/** A still picture, of the board or of a part of it. @param {Game} game @param {string} position @param {string} variant @param {boolean} [aid] @param {string} [part] */
export function picture(game, position, variant, aid = false, part = '') {
	const scene = new Scene(game, part);
	const view = viewOf(position, variant);

	scene.show(view, false, game.marks(view, aid));
	scene.node.classList.toggle('small', !aid && !part);
	return scene.node;
}
