/**
 * Styles of a statement as it is typed.
 */
import { isKeyword } from "../sql/keywords.ts";
import { lexemesOf, type Word } from "../sql/words.ts";
import type { Style } from "../formats/style.ts";

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly style: Style;
}

/** Spans in order, without gaps. A command of the shell has a style of its own. */
export function highlight(text: string): readonly Span[] {
  const command = /^\s*[\\.]\S*/.exec(text)?.[0].length ?? 0;
  if (command > 0) {
    return [
      { from: 0, to: command, style: "command" },
      { from: command, to: text.length, style: "plain" },
    ];
  }
  const words = lexemesOf(text);
  return words.map((word, index) => ({ from: word.from, to: word.to, style: styleOf(word, words, index) }));
}

function styleOf(word: Word, words: readonly Word[], index: number): Style {
  switch (word.kind) {
    case "word":
      return wordStyle(word.text, words, index);
    case "double":
    case "radix":
    case "number":
      return "number";
    case "string":
    case "binary":
    case "unicodeString":
      return "string";
    case "comment":
      return "comment";
    case "blank":
      return word.text.includes("--") ? "comment" : "plain";
    case "end":
    case "digitName":
    case "quoted":
    case "backquoted":
    case "operator":
    case "unrecognized":
      return "plain";
  }
}

function wordStyle(text: string, words: readonly Word[], index: number): Style {
  const afterDot = words[index - 1]?.text === ".";
  if (!afterDot && isKeyword(text)) {
    return "keyword";
  }
  return words[index + 1]?.text === "(" ? "function" : "plain";
}
