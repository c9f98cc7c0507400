/**
 * Random PatternRecognition nodes: the patterns of ../oracle/patterns, analyzed, over a scan in place of their constant rows. The reference
 * knows no plan: its rows follow from the pattern.
 */
import fc from "fast-check";
import { analyzeQuery, startAnalysis } from "../../src/planner/plan-query.ts";
import type { PlanNode, TableScanNode } from "../../src/planner/plan/node.ts";
import { rewritePlan } from "../../src/planner/plan/plan-tree.ts";
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { type MatchRecognize, matchRecognizes, type WindowPattern, windowPatterns } from "../oracle/patterns/generator.ts";
import { recognize, recognizeWindow, Refused, type Row as PatternRow, TooLong, type Value } from "../oracle/patterns/reference.ts";
import { contextFor } from "../unit/planner/tpch-catalog.ts";
import type { DrawnPlan, Plans } from "./plans.ts";
import type { Row } from "./values.ts";

/** More partitions than a pattern's own table has, with numbers of their own. */
const tablesMax = 6;
const partsPerTable = 10;

/** `reference` may refuse the rows, or find that they have too many matches. */
interface Drawn {
  readonly sql: string;
  readonly rows: readonly PatternRow[];
  readonly reference: (rows: readonly PatternRow[]) => readonly (readonly Value[])[];
}

function drawn(one: MatchRecognize | WindowPattern): Drawn {
  const { recognition, rows, sql } = one;
  const reference: Drawn["reference"] =
    "frame" in one ? (given) => recognizeWindow(recognition, one.frame, given) : (given) => recognize(recognition, one.rowsPerMatch, given);
  return { sql, rows, reference };
}

const patterns = {
  match: matchRecognizes.map(drawn),
  window: windowPatterns.map(drawn),
} as const;

export async function drawPattern(plans: Plans, kind: keyof typeof patterns): Promise<DrawnPlan> {
  const { random } = plans;
  for (;;) {
    const [first] = fc.sample(patterns[kind], { numRuns: 1, seed: random.below(2 ** 31) }) as [Drawn];
    if (first.rows.every(({ v }) => v === null)) {
      // The column would have no type.
      continue;
    }
    const others = fc.sample(patterns[kind], { numRuns: random.below(tablesMax), seed: random.below(2 ** 31) });
    const rows = [first, ...others].flatMap((table, index) =>
      table.rows.map(({ part, id, v }) => ({ part: part + index * partsPerTable, id, v })),
    );
    try {
      const expected = first.reference(rows);
      return { ...(await planOver(plans, first.sql, rows)), expected, ordered: false };
    } catch (error) {
      if (!(error instanceof TooLong) && !(error instanceof Refused)) {
        throw error;
      }
    }
  }
}

/** The plan of the statement with a scan of these rows in place of its constant rows. */
async function planOver(plans: Plans, sql: string, rows: readonly PatternRow[]): Promise<Pick<DrawnPlan, "root" | "tables">> {
  const statement = parseStatement(sql);
  if (statement.kind !== "Query") {
    throw new Error("the patterns are queries");
  }
  const root = analyzeQuery(statement, await startAnalysis(statement, contextFor()));
  let table: { readonly scan: TableScanNode; readonly rows: readonly Row[] } | undefined;
  const replaced = rewritePlan(root, (node): PlanNode => {
    if (node.kind !== "Values") {
      return node;
    }
    const { outputs } = node;
    const scan: TableScanNode = {
      kind: "TableScan",
      id: node.id,
      table: { catalog: "test", name: { schema: "s", table: "t" }, handle: null, coordinatorOnly: false },
      outputs,
      columns: outputs.map(({ name, type }) => ({ name, type })),
    };
    table = { scan, rows: plans.random.shuffle(rows).map(({ part, id, v }) => [part, id, v]) };
    return scan;
  });
  if (table === undefined) {
    throw new Error(`no rows in the plan of ${sql}`);
  }
  return { root: replaced, tables: [table] };
}
