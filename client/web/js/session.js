// This browser at the server: its name and token, the join code, and coming back.
import { Connection, sayHello } from './connection.js';
import { learnGames } from './games/index.js';
import { ignoredPlayers, keepIdentity, keepIgnored, otherIdentities, ownIdentity, recall, remember } from './kept.js';
import { say, sayPlural } from './language.js';
import { Refusal, checked } from './line.js';
import { learnName } from './names.js';
import { capital } from './words.js';

const CODE = 'ludus.code';
const GAMES = 'ludus.games';
const QUIET = 'ludus.quiet';
const NAME_TRIES = 5;
const PASSES = 3; /* over the list of this player's matches */
const NAME_GONE = ['bad-token', 'name-taken', 'bad-name'];
const FIRST = ['brisk', 'calm', 'clever', 'fair', 'keen', 'lucky', 'merry', 'nimble', 'quiet', 'swift', 'warm', 'witty'];
const LAST = ['badger', 'crane', 'falcon', 'fox', 'hare', 'heron', 'lynx', 'otter', 'owl', 'raven', 'seal', 'wren'];

function someName() {
	const pick = (/** @type {string[]} */ words) => words[Math.floor(Math.random() * words.length)];

	return `${pick(FIRST)}-${pick(LAST)}-${10 + Math.floor(Math.random() * 90)}`;
}

/** All that is known of a game before the join code. @param {string} name @returns {ServerGame} */
function bare(name) {
	return { name, title: capital(name), summary: '', variants: [], default: '', start: '', rules: [] };
}

function keptCode() {
	try {
		return checked.code(recall(CODE));
	} catch {
		return null;
	}
}

export class Session {
	/** @param {Store} store @param {string} url */
	constructor(store, url) {
		this.store = store;
		/** @type {Identity | null} */
		this.identity = ownIdentity();
		/** @type {Promise<void> | null} */
		this.naming = null;
		/** @type {string | null} */
		this.code = keptCode();
		this.codeNeeded = false;
		this.problem = '';
		this.guest = ''; /* what the server calls this connection before it has a name */
		this.lostName = ''; /* the name that this browser could not come back to */
		this.greeted = false;
		this.quiet = recall(QUIET) === true; /* no challenges while this player plays */
		this.challenges = true; /* whether this connection gets any now */
		store.on('state', () => this.mindChallenges());
		store.on('status', () => this.mindChallenges());
		this.connection = new Connection(url, {
			message: message => this.receive(message),
			down: misunderstood => this.goDown(misunderstood),
		});
	}

	/** Keeps a join code that came with the address. Throws a Refusal of what cannot be one. @param {string} code */
	useCode(code) {
		this.code = checked.code(code);
		remember(CODE, code);
	}

	/** Takes the code of a link, now if the server waits for one. @param {string} code */
	linkCode(code) {
		if (this.store.status === 'code') void this.enter(code);
		else this.useCode(code);
	}

	/** Sends a command. Rejects with a Refusal. @param {string} line */
	async ask(line) {
		const reply = await this.connection.ask(line);

		if (reply.type === 'state') this.store.apply(reply);
		return reply;
	}

	/** @param {Message} message */
	receive(message) {
		if (message.type === 'hello') void this.greet(message);
		else if (message.type === 'bye') this.end(message.reason);
		else if (message.type === 'name') this.become(message);
		else if (message.type === 'challenge' && ignoredPlayers().includes(message.from)) this.shun(message);
		else this.store.apply(message);
	}

	/** @param {Message} challenge of a player who is ignored */
	shun(challenge) {
		this.connection.ask(`decline ${challenge.match}`).catch(() => null);
	}

	/** Hears nothing more of a player, or hears of them again. @param {string} name @param {boolean} ignored */
	ignore(name, ignored) {
		keepIgnored(name, ignored);
		this.store.emit('ignored');
		if (!ignored) return;
		for (const challenge of this.store.challenges.values()) {
			if (challenge.from !== name) continue;
			this.shun(challenge);
			this.store.dropChallenge(challenge.match);
		}
	}

	/** @param {boolean} quiet whether challenges are unwelcome while this player plays */
	setQuiet(quiet) {
		this.quiet = quiet;
		remember(QUIET, quiet || null);
		this.mindChallenges();
	}

