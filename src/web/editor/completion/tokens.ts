/** Tokens of a statement with their offsets, in groups of brackets: what the completion needs instead of a syntax tree. */
import { lexemeAt } from "../../../sql/parser/lexemes.ts";

export interface Token {
  readonly kind: "word" | "quoted" | "literal" | "symbol";
  readonly text: string;
  /** A word in upper case; otherwise the text. */
  readonly upper: string;
  readonly from: number;
  readonly to: number;
  /** A quote or comment that the text leaves open. */
  readonly isOpen: boolean;
}

/** A token, or the tokens between two brackets. */
export type Item = Token | Group;

export interface Group {
  readonly kind: "group";
  /** Offset of the opening bracket; -1 for the whole statement. */
  readonly from: number;
  /** Offset behind the closing bracket, or the end of the text. */
  readonly to: number;
  readonly items: readonly Item[];
}

/** Comments are left out, unless one is open or holds the cursor. */
export function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly comments: readonly Token[] } {
  const tokens: Token[] = [];
  const comments: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const { kind, end, closer } = lexemeAt(text, at);
    const to = Math.max(end, at + 1);
    const piece = text.slice(at, to);
    const token = { text: piece, upper: piece.toUpperCase(), from: at, to, isOpen: closer !== undefined };
    if (kind === "word") {
      tokens.push({ ...token, kind: "word" });
    } else if (kind === "quoted") {
      tokens.push({ ...token, kind: "quoted" });
    } else if (kind === "comment") {
      comments.push({ ...token, kind: "symbol" });
    } else if (kind === "blank") {
      comments.push(...lineComments(piece, at));
    } else {
      tokens.push({ ...token, kind: kind === "operator" || kind === "unrecognized" ? "symbol" : "literal" });
    }
    at = to;
  }
  return { tokens, comments };
}

/** A comment of one line holds the cursor up to and including its end. */
function lineComments(blank: string, offset: number): Token[] {
  return [...blank.matchAll(/--[^\r\n]*/g)].map((match) => {
    const from = offset + match.index;
    return { kind: "symbol", text: match[0], upper: match[0], from, to: from + match[0].length, isOpen: true };
  });
}

/** Brackets that are not closed end with the text. */
export function grouped(tokens: readonly Token[], textLength: number): Group {
  interface Open {
    readonly from: number;
    readonly items: Item[];
  }
  const root: Open = { from: -1, items: [] };
  const stack: Open[] = [root];
  const top = (): Open => stack.at(-1) ?? root;
  const close = (to: number): void => {
    const open = stack.pop();
    if (open !== undefined) {
      top().items.push({ kind: "group", ...open, to });
    }
  };
  for (const token of tokens) {
    if (token.kind === "symbol" && (token.text === "(" || token.text === "[")) {
      stack.push({ from: token.from, items: [] });
    } else if (token.kind === "symbol" && (token.text === ")" || token.text === "]")) {
      if (stack.length > 1) {
        close(token.to);
      }
    } else {
      top().items.push(token);
    }
  }
  while (stack.length > 1) {
    close(textLength + 1);
  }
  return { kind: "group", from: -1, to: textLength + 1, items: root.items };
}

export function isWord(item: Item | undefined, ...words: readonly string[]): item is Token {
  return item !== undefined && item.kind === "word" && words.includes(item.upper);
}

export function isSymbol(item: Item | undefined, symbol: string): boolean {
  return item !== undefined && item.kind === "symbol" && item.text === symbol;
}

/** A name as the engine knows it: unquoted names are lower case. */
export function nameOf(token: Token): string {
  return token.kind === "quoted" ? token.text.slice(1, token.isOpen ? undefined : -1).replaceAll('""', '"') : token.text.toLowerCase();
}
