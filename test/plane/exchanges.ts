/**
 * Operators on both sides of an exchange: producers over parts of a table, consumers over their partitions. The naive evaluation knows no
 * exchange: it evaluates the plan in one piece, or each part.
 */
import { resolveAggregate } from "../../src/functions/registry/registry.ts";
import {
  type AggregationNode,
  outputsOf,
  type OutputPartitioning,
  type PlanNode,
  type RemoteSourceNode,
} from "../../src/planner/plan/node.ts";
import type { Variable } from "../../src/planner/plan/typed-expression.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { TestCluster } from "../unit/execution/tasks.ts";
import { bind, sorted } from "./naive/expressions.ts";
import { evaluatePlan } from "./naive/plans.ts";
import { Plans, type Table } from "./plans.ts";
import { cut, difference, drawSetting, fragmentOf, judged, requireReleased, type Setting } from "./run.ts";
import { keyOf, readValues, type Row, textOf } from "./values.ts";

interface Staged {
  readonly table: Table;
  /** Over the scan. */
  readonly producer: PlanNode;
  readonly partitioning: OutputPartitioning;
  /** Over a remote source with the id `remote`. */
  readonly consumer: PlanNode;
  readonly consumers: number;
  /** Difference of the rows of each consumer from what the parts of the table say. */
  readonly judge: (found: readonly (readonly Row[])[], parts: readonly (readonly Row[])[]) => string | undefined;
}

const remote = (outputs: readonly Variable[], orderBy?: RemoteSourceNode["orderBy"]): RemoteSourceNode => ({
  kind: "RemoteSource",
  id: "remote",
  fragmentIds: [1],
  outputs,
  ...(orderBy !== undefined && { orderBy }),
});

/** By kind. */
export const exchangeKinds: Readonly<Record<string, (plans: Plans) => Staged>> = {
  "two-stage aggregation": twoStages,
  "hash exchange": hashExchange,
  "broadcast exchange": broadcast,
  "round robin exchange": roundRobin,
  "merge exchange": mergeExchange,
};

function tableOf(plans: Plans): Table {
  return plans.tables[0] as Table;
}

/** Hash partitions by the keys; without keys, one consumer. */
function twoStages(plans: Plans): Staged {
  const drawn = plans.aggregation(plans.scan());
  const aggregates = drawn.aggregates.filter(({ name }) => name !== "arbitrary");
  const node: AggregationNode = { ...drawn, aggregates };
  const calls = aggregates.map((call) => {
    const resolved = resolveAggregate(call.name, call.argumentTypes);
    if ("error" in resolved) {
      throw resolved.error;
    }
    return { ...call, intermediates: resolved.intermediateTypes.map((type) => plans.variable(type)) };
  });
  const producer: AggregationNode = { ...node, id: "partial", step: "PARTIAL", aggregates: calls };
  const consumer: AggregationNode = {
    ...node,
    step: "FINAL",
    source: remote(outputsOf(producer)),
    aggregates: calls.map(({ mask: _mask, ...call }) => ({ ...call, args: [] })),
  };
  const isOne = node.keys.length === 0;
  return {
    table: tableOf(plans),
    producer,
    partitioning: isOne ? { kind: "SINGLE" } : { kind: "HASH", keys: node.keys },
    consumer,
    consumers: isOne ? 1 : 1 + plans.random.below(3),
    judge: (found, parts) => difference(found.flat().map(plain), rowsOf(node, plans, parts.flat()).map(plain), false),
  };
}

/** The first row of a group decides whether its key is 0 or -0, and the order of the parts is free. */
function plain(row: Row): Row {
  return row.map((value) => (Object.is(value, -0) ? 0 : value));
}

function rowsOf(node: PlanNode, plans: Plans, rows: readonly Row[]): readonly Row[] {
  return evaluatePlan(node, new Map([[tableOf(plans).scan.id, rows]]));
}

