/**
 * The dialect for CodeMirror: the lexemes of the engine's parser, line by line. A quote or comment that a line leaves open is kept in the
 * state.
 */
import { HighlightStyle, StreamLanguage, type StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { type LexemeKind, lexemeAt } from "../../../sql/parser/lexemes.ts";
import { isReserved } from "../../../sql/parser/reserved-words.ts";
import { keywords, nameWords, typeNames } from "./keywords.ts";

interface OpenLexeme {
  closer: string;
  style: string;
}

const styles: Readonly<Partial<Record<LexemeKind, string>>> = {
  comment: "blockComment",
  string: "string",
  unicodeString: "string",
  binary: "string",
  quoted: "name",
  backquoted: "invalid",
  digitName: "invalid",
  unrecognized: "invalid",
  double: "number",
  radix: "number",
  number: "number",
  operator: "operator",
};

export const sqlLanguage = StreamLanguage.define<OpenLexeme>({
  name: "sql",
  startState: () => ({ closer: "", style: "" }),
  copyState: (state) => ({ ...state }),
  token: (stream, state) => {
    if (state.closer !== "") {
      return closeLexeme(stream, state);
    }
    if (stream.eatSpace()) {
      return null;
    }
    if (stream.match("--")) {
      stream.skipToEnd();
      return "lineComment";
    }
    const lexeme = lexemeAt(stream.string, stream.pos);
    const text = stream.string.slice(stream.pos, lexeme.end);
    stream.pos = Math.max(lexeme.end, stream.pos + 1);
    const style = lexeme.kind === "word" ? wordStyle(text, stream) : (styles[lexeme.kind] ?? null);
    if (lexeme.closer !== undefined) {
      state.closer = lexeme.closer;
      state.style = style ?? "";
    }
    return style;
  },
  languageData: {
    commentTokens: { line: "--", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "'", '"'] },
  },
});

function closeLexeme(stream: StringStream, state: OpenLexeme): string {
  const { closer, style } = state;
  const end = stream.string.indexOf(closer, stream.pos);
  if (end < 0) {
    stream.skipToEnd();
    return style;
  }
  stream.pos = end + closer.length;
  state.closer = "";
  return style;
}

function wordStyle(word: string, stream: StringStream): string {
  const isCalled = /^\s*\(/.test(stream.string.slice(stream.pos));
  const upper = word.toUpperCase();
  const isName = stream.string.charAt(stream.pos - word.length - 1) === "." || (nameWords.has(upper) && word !== upper);
  if (typeNames.has(word.toLowerCase()) && !isName && !(isCalled && upper === "DATE")) {
    return "typeName";
  }
  // `count(` is a function, although COUNT is a keyword elsewhere.
  if (!isName && (isReserved(upper) || (keywords.has(upper) && !isCalled))) {
    return "keyword";
  }
  return isCalled ? "variableName.function" : "name";
}

/** Colors are tokens of the style sheet, so that a change of theme needs no other state. */
export const sqlColors = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--sql-keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--sql-type)" },
  { tag: tags.string, color: "var(--sql-string)" },
  { tag: tags.number, color: "var(--sql-number)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--sql-comment)", fontStyle: "italic" },
  { tag: tags.function(tags.variableName), color: "var(--sql-function)" },
  { tag: tags.operator, color: "var(--sql-operator)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);
