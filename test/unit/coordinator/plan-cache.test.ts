/** Plans are kept only while all that they were made of is the same. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/spi.ts";
import { withInformationSchema } from "../../../src/connectors/shared/information-schema.ts";
import { PlanCache } from "../../../src/coordinator/query/plan-cache.ts";
import type { PlanContext, PlanSession } from "../../../src/planner/context.ts";
import { planStatement } from "../../../src/planner/plan-statement.ts";
import type { PlannedStatement } from "../../../src/planner/planned.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { TestPlanner, tpchConnector } from "../../support/planning.ts";

const query = { onEnd: () => undefined };
const tpch = tpchConnector();
/** The same tables in a connector that does not promise to keep them. */
const changing: Connector = {
  ...tpch,
  metadata: {
    listSchemas: () => tpch.metadata.listSchemas(),
    listTables: (schema) => tpch.metadata.listTables(schema),
    getTable: (name) => tpch.metadata.getTable(name),
  },
  getSplits: (table, columns) => tpch.getSplits(table, columns),
  createPageSource: (request) => tpch.createPageSource(request),
};

/** The same tables in a connector that changes by its own operations only. */
let finishOperation: () => void = () => undefined;
const kept = withInformationSchema("kept", {
  ...changing,
  metadata: {
    ...changing.metadata,
    changesOnlyHere: true,
    createSchema: () =>
      new Promise((resolve) => {
        finishOperation = resolve;
      }),
  },
});

/** The same tables in a connector whose tables others change; `versions` by table. */
class Versioned {
  readonly versions = new Map<string, string | undefined>();
  asked = 0;
  duringState: () => void = () => undefined;
  readonly connector = withInformationSchema("versioned", {
    ...changing,
    tableFunctions: tpch.tableFunctions ?? [],
    metadata: {
      ...changing.metadata,
      hasVersions: true,
      tableStates: async (tables) => {
        this.asked++;
        const states = tables.map(({ table }) => (this.versions.has(table) ? this.versions.get(table) : "first"));
        this.duringState();
        return states;
      },
      createSchema: () =>
        new Promise((resolve) => {
          finishOperation = resolve;
        }),
    },
  });

  context(): PlanContext {
    return contextOf({ catalog: "versioned", schema: "tiny" }, { versioned: this.connector, tpch, changing });
  }
}

function contextOf(
  session: Partial<PlanSession> = {},
  catalogs: Readonly<Record<string, Connector>> = { changing, kept, tpch },
): PlanContext {
  return new TestPlanner(catalogs, { catalog: "tpch", schema: "tiny", ...session }).context;
}

/** Plans a statement, and says whether the plan was kept from before. */
class Planning {
  readonly #cache: PlanCache;
  made = 0;

  constructor(plansMax = 10) {
    this.#cache = new PlanCache(plansMax);
  }

  plan(sql: string, context = contextOf(), facts: readonly unknown[] = []): Promise<PlannedStatement> {
    const statement = parseStatement(sql);
    return this.#cache.plan({ sql, statement, context, query, facts }, (watched) => {
      this.made++;
      return planStatement(statement, watched);
    });
  }
}

const lookup = "SELECT n_name FROM nation WHERE n_nationkey = 7";

async function plansMade(sql: string, one = contextOf(), other = contextOf()): Promise<number> {
  const planning = new Planning();
  await planning.plan(sql, one);
  await planning.plan(sql, other);
  return planning.made;
}

