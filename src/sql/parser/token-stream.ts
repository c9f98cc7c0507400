/**
 * The parser's position in the token list. Collects the alternatives that were tested at the current token, for the "Expecting" part of a
 * syntax error. Limits the depth of the syntax tree, so that deep nesting is an error and not a stack overflow.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { Expression, Identifier, Location, QualifiedName, SubqueryExpression } from "../ast/expression-nodes.ts";
import { type Token, tokenizeInPieces } from "./lexer.ts";
import type { Query, TableSubquery } from "../ast/relations.ts";
import type { Pauses } from "./pauses.ts";
import { isReserved } from "./reserved-words.ts";

/**
 * Maximum depth of a syntax tree, in levels. Every traversal may recurse this deep, and the compiler uses ten stack frames for each level.
 * The smallest stack holds twice as much.
 */
const depthMax = 500;

/**
 * The rules that rules below them come back to. parser.ts fills them in, so that the files of the parser import only the rules below
 * their own.
 */
export interface Grammar {
  readonly expression: (tokens: TokenStream) => Expression;
  readonly valueExpression: (tokens: TokenStream) => Expression;
  readonly continueExpression: (tokens: TokenStream, left: Expression) => Expression;
  /** The predicate on a value that begins here; undefined if none does. */
  readonly predicate: (tokens: TokenStream, value: Expression) => Expression | undefined;
  readonly query: (tokens: TokenStream, first?: SubqueryExpression | TableSubquery) => Query;
}

type Labels = (string | readonly string[])[];

/** What a stream knows between two elements of a list. */
export interface ParserPlace {
  readonly position: number;
  /** May be the rest of a token. */
  readonly token: Token | undefined;
  /** The first `expectedCount` of them: more are added to the same array. */
  readonly expected: Labels;
  readonly expectedCount: number;
  readonly parameterCount: number;
  readonly height: number;
}

export class TokenStream {
  readonly grammar: Grammar;
  readonly #tokens: Token[];
  readonly #pauses: Pauses<ParserPlace> | undefined;
  /** Where the parser went on after its last pause. */
  #resumedAt = 0;
  #position = 0;
  /** Tokens of which the parser has taken a part. */
  readonly #cut: { readonly position: number; readonly token: Token }[] = [];
  /** Labels, or groups of labels, that were tested at the current token. */
  #expected: Labels = [];
  #depth = 0;
  #parameterCount = 0;
  /** Height of the highest tree among the expressions, relations and queries that were completed since it was last reset to 0. */
  height = 0;

  /** The stream keeps the tokens, and may change them. With `pauses` the parser may throw `Pause`. */
  constructor(tokens: Token[], grammar: Grammar, pauses?: Pauses<ParserPlace>) {
    this.#tokens = tokens;
    this.grammar = grammar;
    this.#pauses = pauses;
  }

  /** Back to the first token, after a pause. */
  rewind(): void {
    for (const { position, token } of this.#cut.splice(0)) {
      this.#tokens[position] = token;
    }
    this.#position = 0;
    this.#resumedAt = 0;
    this.#expected = [];
    this.#depth = 0;
    this.#parameterCount = 0;
    this.height = 0;
  }

  get current(): Token {
    return this.peek(0);
  }

  get position(): number {
    return this.#position;
  }

  /** Returns the token at distance `ahead`; the end-of-file token beyond the end. */
  peek(ahead: number): Token {
    const token = this.#tokens[this.#position + ahead] ?? this.#tokens[this.#tokens.length - 1];
    if (token === undefined) {
      throw new RangeError("a token stream ends with eof");
    }
    return token;
  }

  /** Returns the token at an absolute position. */
  tokenAt(position: number): Token {
    return this.peek(position - this.#position);
  }

  location(): Location {
    return locationOf(this.current);
  }

  advance(): Token {
    const token = this.current;
    this.#position++;
    this.#expected = [];
    return token;
  }

  /** Returns whether the token at distance `ahead` is this keyword or operator. Does not record an expectation. */
  looksAt(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "operator") && token.value === text;
  }

  looksAtIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "quoted" || (token.kind === "word" && !isReserved(token.value));
  }

  /** Like `looksAt`, but records the text as expected. */
  at(text: string): boolean {
    if (this.looksAt(text)) {
      return true;
    }
    this.#expected.push(`'${text}'`);
    return false;
  }

  /** Consumes the keyword or operator if it is next. */
  accept(text: string): boolean {
    if (!this.at(text)) {
      return false;
    }
    this.advance();
    return true;
  }

  /** Consumes all words, or none if the first is not next. The other words are then required. */
  acceptWords(...words: readonly [string, ...string[]]): boolean {
    const [first, ...others] = words;
    if (!this.accept(first)) {
      return false;
    }
    for (const word of others) {
      this.expect(word);
    }
    return true;
  }

  expect(text: string): Token {
    if (!this.at(text)) {
      throw this.mismatch();
    }
    return this.advance();
  }

  /** Consumes the `>` after the arguments of a type. For a token such as `>=`, consumes only its first character. */
  expectClosingAngle(): void {
    const { current } = this;
    if (current.kind !== "operator" || !current.value.startsWith(">") || current.value.length === 1) {
      this.expect(">");
      return;
    }
    const rest = current.value.slice(1);
    const left: Token = { ...current, text: rest, value: rest, columnNumber: current.columnNumber + 1 };
    this.#replace(left);
    this.#expected = [];
  }

  /** Consumes one of the words; one of them must be next. */
  expectOneOf<T extends string>(words: readonly T[]): T {
    for (const word of words) {
      if (this.accept(word)) {
        return word;
      }
    }
    throw this.mismatch();
  }

  acceptOneOf<T extends string>(words: readonly T[]): T | undefined {
    return words.find((word) => this.accept(word));
  }

  /** Records an expectation: `<expression>`, or a group of labels. */
  welcome(label: string | readonly string[]): void {
    this.#expected.push(label);
  }

  expectString(): string {
    if (this.current.kind !== "string") {
      this.#expected.push("<string>");
      throw this.mismatch();
    }
    return this.advance().value;
  }

  /** Consumes a string and returns its value, if one is next. */
  acceptString(): string | undefined {
    if (this.current.kind === "string") {
      return this.advance().value;
    }
    this.#expected.push("<string>");
    return undefined;
  }

  expectInteger(): Token {
    if (this.current.kind !== "integer") {
      this.#expected.push("<integer>");
      throw this.mismatch();
    }
    return this.advance();
  }

  /** The value of an integer token as a length or precision. Throws SYNTAX_ERROR like Trino's parser for one that is too large. */
  takeParameter(): number {
    const location = this.location();
    const { value } = this.expectInteger();
    const number = Number(value);
    if (!Number.isSafeInteger(number)) {
      throw this.error(`Invalid numeric literal: ${value}`, location);
    }
    return number;
  }

  expectIdentifier(): Identifier {
    if (!this.looksAtIdentifier()) {
      this.#expected.push("<identifier>");
      throw this.mismatch();
    }
    return this.takeIdentifier();
  }

  /** Consumes the current token as a name, even if it is a reserved word. */
  takeIdentifier(): Identifier {
    const token = this.advance();
    const delimited = token.kind === "quoted";
    return { kind: "Identifier", value: delimited ? token.value : token.text, delimited, location: locationOf(token) };
  }

  expectQualifiedName(): QualifiedName {
    const location = this.location();
    const parts = this.repeat(
      (count) => count === 0 || this.accept("."),
      () => this.expectIdentifier(),
    );
    return { kind: "QualifiedName", parts, location };
  }

  /** `(a, b, c)` */
  expectIdentifierList(): readonly Identifier[] {
    this.expect("(");
    const names = this.list(() => this.expectIdentifier());
    this.expect(")");
    return names;
  }

  #replace(token: Token): void {
    const position = this.#position;
    this.#cut.unshift({ position, token: this.#tokens[position] as Token });
    this.#tokens[position] = token;
  }

  /** Parses one or more elements, separated by commas. */
  list<T>(element: () => T): readonly T[] {
    if (this.#pauses !== undefined) {
      return this.repeat((count) => count === 0 || this.accept(","), element);
    }
    const elements = [element()];
    while (this.accept(",")) {
      elements.push(element());
    }
    return elements;
  }

  /**
   * Parses an element each time that `more` returns true for the number of elements so far. The parser of a long text may pause after each.
   * `element` is given the elements before it.
   */
  repeat<T>(more: (count: number) => boolean, element: (before: readonly T[]) => T): readonly T[] {
    const pauses = this.#pauses;
    if (pauses === undefined) {
      const elements: T[] = [];
      while (more(elements.length)) {
        elements.push(element(elements));
      }
      return elements;
    }
    return pauses.list({
      more,
      element,
      placeNow: () => ({
        position: this.#position,
        token: this.#tokens[this.#position],
        expected: this.#expected,
        expectedCount: this.#expected.length,
        parameterCount: this.#parameterCount,
        height: this.height,
      }),
      goTo: (place) => this.#goTo(place),
      isPiece: () => this.#position - this.#resumedAt >= pauses.tokensMin,
    });
  }

  #goTo({ position, token, expected, expectedCount, parameterCount, height }: ParserPlace): void {
    this.#position = position;
    this.#resumedAt = position;
    this.#expected = expected.slice(0, expectedCount);
    this.#parameterCount = parameterCount;
    this.height = height;
    if (token !== undefined && token !== this.#tokens[position]) {
      this.#replace(token);
    }
  }

  /** `compute`, which takes no token, runs only once, however often the parser begins again. */
  once<T>(compute: () => T): T {
    return this.#pauses === undefined ? compute() : this.#pauses.once(compute);
  }

  /** A stream over the tokens of a text within this one. */
  within(sql: string): TokenStream {
    const begun = this.once((): { readonly pieces: ReturnType<typeof tokenizeInPieces>; stream?: TokenStream } => ({
      pieces: tokenizeInPieces(sql),
    }));
    while (begun.stream === undefined) {
      const next = begun.pieces.next();
      if (next.done === true) {
        begun.stream = new TokenStream(next.value, this.grammar, this.#pauses);
      } else {
        this.#pauses?.now();
      }
    }
    begun.stream.rewind();
    return begun.stream;
  }

  nextParameter(): number {
    return this.#parameterCount++;
  }

  /** Runs `parse` one level deeper and tracks the height of the tree it returns. */
  nested<T>(parse: () => T, levels = 1): T {
    this.enter(levels);
    const siblings = this.height;
    this.height = 0;
    const result = parse();
    this.leave(siblings, levels);
    return result;
  }

  enter(levels: number): void {
    this.#depth += levels;
    if (this.#depth > depthMax) {
      throw this.tooDeep();
    }
  }

  leave(siblingsHeight: number, levels: number): void {
    this.#depth -= levels;
    this.grow(levels);
    this.height = Math.max(this.height, siblingsHeight);
  }

  /** Adds `levels` to the height of the tree under construction. */
  grow(levels: number): void {
    this.height += levels;
    if (this.#depth + this.height > depthMax) {
      throw this.tooDeep();
    }
  }

  tooDeep(): QueryError {
    return new QueryError("SYNTAX_ERROR", `statement is too deeply nested: more than ${depthMax} levels`, this.location());
  }

  error(message: string, location: Location): QueryError {
    return new QueryError("SYNTAX_ERROR", message, location);
  }

  /** Returns the error for an unexpected current token, with the expected alternatives. */
  mismatch(): QueryError {
    const labels = [...new Set(this.#expected.flat())].sort(compareLabels);
    const message = `mismatched input '${this.current.text}'. Expecting: ${labels.join(", ")}`;
    return new QueryError("SYNTAX_ERROR", message, this.location());
  }
}

function locationOf(token: Location): Location {
  return { lineNumber: token.lineNumber, columnNumber: token.columnNumber };
}

function compareLabels(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
