/** Whole tasks whose operators spill at random moments: the frames are the same to the byte as those of a task that never spills. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { resolveAggregate } from "../../../../src/functions/registry/registry.ts";
import { sealed } from "../../../../src/page/serde.ts";
import type { PlanFragment } from "../../../../src/planner/fragmenter/fragment.ts";
import {
  type AggregateCall,
  type JoinNode,
  outputsOf,
  type OutputPartitioning,
  type PlanNode,
  type TableScanNode,
  type WindowCall,
  type WindowNode,
} from "../../../../src/planner/plan/node.ts";
import { sourcesOf } from "../../../../src/planner/plan/plan-tree.ts";
import type { RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import type { KnobValues } from "../../../../src/ports/knobs.ts";
import type { RandomStream } from "../../../../src/ports/random.ts";
import { type FaultPoints, noPoints } from "../../../../src/ports/points.ts";
import { BIGINT, BOOLEAN, DOUBLE, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { Random } from "../../../oracle/fuzz/random.ts";
import { drawPattern } from "../../../plane/draw-pattern.ts";
import { Plans } from "../../../plane/plans.ts";
import { cut, fragmentOf } from "../../../plane/run.ts";
import { SeededRandom } from "../../../support/seeded-random.ts";
import { type Cell, cellTypes, type Shape } from "../rows.ts";
import { TestCluster, type TestPage, type TestSplit } from "../tasks.ts";
import { drain } from "../world.ts";

const bufferCount = 2;

function scanOf(id: string, filterOn?: number): TableScanNode {
  const outputs = cellTypes.map((type, index): Variable => ({ kind: "variable", name: `${id}${index}`, type }));
  return {
    kind: "TableScan",
    id,
    table: { catalog: "test", name: { schema: "s", table: id }, handle: null, coordinatorOnly: false },
    outputs,
    columns: outputs.map(({ name, type }) => ({ name, type })),
    ...(filterOn === undefined ? {} : { dynamicFilters: [{ id: "local", variable: outputs[filterOn] as Variable }] }),
  };
}

function call(name: string, type: Type, ...args: RowExpression[]): RowExpression {
  return { kind: "call", name, type, args };
}

const bigint = (value: number): RowExpression => ({ kind: "constant", type: BIGINT, value: String(value) });
const random: Variable = { kind: "variable", name: "random", type: BIGINT };

/** The source's columns and random bits, which are drawn by the place of a row. */
function withRandom(id: string, source: PlanNode): PlanNode {
  const kept = outputsOf(source).filter(({ name }) => name !== random.name);
  const drawn = { output: random, expression: call("$random_bits", BIGINT, bigint(7)) };
  return { kind: "Project", id, source, assignments: [...kept.map((output) => ({ output, expression: output })), drawn] };
}

function count(name: string, args: readonly RowExpression[]): AggregateCall {
  const argumentTypes = args.map(({ type }) => type);
  const resolved = resolveAggregate(name, argumentTypes);
  if ("error" in resolved) {
    throw new Error(name);
  }
  const output: Variable = { kind: "variable", name: `${name}!`, type: resolved.returnType };
  const intermediates = resolved.implementation.intermediateTypes.map(
    (type, index): Variable => ({ kind: "variable", name: `${name}!${index}`, type }),
  );
  return { output, name, argumentTypes: resolved.argTypes, args, intermediates };
}

