/**
 * SQL text -> tokens, as Presto's grammar cuts it (lexemes.ts). Linear in the text: every character is looked at a bounded number of times.
 * What no rule takes becomes a token `unrecognized` of one character, and it is the parser that complains.
 */
import type { Location } from "../ast/expression-nodes.ts";
import { QueryError } from "../../protocol/errors.ts";
import { type Lexeme, lexemeAt } from "./lexemes.ts";

export type TokenKind =
  /** An unquoted name or keyword. */
  "word" | "quoted" | "string" | "binary" | "integer" | "decimal" | "double" | "operator" | "unrecognized" | "eof";

export interface Token extends Location {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** A word in upper case; the content of a string, binary literal or quoted name; a number in decimal digits; otherwise the text. */
  readonly value: string;
}

const lineBreak = /\r\n|\r|\n/g;

/** Tokens between two yields: some milliseconds. */
const tokensAtOnce = 8_192;

export function tokenize(text: string): Token[] {
  const pieces = tokenizeInPieces(text);
  for (;;) {
    const next = pieces.next();
    if (next.done === true) {
      return next.value;
    }
  }
}

/** As `tokenize`; yields where a long text may be left for a turn. */
export function* tokenizeInPieces(text: string): Generator<undefined, Token[], void> {
  const lexer = new Lexer(text);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === "eof") {
      return tokens;
    }
    if (tokens.length % tokensAtOnce === 0) {
      yield;
    }
  }
}

class Lexer {
  readonly #text: string;
  #offset = 0;
  #lineNumber = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    const lexeme = this.#lexeme();
    if (lexeme.closer !== undefined) {
      return this.#unclosed(lexeme);
    }
    const text = this.#text.slice(this.#offset, lexeme.end);
    switch (lexeme.kind) {
      case "end":
        return this.#token("eof", "<EOF>", "<EOF>", 0);
      case "word":
        return this.#word(text);
      case "double":
      case "number":
      case "radix":
        return this.#number(lexeme.kind, text);
      case "digitName":
        throw this.#refusal("identifiers must not start with a digit; surround the identifier with double quotes");
      case "string":
      case "quoted":
        return this.#quoted(lexeme.kind, text);
      case "backquoted":
        throw this.#refusal("backquoted identifiers are not supported; use double quotes to quote identifiers");
      case "binary":
        return this.#binary(text);
      case "unicodeString":
        return this.#unicodeString(text);
      case "operator":
      case "unrecognized":
      // Blanks and comments have been passed over.
      case "blank":
      case "comment":
        return this.#token(lexeme.kind === "operator" ? "operator" : "unrecognized", text, text, text.length);
    }
  }

  /** What is not closed is cut behind its first character. */
  #unclosed({ kind }: Lexeme): Token {
    const first = this.#text.charAt(this.#offset);
    switch (kind) {
      case "comment":
        return this.#token("operator", first, first, 1);
      case "binary":
      case "unicodeString":
        return this.#token("word", first, first.toUpperCase(), 1);
      default:
        return this.#token("unrecognized", first, first, 1);
    }
  }

  #refusal(message: string): QueryError {
    return new QueryError("SYNTAX_ERROR", message, this.#location());
  }

  #location(): Location {
    return { lineNumber: this.#lineNumber, columnNumber: this.#offset - this.#lineStart + 1 };
  }

  /** Advances by `length` characters, which may contain line breaks. */
  #token(kind: TokenKind, text: string, value: string, length: number): Token {
    const location = this.#location();
    this.#advance(length);
    return { kind, text, value, lineNumber: location.lineNumber, columnNumber: location.columnNumber };
  }

  #advance(length: number): void {
    const end = this.#offset + length;
    lineBreak.lastIndex = this.#offset;
    if (length > 1 || this.#text.charAt(this.#offset) === "\n") {
      const passed = this.#text.slice(this.#offset, end);
      if (passed.includes("\n") || passed.includes("\r")) {
        lineBreak.lastIndex = 0;
        for (let found = lineBreak.exec(passed); found !== null; found = lineBreak.exec(passed)) {
          this.#lineNumber++;
          this.#lineStart = this.#offset + found.index + found[0].length;
        }
      }
    }
    this.#offset = end;
  }

  /** The next lexeme that is neither blank nor a comment. */
  #lexeme(): Lexeme {
    for (;;) {
      const lexeme = lexemeAt(this.#text, this.#offset);
      if ((lexeme.kind !== "blank" && lexeme.kind !== "comment") || lexeme.closer !== undefined) {
        return lexeme;
      }
      this.#advance(lexeme.end - this.#offset);
    }
  }

  #word(text: string): Token {
    if (text.includes("@")) {
      throw this.#refusal("identifiers must not contain '@'");
    }
    return this.#token("word", text, text.toUpperCase(), text.length);
  }

  #number(kind: "double" | "number" | "radix", text: string): Token {
    const digits = text.replaceAll("_", "");
    const value = kind === "radix" ? String(BigInt(digits)) : digits;
    return this.#token(kind === "double" ? "double" : text.includes(".") ? "decimal" : "integer", text, value, text.length);
  }

  #quoted(kind: "string" | "quoted", text: string): Token {
    const quote = text.charAt(0);
    const value = text.slice(1, -1).replaceAll(quote + quote, quote);
    if (kind === "quoted" && value === "") {
      throw this.#refusal("Zero-length delimited identifier not allowed");
    }
    return this.#token(kind, text, value, text.length);
  }

  #binary(text: string): Token {
    const digits = text
      .slice(2, -1)
      .replaceAll(/[ \t\r\n]/g, "")
      .toUpperCase();
    if (/[^0-9A-F]/.test(digits)) {
      throw this.#refusal("Binary literal can only contain hexadecimal digits");
    }
    if (digits.length % 2 !== 0) {
      throw this.#refusal("Binary literal must contain an even number of digits");
    }
    return this.#token("binary", text, digits, text.length);
  }

  /** `U&'...'`, optionally followed by `UESCAPE 'c'`. */
  #unicodeString(text: string): Token {
    const location = this.#location();
    this.#advance(text.length);
    const raw = text.slice(3, -1).replaceAll("''", "'");
    const escape = this.#unicodeEscapeCharacter(location);
    const value = decodeUnicode(raw, escape, location);
    return { kind: "string", text, value, ...location };
  }

  #unicodeEscapeCharacter(location: Location): string {
    const { kind, end } = this.#lexeme();
    if (kind !== "word" || this.#text.slice(this.#offset, end).toUpperCase() !== "UESCAPE") {
      return "\\";
    }
    this.#advance("UESCAPE".length);
    const token = this.next();
    if (token.kind !== "string" || token.value === "") {
      throw new QueryError("SYNTAX_ERROR", "Empty Unicode escape character", location);
    }
    if (token.value.length !== 1 || /[0-9A-Fa-f+'"\s]/.test(token.value)) {
      throw new QueryError("SYNTAX_ERROR", "Invalid Unicode escape character", location);
    }
    return token.value;
  }
}

