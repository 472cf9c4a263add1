// Short sounds, off until the player turns them on.
import { choose, setting } from './settings.js';

/** @type {{[volume: string]: number}} */
const GAINS = { soft: 0.06, medium: 0.16, loud: 0.4 };

/** @type {{[name: string]: [number, number, number][]}} tones: frequency in Hz, start and length in seconds */
const TUNES = {
	move: [[240, 0, 0.07], [480, 0, 0.03]],
	take: [[180, 0, 0.1], [360, 0.03, 0.06]],
	turn: [[520, 0, 0.08], [660, 0.09, 0.1]],
	end: [[392, 0, 0.16], [494, 0.16, 0.16], [587, 0.32, 0.3]],
	talk: [[760, 0, 0.05]],
};

export class Sound {
	constructor() {
		/** @type {AudioContext | null} */
		this.context = null;
	}

	get on() {
		return setting('sound') === 'on';
	}

	/** @param {boolean} on */
	turn(on) {
		choose('sound', on ? 'on' : 'off');
		this.play('move');
	}

	/** @param {string} name */
	play(name) {
		if (!this.on) return;
		this.context ??= new AudioContext();
		void this.context.resume();
		for (const [hertz, start, length] of TUNES[name]) this.tone(this.context, hertz, start, length);
	}

	/** @param {AudioContext} context @param {number} hertz @param {number} start @param {number} length */
	tone(context, hertz, start, length) {
		const [from, to] = [context.currentTime + start, context.currentTime + start + length];
		const tone = new OscillatorNode(context, { type: 'triangle', frequency: hertz });
		const gain = new GainNode(context, { gain: 0 });

		gain.gain.setTargetAtTime(GAINS[setting('volume')], from, 0.004);
		gain.gain.setTargetAtTime(0, to, 0.03);
		tone.connect(gain).connect(context.destination);
		tone.start(from);
		tone.stop(to + 0.25);
	}
}
