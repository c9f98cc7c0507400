/**
 * Evaluates the functions of a window over sorted rows, a page at a time. Whole partitions may be evaluated in several batches: the results
 * are the same to the bit.
 */
import type { Column, Page } from "../../../page/page.ts";
import { isAggregate, isWindow } from "../../../functions/registry/registry.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowCall, WindowNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import type { OperatorContext } from "../operator.ts";
import type { CarriedPartition, EvaluatedRows, PartitionsEvaluation } from "../sort/partitions-operator.ts";
import type { PartitionCuts } from "../sort/sorted-batches.ts";
import { sortedPage } from "../sort/sorted-runs.ts";
import { FrameAggregates, hasStateOfFixedSize } from "./aggregates.ts";
import { type FrameContext, frameKey, Frames } from "./frames.ts";
import { createRanking, KnownPositions, ValueFunction, type WindowEvaluator } from "./functions.ts";
import { newPartition, samePeers } from "./kernels.ts";
import { type Chunk, ChunkBounds, GroupStarts, type WindowRows } from "./rows.ts";

export interface WindowOptions {
  readonly context: OperatorContext;
  readonly node: WindowNode;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
}

export interface WindowEvaluationOptions extends WindowOptions, EvaluatedRows {}

const rankings: ReadonlySet<string> = new Set(["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"]);

/** Evaluation of a chunk: frames are filled first, then each function computes its columns of the page. */
interface Evaluation {
  readonly frames: readonly Frames[];
  readonly single: readonly { readonly index: number; readonly evaluator: WindowEvaluator }[];
  readonly aggregates: readonly { readonly indices: readonly number[]; readonly evaluator: FrameAggregates }[];
}

/** The place of a variable in a layout. */
function windowChannel(layout: readonly Variable[], variable: Variable): number {
  const channel = layout.findIndex(({ name }) => name === variable.name);
  assert(channel >= 0, `window column ${variable.name} is no input`);
  return channel;
}

/** Bytes that the evaluation needs for each row, beside the row: positions of peer groups and of values, and nodes of trees. */
export function evaluationRowBytes({ functions }: WindowNode): number {
  const hasGroups = functions.some(({ frame }) => frame.type === "GROUPS");
  const knownColumns = functions.filter(({ ignoreNulls }) => ignoreNulls).length;
  const aggregates = functions.filter(({ name }) => isAggregate(name)).length;
  return (hasGroups ? 4 : 0) + 8 * knownColumns + 4 * aggregates;
}

/**
 * Where a partition may be cut: its functions look at the rows before, by numbers and states of a fixed size, and not beyond their row or
 * its peers.
 */
export function partitionCuts({ functions }: WindowNode): PartitionCuts {
  const cuts = functions.map(({ frame, name, ...call }): PartitionCuts => {
    if (rankings.has(name)) {
      return name === "row_number" ? "rows" : name === "rank" || name === "dense_rank" ? "peers" : undefined;
    }
    const isRunning = isAggregate(name) && frame.start.type === "UNBOUNDED_PRECEDING" && frame.end.type === "CURRENT_ROW";
    return isRunning && hasStateOfFixedSize({ frame, name, ...call }) ? (frame.type === "ROWS" ? "rows" : "peers") : undefined;
  });
  return cuts.includes(undefined) ? undefined : cuts.includes("peers") ? "peers" : "rows";
}

export class WindowEvaluation implements PartitionsEvaluation {
  readonly endsPage = false;
  readonly #options: WindowEvaluationOptions;
  readonly #bounds: ChunkBounds;
  readonly #aggregates: FrameAggregates[] = [];
  #given = 0;

  constructor(options: WindowEvaluationOptions) {
    const { memory, rows } = options;
    this.#options = options;
    this.#bounds = new ChunkBounds(memory, rows.flags, rows.rowCount);
  }

  get isDone(): boolean {
    return this.#given === this.#options.rows.rowCount;
  }

