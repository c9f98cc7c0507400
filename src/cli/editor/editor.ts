/**
 * The line editor as a state machine: keys in, events and a view out. It knows no terminal and no server. A statement of several lines is
 * one text; Enter submits it once it is complete and adds a line otherwise. Keys are those of readline's emacs mode.
 */
import { TextBuffer } from "./buffer.ts";
import { type Candidate, CompletionMenu } from "./menu.ts";
import { HistorySearch, type SearchView } from "./history-search.ts";
import type { Key } from "./keys.ts";

export interface EditorOptions {
  /** Oldest first. */
  readonly history: () => readonly string[];
  /** True if Enter submits the text. */
  readonly isComplete: (text: string) => boolean;
}

export type EditorEvent =
  | { readonly kind: "none" }
  /** The key has no effect here. */
  | { readonly kind: "bell" }
  | { readonly kind: "submit"; readonly text: string }
  /** Ctrl-C: the text was discarded. */
  | { readonly kind: "interrupt"; readonly text: string }
  /** Ctrl-D without text. */
  | { readonly kind: "end" }
  | { readonly kind: "suspend" }
  | { readonly kind: "clear-screen" }
  /** Candidates are wanted; the answer is `offer`. */
  | { readonly kind: "complete"; readonly text: string; readonly cursor: number }
  /** The text is wanted in the user's editor; the answer is `replace`. */
  | { readonly kind: "edit"; readonly text: string };

export interface EditorView {
  readonly text: string;
  readonly cursor: number;
  /** Grey text behind the cursor: the rest of the newest statement in history that begins like this one. */
  readonly suggestion: string;
  readonly search?: SearchView;
  readonly menu?: { readonly candidates: readonly Candidate[]; readonly selected: number };
}

const nothing: EditorEvent = { kind: "none" };
const bell: EditorEvent = { kind: "bell" };

type Binding = (editor: LineEditor) => EditorEvent;

function edit(change: (buffer: TextBuffer) => void): Binding {
  return (editor) => editor.change(change);
}

const bindings: Readonly<Record<string, Binding>> = {
  enter: (editor) => editor.enter(),
  "alt-enter": edit((buffer) => buffer.insert("\n")),
  "shift-enter": edit((buffer) => buffer.insert("\n")),
  left: edit((buffer) => buffer.left()),
  "ctrl-b": edit((buffer) => buffer.left()),
  right: (editor) => editor.right(),
  "ctrl-f": (editor) => editor.right(),
  "ctrl-left": edit((buffer) => buffer.wordLeft()),
  "alt-left": edit((buffer) => buffer.wordLeft()),
  "alt-b": edit((buffer) => buffer.wordLeft()),
  "ctrl-right": (editor) => editor.wordRight(),
  "alt-right": (editor) => editor.wordRight(),
  "alt-f": (editor) => editor.wordRight(),
  home: edit((buffer) => buffer.lineStart()),
  "ctrl-a": edit((buffer) => buffer.lineStart()),
  end: (editor) => editor.lineEnd(),
  "ctrl-e": (editor) => editor.lineEnd(),
  "ctrl-home": edit((buffer) => buffer.start()),
  "ctrl-end": edit((buffer) => buffer.end()),
  up: (editor) => editor.up(),
  down: (editor) => editor.down(),
  "ctrl-p": (editor) => editor.older(),
  "page-up": (editor) => editor.older(),
  "ctrl-n": (editor) => editor.newer(),
  "page-down": (editor) => editor.newer(),
  "alt-<": (editor) => editor.oldest(),
  "alt->": (editor) => editor.draft(),
  backspace: edit((buffer) => buffer.backspace()),
  "shift-backspace": edit((buffer) => buffer.backspace()),
  delete: edit((buffer) => buffer.delete()),
  "ctrl-d": (editor) => editor.deleteOrEnd(),
  "ctrl-k": edit((buffer) => buffer.killLineRight()),
  "ctrl-u": edit((buffer) => buffer.killLineLeft()),
  "ctrl-w": edit((buffer) => buffer.killBlankWordLeft()),
  "alt-backspace": edit((buffer) => buffer.killWordLeft()),
  "ctrl-backspace": edit((buffer) => buffer.killWordLeft()),
  "alt-d": edit((buffer) => buffer.killWordRight()),
  "ctrl-delete": edit((buffer) => buffer.killWordRight()),
  "ctrl-y": edit((buffer) => buffer.yank()),
  "alt-y": edit((buffer) => buffer.yankEarlier()),
  "ctrl-t": edit((buffer) => buffer.transpose()),
  "ctrl-_": edit((buffer) => buffer.undo()),
  "alt-_": edit((buffer) => buffer.redo()),
  "alt-u": edit((buffer) => buffer.changeCase((word) => word.toUpperCase())),
  "alt-l": edit((buffer) => buffer.changeCase((word) => word.toLowerCase())),
  "alt-c": edit((buffer) => buffer.changeCase(capitalized)),
  tab: (editor) => editor.askForCandidates(),
  "ctrl-r": (editor) => editor.search("older"),
  "ctrl-s": (editor) => editor.search("newer"),
  "ctrl-c": (editor) => editor.interrupt(),
  "ctrl-l": () => ({ kind: "clear-screen" }),
  "ctrl-z": () => ({ kind: "suspend" }),
  "ctrl-g": () => nothing,
  escape: () => nothing,
};

