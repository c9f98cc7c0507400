/** Page sources: what they give, when they end, and what they leave. */
import { isDeepStrictEqual } from "node:util";
import { setImmediate as turn } from "node:timers/promises";
import type { ColumnMetadata, Split, TableMetadata } from "../../../connectors/spi.ts";
import { MemoryLimitExceeded } from "../../../memory/memory.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { BrokenRule, mustHold } from "../options.ts";
import { type ReadRow, rowsOf } from "../pages.ts";
import { type Subject, tableText } from "../subject.ts";
import type { Rule } from "./rule.ts";

/** Splits of a table that a rule looks at, where each costs several reads. */
const splitsMax = 3;
/** Bytes of a source that has too little memory. */
const scarceBytes = 1024;

/** The first difference of two lists of rows, in words; undefined if they are the same. */
export function difference(expected: readonly ReadRow[], found: readonly ReadRow[]): string | undefined {
  const at = expected.findIndex((row, index) => !isDeepStrictEqual(row.texts, found[index]?.texts));
  if (at < 0 && expected.length === found.length) {
    return undefined;
  }
  const row = at < 0 ? expected.length : at;
  const text = (rows: readonly ReadRow[]): string => rows[row]?.texts.join(", ") ?? "no row";
  return `row ${row} was (${text(expected)}) and is now (${text(found)})`;
}

/** For each table with each of its first splits. */
export async function forSplits(
  subject: Subject,
  check: (table: TableMetadata, split: Split) => Promise<void>,
): Promise<string | undefined> {
  let count = 0;
  for (const table of await subject.tables()) {
    for (const split of (await subject.splitsOf(table)).slice(0, splitsMax)) {
      count += 1;
      try {
        await check(table, split);
      } catch (error) {
        const place = tableText(table);
        throw error instanceof BrokenRule && !error.message.startsWith(place) ? new BrokenRule(`${place}: ${error.message}`) : error;
      }
    }
  }
  return count === 0 ? "no table has a split" : undefined;
}

/** A page must not change until the next is asked for, whatever else the node does meanwhile. */
async function checkPages(subject: Subject): Promise<void> {
  for (const table of await subject.tables()) {
    for (const split of await subject.splitsOf(table)) {
      await subject.readSplit({
        table,
        split,
        columns: table.columns,
        onPage: async (page, memory) => {
          const before = rowsOf(memory, page);
          await turn();
          const changed = difference(before, rowsOf(memory, page));
          mustHold(changed === undefined, () => `a page changed before the next was asked for: ${changed}`);
        },
      });
    }
    requireKeys(table, await subject.rowsOf(table));
  }
}

function requireKeys(table: TableMetadata, rows: readonly ReadRow[]): void {
  for (const key of table.uniqueKeys ?? []) {
    const indexes = key.map((name) => table.columns.findIndex((column) => column.name === name));
    const seen = new Set<string>();
    for (const { texts } of rows) {
      const values = indexes.map((index) => texts[index] as string);
      const text = values.join(", ");
      mustHold(!values.includes("null"), () => `the unique key (${key.join(", ")}) has NULL`);
      mustHold(!seen.has(text), () => `the unique key (${key.join(", ")}) has the value (${text}) twice`);
      seen.add(text);
    }
  }
}

const pagesHold: Rule = {
  name: "pages hold what their types allow, until the next one",
  async check(subject) {
    await checkPages(subject);
    return undefined;
  },
};

const again: Rule = {
  name: "a split gives the same rows each time, on any node",
  check: (subject) =>
    forSplits(subject, async (table, split) => {
      const { columns } = table;
      const first = await subject.readSplit({ table, split, columns });
      const second = difference(first, await subject.readSplit({ table, split, columns }));
      mustHold(second === undefined, () => `a split was read twice: ${second}`);
      const elsewhere = difference(first, await subject.readSplit({ table, split, columns, onWorker: true }));
      mustHold(elsewhere === undefined, () => `a split was read on two nodes: ${elsewhere}`);
    }),
};

/** Columns in other selections and orders; the last is none of them. */
function selections(columns: readonly ColumnMetadata[]): readonly (readonly ColumnMetadata[])[] {
  const single = columns.slice(0, 8).map((column) => [column]);
  return [columns.toReversed(), columns.filter((_, index) => index % 2 === 1), ...single, []];
}

const asAsked: Rule = {
  name: "columns are those asked for, in that order, or none",
  check: (subject) =>
    forSplits(subject, async (table, split) => {
      const all = await subject.readSplit({ table, split, columns: table.columns });
      for (const columns of selections(table.columns)) {
        const names = columns.map(({ name }) => name).join(", ");
        const found = await subject.readSplit({ table, split, columns });
        const indexes = columns.map((column) => table.columns.indexOf(column));
        const expected = all.map(({ texts, values }) => ({
          texts: indexes.map((index) => texts[index] as string),
          values: indexes.map((index) => values[index] ?? null),
        }));
        mustHold(found.length === all.length, () => `with the columns (${names}) a split has ${found.length} rows, with all ${all.length}`);
        const wrong = difference(expected, found);
        mustHold(wrong === undefined, () => `with the columns (${names}) alone: ${wrong}`);
      }
    }),
};

const ends: Rule = {
  name: "a source ends once and for all",
  check: (subject) =>
    forSplits(subject, async (table, split) => {
      await subject.withSource({ table, split, columns: table.columns }, async (source) => {
        for await (const page of subject.pagesOf(source)) {
          void page;
        }
        mustHold(source.nextPage() === undefined, () => "nextPage gives a page after finished was true");
        mustHold(source.finished, () => "finished is false again after it was true");
        mustHold(source.blocked() === undefined, () => "blocked() is a promise after finished was true");
      });
    }),
};

const closes: Rule = {
  name: "a source is closed at any moment, more than once",
  check: (subject) =>
    forSplits(subject, async (table, split) => {
      const request = { table, split, columns: table.columns };
      // withSource closes once more.
      await closing("before its first page", () => subject.withSource(request, async (source) => source.close()));
      await closing("before its first page, while it may wait", () =>
        subject.withSource(request, async (source) => {
          void source.blocked();
          source.close();
          await turn();
        }),
      );
      await closing("after its first page", () =>
        subject.withSource(request, async (source) => {
          for await (const page of subject.pagesOf(source)) {
            void page;
            break;
          }
          source.close();
          await turn();
        }),
      );
    }),
};

async function closing(when: string, close: () => Promise<void>): Promise<void> {
  await close().catch((error: unknown) => {
    throw new BrokenRule(`a source that is closed ${when}: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Whether the source gives its memory back is checked by withSource, here and in all other rules. */
const scarce: Rule = {
  name: "a source without memory fails with its limit, and gives all back",
  check: (subject) =>
    forSplits(subject, async (table, split) => {
      const request = { table, split, columns: table.columns, limitBytes: scarceBytes };
      let failure: unknown;
      await subject
        .withSource(request, async (source) => {
          try {
            for await (const page of subject.pagesOf(source)) {
              void page;
            }
          } catch (error) {
            failure = error;
          }
        })
        .catch((error: unknown) => {
          // A source that is not made has nothing to give back: its context is closed by the engine.
          failure = error;
        });
      mustHold(
        failure === undefined || failure instanceof MemoryLimitExceeded || failure instanceof QueryError,
        () =>
          `with ${scarceBytes} bytes of memory a source fails with '${String(failure)}', which is neither MemoryLimitExceeded nor a QueryError`,
      );
    }),
};

export const readingRules: readonly Rule[] = [pagesHold, again, asAsked, ends, closes, scarce];
