// The language of the page. Sentences are in the sources in English; a table has them in another language, made of
// client/languages/*.po. start.js has chosen the language and asked for its table.

const chosen = window.language ?? { tag: 'en', tags: ['en'], table: null }; /* the report of a course has no start.js */

/** @type {Table | null} null: English */
let table = null;
let known = chosen.table === null;

/** What the server may say with values in it, and what that is here. @type {[RegExp, string | string[]][] | null} not made yet */
let formats = null;

/** The tag of the language, such as `pt`. */
export const language = chosen.tag;

/** Those that the server has. */
export const languages = chosen.tags;

/** Waits for the table. Before, nothing can be said. @type {Promise<void>} */
export const languageKnown = Promise.resolve(chosen.table).then(came => {
	table = came;
	known = true;
	if (table) Object.setPrototypeOf(table.texts, null); /* it has these keys alone */
	if (table) translateTexts();
	else document.documentElement.lang = 'en'; /* the table did not come */
});

/** @param {string} text @param {{[name: string]: any}} values of what it has in braces */
function filled(text, values) {
	return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {string} text @returns {string} */
function translated(text) {
	const found = table?.texts[text] ?? text;

	if (!known) throw new Error(`said before the language is known: ${text}`);
	return typeof found === 'string' ? found : found[0];
}

/**
 * A sentence of the page: `say('Waiting for {name}', { name })`. The build collects what is in quotes here.
 * @param {string} text @param {{[name: string]: string | number}} [values]
 */
export function say(text, values = {}) {
	return filled(translated(text), values);
}

/** A sentence whose words mean more than one thing in English, with the meaning: `sayAs('of a match', 'Won')`. @param {string} meaning @param {string} text */
export function sayAs(meaning, text) {
	const key = `${meaning}\u0004${text}`;
	const found = translated(key);

	return found === key ? text : found;
}

/** As say(), with elements in it, as children for h(). @param {string} text @param {{[name: string]: Child}} values @returns {Child[]} */
export function sayIn(text, values) {
	return translated(text).split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : values[part]));
}

/**
 * A sentence that depends on a number, which is {count} in it: `sayPlural('{count} match', '{count} matches', matches)`.
 * @param {string} one @param {string} many @param {number} count @param {{[name: string]: string | number}} [values]
 */
export function sayPlural(one, many, count, values = {}) {
	const forms = table?.texts[one];
	const usual = count === 1 ? one : many;

	if (!known) throw new Error(`said before the language is known: ${one}`);
	return filled(Array.isArray(forms) && table ? forms[formOf(table, count)] ?? forms[0] : usual, { count, ...values });
}

/** @param {Table} of @param {number} count @returns {number} of the form of a plural */
function formOf({ plurals }, count) {
	return Number(plurals[count < plurals.length ? count : 100 + count % 100] ?? 0);
}

/** What the server says, as far as the table has it: rules, lessons, why a move is not legal. @param {string} text */
export function told(text) {
	return table ? toldBy(table, text) ?? text : text;
}

/** @param {Table} from @param {string} text @returns {string | null} */
function toldBy(from, text) {
	const exact = from.texts[text];

	if (exact) return translated(text);
	formats ??= from.formats.map(([english, other]) => [new RegExp(`^${english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d+(#?)\}/g, (_, digits) => (digits ? '(-?\\d+)' : '(.*?)'))}$`), other]);
	for (const [pattern, other] of formats) {
		const values = pattern.exec(text);
		if (values) return filled(typeof other === 'string' ? other : other[formOf(from, Number(values.find(value => /^\d+$/.test(value)) ?? 0))], values.map(value => inside(from, value)));
	}
	return toldInTwo(from, text);
}

/** A word that the server has put into a sentence, where it has no capital. @param {Table} from @param {string} word */
function inside(from, word) {
	return from.texts[word.toLowerCase()] ?? from.texts[word] ?? word;
}

/** Two remarks with a semicolon between them. @param {Table} from @param {string} text @returns {string | null} */
function toldInTwo(from, text) {
	const [one, ...rest] = text.split('; ');
	const [first, second] = rest.length === 1 ? [toldBy(from, one), toldBy(from, rest[0])] : [];

	return first && second ? `${first}; ${second}` : null;
}

/** Whether the page is in English. */
export function isEnglish() {
	return table === null;
}

/** Translates what index.html has. */
function translateTexts() {
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);

	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const text = node.nodeValue?.trim() ?? '';
		if (table?.texts[text]) node.nodeValue = translated(text);
	}
	for (const name of ['aria-label', 'title'])
		for (const element of document.querySelectorAll(`[${name}]`)) element.setAttribute(name, translated(element.getAttribute(name) ?? ''));
}
