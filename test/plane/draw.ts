/**
 * Random plans of one kind of operator over random tables. The operator of the kind is on top; its sources are scans, or sometimes another
 * operator whose rows come in a documented order.
 */
import { BIGINT } from "../../src/types/type.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { drawWindow } from "./draw-window.ts";
import { drawPattern } from "./draw-pattern.ts";
import { drawTableFunction } from "./draw-table-function.ts";
import { drawWriter } from "./draw-writer.ts";
import { type Draw, type DrawnPlan, Plans } from "./plans.ts";

/** Partitions with so many rows get trees of aggregates. */
const rowsOfTrees = 300;

/** By kind of operator. */
const operatorKinds: Readonly<Record<string, Draw>> = {
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
  "unique id": (plans) => ({ kind: "AssignUniqueId", id: plans.id(), source: plans.source(), idVariable: plans.variable(BIGINT) }),
  "table writer": drawWriter,
  "table function": drawTableFunction,
};

/** By kind of operator, with rows that another reference than the naive evaluation knows. */
const referenced: Readonly<Record<string, (plans: Plans) => Promise<DrawnPlan>>> = {
  "match recognize": (plans) => drawPattern(plans, "match"),
  "window pattern": (plans) => drawPattern(plans, "window"),
};

export const planKinds: readonly string[] = [...Object.keys(operatorKinds), ...Object.keys(referenced)];

/** Operators that return rows in an order that does not depend on pages. */
const below: readonly string[] = ["filter", "project", "aggregation", "sort", "limit", "join", "union", "window", "mark distinct"];
/** The pages of the sets follow each other for each page of the input. */
const unordered: ReadonlySet<string> = new Set(["group id", "grouping sets", "table function"]);

export async function drawPlan(random: Random, kind: string): Promise<DrawnPlan> {
  const plans = new Plans(
    random,
    below.map((name) => operatorKinds[name] as Draw),
  );
  const special = referenced[kind];
  if (special !== undefined) {
    return special(plans);
  }
  const root = (operatorKinds[kind] as Draw)(plans);
  return { root, tables: plans.tables, ordered: !unordered.has(kind) };
}
