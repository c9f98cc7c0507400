/**
 * Parser of JSON paths. Keywords are case-sensitive and no word is reserved. Results are memoized by token, so a parenthesis that may open
 * either a predicate or a path is parsed at most twice.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { BIGINT, decimalType, DOUBLE, INTEGER, varcharType } from "../../../../types/type.ts";
import { codePoints } from "../../../../types/utf8.ts";
import { parseDecimal } from "../../../runtime/decimals.ts";
import { type Item, SqlItem } from "./items.ts";
import { type PathToken, tokenizePath } from "./lexer.ts";
import {
  heightOf,
  type JsonPath,
  type PathArithmetic,
  type PathComparison,
  type PathMethod,
  type PathMode,
  type PathNode,
  type PathPredicate,
  type PathSubscript,
} from "./path.ts";

/** Maximum nesting of parentheses and of the tree: every walk over the tree is recursive. */
const depthMax = 200;
const heightMax = 500;

const methods: readonly PathMethod[] = ["type", "size", "double", "ceiling", "floor", "abs", "keyvalue", "datetime"];
const comparisons: readonly string[] = ["==", "<>", "!=", "<", "<=", ">", ">="];

/** A syntax error of a path: its offset in the text, from 0, and the reason. */
export class PathSyntaxError extends Error {
  override readonly name = "PathSyntaxError";

  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

/** Throws PathSyntaxError. */
export function parsePath(text: string): JsonPath {
  return new Parser(tokenizePath(text)).path();
}

/** Parses a text that the analyzer has already accepted. */
export function knownPath(text: string): JsonPath {
  try {
    return parsePath(text);
  } catch (error) {
    throw error instanceof PathSyntaxError ? new QueryError("SYNTAX_ERROR", error.message) : error;
  }
}

interface Parsed<T> {
  readonly end: number;
  readonly result: T | PathSyntaxError;
}

class Parser {
  #position = 0;
  #depth = 0;
  #expected: string[] = [];
  readonly #paths = new Map<number, Parsed<PathNode>>();
  readonly #predicates = new Map<number, Parsed<PathPredicate>>();

  readonly #tokens: readonly PathToken[];

  constructor(tokens: readonly PathToken[]) {
    this.#tokens = tokens;
  }

  path(): JsonPath {
    const mode = this.#expectOneOf(["lax", "strict"]) as PathMode;
    const root = this.#pathExpression();
    if (this.#current.kind !== "end") {
      this.#expected.push("<EOF>");
      throw this.#mismatch();
    }
    if (heightOf(root) > heightMax) {
      throw this.#tooDeep(heightMax);
    }
    return { mode, root };
  }

  get #current(): PathToken {
    return this.#tokens[this.#position] as PathToken;
  }

