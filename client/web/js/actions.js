// The buttons of a match: offers and their answers, the end of it, and what follows.
import { fill, h, line } from './dom.js';
import { findGame, gameLabel, gameTitle } from './games/index.js';
import { moveParts } from './grid.js';
import { say, sayIn } from './language.js';
import { checked } from './line.js';
import { go, linkTo, linkToPosition } from './router.js';
import { awaited, capital, moveLabel, nameOf, offerWords, opponentOf, sentence, shownName, spanText, termsText, typedName } from './words.js';

const SURE_MS = 4000;

/** @param {State} state @returns {string[]} the legal moves that no square shows, such as `pass` */
function others(state) {
	return (state.legal ?? []).filter(move => moveParts(move) === null);
}

/** @param {number} left milliseconds until the win may be claimed @param {string} other who may; '': this player */
function claimWords(left, other) {
	const time = spanText(left);

	if (left > 0) return other ? say('{name} may claim the win in {time}.', { name: other, time }) : say('You may claim the win in {time}.', { time });
	return other && say('{name} may claim the win now.', { name: other });
}

export class Actions {
	/** @param {App} app @param {MatchView} match */
	constructor(app, match) {
		this.app = app;
		this.match = match;
		this.node = h('div.actions', { id: 'actions' });
		this.timer = 0;
		this.shown = '';
		this.busy = false;
	}

	/** What is pressed again before it is done is done once. @param {string} id @param {string} label @param {() => any} act @param {string} [style] */
	button(id, label, act, style = '') {
		const press = async () => {
			if (this.busy) return;
			this.busy = true;
			await Promise.resolve(act()).finally(() => { this.busy = false; });
		};

		return h(`button${style}`, { 'data-action': id, onclick: press }, label);
	}

	/** A button for a command. @param {string} verb @param {string} label @param {string} [style] */
	verb(verb, label, style) {
		return this.button(verb, label, () => this.match.command(verb), style);
	}

