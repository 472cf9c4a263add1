// What the server says of positions that belong to no match: how they stand, what moves make of them, what its bots think.
import { checked } from './line.js';

/** @param {Game} game @param {string} variant '': that of the position */
function kind(game, variant) {
	return variant === '' ? game.name : `${game.name}:${checked.variant(variant)}`;
}

/** @param {string} position '': the usual start */
function place(position) {
	return position === '' ? '' : ` position=${checked.position(position)}`;
}

/** How a position stands. Rejects with a Refusal that says what is wrong with it. @param {Session} session @param {Game} game @param {string} variant @param {string} position @returns {Promise<Standing>} */
export async function standingOf(session, game, variant, position) {
	return session.ask(`explain ${kind(game, variant)}${place(position)}`);
}

/** What a move makes of a position; null: it is not legal. @param {Session} session @param {Game} game @param {Standing} from @param {string} move @returns {Promise<Standing | null>} */
export async function standingAfter(session, game, { variant, position }, move) {
	const told = await session.ask(`explain ${kind(game, variant)} ${checked.move(move)}${place(position)}`);

	return told.position === undefined ? null : told;
}

/** What the bots of the server think of a position, or of a move there. @param {Session} session @param {Game} game @param {Standing} at @param {string} [move] @returns {Promise<Analysis>} */
export async function analysisOf(session, game, { variant, position }, move) {
	return session.ask(`analyse ${kind(game, variant)}${move ? ` ${checked.move(move)}` : ''}${place(position)}`);
}
