/**
 * EXPLAIN: the plan as text, JSON or a GraphViz graph. TYPE VALIDATE only checks the statement.
 */
import type { Explain, Query, Statement } from "../../../sql/ast/ast.ts";
import { printStatement } from "../../../sql/printer/printer.ts";
import { VARCHAR } from "../../../types/type.ts";
import { QueryError } from "../../../protocol/errors.ts";
import type { PlanContext } from "../../context.ts";
import { analyzeInTurns, optimizeInTurns, startAnalysis } from "../../plan-query.ts";
import { cast } from "../../plan/expression-tree.ts";
import type { PlannedQuery, PlannedStatement } from "../../planned.ts";
import { renumberNodes } from "../../fragmenter/fragmenter.ts";
import type { TableReference } from "../../plan/node.ts";
import { ioDocument } from "../../explain/print-io.ts";
import { fragmentDocuments, graphOfFragments, graphOfPlan, planDocument } from "../../explain/print-documents.ts";
import { printAnalyzedPlan } from "../../explain/print-analysis.ts";
import { printFragments, printPlan } from "../../explain/print.ts";
import { withSharedPlans } from "../../fragmenter/shared-plans.ts";
import { executedStatement } from "../session/prepared.ts";
import { querySession } from "../session/query-session.ts";
import { hasPlan } from "../statement-kinds.ts";
import { booleanColumn, planRows, varcharColumn } from "../values.ts";

type PlanStatement = (statement: Statement, context: PlanContext) => Promise<PlannedStatement>;

export async function planExplain(given: Explain, context: PlanContext, planStatement: PlanStatement): Promise<PlannedQuery> {
  const explained = executedStatement(given.statement, context);
  const statement = { ...given, statement: explained };
  const isPlanned = hasPlan(explained);
  if (statement.analyze) {
    if (!isPlanned) {
      throw notAnalyzable(explained.kind);
    }
    return planAnalyzed(statement, context, planStatement);
  }
  const format = statement.format ?? "TEXT";
  const type = statement.type ?? "DISTRIBUTED";
  if (type === "VALIDATE") {
    if (isPlanned) {
      await planStatement(explained, context);
    }
    return planRows([booleanColumn("Valid")], [[true]]);
  }
  if (!isPlanned) {
    return planRows([varcharColumn("Query Plan")], [[printStatement(explained)]]);
  }
  if (type === "IO") {
    return planRows([varcharColumn("Query Plan")], [[await explainIo(explained, context, planStatement)]]);
  }
  return planRows([varcharColumn("Query Plan")], [[await explain(explained, { type, format }, context, planStatement)]]);
}

/** EXPLAIN ANALYZE runs the statement and returns its statistics. */
async function planAnalyzed(statement: Explain, context: PlanContext, planStatement: PlanStatement): Promise<PlannedQuery> {
  const inner = statement.statement;
  const planned = await planStatement(inner, context);
  if (planned.kind !== "query") {
    throw notAnalyzable(inner.kind);
  }
  if (planned.analyze !== undefined) {
    throw notAnalyzable("ExplainAnalyze");
  }
  const { tables } = await startAnalysis(statement, context);
  const { updateType: _updateType, plan, ...rest } = planned;
  const statisticsOf = (table: TableReference) => tables.statisticsOf(table);
  return {
    ...rest,
    plan,
    columns: [varcharColumn("Query Plan")],
    analyze: (tasksOf) => printAnalyzedPlan({ plan, statisticsOf, verbose: statement.verbose, tasksOf }),
  };
}

function notAnalyzable(kind: string): Error {
  return new QueryError("NOT_SUPPORTED", `EXPLAIN ANALYZE doesn't support statement type: ${kind}`);
}

/** EXPLAIN (TYPE IO) always returns JSON. */
async function explainIo(statement: Statement, context: PlanContext, planStatement: PlanStatement): Promise<string> {
  const planned = await planStatement(statement, context);
  if (planned.kind !== "query") {
    return JSON.stringify({ inputTableColumnInfos: [] }, null, 2);
  }
  const { tables } = await startAnalysis(statement, context);
  const document = ioDocument(planned.plan, {
    statisticsOf: (table) => tables.statisticsOf(table),
    textOf: (value) => String(context.evaluateConstant(cast(value, VARCHAR))),
  });
  return JSON.stringify(document, null, 2);
}

interface ExplainOptions {
  readonly type: "LOGICAL" | "DISTRIBUTED";
  readonly format: "TEXT" | "GRAPHVIZ" | "JSON";
}

async function explain(
  statement: Statement,
  { type, format }: ExplainOptions,
  context: PlanContext,
  planStatement: PlanStatement,
): Promise<string> {
  if (statement.kind === "Query" && type === "LOGICAL") {
    return explainLogical(statement, format, context);
  }
  const planned = await planStatement(statement, context);
  if (planned.kind !== "query") {
    const isAtSource = planned.kind === "dataDefinition" && planned.definition.action === "CHANGE_ROWS";
    return isAtSource ? planned.definition.description : printStatement(statement);
  }
  const { tables } = await startAnalysis(statement, context);
  const statisticsOf = (table: TableReference) => tables.statisticsOf(table);
  switch (format) {
    case "TEXT":
      return printFragments(planned.plan, statisticsOf);
    case "JSON":
      return JSON.stringify(fragmentDocuments(planned.plan, statisticsOf), null, 2);
    case "GRAPHVIZ":
      return graphOfFragments(planned.plan);
  }
}

async function explainLogical(query: Query, format: ExplainOptions["format"], given: PlanContext): Promise<string> {
  const { context } = await querySession(query, given);
  const analysis = await startAnalysis(query, context);
  const { root, shared, estimator } = await optimizeInTurns(await analyzeInTurns(query, analysis), analysis);
  const plan = renumberNodes(withSharedPlans(root, shared));
  switch (format) {
    case "TEXT":
      return printPlan(plan, estimator);
    case "JSON":
      return JSON.stringify(planDocument(plan, estimator), null, 2);
    case "GRAPHVIZ":
      return graphOfPlan(plan);
  }
}
