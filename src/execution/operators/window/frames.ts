/**
 * The frame of each row of a chunk as a range of positions [start, end). Functions with the same frame share it.
 */
import type { Address } from "../../../memory/memory.ts";
import { pageRowsMax } from "../../../page/page.ts";
import type { Constant, Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowBound, WindowFrame } from "../../../planner/plan/node.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { OperatorContext } from "../operator.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import type { SortColumn } from "../sort/sort-rows.ts";
import { reachKernel } from "./kernels.ts";
import { type Chunk, type ChunkBounds, type GroupStarts, isNegativeCount, isNullCount, RowCounts, type WindowRows } from "./rows.ts";

export interface FrameContext {
  readonly context: OperatorContext;
  readonly rows: WindowRows;
  readonly bounds: ChunkBounds;
  readonly groups: () => GroupStarts;
  /** The first sort key. */
  readonly order: SortColumn | undefined;
}

type Side = "start" | "end";

export class Frames {
  /** One u32 per row of the chunk; start <= end. */
  readonly starts: Address;
  readonly ends: Address;
  readonly #frame: WindowFrame;
  readonly #context: FrameContext;
  readonly #fillStart: (chunk: Chunk) => void;
  readonly #fillEnd: (chunk: Chunk) => void;

  constructor(frame: WindowFrame, context: FrameContext) {
    this.#frame = frame;
    this.#context = context;
    const { memory } = context.rows;
    this.starts = memory.allocate(4 * pageRowsMax);
    this.ends = memory.allocate(4 * pageRowsMax);
    this.#fillStart = this.#filler(frame.start, "start");
    this.#fillEnd = this.#filler(frame.end, "end");
  }

  fill(chunk: Chunk): void {
    this.#fillStart(chunk);
    this.#fillEnd(chunk);
    if (this.#frame.start.type === "UNBOUNDED_PRECEDING" || this.#frame.end.type === "UNBOUNDED_FOLLOWING") {
      // Neither bound leaves the partition, so that no frame ends before it starts.
      return;
    }
    const { u32 } = this.#context.rows.memory.linear;
    const [starts, ends] = [this.starts >>> 2, this.ends >>> 2];
    for (let index = 0; index < chunk.count; index++) {
      if ((u32[starts + index] as number) > (u32[ends + index] as number)) {
        u32[ends + index] = u32[starts + index] as number;
      }
    }
  }

