/**
 * Plans of queries that were planned before. A plan is kept only if all that it was made of is known: the statement, the session, the names
 * of the catalogs, and metadata of connectors that say when it changes (`changeCount`) or can be asked in which state their tables are
 * (`tableStates`). A statement that asks for the time of its start, draws random bits, or reads the metadata of any other connector is
 * planned each time.
 */
import { type Connector, type EndingQuery, metadataFor, type SchemaTableName } from "../../connectors/spi.ts";
import type { AskedTable, PlanContext, PlanSession } from "../../planner/context.ts";
import type { PlannedStatement } from "../../planner/planned.ts";
import type { Statement } from "../../sql/ast/ast.ts";

/** Longer statements are not kept, in characters. */
const statementLengthMax = 8192;

/** What a plan was made of. A catalog that was dropped and created again has another connector. */
interface Source {
  readonly connector: Connector | undefined;
  /** Changes of its metadata by its own operations so far; undefined if they, or others, are not known. */
  readonly changes: number | undefined;
}

/** The state of a table before a plan was made of it. */
interface TableState {
  readonly name: SchemaTableName;
  readonly state: string;
}

interface KeptPlan {
  readonly sql: string;
  readonly statement: Statement;
  readonly planned: PlannedStatement;
  /** By name of the catalog. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Tables that others may change, by name of the catalog. */
  readonly tables: ReadonlyMap<string, readonly TableState[]>;
}

export interface PlanRequest {
  readonly sql: string;
  readonly statement: Statement;
  readonly context: PlanContext;
  /** What waits for the states of tables ends with it. */
  readonly query: EndingQuery;
  /** Everything else of the session that a plan may show. */
  readonly facts: readonly unknown[];
}

export class PlanCache {
  readonly #plansMax: number;
  /** In order of the last use. */
  readonly #plans = new Map<string, KeptPlan>();
  /** The last plan of each text. */
  readonly #texts = new Map<string, KeptPlan>();

  constructor(plansMax: number) {
    this.#plansMax = plansMax;
  }

  /** The syntax tree of a text of which a plan is kept. */
  statement(sql: string): Statement | undefined {
    return this.#texts.get(sql)?.statement;
  }

  async plan(request: PlanRequest, make: (context: PlanContext) => Promise<PlannedStatement>): Promise<PlannedStatement> {
    const { context, query, sql, statement } = request;
    const isKeepable = (statement.kind === "Query" || statement.kind === "Execute") && context.session.transactionId === undefined;
    if (!isKeepable || sql.length > statementLengthMax || this.#plansMax === 0) {
      return make(context);
    }
    const key = keyOf(request);
    const kept = this.#plans.get(key);
    if (kept !== undefined) {
      this.#drop(key, kept);
      if (isOfSameSources(kept, context) && (kept.tables.size === 0 || (await isOfSameTables(kept, context, query)))) {
        this.#add(key, kept);
        return kept.planned;
      }
    }
    const watched = new WatchedContext(context, query);
    const planned = await make(watched.context);
    if (planned.kind === "query" && planned.write === undefined && watched.isRepeatable) {
      this.#keep(key, { sql, statement, planned, sources: watched.sources, tables: watched.tables });
    }
    return planned;
  }

  #keep(key: string, plan: KeptPlan): void {
    this.#add(key, plan);
    if (this.#plans.size > this.#plansMax) {
      const [oldest] = this.#plans;
      this.#drop(...(oldest as [string, KeptPlan]));
    }
  }

  #add(key: string, plan: KeptPlan): void {
    this.#plans.set(key, plan);
    this.#texts.set(plan.sql, plan);
  }

  #drop(key: string, plan: KeptPlan): void {
    this.#plans.delete(key);
    if (this.#texts.get(plan.sql) === plan) {
      this.#texts.delete(plan.sql);
    }
  }
}

/** The time of the start is not part of it, nor is the trace, which no plan shows. */
function keyOf({ context, facts, sql }: PlanRequest): string {
  const { startMillis: _, traceParent: _trace, ...session }: PlanSession & { readonly traceParent?: string } = context.session;
  return JSON.stringify([sql, session, context.catalogs.names(), facts]);
}

