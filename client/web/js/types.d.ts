// Types that all modules know: the messages of the server as far as the page reads them (protocol.md), and the
// page's own shapes.

type Color = 'white' | 'black';

interface Player {
  name: string;
  bot: boolean;
  rating: number | null;
  rating_deviation: number | null;
  online: boolean;
  seated: boolean;
  claim_ms?: number | null;
  stall_ms?: number;
}

interface Clock {
  white_ms: number;
  black_ms: number;
  increment_ms: number;
  running: Color | null;
}

interface TimeControl {
  base_ms: number;
  increment_ms: number;
}

interface Offer {
  what: 'draw' | 'undo' | 'rematch';
  from: string;
  color: Color;
}

interface State {
  match: string;
  game: string;
  variant: string;
  status: 'open' | 'playing' | 'over';
  you: Color | 'both' | null;
  ply: number;
  turn: Color;
  position: string;
  board: string[];
  last: string | null;
  players: { white: Player | null; black: Player | null };
  clock: Clock | null;
  offers: Offer[];
  result: string;
  reason: string | null;
  rated: boolean;
  score?: { white: number; black: number };
  check?: boolean;
  legal?: string[];
}

interface Row {
  match: string;
  game: string;
  variant: string;
  white: string | null;
  black: string | null;
  status: 'open' | 'playing' | 'over';
  ply: number;
  watchers: number;
  /** Whether its open seat asks for a word. */
  code?: boolean;
  clock: TimeControl | null;
  rated: boolean;
  /** Nobody who plays there is here. */
  away: boolean;
}

/** A line of chat, and the room in which it was said. */
interface ChatLine {
  from: string;
  text: string;
  to: 'players' | 'watchers';
  /** It was said before this page came. */
  past: boolean;
}

/** What somebody seeks, as the server tells it. */
interface SeekRow {
  seek: string;
  name: string;
  bot: boolean;
  rating: number | null;
  game: string;
  variant: string;
  clock: TimeControl | null;
  color: Color | null;
  rated: boolean;
  bots: string;
}

/** What this player seeks; the clock as a command has it, '': none. */
interface SeekWish {
  game: string;
  variant: string;
  clock: string;
  rated: boolean;
  color: string;
}

interface Challenge {
  match: string;
  game: string;
  variant: string;
  from: string;
  color: Color;
  clock: TimeControl | null;
  rated: boolean;
}

interface MatchRecord {
  match: string;
  /** What its file calls it, if that is not a match. */
  event?: string;
  game: string;
  variant: string;
  start: string;
  moves: string[];
  times_ms: number[];
  positions?: string[];
  white: string | null;
  black: string | null;
  date: string;
  clock: TimeControl | null;
  result: string;
  reason: string | null;
  white_rating: number | null;
  black_rating: number | null;
  white_rating_before?: number | null;
  black_rating_before?: number | null;
  rated?: boolean;
}

/** A ply of a review. */
interface Judged {
  eval_cp: number;
  chance: number;
  best: string | null;
  /** Why the best move is good, in a few words. */
  why?: string;
  /** The best line, which begins with the best move. */
  pv: string[];
  mark: string;
  last_win?: boolean;
}

/** What the server's bots think of a position, and of a move there. */
interface Analysis {
  chance: number;
  best: string | null;
  why?: string;
  pv: string[];
  winner: Color | null;
  plies: number | null;
  exact: boolean;
  mark?: string;
}

/** How a position stands by the rules. */
interface Standing {
  variant: string;
  position: string;
  /** All that are legal. */
  moves: string[];
  result: string;
  reason: string | null;
}

/** A position of an analysis, and the moves that were tried there. */
interface Branch extends Standing {
  /** It leads here; null: the beginning. */
  move: string | null;
  parent: Branch | null;
  /** The main line first. */
  next: Branch[];
  /** Once the server was asked. */
  told?: Analysis;
}

/** A match that bots have played: its moves, and the position before each of them and at the end. */
interface Reel {
  variant: string;
  moves: string;
  positions: string[];
  result: string;
  reason: string;
}

/** Any message: its fields depend on its type. */
type Message = any;

/** What an element may be made of. */
interface Props {
  [attribute: string]: any;
  nodeType?: never;
  onclick?: (event: MouseEvent) => void;
  oninput?: (event: Event) => void;
  onchange?: (event: Event) => void;
  onfocus?: (event: FocusEvent) => void;
  onpointerdown?: (event: PointerEvent) => void;
  onsubmit?: (event: Event) => void;
}

/** What a board shows: one position, and what may be done with it. */
interface View {
  rows: string[];
  position: string;
  variant: string;
  turn: Color;
  last: string | null;
  /** The moves that this player may make now; null: none, it is somebody else's turn. */
  legal: string[] | null;
  /** Who may choose a premove there. */
  ahead?: Color | null;
  /** A move that is chosen and not sent yet. */
  plan?: string | null;
  /** The move that a review prefers to the last one. */
  better?: string | null;
}

/** What a game says about one square of a position. */
interface Mark {
  /** Classes of the piece on it. */
  piece?: string;
  /** A badge in its corner. */
  badge?: 'lock' | 'check' | 'aim';
  /** Two numbers on it: of white and of black. */
  counts?: [number, number];
  /** Words for those who hear the board. */
  words?: string;
}

interface Example {
  title: string;
  position: string;
  /** If it is not the usual one. */
  variant?: string;
  text: string;
}

