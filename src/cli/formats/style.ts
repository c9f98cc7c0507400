/**
 * Styles of text on a terminal and their colours. Without colours, bold and reverse video remain, which NO_COLOR does not forbid.
 */

export type Style =
  | "plain"
  | "prompt"
  | "continuation"
  | "keyword"
  | "function"
  | "string"
  | "number"
  | "comment"
  | "command"
  | "match"
  | "suggestion"
  | "null"
  | "header"
  | "rule"
  | "menu"
  | "detail"
  | "selected"
  | "status"
  | "error"
  | "warning"
  | "good"
  | "running";

/** Parameters of SGR; the 16 colours, so that they follow the terminal's own palette. */
const colors: Readonly<Record<Style, string>> = {
  plain: "",
  prompt: "1;36",
  continuation: "90",
  keyword: "1;34",
  function: "36",
  string: "32",
  number: "33",
  comment: "90",
  command: "35",
  match: "1;4",
  suggestion: "90",
  null: "90",
  header: "1",
  rule: "90",
  menu: "",
  detail: "90",
  selected: "7",
  status: "90",
  error: "1;31",
  warning: "33",
  good: "32",
  running: "36",
};

const colorless: Readonly<Partial<Record<Style, string>>> = { match: "4", selected: "7" };

/** Selects graphic rendition of a style; empty if it is that of plain text. */
export function renditionOf(style: Style, hasColors: boolean): string {
  return (hasColors ? colors[style] : colorless[style]) ?? "";
}

export type Paint = (style: Style, text: string) => string;

export function painter(hasColors: boolean): Paint {
  return (style, text) => {
    const rendition = renditionOf(style, hasColors);
    return rendition === "" || text === "" ? text : `\u001b[${rendition}m${text}\u001b[0m`;
  };
}

/** Output that is not styled, as in tests and files. */
export const unpainted: Paint = (_style, text) => text;

/** Colours are used on a terminal unless NO_COLOR is set to anything (no-color.org) or the terminal is `dumb`. */
export function hasColors(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  return isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}
