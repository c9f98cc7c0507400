/**
 * Aggregates over the frames of rows. Aggregates with the same frame share a record of states. The kernels and their cost are in
 * window/aggregate-kernels.ts.
 */
import { outputArgumentsBytes, writeOutputArguments } from "../../expressions/columns.ts";
import { rowsOfFrames } from "../../expressions/pace.ts";
import { resolveAggregate } from "../../../functions/registry/registry.ts";
import type { MemoryContext, Address } from "../../../memory/memory.ts";
import { type Column, pageRowsMax } from "../../../page/page.ts";
import type { Variable } from "../../../planner/plan/typed-expression.ts";
import type { WindowBound, WindowCall, WindowFrame } from "../../../planner/plan/node.ts";
import { assert } from "../../../protocol/errors.ts";
import { displayType, isBytes, physicalType, physicalWidth } from "../../../types/type.ts";
import type { PlacedAggregate } from "../aggregation/aggregation-kernels.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { KernelExpressions } from "../kernel-expressions.ts";
import {
  controlBytes,
  fanout,
  framesKernel,
  leavesKernel,
  levelsMax,
  nodesKernel,
  treeBytes,
  type WindowAggregationShape,
} from "./aggregate-kernels.ts";
import type { OperatorContext } from "../operator.ts";
import type { Chunk, WindowRows } from "./rows.ts";

/** Rows of a step where a row may copy or fold a state of any size. */
const rowsOfLargeStates = 16;

/** No position. */
const nowhere = 0xffff_ffff;

/** Frames of the rows of a chunk as ranges of positions, in u32 arrays. */
export interface FrameRanges {
  readonly starts: Address;
  readonly ends: Address;
}

export interface AggregatedRows {
  readonly context: OperatorContext;
  readonly rows: WindowRows;
  /** Partition bounds of each row of a chunk (u32). They show which rows of a chunk belong to one partition. */
  readonly bounds: { readonly partitionStarts: Address; readonly partitionEnds: Address };
}