	/** Has the server refuse challenges as long as they are unwelcome. */
	mindChallenges() {
		const welcome = !(this.quiet && this.store.mine().some(state => state.status === 'playing'));

		if (this.store.status !== 'here' || welcome === this.challenges) return;
		this.challenges = welcome;
		this.connection.ask(`set challenges=${welcome ? 'on' : 'off'}`).catch(() => null);
	}

	/** @param {boolean} misunderstood there is no sense in trying again */
	goDown(misunderstood) {
		const { status } = this.store;

		if (misunderstood) {
			this.problem = say('It does not understand this page. Load it again.');
			this.store.setStatus('refused');
			return;
		}
		if (status === 'here' || status === 'connecting') this.store.setStatus('lost');
		if (!this.greeted) void this.findOutWhy();
	}

	/** A proxy may have changed the page's address, or pass on no WebSockets. */
	async findOutWhy() {
		const why = await window.whyNoConnection();

		if (this.greeted || this.store.status !== 'lost') return;
		this.problem = why;
		this.store.setStatus('lost');
	}

	/** @param {string} reason */
	end(reason) {
		if (reason === 'limit' && this.store.status === 'here') reason = 'replaced'; /* by windows that came later */
		if (reason !== 'replaced' && reason !== 'closed') return;
		this.connection.stop();
		this.store.setStatus(reason);
	}

	/** Connects again after the server said bye, or refused. */
	takeOver() {
		this.connection.stop();
		this.store.setStatus('connecting');
		this.connection.open();
	}

	/** @param {Message} hello */
	async greet(hello) {
		const { socket } = this.connection;

		this.greeted = this.challenges = true;
		this.problem = '';
		this.codeNeeded = hello.code;
		this.guest = hello.name;
		if (!this.identity) this.store.setName(this.guest);
		try {
			await this.arrive(hello);
			if (this.connection.socket === socket) this.store.setStatus('here');
		} catch (refusal) {
			if (this.connection.socket === socket) this.refuse(refusal);
		}
	}

	/** Takes the name that this browser has, and learns the games. @param {Message} hello */
	async arrive(hello) {
		if (hello.code && !this.code && !recall(GAMES)) await learnGames(hello.games.map(bare));
		const asked = hello.code ? null : this.connection.ask('games');
		asked?.catch(() => null); /* what goes wrong first is told */
		if (this.identity) await this.comeBack(this.identity);
		else if (hello.code && this.code) await this.takeName(someName());
		if (hello.code && !this.code) throw new Refusal('code-needed', '');
		await this.learn((await (asked ?? this.connection.ask('games'))).games);
	}

	/** Takes the games of this server, and remembers them for the next visit. @param {ServerGame[]} list */
	async learn(list) {
		if (JSON.stringify(list) === JSON.stringify(recall(GAMES))) return;
		remember(GAMES, list);
		await learnGames(list);
		this.store.emit('games');
	}

	/** @param {Refusal} refusal of the greeting */
	refuse(refusal) {
		if (refusal.code === 'lost') return;
		this.problem = refusal.code === 'code-needed' ? '' : refusal.message;
		if (!this.store.name) this.store.setName(this.guest);
		if (refusal.code === 'bad-code') remember(CODE, this.code = null);
		this.store.setStatus(this.codeNeeded ? 'code' : 'refused');
	}

	/** Tries a join code that was typed. @param {string} code */
	async enter(code) {
		try {
			this.useCode(code);
		} catch (refusal) {
			this.refuse(refusal);
			return;
		}
		await this.greet({ type: 'hello', code: true, name: this.store.name });
	}

	/** Comes back by the token, or to a server that has forgotten the name as if it were new. @param {Identity} identity */
	async comeBack({ name, token }) {
		let gone = await this.isGone(name, token);

		if (gone === 'bad-token') gone = await this.isGone(name);
		const kept = ownIdentity();
		if (gone && kept && kept.token !== token) gone = await this.isGone(kept.name, kept.token); /* another tab was first */
		if (gone) await this.startAfresh(name);
	}

	/** Takes a name; why this browser cannot have it any more. @param {string} name @param {string} [token] */
	async isGone(name, token) {
		try {
			await this.takeName(name, token);
			return '';
		} catch (refusal) {
			if (NAME_GONE.includes(refusal.code)) return refusal.code;
			throw refusal;
		}
	}

	/** The name belongs to somebody else now: play on without it, and say so. @param {string} name */
	async startAfresh(name) {
		this.lostName = name;
		this.store.setName(this.guest);
		keepIdentity(this.identity = null);
		if (this.codeNeeded) await this.takeName(someName());
	}