  #filler(bound: WindowBound, side: Side): (chunk: Chunk) => void {
    const { bounds } = this.#context;
    switch (bound.type) {
      case "UNBOUNDED_PRECEDING":
        return (chunk) => this.#copy(bounds.partitionStarts, side, chunk);
      case "UNBOUNDED_FOLLOWING":
        return (chunk) => this.#copy(bounds.partitionEnds, side, chunk);
      case "CURRENT_ROW":
        if (this.#frame.type === "ROWS") {
          return (chunk) => this.#rowsAway(() => 0, side, chunk);
        }
        return (chunk) => this.#copy(side === "start" ? bounds.peerStarts : bounds.peerEnds, side, chunk);
      default:
        return this.#offsetFiller(bound, side);
    }
  }

  #offsetFiller(bound: WindowBound, side: Side): (chunk: Chunk) => void {
    if (this.#frame.type === "RANGE") {
      return this.#reach(bound, side);
    }
    const counts = new RowCounts(this.#context.rows, bound.offset as Variable | Constant);
    const sign = bound.type === "PRECEDING" ? -1 : 1;
    const away = (row: number): number => sign * checkedOffset(counts, row, side);
    return this.#frame.type === "ROWS" ? (chunk) => this.#rowsAway(away, side, chunk) : (chunk) => this.#groupsAway(away, side, chunk);
  }

  #target(side: Side): number {
    return (side === "start" ? this.starts : this.ends) >>> 2;
  }

  #copy(from: Address, side: Side, { count }: Chunk): void {
    this.#context.rows.memory.linear.u32.copyWithin(this.#target(side), from >>> 2, (from >>> 2) + count);
  }

  #rowsAway(away: (row: number) => number, side: Side, { first, count }: Chunk): void {
    const { rows, bounds } = this.#context;
    const { u32 } = rows.memory.linear;
    const [target, lows, highs] = [this.#target(side), bounds.partitionStarts >>> 2, bounds.partitionEnds >>> 2];
    const order = (rows.order >>> 2) + first;
    const base = first + (side === "end" ? 1 : 0);
    for (let index = 0; index < count; index++) {
      const position = base + index + away(u32[order + index] as number);
      u32[target + index] = Math.min(Math.max(position, u32[lows + index] as number), u32[highs + index] as number);
    }
  }

  #groupsAway(away: (row: number) => number, side: Side, { first, count }: Chunk): void {
    const { rows, bounds } = this.#context;
    const groups = this.#context.groups();
    const { u32 } = rows.memory.linear;
    const [target, lows, highs] = [this.#target(side), bounds.partitionStarts >>> 2, bounds.partitionEnds >>> 2];
    const order = (rows.order >>> 2) + first;
    let partition = -1;
    let firstGroup = 0;
    for (let index = 0; index < count; index++) {
      const [low, high] = [u32[lows + index] as number, u32[highs + index] as number];
      if (low !== partition) {
        partition = low;
        firstGroup = groups.find(low);
      }
      const group = (u32[(bounds.groups >>> 2) + index] as number) + away(u32[order + index] as number) + (side === "end" ? 1 : 0);
      u32[target + index] = group <= 0 ? low : firstGroup + group > groups.count ? high : Math.min(groups.start(firstGroup + group), high);
    }
  }

  #reach(bound: WindowBound, side: Side): (chunk: Chunk) => void {
    const { context, rows, bounds, order } = this.#context;
    const { key, limit } = bound.range as { key: Variable; limit: Variable };
    const column = order as SortColumn;
    const pageArguments = new PageArguments(rows.memory, 3);
    const name = `reach ${side} ${column.descending ? "down" : "up"} ${column.nullsFirst ? "nulls first" : ""}`;
    const kernels = new KernelByLayout(context.services.runtime, name, (kernelName, layout) =>
      reachKernel(kernelName, layout, column, side),
    );
    return ({ first, count }) => {
      const columns = [key, limit, bound.offset as Variable].map((variable) => rows.column(variable));
      const page = { positionCount: rows.rowCount, selection: 0, columns };
      const failed = kernels.for(page)(
        pageArguments.write(page),
        rows.order,
        first,
        count,
        bounds.partitionStarts,
        bounds.partitionEnds,
        bounds.peerStarts,
        bounds.peerEnds,
        side === "start" ? this.starts : this.ends,
      );
      if (failed !== 0) {
        throw new QueryError("INVALID_WINDOW_FRAME", "Window frame offset value must not be negative or null");
      }
    };
  }
}

export function checkedOffset(counts: RowCounts, row: number, side: Side): number {
  const count = counts.at(row);
  if (count === isNullCount) {
    throw new QueryError("INVALID_WINDOW_FRAME", `Window frame ${side === "start" ? "starting" : "ending"} offset must not be null`);
  }
  if (count === isNegativeCount) {
    throw new QueryError("INVALID_WINDOW_FRAME", `Window frame ${counts.given(row)} offset must not be negative`);
  }
  return count;
}

export function frameKey({ type, start, end }: WindowFrame): string {
  const bound = ({ type: kind, offset, range }: WindowBound): unknown => [
    kind,
    offset === undefined ? null : offset.kind === "constant" ? offset.value : `$${offset.name}`,
    range === undefined ? null : [range.key.name, range.limit.name],
  ];
  return JSON.stringify([type, bound(start), bound(end)]);
}