interface Plan {
  readonly shape: WindowAggregationShape;
  readonly key: string;
  /** Called before one of its kernels is loaded. */
  readonly ensureHosts: () => void;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

function planAggregates(calls: readonly WindowCall[], layout: readonly Variable[], context: AggregatedRows, memory: StateMemory): Plan {
  const channels: number[] = [];
  const numberOf = (variable: Variable): number => {
    const channel = layout.findIndex(({ name }) => name === variable.name);
    assert(channel >= 0, `window argument ${variable.name} is no column`);
    const known = channels.indexOf(channel);
    return known >= 0 ? known : channels.push(channel) - 1;
  };
  let recordBytes = 0;
  const names: string[] = [];
  const types = calls.map((call) => call.output.type);
  const aggregates = calls.map((call): PlacedAggregate => {
    const resolved = resolveAggregate(call.name, call.argumentTypes);
    assert(!("error" in resolved), `plan has an aggregate ${call.name} that the catalogue does not have`);
    const { implementation } = resolved;
    const offset = roundUp(recordBytes, implementation.stateAlignment);
    recordBytes = offset + implementation.stateBytes;
    const args = call.args.map((arg) => numberOf(arg as Variable));
    const mask = call.mask === undefined ? undefined : numberOf(call.mask);
    names.push(`${call.name}(${call.argumentTypes.map(displayType).join()};${args.join()}${mask === undefined ? "" : ` if ${mask}`})`);
    return { implementation, offset, args, mask, isShared: false };
  });
  const { runtime } = context.context.services;
  const shape: WindowAggregationShape = {
    aggregates,
    channels,
    types,
    recordBytes: roundUp(recordBytes, 16),
    directRows: context.rows.memory.knobs.value("window-direct-rows"),
    states: new KernelExpressions(runtime, memory.states, [], []),
    nodes: new KernelExpressions(runtime, memory.nodes, [], []),
    results: new KernelExpressions(runtime, memory.results, [], []),
  };
  return {
    shape,
    key: `${names.join(" ")} of ${channels.join()} direct ${shape.directRows}`,
    ensureHosts: () => aggregates.forEach(({ implementation }) => implementation.registerHosts?.(runtime)),
  };
}

/** Its state has no memory beside its record. */
export function hasStateOfFixedSize(call: WindowCall): boolean {
  const resolved = resolveAggregate(call.name, call.argumentTypes);
  return !("error" in resolved) && !resolved.intermediateTypes.some(isBytes);
}

interface StateMemory {
  readonly states: MemoryContext;
  readonly nodes: MemoryContext;
  readonly results: MemoryContext;
}

/** Frames that begin with their partition only grow and never need a tree. Neither do frames that are always short. */
function mayNeedTree({ type, start, end }: WindowFrame, directRows: number): boolean {
  if (start.type === "UNBOUNDED_PRECEDING") {
    // The frame grows from row to row unless the offset changes with the row.
    return end.offset?.kind === "variable";
  }
  if (type !== "ROWS") {
    return true;
  }
  const away = (bound: WindowBound): number | undefined => {
    if (bound.type === "CURRENT_ROW") {
      return 0;
    }
    if (bound.offset?.kind !== "constant" || bound.offset.value === null) {
      return undefined;
    }
    return Number(bound.offset.value) * (bound.type === "PRECEDING" ? -1 : 1);
  };
  const [from, to] = [away(start), away(end)];
  return from === undefined || to === undefined || to - from >= directRows;
}

export class FrameAggregates {
  readonly #plan: Plan;
  readonly #rows: WindowRows;
  readonly #context: AggregatedRows;
  readonly #frames: FrameRanges;
  readonly #hasTree: boolean;
  /** True if no frame needs rows before its start. */
  readonly #restarts: boolean;
  readonly #isOfFixedSize: boolean;
  /** Rows after which a step ends; undefined if a chunk is one step, apart from its tree. */
  readonly #rowsOfStep: number | undefined;
  readonly #memory: StateMemory;
  readonly #kernels: KernelByLayout;
  readonly #leaves: KernelByLayout;
  readonly #arguments: PageArguments;
  readonly #layout: readonly Variable[];
  readonly #record: Address;
  readonly #control: Address;
  readonly #tree: Address;
  readonly #outputArguments: Address;
  readonly #outputs: readonly Column[];
  /** First position of the partition that the tree covers, and the tree's nodes. */
  #treeOf = nowhere;
  #nodes: Address[] = [];
  #treeFailed = false;

