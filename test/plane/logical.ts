/**
 * Random logical plans, drawn as trees of nodes and not from SQL. The optimizer's plan, and its plan without each rule, have the rows that
 * the naive evaluation gives to the plan as it was drawn. One of the plans also runs, in one task or in stages.
 */
import { KernelRuntime } from "../../src/codegen/runtime.ts";
import { evaluateConstant } from "../../src/execution/expressions/evaluate.ts";
import { createNodeMemory } from "../../src/memory/allocator.ts";
import { optimizeByRules, optimizeDistributedInSteps } from "../../src/planner/optimizer/optimizer.ts";
import { atOnce } from "../../src/planner/pieces.ts";
import type { RuleContext } from "../../src/planner/optimizer/rules/rule.ts";
import { type RuleName, ruleTable } from "../../src/planner/optimizer/rule-table.ts";
import { Estimator, type TableFacts } from "../../src/planner/optimizer/stats/stats-calculator.ts";
import { PlanIds } from "../../src/planner/plan/ids.ts";
import { outputsOf, type PlanNode, type TableReference, type WindowNode } from "../../src/planner/plan/node.ts";
import { rewritePlan, visitPlan } from "../../src/planner/plan/plan-tree.ts";
import { knobsOf } from "../../src/ports/knobs.ts";
import { BIGINT } from "../../src/types/type.ts";
import { drawKnobs } from "../oracle/fuzz/known/known.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { runDistributed } from "./distributed.ts";
import { drawWindow } from "./draw-window.ts";
import { evaluatePlan, type Inputs } from "./naive/plans.ts";
import { type Draw, Plans, type Table } from "./plans.ts";
import { describe, difference, drawSetting, judged, runPlan } from "./run.ts";
import { keyOf, type Row } from "./values.ts";

const rules: readonly RuleName[] = ruleTable.flatMap(({ name, required }) => (required === undefined ? [name] : []));
/** Rules that are tried one by one for a plan. */
const rulesPerPlan = 6;
/** Joins of larger inputs would take the naive evaluation too long. */
const rowsMax = 2_000;

/**
 * Nodes whose rows do not depend on the order of their input. The order of equal keys, and which of 0 and -0 stands for a group, is free,
 * so rows are compared without it.
 */
const nodes: readonly Draw[] = [
  (plans) => plans.filter(),
  (plans) => plans.filter(),
  (plans) => plans.project(),
  (plans) => plans.join(),
  (plans) => plans.join(true),
  (plans) => plans.joinOf(plans.source(), plans.source()),
  (plans) => plans.joinOf(plans.source(), plans.source()),
  (plans) => plans.nestedLoop(),
  (plans) => plans.semiJoin(),
  (plans) => plans.union(),
  (plans) => plans.distinct(),
  (plans) => grouped(plans),
  (plans) => grouped(plans),
  (plans) => plans.groupingSets(),
  (plans) => sortedRows(plans),
  (plans) => setWindow(plans),
  (plans) => setWindow(plans),
  (plans) => withOneRow(plans),
  (plans) => plans.unnest(),
  (plans) => plans.sample(),
  (plans) => plans.values(),
];

/** As for a scalar subquery: all rows beside the one row of an aggregation. */
function withOneRow(plans: Plans): PlanNode {
  const { aggregates, ...aggregation } = plans.aggregation();
  const kept = aggregates.filter(({ name }) => name !== "arbitrary");
  const counted = { output: plans.variable(BIGINT), name: "count", argumentTypes: [], args: [] };
  const total: PlanNode = { ...aggregation, keys: [], aggregates: [...kept, counted] };
  const one: PlanNode = { kind: "EnforceSingleRow", id: plans.id(), source: total };
  const left = plans.source();
  const all = [...outputsOf(left), ...outputsOf(one)];
  const filter = plans.random.chance(50) ? { filter: plans.condition(all) } : {};
  return {
    kind: "Join",
    id: plans.id(),
    type: "LEFT",
    left,
    right: one,
    criteria: [],
    outputs: all,
    distribution: "REPLICATED",
    ...filter,
  };
}

