// Display names: what players call themselves in their own letters, as the server has told last, by the names that are typed.

/** @type {Map<string, string>} */
const displays = new Map();

/** @param {any} name @param {any} [display] none: the player has no other name any more */
export function learnName(name, display) {
	if (typeof display === 'string' && display !== '') displays.set(name, display);
	else displays.delete(name);
}

/** @param {Message[]} players some of which may be nobody */
function learnPlayers(players) {
	for (const player of players) if (player) learnName(player.name, player.display);
}

/** @param {Message} row of the lobby */
function learnRow({ white, black, white_display: whites, black_display: blacks }) {
	learnName(white, whites);
	learnName(black, blacks);
}

/** @type {{[type: string]: (message: Message) => void}} the messages that have display names: where one is missing, there is none */
const TOLD = {
	state: ({ players }) => learnPlayers([players.white, players.black]),
	who: ({ players }) => learnPlayers(players),
	top: ({ players }) => learnPlayers(players),
	tournament: ({ players }) => learnPlayers(players ?? []), /* its events have none */
	seeks: ({ seeks }) => learnPlayers(seeks),
	history: message => learnPlayers([message]),
	presence: message => learnPlayers([message]),
	list: ({ matches }) => matches.forEach(learnRow),
	lobby: learnRow,
	challenge: ({ from, display }) => learnName(from, display),
	paired: ({ opponent, display }) => learnName(opponent, display),
	ok: message => message.cmd === 'hello' && learnPlayers([message]),
};

/** Learns from any message of the server. @param {Message} message */
export function learnNames(message) {
	TOLD[message.type]?.(message);
}

/** @param {string | null | undefined} name @returns {string | undefined} */
export function displayOf(name) {
	return name ? displays.get(name) : undefined;
}
