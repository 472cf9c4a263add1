// Topics and those who listen to them.

export class Emitter {
	constructor() {
		/** @type {Map<string, Set<(value?: any) => void>>} */
		this.listeners = new Map();
	}

	/** @param {string} topic @param {(value?: any) => void} listener @returns {() => void} stops listening */
	on(topic, listener) {
		const set = this.listeners.get(topic) ?? new Set();

		this.listeners.set(topic, set.add(listener));
		return () => set.delete(listener);
	}

	/** @param {string} topic @param {any} [value] */
	emit(topic, value) {
		for (const listener of [...this.listeners.get(topic) ?? []]) listener(value);
	}
}