/** Aggregates of the group's set of rows. */
function grouped(plans: Plans): PlanNode {
  const node = plans.aggregation();
  return { ...node, aggregates: node.aggregates.filter(({ name }) => name !== "arbitrary") };
}

/** A limit over a total order; arrays have none, and neither have 0 and -0. */
function sortedRows(plans: Plans): PlanNode {
  const source = plans.source();
  const outputs = outputsOf(source);
  const orderBy = plans.random.shuffle(outputs).map((variable) => ({ variable, descending: plans.random.chance(50), nullsFirst: true }));
  const sort: PlanNode = { kind: "Sort", id: plans.id(), source, orderBy };
  if (outputs.some(({ type }) => type.kind === "array" || type.kind === "real" || type.kind === "double")) {
    return sort;
  }
  const count = plans.random.pick([0, 1, 3, 10]);
  const offset: PlanNode = plans.random.chance(30) ? { kind: "Offset", id: plans.id(), source: sort, count: 1 } : sort;
  return plans.random.chance(50)
    ? { kind: "Limit", id: plans.id(), source: offset, count, partial: false }
    : { kind: "TopN", id: plans.id(), source, count: Math.max(1, count), orderBy, step: "SINGLE" };
}

/** Ranks, and aggregates over frames that end between groups of peers. */
function setWindow(plans: Plans): PlanNode {
  const node = drawWindow(plans, plans.source()) as WindowNode;
  const frame = {
    type: "RANGE",
    start: { type: "UNBOUNDED_PRECEDING" },
    end: { type: plans.random.pick(["CURRENT_ROW", "UNBOUNDED_FOLLOWING"] as const) },
  } as const;
  const ordered = new Set(["row_number", "first_value", "last_value", "nth_value", "lag", "lead", "arbitrary"]);
  const functions = node.functions.map((call) =>
    ordered.has(call.name)
      ? { output: plans.variable(BIGINT), name: "count", argumentTypes: [], args: [], ignoreNulls: false, frame }
      : { ...call, frame },
  );
  return { ...node, functions };
}

/** Names of later nodes and variables are not those of the drawn plan. */
function idsAfter(plans: Plans): PlanIds {
  const ids = new PlanIds();
  for (let last = Number(plans.id()); last >= 0; last--) {
    ids.node();
    ids.variable("drawn", BIGINT);
  }
  return ids;
}

/** Exact statistics of the drawn rows. */
function factsOf(tables: readonly Table[]): (table: TableReference) => TableFacts {
  const facts = new Map(
    tables.map(({ rows, scan }) => {
      const distinct = scan.columns.map((_, column) => new Set(rows.map((row) => keyOf([row[column] ?? null]))));
      const isUnique = (column: number): boolean => distinct[column]?.size === rows.length && rows.every((row) => row[column] !== null);
      const columns = Object.fromEntries(scan.columns.map(({ name }, column) => [name, { distinctValues: distinct[column]?.size ?? 0 }]));
      const uniqueKeys = scan.columns.flatMap(({ name }, column) => (isUnique(column) ? [[name]] : []));
      return [scan.table.name.table, { rowCount: rows.length, columns, uniqueKeys }];
    }),
  );
  return ({ name }) => facts.get(name.table) ?? { columns: {} };
}

function contextOf(plans: Plans, tables: readonly Table[], off: readonly RuleName[]): RuleContext {
  const { random } = plans;
  return {
    ids: idsAfter(plans),
    estimator: new Estimator(random.chance(30) ? () => ({ columns: {} }) : factsOf(tables)),
    session: {
      dynamicFiltering: random.chance(70),
      joinDistribution: random.pick(["AUTOMATIC", "PARTITIONED", "BROADCAST"]),
      joinReordering: random.pick(["AUTOMATIC", "AUTOMATIC", "NONE", "ELIMINATE_CROSS_JOINS"]),
    },
    rulesOff: new Set(off),
    knobs: knobsOf(drawKnobs(random, [0, 10, 40])),
    evaluateConstant: (expression) => {
      evaluator ??= createEvaluator();
      return evaluator(expression);
    },
  };
}

/** The engine's evaluation of constants, which has tests of its own. Made when the first plan needs it. */
let evaluator: RuleContext["evaluateConstant"] | undefined;

