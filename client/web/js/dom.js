// Makes elements: all of the page's HTML and SVG comes from here, none from text.

const SVG = 'http://www.w3.org/2000/svg';

/** @param {any} value */
function isNone(value) {
	return value === null || value === undefined || value === false;
}

/** @param {Element} element @param {Props} props */
function set(element, props) {
	for (const [name, value] of Object.entries(props)) {
		if (isNone(value)) continue;
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else element.setAttribute(name, value === true ? '' : String(value));
	}
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function flat(children) {
	return children.flatMap(child => {
		if (Array.isArray(child)) return flat(child);
		return isNone(child) ? [] : [child instanceof Node ? child : String(child)];
	});
}

/** @param {Element} element @param {string[]} classes @param {(Props | Child)[]} rest @returns {any} */
function finish(element, classes, [first, ...rest]) {
	const plain = first instanceof Object && !(first instanceof Node) && !Array.isArray(first);

	if (classes.length > 0) element.setAttribute('class', classes.join(' '));
	if (plain) set(element, first);
	element.append(...flat(/** @type {Child[]} */ (plain ? rest : [first, ...rest])));
	return element;
}

/**
 * An HTML element: `h('button.quiet', {id: 'undo', onclick: undo}, 'Undo')`. A button submits no form, unless told to.
 * @template {string} T @param {T} spec the tag and its classes
 * @param {(Props | Child)[]} rest its attributes and `on…` listeners, if any, then its children @returns {Made<T>}
 */
export function h(spec, ...rest) {
	const [tag, ...classes] = spec.split('.');
	const element = document.createElement(tag);

	if (element instanceof HTMLButtonElement) element.type = 'button';
	return finish(element, classes, rest);
}

/** An SVG element, as h() makes HTML; a drawing without a role is not heard. @param {string} spec @param {(Props | Child)[]} rest @returns {SVGElement} */
export function s(spec, ...rest) {
	const [tag, ...classes] = spec.split('.');

	const element = document.createElementNS(SVG, tag);

	if (tag === 'svg') element.setAttribute('aria-hidden', 'true');
	return finish(element, classes, rest);
}

/** A line to type in. @param {string} id @param {string} label @param {Props} [more] */
export function line(id, label, more) {
	return h('input', { id, name: id, placeholder: label, 'aria-label': label, autocomplete: 'off', spellcheck: 'false', ...more });
}

/** Buttons of which one is chosen. @param {string} name @param {string} title @param {{[value: string]: string}} choices and their titles @param {string} wished */
export function choice(name, title, choices, wished) {
	const values = Object.keys(choices);
	const chosen = values.includes(wished) ? wished : values[0];

	return h('fieldset', { 'data-field': name }, h('legend', title), h('div.choices', values.map(value =>
		h('label', h('input', { type: 'radio', name, value, checked: value === chosen }), h('span', choices[value])))));
}

/** @param {Element} element @param {Child[]} children */
export function fill(element, ...children) {
	element.replaceChildren(...flat(children));
}

/** Makes some elements the children of another. Those that stay are not touched: somebody may be pressing them. @param {Element} parent @param {Element[]} nodes */
export function keep(parent, nodes) {
	for (const child of [...parent.children]) if (!nodes.includes(child)) child.remove();
	nodes.forEach((node, i) => parent.children[i] === node || parent.insertBefore(node, parent.children[i] ?? null));
}

/** @type {WeakMap<Element, string>} what each child of a list shows */
const shown = new WeakMap();

/**
 * Shows items as children of a list. The child of an item stays the same element for as long as the item is there, and is
 * filled anew when the item has changed.
 * @template T @param {Element} parent @param {T[]} items @param {(item: T) => string} id
 * @param {(item: T) => HTMLElement} make an empty one @param {(node: HTMLElement, item: T) => void} show fills it
 */
export function keepItems(parent, items, id, make, show) {
	const before = new Map([...parent.children].map(child => [child.getAttribute('data-item'), /** @type {HTMLElement} */ (child)]));

	keep(parent, items.map(item => {
		const node = before.get(id(item)) ?? make(item);
		const text = JSON.stringify(item);

		node.setAttribute('data-item', id(item));
		if (shown.get(node) !== text) show(node, item);
		shown.set(node, text);
		return node;
	}));
}

/** @param {string} id @returns {HTMLElement} an element that index.html has */
export function byId(id) {
	return /** @type {HTMLElement} */ (document.getElementById(id));
}
