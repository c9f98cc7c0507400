/**
 * SQL text as words with their offsets, by the engine's lexer. Text that is not finished is cut as far as it goes.
 */
import { lexemeAt, type LexemeKind } from "../../sql/parser/lexemes.ts";

export interface Word {
  readonly kind: LexemeKind;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The text ends before the quote or comment does. */
  readonly isOpen: boolean;
}

/** All lexemes, blanks and comments included. */
export function lexemesOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (let from = 0; from < text.length; ) {
    const { kind, end, closer } = lexemeAt(text, from);
    words.push({ kind, from, to: end, text: text.slice(from, end), isOpen: closer !== undefined });
    from = end;
  }
  return words;
}

/** Without blanks and comments. */
export function wordsOf(text: string): readonly Word[] {
  return lexemesOf(text).filter(({ kind }) => kind !== "blank" && kind !== "comment");
}

export function isName({ kind }: Word): boolean {
  return kind === "word" || kind === "quoted" || kind === "backquoted" || kind === "digitName";
}

/** The name that a word stands for: in lower case, or what the quotes hold. */
export function nameOf({ kind, text }: Word): string {
  return kind === "quoted" ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase();
}

/** A name as SQL text: in quotes unless it is a word in lower case that is not a keyword. */
export function quotedName(name: string, isReserved: (word: string) => boolean): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !isReserved(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
