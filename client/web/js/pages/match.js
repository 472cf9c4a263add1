// A match: live, or step by step when it is over.
import { Actions } from '../actions.js';
import { Advice } from '../advice.js';
import { Board } from '../board.js';
import { Chat } from '../chat.js';
import { Coach } from '../coach.js';
import { fill, h } from '../dom.js';
import { findGame, gameLabel } from '../games/index.js';
import { colorOf, otherColor, rowsOf, sideOf, viewOf } from '../grid.js';
import { showKeys } from '../keys.js';
import { checked } from '../line.js';
import { whyNot } from '../lessons.js';
import { linkTo } from '../router.js';
import { Moves } from '../moves.js';
import { Pace } from '../pace.js';
import { Plan, isWaiting } from '../plan.js';
import { onFrames } from '../scene.js';
import { Seat } from '../seat.js';
import { recall, remember } from '../kept.js';
import { say } from '../language.js';
import { Store } from '../store.js';
import { Timeline } from '../timeline.js';
import { hintWords, moveWords, nameOf, offerWords, opponentOf, outcomeWords, playedWords, ratingWords, sentence, turnWords } from '../words.js';

/** A finished match as a state, from its record. @param {MatchRecord} record @param {string} position @returns {State} */
function stateOfRecord(record, position) {
	const player = (/** @type {string | null} */ name, /** @type {number | null} */ rating) =>
		name === null ? null : { name, bot: name.startsWith('bot:'), rating, rating_deviation: null, online: true, seated: true };

	return {
		match: record.match, game: record.game, variant: record.variant, status: 'over', you: null, ply: record.moves.length,
		turn: sideOf(position), position, board: rowsOf(position), last: record.moves.at(-1) ?? null,
		players: { white: player(record.white, record.white_rating), black: player(record.black, record.black_rating) },
		clock: null, offers: [], result: record.result, reason: record.reason, rated: record.rated ?? false,
	};
}

export class MatchView {
	/** @param {App} app @param {string} id @param {boolean} tries whether it is a position of the rules that is tried */
	constructor(app, id, tries = false) {
		this.app = app;
		this.id = id;
		this.tries = tries;
		this.timeline = new Timeline(app.session, id);
		this.plan = new Plan(this);
		this.node = h('div.match', { id: 'match', 'data-match': id, 'data-status': 'loading' }, h('p.loading', say('One moment…')));
		this.heading = h('h1.unseen'); /* before the board, for ears */
		/** @type {State | null} */
		this.state = null;
		/** @type {number | null} the ply that is shown; null: the latest */
		this.at = null;
		this.flip = false;
		this.problem = '';
		/** @type {{white?: number | null, black?: number | null}} the ratings before the end */
		this.ratings = {};
		/** @type {(() => void)[]} */
		this.stops = [
			app.store.on('state', state => state.match === id && this.receive(state)),
			app.store.whenHere(() => this.follow()),
			onFrames(() => this.show()),
			app.store.on('offer', event => event.match === id && this.hearOffer(event)),
			app.store.on('rematch', event => event.match === id && this.state?.you && location.replace(linkTo('m', event.new))),
		];
		const known = app.store.matches.get(id);
		if (known) this.receive(known);
	}

	/** Asks for the match: as its player, as a watcher, or from the records. */
	async follow() {
		try {
			const state = await this.app.session.ask(`state ${checked.match(this.id)}`);
			if (state.you === null ? state.status !== 'over' : !this.app.store.chats.has(this.id)) await this.app.session.ask(`watch ${this.id}`); /* with what was said */
		} catch (refusal) {
			await this.read(refusal);
		}
	}

	/** @param {Refusal} refusal */
	async read(refusal) {
		if (refusal.code === 'lost') return;
		try {
			await this.timeline.load();
			const { record } = this.timeline;
			const position = await this.timeline.positionAt(record?.moves.length ?? 0);
			if (record && position) this.receive(stateOfRecord(record, position));
		} catch {
			this.node.dataset.status = 'unknown';
			fill(this.node, h('div.empty', h('h1', say('No such match')), h('p', sentence(refusal.message)), h('a.button', { href: linkTo() }, say('To the start'))));
		}
	}

