/**
 * Planning SQL over a node's catalogs: parses, has the plan room plan, and turns what it says into what the dispatcher does. Made once by node.ts
 * for each coordinator.
 */
import type { ExecutionServices } from "../../execution/task/api.ts";
import { toQueryError } from "../../execution/driver/failure.ts";
import { evaluateConstant } from "../../execution/expressions/evaluate.ts";
import type { Connector } from "../../connectors/spi.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlanContext } from "../../planner/context.ts";
import { planStatement } from "../../planner/plan-statement.ts";
import type { PlannedQuery, PlannedStatement, SessionChange } from "../../planner/planned.ts";
import { checkSession, stageCountMax } from "../../planner/session-properties.ts";
import { runDataDefinition } from "../../planner/statements/definition/data-definition.ts";
import type { Statement } from "../../sql/ast/ast.ts";
import { parseStatement } from "../../sql/parser/parser.ts";
import { clientTypeText } from "../../types/type-text.ts";
import { displayType } from "../../types/type.ts";
import type { CoordinatorConfig } from "../context.ts";
import { sessionDefaults } from "../limits/query-limits.ts";
import { checkStageCount } from "../limits/stage-count.ts";
import type { Planned, Planner } from "./planner.ts";
import type { Query } from "./query.ts";
import { type SessionEffects, sessionFacts, shownTypeTexts } from "./session.ts";
import { requireAllowed, type Transaction, Transactions } from "./transactions.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { isHeaderText } from "../../protocol/http/header-text.ts";
import { zoneKeyOf } from "../../types/time/zones.ts";

export interface SqlPlannerOptions {
  readonly catalogs: {
    /** Sorted. */
    readonly names: readonly string[];
    /** Throws CATALOG_NOT_FOUND. */
    connector(name: string): Connector;
  };
  readonly services: ExecutionServices;
  readonly nodeVersion: string;
  readonly config: CoordinatorConfig;
}

export function createSqlPlanner(options: SqlPlannerOptions): Planner {
  const transactions = new Transactions(options.services.ports);
  return {
    openTransactions: () => transactions.all(),
    prepare: (sql) => {
      const statement = parseStatement(sql);
      return {
        plan: async (query, memory) => {
          const transaction = transactionOf(query, transactions, statement.kind);
          const context = planContext(options, query, memory);
          const planned = await planStatement(statement, context);
          if (transaction !== undefined) {
            requireAllowed(planned, transaction, (catalog) => context.catalogs.connector(catalog));
          }
          if (planned.kind === "query") {
            checkStages(planned, query, options.config);
          }
          return plannedOf(planned, context, (change) => effectsOf(change, { query, transaction, transactions }));
        },
      };
    },
  };
}

function checkStages({ plan, sessionProperties }: PlannedQuery, query: Query, config: CoordinatorConfig): void {
  const warning = checkStageCount(plan.fragments.length, {
    countMax: stageCountMax({ ...query.session.properties, ...sessionProperties }) ?? config.queryMaxStageCount,
    warningThreshold: config.stageCountWarningThreshold,
  });
  query.planWarnings = warning === undefined ? [] : [warning];
}

/** A statement that fails takes its transaction with it. */
function transactionOf(query: Query, transactions: Transactions, kind: Statement["kind"]): Transaction | undefined {
  const { transactionId } = query.session;
  // A client rolls back after a COMMIT that failed, and after its transaction was idle for too long: then it has what it wants.
  if (transactionId === undefined || (kind === "Rollback" && !transactions.has(transactionId))) {
    return undefined;
  }
  const transaction = transactions.use(transactionId, kind === "Commit" || kind === "Rollback");
  query.onEnd(() => {
    if (query.failure !== undefined) {
      transaction.isAborted = true;
    }
  });
  return transaction;
}

