/**
 * Decides which entries are visible and which match a search: words and `place:`, `kind:`, `label:`, `query:` terms. Evaluated once for
 * each distinct text, not for each entry.
 */
import { type Group, groups, type Run } from "./model.ts";

export interface Filter {
  readonly hiddenGroups: ReadonlySet<Group>;
  readonly hiddenPlaces: ReadonlySet<string>;
  /** Label of messages; empty for all. */
  readonly label: string;
  readonly query: string;
  readonly expression: string;
  readonly onlyTrouble: boolean;
}

export const openFilter: Filter = {
  hiddenGroups: new Set(["heartbeats", "timers"]),
  hiddenPlaces: new Set(),
  label: "",
  query: "",
  expression: "",
  onlyTrouble: false,
};

interface Term {
  readonly field: "place" | "kind" | "label" | "query" | "text";
  readonly text: string;
  readonly not: boolean;
}

function parseExpression(expression: string): readonly Term[] {
  const terms: Term[] = [];
  for (const match of expression.matchAll(/(-)?(?:(place|kind|label|query|text):)?(?:"([^"]*)"|(\S+))/g)) {
    const text = (match[3] ?? match[4] ?? "").toLowerCase();
    if (text !== "") {
      terms.push({ field: (match[2] ?? "text") as Term["field"], text, not: match[1] === "-" });
    }
  }
  return terms;
}

/** 1 for every entry that matches all terms. */
export function matchExpression(run: Run, expression: string): Uint8Array {
  const { columns } = run;
  const matches = new Uint8Array(columns.count).fill(1);
  for (const { field, text, not } of parseExpression(expression)) {
    const holds = (candidate: string): number => (candidate.toLowerCase().includes(text) ? 1 : 0);
    const inPlace = columns.places.map((name) => (name.toLowerCase() === text ? 1 : 0));
    const inKind = columns.kinds.map(holds);
    const inLabel = columns.heads.map((head) => holds(head.slice(head.indexOf(" ") + 1)));
    const inHead = columns.heads.map(holds);
    const inText = field === "text" ? Uint8Array.from(columns.texts, holds) : new Uint8Array(0);
    const inQuery = run.queries.map(holds);
    const messageText = field === "text" && /^m\d+$/.test(text) ? Number(text.slice(1)) : -1;
    for (let index = 0; index < columns.count; index++) {
      const isMessage = (columns.message[index] ?? -1) >= 0;
      const head = columns.head[index] ?? 0;
      let found: number;
      switch (field) {
        case "place":
          found = inPlace[columns.place[index] ?? 0] ?? 0;
          break;
        case "kind":
          found = inKind[columns.kind[index] ?? 0] ?? 0;
          break;
        case "label":
          found = isMessage ? (inLabel[head] ?? 0) : 0;
          break;
        case "query":
          found = inQuery[run.query[index] ?? -1] ?? 0;
          break;
        case "text":
          found =
            messageText !== -1
              ? Number(columns.message[index] === messageText)
              : (inText[columns.text[index] ?? 0] ?? 0) | (isMessage ? (inHead[head] ?? 0) : 0) | (inKind[columns.kind[index] ?? 0] ?? 0);
          break;
      }
      if ((found === 1) === not) {
        matches[index] = 0;
      }
    }
  }
  return matches;
}

/** 1 for every visible entry. */
export function maskOf(run: Run, filter: Filter): Uint8Array {
  const { columns } = run;
  const mask = matchExpression(run, filter.expression);
  const hiddenGroup = groups.map((group) => filter.hiddenGroups.has(group));
  const hiddenPlace = columns.places.map((name) => filter.hiddenPlaces.has(name));
  const rightLabel = columns.heads.map((head) => filter.label === "" || head.endsWith(` ${filter.label}`));
  const query = filter.query === "" ? -1 : run.queries.indexOf(filter.query);
  for (let index = 0; index < columns.count; index++) {
    const group = run.group[index] ?? 0;
    const isMessage = (columns.message[index] ?? -1) >= 0;
    // Violations are never hidden, because they are the reason to look.
    if (groups[group] === "violations") {
      mask[index] = 1;
    } else if (
      hiddenGroup[group] === true ||
      hiddenPlace[columns.place[index] ?? 0] === true ||
      (filter.label !== "" && !(isMessage && rightLabel[columns.head[index] ?? 0] === true)) ||
      (filter.query !== "" && run.query[index] !== query) ||
      (filter.onlyTrouble && run.trouble[index] === 0)
    ) {
      mask[index] = 0;
    }
  }
  return mask;
}

export function indexesOf(matches: Uint8Array, mask: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < matches.length; index++) {
    if (matches[index] === 1 && mask[index] === 1) {
      found.push(index);
    }
  }
  return found;
}