/** What stands above the join; its input are the join's columns. */
const tops = {
  nothing: (join: PlanNode) => join,
  random: (join: PlanNode) => withRandom("4", join),
  numbers: (join: PlanNode): PlanNode => ({
    kind: "Project",
    id: "4",
    source: join,
    assignments: outputsOf(join)
      .filter(({ type }) => type !== VARCHAR)
      .map((output) => ({ output, expression: output })),
  }),
  filter: (join: PlanNode): PlanNode => ({
    kind: "Filter",
    id: "4",
    source: join,
    predicate: call("$ge", BOOLEAN, outputsOf(join)[5] as Variable, bigint(0)),
  }),
  partial: (join: PlanNode): PlanNode => ({
    kind: "Aggregation",
    id: "4",
    source: join,
    step: "PARTIAL",
    keys: [outputsOf(join)[5] as Variable],
    aggregates: [count("count", []), count("avg", [outputsOf(join)[3] as Variable]), count("max", [outputsOf(join)[0] as Variable])],
  }),
  "partial with texts": (join: PlanNode): PlanNode => ({
    kind: "Aggregation",
    id: "4",
    source: join,
    step: "PARTIAL",
    keys: [outputsOf(join)[5] as Variable],
    aggregates: [count("count", []), count("max", [outputsOf(join)[2] as Variable])],
  }),
  "partial by text": (join: PlanNode): PlanNode => ({
    kind: "Aggregation",
    id: "4",
    source: join,
    step: "PARTIAL",
    keys: [outputsOf(join)[7] as Variable],
    aggregates: [count("count", [])],
  }),
  final: (join: PlanNode): PlanNode => {
    const [value, text] = [outputsOf(join)[3] as Variable, outputsOf(join)[2] as Variable];
    const keys = [outputsOf(join)[0] as Variable, text];
    const aggregates = [count("count", []), count("avg", [value]), count("max", [text]), count("array_agg", [value])];
    const partial: PlanNode = { kind: "Aggregation", id: "5", source: join, step: "PARTIAL", keys, aggregates };
    return { kind: "Aggregation", id: "4", source: partial, step: "FINAL", keys, aggregates };
  },
  window: (join: PlanNode): PlanNode => {
    const of = (name: string, args: readonly Variable[], end: "CURRENT_ROW" | "UNBOUNDED_FOLLOWING"): WindowCall => ({
      output: { kind: "variable", name: `${name}!`, type: args[0]?.type ?? BIGINT },
      name,
      argumentTypes: args.map(({ type }) => type),
      args,
      ignoreNulls: false,
      frame: { type: "RANGE", start: { type: "UNBOUNDED_PRECEDING" }, end: { type: end } },
    });
    const outputs = outputsOf(join);
    return {
      kind: "Window",
      id: "4",
      source: join,
      partitionBy: [outputs[2] as Variable],
      orderBy: [{ variable: outputs[5] as Variable, descending: true, nullsFirst: false }],
      functions: [
        of("rank", [], "CURRENT_ROW"),
        of("sum", [outputs[3] as Variable], "CURRENT_ROW"),
        of("last_value", [outputs[7] as Variable], "UNBOUNDED_FOLLOWING"),
      ],
    };
  },
  "running window": (join: PlanNode): PlanNode => {
    const outputs = outputsOf(join);
    const [key, order, value] = [outputs[4], outputs[3], outputs[3]] as [Variable, Variable, Variable];
    const functions = [
      running("row_number", [], "ROWS"),
      running("rank", [], "RANGE"),
      running("dense_rank", [], "RANGE"),
      running("sum", [value], "ROWS"),
      running("avg", [value], "RANGE"),
      running("count", [], "RANGE"),
    ];
    return windowOf(join, { partitionBy: [key], orderBy: [{ variable: order, descending: false, nullsFirst: true }], functions });
  },
  "row numbers": (join: PlanNode): PlanNode => {
    const functions = [running("row_number", [], "RANGE"), running("sum", [outputsOf(join)[3] as Variable], "ROWS")];
    return windowOf(join, { partitionBy: [], orderBy: [], functions });
  },
  single: (join: PlanNode): PlanNode => ({
    kind: "Aggregation",
    id: "4",
    source: join,
    step: "SINGLE",
    keys: [outputsOf(join)[2] as Variable, outputsOf(join)[5] as Variable],
    aggregates: [count("array_agg", [outputsOf(join)[3] as Variable])],
  }),
  sketches: (join: PlanNode): PlanNode => {
    const [integer, text, double] = [outputsOf(join)[0], outputsOf(join)[2], outputsOf(join)[3]] as [Variable, Variable, Variable];
    return {
      kind: "Aggregation",
      id: "4",
      source: join,
      step: "SINGLE",
      keys: [outputsOf(join)[4] as Variable],
      aggregates: [
        count("approx_set", [text]),
        count("tdigest_agg", [double]),
        count("numeric_histogram", [bigint(3), double]),
        count("approx_distinct", [integer]),
        count("approx_percentile", [double, double]),
        count("array_agg", [text]),
      ],
    };
  },
  sort: (join: PlanNode): PlanNode => ({
    kind: "Sort",
    id: "4",
    source: join,
    orderBy: [{ variable: outputsOf(join)[7] as Variable, descending: false, nullsFirst: true }],
  }),
  first: (join: PlanNode): PlanNode => ({
    kind: "TopN",
    id: "4",
    source: join,
    orderBy: [{ variable: outputsOf(join)[2] as Variable, descending: false, nullsFirst: true }],
    count: 70,
    step: "SINGLE",
    withTies: true,
  }),
  distinct: (join: PlanNode): PlanNode => ({
    kind: "MarkDistinct",
    id: "4",
    source: join,
    marker: { kind: "variable", name: "isFirst", type: BOOLEAN },
    keys: [outputsOf(join)[0] as Variable, outputsOf(join)[7] as Variable],
  }),
  in: (join: PlanNode): PlanNode => semiJoinOf(join, "FILTERING"),
  "in, built of the source": (join: PlanNode): PlanNode => semiJoinOf(join, "SOURCE"),
  join: (join: PlanNode): PlanNode => joinOf({ id: "4", left: join, right: scanOf("c"), type: "LEFT", key: 2 }),
} satisfies Readonly<Record<string, (join: PlanNode) => PlanNode>>;

