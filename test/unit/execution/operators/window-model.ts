/**
 * Reference semantics of window functions: each frame is found by checking every row of the partition. Columns as in `windowColumns`.
 */
import { BIGINT, BOOLEAN, INTEGER, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { type Cell, compareRows, groupKey, type Row } from "../rows.ts";

/** p: partition; o: order; s, x: arguments; n: offset; back, ahead: o minus n and o plus n, the bounds of a RANGE frame; m: mask. */
export const windowColumns: readonly { readonly name: string; readonly type: Type }[] = [
  { name: "p", type: INTEGER },
  { name: "o", type: BIGINT },
  { name: "s", type: VARCHAR },
  { name: "x", type: BIGINT },
  { name: "n", type: BIGINT },
  { name: "back", type: BIGINT },
  { name: "ahead", type: BIGINT },
  { name: "m", type: BOOLEAN },
];

export type BoundType = "UNBOUNDED_PRECEDING" | "PRECEDING" | "CURRENT_ROW" | "FOLLOWING" | "UNBOUNDED_FOLLOWING";

/** If `offset` is undefined, the row's n. RANGE always uses the row's n. */
export interface ModelBound {
  readonly type: BoundType;
  readonly offset?: bigint;
}

export interface ModelFrame {
  readonly type: "ROWS" | "RANGE" | "GROUPS";
  readonly start: ModelBound;
  readonly end: ModelBound;
}

export interface ModelCall {
  readonly name: string;
  /** `d` is a column of doubles, which the model does not know. */
  readonly arg?: "s" | "x" | "d";
  /** Argument of lag, lead, nth_value and ntile; undefined if `usesColumn`. */
  readonly count?: bigint;
  readonly usesColumn?: boolean;
  /** lag and lead use the row's own argument as the default. */
  readonly hasDefault?: boolean;
  readonly ignoreNulls: boolean;
  readonly masked: boolean;
  readonly frame: ModelFrame;
}

export interface ModelOrder {
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

const channel = (name: string): number => windowColumns.findIndex((column) => column.name === name);

/** The rows in the operator's order, each followed by the values of the calls. */
export function evaluateWindow(rows: readonly Row[], order: ModelOrder, calls: readonly ModelCall[]): Cell[][] {
  const sorted = rows.toSorted((a, b) =>
    compareRows(a, b, [
      { channel: channel("p"), descending: false, nullsFirst: false },
      { channel: channel("o"), ...order },
    ]),
  );
  const partitions = new Map<string, Row[]>();
  for (const row of sorted) {
    const key = groupKey([row[channel("p")] as Cell]);
    partitions.set(key, [...(partitions.get(key) ?? []), row]);
  }
  return [...partitions.values()].flatMap((partition) => {
    const world = new Partition(partition, order);
    return partition.map((row, index) => [...row, ...calls.map((call) => world.value(call, index))]);
  });
}

class Partition {
  /** Peer group of each row, from 0. */
  readonly #groups: number[] = [];

  readonly #rows: readonly Row[];
  readonly #order: ModelOrder;

  constructor(rows: readonly Row[], order: ModelOrder) {
    this.#rows = rows;
    this.#order = order;

    rows.forEach((row, index) => {
      const before = rows[index - 1];
      const isPeer = before !== undefined && groupKey([before[channel("o")] as Cell]) === groupKey([row[channel("o")] as Cell]);
      this.#groups.push(before === undefined ? 0 : (this.#groups[index - 1] as number) + (isPeer ? 0 : 1));
    });
  }

  value(call: ModelCall, index: number): Cell {
    const group = this.#groups[index] as number;
    const before = this.#groups.filter((other) => other < group).length;
    const upTo = this.#groups.filter((other) => other <= group).length;
    const size = this.#rows.length;
    switch (call.name) {
      case "row_number":
        return BigInt(index + 1);
      case "rank":
        return BigInt(before + 1);
      case "dense_rank":
        return BigInt(group + 1);
      case "percent_rank":
        return size === 1 ? 0 : before / (size - 1);
      case "cume_dist":
        return upTo / size;
      case "ntile":
        return this.#bucket(index, this.#count(call, index));
      case "lag":
      case "lead":
        return this.#neighbour(call, index);
      default:
        return this.#overFrame(call, index);
    }
  }

  #cell(index: number, name: string): Cell {
    return this.#rows[index]?.[channel(name)] ?? null;
  }

  #count(call: ModelCall, index: number): number | undefined {
    const count = call.usesColumn === true ? this.#cell(index, "n") : (call.count ?? 1n);
    return count === null ? undefined : Number(count);
  }

  /** Distributes the rows evenly; the first buckets have one more. */
  #bucket(index: number, buckets: number | undefined): Cell {
    if (buckets === undefined) {
      return null;
    }
    const sizes = Array.from({ length: Math.min(buckets, this.#rows.length) }, () => 0);
    this.#rows.forEach((_, row) => {
      sizes[row % sizes.length] = (sizes[row % sizes.length] as number) + 1;
    });
    let end = 0;
    return BigInt(sizes.findIndex((size) => (end += size) > index) + 1);
  }

  #neighbour(call: ModelCall, index: number): Cell {
    const count = this.#count(call, index);
    if (count === undefined) {
      return null;
    }
    const name = call.arg as string;
    if (count === 0) {
      return this.#cell(index, name);
    }
    const others = this.#rows.map((_, row) => row).filter((row) => (call.name === "lag" ? row < index : row > index));
    const seen = others.filter((row) => !call.ignoreNulls || this.#cell(row, name) !== null);
    const found = (call.name === "lag" ? seen.toReversed() : seen)[count - 1];
    return found === undefined ? (call.hasDefault === true ? this.#cell(index, name) : null) : this.#cell(found, name);
  }

  #overFrame(call: ModelCall, index: number): Cell {
    const frame = this.#rows.map((_, row) => row).filter((row) => this.#isIn(call.frame, index, row));
    const name = call.arg ?? "x";
    if (call.name === "first_value" || call.name === "last_value" || call.name === "nth_value") {
      const seen = frame.filter((row) => !call.ignoreNulls || this.#cell(row, name) !== null);
      const count = call.name === "nth_value" ? this.#count(call, index) : 1;
      const found = call.name === "last_value" ? seen.at(-1) : count === undefined ? undefined : seen[count - 1];
      return found === undefined ? null : this.#cell(found, name);
    }
    const taken = frame.filter((row) => !call.masked || this.#cell(row, "m") === true);
    if (call.name === "count" && call.arg === undefined) {
      return BigInt(taken.length);
    }
    const values = taken.map((row) => this.#cell(row, name)).filter((cell) => cell !== null);
    switch (call.name) {
      case "count":
        return BigInt(values.length);
      case "sum":
        return values.length === 0 ? null : values.reduce<bigint>((sum, value) => sum + (value as bigint), 0n);
      case "avg":
        return values.length === 0 ? null : Number(values.reduce<bigint>((sum, value) => sum + (value as bigint), 0n)) / values.length;
      case "min":
      case "max": {
        const best = values.toSorted((a, b) => Number(a > b) - Number(a < b));
        return (call.name === "min" ? best[0] : best.at(-1)) ?? null;
      }
      default:
        throw new Error(`no meaning for ${call.name}`);
    }
  }

  #isIn({ type, start, end }: ModelFrame, index: number, row: number): boolean {
    return this.#reaches(type, start, index, row, 1) && this.#reaches(type, end, index, row, -1);
  }

  /** True if `row` is inside a bound: after a start (side 1), before an end (side -1). */
  #reaches(type: ModelFrame["type"], bound: ModelBound, index: number, row: number, side: 1 | -1): boolean {
    const unbounded = side === 1 ? "UNBOUNDED_PRECEDING" : "UNBOUNDED_FOLLOWING";
    if (bound.type === unbounded) {
      return true;
    }
    const sign = bound.type === "CURRENT_ROW" ? 0 : bound.type === "PRECEDING" ? -1 : 1;
    if (type === "RANGE" && sign !== 0) {
      return this.#reachesByKey(sign, index, row, side);
    }
    const away = sign * Number(bound.offset ?? this.#cell(index, "n") ?? 0n);
    const distance = type === "ROWS" ? row - index : (this.#groups[row] as number) - (this.#groups[index] as number);
    return side * (distance - away) >= 0;
  }

  #reachesByKey(sign: number, index: number, row: number, side: 1 | -1): boolean {
    const [own, other] = [this.#cell(index, "o") as bigint | null, this.#cell(row, "o") as bigint | null];
    if (own === null) {
      // Peers, and everything on this side of them.
      return this.#isBehind(row, index, side);
    }
    if (other === null) {
      return this.#isBehind(row, index, side);
    }
    const direction = this.#order.descending ? -1n : 1n;
    const limit = own + direction * BigInt(sign) * ((this.#cell(index, "n") as bigint | null) ?? 0n);
    return BigInt(side) * direction * (other - limit) >= 0n;
  }

  #isBehind(row: number, index: number, side: 1 | -1): boolean {
    return side * ((this.#groups[row] as number) - (this.#groups[index] as number)) >= 0;
  }
}
