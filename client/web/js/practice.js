// A position of the rules. Tried, it becomes a match of both sides by a guest, which ends with the guest's connection.
import { fill, h } from './dom.js';
import { say } from './language.js';
import { MatchView } from './pages/match.js';
import { picture } from './scene.js';
import { Visit } from './session.js';
import { Store } from './store.js';

/** The boards to try on a page, of which one is played on at a time. @param {App} app @param {Game} game */
export function practices(app, game) {
	/** @type {() => void} */
	let end = () => undefined;

	return {
		nodes: game.examples.map(example => practice(app, game, example, other => {
			end();
			end = other;
		})),
		close: () => end(),
	};
}

/** @param {App} app @param {Game} game @param {Example} example @param {(end: () => void) => void} begin ends what is tried elsewhere */
function practice(app, game, example, begin) {
	const { position, variant = game.variants[0] } = example;
	const problem = h('p.problem', { role: 'alert' });
	const board = h('div.field');
	const button = h('button', { 'data-action': 'try', onclick: () => start() });
	const rest = () => {
		fill(board, picture(game, position, variant, true));
		button.textContent = say('Try it on this board');
	};
	const start = () => {
		const visit = new Visit(new Store(), app.session);
		/** @type {MatchView | null} */
		let match = null;
		const end = () => {
			stop();
			match?.close();
			visit.connection.stop();
			rest();
		};
		const open = async () => {
			try {
				const reply = await visit.ask(`new ${game.name}:${variant} white=me black=me private=yes position=${position}`);
				match = new MatchView({ ...app, store: visit.store, session: visit, setTitle: () => undefined }, reply.match, true);
				fill(board, match.node);
				button.textContent = say('From the beginning');
			} catch (refusal) {
				problem.textContent = refusal.message;
			}
		};
		const stop = visit.store.on('status', () => {
			if (visit.store.status === 'here' && !match) void open();
			else if (visit.store.status !== 'here' && visit.store.status !== 'connecting') end(); /* the match has ended with it */
		});

		problem.textContent = '';
		begin(end);
		visit.connection.open();
	};

	rest();
	return h('section.example', { 'data-example': example.title }, h('h2', example.title), board, h('p', example.text), button, problem);
}
