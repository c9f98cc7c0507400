/**
 * Terminal input as keys: control characters, escape sequences of xterm and its relatives, bracketed paste. Input may be cut anywhere.
 */

export interface Key {
  /** `text`, `paste`, `enter`, `left`, `ctrl-left`, `ctrl-a`, `alt-b`, ...; `unknown` for a sequence without a meaning here. */
  readonly name: string;
  /** Characters of `text` and `paste`; empty for other keys. */
  readonly text: string;
}

const pasteEnd = "\u001b[201~";
/** Longest control sequence that is waited for; a longer one is not a key. */
const sequenceLengthMax = 32;

const controlNames: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u001c": "ctrl-\\",
  "\u001d": "ctrl-]",
  "\u001e": "ctrl-^",
  "\u001f": "ctrl-_",
  "\u0000": "ctrl-space",
};

const finalNames: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
  Z: "shift-tab",
};

const numberedNames: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

const codePointNames: Readonly<Record<string, string>> = { 9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace" };

export class KeyDecoder {
  /** Input that may be the beginning of a sequence. */
  #pending = "";
  /** Text of the bracketed paste that is being received. */
  #paste: string | undefined;

  /** True if an escape character waits for the rest of its sequence; the terminal ends the wait with `flush`. */
  get isWaiting(): boolean {
    return this.#pending !== "" && this.#paste === undefined;
  }

  feed(input: string): readonly Key[] {
    const keys: Key[] = [];
    let rest = this.#pending + input;
    this.#pending = "";
    while (rest !== "") {
      const taken = this.#paste === undefined ? this.#next(rest, keys) : this.#pasted(rest, keys);
      if (taken === 0) {
        this.#pending = rest;
        break;
      }
      rest = rest.slice(taken);
    }
    return keys;
  }

  /** The escape key was pressed alone, or a sequence was cut. */
  flush(): readonly Key[] {
    if (!this.isWaiting) {
      return [];
    }
    const isEscape = this.#pending === "\u001b";
    this.#pending = "";
    return [{ name: isEscape ? "escape" : "unknown", text: "" }];
  }

  /** Returns the number of characters taken; 0 if more input is needed. */
  #next(input: string, keys: Key[]): number {
    const first = input.charAt(0);
    if (first === "\u001b") {
      return this.#escape(input, keys);
    }
    if (isControl(first)) {
      keys.push({ name: controlName(first), text: "" });
      return 1;
    }
    const text = /^\P{Cc}+/u.exec(input)?.[0] ?? first;
    keys.push({ name: "text", text });
    return text.length;
  }

  #escape(input: string, keys: Key[]): number {
    const second = input.charAt(1);
    if (second === "") {
      return 0;
    }
    if (second === "[" || second === "O") {
      const sequence = sequenceAt(input);
      if (sequence === undefined) {
        return input.length > sequenceLengthMax ? this.#unknown(2, keys) : 0;
      }
      if (sequence === "\u001b[200~") {
        this.#paste = "";
      } else {
        keys.push({ name: sequenceName(sequence), text: "" });
      }
      return sequence.length;
    }
    if (second === "\u001b") {
      keys.push({ name: "escape", text: "" });
      return 1;
    }
    const character = String.fromCodePoint(input.codePointAt(1) ?? 0);
    keys.push({ name: `alt-${isControl(character) ? controlName(character) : character.toLowerCase()}`, text: "" });
    return 1 + character.length;
  }

  #unknown(length: number, keys: Key[]): number {
    keys.push({ name: "unknown", text: "" });
    return length;
  }

  #pasted(input: string, keys: Key[]): number {
    const end = input.indexOf(pasteEnd);
    if (end !== -1) {
      keys.push({ name: "paste", text: (this.#paste ?? "") + input.slice(0, end) });
      this.#paste = undefined;
      return end + pasteEnd.length;
    }
    // The end of this input may be the beginning of the closing sequence.
    const held = heldBack(input, pasteEnd);
    this.#paste = (this.#paste ?? "") + input.slice(0, input.length - held);
    return input.length - held;
  }
}

/** Length of the longest end of `text` that is a beginning of `mark`. */
function heldBack(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) {
      return length;
    }
  }
  return 0;
}

function isControl(character: string): boolean {
  return character < " " || character === "\u007f";
}

function controlName(character: string): string {
  return controlNames[character] ?? `ctrl-${String.fromCharCode(character.charCodeAt(0) + 96)}`;
}

/** A control sequence, `ESC [ ...`, or a key of the application mode, `ESC O ...`; undefined if it is cut. */
function sequenceAt(input: string): string | undefined {
  const rest = /^(?:\[[0-?]*[ -/]*[@-~]|O[0-9;]*[A-Za-z])/.exec(input.slice(1, 1 + sequenceLengthMax))?.[0];
  return rest === undefined ? undefined : input.charAt(0) + rest;
}

function sequenceName(sequence: string): string {
  const final = sequence.slice(-1);
  const [number = "", modifier = "1", character = ""] = sequence.slice(2, -1).split(";");
  const name =
    final === "~"
      ? number === "27"
        ? codePointName(character)
        : numberedNames[number]
      : final === "u"
        ? codePointName(number)
        : finalNames[final];
  return name === undefined ? "unknown" : withModifiers(name, Number(modifier) - 1);
}

function codePointName(text: string): string | undefined {
  return codePointNames[text] ?? (/^\d{2,3}$/.test(text) ? String.fromCharCode(Number(text)).toLowerCase() : undefined);
}

/** xterm: bit 0 is shift, bit 1 alt, bit 2 control. */
function withModifiers(name: string, bits: number): string {
  return (bits & 4) !== 0 ? `ctrl-${name}` : (bits & 2) !== 0 ? `alt-${name}` : (bits & 1) !== 0 ? `shift-${name}` : name;
}
