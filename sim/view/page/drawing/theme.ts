/**
 * Colours in light and dark, shared by the canvas and the document (as CSS variables). Hues of categories are distinguishable for
 * colour-blind readers; failures also differ in shape.
 */
import type { Category } from "../model/model.ts";

export interface Theme {
  readonly paper: string;
  readonly raised: string;
  readonly stripe: string;
  readonly line: string;
  readonly ink: string;
  readonly muted: string;
  readonly faint: string;
  readonly accent: string;
  readonly accentSoft: string;
  readonly future: string;
  readonly trouble: string;
  readonly warn: string;
  readonly good: string;
  readonly violation: string;
  readonly onViolation: string;
  readonly match: string;
  readonly statement: string;
  readonly task: string;
  readonly exchange: string;
  readonly membership: string;
  readonly other: string;
  readonly waiting: string;
  readonly planning: string;
  readonly starting: string;
  readonly running: string;
  readonly finishing: string;
  readonly fault: string;
  readonly onlyA: string;
  readonly onlyB: string;
  readonly shifted: string;
}

export const light: Theme = {
  paper: "#fcfcfa",
  raised: "#f4f4f0",
  stripe: "#f7f7f4",
  line: "#dddcd5",
  ink: "#1b222d",
  muted: "#575f6b",
  faint: "#a3a8ae",
  accent: "#5b3fb8",
  accentSoft: "#5b3fb81f",
  future: "#0f766e1a",
  trouble: "#bf3a14",
  warn: "#9a6700",
  good: "#10745c",
  violation: "#b00038",
  onViolation: "#ffffff",
  match: "#d79b00",
  statement: "#1d66ae",
  task: "#9c6100",
  exchange: "#0b7a64",
  membership: "#8b919a",
  other: "#94518b",
  waiting: "#cfd3d8",
  planning: "#b9d2ea",
  starting: "#85b1dc",
  running: "#2f74b5",
  finishing: "#4ba793",
  fault: "#c2541f",
  onlyA: "#b45309",
  onlyB: "#1d66ae",
  shifted: "#7a5bb5",
};

export const dark: Theme = {
  paper: "#11141a",
  raised: "#1a1e26",
  stripe: "#151920",
  line: "#2b303a",
  ink: "#e7e9ec",
  muted: "#a3abb6",
  faint: "#5f6773",
  accent: "#b29cff",
  accentSoft: "#b29cff2e",
  future: "#4fd1c524",
  trouble: "#ff8660",
  warn: "#e3b341",
  good: "#4fc3a1",
  violation: "#e5174f",
  onViolation: "#ffffff",
  match: "#f2c14e",
  statement: "#6cb0f0",
  task: "#e2a347",
  exchange: "#3dbfa0",
  membership: "#747c88",
  other: "#d498ca",
  waiting: "#3a414c",
  planning: "#2b4560",
  starting: "#2f6090",
  running: "#5a9bd8",
  finishing: "#2f8d78",
  fault: "#f08a52",
  onlyA: "#f0a552",
  onlyB: "#6cb0f0",
  shifted: "#b29cff",
};

export function categoryColour(theme: Theme, category: Category): string {
  return theme[category];
}

/** In a comparison, colour shows the difference only. */
export function statusColour(theme: Theme, status: number, isSecond: boolean): string {
  return status === 0 ? theme.faint : status === 2 ? theme.shifted : isSecond ? theme.onlyB : theme.onlyA;
}

/** One table for queries, stages and tasks: colour by the phase of the state. */
export function stateColour(theme: Theme, state: string): string {
  switch (state) {
    case "QUEUED":
    case "WAITING_FOR_RESOURCES":
    case "PLANNED":
      return theme.waiting;
    case "PLANNING":
    case "SCHEDULING":
      return theme.planning;
    case "STARTING":
    case "SCHEDULED":
      return theme.starting;
    case "RUNNING":
      return theme.running;
    default:
      return theme.finishing;
  }
}

export const sans = '-apple-system, "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", system-ui, sans-serif';
export const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

export function applyTheme(theme: Theme, style: CSSStyleDeclaration): void {
  for (const [name, colour] of Object.entries(theme) as [string, string][]) {
    style.setProperty(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, colour);
  }
}
