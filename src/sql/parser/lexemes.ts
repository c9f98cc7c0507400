/**
 * Finds where the lexemes of SQL text begin and end, by Presto's grammar: the part of the lexer that computes no values and raises no
 * errors. A lexeme that is not closed at the end of the text says what would close it, so that the CLI can split text as it is typed.
 */

export type LexemeKind =
  | "end"
  /** Blanks and comments of one line. */
  | "blank"
  | "comment"
  | "word"
  | "double"
  | "radix"
  | "number"
  /** A name that begins with a digit, which the grammar refuses. */
  | "digitName"
  | "string"
  | "quoted"
  | "backquoted"
  | "binary"
  | "unicodeString"
  | "operator"
  | "unrecognized";

export interface Lexeme {
  readonly kind: LexemeKind;
  /** Offset behind its last character. */
  readonly end: number;
  /** What would close it, where the text ends before that. */
  readonly closer?: string;
}

const wordPattern = /[A-Za-z_][A-Za-z0-9_@]*/y;
const doublePattern = /(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+/y;
const radixPattern = /0[xX](?:_?[0-9A-Fa-f])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y;
const decimalPattern = /\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*/y;
const digitNamePattern = /\d[A-Za-z0-9_@]+/y;
const operatorPattern = /<>|!=|<=|>=|\|\||->|=>|\{-|-\}|[-+*/%=<>()[\],.?;:|^${}]/y;
const blankPattern = /(?:[ \t\r\n]+|--[^\r\n]*)+/y;

/** The offset behind what `pattern` takes at `start`; `start` where it takes nothing. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

export function lexemeAt(text: string, start: number): Lexeme {
  const first = text.charAt(start);
  const second = text.charAt(start + 1);
  switch (first) {
    case "":
      return { kind: "end", end: start };
    case " ":
    case "\t":
    case "\r":
    case "\n":
      return { kind: "blank", end: endOf(blankPattern, text, start) };
    case "-":
      return second === "-" ? { kind: "blank", end: endOf(blankPattern, text, start) } : operator(text, start);
    case "/":
      return second === "*" ? closedBy("*/", text, { kind: "comment", from: start + 2 }) : operator(text, start);
    case "'":
      return quoted("string", text, start);
    case '"':
      return quoted("quoted", text, start);
    case "`":
      return quoted("backquoted", text, start);
    case "x":
    case "X":
      return second === "'" ? closedBy("'", text, { kind: "binary", from: start + 2 }) : word(text, start);
    case "u":
    case "U":
      return second === "&" && text.charAt(start + 2) === "'" ? quoted("unicodeString", text, start + 2) : word(text, start);
    default:
      return isDigit(first) || (first === "." && isDigit(second)) ? number(text, start) : word(text, start);
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function word(text: string, start: number): Lexeme {
  const end = endOf(wordPattern, text, start);
  return end > start ? { kind: "word", end } : operator(text, start);
}

function number(text: string, start: number): Lexeme {
  let kind: LexemeKind = "double";
  let end = endOf(doublePattern, text, start);
  if (end === start) {
    kind = "radix";
    end = endOf(radixPattern, text, start);
  }
  if (end === start) {
    kind = "number";
    end = endOf(decimalPattern, text, start);
  }
  const nameEnd = endOf(digitNamePattern, text, start);
  return nameEnd > end ? { kind: "digitName", end: nameEnd } : { kind, end };
}

function operator(text: string, start: number): Lexeme {
  const end = endOf(operatorPattern, text, start);
  if (end > start) {
    return { kind: "operator", end };
  }
  return { kind: "unrecognized", end: start + String.fromCodePoint(text.codePointAt(start) ?? 0).length };
}

/** A lexeme that ends with the first `closer` from `from` on. */
function closedBy(closer: string, text: string, { kind, from }: { readonly kind: LexemeKind; readonly from: number }): Lexeme {
  const end = text.indexOf(closer, from);
  return end === -1 ? { kind, end: text.length, closer } : { kind, end: end + closer.length };
}

/** A doubled quote stands for one. */
function quoted(kind: LexemeKind, text: string, quoteAt: number): Lexeme {
  const quote = text.charAt(quoteAt);
  let from = quoteAt + 1;
  for (;;) {
    const end = text.indexOf(quote, from);
    if (end === -1) {
      return { kind, end: text.length, closer: quote };
    }
    if (text.charAt(end + 1) !== quote) {
      return { kind, end: end + 1 };
    }
    from = end + 2;
  }
}
