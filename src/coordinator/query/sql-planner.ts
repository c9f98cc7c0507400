/**
 * Planning SQL over a node's catalogs: parses a statement, checks the transaction that it is in, and has it planned with what the session
 * says.
 */
import { withTurns } from "../../planner/pieces.ts";
import type { ExecutionServices } from "../../execution/task/api.ts";
import { toQueryError } from "../../execution/driver/failure.ts";
import { constantBudget, evaluateConstant } from "../../execution/expressions/evaluate.ts";
import type { CatalogSecurity } from "../../security/sql-standard/catalog-security.ts";
import type { Connector } from "../../connectors/spi.ts";
import type { MemoryContext } from "../../memory/memory.ts";
import type { PlanContext } from "../../planner/context.ts";
import { requireQueryRights } from "../../planner/access/statement-rights.ts";
import { planStatement } from "../../planner/plan-statement.ts";
import { accessOf } from "../../security/sql-standard/secured-access.ts";
import type { AccessControl } from "../../security/access-control.ts";
import type { GroupsOf } from "../../security/user-groups.ts";
import { checkSession } from "../../planner/session-properties.ts";
import type { Statement } from "../../sql/ast/ast.ts";
import { knobOf } from "../../ports/knobs.ts";
import type { Random, RandomStream } from "../../ports/random.ts";
import { parseStatement, parseStatementInPieces } from "../../sql/parser/parser.ts";
import { clientTypeText } from "../../types/type-text.ts";
import { displayType } from "../../types/type.ts";
import type { CoordinatorConfig } from "../context.ts";
import { sessionDefaults } from "../limits/query-limits.ts";
import { PlanCache } from "./plan-cache.ts";
import { statementFacts } from "../routing/statement-facts.ts";
import type { Planner, Prepared } from "./planner.ts";
import type { Query } from "./query.ts";
import { queryTypeOf } from "./statement-type.ts";
import { sessionFacts, shownTypeTexts } from "./session.ts";
import { requireAllowed, type Transaction, type Transactions } from "./transactions.ts";
import { QueryError } from "../../protocol/errors.ts";
import { zoneKeyOf } from "../../types/time/zones.ts";

export interface SqlPlannerOptions {
  readonly catalogs: {
    /** Catalog names, sorted. */
    readonly names: readonly string[];
    /** Of the catalogs that keep rights themselves, by name. */
    readonly securities: ReadonlyMap<string, CatalogSecurity>;
    /** Throws CATALOG_NOT_FOUND. */
    connector(name: string): Connector;
  };
  readonly services: ExecutionServices;
  /** Those that clients hold open on this coordinator. */
  readonly transactions: Transactions;
  readonly access: () => AccessControl | undefined;
  readonly groupsOf: GroupsOf;
  readonly nodeVersion: string;
  readonly config: CoordinatorConfig;
}

/** Length of statements that are planned in one slice, in UTF-16 units. */
const undividedUnits = 4_096;

export function createSqlPlanner(options: SqlPlannerOptions): Planner {
  const { transactions } = options;
  const cache = new PlanCache(knobOf(options.services.ports, "cached-plans"));
  const defaults = sessionDefaults(options.config);
  const prepared = (sql: string, statement: Statement): Prepared => ({
    queryType: queryTypeOf(statement.kind),
    isConditional: isConditional(statement),
    routing: (session) => statementFacts(statement, session),
    plan: async (query, memory) => {
      const rules = options.access();
      requireQueryRights(query.session, rules);
      const { securities } = options.catalogs;
      if (securities.size > 0) {
        await Promise.all([...securities.values()].map((security) => security.load()));
      }
      const { roles, user } = query.session;
      const access = accessOf(rules, securities, { user, roles });
      if (query.session.transactionId !== undefined) {
        await transactions.load();
      }
      const transaction = transactionOf(query, transactions, statement.kind);
      query.transaction = transaction;
      const context = planContext(options, { query, memory, access, defaults });
      const versions = [...securities.values()].map(({ version }) => version);
      const facts = [query.session.family, query.session.clientCapabilities, rules?.version, versions, options.groupsOf(user)];
      const request = { sql, statement, context, query, facts };
      const planned = await cache.plan(request, (watched) => planStatement(statement, withEnd(watched, query)));
      if (transaction !== undefined) {
        requireAllowed(planned, transaction, (catalog) => context.catalogs.connector(catalog));
      }
      return planned;
    },
  });
  return {
    prepare: (sql) => prepared(sql, cache.statement(sql) ?? parseStatement(sql)),
    prepareInTurns: async (sql, turn) => prepared(sql, await withTurns(parseStatementInPieces(sql), turn)),
  };
}