/** Of the rows up to the current one, or up to the last of its peers. */
function running(name: string, args: readonly Variable[], type: "ROWS" | "RANGE"): WindowCall {
  return {
    output: { kind: "variable", name: `${name}!${type}`, type: args.length === 0 ? BIGINT : DOUBLE },
    name,
    argumentTypes: args.map((arg) => arg.type),
    args,
    ignoreNulls: false,
    frame: { type, start: { type: "UNBOUNDED_PRECEDING" }, end: { type: "CURRENT_ROW" } },
  };
}

function windowOf(source: PlanNode, of: Pick<WindowNode, "partitionBy" | "orderBy" | "functions">): WindowNode {
  return { kind: "Window", id: "4", source, ...of };
}

function joinOf(of: {
  readonly id: string;
  readonly left: PlanNode;
  readonly right: PlanNode;
  readonly type: JoinNode["type"];
  readonly key: number;
  readonly isFiltered?: boolean;
}): JoinNode {
  const [left, right] = [outputsOf(of.left), outputsOf(of.right)];
  const criterion = { left: left[of.key] as Variable, right: right[of.key] as Variable };
  return {
    kind: "Join",
    id: of.id,
    type: of.type,
    left: of.left,
    right: of.right,
    criteria: [criterion],
    outputs: [...left, ...right],
    distribution: "REPLICATED",
    ...(of.isFiltered === true ? { dynamicFilters: { local: criterion.right } } : {}),
  };
}

function semiJoinOf(source: PlanNode, build: "SOURCE" | "FILTERING"): PlanNode {
  const filtering = scanOf("c");
  return {
    kind: "SemiJoin",
    id: "4",
    source,
    filtering,
    sourceKey: outputsOf(source)[2] as Variable,
    filteringKey: filtering.outputs[2] as Variable,
    output: { kind: "variable", name: "isIn", type: BOOLEAN },
    distribution: "REPLICATED",
    ...(build === "SOURCE" ? { build } : {}),
  };
}

const texts = ["", "a", "b", "ab", "abcdefghi", "a longer text than sixteen bytes"];
const shapes: readonly Shape[] = ["flat", "selected", "dictionary", "selected dictionary"];

/** Build sides from one row on, so that some are dictionaries of frames; pages with and without NULLs. */
function drawSplits(stream: RandomStream, pagesMax: number, rowsMax: number): TestSplit[] {
  const pick = <T>(values: readonly T[]): T => values[stream.nextInt(values.length)] as T;
  const keysMax = pick([3, 8, 100]);
  const cells: readonly (() => Cell)[] = [
    () => BigInt(stream.nextInt(keysMax)),
    () => stream.nextInt(keysMax),
    () => pick(texts),
    () => stream.nextInt(3) / 2,
    () => stream.nextInt(2) === 0,
  ];
  const page = (): TestPage => {
    const nullOf = pick([0, 0, 5]);
    const row = (): Cell[] => cells.map((draw) => (nullOf > 0 && stream.nextInt(nullOf) === 0 ? null : draw()));
    return { rows: Array.from({ length: pick([1, 2, 10, rowsMax]) }, row), shape: pick(shapes) };
  };
  return Array.from({ length: 1 + stream.nextInt(2) }, () => ({ pages: Array.from({ length: 1 + stream.nextInt(pagesMax) }, page) }));
}

/** Bounds on which frames depend. */
const knobs: fc.Arbitrary<KnobValues> = fc.record({
  "page-rows": fc.constantFrom(7, 16_384, 16_384),
  "frame-rows": fc.constantFrom(2, 7, 64),
  "frame-bytes": fc.constantFrom(64, 1_024, 1_048_576),
  "partial-aggregation-bytes": fc.constantFrom(0, 300, 3_000, 16_000_000),
  "group-slots": fc.constantFrom(1, 1_024),
  "group-codes": fc.constantFrom(4, 16_384),
  "filter-listed-rows": fc.constantFrom(1, 1_000),
  "spill-batch-bytes": fc.constantFrom(1, 65_536),
  "spill-partitions": fc.constantFrom(1, 3),
  "spill-read-ahead-bytes": fc.constantFrom(1, 262_144),
  "window-batch-bytes": fc.constantFrom(1, 4_194_304),
  "window-state-bytes": fc.constantFrom(0, 1_048_576),
});

function scansOf(node: PlanNode): string[] {
  return node.kind === "TableScan" ? [node.id] : sourcesOf(node).flatMap(scansOf);
}

