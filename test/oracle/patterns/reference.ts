/**
 * A small reference for row patterns, independent of the engine: it enumerates all matches in the order of preference, and evaluates each
 * expression by scanning the whole path. Exponential, for a few rows only.
 */

export interface Row {
  readonly part: number;
  readonly id: number;
  readonly v: number | null;
}

export type Pattern =
  | { readonly kind: "label"; readonly name: string }
  | { readonly kind: "sequence" | "alternatives" | "permutation"; readonly terms: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly pattern: Pattern; readonly min: number; readonly max?: number; readonly greedy: boolean }
  | { readonly kind: "excluded"; readonly pattern: Pattern }
  | { readonly kind: "empty" | "start" | "end" };

export interface Step {
  /** Index in the partition. */
  readonly row: number;
  readonly label: string;
  readonly excluded: boolean;
}

/** The input of an expression: the path, and the current row in it. */
export interface View {
  readonly rows: readonly Row[];
  readonly path: readonly Step[];
  readonly place: number;
  readonly first: number;
  readonly end: number;
  readonly matchNumber: number;
}

export type Value = number | string | boolean | null;

export interface Expression {
  readonly sql: string;
  evaluate(view: View): Value;
}

export type Skip =
  | { readonly to: "PAST LAST ROW" }
  | { readonly to: "NEXT ROW" }
  | { readonly to: "FIRST" | "LAST"; readonly labels: readonly string[] };

export interface Recognition {
  readonly pattern: Pattern;
  readonly conditions: ReadonlyMap<string, Expression>;
  readonly measures: readonly Expression[];
  readonly skip: Skip;
}

/** Too many matches for this reference. */
export class TooLong extends Error {}

/** The error of a rejected statement. */
export class Refused extends Error {}

interface Navigation {
  readonly labels?: readonly string[];
  readonly anchor: "FIRST" | "LAST";
  readonly final?: boolean;
  readonly logical: number;
  readonly physical: number;
}

/** Index of the row in the partition, or undefined. */
export function navigate({ end, first, path, place }: View, { anchor, final, labels, logical, physical }: Navigation): number | undefined {
  const seen = path.filter(({ label }, index) => (final === true || index <= place) && (labels === undefined || labels.includes(label)));
  const found = anchor === "FIRST" ? seen[logical] : seen[seen.length - 1 - logical];
  const row = found === undefined ? undefined : found.row + physical;
  return row === undefined || row < first || row >= end ? undefined : row;
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  const [head] = items;
  if (head === undefined) {
    return [[]];
  }
  return items.flatMap((item, index) => permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]));
}

interface Search {
  readonly rows: readonly Row[];
  readonly first: number;
  readonly end: number;
  readonly matchNumber: number;
  readonly conditions: ReadonlyMap<string, Expression>;
  readonly path: Step[];
  budget: number;
}

/**
 * Enumerates the matches that begin at a row, in order of preference; yields the row after each. While the generator is suspended, the
 * search's path is that match.
 */
function* ways(pattern: Pattern, at: number, excluded: boolean, search: Search): Generator<number, void> {
  if (--search.budget < 0) {
    throw new TooLong();
  }
  switch (pattern.kind) {
    case "empty":
      yield at;
      return;
    case "start":
      if (at === search.first) {
        yield at;
      }
      return;
    case "end":
      if (at === search.end) {
        yield at;
      }
      return;
    case "excluded":
      yield* ways(pattern.pattern, at, true, search);
      return;
    case "label":
      if (at < search.end) {
        search.path.push({ row: at, label: pattern.name, excluded });
        const view = { ...search, place: search.path.length - 1 };
        if ((search.conditions.get(pattern.name)?.evaluate(view) ?? !search.conditions.has(pattern.name)) === true) {
          yield at + 1;
        }
        search.path.pop();
      }
      return;
    case "sequence":
      yield* sequence(pattern.terms, at, excluded, search);
      return;
    case "alternatives":
      for (const term of pattern.terms) {
        yield* ways(term, at, excluded, search);
      }
      return;
    case "permutation":
      for (const terms of permutations(pattern.terms)) {
        yield* sequence(terms, at, excluded, search);
      }
      return;
    case "repeat":
      yield* repeated(pattern, 0, at, excluded, search);
  }
}

function* sequence(terms: readonly Pattern[], at: number, excluded: boolean, search: Search): Generator<number, void> {
  const [head, ...rest] = terms;
  if (head === undefined) {
    yield at;
    return;
  }
  for (const next of ways(head, at, excluded, search)) {
    yield* sequence(rest, next, excluded, search);
  }
}

function* repeated(
  pattern: Pattern & { kind: "repeat" },
  count: number,
  at: number,
  excluded: boolean,
  search: Search,
): Generator<number, void> {
  const { greedy, max, min } = pattern;
  const isEnough = count >= min;
  if (isEnough && !greedy) {
    yield at;
  }
  if (max === undefined || count < max) {
    for (const next of ways(pattern.pattern, at, excluded, search)) {
      if (next === at && isEnough && max === undefined) {
        // An empty iteration ends an unbounded repetition.
        yield at;
      } else {
        yield* repeated(pattern, count + 1, next, excluded, search);
      }
    }
  }
  if (isEnough && greedy) {
    yield at;
  }
}

