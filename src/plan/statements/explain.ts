/** EXPLAIN: the plan as text; TYPE VALIDATE only checks the statement. */
import type { Explain, Query, Statement } from "../../sql/ast.ts";
import { printStatement } from "../../sql/printer.ts";
import { notSupported } from "../analyzer/errors.ts";
import type { PlanContext } from "../context.ts";
import { analyzeQuery, optimizeQuery, startAnalysis } from "../plan-query.ts";
import type { PlannedQuery, PlannedStatement } from "../planned.ts";
import { renumberNodes } from "../fragmenter.ts";
import { printFragments, printPlan } from "../print.ts";
import { booleanColumn, planRows, varcharColumn } from "./values.ts";

type PlanStatement = (statement: Statement, context: PlanContext) => Promise<PlannedStatement>;

export async function planExplain(statement: Explain, context: PlanContext, planStatement: PlanStatement): Promise<PlannedQuery> {
  if (statement.analyze) throw notSupported(statement, "EXPLAIN ANALYZE is not supported");
  const format = statement.format ?? "TEXT";
  if (format !== "TEXT") throw notSupported(statement, `EXPLAIN format ${format} is not supported`);
  const type = statement.type ?? "DISTRIBUTED";
  if (type === "IO") throw notSupported(statement, "EXPLAIN type IO is not supported");
  if (type === "VALIDATE") {
    await planStatement(statement.statement, context);
    return planRows([booleanColumn("Valid")], [[true]]);
  }
  return planRows([varcharColumn("Query Plan")], [[await explain(statement.statement, type, context, planStatement)]]);
}

async function explain(
  statement: Statement,
  type: "LOGICAL" | "DISTRIBUTED",
  context: PlanContext,
  planStatement: PlanStatement,
): Promise<string> {
  if (statement.kind === "Query" && type === "LOGICAL") return explainLogical(statement, context);
  const planned = await planStatement(statement, context);
  if (planned.kind !== "query") return printStatement(statement);
  const { tables } = await startAnalysis(statement, context);
  return printFragments(planned.plan, (table) => tables.statisticsOf(table));
}

async function explainLogical(query: Query, context: PlanContext): Promise<string> {
  const analysis = await startAnalysis(query, context);
  const { root, estimator } = optimizeQuery(analyzeQuery(query, analysis), analysis);
  return printPlan(renumberNodes(root), estimator);
}
