/**
 * Entry point of the planner: turns a parsed statement into the work for the coordinator.
 */
import type { Query, Statement } from "../sql/ast/ast.ts";
import { requireStatementRights } from "./access/statement-rights.ts";
import type { PlanContext } from "./context.ts";
import { analyzeInTurns, finishInTurns, optimizeInTurns, startAnalysis } from "./plan-query.ts";
import type { PlannedQuery, PlannedStatement } from "./planned.ts";
import {
  planAddColumn,
  planAnalyze,
  planDropColumn,
  planRenameColumn,
  planRenameSchema,
  planRenameTable,
  planSetColumnDefault,
  planSetColumnNullable,
  planSetColumnType,
  planSetTableProperties,
  planTableExecute,
  planTruncate,
} from "./statements/definition/alter.ts";
import { planCall } from "./statements/call.ts";
import { planCreateCatalog, planDropCatalog } from "./statements/definition/catalogs.ts";
import { planComment } from "./statements/definition/comment.ts";
import { planCreateSchema, planCreateTable, planDropSchema, planDropTable } from "./statements/definition/data-definition.ts";
import {
  planCreateMaterializedView,
  planDropMaterializedView,
  planRefreshMaterializedView,
  planRenameMaterializedView,
} from "./statements/definition/materialized-views.ts";
import { planMerge } from "./statements/write/merge.ts";
import { planDelete, planUpdate } from "./statements/write/rewrite.ts";
import { planGrant, planSetAuthorization, planShowGrants } from "./statements/definition/grants.ts";
import {
  planCreateRole,
  planDropRole,
  planGrantRoles,
  planSessionAuthorization,
  planSetRole,
  planShowRoles,
} from "./statements/definition/roles.ts";
import { planCreateFunction, planDropFunction } from "./statements/definition/routines.ts";
import { planEndTransaction, planStartTransaction } from "./statements/session/transactions.ts";
import { planCreateView, planDropView, planRenameView } from "./statements/definition/views.ts";
import { planDescribeInput, planDescribeOutput } from "./statements/show/describe.ts";
import { planExplain } from "./statements/show/explain.ts";
import { planDeallocate, planPrepare, preparedStatement } from "./statements/session/prepared.ts";
import { querySession } from "./statements/session/query-session.ts";
import { planResetSession, planSetPath, planSetSession, planSetTimeZone, planShowSession, planUse } from "./statements/session/session.ts";
import {
  planShowCatalogs,
  planShowColumns,
  planShowCreate,
  planShowFunctions,
  planShowSchemas,
  planShowTables,
} from "./statements/show/show.ts";
import { planShowStats } from "./statements/show/show-stats.ts";
import { planCreateTableAs, planInsert } from "./statements/write/write.ts";

async function planQueryStatement(statement: Query, given: PlanContext): Promise<PlannedQuery> {
  const { context, sessionProperties } = await querySession(statement, given);
  const analysis = await startAnalysis(statement, context);
  await context.turn?.();
  const analyzed = await analyzeInTurns(statement, analysis);
  await context.turn?.();
  const optimized = await optimizeInTurns(analyzed, analysis);
  await context.turn?.();
  const planned = await finishInTurns(optimized, analysis);
  return sessionProperties === undefined ? planned : { ...planned, sessionProperties };
}