/** A task of the server: of its moves, each leads to the position at the same place. */
interface Lesson {
  title: string;
  /** The title in the page's language. */
  shown: string;
  task: string;
  variant: string;
  position: string;
  legal: string[];
  moves: string[];
  positions: string[];
  done: string;
  /** The part of the board that shows the rule, as two corners. */
  frame: string | null;
}

/** What stands on a board: a piece, or `*`. */
interface GameSymbol {
  letter: string;
  name: string;
  does: string;
}

/** A position in which one move wins. */
interface Puzzle {
  game: string;
  variant: string;
  number: number;
  /** How many the game has. */
  count: number;
  /** If it is that of today: today, in UTC. */
  date?: string;
  position: string;
  turn: Color;
  task: string;
  legal: string[];
  /** Its rating, by those who have tried it. */
  rating: number;
  /** How this player is rated, who has a name. */
  solver?: Solver;
  /** Whether they have tried it before. */
  tried?: boolean;
}

/** Puzzle after puzzle against the clock. */
interface Storm {
  game: string;
  seconds: number;
  /** What a wrong move costs. */
  wrong_seconds: number;
  puzzles: { number: number; variant: string; position: string; task: string; legal: string[]; answer: string }[];
}

/** A player's rating in the puzzles of a game. */
interface Solver {
  rating: number;
  attempts: number;
  /** By what the attempt has changed it. */
  change?: number;
}

/** What a move in a puzzle comes to. */
interface Attempt {
  move: string;
  right: boolean;
  reply: string | null;
  /** The right move and a best line to the end. */
  line?: string[];
  /** What each move of the line leads to, or the wrong move and the reply. */
  positions: string[];
  said: string;
  /** It was the first attempt of a player who has a name. */
  rated: boolean;
  solver?: Solver;
}

/** What the server tells of a game. */
interface ServerGame {
  name: string;
  title: string;
  summary: string;
  /** The first one is the usual one. */
  variants: string[];
  default: string;
  /** The usual start of the usual variant. */
  start: string;
  rules: string[];
}

/** A part of a shape: a tag with its class, and its path or its attributes. */
type Part = [string, string | { [name: string]: string | number }];

/** What the page adds to a game, in games/NAME.js. */
interface Pictures {
  /** Names of the pieces by their capital letters. */
  pieces: { [letter: string]: string };
  /** Names of variants, where a capital letter is not enough. */
  variantNames?: { [variant: string]: string };
  /** How they look; others are stones with their letters. */
  shapes: { [letter: string]: Part[] };
  /** Rules of style; & stands for what belongs to the game. */
  style: string;
  /** The usual start of a variant, where variants differ. */
  startOf?(variant: string): string;
  /** A position for pictures, instead of the start. */
  sample?: string;
  /** What can be shown on the board on demand, and whether it is at first. */
  aid: { label: string; first: boolean } | null;
  draws: boolean;
  marks(view: View, aid: boolean): Map<string, Mark>;
  /** Short facts about a position: a label and a value for each side, or one for both. */
  tell(view: View, aid: boolean): { label: string; white?: string; black?: string; both?: string }[];
  /** What follows the side to move in the text of a position that was set up by hand: `last` is the square of the piece put last, or ''. */
  fields?(rows: string[], hand: string, side: string, last: string): string;
  /** The pieces in hand of a side, as letters in order. */
  hand?(view: View, color: Color): string;
  examples: Example[];
}

type Game = ServerGame & Pictures & { startOf(variant: string): string; sample: string };

interface Page {
  node: HTMLElement;
  title: string;
  close?: () => void;
}

type PageMaker = (app: App, ...args: string[]) => Page;

/** What every page is given. */
interface App {
  store: Store;
  session: Session;
  sound: Sound;
  seek: Seek;
  announce: (text: string, about?: 'match' | 'chat') => void;
  setTitle: (title: string) => void;
}

type Status = 'connecting' | 'here' | 'lost' | 'code' | 'replaced' | 'closed' | 'refused';

/** A player's name, and the proof of it. */
interface Identity {
  name: string;
  token?: string;
}

interface At {
  file: number;
  rank: number;
}

/** Stones that stand together; live: of both colours. */
interface Group {
  squares: string[];
  live: boolean;
}

/** A piece as it is drawn. */
interface Piece {
  cell: string;
  node: SVGElement;
  square: string;
}

/** What an element may have in it. */
type Child = Node | string | number | null | undefined | false | Child[];

type Board = import('./board.js').Board;
type MatchView = import('./pages/match.js').MatchView;
type Pace = import('./pace.js').Pace;
type Refusal = import('./line.js').Refusal;
type Seek = import('./seek.js').Seek;
type Session = import('./session.js').Session;
type Sound = import('./sound.js').Sound;
type Store = import('./store.js').Store;
type Timeline = import('./timeline.js').Timeline;

/** The element that h() makes of a tag and classes. */
type Made<T extends string> = T extends `input${string}` ? HTMLInputElement
  : T extends `form${string}` ? HTMLFormElement
  : HTMLElement;

/** The sentences of a language. */
interface Table {
  /** For 0, 1, ... the number of the form that a plural has, as digits. */
  plurals: string;
  /** By the English sentence; the forms of a plural. */
  texts: { [english: string]: string | string[] };
  /** What the server may say, with {1}, {2}, ... for values and {3#} for a number, and what that is, or its forms by the first number. */
  formats: [string, string | string[]][];
}

interface Window {
  /** Which language start.js has chosen, which there are, and its table; null: English. */
  language: { tag: string; tags: string[]; table: Promise<Table | null> | null };
  whyNoConnection(): Promise<string>;
}