	/** Builds what depends on the game. @param {State} state @param {Game} game */
	build(state, game) {
		this.game = game;
		this.aid = game.aid !== null && (recall(`ludus.aid.${game.name}`) ?? game.aid.first);
		this.board = new Board(game, { play: move => this.play(move), chose: source => this.chose(source), idle: () => this.idle(), why: what => this.explain(what) });
		this.seats = [0, 1].map(() => new Seat(game, (piece, event) => this.board?.pick(piece, event)));
		this.status = h('div.status', { id: 'status' });
		this.terms = h('span.note', { id: 'terms' });
		this.facts = h('dl.facts', { id: 'facts' });
		this.actions = new Actions(this.app, this);
		this.advice = this.tries ? null : new Advice(this.app, game);
		this.pace = new Pace(this);
		this.moves = new Moves(this, this.pace);
		this.coach = new Coach(this.app, this);
		this.chat = new Chat(this.app, this.id);
		this.seats[0].node.id = 'seat-far';
		this.seats[1].node.id = 'seat-near';
		fill(this.node, this.heading, this.seats[0].node, this.board.node, this.seats[1].node,
			h('div.side', h('div.label', h('p.title', gameLabel(state.game, state.variant)), this.terms, h('button.quiet', { 'data-action': 'keys', onclick: showKeys }, say('Keys')), h('a', { href: linkTo('rules', state.game) }, say('Rules'))),
				this.status, this.coach.node, this.advice?.node, this.actions.node, h('div.about', this.facts, this.aidSwitch(game)), this.moves.node, this.chat.node));
	}

	/** @param {Game} game */
	aidSwitch(game) {
		const button = h('button.quiet.toggle', {
			'data-action': 'aid', 'aria-pressed': String(this.aid), onclick: () => {
				this.switchAid();
				button.setAttribute('aria-pressed', String(this.aid));
			},
		}, game.aid?.label);

		return game.aid && button;
	}

	/** @param {State} state */
	receive(state) {
		const before = this.state;
		const game = findGame(state.game);

		if (!game) return;
		if (!this.board) this.build(state, game);
		this.state = state;
		this.problem = '';
		if (state.status !== 'over') this.ratings = { white: state.players.white?.rating, black: state.players.black?.rating };
		if (this.pace?.takes(before, state)) this.at ??= before?.ply ?? null;
		else this.leavePast(before, state);
		if (!this.timeline.follow(state)) void this.timeline.load().then(() => this.show()).catch(() => null);
		this.tell(before, state);
		this.plan.follow(before, state);
		this.show();
		this.app.setTitle(this.title());
		this.heading.textContent = this.title();
	}

	/** What is new is shown, whatever was looked at. @param {State | null} before @param {State} state */
	leavePast(before, state) {
		if (!before || (state.ply === before.ply && state.status === before.status)) return;
		this.at = null;
		this.tellAddress();
	}

	/** Says and plays what has changed. @param {State | null} before @param {State} state */
	tell(before, state) {
		if (before === null || !this.game || this.pace?.hides) return;
		if (state.ply > before.ply && state.last !== null) {
			const count = (/** @type {string[]} */ rows) => [...rows.join('')].filter(cell => colorOf(cell)).length;
			this.app.announce(`${playedWords(state.turn, moveWords(state.last, this.game.pieces))} ${state.status === 'over' ? '' : `${turnWords(state)}. ${hintWords(state)}`}`);
			this.app.sound.play(count(state.board) < count(before.board) ? 'take' : 'move');
		}
		if (state.status === 'over' && before.status !== 'over') {
			this.advice?.end(state);
			const { headline, detail } = outcomeWords(state);
			this.app.announce(`${headline}. ${detail}`);
			this.app.sound.play('end');
		}
		if (state.status === 'playing' && before.status === 'open') this.app.sound.play('turn');
	}

	/** Says what the other side offers, or how it answered. @param {Message} event */
	hearOffer(event) {
		const own = this.state?.you === event.color;

		if (event.open) this.app.announce(offerWords(event, own));
		else if (own && event.accepted) this.app.announce(say('Your offer was accepted.'));
		else if (own) this.complain(say('Your offer was declined'));
		if (event.open !== own) this.app.sound.play('talk');
	}