export class LineEditor {
  readonly #options: EditorOptions;
  readonly #buffer = new TextBuffer();
  #search: HistorySearch | undefined;
  #menu: CompletionMenu | undefined;
  /** Position in history; its length stands for the text that is being written. */
  #position: number;
  /** Text that was being written when the walk through history began. */
  #draft = "";
  /** Ctrl-X was pressed. */
  #prefixed = false;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#position = options.history().length;
  }

  get text(): string {
    return this.#buffer.text;
  }

  get view(): EditorView {
    const { text, cursor } = this.#buffer;
    if (this.#search !== undefined) {
      return { ...this.#search.view, suggestion: "" };
    }
    const menu = this.#menu === undefined ? {} : { menu: this.#menu.view };
    return { text, cursor, suggestion: this.#menu === undefined ? this.#suggestion() : "", ...menu };
  }

  /** Begins a new text. */
  clear(): void {
    this.#buffer.clear();
    this.#search = undefined;
    this.#menu = undefined;
    this.#position = this.#options.history().length;
    this.#draft = "";
    this.#prefixed = false;
  }

  /** Replaces the text, as one step of undo. */
  replace(text: string): void {
    this.#menu = undefined;
    this.#search = undefined;
    this.#buffer.replaceAll(text);
  }

  key(key: Key): EditorEvent {
    if (this.#prefixed) {
      this.#prefixed = false;
      return this.#prefixedKey(key);
    }
    if (this.#search !== undefined) {
      return this.#searchKey(this.#search, key);
    }
    if (this.#menu !== undefined) {
      const event = this.#menuKey(this.#menu, key);
      if (event !== undefined) {
        return event;
      }
    }
    return this.#plainKey(key);
  }

  #plainKey(key: Key): EditorEvent {
    if (key.name === "text" || key.name === "paste") {
      return this.change((buffer) => buffer.insert(key.text));
    }
    if (key.name === "ctrl-x") {
      this.#prefixed = true;
      return nothing;
    }
    return (Object.hasOwn(bindings, key.name) ? bindings[key.name] : undefined)?.(this) ?? bell;
  }

  /** The second key after Ctrl-X. */
  #prefixedKey(key: Key): EditorEvent {
    switch (key.name === "text" ? key.text : key.name) {
      case "ctrl-e":
      case "e":
        return { kind: "edit", text: this.text };
      case "ctrl-u":
      case "u":
        return this.change((buffer) => buffer.undo());
      default:
        return bell;
    }
  }

  /** Answers `complete`. Ignored if the text has changed since then. */
  offer(candidates: readonly Candidate[], asked: { readonly text: string; readonly cursor: number; readonly from: number }): EditorEvent {
    const { text, cursor } = this.#buffer;
    if (text !== asked.text || cursor !== asked.cursor || this.#search !== undefined || this.#menu !== undefined) {
      return nothing;
    }
    const [first, second] = candidates;
    if (first === undefined) {
      return bell;
    }
    if (second === undefined) {
      this.#buffer.replaceBefore(asked.from, first.text);
      return nothing;
    }
    const typed = text.slice(asked.from, cursor);
    const common = commonPrefix(candidates.map((candidate) => candidate.text));
    if (common.length > typed.length) {
      this.#buffer.replaceBefore(asked.from, common);
    }
    this.#menu = new CompletionMenu(candidates, { from: asked.from, typed: this.text.slice(asked.from, this.#buffer.cursor) });
    return nothing;
  }

  change(change: (buffer: TextBuffer) => void): EditorEvent {
    const { text, cursor } = this.#buffer;
    change(this.#buffer);
    return this.#buffer.text === text && this.#buffer.cursor === cursor ? bell : nothing;
  }

  enter(): EditorEvent {
    const { text } = this;
    if (text.trim() === "" || this.#options.isComplete(text)) {
      return { kind: "submit", text };
    }
    return this.change((buffer) => buffer.insert("\n"));
  }

  right(): EditorEvent {
    const suggestion = this.#suggestion();
    return this.change((buffer) => (suggestion === "" ? buffer.right() : buffer.insert(suggestion)));
  }

  wordRight(): EditorEvent {
    const suggestion = this.#suggestion();
    const word = /^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(suggestion)?.[0] ?? "";
    return this.change((buffer) => (word === "" ? buffer.wordRight() : buffer.insert(word)));
  }

  lineEnd(): EditorEvent {
    const suggestion = this.#suggestion();
    return this.change((buffer) => (suggestion === "" ? buffer.lineEnd() : buffer.insert(suggestion)));
  }

  deleteOrEnd(): EditorEvent {
    return this.text === "" ? { kind: "end" } : this.change((buffer) => buffer.delete());
  }

  interrupt(): EditorEvent {
    const { text } = this;
    this.clear();
    return { kind: "interrupt", text };
  }

  askForCandidates(): EditorEvent {
    const { text, cursor } = this.#buffer;
    return { kind: "complete", text, cursor };
  }

  up(): EditorEvent {
    return this.#buffer.up() ? nothing : this.older();
  }

  down(): EditorEvent {
    return this.#buffer.down() ? nothing : this.newer();
  }

  older(): EditorEvent {
    return this.#walk(this.#position - 1);
  }

  newer(): EditorEvent {
    return this.#walk(this.#position + 1);
  }

  oldest(): EditorEvent {
    return this.#walk(0);
  }

  draft(): EditorEvent {
    return this.#walk(this.#options.history().length);
  }

  /**
   * Shows the entry at a position of history. The cursor stands where the next key of the same direction leaves the entry: at the end of
   * its first line on the way up, at the end of its text on the way down.
   */
  #walk(position: number): EditorEvent {
    const history = this.#options.history();
    if (position < 0 || position > history.length || position === this.#position) {
      return bell;
    }
    if (this.#position === history.length) {
      this.#draft = this.text;
    }
    const isOlder = position < this.#position;
    this.#position = position;
    const text = history[position] ?? this.#draft;
    const firstLine = text.indexOf("\n");
    this.#buffer.replaceAll(text, isOlder && firstLine !== -1 ? firstLine : text.length);
    return nothing;
  }

  search(direction: "older" | "newer"): EditorEvent {
    this.#search = new HistorySearch(this.#options.history(), { text: this.text, cursor: this.#buffer.cursor, direction });
    return nothing;
  }

  #searchKey(search: HistorySearch, key: Key): EditorEvent {
    switch (key.name) {
      case "text":
      case "paste":
        return search.type(key.text) ? nothing : bell;
      case "backspace":
        search.erase();
        return nothing;
      case "ctrl-r":
        return search.again("older") ? nothing : bell;
      case "ctrl-s":
        return search.again("newer") ? nothing : bell;
      case "ctrl-g":
      case "ctrl-c":
        this.#search = undefined;
        return nothing;
      default:
        this.#accept(search);
        return key.name === "escape" ? nothing : this.#plainKey(key);
    }
  }

  /** Takes over the entry that was found. */
  #accept(search: HistorySearch): void {
    this.#search = undefined;
    if (search.position !== undefined) {
      if (this.#position === this.#options.history().length) {
        this.#draft = this.text;
      }
      this.#position = search.position;
      this.#buffer.replaceAll(search.view.text, search.view.cursor);
    }
  }

  /** Returns undefined if the key closes the menu and then has its own meaning. */
  #menuKey(menu: CompletionMenu, key: Key): EditorEvent | undefined {
    switch (key.name) {
      case "tab":
      case "down":
      case "right":
        return this.#select(menu, 1);
      case "shift-tab":
      case "up":
      case "left":
        return this.#select(menu, -1);
      case "escape":
      case "ctrl-g":
        this.#menu = undefined;
        this.#buffer.replaceBefore(menu.from, menu.typed);
        return nothing;
      case "enter":
        this.#menu = undefined;
        return menu.isSelected ? nothing : undefined;
      default:
        this.#menu = undefined;
        return undefined;
    }
  }

  #select(menu: CompletionMenu, step: 1 | -1): EditorEvent {
    this.#buffer.replaceBefore(menu.from, menu.select(step));
    return nothing;
  }

  /** Empty unless the cursor is at the end of a text. */
  #suggestion(): string {
    const { text, cursor } = this.#buffer;
    if (text.trim() === "" || cursor !== text.length) {
      return "";
    }
    const found = this.#options.history().findLast((entry) => entry.length > text.length && entry.startsWith(text));
    return found?.slice(text.length) ?? "";
  }
}

function capitalized(word: string): string {
  const at = word.search(/[\p{L}\p{N}]/u);
  return at === -1 ? word : word.slice(0, at) + word.charAt(at).toUpperCase() + word.slice(at + 1).toLowerCase();
}

/** Case counts: a common prefix in another case is not one. */
function commonPrefix(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const text of others) {
    while (!text.startsWith(first.slice(0, length))) {
      length--;
    }
  }
  return first.slice(0, length);
}