  constructor(options: {
    readonly calls: readonly WindowCall[];
    readonly layout: readonly Variable[];
    readonly context: AggregatedRows;
    readonly frames: FrameRanges;
  }) {
    const { calls, layout, context, frames } = options;
    const { rows } = context;
    const { memory } = rows;
    this.#rows = rows;
    this.#context = context;
    this.#frames = frames;
    this.#layout = layout;
    this.#hasTree = mayNeedTree((calls[0] as WindowCall).frame, memory.knobs.value("window-direct-rows"));
    this.#restarts = (calls[0] as WindowCall).frame.start.type !== "UNBOUNDED_PRECEDING";
    this.#isOfFixedSize = calls.every(hasStateOfFixedSize);
    this.#rowsOfStep = this.#isOfFixedSize ? rowsOfFrames(calls.length) : rowsOfLargeStates;
    this.#memory = { states: memory.child("states"), nodes: memory.child("nodes"), results: memory.child("results") };
    this.#plan = planAggregates(calls, layout, context, this.#memory);
    const { shape, key, ensureHosts } = this.#plan;
    const { runtime } = context.context.services;
    this.#kernels = new KernelByLayout(
      runtime,
      `window ${key}`,
      (name, pageLayout) => framesKernel(name, pageLayout, shape, () => undefined),
      ensureHosts,
    );
    this.#leaves = new KernelByLayout(
      runtime,
      `window leaves ${key}`,
      (name, pageLayout) => leavesKernel(name, pageLayout, shape),
      ensureHosts,
    );
    this.#arguments = new PageArguments(memory, layout.length);
    this.#record = memory.allocateZeroed(shape.recordBytes + 16);
    this.#control = memory.allocateZeroed(controlBytes);
    this.#tree = memory.allocateZeroed(treeBytes);
    this.#outputArguments = memory.allocate(outputArgumentsBytes(calls.length));
    this.#outputs = calls.map(
      ({ output: { type } }): Column => ({
        type,
        values: memory.allocate(physicalWidth(physicalType(type)) * pageRowsMax),
        nulls: memory.allocateZeroed(pageRowsMax),
        ids: 0,
        length: pageRowsMax,
      }),
    );
    writeOutputArguments(memory.linear, this.#outputArguments, this.#outputs);
    this.#forgetState();
  }

  /** One column per call. Yields between steps; valid until the next call. */
  *columns(chunk: Chunk): Generator<undefined, readonly Column[]> {
    this.#plan.shape.results.begin();
    const { bounds } = this.#context;
    const { u32 } = this.#rows.memory.linear;
    const partition = (index: number): number => u32[(bounds.partitionStarts >>> 2) + index] as number;
    const partitionEnd = (index: number): number => u32[(bounds.partitionEnds >>> 2) + index] as number;
    const hasLongFrames = (index: number): boolean => this.#hasTree && partitionEnd(index) - partition(index) > this.#plan.shape.directRows;
    // Number of rows between two checks of the memory of the states' strings.
    const checkedRows = this.#rows.memory.knobs.value("window-run-rows");
    const runRows = Math.min(checkedRows, this.#rowsOfStep ?? checkedRows);
    for (let from = 0; from < chunk.count; ) {
      let to = Math.min(chunk.count, from + runRows);
      const [start, end] = [partition(from), partitionEnd(from)];
      const walksTree = hasLongFrames(from);
      if (walksTree) {
        to = Math.min(to, end - chunk.first);
      } else {
        // Whether a tree is walked depends on the partition alone, and not on where the run begins.
        for (let next = end - chunk.first; this.#hasTree && next < to; next = partitionEnd(next) - chunk.first) {
          to = hasLongFrames(next) ? next : to;
        }
      }
      if (!walksTree && to < chunk.count && partition(to) === partition(to - 1) && partition(to - 1) > chunk.first + from) {
        // At a partition boundary nothing of the states is needed any more.
        to = partition(to - 1) - chunk.first;
      }
      if (walksTree && this.#treeOf !== start) {
        yield* this.#buildTree(start, end);
      }
      this.#run(from, to - from, walksTree && !this.#treeFailed);
      this.#trim(this.#restarts || walksTree || to === chunk.count || partition(to) !== partition(to - 1));
      from = to;
      if (this.#rowsOfStep !== undefined) {
        yield undefined;
      }
    }
    return this.#outputs;
  }

  /** The states of the last frame, which begins with its partition and ends with the rows. */
  carriedRecord(): Uint8Array {
    const { u32, u8 } = this.#rows.memory.linear;
    assert(u32[(this.#control >>> 2) + 1] === this.#rows.rowCount, "the states of a partition that goes on are those of all of its rows");
    return u8.slice(this.#record, this.#record + this.#plan.shape.recordBytes);
  }

  /** The states of rows before the first one, whose partition they belong to. */
  restore(record: Uint8Array): void {
    const { u32, u8 } = this.#rows.memory.linear;
    u8.set(record, this.#record);
    u32[this.#control >>> 2] = 0;
    u32[(this.#control >>> 2) + 1] = 0;
  }

  /** Called when the rows of the states have changed. */
  forget(): void {
    this.#forgetState();
  }

  close(): void {
    const { states, nodes, results } = this.#plan.shape;
    states.close();
    nodes.close();
    results.close();
  }

  /** If a node cannot be computed, frames are computed row by row: a sum may overflow for a range that is no row's frame. */
  #run(from: number, count: number, walksTree: boolean): void {
    const { states } = this.#plan.shape;
    if (this.#call(from, count, walksTree) === 0) {
      return;
    }
    if (!walksTree) {
      states.raise();
    }
    this.#forgetState();
    if (this.#call(from, count, false) !== 0) {
      states.raise();
    }
  }

  #call(from: number, count: number, walksTree: boolean): number {
    const { shape } = this.#plan;
    const page = this.#page();
    return Number(
      this.#kernels.for(page)(
        this.#arguments.write(page),
        this.#rows.order,
        this.#frames.starts + 4 * from,
        this.#frames.ends + 4 * from,
        count,
        from,
        this.#record,
        this.#control,
        walksTree ? this.#tree : 0,
        this.#outputArguments,
        ...shape.states.args,
        ...shape.results.args,
      ),
    );
  }

  #page() {
    return { positionCount: this.#rows.rowCount, selection: 0, columns: this.#layout.map((variable) => this.#rows.column(variable)) };
  }

  /** Strings that states have dropped stay in their arena until it is emptied. */
  #trim(mayForget: boolean): void {
    if (mayForget && !this.#isOfFixedSize && this.#memory.states.reservedBytes > this.#memory.states.knobs.value("window-state-bytes")) {
      this.#forgetState();
    }
  }

  #forgetState(): void {
    this.#plan.shape.states.begin();
    const word = this.#control >>> 2;
    this.#rows.memory.linear.u32[word] = nowhere;
    this.#rows.memory.linear.u32[word + 1] = nowhere;
  }

  *#buildTree(start: number, end: number): Generator<undefined, void> {
    const { shape, key } = this.#plan;
    const { memory } = this.#rows;
    for (const nodes of this.#nodes) {
      memory.free(nodes);
    }
    this.#nodes = [];
    shape.nodes.begin();
    this.#treeOf = start;
    this.#treeFailed = false;
    // The partitions before must not be seen in the last bits of a sum of doubles: they may have been evaluated in another batch.
    shape.states.clear();
    this.#forgetState();
    memory.linear.u32[(this.#control >>> 2) + 2] = 0;
    memory.linear.u32[(this.#control >>> 2) + 3] = Math.min(nowhere, 2 * (end - start));
    const word = this.#tree >>> 2;
    const nodesPerStep = memory.knobs.value("window-step-nodes");
    let count = Math.floor((end - start) / fanout);
    for (let level = 0; level < levelsMax && count > 0; level++) {
      const nodes = memory.allocate(count * shape.recordBytes);
      this.#nodes.push(nodes);
      memory.linear.u32[word + 2 + level] = nodes;
      for (let first = 0; first < count && !this.#treeFailed; first += nodesPerStep) {
        const last = Math.min(count, first + nodesPerStep);
        this.#treeFailed = (level === 0 ? this.#makeLeaves(start, nodes, first, last) : this.#makeNodes(key, level, first, last)) !== 0;
        yield undefined;
      }
      count = Math.floor(count / fanout);
    }
    memory.linear.u32[word] = this.#nodes.length;
    memory.linear.u32[word + 1] = start;
  }

  #makeLeaves(start: number, nodes: Address, first: number, end: number): number {
    const page = this.#page();
    const { args } = this.#plan.shape.nodes;
    return Number(this.#leaves.for(page)(this.#arguments.write(page), this.#rows.order, start, nodes, first, end, ...args));
  }

  #makeNodes(key: string, level: number, first: number, end: number): number {
    const { shape, ensureHosts } = this.#plan;
    const { runtime } = this.#context.context.services;
    const kernel = runtime.load(`window nodes ${key}`, () => nodesKernel(`window nodes ${key}`, shape), ensureHosts);
    return Number(kernel(this.#nodes[level - 1] as Address, this.#nodes[level] as Address, first, end, ...shape.nodes.args));
  }
}
