/**
 * WindowOperator: keeps its input, sorts it by partition and order keys, and outputs it a page at a time with the functions' columns after
 * its own. Ties stay in input order. That order is the same for the same splits and the same number of tasks, but not for another number of
 * tasks.
 */
import type { Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import { isAggregate, isWindow } from "../../../functions/registry/registry.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowCall, WindowNode } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { SortedRows } from "../sort/sorted-rows.ts";
import { FrameAggregates } from "./aggregates.ts";
import { type FrameContext, frameKey, Frames } from "./frames.ts";
import { createRanking, KnownPositions, ValueFunction, type WindowEvaluator } from "./functions.ts";
import { type Chunk, ChunkBounds, GroupStarts, type WindowRows } from "./rows.ts";

export interface WindowOptions {
  readonly context: OperatorContext;
  readonly node: WindowNode;
  /** Columns of the incoming pages. */
  readonly layout: readonly Variable[];
}

const rankings: ReadonlySet<string> = new Set(["row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile"]);

/** Evaluation of a chunk: frames are filled first, then each function computes its columns of the page. */
interface Evaluation {
  readonly frames: readonly Frames[];
  readonly single: readonly { readonly index: number; readonly evaluator: WindowEvaluator }[];
  readonly aggregates: readonly { readonly indices: readonly number[]; readonly evaluator: FrameAggregates }[];
}

export class WindowOperator extends BaseOperator {
  readonly #options: WindowOptions;
  readonly #rows: SortedRows;
  #steps: Generator<Page | undefined, void> | undefined;
  #aggregates: FrameAggregates[] = [];
  #given = 0;

  constructor(options: WindowOptions) {
    super(options.context);
    this.#options = options;
    const { context, layout, node } = options;
    this.#rows = new SortedRows({
      runtime: context.services.runtime,
      memory: context.memory,
      types: layout.map(({ type }) => type),
      partitionChannels: node.partitionBy.map((variable) => this.#channel(variable)),
      orderChannels: node.orderBy.map(({ variable }) => this.#channel(variable)),
      order: node.orderBy,
    });
  }

  get needsInput(): boolean {
    return !this.finishing;
  }

  get isFinished(): boolean {
    return this.finishing && this.#given === this.#rows.rowCount;
  }

  addInput(page: Page): void {
    this.#rows.append(page);
  }

  getOutput(): Page | undefined {
    if (!this.finishing || this.isFinished) {
      return undefined;
    }
    this.#steps ??= this.#run();
    return this.#steps.next().value ?? undefined;
  }

  override close(): void {
    for (const aggregates of this.#aggregates) {
      aggregates.close();
    }
    this.#aggregates = [];
    this.#rows.close();
  }

  *#run(): Generator<Page | undefined, void> {
    const { node, context } = this.#options;
    const { memory } = context;
    yield* this.#rows.sort();
    const { flags, order, rowCount, store } = this.#rows;
    // A column without NULLs needs no index of known positions. This is determined before the row of NULLs is appended.
    const nullable = store.columns().map(({ nulls }) => nulls !== 0);
    const nullRow = rowCount;
    if (node.functions.some(({ name }) => isWindow(name) && !rankings.has(name))) {
      store.appendNulls();
    }
    const columns = store.columns();
    const rows: WindowRows = {
      memory,
      rowCount,
      order,
      column: (variable) => columns[this.#channel(variable)] as Column,
    };
    const bounds = new ChunkBounds(memory, flags, rowCount);
    const evaluation = this.#prepare({ rows, bounds, flags, nullRow, nullable });
    const pageRows = memory.knobs.value("page-rows");
    while (this.#given < rowCount) {
      const chunk: Chunk = { first: this.#given, count: Math.min(pageRows, rowCount - this.#given) };
      bounds.fill(chunk);
      const results = yield* this.#evaluate(evaluation, chunk);
      this.#given += chunk.count;
      const ids = order + 4 * chunk.first;
      yield { positionCount: chunk.count, selection: 0, columns: [...columns.map((column): Column => ({ ...column, ids })), ...results] };
    }
  }

  #channel(variable: Variable): number {
    const channel = this.#options.layout.findIndex(({ name }) => name === variable.name);
    assert(channel >= 0, `window column ${variable.name} is no input`);
    return channel;
  }

  #prepare(sorted: {
    readonly rows: WindowRows;
    readonly bounds: ChunkBounds;
    readonly flags: Address;
    readonly nullRow: number;
    readonly nullable: readonly boolean[];
  }): Evaluation {
    const { node, context, layout } = this.#options;
    const { rows, bounds, flags, nullRow, nullable } = sorted;
    let groups: GroupStarts | undefined;
    const frameContext: FrameContext = {
      context,
      rows,
      bounds,
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
      const channel = this.#channel(call.args[0] as Variable);
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
        single.push({ index, evaluator: createRanking(call, frameContext) });
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