	title() {
		const { state } = this;

		if (!state) return say('Match');
		const against = opponentOf(state);
		const label = gameLabel(state.game, state.variant);

		return against ? say('{game} against {name}', { game: label, name: nameOf(against.name) }) : label;
	}

	/** @returns {Color} the side at the bottom */
	near() {
		const mine = this.state?.you === 'black' ? 'black' : 'white';

		return this.flip ? otherColor(mine) : mine;
	}

	/** What is shown, unless a review teaches something else. @param {State} state @returns {View} */
	view(state) {
		const { at, timeline } = this;
		const position = at === null ? undefined : timeline.positions[at];

		if (at === null || position === undefined)
			return {
				...viewOf(state.position, state.variant), last: state.last, legal: Store.isMine(state) ? state.legal ?? [] : null,
				ahead: isWaiting(state) ? otherColor(state.turn) : null, plan: this.plan.move ?? null, better: this.coach?.better(state.ply),
			};
		return { ...viewOf(position, state.variant), last: timeline.moves[at - 1] ?? null, better: this.coach?.better(at) };
	}

	show() {
		const { state, board } = this;

		if (!state || !board) return;
		this.node.dataset.status = state.status;
		this.node.dataset.turn = state.turn;
		this.node.dataset.ply = String(state.ply);
		this.node.dataset.mine = String(Store.isMine(state));
		const view = this.coach?.view() ?? this.view(state);
		board.show(view, this.near() === 'black', this.aid ?? false);
		for (const side of ['--files', '--ranks']) this.node.style.setProperty(side, board.scene.node.style.getPropertyValue(side)); /* the seats are as wide */
		this.showSeats();
		this.showStatus(state);
		if (this.terms) this.terms.textContent = state.you === 'both' ? '' : state.rated ? say('Rated') : say('Casual');
		this.showFacts(view);
		this.showParts(state);
	}

	/** @param {State} state */
	showParts(state) {
		this.coach?.show();
		this.actions?.show(this.pace?.hides ? { ...state, status: 'playing' } : state);
		this.pace?.show(state);
		this.moves?.show(state);
		this.chat?.turnTo(state);
	}

	showSeats() {
		const { state, seats, board } = this;
		const view = board?.view;
		const since = this.app.store.since.get(this.id) ?? 0;
		const chosen = board?.source?.endsWith('@') ? board.source[0] : null;

		if (!state || !seats || !view) return;
		seats[0].show(otherColor(this.near()), state, view, since, chosen);
		seats[1].show(this.near(), state, view, since, chosen);
	}

	/** @param {State} state */
	showStatus(state) {
		if (!this.status) return;
		if (this.pace?.hides) {
			fill(this.status, h('p.headline', this.at === 0 ? say('Before the first move') : say('Move {number}', { number: this.at ?? 0 })), h('p.detail', this.pace.runs ? say('Two bots play, at your pace.') : say('Paused.'), ' ',
				h('button', { 'data-action': 'latest', onclick: () => this.step(null) }, say('Show the latest'))));
			return;
		}
		const judged = this.coach?.words();
		const { headline, detail } = state.status === 'over' ? outcomeWords(state) : { headline: turnWords(state), detail: hintWords(state) };

		this.status.classList.toggle('yours', Store.isMine(state));
		const rating = state.status === 'over' && ratingWords(state, this.ratings);
		fill(this.status, h('p.headline', headline), detail && h('p.detail', detail), rating && h('p.detail', { id: 'rating-change' }, rating),
			judged && h('p.detail', judged), this.backLine(), this.plan.node(state), this.problem && h('p.problem', { id: 'problem' }, this.problem));
	}

	/** Which move is looked at, and the way back; null: the latest is shown. */
	backLine() {
		return this.at !== null && h('p.detail', say('You are looking at move {number} of {count}.', { number: this.at, count: this.timeline.moves.length }), ' ',
			h('button', { 'data-action': 'latest', onclick: () => this.step(null) }, say('Show the latest')));
	}

	/** @param {View} view */
	showFacts(view) {
		if (!this.facts || !this.game) return;
		if (this.state) this.advice?.show(this.state, view);
		fill(this.facts, this.game.tell(view, this.aid ?? false).map(fact => h('div.fact', h('dt', fact.label),
			fact.both !== undefined ? h('dd', fact.both) : [
				h('dd', h('span.disc.white', { role: 'img', 'aria-label': say('white') }), fact.white), h('dd', h('span.disc.black', { role: 'img', 'aria-label': say('black') }), fact.black)])));
	}

