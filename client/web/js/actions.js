// The buttons of a match: offers and their answers, the end of it, and what follows.
import { fill, h } from './dom.js';
import { findGame } from './games/index.js';
import { moveParts } from './grid.js';
import { go } from './router.js';
import { capital, clockText, nameOf, offerWords, opponentOf } from './words.js';

const SURE_MS = 4000;

/** @param {State} state @returns {string[]} the legal moves that no square shows, such as `pass` */
function others(state) {
	return (state.legal ?? []).filter(move => moveParts(move) === null);
}

export class Actions {
	/** @param {App} app @param {MatchView} match */
	constructor(app, match) {
		this.app = app;
		this.match = match;
		this.node = h('div.actions', { id: 'actions' });
		this.timer = 0;
		this.shown = '';
	}

	/** @param {string} id @param {string} label @param {() => void} act @param {string} [style] */
	button(id, label, act, style = '') {
		return h(`button${style}`, { 'data-action': id, onclick: act }, label);
	}

	/** A button for a command. @param {string} verb @param {string} label @param {string} [style] */
	verb(verb, label, style) {
		return this.button(verb, label, () => this.match.command(verb), style);
	}

	/** A button that asks once more before it acts. @param {string} verb @param {string} label @param {string} sure */
	careful(verb, label, sure) {
		const button = this.button(verb, label, () => {
			if (button.classList.toggle('sure')) button.textContent = sure;
			else void this.match.command(verb);
			setTimeout(() => {
				button.classList.remove('sure');
				button.textContent = label;
			}, SURE_MS);
		});
		return button;
	}

	/** @param {State} state */
	show(state) {
		const key = JSON.stringify([state.status, state.you, state.ply > 0, state.ply > 1, state.offers, state.players, others(state), this.match.timeline.judged.length]);

		if (key === this.shown) return;
		this.shown = key;
		fill(this.node, state.offers.map(offer => this.offer(offer, state)), this.claim(state),
			state.status === 'open' && this.open(state),
			h('div.buttons', state.you && state.status === 'playing' && this.playing(state), state.status === 'over' && this.over(state)));
	}

	/** @param {Offer} offer @param {State} state */
	offer(offer, state) {
		const own = state.you === offer.color;

		return h('div.offer', { 'data-offer': offer.what, role: 'status' }, h('p', offerWords(offer, own)), state.you && !own && [
			this.button('accept', 'Accept', () => this.match.command(offer.what), '.primary'),
			this.button('refuse', 'Decline', () => this.match.command('decline'))]);
	}

	/** A player who is gone, and when the match may be claimed. @param {State} state */
	claim(state) {
		clearTimeout(this.timer);
		const other = opponentOf(state);
		if (state.status !== 'playing' || typeof other?.claim_ms !== 'number') return null;
		const due = (this.app.store.since.get(state.match) ?? 0) + other.claim_ms;
		const text = h('p');
		const button = this.verb('claim', 'Claim the win', '.primary');
		const tick = () => {
			const left = due - performance.now();
			text.textContent = `${nameOf(other.name)} is gone.${left > 0 ? ` You may claim the win in ${clockText(left).replace(/\.\d/, '')}.` : ''}`;
			button.hidden = left > 0;
			if (left > 0) this.timer = setTimeout(tick, 1000);
		};

		tick();
		return h('div.offer', { 'data-offer': 'claim', role: 'status' }, text, button);
	}

	/** @param {State} state */
	open(state) {
		const free = /** @type {const} */ (['white', 'black']).filter(color => state.players[color] === null);

		if (state.you === null)
			return h('div.offer', h('p', 'A seat is free.'), free.map(color => this.button(`join-${color}`, `Play ${color}`, () => this.join(color), '.primary')));
		return [free.length > 0 && this.invite(), h('div.buttons', this.verb('abort', 'Cancel the match'))];
	}

	invite() {
		const place = h('div');

		void import('./invite.js').then(({ invitation }) => place.replaceWith(invitation(this.app, this.match.id)));
		return place;
	}

	/** @param {string} color */
	async join(color) {
		await this.app.session.ensureName().catch(() => null);
		await this.match.command('join', ` ${color}`);
	}

	/** @param {State} state */
	playing(state) {
		const offered = (/** @type {string} */ what) => state.offers.some(offer => offer.what === what);

		return [
			others(state).map(move => this.button(move, capital(move), () => this.match.play(move), '.primary')),
			state.ply > 0 && !offered('undo') && this.verb('undo', 'Take back'),
			findGame(state.game)?.draws && state.you !== 'both' && !offered('draw') && this.verb('draw', 'Offer draw'),
			state.ply < 2 ? this.careful('abort', 'Abort', 'Really abort?')
				: this.careful('resign', 'Resign', 'Really resign?'),
		];
	}

	/** @param {State} state */
	over(state) {
		const offered = state.offers.some(offer => offer.what === 'rematch');

		return [
			state.you && !offered && this.verb('rematch', 'Rematch', '.primary'),
			this.button('new', `New ${findGame(state.game)?.title ?? 'match'}`, () => go('new', state.game)),
			this.match.timeline.judged.length === 0 && this.review(),
			this.button('download', 'Download', () => this.save()),
		];
	}

	review() {
		const button = this.button('review', 'Review', async () => {
			button.toggleAttribute('disabled');
			await this.match.review();
			button.toggleAttribute('disabled');
		});
		return button;
	}

	async save() {
		await this.match.timeline.load().catch(() => null);
		const { download, pgnText } = await import('./pgn.js');
		const { record } = this.match.timeline;

		if (record) download(`ludus-${record.match}-${capital(record.game)}.pgn`, pgnText(record));
	}

	close() {
		clearTimeout(this.timer);
	}
}
