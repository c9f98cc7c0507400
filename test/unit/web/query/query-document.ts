/** Query documents for tests of the page: a small real shape, and arbitrary ones. */
import fc from "fast-check";
import { queryInfoExample } from "../../../../src/protocol/documents/query.ts";
import type { PlanNodeDocument, QueryDetail, StageDetail, TaskDetail } from "../../../../src/web/query/model/documents.ts";

const queryId = queryInfoExample.queryId;

export interface OperatorFacts {
  readonly type: string;
  readonly planNodeId: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly wall?: string;
}

type Pipeline = TaskDetail["stats"]["pipelines"][number];
type Operator = Pipeline["operatorSummaries"][number];

function operator({ type, planNodeId, rowsIn, rowsOut, wall = "1.00ms" }: OperatorFacts): Operator {
  return {
    operatorId: 0,
    planNodeId,
    operatorType: type,
    addInputCalls: 1,
    addInputWall: wall,
    addInputCpu: "0.50ms",
    addInputUser: "0.50ms",
    inputDataSize: `${rowsIn}B`,
    inputPositions: rowsIn,
    getOutputCalls: 1,
    getOutputWall: "0.00ns",
    getOutputCpu: "0.00ns",
    getOutputUser: "0.00ns",
    outputDataSize: `${rowsOut}B`,
    outputPositions: rowsOut,
    blockedWall: "2.00ms",
    finishCalls: 0,
    finishWall: "0.00ns",
    finishCpu: "0.00ns",
    finishUser: "0.00ns",
    memoryReservation: "1kB",
  };
}

export function pipeline(operators: readonly OperatorFacts[], raw = 0, drivers: readonly unknown[] = []): Pipeline {
  return {
    inputPipeline: raw > 0,
    outputPipeline: false,
    totalDrivers: 1,
    completedDrivers: 1,
    rawInputPositions: raw,
    rawInputDataSize: `${raw}B`,
    totalScheduledTime: "1.00ms",
    totalBlockedTime: "3.00ms",
    operatorSummaries: operators.map(operator),
    drivers,
  };
}

export function task(stage: number, number: number, pipelines: readonly Pipeline[]): TaskDetail {
  return {
    taskId: `${queryId}.${stage}.${number}`,
    nodeId: `worker-${number + 1}`,
    state: "FINISHED",
    self: "http://worker/v1/task",
    failures: [],
    stats: {
      createTime: "2014-02-06T20:00:00.002Z",
      startTime: "2014-02-06T20:00:00.003Z",
      endTime: "2014-02-06T20:00:00.010Z",
      elapsedTime: "8.00ms",
      totalDrivers: 1,
      queuedDrivers: 0,
      completedDrivers: 1,
      totalScheduledTime: "2.00ms",
      totalCpuTime: "1.00ms",
      totalBlockedTime: "6.00ms",
      memoryReservation: "0B",
      rawInputPositions: 10,
      rawInputDataSize: "10B",
      outputPositions: 5,
      outputDataSize: "5B",
      pipelines,
    },
  };
}

export function stage(
  number: number,
  root: PlanNodeDocument | undefined,
  tasks: readonly TaskDetail[],
  more: { readonly subStages?: readonly StageDetail[]; readonly estimates?: object; readonly state?: string } = {},
): StageDetail {
  return {
    stageId: `${queryId}.${number}`,
    state: more.state ?? "FINISHED",
    ...(root === undefined
      ? {}
      : { plan: { id: String(number), root, ...(more.estimates === undefined ? {} : { estimates: more.estimates }) } }),
    types: [],
    stageStats: {
      totalDrivers: 1,
      queuedDrivers: 0,
      completedDrivers: 1,
      totalMemoryReservation: "0B",
      totalCpuTime: "1.00ms",
      totalScheduledTime: "1.00ms",
      totalBlockedTime: "1.00ms",
      totalTasks: tasks.length,
      completedTasks: tasks.length,
    },
    tasks,
    subStages: more.subStages ?? [],
  };
}

export function query(outputStage: StageDetail | undefined, more: Partial<QueryDetail> = {}): QueryDetail {
  return { ...queryInfoExample, outputStage: (outputStage ?? {}) as QueryDetail["outputStage"], ...more };
}

const scanNode = { kind: "TableScan", id: "4", table: { catalog: "tpch", name: { schema: "tiny", table: "orders" } } };
const filterNode = { kind: "Filter", id: "3", predicate: { kind: "variable", name: "p" }, source: scanNode };
const projectNode = { kind: "Project", id: "2", assignments: [], source: filterNode };

