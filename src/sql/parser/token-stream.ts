/**
 * The parser's place in the tokens: looking, taking, and what was looked for in vain at the current token, which becomes the
 * "Expecting" part of a syntax error. Also counts depth, so that nesting ends in an error and never in the end of the stack.
 */
import { QueryError } from "../../protocol/errors.ts";
import type { Expression, Identifier, Location, QualifiedName, SubqueryExpression } from "../ast/expression-nodes.ts";
import type { Token } from "./lexer.ts";
import type { Query, TableSubquery } from "../ast/relations.ts";

/** Levels of a syntax tree. Every walk over it may recurse that deep, the compiler in ten frames a level: twice as much fits into the smallest stack. */
const depthMax = 500;

/** Words that are no identifiers without quotes. */
const reservedWords: ReadonlySet<string> = new Set(
  (
    "ALTER AND AS BETWEEN BY CASE CAST CONSTRAINT CREATE CROSS CUBE CURRENT_CATALOG CURRENT_DATE CURRENT_PATH CURRENT_SCHEMA CURRENT_TIME " +
    "CURRENT_TIMESTAMP CURRENT_USER DEALLOCATE DELETE DESCRIBE DISTINCT DROP ELSE END ESCAPE EXCEPT EXECUTE EXISTS EXTRACT FALSE FOR FROM " +
    "FULL GROUP GROUPING HAVING IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LOCALTIME LOCALTIMESTAMP NATURAL NORMALIZE NOT NULL ON OR " +
    "ORDER OUTER PREPARE RECURSIVE RIGHT ROLLUP SELECT TABLE THEN TRUE UESCAPE UNION UNNEST USING VALUES WHEN WHERE WITH"
  ).split(" "),
);

export function isReserved(upperCaseWord: string): boolean {
  return reservedWords.has(upperCaseWord);
}

/**
 * The rules that rules below them come back to. parser.ts fills them in, so that the files of the parser import only the rules below
 * their own.
 */
export interface Grammar {
  readonly expression: (tokens: TokenStream) => Expression;
  readonly valueExpression: (tokens: TokenStream) => Expression;
  readonly continueExpression: (tokens: TokenStream, left: Expression) => Expression;
  readonly query: (tokens: TokenStream, first?: SubqueryExpression | TableSubquery) => Query;
}

export class TokenStream {
  readonly grammar: Grammar;
  #tokens: readonly Token[];
  #position = 0;
  /** Labels, or groups of labels, of what was tried at the current token. */
  #expected: (string | readonly string[])[] = [];
  #depth = 0;
  #parameterCount = 0;
  /** Height of the highest tree among the expressions, relations and queries finished since it was last set to 0. */
  height = 0;

  constructor(tokens: readonly Token[], grammar: Grammar) {
    this.#tokens = tokens;
    this.grammar = grammar;
  }

  get current(): Token {
    return this.peek(0);
  }

  get position(): number {
    return this.#position;
  }

  /** The token `ahead` places on; the end stands for everything past it. */
  peek(ahead: number): Token {
    const token = this.#tokens[this.#position + ahead] ?? this.#tokens[this.#tokens.length - 1];
    if (token === undefined) {
      throw new RangeError("a token stream ends with eof");
    }
    return token;
  }

  /** By absolute position. */
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

  /** Is the token `ahead` this keyword or operator? Leaves no trace in the expectations. */
  looksAt(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.kind === "word" || token.kind === "operator") && token.value === text;
  }

  looksAtIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "quoted" || (token.kind === "word" && !reservedWords.has(token.value));
  }

  /** As `looksAt`, and remembers that it would have been welcome. */
  at(text: string): boolean {
    if (this.looksAt(text)) {
      return true;
    }
    this.#expected.push(`'${text}'`);
    return false;
  }

  /** Takes the keyword or operator if it is there. */
  accept(text: string): boolean {
    if (!this.at(text)) {
      return false;
    }
    this.advance();
    return true;
  }

  /** Takes all of the words, or none of them when the first is not there; the others are then due. */
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

  /** The `>` behind the arguments of a type. The first character of `>=` is one; the other stays for what comes next. */
  expectClosingAngle(): void {
    const { current } = this;
    if (current.kind !== "operator" || !current.value.startsWith(">") || current.value.length === 1) {
      this.expect(">");
      return;
    }
    const rest = current.value.slice(1);
    const left: Token = { ...current, text: rest, value: rest, columnNumber: current.columnNumber + 1 };
    this.#tokens = this.#tokens.with(this.#position, left);
    this.#expected = [];
  }

  /** One of these must be there. */
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

  /** Notes what would have been welcome: `<expression>`, or a group of labels. */
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

  /** The value of a string, if one is next. */
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

  expectIdentifier(): Identifier {
    if (!this.looksAtIdentifier()) {
      this.#expected.push("<identifier>");
      throw this.mismatch();
    }
    return this.takeIdentifier();
  }

  /** The current token, whatever its word, as a name. */
  takeIdentifier(): Identifier {
    const token = this.advance();
    const delimited = token.kind === "quoted";
    return { kind: "Identifier", value: delimited ? token.value : token.text, delimited, location: locationOf(token) };
  }

  expectQualifiedName(): QualifiedName {
    const first = this.expectIdentifier();
    const parts = [first];
    while (this.accept(".")) {
      parts.push(this.expectIdentifier());
    }
    return { kind: "QualifiedName", parts, location: first.location };
  }

  /** `(a, b, c)` */
  expectIdentifierList(): readonly Identifier[] {
    this.expect("(");
    const names = this.list(() => this.expectIdentifier());
    this.expect(")");
    return names;
  }

  /** One or more, with commas between. */
  list<T>(element: () => T): readonly T[] {
    const elements = [element()];
    while (this.accept(",")) {
      elements.push(element());
    }
    return elements;
  }

  nextParameter(): number {
    return this.#parameterCount++;
  }

  /** Runs `parse` one level deeper and keeps account of the height of the tree it makes. */
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

  /** The tree under construction became `levels` higher. */
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

  /** The current token is wrong; says what would have been right. */
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
