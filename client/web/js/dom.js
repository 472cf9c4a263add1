// Makes elements: all of the page's HTML and SVG comes from here, none from text.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {Element} element @param {{[name: string]: any}} props */
function set(element, props) {
    for (const [name, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (name === 'value') /** @type {HTMLInputElement} */ (element).value = value;
        else element.setAttribute(name, value === true ? '' : String(value));
    }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function flat(children) {
    return children.flatMap(child => {
        if (child === null || child === undefined || child === false) return [];
        if (Array.isArray(child)) return flat(child);
        return [child instanceof Node ? child : String(child)];
    });
}

/**
 * An HTML element: `h('button.quiet', {id: 'undo', onclick: undo}, 'Undo')`.
 * @param {string} spec the tag and its classes @param {{[name: string]: any}} [props] attributes, `on…` listeners
 * @param {Child[]} children @returns {HTMLElement}
 */
export function h(spec, props = {}, ...children) {
    const [tag, ...classes] = spec.split('.');
    const element = document.createElement(tag);

    if (classes.length > 0) element.className = classes.join(' ');
    set(element, props);
    element.append(...flat(children));
    return element;
}

/**
 * An SVG element, as h() makes HTML.
 * @param {string} spec @param {{[name: string]: any}} [props] @param {Child[]} children @returns {SVGElement}
 */
export function s(spec, props = {}, ...children) {
    const [tag, ...classes] = spec.split('.');
    const element = document.createElementNS(SVG, tag);

    if (classes.length > 0) element.setAttribute('class', classes.join(' '));
    set(element, props);
    element.append(...flat(children));
    return element;
}

/** @param {Element} element @param {Child[]} children */
export function fill(element, ...children) {
    element.replaceChildren(...flat(children));
}

/** @param {string} id @returns {HTMLElement} an element that index.html has */
export function byId(id) {
    const element = document.getElementById(id);

    if (element === null) throw new Error(`no element #${id}`);
    return element;
}
