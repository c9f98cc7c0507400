/**
 * Runs an optimized logical plan in stages: the planner adds exchanges and cuts the plan, and every stage has as many tasks as are drawn.
 * Splits go to any task of their stage.
 */
import { addExchanges } from "../../src/planner/fragmenter/exchanges.ts";
import type { PlanFragment } from "../../src/planner/fragmenter/fragment.ts";
import { remoteSourcesOf, scansOf } from "../../src/planner/fragmenter/fragment-walk.ts";
import { fragmentPlan, renumberNodes } from "../../src/planner/fragmenter/fragmenter.ts";
import { optimizeDistributedInSteps } from "../../src/planner/optimizer/optimizer.ts";
import type { RuleContext } from "../../src/planner/optimizer/rules/rule.ts";
import { outputsOf, type PlanNode } from "../../src/planner/plan/node.ts";
import { atOnce } from "../../src/planner/pieces.ts";
import { validateInPieces } from "../../src/planner/plan/validate.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { TestCluster } from "../unit/execution/tasks.ts";
import type { Table } from "./plans.ts";
import { cut, requireReleased, type Setting } from "./run.ts";
import { readValues, type Row } from "./values.ts";

const tasksMax = 3;

interface Distributed {
  readonly plan: PlanNode;
  readonly context: RuleContext;
  /** Rows of the scans of a stage, for its columns. */
  readonly tablesOf: (root: PlanNode) => readonly Table[];
  readonly setting: Setting;
  readonly random: Random;
}

export async function runDistributed({ plan, context, tablesOf, setting, random }: Distributed): Promise<readonly Row[]> {
  const exchanged = renumberNodes(addExchanges(plan, context.ids, context.rulesOff), 0);
  const fragmented = fragmentPlan(atOnce(optimizeDistributedInSteps(exchanged, context)), context.ids);
  atOnce(validateInPieces(fragmented));
  const { fragments } = fragmented;
  const [hashed, scanned] = [1 + random.below(tasksMax), 1 + random.below(tasksMax)];
  const tasksOf = ({ partitioning }: PlanFragment): number => (partitioning === "HASH" ? hashed : partitioning === "SOURCE" ? scanned : 1);
  const readerOf = (id: number): PlanFragment | undefined =>
    fragments.find((fragment) => remoteSourcesOf(fragment).some(({ fragmentIds }) => fragmentIds.includes(id)));
  const cluster = new TestCluster(setting.backend, setting.limits, setting.knobs);
  // Stages that are read come first: their readers ask them at once.
  for (const fragment of fragments.toReversed()) {
    const reader = readerOf(fragment.id);
    const buffers = reader === undefined ? 1 : tasksOf(reader);
    const kind = fragment.outputPartitioning.kind === "BROADCAST" ? "BROADCAST" : "PARTITIONED";
    const tasks = Array.from({ length: tasksOf(fragment) }, (_, index) =>
      cluster.create(`q.${fragment.id}.${index}`, fragment, buffers, kind),
    );
    const tables = tablesOf(fragment.root);
    for (const { id } of scansOf(fragment)) {
      const table = tables.find(({ scan }) => scan.id === id) as Table;
      const splits = cut(table, random).map((split) => ({ split, home: random.below(tasks.length) }));
      for (const [index, task] of tasks.entries()) {
        const own = splits.filter(({ home }) => home === index);
        cluster.scan(
          task,
          id,
          own.map(({ split }) => split),
        );
      }
    }
    for (const { id, fragmentIds } of remoteSourcesOf(fragment)) {
      const sources = fragmentIds.flatMap((fragmentId) =>
        Array.from({ length: tasksOf(fragments[fragmentId] as PlanFragment) }, (_, task) => ({
          taskId: `q.${fragmentId}.${task}`,
          fragmentId,
        })),
      );
      for (const [bufferId, task] of tasks.entries()) {
        cluster.read(
          task,
          id,
          sources.map((source) => ({ ...source, bufferId })),
        );
      }
    }
  }
  const root = cluster.tasks.get("q.0.0") as NonNullable<ReturnType<typeof cluster.tasks.get>>;
  const types = outputsOf((fragments[0] as PlanFragment).root).map(({ type }) => type);
  const rows = await cluster.rowsBy(root, types, 0, readValues);
  await requireReleased(cluster);
  return rows;
}