/** Throws PERMISSION_DENIED if the user has not the rights that the statement needs. */
export async function planStatement(statement: Statement, context: PlanContext): Promise<PlannedStatement> {
  requireStatementRights(statement, context);
  switch (statement.kind) {
    case "Query":
      return planQueryStatement(statement, context);
    case "Explain":
      return planExplain(statement, context, planStatement);
    case "ShowCatalogs":
      return planShowCatalogs(statement, context);
    case "ShowSchemas":
      return planShowSchemas(statement, context);
    case "ShowTables":
      return planShowTables(statement, context);
    case "ShowColumns":
      return planShowColumns(statement, context);
    case "ShowFunctions":
      return planShowFunctions(statement, context);
    case "ShowSession":
      return planShowSession(statement, context);
    case "ShowStats":
      return planShowStats(statement, context);
    case "ShowCreate":
      return planShowCreate(statement, context);
    case "DescribeInput":
      return planDescribeInput(statement, context);
    case "DescribeOutput":
      return planDescribeOutput(statement, context, planStatement);
    case "ShowRoles":
    case "ShowRoleGrants":
      return planShowRoles(statement, context);
    case "ShowGrants":
      return planShowGrants(statement, context);
    case "SetSessionAuthorization":
    case "ResetSessionAuthorization":
      return planSessionAuthorization(statement, context);
    case "SetRole":
      return planSetRole(statement, context);
    case "CreateTable":
      return planCreateTable(statement, context);
    case "CreateTableAsSelect":
      return planCreateTableAs(statement, context);
    case "Insert":
      return planInsert(statement, context);
    case "DropTable":
      return planDropTable(statement, context);
    case "CreateCatalog":
      return planCreateCatalog(statement, context);
    case "DropCatalog":
      return planDropCatalog(statement);
    case "CreateSchema":
      return planCreateSchema(statement, context);
    case "DropSchema":
      return planDropSchema(statement, context);
    case "RenameSchema":
      return planRenameSchema(statement, context);
    case "CreateFunction":
      return planCreateFunction(statement, context);
    case "DropFunction":
      return planDropFunction(statement, context);
    case "CreateView":
      return planCreateView(statement, context);
    case "DropView":
      return planDropView(statement, context);
    case "RenameView":
      return planRenameView(statement, context);
    case "RenameTable":
      return planRenameTable(statement, context);
    case "AddColumn":
      return planAddColumn(statement, context);
    case "DropColumn":
      return planDropColumn(statement, context);
    case "RenameColumn":
      return planRenameColumn(statement, context);
    case "Comment":
      return planComment(statement, context);
    case "Analyze":
      return planAnalyze(statement, context);
    case "TruncateTable":
      return planTruncate(statement, context);
    case "SetTimeZone":
      return planSetTimeZone(statement, context);
    case "Grant":
      return planGrant(statement, context);
    case "GrantRoles":
      return planGrantRoles(statement, context);
    case "CreateRole":
      return planCreateRole(statement, context);
    case "DropRole":
      return planDropRole(statement, context);
    case "SetAuthorization":
      return planSetAuthorization(statement, context);
    case "CreateMaterializedView":
      return planCreateMaterializedView(statement, context);
    case "RefreshMaterializedView":
      return planRefreshMaterializedView(statement, context);
    case "DropMaterializedView":
      return planDropMaterializedView(statement, context);
    case "RenameMaterializedView":
      return planRenameMaterializedView(statement, context);
    case "SetColumnType":
      return planSetColumnType(statement, context);
    case "SetColumnDefault":
      return planSetColumnDefault(statement, context);
    case "SetColumnNullable":
      return planSetColumnNullable(statement, context);
    case "SetTableProperties":
      return planSetTableProperties(statement, context);
    case "TableExecute":
      return planTableExecute(statement, context);
    case "Merge":
      return planMerge(statement, context);
    case "SetPath":
      return planSetPath(statement, context);
    case "Delete":
      return planDelete(statement, context);
    case "Update":
      return planUpdate(statement, context);
    case "Use":
      return planUse(statement, context);
    case "SetSession":
      return planSetSession(statement, context);
    case "ResetSession":
      return planResetSession(statement, context);
    case "Prepare":
      return planPrepare(statement);
    case "Execute":
    case "ExecuteImmediate":
      return planStatement(preparedStatement(statement, context), context);
    case "Deallocate":
      return planDeallocate(statement, context);
    case "Commit":
    case "Rollback":
      return planEndTransaction(statement, context);
    case "StartTransaction":
      return planStartTransaction(statement, context);
    case "Call":
      return planCall(statement, context);
  }
}