interface Given {
  readonly fragment: PlanFragment;
  readonly knobs: KnobValues;
  readonly inputs: Readonly<Record<string, readonly TestSplit[]>>;
}

/** The bytes of all frames of all buffers. With a seed operators spill at moments that it draws. */
async function framesOf({ fragment, knobs: values, inputs }: Given, seed?: number): Promise<{ frames: string[]; spilledBytes: number }> {
  const stream = new SeededRandom(String(seed)).stream("spill");
  const chance = (percent: number): boolean => stream.nextInt(100) < percent;
  const points: FaultPoints = {
    fires: (name) => (name === "operator-spills-early" ? chance(40) : name === "slice-ends-early" && chance(30)),
  };
  const cluster = new TestCluster("wasm", {}, values, seed === undefined ? noPoints : points);
  const { clock } = cluster;
  const turn = clock.turn.bind(clock);
  // Between two slices another query may need the memory.
  clock.turn = (workUnits) => {
    if (seed !== undefined && chance(20)) {
      void cluster.services.revoker?.largest(cluster.memory.root)?.revoke();
    }
    return turn(workUnits);
  };
  const task = cluster.create("q.0.0", fragment, bufferCount);
  for (const id of fragment.scanIds) {
    cluster.scan(task, id, inputs[id] ?? []);
  }
  const frames: string[] = [];
  for (let bufferId = 0; bufferId < bufferCount; bufferId++) {
    // A frame has its checksum only once it has left memory.
    await cluster.frames(task, bufferId, (frame) => frames.push(`${bufferId} ${Buffer.from(sealed(frame)).toString("base64")}`));
  }
  expect(task.failures).toEqual([]);
  expect(task.state).toBe("FINISHED");
  const { spilledBytes } = task.stats();
  await drain(500);
  expect(cluster.memory.root.reservedBytes).toBe(0);
  expect([...cluster.storage.files.keys()]).toEqual([]);
  return { frames, spilledBytes };
}

it("tasks give the same frames to the byte, whether and whenever their operators spill", async () => {
  let spilledBytes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(tops) as (keyof typeof tops)[])),
      fc.constantFrom<JoinNode["type"]>("INNER", "LEFT", "RIGHT", "FULL"),
      fc.constantFrom(0, 1, 2),
      fc.boolean(),
      knobs,
      fc.nat(),
      async (top, type, key, isHash, values, seed) => {
        const stream = new SeededRandom(String(seed)).stream("rows");
        const inputs = { a: drawSplits(stream, 4, 120), b: drawSplits(stream, 3, 20), c: drawSplits(stream, 1, 20) };
        const isFiltered = type === "INNER" || type === "RIGHT";
        const left = withRandom("2", scanOf("a", isFiltered ? key : undefined));
        const root = tops[top](joinOf({ id: "3", left, right: scanOf("b"), type, key, isFiltered }));
        const outputs = outputsOf(root);
        const outputPartitioning: OutputPartitioning = isHash ? { kind: "HASH", keys: [outputs[0] as Variable] } : { kind: "ROUND_ROBIN" };
        const fragment: PlanFragment = {
          id: 0,
          root,
          partitioning: "SOURCE",
          scanIds: scansOf(root).toSorted(),
          outputTypes: outputs.map((output) => output.type),
          outputPartitioning,
        };
        const given = { fragment, knobs: values, inputs };
        const [kept, spilled] = [await framesOf(given), await framesOf(given, seed)];
        spilledBytes += spilled.spilledBytes;
        expect(kept.spilledBytes).toBe(0);
        expect(spilled.frames).toEqual(kept.frames);
      },
    ),
    { numRuns: 36 },
  );
  expect(spilledBytes).toBeGreaterThan(0);
});

it("a search for row patterns gives the same frames, in whatever batches it runs", async () => {
  let spilledBytes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("match", "window"),
      knobs,
      fc.constantFrom(0, 3, 1_000),
      fc.nat(),
      async (kind, values, listed, seed) => {
        const random = new Random(seed);
        const plans = new Plans(random, []);
        const { root, tables } = await drawPattern(plans, kind);
        const inputs = Object.fromEntries(tables.map((table) => [table.scan.id, cut(table, random)]));
        const given = {
          fragment: fragmentOf(0, root, tables, { kind: "ROUND_ROBIN" }),
          knobs: { ...values, "pattern-listed-rows": listed, "window-batch-bytes": 1 },
          inputs,
        };
        const [kept, spilled] = [await framesOf(given), await framesOf(given, seed)];
        spilledBytes += spilled.spilledBytes;
        expect(spilled.frames).toEqual(kept.frames);
      },
    ),
    { numRuns: 20 },
  );
  expect(spilledBytes).toBeGreaterThan(0);
});