	/** A button that asks once more before it acts. @param {string} verb @param {string} label @param {string} sure */
	careful(verb, label, sure) {
		const button = this.button(verb, label, () => {
			setTimeout(() => {
				button.classList.remove('sure');
				button.textContent = label;
			}, SURE_MS);
			if (!button.classList.toggle('sure')) return this.match.command(verb);
			button.textContent = sure;
			return null;
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
			h('div.buttons', state.you && state.status === 'playing' && this.playing(state), state.status === 'over' && this.over(state),
				!state.you && state.status === 'playing' && this.button('analyse', say('Analyse'), () => this.leaveFor('analysis'))));
	}

	/** @param {Offer} offer @param {State} state */
	offer(offer, state) {
		const own = state.you === offer.color;

		return h('div.offer', { 'data-offer': offer.what }, h('p', offerWords(offer, own)), state.you && !own && [
			this.button('accept', say('Accept'), () => this.match.command(offer.what), '.primary'),
			this.button('refuse', say('Decline'), () => this.match.command('decline'))]);
	}

	/** A player who is gone or does not move, and when the match may be claimed. @param {State} state */
	claim(state) {
		clearTimeout(this.timer);
		const other = opponentOf(state);
		const own = state.you && state.you !== 'both' && state.players[state.you]?.stall_ms;
		if (state.status !== 'playing' || !state.you || !other) return null;
		if (typeof other.claim_ms === 'number')
			return this.offerClaim(state, say('{name} is gone.', { name: nameOf(other.name) }), other.claim_ms);
		if (typeof other.stall_ms === 'number')
			return this.offerClaim(state, say('{name} has not moved for long.', { name: nameOf(other.name) }), other.stall_ms);
		return typeof own === 'number' && this.offerClaim(state, say('It is your move for long.'), own, nameOf(other.name));
	}

	/** @param {State} state @param {string} why @param {number} ms from when the state came @param {string} [other] who may claim the win; else this player may */
	offerClaim(state, why, ms, other = '') {
		const due = (this.app.store.since.get(state.match) ?? 0) + ms;
		const text = h('p');
		const button = this.verb('claim', say('Claim the win'), '.primary');
		const tick = () => {
			const left = due - performance.now();
			text.textContent = `${why} ${claimWords(left, other)}`.trim();
			button.hidden = other !== '' || left > 0;
			if (left > 0) this.timer = setTimeout(tick, 1000);
		};

		tick();
		return h('div.offer', { 'data-offer': 'claim', role: 'status' }, text, button);
	}

	/** @param {State} state */
	open(state) {
		const free = /** @type {const} */ (['white', 'black']).filter(color => state.players[color] === null);
		const called = awaited(state);

		if (state.you !== null)
			return [free.length > 0 && this.invite(), h('div.buttons', this.verb('abort', say('Cancel the match')))];
		if (called.includes(this.app.store.name))
			return h('div.offer', this.challenged(state), this.button('accept', say('Accept'), () => this.join(), '.primary'), this.verb('decline', say('Decline')));
		if (free.length === 0)
			return h('div.offer', h('p', called.length > 1 ? say('There is no seat for others: the match begins when {name} and {other} accept.', { name: nameOf(called[0]), other: nameOf(called[1]) })
				: say('There is no seat for others: the match begins when {name} accepts.', { name: nameOf(called[0]) })));
		return this.invited(state, free);
	}

	/** Who challenges this player. @param {State} state */
	challenged({ players }) {
		const host = [players.white, players.black].find(player => player?.seated);

		return h('p', host ? sayIn('You are challenged by {name}.', { name: [h('strong', shownName(host.name)), typedName(host.name)] }) : say('You are challenged.'));
	}

	/** What a friend reads who has opened the link. @param {State} state @param {Color[]} free the seats */
	invited(state, free) {
		const host = state.players.white ?? state.players.black;
		const game = findGame(state.game);
		const { clock } = state;
		const label = h('strong', gameLabel(state.game, state.variant));
		const terms = termsText(clock && { base_ms: clock.white_ms, increment_ms: clock.increment_ms }, state.rated);

		return h('div.invite', { id: 'invited' }, h('p', host ? sayIn('{name} invites you to {game}, {terms}.', { name: [h('strong', shownName(host.name)), typedName(host.name)], game: label, terms }) : sayIn('Two seats are free: {game}, {terms}.', { game: label, terms })),
			h('p', game?.summary), h('div.buttons', free.map(color => this.button(`join-${color}`, color === 'white' ? say('Play white') : say('Play black'), () => this.join(color), '.primary.big')),
				h('a.button', { href: linkTo('rules', state.game) }, say('All rules'))));
	}

	invite() {
		const place = h('div');

		void import('./invite.js').then(({ invitation }) => place.replaceWith(invitation(this.app, this.match.id)))
			.catch(() => fill(place, h('p.problem', say('The link did not load. It is the address of this page.'))));
		return place;
	}

	/** @param {string} [color] @param {string} [word] that the seat asks for */
	async join(color = '', word = '') {
		try {
			await this.app.session.ensureName();
			await this.app.session.ask(`join ${this.match.id} ${color}${word && ` code=${checked.code(word)}`}`);
		} catch (refusal) {
			if (refusal.code === 'code-needed' || refusal.code === 'bad-code') this.askWord(color, refusal);
			else this.match.complain(refusal.message);
		}
	}

	/** The seat asks for a word. @param {string} color @param {Refusal} refusal */
	askWord(color, refusal) {
		const input = line('word', say('The word'), { autocapitalize: 'none', required: true, maxlength: 32 });
		const enter = (/** @type {Event} */ event) => {
			event.preventDefault();
			void this.join(color, input.value.trim());
		};

		this.shown = '';
		fill(this.node, h('form.offer', { id: 'word-form', onsubmit: enter }, h('label', { for: 'word' }, say('This seat asks for a word. Whoever opened the match has it.')), input,
			h('button.primary', { type: 'submit' }, say('Join')), refusal.code === 'bad-code' && h('p.problem', { role: 'alert' }, sentence(refusal.message))));
		input.focus();
	}

	/** @param {State} state */
	playing(state) {
		const offered = (/** @type {string} */ what) => state.offers.some(offer => offer.what === what);

		return [
			others(state).map(move => this.button(move, moveLabel(move), () => this.match.play(move), '.primary')),
			state.ply > 0 && !offered('undo') && this.verb('undo', say('Take back')),
			findGame(state.game)?.draws && state.you !== 'both' && !offered('draw') && this.verb('draw', say('Offer draw')),
			state.ply < 2 ? this.careful('abort', say('Abort'), say('Really abort?'))
				: this.careful('resign', say('Resign'), say('Really resign?')),
		];
	}

	/** @param {State} state */
	over(state) {
		const offered = state.offers.some(offer => offer.what === 'rematch');

		return [
			state.you && !offered && this.verb('rematch', say('Rematch'), '.primary'),
			this.button('new', say('New {game}', { game: gameTitle(state.game) }), () => go('new', state.game)),
			this.match.timeline.judged.length === 0 && this.review(),
			this.button('download', say('Download'), () => this.save()),
			this.button('analyse', say('Analyse'), () => this.leaveFor('analysis')),
			this.button('from', say('Play on from here'), () => this.leaveFor('from')),
		];
	}

	/** Goes on from the position that is shown, on another page: an analysis takes the moves along that have led there. @param {'analysis' | 'from'} name */
	leaveFor(name) {
		const { state, board, timeline, coach, at } = this.match;
		const ply = at ?? state?.ply ?? 0;
		const { 0: start } = timeline.positions;
		const whole = name === 'analysis' && start !== undefined && timeline.moves.length >= ply && !coach?.view();

		if (state && board?.view) location.hash = linkToPosition(name, state.game, state.variant, whole ? start : board.view.position, whole ? timeline.moves.slice(0, ply) : []);
	}

	review() {
		const button = this.button('review', say('Review'), async () => {
			button.toggleAttribute('disabled');
			await this.match.coach?.review();
			button.toggleAttribute('disabled');
		});
		return button;
	}

	async save() {
		await this.match.timeline.load().catch(() => null);
		const pgn = await import('./pgn.js').catch(() => null);
		const { record } = this.match.timeline;

		if (!pgn || !record) {
			this.match.complain(say('The file did not load'));
			return;
		}
		const { download, pgnText } = pgn;
		download(`ludus-${record.match}-${capital(record.game)}.pgn`, pgnText(record));
	}

	close() {
		clearTimeout(this.timer);
	}
}
