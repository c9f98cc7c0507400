/**
 * Memory follows what an operator has to keep, not how many pages have passed it. An operator that passes rows on holds the same after four
 * times as many pages with the same rows: what it keeps of each page would show.
 */
import type { AggregateCall, PlanNode } from "../../src/planner/plan/node.ts";
import { sourcesOf } from "../../src/planner/plan/plan-tree.ts";
import type { Variable } from "../../src/planner/plan/typed-expression.ts";
import { BIGINT } from "../../src/types/type.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { TestCluster, type TestPage } from "../unit/execution/tasks.ts";
import { drawPlan } from "./draw.ts";
import type { DrawnPlan, Table } from "./plans.ts";
import { describe, drawSetting, fragmentOf, judged, pageOf, requireReleased, type Setting } from "./run.ts";
import { readValues } from "./values.ts";

/** Nodes whose operators pass rows on. */
const passing: ReadonlySet<PlanNode["kind"]> = new Set([
  "TableScan",
  "Filter",
  "Project",
  "Limit",
  "Offset",
  "Sample",
  "Unnest",
  "GroupId",
]);
/** Kinds of plans (draw.ts) whose operators may all be such. */
const passingKinds: readonly string[] = ["scan", "filter", "project", "limit", "offset", "sample", "unnest", "group id"];

/** By the name of a case. */
export const memoryKinds: ReadonlyMap<string, string> = new Map(passingKinds.map((kind) => [`memory of ${kind}`, kind]));

function passesRows(node: PlanNode): boolean {
  return passing.has(node.kind) && sourcesOf(node).every(passesRows);
}

const fewPages = 24;
const morePages = 96;
const rowsMax = 12;
/** What a filter or a sample leaves of small pages fills the next one after more of them. */
const laterBytes = 10_000;
/** Pages that are put together are full after few pages. */
const rowsOfPages = { "page-rows": 8, "page-builder-rows": 8 };

/** The output is one row, so that no page waits for its reader. */
function counted(source: PlanNode): PlanNode {
  const output: Variable = { kind: "variable", name: "counted", type: BIGINT };
  const aggregates: readonly AggregateCall[] = [{ output, name: "count", argumentTypes: [], args: [], intermediates: [] }];
  return { kind: "Aggregation", id: "counted", source, step: "SINGLE", keys: [], aggregates };
}

/** Most bytes that the task has held. */
async function peakOf({ root, tables }: DrawnPlan, setting: Setting, pages: ReadonlyMap<Table, TestPage>, count: number): Promise<number> {
  const cluster = new TestCluster(setting.backend, setting.limits, { ...setting.knobs, ...rowsOfPages });
  const fragment = fragmentOf(0, counted(root), tables, { kind: "SINGLE" });
  const task = cluster.create("q.0.0", fragment);
  for (const table of tables) {
    const page = pages.get(table) as TestPage;
    // A page of a split is there until the split is closed.
    const splits = Array.from({ length: count }, () => ({ pages: [page] }));
    cluster.scan(task, table.scan.id, splits);
  }
  await cluster.rowsBy(task, fragment.outputTypes, 0, readValues);
  await requireReleased(cluster);
  return task.stats().peakMemoryBytes;
}

/** Returns what grows with the number of pages, or undefined. */
export async function growth(drawn: DrawnPlan, random: Random): Promise<string | undefined> {
  const setting: Setting = { ...drawSetting(random), backend: "wasm" };
  const pages = new Map(drawn.tables.map((table) => [table, pageOf(table.scan.columns, table.rows.slice(0, rowsMax), random)]));
  const wrong = await judged(async () => {
    const [few, more] = [await peakOf(drawn, setting, pages, fewPages), await peakOf(drawn, setting, pages, morePages)];
    return more <= few + laterBytes ? undefined : `held ${few} bytes for ${fewPages} pages of each table, and ${more} for ${morePages}`;
  });
  return wrong === undefined ? undefined : `${wrong}\n${describe(drawn, setting)}`;
}

/** The same of a plan of the kind; undefined also if the plan keeps its input. */
export async function checkMemory(kind: string, random: Random): Promise<string | undefined> {
  const drawn = await drawPlan(random, kind);
  const wrong = passesRows(drawn.root) ? await growth(drawn, random) : undefined;
  return wrong === undefined ? undefined : `${kind}: ${wrong}`;
}
