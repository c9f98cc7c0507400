/**
 * Sequences of statements of one client, by name: transactions, rights, catalogs at run time, objects of schemas, kills, and documents
 * about the service. Only the ends of the statements are judged, so their rows may differ from run to run.
 */
import type { HeaderFamily } from "../../src/protocol/http/headers.ts";

export interface ScriptStep {
  readonly sql: string;
  /** Allowed ends besides errors that are no user's: `rows`, or names of errors. */
  readonly ends: readonly string[];
  /** Request headers by suffix, on top of the script's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the query as soon as it has an id. `{id}` and `{slug}` stand for its own, `{last}` for the query before. */
  readonly then?: readonly { readonly method: "GET" | "PUT" | "DELETE" | "HEAD"; readonly path: string; readonly body?: string }[];
}

export interface Script {
  readonly name: string;
  readonly family: HeaderFamily;
  readonly headers?: Readonly<Record<string, string>>;
  /** Properties of the nodes without which the script reaches nothing. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly steps: readonly ScriptStep[];
}

const rows = ["rows"];

function step(sql: string, ends: readonly string[] = rows, more: Partial<ScriptStep> = {}): ScriptStep {
  return { sql, ends, ...more };
}

const killed = ["rows", "ADMINISTRATIVELY_KILLED", "ADMINISTRATIVELY_PREEMPTED", "USER_CANCELED"];
/** After a crash of the coordinator, tables in memory and catalogs of run time are gone, and transactions are unknown. */
const forgotten = ["TABLE_NOT_FOUND", "SCHEMA_NOT_FOUND", "NOT_FOUND", "CATALOG_NOT_FOUND", "FUNCTION_NOT_FOUND", "UNKNOWN_TRANSACTION"];
/** The same for a change of rows. A submission that the network delivered twice conflicts with its copy, or with the statement after it. */
const conflicting = [...forgotten, "TRANSACTION_CONFLICT"];
const large = "SELECT count(*) FROM orders o JOIN customer c ON c.custkey = o.custkey";
const detail = { method: "GET", path: "/v1/query/{id}" } as const;

/** A transaction is its user's alone. */
const unknown = ["UNKNOWN_TRANSACTION"];
const stranger = { headers: { user: "stranger" } };

const transactions: readonly Script[] = [
  {
    name: "a transaction that a write aborts",
    family: "presto",
    steps: [
      step("START TRANSACTION"),
      step("SELECT count(*) FROM nation", [...rows, ...forgotten]),
      // An error of the cluster in the statement before has aborted the transaction already.
      step("CREATE TABLE memory.default.i1 AS SELECT 1 AS x", ["AUTOCOMMIT_WRITE_CONFLICT", "TRANSACTION_ALREADY_ABORTED", ...forgotten]),
      step("SELECT 1", ["TRANSACTION_ALREADY_ABORTED", ...forgotten]),
      step("COMMIT", ["TRANSACTION_ALREADY_ABORTED", ...forgotten]),
    ],
  },
  {
    name: "a transaction that only reads",
    family: "trino",
    steps: [
      step("START TRANSACTION READ ONLY, ISOLATION LEVEL READ COMMITTED"),
      step("SHOW TABLES FROM tiny", [...rows, ...forgotten]),
      step("SELECT 2", unknown, stranger),
      step("CREATE SCHEMA memory.i2", ["READ_ONLY_VIOLATION", ...forgotten]),
      step("INSERT INTO memory.default.i2 VALUES 1", ["TRANSACTION_ALREADY_ABORTED", ...forgotten]),
      step("ROLLBACK"),
    ],
  },
  {
    name: "a transaction that is committed",
    family: "presto",
    steps: [
      step("START TRANSACTION"),
      step("SELECT name FROM region", [...rows, ...forgotten]),
      step("SELECT 2", unknown, stranger),
      step("COMMIT", unknown, stranger),
      step("SELECT name FROM nation", [...rows, ...forgotten]),
      step("START TRANSACTION", ["NOT_SUPPORTED", ...forgotten]),
      step("ROLLBACK"),
      step("START TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"),
      step("SELECT * FROM system.runtime.transactions", [...rows, ...forgotten]),
      step("COMMIT", [...rows, ...forgotten]),
    ],
  },
  {
    name: "a transaction that nobody began",
    family: "presto",
    steps: [
      step("SELECT 1", ["UNKNOWN_TRANSACTION"], { headers: { "transaction-id": "12345678-1234-1234-1234-123456789012" } }),
      step("COMMIT", ["UNKNOWN_TRANSACTION"], { headers: { "transaction-id": "12345678-1234-1234-1234-123456789012" } }),
      step("ROLLBACK", rows, { headers: { "transaction-id": "12345678-1234-1234-1234-123456789012" } }),
    ],
  },
  {
    name: "a serializable transaction over a table in memory",
    family: "trino",
    steps: [
      step("CREATE TABLE IF NOT EXISTS memory.default.i3 AS SELECT 1 AS x"),
      step("START TRANSACTION ISOLATION LEVEL SERIALIZABLE"),
      step("SELECT * FROM memory.default.i3", ["UNSUPPORTED_ISOLATION_LEVEL", ...forgotten]),
      step("ROLLBACK"),
      step("DROP TABLE IF EXISTS memory.default.i3"),
    ],
  },
];

const sessions: readonly Script[] = [
  {
    name: "a path, a role and another user",
    family: "trino",
    headers: { "client-capabilities": "PATH,SESSION_AUTHORIZATION,PARAMETRIC_DATETIME" },
    steps: [
      step("SET PATH tpch.tiny, memory.default", rows, { then: [detail] }),
      step("SET SESSION AUTHORIZATION other", rows, { then: [detail] }),
      step("RESET SESSION AUTHORIZATION"),
      step("SET ROLE ALL IN tpch", [...rows, "NOT_SUPPORTED"]),
      step("SET ROLE admin IN memory", [...rows, "NOT_SUPPORTED", "ROLE_NOT_FOUND", "INVALID_ROLE"], { then: [detail] }),
      step('USE "a\u0001"."b\u0002"', ["NOT_SUPPORTED", "CATALOG_NOT_FOUND", "NOT_FOUND", "SCHEMA_NOT_FOUND", "SYNTAX_ERROR"]),
      step('USE tpch."a\u0001"', ["NOT_SUPPORTED", "SCHEMA_NOT_FOUND", "NOT_FOUND", "SYNTAX_ERROR"]),
    ],
  },
  {
    name: "every header of a request",
    family: "trino",
    headers: {
      path: "tpch.tiny",
      source: "curious",
      "client-info": "a client",
      "client-tags": "a,b",
      "trace-token": "t1",
      language: "de",
      role: "tpch=ALL,memory=ROLE{admin},system=NONE",
      "resource-estimate": "EXECUTION_TIME=10s,CPU_TIME=1h,PEAK_MEMORY=20MB",
      "extra-credential": "key=value",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
    steps: [
      step("SELECT name FROM nation WHERE nationkey < 5", rows, { then: [detail] }),
      step("SELECT 1", ["INVALID_SESSION_PROPERTY"], { headers: { "time-zone": "Nowhere/Else" } }),
      step("SELECT 1", ["NOT_FOUND"], { headers: { session: "nothing.a=1" }, then: [detail] }),
      step("SELECT 1", ["INVALID_SESSION_PROPERTY"], { headers: { session: "nothing=1" }, then: [detail] }),
      step("SELECT 1", [...rows, "INVALID_SESSION_PROPERTY"], {
        headers: { session: "tpch.a=1,memory.b=2", language: "?" },
        then: [detail],
      }),
      step("SELECT current_path, current_user, current_timezone()", [...rows, "FUNCTION_NOT_FOUND"], { headers: { language: "pt-BR" } }),
    ],
  },
];

const service: readonly Script[] = [
  {
    name: "tables about the service",
    family: "trino",
    steps: [
      step("SELECT * FROM system.runtime.queries"),
      step("SELECT * FROM system.runtime.tasks"),
      step("SELECT * FROM system.runtime.nodes"),
      step("SELECT count(*) FROM system.runtime.transactions"),
      step("SELECT * FROM system.metadata.catalogs"),
      step("SELECT table_name FROM system.jdbc.tables WHERE table_cat = 'tpch'"),
      step("CALL system.runtime.kill_query('20200101_000000_00000_zzzzz', 'why')", ["NOT_FOUND", "INVALID_PROCEDURE_ARGUMENT"]),
    ],
  },
  {
    name: "explanations of plans that ran",
    family: "presto",
    steps: [
      step("EXPLAIN ANALYZE SELECT n.name, count(*) FROM nation n JOIN customer c ON n.nationkey = c.nationkey GROUP BY n.name"),
      step("EXPLAIN ANALYZE VERBOSE SELECT * FROM orders ORDER BY totalprice LIMIT 5"),
      step("EXPLAIN ANALYZE SELECT 1 / (nationkey - 3) FROM nation", ["DIVISION_BY_ZERO"]),
      step("EXPLAIN (TYPE DISTRIBUTED) SELECT count(*) FROM lineitem"),
      step("EXPLAIN (TYPE IO, FORMAT JSON) SELECT * FROM nation"),
      step("EXPLAIN (FORMAT JSON) SELECT * FROM nation, region"),
      step("SHOW STATS FOR nation"),
    ],
  },
  {
    name: "killed queries",
    family: "presto",
    steps: [
      step(large, killed, {
        then: [
          { method: "PUT", path: "/v1/query/{id}/killed", body: "no reason" },
          { method: "PUT", path: "/v1/query/{id}/killed" },
          detail,
        ],
      }),
      step(large, killed, { then: [{ method: "PUT", path: "/v1/query/{id}/preempted" }] }),
      step(large, killed, { then: [{ method: "PUT", path: "/v1/query/{id}/killed", body: "" }, detail] }),
      step(large, killed, { then: [{ method: "DELETE", path: "/v1/query/{id}" }] }),
      step("SELECT 1", rows, {
        then: [
          { method: "PUT", path: "/v1/query/{last}/killed" },
          { method: "GET", path: "/v1/query/{last}" },
        ],
      }),
      step("CALL system.runtime.kill_query('{last}', 'late')", ["NOT_SUPPORTED", "NOT_FOUND", "INVALID_PROCEDURE_ARGUMENT"]),
      step("SELECT 2", rows, {
        then: [
          { method: "GET", path: "/v1/statement/{id}/first?slug={slug}" },
          { method: "GET", path: "/v1/statement/{id}/1?slug={slug}&maxWait=soon" },
          { method: "GET", path: "/v1/statement/{id}/1?slug={slug}&targetResultSize=much" },
          { method: "HEAD", path: "/v1/statement/{id}/1?slug={slug}" },
        ],
      }),
      step(`${large} WHERE o.totalprice > 3`, killed, {
        then: [{ method: "GET", path: "/v1/query?limit=3" }, { method: "GET", path: "/ui/api/query" }, detail],
      }),
    ],
  },
  {
    name: "statements without tables or rows",
    family: "presto",
    headers: { "transaction-id": "" },
    steps: [
      step("SELECT 1", rows, { headers: { catalog: "", schema: "", source: "" }, then: [detail] }),
      step("SELECT * FROM nation WHERE 1 = 0", rows, { headers: { source: "" } }),
      step("SELECT * FROM nation", ["MISSING_CATALOG_NAME", "MISSING_SCHEMA_NAME", "CATALOG_NOT_FOUND"], {
        headers: { catalog: "", schema: "" },
      }),
      step("SELECT * FROM a.b.c.d", ["SYNTAX_ERROR"]),
      step(`SELECT ${"1 + ".repeat(3_000)}1`, ["SYNTAX_ERROR"]),
      step(large, ["QUERY_HAS_TOO_MANY_STAGES"], { headers: { session: "query_max_stage_count=1" } }),
    ],
  },
];

const catalogs: readonly Script[] = [
  {
    name: "catalogs at run time",
    properties: { "catalog.management": "dynamic" },
    family: "trino",
    steps: [
      step("CREATE CATALOG i1 USING tpch WITH (\"tpch.splits-per-node\" = '2')", [...rows, "NOT_SUPPORTED", "ALREADY_EXISTS"]),
      step("SELECT count(*) FROM i1.tiny.nation", [...rows, ...forgotten]),
      step("CREATE CATALOG i1 USING tpch", ["ALREADY_EXISTS", "NOT_SUPPORTED", "rows"]),
      step("CREATE CATALOG IF NOT EXISTS i1 USING tpch", [...rows, "NOT_SUPPORTED"], {
        then: [
          { method: "GET", path: "/v1/catalog" },
          { method: "GET", path: "/v1/node" },
        ],
      }),
      step("CREATE CATALOG i2 USING nothing", ["CONFIGURATION_INVALID", "NOT_SUPPORTED", "NOT_FOUND", "INVALID_CATALOG_PROPERTY"]),
      step("CREATE CATALOG i2 USING tpch WITH (\"tpch.nothing\" = '1')", [
        "CONFIGURATION_INVALID",
        "NOT_SUPPORTED",
        "INVALID_CATALOG_PROPERTY",
      ]),
      step("CREATE CATALOG i2 USING blackhole WITH (a = '1')", ["CONFIGURATION_INVALID", "NOT_SUPPORTED", "INVALID_CATALOG_PROPERTY"]),
      step("CREATE CATALOG i2 USING tpch WITH (\"tpch.splits-per-node\" = 'many')", [
        "CONFIGURATION_INVALID",
        "NOT_SUPPORTED",
        "INVALID_CATALOG_PROPERTY",
      ]),
      step('CREATE CATALOG "I 2!" USING tpch', ["CONFIGURATION_INVALID", "NOT_SUPPORTED", "SYNTAX_ERROR"]),
      step("DROP CATALOG tpch", ["NOT_SUPPORTED"]),
      step("DROP CATALOG i1", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("DROP CATALOG i1", ["NOT_SUPPORTED", ...forgotten]),
      step("DROP CATALOG IF EXISTS i1", [...rows, "NOT_SUPPORTED"]),
      step("CREATE CATALOG i1 USING memory", [...rows, "NOT_SUPPORTED", "ALREADY_EXISTS"]),
      step("CREATE TABLE i1.default.t AS SELECT * FROM nation", [...rows, "ALREADY_EXISTS", "TABLE_ALREADY_EXISTS", ...forgotten]),
      step("SELECT count(*) FROM i1.default.t", [...rows, ...forgotten]),
      step("DROP CATALOG IF EXISTS i1", [...rows, "NOT_SUPPORTED"]),
    ],
  },
  {
    name: "objects of a schema",
    family: "presto",
    headers: { catalog: "memory", schema: "i4" },
    steps: [
      step("CREATE SCHEMA IF NOT EXISTS memory.i4"),
      step("CREATE TABLE IF NOT EXISTS t (a bigint NOT NULL, b varchar, c double)", [...rows, ...forgotten]),
      step("INSERT INTO t VALUES (1, 'x', 1e0), (2, NULL, nan()), (3, 'z', -0e0)", [...rows, ...conflicting]),
      step("INSERT INTO t SELECT nullif(nationkey, 3), name, 1e0 FROM tpch.tiny.nation", ["CONSTRAINT_VIOLATION", ...conflicting]),
      step("INSERT INTO t (b) VALUES ('only')", ["CONSTRAINT_VIOLATION", "INVALID_ARGUMENTS", ...conflicting]),
      step("UPDATE t SET b = upper(b), a = a + 1 WHERE a < 3", [...rows, ...conflicting]),
      step(
        "MERGE INTO t USING (VALUES (2, 'm'), (9, 'n')) s (a, b) ON t.a = s.a WHEN MATCHED AND s.b = 'q' THEN DELETE WHEN MATCHED THEN UPDATE SET b = s.b WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b)",
        [...rows, ...conflicting],
      ),
      step("MERGE INTO t USING (VALUES 2, 2) s (a) ON t.a <= s.a WHEN MATCHED THEN UPDATE SET b = 'twice'", [
        ...rows,
        "MERGE_TARGET_ROW_MULTIPLE_MATCHES",
        ...conflicting,
      ]),
      step("DELETE FROM t WHERE b IS NULL", [...rows, ...conflicting]),
      step("ANALYZE t", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("ALTER TABLE t ADD COLUMN d bigint", [...rows, "NOT_SUPPORTED", "COLUMN_ALREADY_EXISTS", ...forgotten]),
      step("COMMENT ON TABLE t IS 'a table'", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("CREATE OR REPLACE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a", [...rows, ...forgotten]),
      step("SELECT * FROM v", [...rows, "VIEW_IS_STALE", ...forgotten]),
      step("SHOW CREATE VIEW v", [...rows, ...forgotten]),
      step("CREATE OR REPLACE FUNCTION memory.i4.twice(x bigint) RETURNS bigint RETURN x * 2", [
        ...rows,
        "NOT_SUPPORTED",
        "MISSING_CATALOG_NAME",
        ...forgotten,
      ]),
      step("SELECT memory.i4.twice(a) FROM t", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("DROP FUNCTION IF EXISTS memory.i4.twice(bigint)", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("GRANT SELECT ON t TO other", [...rows, "NOT_SUPPORTED", ...forgotten]),
      step("CREATE ROLE r", [...rows, "NOT_SUPPORTED", "PERMISSION_DENIED", "ROLE_ALREADY_EXISTS", "ROLE_EXISTS", ...forgotten]),
      step("TRUNCATE TABLE t", [...rows, "NOT_SUPPORTED", ...conflicting]),
      step("DROP SCHEMA memory.i4", ["SCHEMA_NOT_EMPTY", ...forgotten, "rows"]),
      step("DROP VIEW IF EXISTS v", [...rows, ...forgotten]),
      step("DROP TABLE IF EXISTS t", [...rows, ...forgotten]),
      step("DROP SCHEMA IF EXISTS memory.i4", [...rows, "SCHEMA_NOT_EMPTY"]),
    ],
  },
];

const scripts: readonly Script[] = [...transactions, ...sessions, ...service, ...catalogs];

export const scriptNames: readonly string[] = scripts.map(({ name }) => name);

export function scriptOf(name: string): Script {
  const found = scripts.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no script is called '${name}'`);
  }
  return found;
}
