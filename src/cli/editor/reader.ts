/**
 * The editor on a terminal: reads keys in raw mode, draws frames, and returns what the user has entered. While a statement runs, it takes
 * Ctrl-C and keeps the other keys for later; while another program has the terminal, it reads nothing.
 */
import type { Clock, Timer } from "../../ports/clock.ts";
import type { TextWidth } from "../formats/text.ts";
import { type EditorEvent, LineEditor } from "./editor.ts";
import { type Key, KeyDecoder } from "./keys.ts";
import { layout } from "./layout.ts";
import type { Candidate } from "./menu.ts";
import { Screen } from "./screen.ts";

export interface TerminalInput {
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (text: string) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface TerminalOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: "resize", listener: () => void): unknown;
}

export interface Completions {
  /** Offset where the word begins that the candidates replace. */
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export interface ReaderOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  readonly clock: Clock;
  readonly hasColors: boolean;
  readonly textWidth: TextWidth;
  readonly history: () => readonly string[];
  readonly isComplete: (text: string) => boolean;
  readonly complete: (text: string, cursor: number) => Promise<Completions>;
  /** Opens the user's editor; undefined if it failed. The terminal is free meanwhile. */
  readonly edit: (text: string) => Promise<string | undefined>;
  /** Stops the process, as Ctrl-Z does; resolves when it continues. */
  readonly suspend: () => Promise<void>;
  /** A key while a statement runs. */
  readonly onBusyKey: (key: "cancel" | "cancel-partially") => void;
}

export interface ReadOptions {
  readonly prompt: string;
  readonly continuation: string;
  /** Text to begin with. */
  readonly text: string;
}

export type Entry =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "interrupt"; readonly wasEmpty: boolean }
  | { readonly kind: "end" };

/** How long the rest of an escape sequence may take, in milliseconds. */
const sequenceMs = 50;
/** Keys that are kept while a statement runs. */
const waitingMax = 10_000;

const bracketedPasteOn = "\u001b[?2004h";
const bracketedPasteOff = "\u001b[?2004l";

export class TerminalReader {
  readonly #options: ReaderOptions;
  readonly #decoder = new KeyDecoder();
  readonly #editor: LineEditor;
  readonly #screen: Screen;
  #waiting: Key[] = [];
  #reading: (ReadOptions & { readonly resolve: (entry: Entry) => void }) | undefined;
  #sequenceTimer: Timer | undefined;
  #isReleased = true;
  #isEnded = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#editor = new LineEditor({ history: options.history, isComplete: options.isComplete });
    this.#screen = new Screen(options.hasColors);
    options.input.setEncoding("utf8");
    options.input.on("data", (text) => this.#feed(text));
    options.input.on("end", () => this.#endInput());
    options.output.on("resize", () => this.#resize());
  }

  /** Takes the terminal into raw mode. */
  take(): void {
    this.#isReleased = false;
    this.#options.input.setRawMode(true);
    this.#options.input.resume();
    this.#options.output.write(bracketedPasteOn);
  }

  /** Leaves the terminal to another program, or for good. */
  release(): void {
    this.#isReleased = true;
    this.#options.output.write(bracketedPasteOff);
    this.#options.input.setRawMode(false);
    this.#options.input.pause();
  }

  read(options: ReadOptions): Promise<Entry> {
    return new Promise((resolve) => {
      this.#reading = { ...options, resolve };
      this.#editor.clear();
      if (options.text !== "") {
        this.#editor.replace(options.text);
      }
      this.#draw();
      this.#work();
    });
  }

  #feed(text: string): void {
    this.#sequenceTimer?.cancel();
    this.#take(this.#decoder.feed(text));
    if (this.#decoder.isWaiting) {
      this.#sequenceTimer = this.#options.clock.timer("terminal-escape", sequenceMs, () => this.#take(this.#decoder.flush()));
    }
  }

  #take(keys: readonly Key[]): void {
    for (const key of keys) {
      if (this.#reading === undefined && key.name === "ctrl-c") {
        this.#waiting = [];
        this.#options.onBusyKey("cancel");
      } else if (this.#reading === undefined && key.name === "ctrl-p") {
        this.#options.onBusyKey("cancel-partially");
      } else if (this.#waiting.length < waitingMax) {
        this.#waiting.push(key);
        this.#work();
      }
    }
  }

