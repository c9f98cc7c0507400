/**
 * Random plans of one kind of operator over random tables. The operator of the kind is on top; its sources are scans, or sometimes another
 * operator whose rows come in a documented order.
 */
import type { PlanNode } from "../../src/planner/plan/node.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { drawWindow } from "./draw-window.ts";
import { type Draw, Plans, type Table } from "./plans.ts";

export interface DrawnPlan {
  readonly root: PlanNode;
  readonly tables: readonly Table[];
  /** Whether the documents say in which order the rows come. */
  readonly ordered: boolean;
}

/** Partitions with so many rows get trees of aggregates. */
const rowsOfTrees = 300;

/** By kind of operator. */
export const operatorKinds: Readonly<Record<string, Draw>> = {
  scan: (plans) => plans.scan(),
  filter: (plans) => plans.filter(),
  project: (plans) => plans.project(),
  aggregation: (plans) => plans.aggregation(),
  "grouping sets": (plans) => plans.groupingSets(),
  "group id": (plans) => plans.groupId(),
  distinct: (plans) => plans.distinct(),
  "mark distinct": (plans) => plans.markDistinct(),
  "masked aggregation": (plans) => plans.maskedAggregation(),
  sort: (plans) => plans.sort(),
  "top n": (plans) => plans.topN(),
  limit: (plans) => plans.limit(),
  offset: (plans) => plans.offset(),
  "single row": (plans) => plans.singleRow(),
  sample: (plans) => plans.sample(),
  unnest: (plans) => plans.unnest(),
  union: (plans) => plans.union(),
  join: (plans) => plans.join(),
  "filtered join": (plans) => plans.join(true),
  "nested loop": (plans) => plans.nestedLoop(),
  "semi join": (plans) => plans.semiJoin(),
  window: (plans) => drawWindow(plans, plans.random.chance(15) ? plans.scan(undefined, rowsOfTrees) : plans.source()),
  values: (plans) => plans.values(),
};

/** Operators that return rows in an order that does not depend on pages. */
const below: readonly string[] = ["filter", "project", "aggregation", "sort", "limit", "join", "union", "window", "mark distinct"];
/** The pages of the sets follow each other for each page of the input. */
const unordered: ReadonlySet<string> = new Set(["group id", "grouping sets"]);

export function drawPlan(random: Random, kind: string): DrawnPlan {
  const plans = new Plans(
    random,
    below.map((name) => operatorKinds[name] as Draw),
  );
  const root = (operatorKinds[kind] as Draw)(plans);
  return { root, tables: plans.tables, ordered: !unordered.has(kind) };
}
