/**
 * Lexer of JSON paths.
 */

export interface PathToken {
  readonly kind: "word" | "variable" | "string" | "number" | "operator" | "unrecognized" | "end";
  /** Source text. */
  readonly text: string;
  /** Content of a string, name of a variable, or digits of a number. */
  readonly value: string;
  /** Position in the path, in UTF-16 units. */
  readonly offset: number;
}

const blank = /[ \r\n\t]+/y;
const rules: readonly (readonly [PathToken["kind"], RegExp])[] = [
  ["word", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["variable", /\$[A-Za-z_][A-Za-z0-9_]*/y],
  ["string", /"(?:[^"]|"")*"/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+/y],
  ["number", /\d+\.(?!\.)\d*|\.\d+|\d+/y],
  ["operator", /\.\.|==|<>|!=|<=|>=|&&|\|\||[-+*/%.,()[\]?@$!<>]/y],
];

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

function valueOf(kind: PathToken["kind"], text: string): string {
  switch (kind) {
    case "string":
      return text.slice(1, -1).replaceAll('""', '"');
    case "variable":
      return text.slice(1);
    default:
      return text;
  }
}

export function tokenizePath(text: string): readonly PathToken[] {
  const tokens: PathToken[] = [];
  for (let offset = 0; ; ) {
    offset += matchAt(blank, text, offset)?.length ?? 0;
    if (offset >= text.length) {
      tokens.push({ kind: "end", text: "<EOF>", value: "", offset });
      return tokens;
    }
    const token = tokenAt(text, offset);
    tokens.push(token);
    offset += token.text.length;
  }
}

function tokenAt(text: string, offset: number): PathToken {
  for (const [kind, pattern] of rules) {
    const found = matchAt(pattern, text, offset);
    if (found !== undefined) {
      return { kind, text: found, value: valueOf(kind, found), offset };
    }
  }
  const point = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return { kind: "unrecognized", text: point, value: point, offset };
}
