/**
 * Parser of Java's regular expression syntax. Constructs that cannot be matched in linear time (lookaround, backreferences, atomic groups,
 * possessive quantifiers) are errors, and so are expressions that would make the program too large. The only line terminator is `\n`, as
 * Presto documents.
 */
import { QueryError } from "../../../protocol/errors.ts";
import {
  anyPoint,
  CharacterSet,
  complement,
  foldCase,
  intersection,
  isDigit,
  isHorizontalSpace,
  isNewline,
  isSpace,
  isVerticalSpace,
  isWord,
  propertyTest,
  range,
  type Test,
  union,
} from "./classes.ts";

export type Assertion = "text start" | "line start" | "text end" | "text end or last newline" | "line end" | "word edge" | "no word edge";

export type RegexpNode =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "sequence"; readonly nodes: readonly RegexpNode[] }
  /** The first alternative that leads to a match wins. */
  | { readonly kind: "choice"; readonly nodes: readonly RegexpNode[] }
  | { readonly kind: "repeat"; readonly node: RegexpNode; readonly min: number; readonly max: number | undefined; readonly lazy: boolean }
  | { readonly kind: "group"; readonly index: number; readonly node: RegexpNode };

export interface RegexpTree {
  readonly node: RegexpNode;
  /** Excludes group 0, the whole match. */
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}

const repetitionMax = 1000;
/** Code units of a pattern, which may be those of few long character classes. */
const patternUnitsMax = 262_144;
/** Characters, classes and groups of a pattern. A program has as many instructions at least, and a bound of them (program.ts). */
const atomsMax = 4_000;
const nestingMax = 200;

