// A position of the rules. Tried, it becomes a match of both sides by this player.
import { fill, h } from './dom.js';
import { MatchView } from './pages/match.js';
import { picture } from './scene.js';

/** @param {App} app @param {Game} game @param {Example} example */
export function practice(app, game, example) {
	const { position, variant = game.variants[0] } = example;
	const problem = h('p.problem', { role: 'alert' });
	const board = h('div.field');
	const button = h('button', { 'data-action': 'try', onclick: () => start() }, 'Try it on this board');
	/** @type {MatchView | null} */
	let match = null;
	let closed = false;

	/** Takes everything back and breaks the match off: it leaves no trace. @param {MatchView | null} view */
	const end = async view => {
		view?.close();
		if (view?.state?.status !== 'playing') return;
		for (let ply = view.state.ply; ply > 0; ply--) await app.session.ask(`undo ${view.id}`);
		await app.session.ask(`abort ${view.id}`);
	};
	const start = async () => {
		try {
			await end(match);
			await app.session.ensureName();
			const reply = await app.session.ask(`new ${game.name}:${variant} white=me black=me private=yes position=${position}`);
			match = new MatchView(app, reply.match);
			if (closed) await end(match);
			fill(board, match.node);
			button.textContent = 'From the beginning';
		} catch (refusal) {
			problem.textContent = refusal.message;
		}
	};

	fill(board, picture(game, position, variant, true));
	return {
		node: h('section.example', { 'data-example': example.title }, h('h2', example.title), board, h('p', example.text), button, problem),
		close() {
			closed = true;
			end(match).catch(() => null);
		},
	};
}