  /** The terminal is gone. */
  #endInput(): void {
    this.#isEnded = true;
    this.#options.onBusyKey("cancel");
    this.#finish({ kind: "end" });
  }

  #work(): void {
    if (this.#isEnded) {
      this.#finish({ kind: "end" });
      return;
    }
    const isHeld = (): boolean => this.#reading === undefined || this.#isReleased;
    let hasKeys = false;
    for (let key = isHeld() ? undefined : this.#waiting.shift(); key !== undefined; key = isHeld() ? undefined : this.#waiting.shift()) {
      hasKeys = true;
      this.#act(this.#editor.key(key));
    }
    if (hasKeys && !isHeld()) {
      this.#draw();
    }
  }

  #act(event: EditorEvent): void {
    switch (event.kind) {
      case "none":
        return;
      case "bell":
        return;
      case "submit":
        this.#leave(event.text);
        this.#finish({ kind: "text", text: event.text });
        return;
      case "interrupt":
        this.#leave(event.text);
        this.#finish({ kind: "interrupt", wasEmpty: event.text === "" });
        return;
      case "end":
        this.#options.output.write(this.#screen.finish());
        this.#finish({ kind: "end" });
        return;
      case "clear-screen":
        this.#screen.forget();
        this.#options.output.write("\u001b[H\u001b[2J");
        return;
      case "complete":
        void this.#complete(event);
        return;
      case "edit":
        void this.lend(async () => {
          const text = await this.#options.edit(event.text);
          if (text !== undefined) {
            this.#editor.replace(text);
          }
        });
        return;
      case "suspend":
        void this.lend(this.#options.suspend);
        return;
    }
  }

  async #complete({ text, cursor }: { readonly text: string; readonly cursor: number }): Promise<void> {
    const { from, candidates } = await this.#options.complete(text, cursor);
    if (this.#reading !== undefined && !this.#isReleased) {
      if (this.#editor.offer(candidates, { text, cursor, from }).kind === "bell") {
        this.#options.output.write("\u0007");
      }
      this.#draw();
    }
  }

  /** Lends the terminal to a program. A statement that is being typed is drawn again afterwards. */
  async lend<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#options.output.write(this.#screen.finish());
    this.release();
    try {
      return await action();
    } finally {
      this.take();
      this.#draw();
      this.#work();
    }
  }

  /** Draws the statement as it stays on the screen: without suggestion, menu and search. */
  #leave(text: string): void {
    this.#drawView({ text, cursor: text.length, suggestion: "" });
    this.#options.output.write(this.#screen.finish());
  }

  #finish(entry: Entry): void {
    const reading = this.#reading;
    this.#reading = undefined;
    reading?.resolve(entry);
  }

  #draw(): void {
    this.#drawView(this.#editor.view);
  }

  #drawView(view: LineEditor["view"]): void {
    const reading = this.#reading;
    if (reading !== undefined && !this.#isReleased) {
      const { prompt, continuation } = reading;
      const width = this.#width;
      const height = this.#height;
      const frame = layout(view, { prompt, continuation, width, height, textWidth: this.#options.textWidth });
      this.#options.output.write(this.#screen.draw(frame, width));
    }
  }

  #resize(): void {
    if (this.#reading !== undefined && !this.#isReleased) {
      this.#options.output.write(this.#screen.resize(this.#width));
      this.#draw();
    }
  }

  get #width(): number {
    return Math.max(10, this.#options.output.columns || 80);
  }

  get #height(): number {
    return Math.max(2, this.#options.output.rows || 24);
  }
}