	/** @param {string | null} source is picked up, and stands for what was chosen before */
	chose(source) {
		if (source !== null) this.plan.drop();
		if (source !== null && this.problem) this.complain('');
		this.showSeats();
	}

	/** A tap that picks nothing up takes a premove back, or asks whose turn it is. */
	idle() {
		if (this.coach?.stops()) return;
		if (this.plan.move) {
			this.plan.drop();
			return;
		}
		if (this.state?.status === 'playing' && this.at === null && this.state.you) this.app.announce(turnWords(this.state));
		if (this.at !== null) this.step(null);
	}

	/** Says which rule forbids to use a square, or a piece in hand. @param {string} what */
	async explain(what) {
		const { board, game } = this;
		const before = board?.view;

		if (!board || !before || !game) return;
		const { source } = board;
		const why = await whyNot(this.app.session, game, before, what).catch(refusal => refusal.message);
		if (board.view?.position === before.position && board.source === source) this.complain(why);
	}

	/** @param {string} text what went wrong; it stays until something else is chosen, or the match changes */
	complain(text) {
		this.problem = sentence(text);
		if (this.problem) this.app.announce(this.problem);
		if (this.state) this.showStatus(this.state);
	}

	/** Sends a command about this match, and shows why it was refused. @param {string} verb @param {() => string} [rest] */
	async command(verb, rest = () => '') {
		try {
			return await this.app.session.ask(`${verb} ${this.id}${rest()}`);
		} catch (refusal) {
			this.complain(refusal.message);
			return null;
		}
	}

	/** Sends a move, or keeps it for later. @param {string} move */
	async play(move) {
		if (this.coach?.takes(move)) return;
		if (!this.state || this.at !== null || !this.plan.keeps(move, this.state)) await this.send(move);
	}

	/** @param {string} move */
	async send(move) {
		const { state } = this;

		if (!state) return;
		const reply = await this.command('move', () => ` ${checked.move(move)} ply=${state.ply}`);

		if (reply === null) this.board?.refuse();
	}

	/** Shows the position at a ply; null: the latest. @param {number | null} ply @param {boolean} [paced] nobody has asked for it just now */
	async step(ply, paced = false) {
		const latest = this.timeline.moves.length;

		if (!paced) this.pace?.pause();
		this.coach?.leave();
		this.at = ply === null || ply >= latest ? null : Math.max(0, ply);
		if (!paced) this.tellAddress();
		if (this.at !== null) await this.timeline.positionAt(this.at).catch(() => null);
		this.show();
	}

	/** Has the address lead to what is shown, for whoever gets it. */
	tellAddress() {
		const link = linkTo('m', this.id);
		const wanted = this.at === null ? link : `${link}/${this.at}`;
		const here = location.hash;

		if (here !== wanted && (here === link || here.startsWith(`${link}/`))) history.replaceState(null, '', wanted);
	}

	/** Shows the position at the ply of an address, once the moves are known. @param {string} ply */
	async open(ply) {
		await this.timeline.load().catch(() => null);
		await this.step(Number(ply));
	}

	turnBoard() {
		this.flip = !this.flip;
		this.show();
	}

	switchAid() {
		this.aid = !this.aid;
		if (this.game) remember(`ludus.aid.${this.game.name}`, this.aid);
		this.show();
	}

	close() {
		for (const stop of this.stops) stop();
		this.seats?.forEach(seat => seat.close());
		this.chat?.close();
		this.actions?.close();
		this.moves?.close();
		this.pace?.pause();
		if (this.state?.you === null && this.state.status !== 'over') this.app.session.ask(`leave ${this.id}`).catch(() => null);
	}
}

/** @param {App} app @param {string} [id] @param {string} [ply] whose position is shown first */
export function page(app, id = '', ply = '') {
	const view = new MatchView(app, id);

	if (/^\d{1,5}$/.test(ply)) void view.open(ply);
	return { node: view.node, title: view.title(), close: () => view.close() };
}