function sourceOf(connector: Connector | undefined): Source {
  const metadata = connector?.metadata;
  const isKnown = metadata === undefined || metadata.changesOnlyHere === true || hasTableStates(connector);
  return { connector, changes: isKnown ? (metadata !== undefined && "changeCount" in metadata ? metadata.changeCount : 0) : undefined };
}

function isSame(one: Source, other: Source): boolean {
  return one.connector === other.connector && one.changes !== undefined && one.changes === other.changes;
}

/** True if others may change the tables, which can be asked for their states. */
function hasTableStates(connector: Connector | undefined): boolean {
  return connector?.metadata.changesOnlyHere !== true && connector?.metadata.tableStates !== undefined;
}

function isOfSameSources({ sources }: KeptPlan, { catalogs }: PlanContext): boolean {
  return [...sources].every(([name, source]) => isSame(source, sourceOf(catalogs.connector(name))));
}

async function isOfSameTables(kept: KeptPlan, context: PlanContext, query: EndingQuery): Promise<boolean> {
  const isSameTable = async ([catalog, tables]: readonly [string, readonly TableState[]]): Promise<boolean> => {
    const names = tables.map(({ name }) => name);
    const states = await statesOf(context.catalogs.connector(catalog), names, query);
    return tables.every(({ state }, index) => states[index] === state);
  };
  const same = await Promise.all([...kept.tables].map(isSameTable));
  // An operation may have begun meanwhile.
  return same.every(Boolean) && isOfSameSources(kept, context);
}

async function statesOf(
  connector: Connector | undefined,
  names: readonly SchemaTableName[],
  query: EndingQuery,
): Promise<readonly (string | undefined)[]> {
  return (await (connector && metadataFor(connector, query))?.tableStates?.(names)) ?? [];
}

/** Notes what a plan is made of. */
class WatchedContext {
  readonly context: PlanContext;
  readonly sources = new Map<string, Source>();
  /** Of catalogs whose tables others may change. */
  readonly tables = new Map<string, TableState[]>();
  #hasUnknownTables = false;
  #isRepeatable = true;

  readonly #query: EndingQuery;

  constructor(given: PlanContext, query: EndingQuery) {
    this.#query = query;
    this.context = {
      ...given,
      catalogs: {
        names: () => given.catalogs.names(),
        connector: (name) => {
          const source = sourceOf(given.catalogs.connector(name));
          // The metadata that is read first counts: if it changes while the plan is made, the plan is not used again.
          this.sources.set(name, this.sources.get(name) ?? source);
          this.#isRepeatable &&= source.changes !== undefined;
          return source.connector;
        },
      },
      onTables: (tables) => this.#noteTables(tables, given),
      session: this.#watched(given.session),
      drawSeed: () => {
        this.#isRepeatable = false;
        return given.drawSeed();
      },
    };
  }

  /** True if another plan with the same key would be the same. */
  get isRepeatable(): boolean {
    const mayMiss = this.#hasUnknownTables && [...this.sources.values()].some(({ connector }) => hasTableStates(connector));
    return this.#isRepeatable && !mayMiss;
  }

  async #noteTables(asked: readonly AskedTable[] | undefined, { catalogs }: PlanContext): Promise<void> {
    this.#hasUnknownTables ||= asked === undefined || asked.some(({ isVersioned }) => isVersioned);
    for (const catalog of new Set(asked?.map((one) => one.catalog))) {
      const connector = catalogs.connector(catalog);
      if (hasTableStates(connector) && !this.#hasUnknownTables) {
        const names = (asked ?? []).filter((one) => one.catalog === catalog).map(({ name }) => name);
        const states = await statesOf(connector, names, this.#query);
        this.#addStates(catalog, names, states);
      }
    }
  }

  #addStates(catalog: string, names: readonly SchemaTableName[], states: readonly (string | undefined)[]): void {
    const tables = this.tables.get(catalog) ?? [];
    for (const [index, name] of names.entries()) {
      const state = states[index];
      this.#hasUnknownTables ||= state === undefined;
      tables.push({ name, state: state ?? "" });
    }
    this.tables.set(catalog, tables);
  }

  /** The time of the query's start is read only by what depends on it. */
  #watched(session: PlanSession): PlanSession {
    return Object.defineProperty({ ...session }, "startMillis", {
      get: () => {
        this.#isRepeatable = false;
        return session.startMillis;
      },
      enumerable: true,
    });
  }
}