function decodeUnicode(raw: string, escape: string, location: Location): string {
  const pieces = raw.split(escape);
  let decoded = pieces[0] ?? "";
  for (let index = 1; index < pieces.length; index++) {
    const piece = pieces[index] ?? "";
    if (piece === "" && index + 1 < pieces.length) {
      index++;
      decoded += escape + (pieces[index] ?? "");
      continue;
    }
    const isLong = piece.startsWith("+");
    decoded += decodeEscape(isLong ? piece.slice(1) : piece, isLong ? 6 : 4, location);
  }
  return decoded;
}

/** Decodes the code point in the first `length` hexadecimal digits of `text`. */
function decodeEscape(text: string, length: number, location: Location): string {
  const refuse = (message: string): Error => new QueryError("SYNTAX_ERROR", message, location);
  const digits = /^[0-9A-Fa-f]*/.exec(text.slice(0, length))?.[0] ?? "";
  const [first] = text;
  if (digits === "" && length === 4 && first !== undefined) {
    throw refuse(`Invalid hexadecimal digit: ${first}`);
  }
  if (digits.length < length) {
    throw refuse(`Incomplete escape sequence: ${digits}`);
  }
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > 0x10ffff) {
    throw refuse(`Invalid escaped character: ${digits}`);
  }
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
    throw refuse(`Invalid escaped character: ${digits}. Escaped character is a surrogate. Use '\\+123456' instead.`);
  }
  return String.fromCodePoint(codePoint) + text.slice(length);
}