describe("a plan", () => {
  it.each([
    "SELECT 1",
    "VALUES (1, 'a'), (2, NULL)",
    lookup,
    "SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey",
    // Its task draws the sample.
    "SELECT n_name FROM nation TABLESAMPLE BERNOULLI (10)",
    "SELECT table_name FROM kept.information_schema.tables",
    "SELECT n_name FROM kept.tiny.nation",
    "SELECT current_user, current_catalog, version()",
    "WITH RECURSIVE t(n) AS (VALUES 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n) FROM t",
  ])("is kept for the same statement: %s", async (sql) => {
    const planning = new Planning();
    const first = await planning.plan(sql);
    expect(await planning.plan(sql, contextOf({ startMillis: 1 }))).toBe(first);
    expect(planning.made).toBe(1);
  });

  it.each([
    "SELECT now()",
    "SELECT current_date",
    "SELECT random()",
    "SELECT uuid()",
    "SELECT date '2024-01-01' < current_date",
    "SELECT count(*) FROM changing.tiny.nation",
    "SHOW TABLES",
    "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
    "WITH SESSION query_max_run_time = '1h' SELECT 1",
  ])("is made each time that it may differ: %s", async (sql) => {
    expect(await plansMade(sql)).toBe(2);
  });

  it("is made anew for another session, other catalogs and a catalog that was created again", async () => {
    const differences: readonly PlanContext[] = [
      contextOf({ user: "other" }),
      contextOf({ schema: "sf1" }),
      contextOf({ timeZone: "Europe/Berlin" }),
      contextOf({ properties: { join_distribution_type: "BROADCAST" } }),
      contextOf({ path: "tpch.tiny" }),
      contextOf({}, { tpch }),
      contextOf({}, { changing, kept, tpch: tpchConnector() }),
    ];
    for (const other of differences) {
      expect(await plansMade(lookup, contextOf(), other)).toBe(2);
    }
    const planning = new Planning();
    await planning.plan(lookup, contextOf(), ["presto"]);
    await planning.plan(lookup, contextOf(), ["trino"]);
    expect(planning.made).toBe(2);
  });

  it("is made anew after each operation on its catalog, and neither kept nor used while one runs", async () => {
    const planning = new Planning();
    const sql = "SELECT n_name FROM kept.tiny.nation";
    await planning.plan(sql);
    await planning.plan(sql);
    expect(planning.made).toBe(1);
    const operation = kept.metadata.createSchema?.("other");
    await planning.plan(sql);
    await planning.plan(sql);
    expect(planning.made).toBe(3);
    finishOperation();
    await operation;
    await planning.plan(sql);
    await planning.plan(sql);
    expect(planning.made).toBe(4);
  });

  it("of tables that others may change is kept while their states are the same", async () => {
    const world = new Versioned();
    const planning = new Planning();
    const plan = async (): Promise<number> => {
      await planning.plan("WITH revenue AS (SELECT * FROM nation) SELECT count(*) FROM revenue, region, nation n", world.context());
      return planning.made;
    };
    expect([await plan(), await plan()]).toEqual([1, 1]);
    // Once before each plan and once before each use.
    expect(world.asked).toBe(2);
    world.versions.set("region", "second");
    expect([await plan(), await plan()]).toEqual([2, 2]);
    world.versions.set("lineitem", "second");
    expect(await plan()).toBe(2);
    world.versions.set("nation", undefined);
    expect([await plan(), await plan()]).toEqual([3, 4]);
  });

  it("of such tables is not kept if one changes while it is made, or if it may be of others", async () => {
    const world = new Versioned();
    const planning = new Planning();
    const changesTo = (version: string) => () => world.versions.set("nation", version);
    world.duringState = changesTo("second");
    await planning.plan(lookup, world.context());
    world.duringState = () => undefined;
    await planning.plan(lookup, world.context());
    expect(planning.made).toBe(2);
    for (const sql of [
      "SELECT count(*) FROM TABLE(versioned.system.scaled('nation', 0.01)), nation",
      "SELECT count(*) FROM nation, changing.tiny.region",
      "SELECT count(*) FROM nation WHERE now() IS NOT NULL",
    ]) {
      const made = planning.made;
      await planning.plan(sql, world.context());
      await planning.plan(sql, world.context());
      expect(planning.made, sql).toBe(made + 2);
    }
  });

  it("of such tables is made anew after each operation on their catalog", async () => {
    const world = new Versioned();
    const planning = new Planning();
    await planning.plan(lookup, world.context());
    // An operation that begins while the states are told.
    let operation: Promise<void> | undefined;
    world.duringState = () => {
      operation ??= world.connector.metadata.createSchema?.("other");
    };
    await planning.plan(lookup, world.context());
    expect(planning.made).toBe(2);
    world.duringState = () => undefined;
    finishOperation();
    await operation;
    await planning.plan(lookup, world.context());
    await planning.plan(lookup, world.context());
    expect(planning.made).toBe(3);
    expect(await plansMade("SELECT table_name FROM information_schema.tables", world.context(), world.context())).toBe(1);
  });

  it("that was begun before an operation is not used after it", async () => {
    const cache = new PlanCache(10);
    const statement = parseStatement(lookup);
    const context = contextOf({ catalog: "kept" });
    let made = 0;
    const plan = (during: () => Promise<void>): Promise<PlannedStatement> =>
      cache.plan({ sql: lookup, statement, context, query, facts: [] }, async (watched) => {
        made++;
        const planned = await planStatement(statement, watched);
        await during();
        return planned;
      });
    await plan(async () => {
      const operation = kept.metadata.createSchema?.("other");
      finishOperation();
      await operation;
    });
    await plan(() => Promise.resolve());
    await plan(() => Promise.resolve());
    expect(made).toBe(2);
  });

  it("of a prepared statement depends on its text and its parameters", async () => {
    const planning = new Planning();
    const prepared = (sql: string): PlanContext => contextOf({ preparedStatements: { p: sql } });
    await planning.plan("EXECUTE p USING 1", prepared("SELECT ?"));
    await planning.plan("EXECUTE p USING 1", prepared("SELECT ?"));
    expect(planning.made).toBe(1);
    await planning.plan("EXECUTE p USING 2", prepared("SELECT ?"));
    await planning.plan("EXECUTE p USING 1", prepared("SELECT ? + 1"));
    expect(planning.made).toBe(3);
  });

  it("is not kept in a transaction, and failures are not kept", async () => {
    expect(await plansMade(lookup, contextOf({ transactionId: "t" }), contextOf({ transactionId: "t" }))).toBe(2);
    const planning = new Planning();
    for (let run = 0; run < 2; run++) {
      await expect(planning.plan("SELECT x FROM nation")).rejects.toThrow("Column 'x' cannot be resolved");
    }
    expect(planning.made).toBe(2);
  });
});

describe("the plans that are kept", () => {
  it("are the ones used last, and at most as many as the bound", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 3 }), fc.array(fc.nat(4), { maxLength: 15 }), async (plansMax, statements) => {
        const planning = new Planning(plansMax);
        const used: number[] = [];
        const context = contextOf();
        for (const number of statements) {
          const before = planning.made;
          await planning.plan(`SELECT ${number}`, context);
          const wasKept = plansMax > 0 && used.slice(-plansMax).includes(number);
          expect(planning.made === before).toBe(wasKept);
          used.splice(0, used.length, ...used.filter((other) => other !== number), number);
        }
      }),
      { numRuns: 30 },
    );
  });
});