interface Match {
  readonly path: readonly Step[];
  readonly view: Omit<View, "place">;
}

function match(
  { conditions, pattern }: Recognition,
  rows: readonly Row[],
  start: number,
  frame: { readonly first: number; readonly end: number },
  matchNumber: number,
): Match | undefined {
  const search: Search = { rows, ...frame, matchNumber, conditions, path: [], budget: 20_000 };
  for (const _ of ways(pattern, start, false, search)) {
    const path = [...search.path];
    return { path, view: { rows, path, ...frame, matchNumber } };
  }
  return undefined;
}

/** Row at which the search continues. */
function skipTo({ skip }: Recognition, path: readonly Step[], current: number): number {
  const [head] = path;
  if (head === undefined || skip.to === "NEXT ROW") {
    return current + 1;
  }
  if (skip.to === "PAST LAST ROW") {
    return head.row + path.length;
  }
  const found = path.filter(({ label }) => skip.labels.includes(label)).at(skip.to === "FIRST" ? 0 : -1);
  if (found === undefined) {
    throw new Refused("AFTER MATCH SKIP failed: pattern variable is not present in match");
  }
  if (found === head) {
    throw new Refused("AFTER MATCH SKIP failed: cannot skip to first row of match");
  }
  return found.row;
}

export type RowsPerMatch = "ONE" | "ALL SHOW" | "ALL OMIT" | "ALL UNMATCHED";

function partitionsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts = [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b);
  return parts.map((part) => rows.filter((row) => row.part === part).sort((a, b) => a.id - b.id));
}

/** Columns: `part`, with ALL ROWS also `id`, then the measures. */
export function recognize(recognition: Recognition, rowsPerMatch: RowsPerMatch, rows: readonly Row[]): readonly (readonly Value[])[] {
  return partitionsOf(rows).flatMap((partition) => recognizePartition(recognition, rowsPerMatch, partition));
}

function recognizePartition(recognition: Recognition, rowsPerMatch: RowsPerMatch, rows: readonly Row[]): readonly (readonly Value[])[] {
  const found: Value[][] = [];
  const frame = { first: 0, end: rows.length };
  const add = (row: Row, measured: readonly Value[]): void => {
    found.push(rowsPerMatch === "ONE" ? [row.part, ...measured] : [row.part, row.id, ...measured]);
  };
  const measure = ({ view }: Match, place: number): readonly Value[] => recognition.measures.map((one) => one.evaluate({ ...view, place }));
  let matchNumber = 0;
  let lastMatched = -1;
  for (let at = 0; at < rows.length; ) {
    const made = match(recognition, rows, at, frame, matchNumber + 1);
    if (made === undefined) {
      if (rowsPerMatch === "ALL UNMATCHED" && at > lastMatched) {
        add(
          rows[at] as Row,
          recognition.measures.map(() => null),
        );
      }
      at++;
      continue;
    }
    matchNumber++;
    const { path } = made;
    if (path.length === 0) {
      if (rowsPerMatch !== "ALL OMIT") {
        add(rows[at] as Row, measure(made, -1));
      }
    } else if (rowsPerMatch === "ONE") {
      add(rows[at] as Row, measure(made, path.length - 1));
    } else {
      for (const [place, step] of path.entries()) {
        if (!step.excluded) {
          add(rows[step.row] as Row, measure(made, place));
        }
      }
    }
    lastMatched = Math.max(lastMatched, path.at(-1)?.row ?? -1);
    at = skipTo(recognition, path, at);
  }
  return found;
}

export interface Frame {
  /** Number of following rows; undefined: all. */
  readonly following?: number;
  readonly seek: boolean;
}

/** Columns: `part`, `id`, the measures, and the number of rows in the match. */
export function recognizeWindow(recognition: Recognition, { following, seek }: Frame, rows: readonly Row[]): readonly (readonly Value[])[] {
  return partitionsOf(rows).flatMap((partition) => {
    let next = 0;
    return partition.map((row, at): readonly Value[] => {
      const frame = { first: at, end: following === undefined ? partition.length : Math.min(partition.length, at + following + 1) };
      const starts = at < next ? [] : Array.from({ length: seek ? frame.end - at : 1 }, (_, index) => at + index);
      let made: Match | undefined;
      for (const start of starts) {
        made ??= match(recognition, partition, start, frame, 1);
      }
      if (made === undefined) {
        return [row.part, row.id, ...recognition.measures.map(() => null), 0];
      }
      const { path, view } = made;
      next = skipTo(recognition, path, at);
      return [row.part, row.id, ...recognition.measures.map((one) => one.evaluate({ ...view, place: path.length - 1 })), path.length];
    });
  });
}
