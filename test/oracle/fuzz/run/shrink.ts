/**
 * Shrinks a failing statement: removes decisions of the generator part by part, or simplifies them (random.ts), as long as the resulting
 * statement fails in the same way; then removes rows and columns of the tables.
 */
import { Random, type Span } from "../random.ts";
import type { Table } from "../tables.ts";

export interface Made<T> {
  readonly made: T;
  readonly choices: readonly number[];
  readonly spans: readonly Span[];
}

export interface Shrinking<T> {
  /** Pure: the same decisions produce the same result. */
  readonly make: (random: Random) => T;
  /** Orders candidates; smaller is better. */
  readonly size: (made: T) => number;
  readonly fails: (made: T) => Promise<boolean>;
  readonly trialsMax: number;
}

/** The smallest failing candidate; `first` if no smaller one fails. */
export async function shrinkChoices<T>(first: Made<T>, { make, size, fails, trialsMax }: Shrinking<T>): Promise<Made<T>> {
  let best = first;
  let trials = 0;
  const seen = new Set<string>([best.choices.join()]);
  const attempt = async (choices: readonly number[]): Promise<boolean> => {
    if (trials >= trialsMax || seen.has(choices.join())) {
      return false;
    }
    seen.add(choices.join());
    const random = Random.replay(choices);
    const made = make(random);
    const difference = size(made) - size(best.made);
    if (difference > 0 || (difference === 0 && random.choices.length >= best.choices.length)) {
      return false;
    }
    trials++;
    if (!(await fails(made))) {
      return false;
    }
    best = { made, choices: [...random.choices], spans: [...random.spans] };
    return true;
  };
  for (let improved = true; improved && trials < trialsMax; ) {
    improved = false;
    for (const candidates of [withoutParts, partsByInner, withZeros, withoutRuns]) {
      let again = true;
      while (again && trials < trialsMax) {
        again = false;
        for (const choices of candidates(best)) {
          if (await attempt(choices)) {
            improved = true;
            again = true;
            break;
          }
        }
      }
    }
  }
  return best;
}

function replaced(choices: readonly number[], { start, end }: Span, by: readonly number[]): readonly number[] {
  return [...choices.slice(0, start), ...by, ...choices.slice(end)];
}

function bySize(spans: readonly Span[]): readonly Span[] {
  return spans.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
}

/** Replaces a part by the simplest of its kind, or removes its decisions. */
function* withoutParts({ choices, spans }: Made<unknown>): Generator<readonly number[]> {
  for (const span of bySize(spans)) {
    yield replaced(
      choices,
      span,
      Array.from({ length: Math.min(4, span.end - span.start) }, () => 0),
    );
    yield replaced(choices, span, []);
  }
}

/** Replaces a part by one of its inner parts. */
function* partsByInner({ choices, spans }: Made<unknown>): Generator<readonly number[]> {
  for (const outer of bySize(spans)) {
    for (const inner of bySize(spans)) {
      if (inner.start >= outer.start && inner.end <= outer.end && inner.end - inner.start < outer.end - outer.start) {
        yield replaced(choices, outer, choices.slice(inner.start, inner.end));
      }
    }
  }
}

function* withZeros({ choices }: Made<unknown>): Generator<readonly number[]> {
  for (let index = 0; index < choices.length; index++) {
    if (choices[index] !== 0) {
      yield replaced(choices, { start: index, end: index + 1 }, [0]);
    }
  }
}

function* withoutRuns({ choices }: Made<unknown>): Generator<readonly number[]> {
  for (const length of [32, 16, 12, 8, 7, 6, 5, 4, 3, 2, 1]) {
    for (let start = 0; start + length <= choices.length; start++) {
      yield replaced(choices, { start, end: start + length }, []);
    }
  }
}

/** Removes rows, then columns: halves, quarters and so on, of one table after the other. */
export async function shrinkTables(
  first: readonly Table[],
  options: { readonly fails: (tables: readonly Table[]) => Promise<boolean>; readonly trialsMax: number },
): Promise<readonly Table[]> {
  let best = first;
  let trials = 0;
  const attempt = async (name: string, change: (table: Table) => Table): Promise<boolean> => {
    if (trials++ >= options.trialsMax) {
      return false;
    }
    const tables = best.map((table) => (table.name === name ? change(table) : table));
    if (!(await options.fails(tables))) {
      return false;
    }
    best = tables;
    return true;
  };
  const current = (name: string): Table => best.find((table) => table.name === name) as Table;
  for (const { name } of first) {
    let part = current(name).rows.length;
    while (part >= 1) {
      let start = 0;
      while (start < current(name).rows.length) {
        const [from, to] = [start, start + part];
        if (!(await attempt(name, (table) => ({ ...table, rows: table.rows.filter((_, index) => index < from || index >= to) })))) {
          start += part;
        }
      }
      part = Math.floor(part / 2);
    }
    for (const column of current(name).columns) {
      await attempt(name, (table) => withoutColumn(table, column.name));
    }
  }
  return best;
}

function withoutColumn(table: Table, name: string): Table {
  const place = table.columns.findIndex((column) => column.name === name);
  return table.columns.length === 1
    ? table
    : {
        ...table,
        columns: table.columns.filter((_, index) => index !== place),
        rows: table.rows.map((row) => row.filter((_, index) => index !== place)),
      };
}