function planContext(options: SqlPlannerOptions, query: Query, memory: MemoryContext): PlanContext {
  const { catalogs, config, services } = options;
  const session = sessionFacts(query.session);
  if (zoneKeyOf(session.timeZone) === undefined) {
    throw new QueryError("INVALID_SESSION_PROPERTY", `Time zone not supported: ${session.timeZone}`);
  }
  const typeTexts = shownTypeTexts(query.session);
  checkSession(session.properties, (name) => catalogs.names.includes(name));
  const path = query.session.path ?? config.sqlPath;
  return {
    catalogs: {
      names: () => catalogs.names,
      connector: (name) => (catalogs.names.includes(name) ? catalogs.connector(name) : undefined),
    },
    session: {
      ...session,
      preparedStatements: query.session.preparedStatements,
      clientTransactionSupport: query.session.clientTransactionSupport,
      clientPathSupport: query.session.clientCapabilities.includes("PATH"),
      clientAuthorizationSupport: query.session.clientCapabilities.includes("SESSION_AUTHORIZATION"),
      ...(path === undefined ? {} : { path }),
      ...(query.session.transactionId === undefined ? {} : { transactionId: query.session.transactionId }),
    },
    evaluateConstant: (expression) => {
      try {
        return evaluateConstant(services.runtime, memory, expression);
      } catch (error) {
        throw toQueryError(error, "constants");
      }
    },
    nodeVersion: options.nodeVersion,
    typeText: (type) => (typeTexts === undefined ? displayType(type) : clientTypeText(type, typeTexts)),
    sessionDefaults: sessionDefaults(config),
    ...(config.functionSchema !== undefined && { functionSchema: config.functionSchema }),
    drawSeed: () => {
      const stream = services.ports.random.stream("sql-random");
      return (BigInt(stream.nextInt(2 ** 32)) << 32n) | BigInt(stream.nextInt(2 ** 32));
    },
  };
}

function plannedOf(planned: PlannedStatement, context: PlanContext, effects: (change: SessionChange) => SessionEffects): Planned {
  switch (planned.kind) {
    case "query": {
      const { plan, ...rest } = planned;
      return { ...rest, fragments: plan.fragments };
    }
    case "dataDefinition":
      return {
        kind: "action",
        updateType: planned.updateType,
        run: async () => {
          await runDataDefinition(planned.definition, context);
          return {};
        },
      };
    case "session":
      return { kind: "action", updateType: planned.updateType, run: async () => effects(planned.change) };
  }
}

interface Surroundings {
  readonly query: Query;
  readonly transaction: Transaction | undefined;
  readonly transactions: Transactions;
}

function endTransaction({ query, transaction, transactions }: Surroundings, commits: boolean): SessionEffects {
  assert(transaction !== undefined || !commits, "checked in planning");
  // The client hears that it is over even where the commit fails.
  query.effects = { clearTransactionId: true };
  if (transaction !== undefined) {
    transactions.end(transaction, commits);
  }
  return query.effects;
}

/** The client is told of it in a header, which holds no control characters. */
function headerText(text: string, what: string): string {
  if (!isHeaderText(text)) {
    throw new QueryError("NOT_SUPPORTED", `${what} name has control characters, which a header cannot hold`);
  }
  return text;
}

function effectsOf(change: SessionChange, surroundings: Surroundings): SessionEffects {
  switch (change.action) {
    case "START_TRANSACTION":
      return { startedTransactionId: surroundings.transactions.begin(change.mode) };
    case "COMMIT":
    case "ROLLBACK":
      return endTransaction(surroundings, change.action === "COMMIT");
    case "USE":
      return {
        setSchema: headerText(change.schema, "Schema"),
        ...(change.catalog === undefined ? {} : { setCatalog: headerText(change.catalog, "Catalog") }),
      };
    case "SET_SESSION":
      return { setSession: { [change.name]: change.value } };
    case "SET_PATH":
      return { setPath: headerText(change.path, "Path") };
    case "SET_ROLE":
      return { setRole: { [change.catalog]: change.role } };
    case "SET_AUTHORIZATION":
      return { setAuthorizationUser: headerText(change.user, "User") };
    case "RESET_AUTHORIZATION":
      return { resetAuthorizationUser: true };
    case "RESET_SESSION":
      return { clearSession: [change.name] };
    case "PREPARE":
      return { addedPrepare: { [change.name]: change.sql } };
    case "DEALLOCATE":
      return { deallocatedPrepare: [change.name] };
  }
}