function createEvaluator(): RuleContext["evaluateConstant"] {
  const { linear, root } = createNodeMemory({ sizeBytes: 16 * 1024 * 1024 });
  const runtime = new KernelRuntime({ linear, backend: "interpreter" });
  const memory = root.child("constants");
  return (expression) => evaluateConstant(runtime, memory, expression);
}

function outputOf(plans: Plans, source: PlanNode): PlanNode {
  const all = outputsOf(source);
  const kept = all.filter(() => plans.random.chance(75));
  const outputs = kept.length === 0 ? all.slice(0, 1) : kept;
  return { kind: "Output", id: plans.id(), source, columnNames: outputs.map(({ name }) => name), outputs };
}

/** Without the sign of zeros. */
function plain(row: Row): Row {
  return row.map((value) => (Object.is(value, -0) ? 0 : value));
}

function inputsOf(tables: readonly Table[]): Inputs {
  return new Map(tables.map(({ scan, rows }) => [scan.id, rows]));
}

/** As the analyzer makes plans: dynamic filters are the optimizer's to add. RIGHT joins, which it writes as LEFT, are for the rules. */
function asAnalyzed(node: PlanNode): PlanNode {
  if (node.kind !== "TableScan" && node.kind !== "Join") {
    return node;
  }
  const { dynamicFilters: _, ...rest } = node;
  return rest;
}

/** Draws a plan and returns the difference of one of its other plans, or undefined. */
export async function checkLogicalPlan(random: Random): Promise<string | undefined> {
  const plans = new Plans(random, nodes, { depth: 4, percent: 80, rows: [0, 1, 3, 6, 10] });
  const root = rewritePlan(outputOf(plans, random.pick(nodes)(plans)), asAnalyzed);
  const { tables } = plans;
  const expected = evaluatePlan(root, inputsOf(tables)).map(plain);
  if (expected.length > rowsMax) {
    return undefined;
  }
  const switches: readonly (readonly RuleName[])[] = [
    [],
    ...Array.from({ length: rulesPerPlan }, () => [random.pick(rules)]),
    rules.filter(() => random.chance(50)),
  ];
  const ran = random.below(switches.length);
  for (const [index, off] of switches.entries()) {
    let optimized: PlanNode = root;
    const wrong = await judged(async () => {
      optimized = atOnce(optimizeByRules(root, contextOf(plans, tables, off), false));
      const left = scanned(tables, optimized);
      const naive = difference(evaluatePlan(optimized, inputsOf(left)).map(plain), expected, false);
      if (naive !== undefined || index !== ran) {
        return naive;
      }
      const context = contextOf(plans, tables, off);
      const setting = drawSetting(random);
      if (random.chance(50)) {
        const tablesOf = (part: PlanNode): readonly Table[] => scanned(tables, part);
        const rows = await runDistributed({ plan: optimized, context, tablesOf, setting, random });
        return difference(rows.map(plain), expected, false);
      }
      // In one task, every join may have a filter.
      optimized = random.chance(50) ? atOnce(optimizeDistributedInSteps(optimized, context)) : optimized;
      const found = await runPlan({ root: optimized, tables: scanned(tables, optimized), ordered: false }, setting, random);
      return difference(found.map(plain), expected, false);
    });
    if (wrong !== undefined) {
      return `logical plan without [${off.join(", ")}]: ${wrong}\n  ${describe({ root, tables, ordered: false })}\n  optimized: ${JSON.stringify(optimized)}`;
    }
  }
  return undefined;
}

/** The tables by the scans that are left in the plan. */
function scanned(tables: readonly Table[], plan: PlanNode): readonly Table[] {
  const left: Table[] = [];
  visitPlan(plan, (node) => {
    if (node.kind !== "TableScan") {
      return;
    }
    const table = tables.find(({ scan }) => scan.table.name.table === node.table.name.table) as Table;
    const places = node.columns.map(({ name }) => table.scan.columns.findIndex((column) => column.name === name));
    left.push({ scan: node, rows: table.rows.map((row) => places.map((place) => row[place] ?? null)) });
  });
  return left;
}
