/**
 * Common columns of tables of places: addresses, and values that revisions keep.
 */
import { type Address, country, drawAddress, fiveDigits } from "./address.ts";
import { epochDay, type Revision, revisionOfRow } from "../calendar.ts";
import { RowStream } from "../streams.ts";
import { type Cell, constantText, number, perRow, streamAt, type TableContext, text } from "../table.ts";
import { managerName, sentences } from "../text.ts";

/** Days since 1970 of a Julian day number. */
export function dayNumber(julian: number): number {
  return julian - epochDay;
}

export interface History {
  readonly revision: () => Revision;
  /** A value that a revision takes over from the row before it if its bit is set. It must be read for all rows, in order. */
  readonly kept: <Value>(bit: number, value: () => Value) => () => Value;
  /** A value that all revisions of a key share. */
  readonly ofKey: <Value>(value: () => Value) => () => Value;
}

/** `table`: see revisionOfRow. `stream` is the stream of the bits. */
export function historyOf({ cursor }: TableContext, table: number, stream: number, drawsPerRow = 1): History {
  const flags = new RowStream(stream, drawsPerRow);
  const revision = perRow(cursor, () => revisionOfRow(cursor.row, table));
  const bits = perRow(cursor, () => flags.at(cursor.row).next());
  return {
    revision,
    kept: (bit, value) => {
      let last: ReturnType<typeof value>;
      return perRow(cursor, () => {
        const drawn = value();
        last = revision().isFirst || Math.floor(bits() / 2 ** bit) % 2 === 0 ? drawn : last;
        return last;
      });
    },
    ofKey: (value) => {
      let last: ReturnType<typeof value>;
      return perRow(cursor, () => {
        if (revision().isFirst) {
          last = value();
        }
        return last;
      });
    },
  };
}

/** Draws of a value that a revision may keep: `bit` as in History, `column` is the column of the stream. */
export interface KeptDraws {
  readonly number: (bit: number, column: number, low: number, high: number) => () => number;
  readonly text: (
    bit: number,
    column: number,
    options: { readonly draws: number; readonly min: number; readonly max: number },
  ) => () => Cell;
  readonly manager: (bit: number, column: number) => () => Cell;
}

export function keptDraws({ cursor, dictionaries }: TableContext, { kept }: History): KeptDraws {
  return {
    number: (bit, column, low, high) => {
      const stream = streamAt(cursor, column);
      return kept(bit, () => stream().uniform(low, high));
    },
    text:
      (bit, column, { draws, ...length }) =>
      () => {
        const stream = streamAt(cursor, column, draws);
        return text(kept(bit, () => sentences(dictionaries, stream(), length)));
      },
    manager: (bit, column) => () => {
      const stream = streamAt(cursor, column, 2);
      return text(kept(bit, () => managerName(dictionaries, stream())));
    },
  };
}

export function recordDates({ revision }: History): { readonly begin: () => Cell; readonly end: () => Cell } {
  return {
    begin: () => number(() => dayNumber(revision().begin)),
    end: () =>
      number(() => {
        const { end } = revision();
        return end === undefined ? undefined : dayNumber(end);
      }),
  };
}

/** The parts of an address that a revision may keep. */
export type KeptPart = "streetNumber" | "zip" | "gmtOffset";

/** Address columns `prefix_street_number` and the like. `part` wraps parts that a history keeps. */
export function addressCells(
  address: () => Address,
  prefix: string,
  part: (name: KeptPart) => () => number = (name) => () => address()[name],
): Readonly<Record<string, () => Cell>> {
  return {
    [`${prefix}_street_number`]: () => {
      const streetNumber = part("streetNumber");
      return text(() => String(streetNumber()));
    },
    [`${prefix}_street_name`]: () => text(() => `${address().firstStreetName} ${address().secondStreetName}`),
    [`${prefix}_street_type`]: () => text(() => address().streetType),
    [`${prefix}_suite_number`]: () => text(() => address().suiteNumber),
    [`${prefix}_city`]: () => text(() => address().city),
    [`${prefix}_county`]: () => text(() => address().county),
    [`${prefix}_state`]: () => text(() => address().state),
    [`${prefix}_zip`]: () => {
      const zip = part("zip");
      return text(() => fiveDigits(zip()));
    },
    [`${prefix}_country`]: () => constantText(country),
    [`${prefix}_gmt_offset`]: () => {
      const offset = part("gmtOffset");
      return number(() => offset() * 100);
    },
  };
}

/** The address of the row at the cursor; `places`: see drawAddress. */
export function addressOf(
  context: TableContext,
  stream: { readonly column: number; readonly drawsPerRow: number },
  places: number | undefined,
): () => Address {
  const draws = new RowStream(stream.column, stream.drawsPerRow);
  const { dictionaries, scale, cursor } = context;
  return perRow(cursor, () => drawAddress({ dictionaries, scale, places }, draws.at(cursor.row)));
}