export function invalidRegexp(message: string): never {
  throw new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

function tooLarge(): never {
  return invalidRegexp("regular expression is too large");
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly comments: boolean;
}

const controlEscapes: Readonly<Record<string, number>> = Object.freeze({ t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 });

const classEscapes: Readonly<Record<string, Test>> = Object.freeze({
  d: isDigit,
  D: complement(isDigit),
  w: isWord,
  W: complement(isWord),
  s: isSpace,
  S: complement(isSpace),
  h: isHorizontalSpace,
  H: complement(isHorizontalSpace),
  v: isVerticalSpace,
  V: complement(isVerticalSpace),
});

const assertionEscapes: Readonly<Record<string, Assertion>> = Object.freeze({
  A: "text start",
  z: "text end",
  Z: "text end or last newline",
  b: "word edge",
  B: "no word edge",
});

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function parseRegexp(pattern: string): RegexpTree {
  if (pattern.length > patternUnitsMax) {
    return tooLarge();
  }
  const parser = new RegexpParser(Array.from(pattern));
  const node = parser.parse();
  return { node, groupCount: parser.groupCount, groupNames: parser.groupNames };
}

class RegexpParser {
  groupCount = 0;
  readonly groupNames = new Map<string, number>();
  readonly #points: readonly string[];
  #at = 0;
  #nesting = 0;
  #atoms = 0;
  readonly #literals = { exact: new Map<number, RegexpNode>(), ignoringCase: new Map<number, RegexpNode>() };
  #flags: Flags = { ignoreCase: false, multiline: false, dotAll: false, comments: false };

  constructor(points: readonly string[]) {
    this.#points = points;
  }

  parse(): RegexpNode {
    const node = this.#choice();
    return this.#at < this.#points.length ? invalidRegexp("unmatched close parenthesis") : node;
  }

  #peek(ahead = 0): string | undefined {
    return this.#points[this.#at + ahead];
  }

  #accept(text: string): boolean {
    const points = Array.from(text);
    if (!points.every((point, index) => this.#peek(index) === point)) {
      return false;
    }
    this.#at += points.length;
    return true;
  }

  #next(onEnd: string): string {
    const point = this.#points[this.#at++];
    return point === undefined ? invalidRegexp(onEnd) : point;
  }

  /** Reads up to `end` and consumes it. */
  #until(end: string, onEnd: string): string {
    let text = "";
    for (let point = this.#next(onEnd); point !== end; point = this.#next(onEnd)) {
      text += point;
    }
    return text;
  }

  /** Flags set inside a group end with the group. */
  #choice(): RegexpNode {
    if (++this.#nesting > nestingMax) {
      return invalidRegexp("too deep nest level over");
    }
    const outer = this.#flags;
    const nodes = [this.#sequence()];
    while (this.#accept("|")) {
      nodes.push(this.#sequence());
    }
    this.#flags = outer;
    this.#nesting--;
    return nodes.length === 1 ? (nodes[0] as RegexpNode) : { kind: "choice", nodes };
  }

  /** Refuses a long pattern before all of it is parsed. An empty sequence counts too, and an end: so there is some room. */
  #countAtom(): void {
    if (++this.#atoms > 3 * atomsMax) {
      tooLarge();
    }
  }

  #sequence(): RegexpNode {
    const nodes: RegexpNode[] = [];
    for (;;) {
      this.#countAtom();
      this.#skipComments();
      const point = this.#peek();
      if (point === undefined || point === "|" || point === ")") {
        return nodes.length === 1 ? (nodes[0] as RegexpNode) : { kind: "sequence", nodes };
      }
      if (this.#accept("\\Q")) {
        nodes.push(...this.#quoted());
        continue;
      }
      const atom = this.#atom();
      if (atom !== undefined) {
        nodes.push(this.#quantified(atom));
      }
    }
  }

  #skipComments(): void {
    while (this.#flags.comments) {
      const point = this.#peek();
      if (point === "#") {
        while (this.#peek() !== undefined && this.#peek() !== "\n") {
          this.#at++;
        }
      } else if (point !== undefined && isSpace(point.codePointAt(0) as number)) {
        this.#at++;
      } else {
        return;
      }
    }
  }

  /** After `\Q`; a quantifier after `\E` applies to the last character. */
  #quoted(): RegexpNode[] {
    const nodes: RegexpNode[] = [];
    while (this.#peek() !== undefined && !this.#accept("\\E")) {
      this.#countAtom();
      nodes.push(this.#literal((this.#next("") as string).codePointAt(0) as number));
    }
    const last = nodes.pop();
    return last === undefined ? [] : [...nodes, this.#quantified(last)];
  }

  #set(test: Test): RegexpNode {
    return { kind: "set", set: new CharacterSet(this.#flags.ignoreCase ? foldCase(test) : test) };
  }

  /** Equal characters share a set, which has a table: a pattern may be a long text. */
  #literal(point: number): RegexpNode {
    const literals = this.#literals[this.#flags.ignoreCase ? "ignoringCase" : "exact"];
    let node = literals.get(point);
    if (node === undefined) {
      node = this.#set(range(point, point));
      literals.set(point, node);
    }
    return node;
  }

  #atom(): RegexpNode | undefined {
    const point = this.#next("");
    switch (point) {
      case "(":
        return this.#parenthesis();
      case "[":
        return { kind: "set", set: new CharacterSet(this.#characterClass()) };
      case ".":
        return { kind: "set", set: new CharacterSet(this.#flags.dotAll ? anyPoint : complement(isNewline)) };
      case "^":
        return { kind: "assertion", assertion: this.#flags.multiline ? "line start" : "text start" };
      case "$":
        return { kind: "assertion", assertion: this.#flags.multiline ? "line end" : "text end or last newline" };
      case "*":
      case "+":
      case "?":
      case "{":
        return invalidRegexp("target of repeat operator is not specified");
      case "\\":
        return this.#escape();
      default:
        return this.#literal(point.codePointAt(0) as number);
    }
  }

  #escape(): RegexpNode {
    const letter = this.#peek() ?? invalidRegexp("end pattern at escape");
    const assertion = assertionEscapes[letter];
    if (assertion !== undefined) {
      this.#at++;
      return { kind: "assertion", assertion };
    }
    const test = this.#classEscape();
    if (test !== undefined) {
      return this.#set(test);
    }
    if (/[1-9k]/.test(letter)) {
      return invalidRegexp("backreferences are not supported in regular expressions");
    }
    return this.#literal(this.#pointEscape());
  }

  /** After the backslash: a named class; otherwise undefined, and nothing is consumed. */
  #classEscape(): Test | undefined {
    const letter = this.#peek() as string;
    const test = classEscapes[letter];
    if (test !== undefined) {
      this.#at++;
      return test;
    }
    if (letter !== "p" && letter !== "P") {
      return undefined;
    }
    this.#at++;
    const isBraced = this.#accept("{");
    const isNegated = isBraced && this.#accept("^");
    const name = isBraced ? this.#until("}", "end pattern at left brace") : this.#next("end pattern at escape");
    const property = propertyTest(name) ?? invalidRegexp(`invalid character property name {${name}}`);
    return (letter === "P") !== isNegated ? complement(property) : property;
  }

  /** After the backslash: an escape of one character. */
  #pointEscape(): number {
    const letter = this.#next("end pattern at escape");
    const control = controlEscapes[letter];
    if (control !== undefined) {
      return control;
    }
    switch (letter) {
      case "c":
        return (this.#next("end pattern at control").codePointAt(0) as number) ^ 64;
      case "0":
        return Number.parseInt(this.#digits(/[0-7]/, 3, "invalid code point value"), 8);
      case "x":
        return this.#accept("{")
          ? this.#codePoint(this.#until("}", "end pattern at left brace"))
          : this.#codePoint(this.#digits(/[0-9a-fA-F]/, 2, "invalid code point value"));
      case "u":
        return this.#codePoint(this.#digits(/[0-9a-fA-F]/, 4, "too short escape sequence"));
      default:
        return /[A-Za-z0-9]/.test(letter)
          ? invalidRegexp(`invalid escape \\${letter} in regular expression`)
          : (letter.codePointAt(0) as number);
    }
  }

  #digits(digit: RegExp, countMax: number, message: string): string {
    let text = "";
    while (text.length < countMax && digit.test(this.#peek() ?? "")) {
      text += this.#next("");
    }
    return text === "" ? invalidRegexp(message) : text;
  }

  #codePoint(hex: string): number {
    const point = /^[0-9a-fA-F]{1,8}$/.test(hex) ? Number.parseInt(hex, 16) : Number.POSITIVE_INFINITY;
    const isSurrogate = point >= 0xd800 && point < 0xe000;
    return point > 0x10ffff || isSurrogate ? invalidRegexp("invalid code point value") : point;
  }

  /** After `[`. Items form a union; `&&` intersects both sides. */
  #characterClass(): Test {
    if (++this.#nesting > nestingMax) {
      return invalidRegexp("too deep nest level over");
    }
    const isNegated = this.#accept("^");
    const parts: Test[] = [];
    let items: Test[] = [];
    const onEnd = "premature end of char-class";
    let isFirst = true;
    for (;;) {
      const point = this.#next(onEnd);
      if (point === "]" && !isFirst) {
        break;
      }
      isFirst = false;
      if (point === "[") {
        items.push(this.#characterClass());
      } else if (point === "&" && this.#accept("&")) {
        parts.push(items.length === 0 ? anyPoint : union(items));
        items = [];
      } else {
        items.push(this.#classItem(point, onEnd));
      }
    }
    parts.push(items.length === 0 ? (parts.length === 0 ? invalidRegexp("empty char-class") : anyPoint) : union(items));
    this.#nesting--;
    const all = intersection(parts);
    return isNegated ? complement(all) : all;
  }

  /** A character, a range or a named class. */
  #classItem(point: string, onEnd: string): Test {
    const folded = (test: Test) => (this.#flags.ignoreCase ? foldCase(test) : test);
    const named = point === "\\" ? (this.#peek() === undefined ? invalidRegexp(onEnd) : this.#classEscape()) : undefined;
    if (named !== undefined) {
      return folded(named);
    }
    const first = point === "\\" ? this.#pointEscape() : (point.codePointAt(0) as number);
    const isRange = this.#peek() === "-" && this.#peek(1) !== "]" && this.#peek(1) !== "[";
    if (!isRange) {
      return folded(range(first, first));
    }
    this.#at++;
    const end = this.#next(onEnd);
    const last = end === "\\" ? this.#pointEscape() : (end.codePointAt(0) as number);
    return last < first ? invalidRegexp("empty range in char class") : folded(range(first, last));
  }

  /** After `(`. Undefined for flags that apply to the rest of the enclosing group. */
  #parenthesis(): RegexpNode | undefined {
    let index: number | undefined;
    if (!this.#accept("?")) {
      index = ++this.groupCount;
    } else if (this.#accept("<")) {
      index = this.#namedGroup();
    } else if (this.#accept("=") || this.#accept("!")) {
      return invalidRegexp("lookaround is not supported in regular expressions");
    } else if (this.#accept(">")) {
      return invalidRegexp("atomic groups are not supported in regular expressions");
    } else if (!this.#accept(":")) {
      const flags = this.#readFlags();
      if (this.#accept(")")) {
        this.#flags = flags;
        return undefined;
      }
      this.#at++;
      const outer = this.#flags;
      this.#flags = flags;
      const node = this.#closed();
      this.#flags = outer;
      return node;
    }
    const node = this.#closed();
    return index === undefined ? node : { kind: "group", index, node };
  }

  #closed(): RegexpNode {
    const node = this.#choice();
    return this.#accept(")") ? node : invalidRegexp("end pattern with unmatched parenthesis");
  }

  #namedGroup(): number {
    if (this.#peek() === "=" || this.#peek() === "!") {
      return invalidRegexp("lookaround is not supported in regular expressions");
    }
    const name = this.#until(">", "end pattern in group");
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return invalidRegexp(name === "" ? "group name is empty" : `invalid group name <${name}>`);
    }
    if (this.groupNames.has(name)) {
      return invalidRegexp(`multiplex definition name <${name}>`);
    }
    this.groupNames.set(name, ++this.groupCount);
    return this.groupCount;
  }

  /** Reads up to `:` or `)`, which is not consumed. */
  #readFlags(): Flags {
    const flags = { ...this.#flags };
    let value = true;
    for (;;) {
      switch (this.#peek()) {
        case ":":
        case ")":
          return flags;
        case "-":
          value = false;
          break;
        case "i":
          flags.ignoreCase = value;
          break;
        case "m":
          flags.multiline = value;
          break;
        case "s":
          flags.dotAll = value;
          break;
        case "x":
          flags.comments = value;
          break;
        default:
          return invalidRegexp("undefined group option");
      }
      this.#at++;
    }
  }

  #quantified(node: RegexpNode): RegexpNode {
    this.#skipComments();
    const bounds = this.#bounds();
    if (bounds === undefined) {
      return node;
    }
    if (this.#peek() === "+") {
      return invalidRegexp("possessive quantifiers are not supported in regular expressions");
    }
    return { kind: "repeat", node, ...bounds, lazy: this.#accept("?") };
  }

  #bounds(): { readonly min: number; readonly max: number | undefined } | undefined {
    if (this.#accept("*")) {
      return { min: 0, max: undefined };
    }
    if (this.#accept("+")) {
      return { min: 1, max: undefined };
    }
    if (this.#accept("?")) {
      return { min: 0, max: 1 };
    }
    if (!this.#accept("{")) {
      return undefined;
    }
    const match =
      /^(\d+)(,(\d*))?$/.exec(this.#until("}", "end pattern at left brace")) ?? invalidRegexp("invalid repeat range {lower,upper}");
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === "" ? undefined : Number(match[3]);
    if (Math.max(min, max ?? 0) > repetitionMax) {
      return invalidRegexp("too big number");
    }
    return max !== undefined && max < min ? invalidRegexp("invalid repeat range {lower,upper}") : { min, max };
  }
}