const conditions: ReadonlySet<string> = new Set(["ifExists", "ifNotExists", "tableExists", "columnExists", "columnNotExists"]);

function isConditional(statement: Statement): boolean {
  return Object.entries(statement).some(([name, value]) => value === true && conditions.has(name));
}

/** A failed statement aborts its transaction. */
function transactionOf(query: Query, transactions: Transactions, kind: Statement["kind"]): Transaction | undefined {
  const { transactionId } = query.session;
  // Clients send ROLLBACK after a failed COMMIT and after the idle timeout of their transaction. The transaction is gone then, so ROLLBACK
  // succeeds.
  if (transactionId === undefined || (kind === "Rollback" && !transactions.has(transactionId))) {
    return undefined;
  }
  const endsIt = kind === "Commit" || kind === "Rollback";
  const transaction = transactions.use(transactionId, { user: query.session.user, queryId: query.id, endsIt });
  query.onEnd(() => {
    if (query.failure !== undefined) {
      transactions.abort(transaction, query.id);
    }
    transactions.done(transaction);
  });
  return transaction;
}

/** The bits that an earlier plan of the query has drawn, and then further ones. */
function seedsOf({ drawn }: Query, random: Random): () => bigint {
  let next = 0;
  return () => {
    const bits = drawn[next] ?? drawBits(random.stream("sql-random"));
    drawn[next++] = bits;
    return bits;
  };
}

function drawBits(stream: RandomStream): bigint {
  return (BigInt(stream.nextInt(2 ** 32)) << 32n) | BigInt(stream.nextInt(2 ** 32));
}

interface Planning {
  readonly query: Query;
  readonly memory: MemoryContext;
  readonly access: AccessControl | undefined;
  /** Of the session's properties, from the configuration. */
  readonly defaults: Readonly<Record<string, string>>;
}

/** What the planner asks of catalogs ends with the query. */
function withEnd(context: PlanContext, query: Query): PlanContext {
  const { catalogs } = context;
  const connectors = new Map<string, Connector | undefined>();
  return {
    ...context,
    catalogs: {
      names: () => catalogs.names(),
      connector: (name) => {
        const known = connectors.get(name);
        if (known !== undefined) {
          return known;
        }
        const found = catalogs.connector(name);
        const connector = found?.forQuery === undefined ? found : { ...found, ...found.forQuery(query) };
        connectors.set(name, connector);
        return connector;
      },
    },
  };
}

function planContext(options: SqlPlannerOptions, { access, defaults, memory, query }: Planning): PlanContext {
  const { catalogs, config, services } = options;
  const session = sessionFacts(query.session);
  if (zoneKeyOf(session.timeZone) === undefined) {
    throw new QueryError("INVALID_SESSION_PROPERTY", `Time zone not supported: ${session.timeZone}`);
  }
  const typeTexts = shownTypeTexts(query.session);
  checkSession(session.properties, (name) => catalogs.names.includes(name));
  const path = query.session.path ?? config.sqlPath;
  const budget = constantBudget();
  return {
    catalogs: {
      names: () => catalogs.names,
      connector: (name) => (catalogs.names.includes(name) ? catalogs.connector(name) : undefined),
    },
    session: {
      ...session,
      groups: options.groupsOf(query.session.user),
      preparedStatements: query.session.preparedStatements,
      clientTransactionSupport: query.session.clientTransactionSupport,
      clientPathSupport: query.session.clientCapabilities.includes("PATH"),
      clientAuthorizationSupport: query.session.clientCapabilities.includes("SESSION_AUTHORIZATION"),
      ...(path === undefined ? {} : { path }),
      ...(query.session.transactionId === undefined ? {} : { transactionId: query.session.transactionId }),
    },
    ...(access?.restrictsData === true && { access }),
    evaluateConstant: (expression) => {
      try {
        return evaluateConstant(services.runtime, memory, expression, budget);
      } catch (error) {
        throw toQueryError(error, "constants");
      }
    },
    ...(query.sql.length > undividedUnits && { turn: () => services.ports.clock.turn(query.sql.length) }),
    knobs: services.ports.knobs,
    nodeVersion: options.nodeVersion,
    typeText: (type) => (typeTexts === undefined ? displayType(type) : clientTypeText(type, typeTexts)),
    sessionDefaults: defaults,
    ...(config.functionSchema !== undefined && { functionSchema: config.functionSchema }),
    drawSeed: seedsOf(query, services.ports.random),
  };
}