  #looksAt(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#position + ahead];
    return token !== undefined && (token.kind === "word" || token.kind === "operator") && token.text === text;
  }

  #accept(text: string): boolean {
    if (!this.#looksAt(text)) {
      this.#expected.push(`'${text}'`);
      return false;
    }
    this.#advance();
    return true;
  }

  #advance(): PathToken {
    const token = this.#current;
    this.#position++;
    this.#expected = [];
    return token;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) {
      throw this.#mismatch();
    }
  }

  #expectOneOf(words: readonly string[]): string {
    const found = words.find((word) => this.#accept(word));
    if (found === undefined) {
      throw this.#mismatch();
    }
    return found;
  }

  #mismatch(): PathSyntaxError {
    const expected = [...new Set(this.#expected)].sort((a, b) => (a < b ? -1 : 1));
    const list = expected.length === 1 ? expected[0] : `{${expected.join(", ")}}`;
    return new PathSyntaxError(this.#current.offset, `mismatched input '${this.#current.text}' expecting ${list}`);
  }

  /** Memoizes the result of parsing at the current token. */
  #once<T>(known: Map<number, Parsed<T>>, parse: () => T): T {
    const start = this.#position;
    const before = known.get(start);
    if (before !== undefined) {
      this.#position = before.end;
      this.#expected = [];
      if (before.result instanceof PathSyntaxError) {
        throw before.result;
      }
      return before.result;
    }
    this.#depth++;
    if (this.#depth > depthMax) {
      throw this.#tooDeep(depthMax);
    }
    try {
      const result = parse();
      known.set(start, { end: this.#position, result });
      return result;
    } catch (error) {
      if (error instanceof PathSyntaxError) {
        known.set(start, { end: this.#position, result: error });
      }
      throw error;
    } finally {
      this.#depth--;
    }
  }

  #pathExpression(): PathNode {
    return this.#once(this.#paths, () => this.#operators(["+", "-"], () => this.#operators(["*", "/", "%"], () => this.#signed())));
  }

  #operators(operators: readonly PathArithmetic[], operand: () => PathNode): PathNode {
    let left = operand();
    for (;;) {
      const operator = operators.find((sign) => this.#accept(sign));
      if (operator === undefined) {
        return left;
      }
      left = { kind: "arithmetic", operator, left, right: operand() };
    }
  }

  #tooDeep(levels: number): PathSyntaxError {
    return new PathSyntaxError(this.#current.offset, `JSON path is too deeply nested: more than ${levels} levels`);
  }

  #signed(): PathNode {
    const isLiteral = this.#looksAt("-") && this.#tokens[this.#position + 1]?.kind === "number";
    const sign = isLiteral ? undefined : (["+", "-"] as const).find((text) => this.#accept(text));
    if (sign === undefined) {
      return this.#accessors(this.#primary());
    }
    this.#depth++;
    if (this.#depth > depthMax) {
      throw this.#tooDeep(depthMax);
    }
    const base = this.#signed();
    this.#depth--;
    return { kind: "sign", sign, base };
  }

  #primary(): PathNode {
    const token = this.#current;
    if (token.kind === "string") {
      return literal(new SqlItem(varcharType(codePoints(token.value).length), this.#advance().value));
    }
    if (token.kind === "number" || this.#looksAt("-")) {
      const sign = this.#accept("-") ? "-" : "";
      const { offset, value } = this.#advance();
      return literal(numberOf(sign + value, offset));
    }
    if (token.kind === "variable") {
      return { kind: "variable", name: this.#advance().value };
    }
    const keyword = this.#keyword(token);
    if (keyword !== undefined) {
      this.#advance();
      return keyword;
    }
    this.#expected.push("<literal>", "'$'", "'@'", "'last'");
    this.#expect("(");
    const inner = this.#pathExpression();
    this.#expect(")");
    return inner;
  }

  #keyword(token: PathToken): PathNode | undefined {
    if (token.kind !== "word" && token.kind !== "operator") {
      return undefined;
    }
    switch (token.text) {
      case "$":
        return { kind: "context" };
      case "@":
        return { kind: "current" };
      case "last":
        return { kind: "last" };
      case "null":
        return literal(null);
      case "true":
      case "false":
        return literal(token.text === "true");
      default:
        return undefined;
    }
  }

  #accessors(first: PathNode): PathNode {
    let base = first;
    for (;;) {
      const next = this.#accessor(base);
      if (next === undefined) {
        return base;
      }
      base = next;
    }
  }

  #accessor(base: PathNode): PathNode | undefined {
    if (this.#accept("..")) {
      return { kind: "descendant", base, name: this.#memberName() };
    }
    if (this.#accept(".")) {
      return this.#member(base);
    }
    if (this.#accept("[")) {
      const subscripts = this.#accept("*") ? [] : this.#subscripts();
      this.#expect("]");
      return { kind: "elements", base, subscripts };
    }
    if (this.#accept("?")) {
      this.#expect("(");
      const predicate = this.#predicate();
      this.#expect(")");
      return { kind: "filter", base, predicate };
    }
    return undefined;
  }

  #member(base: PathNode): PathNode {
    if (this.#accept("*")) {
      return { kind: "member", base };
    }
    const method = this.#looksAt("(", 1) ? methods.find((name) => this.#looksAt(name)) : undefined;
    if (method === undefined) {
      return { kind: "member", base, name: this.#memberName() };
    }
    this.#advance();
    this.#expect("(");
    this.#expect(")");
    return { kind: "method", base, method };
  }

  #memberName(): string {
    const { kind } = this.#current;
    if (kind !== "word" && kind !== "string") {
      this.#expected.push("<identifier>", "<string>");
      throw this.#mismatch();
    }
    return this.#advance().value;
  }

  #subscripts(): readonly PathSubscript[] {
    const subscripts: PathSubscript[] = [];
    do {
      const from = this.#pathExpression();
      subscripts.push(this.#accept("to") ? { from, to: this.#pathExpression() } : { from });
    } while (this.#accept(","));
    return subscripts;
  }

  #predicate(): PathPredicate {
    return this.#once(this.#predicates, () => this.#logical("||", "or", () => this.#logical("&&", "and", () => this.#negation())));
  }

  #logical(sign: string, kind: "and" | "or", operand: () => PathPredicate): PathPredicate {
    let left = operand();
    while (this.#accept(sign)) {
      left = { kind, left, right: operand() };
    }
    return left;
  }

  #negation(): PathPredicate {
    if (!this.#accept("!")) {
      return this.#predicatePrimary();
    }
    if (!this.#looksAt("exists") && !this.#looksAt("(")) {
      this.#expected.push("'exists'", "'('");
      throw this.#mismatch();
    }
    return { kind: "not", predicate: this.#looksAt("(") ? this.#delimited() : this.#exists() };
  }

  #predicatePrimary(): PathPredicate {
    if (this.#looksAt("exists") && this.#looksAt("(", 1)) {
      return this.#exists();
    }
    if (!this.#looksAt("(")) {
      return this.#overPath();
    }
    const start = this.#position;
    try {
      const predicate = this.#delimited();
      if (!this.#accept("is")) {
        return predicate;
      }
      this.#expect("unknown");
      return { kind: "unknown", predicate };
    } catch (error) {
      if (!(error instanceof PathSyntaxError)) {
        throw error;
      }
      return this.#retriedAsPath(start, error);
    }
  }

  /** Parses the parenthesis as a path. If both attempts fail, the error that is farther on is reported. */
  #retriedAsPath(start: number, first: PathSyntaxError): PathPredicate {
    this.#position = start;
    this.#expected = [];
    try {
      return this.#overPath();
    } catch (error) {
      throw error instanceof PathSyntaxError && error.offset < first.offset ? first : error;
    }
  }

  #delimited(): PathPredicate {
    this.#expect("(");
    const predicate = this.#predicate();
    this.#expect(")");
    return predicate;
  }

  #exists(): PathPredicate {
    this.#expect("exists");
    this.#expect("(");
    const path = this.#pathExpression();
    this.#expect(")");
    return { kind: "exists", path };
  }

  #overPath(): PathPredicate {
    const left = this.#pathExpression();
    const comparison = comparisons.find((sign) => this.#accept(sign));
    if (comparison !== undefined) {
      const operator = (comparison === "!=" ? "<>" : comparison) as PathComparison;
      return { kind: "comparison", operator, left, right: this.#pathExpression() };
    }
    if (this.#accept("like_regex")) {
      const pattern = this.#string();
      return { kind: "like", value: left, pattern, flags: this.#accept("flag") ? this.#string() : "" };
    }
    this.#expect("starts");
    this.#expect("with");
    if (this.#current.kind === "variable") {
      return { kind: "starts", value: left, prefix: { kind: "variable", name: this.#advance().value } };
    }
    const text = this.#string();
    return { kind: "starts", value: left, prefix: literal(new SqlItem(varcharType(codePoints(text).length), text)) };
  }

  #string(): string {
    if (this.#current.kind !== "string") {
      this.#expected.push("<string>");
      throw this.#mismatch();
    }
    return this.#advance().value;
  }
}

function literal(item: Item): PathNode {
  return { kind: "literal", item };
}

/** Typed as a SQL literal. */
function numberOf(text: string, offset: number): Item {
  if (/[eE]/.test(text)) {
    return new SqlItem(DOUBLE, Number(text));
  }
  if (!text.includes(".")) {
    const value = BigInt(text);
    if (BigInt.asIntN(32, value) === value) {
      return new SqlItem(INTEGER, Number(value));
    }
    if (BigInt.asIntN(64, value) === value) {
      return new SqlItem(BIGINT, value);
    }
    throw new PathSyntaxError(offset, `Invalid numeric literal: ${text}`);
  }
  const parsed = parseDecimal(text);
  if (parsed === undefined || parsed.precision > 38) {
    throw new PathSyntaxError(offset, `Invalid numeric literal: ${text}`);
  }
  return new SqlItem(decimalType(parsed.precision, parsed.scale), parsed.unscaled);
}
