/** The text of the tabs in CodeMirror: one view, and for each tab a state with its own cursor and undo history. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorSelection, EditorState, type Extension, Prec } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
} from "@codemirror/view";
import { completionSources, type SourceOptions } from "../completion/source.ts";
import { sqlColors, sqlLanguage } from "../sql/language.ts";
import type { TextSelection } from "../workspace.ts";

export interface SqlEditorEvents {
  readonly onChange: (id: string, text: string) => void;
  readonly onRun: (scope: "current" | "all") => void;
}

export interface SqlEditorOptions extends SqlEditorEvents, SourceOptions {
  /** The element that explains the keys. */
  readonly describedBy: string;
  readonly isDark: boolean;
}

/** A change that comes from the storage and must not be stored again. */
const fromStorage = Annotation.define<boolean>();

export class SqlEditor {
  readonly #view: EditorView;
  readonly #states = new Map<string, EditorState>();
  readonly #dark = new Compartment();
  readonly #extensions: Extension;
  #id = "";

  constructor(parent: HTMLElement, options: SqlEditorOptions) {
    this.#extensions = this.#extensionsOf(options);
    this.#view = new EditorView({ parent, state: this.#stateOf("") });
  }

  /** Shows the text of a tab. The state of the tab before is kept. */
  show(id: string, text: string): void {
    if (id === this.#id) {
      return;
    }
    if (this.#id !== "") {
      this.#states.set(this.#id, this.#view.state);
    }
    this.#id = id;
    const known = this.#states.get(id);
    this.#view.setState(known !== undefined && known.doc.toString() === text ? known : this.#stateOf(text));
    this.setDark(document.documentElement.dataset["theme"] === "dark");
  }

  /** Takes over a text that another window stored; the change can be undone. */
  takeForeign(id: string, text: string): void {
    this.#states.delete(id);
    if (id !== this.#id || this.#view.state.doc.toString() === text) {
      return;
    }
    const { state } = this.#view;
    const old = state.doc.toString();
    const { from, to, insert } = difference(old, text);
    this.#view.dispatch({ changes: { from, to, insert }, annotations: fromStorage.of(true) });
  }

  /** Forgets the states of closed tabs. */
  keepOnly(ids: readonly string[]): void {
    for (const id of this.#states.keys()) {
      if (!ids.includes(id)) {
        this.#states.delete(id);
      }
    }
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get selection(): TextSelection {
    const { from, to } = this.#view.state.selection.main;
    return { from, to };
  }

  focus(): void {
    this.#view.focus();
  }

  /** Replaces the selection. */
  insert(text: string): void {
    this.#view.dispatch(this.#view.state.replaceSelection(text), { scrollIntoView: true });
    this.#view.focus();
  }

  /** Marks the places of errors, and shows the first. */
  mark(diagnostics: readonly Diagnostic[]): void {
    const length = this.#view.state.doc.length;
    const inside = diagnostics.filter(({ from, to }) => from <= length && to <= length);
    this.#view.dispatch(setDiagnostics(this.#view.state, inside));
    const [first] = inside;
    if (first !== undefined) {
      this.#view.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: "nearest" }) });
    }
  }

  /** Puts the cursor at a place. */
  goTo(offset: number): void {
    const anchor = Math.min(offset, this.#view.state.doc.length);
    this.#view.dispatch({ selection: EditorSelection.cursor(anchor), scrollIntoView: true });
    this.#view.focus();
  }

  setDark(isDark: boolean): void {
    this.#view.dispatch({ effects: this.#dark.reconfigure(EditorView.darkTheme.of(isDark)) });
  }

  destroy(): void {
    this.#view.destroy();
  }

  #stateOf(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.#extensions });
  }

  #extensionsOf(options: SqlEditorOptions): Extension {
    const runKeys = Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: () => done(() => options.onRun("current")) },
        { key: "Mod-Shift-Enter", run: () => done(() => options.onRun("all")) },
      ]),
    );
    return [
      runKeys,
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      rectangularSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentUnit.of("  "),
      sqlLanguage,
      syntaxHighlighting(sqlColors),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      autocompletion({ override: [...completionSources(options)], maxRenderedOptions: 200, icons: false }),
      placeholder("SELECT …"),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      this.#dark.of(EditorView.darkTheme.of(options.isDark)),
      EditorView.contentAttributes.of({ "aria-label": "SQL", "aria-describedby": options.describedBy, spellcheck: "false", tabindex: "0" }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.some((transaction) => transaction.annotation(fromStorage) === true)) {
          options.onChange(this.#id, state.doc.toString());
        }
      }),
    ];
  }
}

/** A key binding that always applies. */
function done(act: () => void): true {
  act();
  return true;
}

/** The smallest replacement that makes `text` of `old`, so that the cursor stays where it is. */
function difference(old: string, text: string): { readonly from: number; readonly to: number; readonly insert: string } {
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < shorter && old.charCodeAt(from) === text.charCodeAt(from)) {
    from++;
  }
  let tail = 0;
  while (tail < shorter - from && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  return { from, to: old.length - tail, insert: text.slice(from, text.length - tail) };
}
