/**
 * SQL text -> tokens, as Presto's grammar cuts it. Called by the parser only. Linear in the text: every character is looked at a bounded number of times.
 * What no rule takes becomes a token `unrecognized` of one character, and it is the parser that complains.
 */
import type { Location } from "../ast/expression-nodes.ts";
import { QueryError } from "../../protocol/errors.ts";

export type TokenKind =
  /** An unquoted name or keyword. */
  "word" | "quoted" | "string" | "binary" | "integer" | "decimal" | "double" | "operator" | "unrecognized" | "eof";

export interface Token extends Location {
  readonly kind: TokenKind;
  /** As written. */
  readonly text: string;
  /** A word in upper case; the content of a string, binary literal or quoted name; a number in decimal digits; the text of all else. */
  readonly value: string;
}

const wordPattern = /[A-Za-z_][A-Za-z0-9_@]*/y;
const doublePattern = /(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+/y;
const radixPattern = /0[xX](?:_?[0-9A-Fa-f])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y;
const decimalPattern = /\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*/y;
const digitNamePattern = /\d[A-Za-z0-9_@]+/y;
const operatorPattern = /<>|!=|<=|>=|\|\||->|=>|\{-|-\}|[-+*/%=<>()[\],.?;:|^${}]/y;
const blankPattern = /(?:[ \t\r\n]+|--[^\r\n]*)+/y;
const lineBreak = /\r\n|\r|\n/g;

export function tokenize(text: string): readonly Token[] {
  const lexer = new Lexer(text);
  const tokens: Token[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token);
    if (token.kind === "eof") {
      return tokens;
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
    this.#skipBlanksAndComments();
    const text = this.#text;
    const start = this.#offset;
    if (start >= text.length) {
      return this.#token("eof", "<EOF>", "<EOF>", 0);
    }
    const first = text.charAt(start);
    if (first === "'") {
      return this.#quotedToken("string", 0);
    }
    if (first === '"') {
      return this.#quotedToken("quoted", 0);
    }
    if (first === "`") {
      return this.#backquoted();
    }
    if ((first === "x" || first === "X") && text.charAt(start + 1) === "'") {
      return this.#binary();
    }
    if ((first === "u" || first === "U") && text.charAt(start + 1) === "&" && text.charAt(start + 2) === "'") {
      return this.#unicodeString();
    }
    return this.#word() ?? this.#number() ?? this.#operator() ?? this.#unrecognized();
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0];
  }

  #location(): Location {
    return { lineNumber: this.#lineNumber, columnNumber: this.#offset - this.#lineStart + 1 };
  }

  /** Moves `length` characters on, which may hold line breaks. */
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

  #skipBlanksAndComments(): void {
    for (;;) {
      const blanks = this.#match(blankPattern);
      if (blanks !== undefined) {
        this.#advance(blanks.length);
      } else if (this.#text.startsWith("/*", this.#offset)) {
        const end = this.#text.indexOf("*/", this.#offset + 2);
        if (end === -1) {
          return;
        }
        this.#advance(end + 2 - this.#offset);
      } else {
        return;
      }
    }
  }

  #word(): Token | undefined {
    const word = this.#match(wordPattern);
    if (word === undefined) {
      return undefined;
    }
    if (word.includes("@")) {
      throw new QueryError("SYNTAX_ERROR", "identifiers must not contain '@'", this.#location());
    }
    return this.#token("word", word, word.toUpperCase(), word.length);
  }

  #number(): Token | undefined {
    const double = this.#match(doublePattern);
    const radix = double === undefined ? this.#match(radixPattern) : undefined;
    const number = double ?? radix ?? this.#match(decimalPattern);
    if (number === undefined) {
      return undefined;
    }
    const name = this.#match(digitNamePattern);
    if (name !== undefined && name.length > number.length) {
      const message = "identifiers must not start with a digit; surround the identifier with double quotes";
      throw new QueryError("SYNTAX_ERROR", message, this.#location());
    }
    const kind = double !== undefined ? "double" : number.includes(".") ? "decimal" : "integer";
    const digits = number.replaceAll("_", "");
    return this.#token(kind, number, radix === undefined ? digits : String(BigInt(digits)), number.length);
  }

  #operator(): Token | undefined {
    const operator = this.#match(operatorPattern);
    return operator === undefined ? undefined : this.#token("operator", operator, operator, operator.length);
  }

  #unrecognized(): Token {
    const codePoint = this.#text.codePointAt(this.#offset) ?? 0;
    const text = String.fromCodePoint(codePoint);
    return this.#token("unrecognized", text, text, text.length);
  }

  /** The end (past the closing quote) of what is quoted from `start`, a doubled quote standing for one; -1 when it does not end. */
  #endOfQuoted(start: number): number {
    const quote = this.#text.charAt(start);
    let from = start + 1;
    for (;;) {
      const end = this.#text.indexOf(quote, from);
      if (end === -1) {
        return -1;
      }
      if (this.#text.charAt(end + 1) !== quote) {
        return end + 1;
      }
      from = end + 2;
    }
  }

  #quotedToken(kind: "string" | "quoted", prefixLength: number): Token {
    const start = this.#offset;
    const end = this.#endOfQuoted(start + prefixLength);
    if (end === -1) {
      return this.#unrecognized();
    }
    const text = this.#text.slice(start, end);
    const quote = this.#text.charAt(start + prefixLength);
    const value = text.slice(prefixLength + 1, -1).replaceAll(quote + quote, quote);
    if (kind === "quoted" && value === "") {
      throw new QueryError("SYNTAX_ERROR", "Zero-length delimited identifier not allowed", this.#location());
    }
    return this.#token(kind, text, value, text.length);
  }

  #backquoted(): Token {
    if (this.#endOfQuoted(this.#offset) === -1) {
      return this.#unrecognized();
    }
    const message = "backquoted identifiers are not supported; use double quotes to quote identifiers";
    throw new QueryError("SYNTAX_ERROR", message, this.#location());
  }

  #binary(): Token {
    const end = this.#text.indexOf("'", this.#offset + 2);
    if (end === -1) {
      return this.#token("word", this.#text.charAt(this.#offset), "X", 1);
    }
    const text = this.#text.slice(this.#offset, end + 1);
    const digits = text
      .slice(2, -1)
      .replaceAll(/[ \t\r\n]/g, "")
      .toUpperCase();
    if (/[^0-9A-F]/.test(digits)) {
      throw new QueryError("SYNTAX_ERROR", "Binary literal can only contain hexadecimal digits", this.#location());
    }
    if (digits.length % 2 !== 0) {
      throw new QueryError("SYNTAX_ERROR", "Binary literal must contain an even number of digits", this.#location());
    }
    return this.#token("binary", text, digits, text.length);
  }

  /** `U&'...'`, with an optional `UESCAPE 'c'` behind it. */
  #unicodeString(): Token {
    const end = this.#endOfQuoted(this.#offset + 2);
    if (end === -1) {
      return this.#token("word", this.#text.charAt(this.#offset), "U", 1);
    }
    const location = this.#location();
    const text = this.#text.slice(this.#offset, end);
    this.#advance(text.length);
    const raw = text.slice(3, -1).replaceAll("''", "'");
    const escape = this.#unicodeEscapeCharacter(location);
    const value = decodeUnicode(raw, escape, location);
    return { kind: "string", text, value, ...location };
  }

  #unicodeEscapeCharacter(location: Location): string {
    this.#skipBlanksAndComments();
    if (this.#match(wordPattern)?.toUpperCase() !== "UESCAPE") {
      return "\\";
    }
    this.#advance("UESCAPE".length);
    this.#skipBlanksAndComments();
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

/** What begins with the `length` hexadecimal digits of a code point. */
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