function hashExchange(plans: Plans): Staged {
  const scan = plans.scan();
  const keys = plans.some(
    scan.outputs.filter(({ type }) => type.kind !== "array"),
    2,
    1,
  );
  const judge: Staged["judge"] = (found, parts) => {
    const homes = new Map<string, number>();
    for (const [consumer, rows] of found.entries()) {
      for (const row of rows) {
        const values = bind(scan.outputs, row);
        const key = keyOf(keys.map(({ name }) => values.get(name) ?? null));
        if ((homes.get(key) ?? consumer) !== consumer) {
          return `rows with the key ${key} are at two consumers`;
        }
        homes.set(key, consumer);
      }
    }
    return difference(found.flat(), parts.flat(), false);
  };
  return passing(plans, scan, { kind: "HASH", keys }, judge);
}

function broadcast(plans: Plans): Staged {
  return passing(plans, plans.scan(), { kind: "BROADCAST" }, (found, parts) =>
    found.map((rows) => difference(rows, parts.flat(), false)).find((wrong) => wrong !== undefined),
  );
}

function roundRobin(plans: Plans): Staged {
  return passing(plans, plans.scan(), { kind: "ROUND_ROBIN" }, (found, parts) => difference(found.flat(), parts.flat(), false));
}

function passing(plans: Plans, scan: PlanNode, partitioning: OutputPartitioning, judge: Staged["judge"]): Staged {
  const consumer = remote(outputsOf(scan));
  return { table: tableOf(plans), producer: scan, partitioning, consumer, consumers: 1 + plans.random.below(3), judge };
}

/** Ties are broken by source, then by position. */
function mergeExchange(plans: Plans): Staged {
  const scan = plans.scan();
  const orderBy = plans.orderings(scan.outputs, 1);
  const producer: PlanNode = { kind: "Sort", id: "sort", source: scan, orderBy };
  return {
    table: tableOf(plans),
    producer,
    partitioning: { kind: "SINGLE" },
    consumer: remote(scan.outputs, orderBy),
    consumers: 1,
    judge: (found, parts) => {
      const expected = sorted(
        parts.flatMap((rows) => sorted(rows, scan.outputs, orderBy)),
        scan.outputs,
        orderBy,
      );
      return difference(found.flat(), expected, true);
    },
  };
}

export async function checkExchange(kind: string, random: Random): Promise<string | undefined> {
  const plans = new Plans(random, []);
  const staged = (exchangeKinds[kind] as (plans: Plans) => Staged)(plans);
  const parts: Row[][] = Array.from({ length: 1 + random.below(3) }, () => []);
  for (const row of staged.table.rows) {
    random.pick(parts).push(row);
  }
  for (let time = 0; time < 2; time++) {
    const setting = drawSetting(random);
    const wrong = await judged(async () => staged.judge(await runStages(staged, parts, { setting, random }), parts));
    if (wrong !== undefined) {
      const rows = parts.map((part, index) => `  part ${index}:\n${part.map((row) => `    ${textOf(row)}`).join("\n")}`).join("\n");
      const { producer, consumer, partitioning, consumers } = staged;
      return `${kind}: ${wrong}\n  ${JSON.stringify(setting)}\n  ${JSON.stringify({ producer, consumer, partitioning, consumers })}\n${rows}`;
    }
  }
  return undefined;
}

async function runStages(
  { table, producer, partitioning, consumer, consumers }: Staged,
  parts: readonly (readonly Row[])[],
  { setting, random }: { readonly setting: Setting; readonly random: Random },
): Promise<readonly (readonly Row[])[]> {
  const cluster = new TestCluster(setting.backend, setting.limits, setting.knobs);
  const below = fragmentOf(1, producer, [table], partitioning);
  const above = fragmentOf(0, consumer, [], { kind: "SINGLE" });
  for (const [index, rows] of parts.entries()) {
    const task = cluster.create(`q.1.${index}`, below, consumers, partitioning.kind === "BROADCAST" ? "BROADCAST" : "PARTITIONED");
    cluster.scan(task, table.scan.id, cut({ scan: table.scan, rows }, random));
  }
  const readers = Array.from({ length: consumers }, (_, bufferId) => {
    const task = cluster.create(`q.0.${bufferId}`, above);
    cluster.read(
      task,
      "remote",
      parts.map((_rows, index) => ({ taskId: `q.1.${index}`, bufferId, fragmentId: 1 })),
    );
    return task;
  });
  const found = await Promise.all(readers.map((task) => cluster.rowsBy(task, above.outputTypes, 0, readValues)));
  await requireReleased(cluster);
  return found;
}
