// QR codes (ISO/IEC 18004) for links: bytes, error correction M, versions 1 to 6.
import { s } from './dom.js';

/** Of each version: data bytes, blocks, and bytes of error correction in each block. */
const VERSIONS = [[16, 1, 10], [28, 1, 16], [44, 1, 26], [64, 2, 18], [86, 2, 24], [108, 4, 16]];
const QUIET = 4; /* modules around the code */
const FORMAT = 0x5b4b; /* level M, mask 3, and their error correction */

/** @typedef {(boolean | undefined)[][]} Grid by row */

/** @param {number} a @param {number} b @returns {number} their product in GF(256) */
function multiply(a, b) {
	let product = 0;

	for (let bit = 7; bit >= 0; bit--) {
		product = product << 1 ^ (product >> 7) * 0x11d;
		product ^= (b >> bit & 1) * a;
	}
	return product;
}

/** @param {number[]} data @param {number} count @returns {number[]} the bytes of error correction */
function correction(data, count) {
	let generator = [1];

	for (let i = 0, root = 1; i < count; i++, root = multiply(root, 2))
		generator = [...generator, 0].map((each, j) => each ^ (j > 0 ? multiply(generator[j - 1], root) : 0));
	const rest = [...data, ...Array(count).fill(0)];
	data.forEach((_, i) => {
		const factor = rest[i];
		generator.forEach((each, j) => { rest[i + j] ^= multiply(each, factor); });
	});
	return rest.slice(data.length);
}

/** @param {Uint8Array} bytes @param {number} version from 0 @returns {number[]} what the code holds, blocks interleaved */
function codewords(bytes, version) {
	const [room, blocks, extra] = VERSIONS[version];
	const nibbles = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap(byte => [byte >> 4, byte & 15]), 0];
	/** @type {number[]} */
	const data = [];

	for (let i = 0; i < nibbles.length; i += 2) data.push(nibbles[i] << 4 | nibbles[i + 1]);
	for (let i = 0; data.length < room; i++) data.push(i % 2 === 0 ? 0xec : 0x11);
	const size = room / blocks;
	const parts = [...Array(blocks).keys()].map(i => data.slice(i * size, (i + 1) * size));
	const checks = parts.map(part => correction(part, extra));
	return [...Array(size).keys()].flatMap(i => parts.map(part => part[i]))
		.concat([...Array(extra).keys()].flatMap(i => checks.map(check => check[i])));
}

/**
 * The patterns that every code of a size has; undefined where data go.
 * @param {number} size @returns {Grid} by row
 */
function frame(size) {
	/** @type {Grid} */
	const grid = [...Array(size)].map(() => Array(size).fill(undefined));
	const ring = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ radius, /** @type {number[]} */ dark) => {
		for (let y = Math.max(0, cy - radius); y <= Math.min(size - 1, cy + radius); y++)
			for (let x = Math.max(0, cx - radius); x <= Math.min(size - 1, cx + radius); x++)
				grid[y][x] = dark.includes(Math.max(Math.abs(x - cx), Math.abs(y - cy)));
	};

	for (let i = 0; i < size; i++) grid[6][i] = grid[i][6] = i % 2 === 0;
	if (size > 21) ring(size - 7, size - 7, 2, [0, 2]);
	for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) ring(x, y, 4, [0, 1, 3]);
	return grid;
}

/** Writes level and mask around the corners. @param {Grid} grid */
function writeFormat(grid) {
	const size = grid.length;
	for (let i = 0; i < 15; i++) {
		const dark = (FORMAT >> i & 1) === 1;
		const near = i < 6 ? i : i < 8 ? i + 1 : size - 15 + i;
		const far = i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i;
		grid[near][8] = dark;
		grid[8][far] = dark;
	}
	grid[size - 8][8] = true;
}

/** Fills in the data, from the right, up and down, two columns at a time. @param {Grid} grid @param {number[]} bytes */
function writeData(grid, bytes) {
	const size = grid.length;
	let bit = 0;

	for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
		for (let i = 0; i < 2 * size; i++) {
			const x = right - i % 2;
			const y = up ? size - 1 - (i >> 1) : i >> 1;
			if (grid[y][x] !== undefined) continue;
			grid[y][x] = (bytes[bit >> 3] >> 7 - (bit & 7) & 1) === 1 !== ((x + y) % 3 === 0);
			bit++;
		}
}

/** @param {string} text @returns {Grid | null} null: the text is too long */
export function qrModules(text) {
	const bytes = new TextEncoder().encode(text);
	const version = VERSIONS.findIndex(([room]) => bytes.length + 2 <= room);

	if (version < 0) return null;
	const grid = frame(21 + 4 * version);
	writeFormat(grid);
	writeData(grid, [...codewords(bytes, version), 0]);
	return grid;
}

/** @param {string} text */
export function qrPicture(text) {
	const modules = qrModules(text);

	if (modules === null) return null;
	const path = modules.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
	const size = modules.length + 2 * QUIET;
	return s('svg.qr', { viewBox: `${-QUIET} ${-QUIET} ${size} ${size}`, role: 'img', 'aria-hidden': 'false', 'aria-label': 'QR code of the link', 'shape-rendering': 'crispEdges' },
		s('rect', { x: -QUIET, y: -QUIET, width: size, height: size, fill: '#fff' }), s('path', { d: path, fill: '#000' }));
}