/** `Output <- Aggregation <- exchange | Join(Project(Filter(Scan)), exchange) | Scan`, with two tasks in the stage of the join. */
export function joinQuery(): QueryDetail {
  const builds = stage(2, { kind: "TableScan", id: "6", table: {} }, [
    task(2, 0, [
      pipeline(
        [
          { type: "TableScanOperator", planNodeId: "6", rowsIn: 0, rowsOut: 25 },
          { type: "TaskOutputOperator", planNodeId: "6", rowsIn: 25, rowsOut: 25 },
        ],
        25,
      ),
    ]),
  ]);
  const probe = (rows: number) =>
    pipeline(
      [
        { type: "ScanFilterAndProjectOperator", planNodeId: "4", rowsIn: 0, rowsOut: rows },
        { type: "LookupJoinOperator", planNodeId: "1", rowsIn: rows, rowsOut: rows },
        { type: "TaskOutputOperator", planNodeId: "1", rowsIn: rows, rowsOut: rows },
      ],
      2 * rows,
    );
  const build = pipeline(
    [
      { type: "ExchangeOperator", planNodeId: "5", rowsIn: 0, rowsOut: 25 },
      { type: "HashBuilderOperator", planNodeId: "1", rowsIn: 25, rowsOut: 25 },
    ],
    25,
  );
  const join = {
    kind: "Join",
    id: "1",
    type: "INNER",
    criteria: [],
    left: projectNode,
    right: { kind: "RemoteSource", id: "5", fragmentIds: [2], outputs: [] },
  };
  const joins = stage(1, join, [task(1, 0, [build, probe(300)]), task(1, 1, [build, probe(100)])], {
    subStages: [builds],
    estimates: { "1": { outputRowCount: 40 }, "2": { outputRowCount: 400 }, "4": { outputRowCount: 800 } },
  });
  const output = { kind: "Output", id: "0", columnNames: ["n"], source: { kind: "RemoteSource", id: "7", fragmentIds: [1], outputs: [] } };
  const root = stage(
    0,
    output,
    [
      task(0, 0, [
        pipeline(
          [
            { type: "ExchangeOperator", planNodeId: "7", rowsIn: 0, rowsOut: 400 },
            { type: "TaskOutputOperator", planNodeId: "0", rowsIn: 400, rowsOut: 400 },
          ],
          400,
        ),
      ]),
    ],
    { subStages: [joins] },
  );
  return query(root);
}

const kinds = ["Filter", "Project", "Aggregation", "Sort", "Limit", "TableWriter", "SomethingNew"] as const;

/** An arbitrary plan of some stages, each a tree, with operators for some of its nodes in each of its tasks. */
export const arbitraryQuery: fc.Arbitrary<QueryDetail> = fc
  .array(
    fc.record({
      depth: fc.integer({ min: 0, max: 5 }),
      kinds: fc.array(fc.constantFrom(...kinds), { minLength: 6, maxLength: 6 }),
      isJoin: fc.boolean(),
      tasks: fc.integer({ min: 0, max: 4 }),
      rows: fc.array(fc.oneof(fc.nat(1_000_000), fc.constant(Number.NaN), fc.constant(0)), { minLength: 8, maxLength: 8 }),
      silent: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      parent: fc.nat(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((specs) => {
    const children = new Map<number, number[]>();
    for (const [index, { parent }] of specs.entries()) {
      if (index > 0) {
        const at = parent % index;
        children.set(at, [...(children.get(at) ?? []), index]);
      }
    }
    const stageOf = (index: number): StageDetail => {
      const spec = specs[index];
      if (spec === undefined) {
        throw new Error("no such stage");
      }
      const reads = children.get(index) ?? [];
      const ids: string[] = [];
      const node = (kind: string, more: object): PlanNodeDocument => {
        const id = `${index}_${ids.length}`;
        ids.push(id);
        return { kind, id, ...more };
      };
      const leaf = reads.length > 0 ? node("RemoteSource", { fragmentIds: reads, outputs: [] }) : node("TableScan", { table: {} });
      let root = spec.isJoin ? node("Join", { left: leaf, right: node("Values", { rows: [[]] }), criteria: [] }) : leaf;
      for (let depth = 0; depth < spec.depth; depth++) {
        root = node(spec.kinds[depth] ?? "Filter", { source: root });
      }
      const facts = ids.flatMap((planNodeId, at): OperatorFacts[] =>
        spec.silent[at % 8] === true
          ? []
          : [{ type: "SomeOperator", planNodeId, rowsIn: spec.rows[at % 8] ?? 0, rowsOut: spec.rows[(at + 1) % 8] ?? 0 }],
      );
      const tasks = Array.from({ length: spec.tasks }, (_, number) => task(index, number, [pipeline(facts, spec.rows[0] ?? 0)]));
      return stage(index, root, tasks, { subStages: reads.map(stageOf) });
    };
    return query(stageOf(0));
  });
