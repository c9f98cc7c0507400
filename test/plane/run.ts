/**
 * Runs drawn plans in tasks, over the tables in random cuts, with random bounds, and compares the rows with the naive evaluation.
 */
import type { KernelBackend } from "../../src/codegen/runtime.ts";
import type { ColumnMetadata } from "../../src/connectors/spi.ts";
import type { ExecutionLimits } from "../../src/execution/task/api.ts";
import type { MemoryContext } from "../../src/memory/memory.ts";
import type { PlanFragment } from "../../src/planner/fragmenter/fragment.ts";
import { outputsOf, type OutputPartitioning, type PlanNode } from "../../src/planner/plan/node.ts";
import type { KnobValues } from "../../src/ports/knobs.ts";
import { drawKnobs } from "../oracle/fuzz/known/known.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { type TestPage, TestCluster, type TestSplit } from "../unit/execution/tasks.ts";
import { drain } from "../unit/execution/world.ts";
import { drawPlan } from "./draw.ts";
import { evaluatePlan } from "./naive/plans.ts";
import type { DrawnPlan, Table } from "./plans.ts";
import { drawShape, makePage, readValues, type Row, textOf } from "./values.ts";

export interface Setting {
  readonly backend: KernelBackend;
  readonly limits: Partial<ExecutionLimits>;
  readonly knobs: KnobValues;
}

export function drawSetting(random: Random): Setting {
  return {
    backend: random.chance(40) ? "interpreter" : "wasm",
    limits: {
      outputBufferBytesMax: random.pick([1, 500, 1 << 20]),
      exchangeBufferBytesMax: random.pick([1, 500, 1 << 20]),
      exchangeResponseBytesMax: random.pick([1, 300, 1 << 18]),
      sliceWorkUnitsMax: random.pick([1, 5, 100, 10_000]),
    },
    knobs: drawKnobs(random, [0, 3, 10, Number.MAX_SAFE_INTEGER]),
  };
}

/** The rows in splits and pages of random sizes; some are empty. */
export function cut({ scan, rows }: Table, random: Random): readonly TestSplit[] {
  const splits: TestPage[][] = [[]];
  for (let start = 0; start < rows.length || random.chance(20); ) {
    const size = random.pick([0, 1, 2, 7, 100]);
    const part = rows.slice(start, start + size);
    start += part.length;
    splits.at(-1)?.push(pageOf(scan.columns, part, random));
    if (random.chance(30)) {
      splits.push([]);
    }
  }
  return splits.map((pages) => ({ pages }));
}

export function pageOf(known: readonly ColumnMetadata[], rows: readonly Row[], random: Random): TestPage {
  const shape = drawShape(random);
  const make = (memory: MemoryContext, columns: readonly ColumnMetadata[]) => {
    const places = columns.map(({ name }) => known.findIndex((column) => column.name === name));
    const asked = rows.map((row) => places.map((place) => row[place] ?? null));
    return makePage(
      memory,
      columns.map(({ type }) => type),
      asked,
      shape,
    );
  };
  return { rows: [], shape: "flat", make };
}

export function fragmentOf(id: number, root: PlanNode, tables: readonly Table[], outputPartitioning: OutputPartitioning): PlanFragment {
  return {
    id,
    root,
    partitioning: "SOURCE",
    scanIds: tables.map(({ scan }) => scan.id),
    outputTypes: outputsOf(root).map(({ type }) => type),
    outputPartitioning,
  };
}

/** Runs a plan in one task. */
export async function runPlan({ root, tables }: DrawnPlan, setting: Setting, random: Random): Promise<readonly Row[]> {
  const cluster = new TestCluster(setting.backend, setting.limits, setting.knobs);
  cluster.readWritten = (memory, page) => readValues(memory, page).map(textOf);
  const fragment = fragmentOf(0, root, tables, { kind: "SINGLE" });
  const task = cluster.create("q.0.0", fragment);
  for (const table of tables) {
    cluster.scan(task, table.scan.id, cut(table, random));
  }
  const rows = await cluster.rowsBy(task, fragment.outputTypes, 0, readValues);
  await requireReleased(cluster);
  return rows;
}

/** Tasks that have ended hold no memory, timers, requests or files. */
export async function requireReleased(cluster: TestCluster): Promise<void> {
  await drain(300);
  while (cluster.clock.fireNext()) {
    await drain();
  }
  const left = [cluster.memory.root.reservedBytes, cluster.clock.timers.size, cluster.network.inFlight, cluster.storage.files.size];
  if (left.some((count) => count !== 0)) {
    throw new Error(`bytes, timers, requests and files left: ${left.join(", ")}`);
  }
}

/** Returns the difference, or undefined. */
export function difference(found: readonly Row[], expected: readonly Row[], ordered: boolean): string | undefined {
  const [a, b] = [found, expected].map((rows) => (ordered ? rows.map(textOf) : rows.map(textOf).toSorted())) as [string[], string[]];
  const place = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find((index) => a[index] !== b[index]);
  return place === undefined
    ? undefined
    : `row ${place} of ${a.length} is ${a[place] ?? "missing"}, expected of ${b.length} rows: ${b[place] ?? "none"}`;
}

/** An error counts as a difference. */
export async function judged(judge: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await judge();
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** Draws a plan of the kind, runs it under two cuts and settings, and compares both with the naive rows. */
export async function checkOperator(kind: string, random: Random): Promise<string | undefined> {
  const drawn = await drawPlan(random, kind);
  const expected = drawn.expected ?? evaluatePlan(drawn.root, new Map(drawn.tables.map(({ scan, rows }) => [scan.id, rows])));
  for (let time = 0; time < 2; time++) {
    const setting = drawSetting(random);
    const wrong = await judged(async () => {
      const found = await runPlan(drawn, setting, random);
      return difference(drawn.expected === undefined ? found : found.map(asNumbers), expected, drawn.ordered);
    });
    if (wrong !== undefined) {
      return `${kind}: ${wrong}\n${describe(drawn, setting)}`;
    }
  }
  return undefined;
}

function asNumbers(row: Row): Row {
  return row.map((value) => (typeof value === "bigint" ? Number(value) : value));
}

export function describe({ root, tables }: DrawnPlan, setting?: Setting): string {
  const rows = tables.map(
    (table) => `  ${table.scan.outputs.map(({ name }) => name).join(", ")}:\n${table.rows.map((row) => `    ${textOf(row)}`).join("\n")}`,
  );
  return [...(setting === undefined ? [] : [`  ${JSON.stringify(setting)}`]), `  ${JSON.stringify(root)}`, ...rows].join("\n");
}