	/** The line that takes a name. @param {string} name @param {string} [proof] */
	helloLine(name, proof) {
		const words = ['hello', checked.name(name), proof, this.codeNeeded && this.code && `code=${checked.code(this.code)}`, 'client=web'];

		return words.filter(word => word).join(' ');
	}

	/** @param {string} name @param {string} [token] */
	async takeName(name, token) {
		const reply = await this.connection.ask(this.helloLine(name, token && `token=${token}`));

		this.become(reply);
		if (reply.matches) void this.findMatches().catch(() => null); /* lost: it comes back */
	}

	/** Asks for the states of matches that are too many to come by themselves, until no page brings news. */
	async findMatches() {
		for (let pass = 0; pass < PASSES; pass++)
			if (!await this.findMore()) return;
	}

	/** Goes by a name from now on, which was taken here or in another window. @param {Message} message */
	become({ name, token }) {
		if (token) keepIdentity(this.identity = { name, token });
		this.store.setName(name);
	}

	/** @returns {Promise<boolean>} whether the list of this player's matches has brought news */
	async findMore() {
		/** @type {Row[]} */
		let rows;
		let from = 0;
		let news = false;

		do {
			rows = (await this.connection.ask(`list mine from=${from}`)).matches;
			from += rows.length;
			for (const { match } of rows) {
				if (this.store.matches.has(match) || this.store.challenges.has(match)) continue;
				news = true;
				await this.ask(`state ${match}`).catch(() => null); /* it may be over by now */
			}
		} while (rows.length > 0);
		return news;
	}

	/** Gives a guest a name, so that they can come back. Asked twice at a time it is still one name. */
	ensureName() {
		this.naming ??= this.findName().finally(() => { this.naming = null; });
		return this.naming;
	}

	async findName() {
		for (let i = 0; this.identity === null && i < NAME_TRIES; i++) {
			try {
				await this.takeName(someName());
			} catch (refusal) {
				if (refusal.code !== 'name-taken') throw refusal;
			}
		}
	}

	/**
	 * Becomes another player, once the server has agreed on a connection of its own: until then nothing changes.
	 * @param {string} name @param {string} [proof] @param {string} [route] where to go on
	 */
	async changeTo(name, proof, route = location.hash) {
		const reply = await sayHello(this.connection.url, this.helloLine(name, proof));

		keepIdentity({ name: reply.name, token: reply.token });
		history.replaceState(null, '', route);
		location.reload();
	}

	/** Becomes the player who made a code on another device. @param {string} name @param {string} code */
	async useDevice(name, code) {
		await this.changeTo(name, `device=${checked.code(code)}`, '#/');
	}

	/** Takes another name, or goes back to one that this browser has had. @param {string} name */
	async rename(name) {
		const known = otherIdentities().find(other => other.name.toLowerCase() === name.toLowerCase());

		if (known) await this.changeTo(known.name, known.token && `token=${known.token}`);
		else if (this.identity) await this.changeTo(name);
		else await this.takeName(name);
	}

	/** Shows this player to others under a name in their own letters. @param {string} display '': as the name that is typed */
	async setDisplay(display) {
		const reply = await this.ask(`set display=${checked.display(display)}`);

		learnName(this.store.name, reply.display);
		this.store.setName(this.store.name);
	}

	/** What this player would leave behind under another name, in words; '': nothing. */
	async belongings() {
		const matches = this.store.mine().length;
		const finished = (await this.ask('history')).total;
		const here = matches > 0 && sayPlural('{count} unfinished match', '{count} unfinished matches', matches);
		const past = finished > 0 && sayPlural('{count} finished match', '{count} finished matches', finished);

		return here && past ? say('{this} and {that}', { this: here, that: past }) : here || past || '';
	}
}

/** A visit beside the player's own, as a guest: what it leaves behind ends with its connection. */
export class Visit extends Session {
	/** @param {Store} store @param {Session} own */
	constructor(store, own) {
		super(store, own.connection.url);
		/** @type {Identity | null} */
		this.identity = null;
		this.code = own.code;
		this.quiet = false;
	}

	/** @param {Message} hello @override */
	async greet(hello) {
		this.store.setName(hello.name);
		if (hello.code) await this.connection.ask(`hello me code=${checked.code(this.code ?? '')}`).catch(() => null); /* nobody can have that name: it lets a guest in */
		this.store.setStatus('here');
	}

	/** @override */
	async findOutWhy() { /* that is the own session's to say */ }
}
