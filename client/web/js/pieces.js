// The shapes of pieces, each drawn in a square of 100 by 100. Colours come from the style sheet.
import { s } from './dom.js';
import { say } from './language.js';

/** Puts the shapes into the page, for pieceShape(). @param {Game[]} games */
export function definePieces(games) {
	const symbols = games.flatMap(game => Object.entries(game.shapes).map(([letter, parts]) =>
		s('symbol', { id: `piece-${game.name}-${letter}`, viewBox: '0 0 100 100' },
			parts.map(([tag, shape]) => s(tag, typeof shape === 'string' ? { d: shape } : shape)))));

	document.querySelector('svg.defs')?.remove();
	document.body.append(s('svg.defs', { width: 0, height: 0 }, symbols));
}

/**
 * The shape of a piece, one unit wide: a stone with its letter where the game has drawn none.
 * @param {Game} game @param {string} piece its letter
 */
export function pieceShape(game, piece) {
	const letter = piece.toUpperCase();

	if (game.shapes[letter]) return s('use', { href: `#piece-${game.name}-${letter}`, width: 1, height: 1 });
	return s('svg', { viewBox: '0 0 100 100', width: 1, height: 1 }, s('circle.body', { cx: 50, cy: 50, r: 39 }), s('text.letter', { x: 50, y: 50 }, letter));
}

/** A piece for ears, such as "white soldier". @param {Game} game @param {string} piece */
export function pieceWords(game, piece) {
	const name = game.pieces[piece.toUpperCase()] ?? say('piece');

	return piece === piece.toUpperCase() ? say('white {piece}', { piece: name }) : say('black {piece}', { piece: name });
}

/** A piece as a picture by itself. @param {Game} game @param {string} piece */
export function pieceIcon(game, piece) {
	const color = piece === piece.toUpperCase() ? 'white' : 'black';

	return s(`svg.piece.icon.${color}`, { viewBox: '0 0 1 1', 'data-game': game.name }, pieceShape(game, piece));
}