  /**
   * The rows with the functions' columns after their own; undefined between steps. Pages end where those of an evaluation of all rows end.
   */
  *pages(): Generator<Page | undefined, void> {
    const { firstRow, layout, memory, node, rows } = this.#options;
    const { order, rowCount, store } = rows;
    // A column without NULLs needs no index of known positions. This is determined before the row of NULLs is appended.
    const nullable = store.columns().map(({ nulls }) => nulls !== 0);
    const nullRow = store.rowCount;
    if (node.functions.some(({ name }) => isWindow(name) && !rankings.has(name))) {
      store.appendNulls();
    }
    const sorted = store.page();
    const evaluation = this.#prepare({
      rows: { memory, rowCount, order, column: (variable) => sorted.columns[windowChannel(layout, variable)] as Column },
      nullRow,
      nullable,
    });
    const pageRows = memory.knobs.value("page-rows");
    while (!this.isDone) {
      const first = this.#given;
      const chunk: Chunk = { first, count: Math.min(pageRows - ((firstRow + first) % pageRows), rowCount - first) };
      this.#bounds.fill(chunk);
      const results = yield* this.#evaluate(evaluation, chunk);
      this.#given += chunk.count;
      const page = sortedPage(sorted, order + 4 * chunk.first, chunk.count);
      yield { ...page, columns: [...page.columns, ...results] };
    }
  }

  carry(): CarriedPartition {
    const { carried, memory, rows } = this.#options;
    const { u8 } = memory.linear;
    let start = rows.rowCount;
    let groups = 0;
    do {
      start--;
      groups += u8[rows.flags + start] === samePeers ? 0 : 1;
    } while (start > 0 && u8[rows.flags + start] !== newPartition);
    const before = start === 0 ? carried : undefined;
    return {
      rows: (before?.rows ?? 0) + rows.rowCount - start,
      groups: (before?.groups ?? 0) + groups,
      records: this.#aggregates.map((aggregates) => aggregates.carriedRecord()),
    };
  }

  /** Must be called before its memory closes. Idempotent. */
  close(): void {
    for (const aggregates of this.#aggregates.splice(0)) {
      aggregates.close();
    }
  }

  #prepare(sorted: { readonly rows: WindowRows; readonly nullRow: number; readonly nullable: readonly boolean[] }): Evaluation {
    const { carried, node, context, layout } = this.#options;
    const { flags } = this.#options.rows;
    const { rows, nullRow, nullable } = sorted;
    let groups: GroupStarts | undefined;
    const frameContext: FrameContext = {
      context,
      rows,
      bounds: this.#bounds,
      groups: () => (groups ??= new GroupStarts(rows.memory, flags, rows.rowCount)),
      order: node.orderBy[0],
    };
    const frames = new Map<string, Frames>();
    const framesOf = (call: WindowCall): Frames => {
      const key = frameKey(call.frame);
      const found = frames.get(key) ?? new Frames(call.frame, frameContext);
      frames.set(key, found);
      return found;
    };
    const known = new Map<number, KnownPositions>();
    const knownOf = (call: WindowCall): KnownPositions | undefined => {
      const channel = windowChannel(layout, call.args[0] as Variable);
      if (!call.ignoreNulls || nullable[channel] !== true) {
        return undefined;
      }
      const found = known.get(channel) ?? new KnownPositions(rows, rows.column(call.args[0] as Variable));
      known.set(channel, found);
      return found;
    };
    const single: { index: number; evaluator: WindowEvaluator }[] = [];
    const byFrame = new Map<Frames, number[]>();
    for (const [index, call] of node.functions.entries()) {
      if (isAggregate(call.name)) {
        const shared = framesOf(call);
        byFrame.set(shared, [...(byFrame.get(shared) ?? []), index]);
      } else if (rankings.has(call.name)) {
        single.push({ index, evaluator: createRanking(call, frameContext, carried) });
      } else {
        const evaluator = new ValueFunction(call, { ...frameContext, frames: framesOf(call), nullRow, known: knownOf(call) });
        single.push({ index, evaluator });
      }
    }
    const aggregates = [...byFrame].map(([shared, indices]) => {
      const calls = indices.map((index) => node.functions[index] as WindowCall);
      const evaluator = new FrameAggregates({ calls, layout, context: frameContext, frames: shared });
      this.#aggregates.push(evaluator);
      return { indices, evaluator };
    });
    carried?.records.forEach((record, index) => this.#aggregates[index]?.restore(record));
    return { frames: [...frames.values()], single, aggregates };
  }

  *#evaluate({ frames, single, aggregates }: Evaluation, chunk: Chunk): Generator<undefined, readonly Column[]> {
    for (const frame of frames) {
      frame.fill(chunk);
    }
    const results: Column[] = [];
    for (const { index, evaluator } of single) {
      results[index] = evaluator.column(chunk);
    }
    for (const { indices, evaluator } of aggregates) {
      const columns = yield* evaluator.columns(chunk);
      for (const [place, index] of indices.entries()) {
        results[index] = columns[place] as Column;
      }
    }
    return results;
  }
}
