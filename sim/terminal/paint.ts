/** Colours of a terminal, for the few words of a summary that carry one. */

export type Accent = "good" | "bad" | "label";
export type Paint = (accent: Accent, text: string) => string;

/** Renditions of ECMA-48: bold green, bold red, dim. */
const renditions: Readonly<Record<Accent, string>> = { good: "1;32", bad: "1;31", label: "2" };

export const unpainted: Paint = (_accent, text) => text;

const painted: Paint = (accent, text) => `\u001b[${renditions[accent]}m${text}\u001b[0m`;

/** Colours are used on a terminal unless NO_COLOR is set to anything (no-color.org) or the terminal is `dumb`. */
export function paintFor(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb" ? painted : unpainted;
}
