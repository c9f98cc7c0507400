/**
 * Statements and requests with one name in every position that accepts a name.
 */
import { listFunctions } from "../../src/functions/registry/registry.ts";
import type { Headers } from "../../src/ports/network.ts";

/** In order: later statements use what earlier ones create, and the last ones drop it. */
export function statementsOf(n: string): readonly string[] {
  const q = `"${n}"`;
  const t = `memory.${q}.${q}`;
  return [
    // Functions, types, literals.
    `${q}(1)`,
    `${q}(1) OVER ()`,
    `memory.${q}.${q}(1)`,
    `CAST(1 AS ${q})`,
    `CAST(NULL AS array(${q}))`,
    `TRY_CAST('x' AS ${q}(3))`,
    `${q} '1'`,
    `EXTRACT(${q} FROM DATE '2020-01-01')`,
    `INTERVAL '1' ${n}`,
    `normalize('a', ${n})`,
    `current_${n}`,
    `grouping(${q})`,
  ]
    .map((expression) => `SELECT ${expression}`)
    .concat([
      // Sessions.
      `SET SESSION ${q} = 1`,
      `SET SESSION ${q}.x = 1`,
      `SET SESSION memory.${q} = 1`,
      `RESET SESSION ${q}`,
      `RESET SESSION memory.${q}`,
      `SET TIME ZONE '${n}'`,
      `SET ROLE ${q}`,
      `SET ROLE ${q} IN ${q}`,
      `SHOW ROLES FROM ${q}`,
      `SHOW SESSION LIKE '${n}'`,
      `USE ${q}.${q}`,
      `USE memory.${q}`,
      // Columns, fields, queries, windows, lambdas.
      `SELECT ${q} FROM (VALUES 1) t (${q})`,
      `SELECT t.${q}.${q} FROM (VALUES ROW(CAST(ROW(1) AS row(${q} integer)))) t (${q})`,
      `SELECT CAST(ROW(1, 2) AS row(${q} integer, b integer)).${q}`,
      `SELECT CAST(ROW(1) AS row(b integer)).${q}`,
      `WITH ${q} (${q}) AS (SELECT 1) SELECT ${q}.* FROM ${q}`,
      `WITH RECURSIVE ${q} (${q}) AS (SELECT 1 UNION ALL SELECT ${q} + 1 FROM ${q} WHERE ${q} < 3) SELECT * FROM ${q}`,
      `SELECT rank() OVER ${q} FROM (VALUES 1) t (x) WINDOW ${q} AS (ORDER BY x)`,
      `SELECT rank() OVER ${q} FROM (VALUES 1) t (x)`,
      `SELECT transform(ARRAY[1], ${q} -> ${q} + 1)`,
      // Catalogs, schemas and tables that do not exist.
      `SELECT * FROM ${q}`,
      `SELECT * FROM memory.${q}.${q}`,
      `SELECT * FROM ${q}.x.y`,
      `SELECT * FROM system.${q}.x`,
      `SELECT * FROM system.jdbc.${q}`,
      `SELECT * FROM memory.information_schema.${q}`,
      `SELECT * FROM tpch.${q}.x`,
      `SELECT * FROM tpch.tiny.${q}`,
      `SELECT ${q} FROM tpch.tiny.region`,
      `SHOW TABLES FROM ${q}`,
      `SHOW TABLES FROM memory.${q}`,
      `SHOW SCHEMAS FROM ${q}`,
      `SHOW COLUMNS FROM ${q}`,
      `SHOW CREATE TABLE memory.${q}.${q}`,
      // A schema, a table and its columns.
      `CREATE SCHEMA memory.${q} WITH (${q} = 1)`,
      `CREATE SCHEMA memory.${q}`,
      `CREATE TABLE memory.${q}.w (a bigint) WITH (${q} = 1)`,
      `CREATE TABLE memory.${q}.w (a bigint WITH (${q} = 1))`,
      `CREATE TABLE memory.${q}.w (a ${q})`,
      `CREATE TABLE ${t} (${q} bigint COMMENT '${n}', b row(${q} integer))`,
      `INSERT INTO ${t} VALUES (1, ROW(2)), (3, NULL)`,
      `INSERT INTO ${t} (${q}) VALUES 5`,
      `SELECT ${q}, b.${q}, count(*) AS ${q} FROM ${t} GROUP BY 1, 2 ORDER BY 1`,
      `SELECT x.${q} FROM ${t} x JOIN ${t} y ON x.${q} = y.${q} WHERE x.${q} > 1 ORDER BY x.${q}`,
      `SELECT * FROM ${t} JOIN ${t} USING (${q}) ORDER BY 1`,
      `UPDATE ${t} SET ${q} = 2 WHERE ${q} = 1`,
      `DELETE FROM ${t} WHERE ${q} = 5`,
      `MERGE INTO ${t} x USING (VALUES 7) s (${q}) ON x.${q} = s.${q} WHEN NOT MATCHED THEN INSERT (${q}) VALUES (s.${q})`,
      `MERGE INTO ${t} x USING (VALUES 7) s (${q}) ON x.${q} = s.${q} WHEN MATCHED THEN DELETE`,
      `MERGE INTO ${t} x USING (VALUES 7) s (a) ON true WHEN MATCHED THEN UPDATE SET ${q}x = 1`.replace(`${q}x`, `"${n}x"`),
      `SHOW STATS FOR ${t}`,
      `ANALYZE ${t} WITH (${q} = 1)`,
      `ANALYZE ${t}`,
      `SHOW STATS FOR ${t}`,
      `SHOW COLUMNS FROM ${t}`,
      `SHOW CREATE TABLE ${t}`,
      `SHOW TABLES FROM memory.${q}`,
      `EXPLAIN (TYPE IO) SELECT ${q} FROM ${t} WHERE ${q} = 2`,
      `EXPLAIN (TYPE IO) CREATE TABLE memory.${q}.other AS SELECT ${q} FROM ${t}`,
      `SELECT table_name, column_name, data_type FROM memory.information_schema.columns WHERE table_schema = '${n}' AND column_name = '${n}'`,
      `SELECT table_name, column_name, type_name FROM system.jdbc.columns WHERE table_cat = 'memory' AND table_schem = '${n}' ORDER BY 2`,
      `SELECT count(*) FROM system.jdbc.columns WHERE table_cat = '${n}'`,
      `COMMENT ON TABLE ${t} IS '${n}'`,
      `COMMENT ON COLUMN ${t}.${q} IS '${n}'`,
      `COMMENT ON COLUMN ${t}.${q}x IS '${n}'`.replace(`${q}x`, `"${n}x"`),
      `CREATE VIEW memory.${q}.v AS SELECT ${q}, b FROM ${t}`,
      `SELECT ${q} FROM memory.${q}.v ORDER BY 1`,
      `SHOW CREATE VIEW memory.${q}.v`,
      `DROP VIEW memory.${q}.v`,
      // Columns that an older part of the table does not have, or has under another name.
      `ALTER TABLE ${t} ADD COLUMN extra bigint`,
      `SELECT ${q}, extra FROM ${t} ORDER BY 1`,
      `ALTER TABLE ${t} RENAME COLUMN ${q} TO b2`,
      `ALTER TABLE ${t} ADD COLUMN ${q} varchar`,
      `INSERT INTO ${t} (${q}) VALUES '${n}'`,
      `SELECT b2, ${q} FROM ${t} ORDER BY 1, 2`,
      `ALTER TABLE ${t} DROP COLUMN ${q}`,
      `ALTER TABLE ${t} RENAME COLUMN b2 TO ${q}`,
      `ALTER TABLE ${t} RENAME COLUMN ${q}x TO c`.replace(`${q}x`, `"${n}x"`),
      `SELECT ${q} FROM ${t} ORDER BY 1`,
      `ALTER TABLE ${t} SET PROPERTIES ${q} = 1`,
      `ALTER TABLE ${t} EXECUTE ${q}`,
      `ALTER TABLE ${t} RENAME TO memory.${q}.renamed`,
      `ALTER TABLE memory.${q}.renamed RENAME TO ${t}`,
      `CREATE TABLE memory.${q}.copy (LIKE ${t} INCLUDING PROPERTIES)`,
      `CREATE TABLE memory.${q}.chosen AS SELECT ${q} FROM ${t}`,
      `GRANT SELECT ON TABLE ${t} TO USER ${q}`,
      `GRANT ${n} ON TABLE ${t} TO USER x`,
      `SHOW GRANTS ON TABLE ${t}`,
      `DROP TABLE memory.${q}.copy`,
      `DROP TABLE memory.${q}.chosen`,
      `DROP TABLE ${t}`,
      `DROP SCHEMA memory.${q}`,
      `DROP SCHEMA memory.${q}`,
      // Prepared statements, procedures, forms of EXPLAIN.
      `PREPARE ${q} FROM SELECT 1`,
      `EXECUTE ${q}`,
      `DESCRIBE INPUT ${q}`,
      `DESCRIBE OUTPUT ${q}`,
      `DEALLOCATE PREPARE ${q}`,
      `CALL ${q}()`,
      `CALL system.runtime.${q}()`,
      `CALL system.${q}.x()`,
      `CALL ${q}.x.y()`,
      `CALL system.runtime.kill_query(${q} => 'x')`,
      `EXPLAIN (FORMAT ${n}) SELECT 1`,
      `EXPLAIN (TYPE ${n}) SELECT 1`,
      `EXPLAIN (${n} x) SELECT 1`,
      `SELECT * FROM TABLE(${q}(1))`,
      // Row patterns, table functions, SQL/JSON, SQL functions.
      `SELECT * FROM (VALUES 1) t (${q}) MATCH_RECOGNIZE (MEASURES A.${q} AS ${q} PATTERN (A) DEFINE A AS true) m`,
      `SELECT ${q} FROM (VALUES 1) t (x) MATCH_RECOGNIZE (MEASURES ${q}.x AS ${q} PATTERN (${q}) SUBSET u = (${q}) DEFINE ${q} AS true) m`,
      `SELECT * FROM (VALUES 1) t (x) MATCH_RECOGNIZE (MEASURES CLASSIFIER(${q}) AS m PATTERN (A) DEFINE A AS true)`,
      `SELECT * FROM (VALUES 1) t (x) MATCH_RECOGNIZE (PARTITION BY ${q} PATTERN (A) DEFINE ${q} AS true)`,
      `SELECT * FROM (VALUES 1) t (x) MATCH_RECOGNIZE (MEASURES 1 AS m AFTER MATCH SKIP TO FIRST ${q} PATTERN (A) DEFINE A AS true)`,
      `SELECT ${q} OVER w FROM (VALUES 1) t (x) WINDOW w AS (MEASURES x AS ${q} ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (A) DEFINE A AS true)`,
      `SELECT ${q} OVER () FROM (VALUES 1) t (x)`,
      `SELECT * FROM TABLE(sequence(${q} => 1))`,
      `SELECT * FROM TABLE(${q}.${q}.${q}(1))`,
      `SELECT * FROM TABLE(exclude_columns(TABLE(SELECT 1 AS ${q}, 2 AS b), DESCRIPTOR(${q})))`,
      `SELECT * FROM TABLE(exclude_columns(TABLE(SELECT 1 AS a), DESCRIPTOR(${q})))`,
      `SELECT ${q} FROM TABLE(sequence(1, 2)) t (${q})`,
      `SELECT JSON_VALUE('{"a": 1}', 'lax $${n}' PASSING 5 AS ${q})`,
      `SELECT JSON_QUERY('{"${n}": {"${n}": 1}}', 'lax $.${n}'), JSON_QUERY('{"a": 1}', 'strict $.${n}' ERROR ON ERROR)`,
      `SELECT JSON_OBJECT('${n}' : 1, '${n}' : 2), JSON_OBJECT('${n}' : 1, 'b' : 2 WITH UNIQUE KEYS)`,
      `SELECT JSON_OBJECT('${n}' : 1, '${n}' : 2 WITH UNIQUE KEYS)`,
      `SELECT ${q} FROM JSON_TABLE('[{"${n}": 1}]', 'lax $[*]' AS ${q}x COLUMNS (${q} integer PATH 'lax $.${n}'))`.replace(
        `${q}x`,
        `"${n}x"`,
      ),
      `SELECT * FROM JSON_TABLE('[1]', 'lax $' AS ${q} COLUMNS (${q} integer PATH 'lax $'))`,
      `SELECT 1 AS ${q} UNION CORRESPONDING SELECT 2 AS ${q}`,
      `SELECT 1 AS ${q}, 2 AS b UNION CORRESPONDING BY (${q}) SELECT 2 AS ${q}, 3 AS c`,
      `SELECT 1 AS a UNION CORRESPONDING BY (${q}) SELECT 2 AS a`,
      `WITH SESSION ${q} = 1 SELECT 1`,
      `WITH SESSION memory.${q} = 1 SELECT 1`,
      `WITH FUNCTION ${q}(${q} bigint) RETURNS bigint RETURN ${q} SELECT ${q}(1)`,
      `WITH FUNCTION f(${q} bigint, ${q} bigint) RETURNS bigint RETURN 1 SELECT f(1)`,
      `WITH FUNCTION f(x bigint) RETURNS bigint BEGIN DECLARE ${q} bigint; SET ${q} = x; RETURN ${q}; END SELECT f(1)`,
      `WITH FUNCTION f(x bigint) RETURNS bigint BEGIN SET ${q} = x; RETURN x; END SELECT f(1)`,
      `WITH FUNCTION f(x bigint) RETURNS bigint BEGIN ${q}: LOOP LEAVE ${q}; END LOOP; RETURN x; END SELECT f(1)`,
      `WITH FUNCTION f(x bigint) RETURNS bigint BEGIN WHILE true DO LEAVE ${q}; END WHILE; RETURN x; END SELECT f(1)`,
      `WITH FUNCTION f(x bigint) RETURNS bigint LANGUAGE ${q} RETURN x SELECT f(1)`,
      `WITH FUNCTION f(x ${q}) RETURNS ${q} RETURN x SELECT f(1)`,
      `CREATE FUNCTION memory.default.${q}(x bigint) RETURNS bigint RETURN x`,
      `SELECT memory.default.${q}(1), memory.default.${q}(2)`,
      `SHOW CREATE FUNCTION memory.default.${q}`,
      `DROP FUNCTION memory.default.${q}(bigint)`,
      `MERGE INTO ${q} USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE`,
      // Keys of JSON and of maps.
      `SELECT JSON '{"${n}": {"${n}": 1}, "a": 2}', json_extract('{"${n}": {"b": 1}}', '$.${n}'), json_extract_scalar('{"a": 1}', '$.${n}')`,
      `SELECT json_format(json_parse('{"${n}": [1], "${n}": 2}')), json_size('{"${n}": {"a": 1}}', '$.${n}')`,
      `SELECT CAST(JSON '{"${n}": 1, "b": 2}' AS map(varchar, integer)), CAST(JSON '{"${n}": 1}' AS row(${q} integer)), CAST(JSON '{}' AS row(${q} integer))`,
      `SELECT CAST(MAP(ARRAY['${n}', 'b'], ARRAY[1, 2]) AS json), CAST(CAST(ROW(1) AS row(${q} integer)) AS json)`,
      `SELECT MAP(ARRAY['${n}', 'b'], ARRAY[1, 2]), MAP(ARRAY['${n}'], ARRAY[1])['${n}'], element_at(MAP(ARRAY['b'], ARRAY[1]), '${n}')`,
      `SELECT MAP(ARRAY['b'], ARRAY[1])['${n}']`,
      `SELECT map_agg(x, y), histogram(x), multimap_agg(x, y) FROM (VALUES ('${n}', 1)) t (x, y)`,
      // Names in texts that functions parse.
      `SELECT date_trunc('${n}', DATE '2020-01-01')`,
      `SELECT date_add('${n}', 1, DATE '2020-01-01')`,
      `SELECT date_diff('${n}', DATE '2020-01-01', DATE '2020-01-01')`,
      `SELECT word_stem('a', '${n}')`,
      `SELECT regexp_replace('aa', '(?<${n.replaceAll("_", "")}>a)', '\${${n.replaceAll("_", "")}}')`,
      `SELECT regexp_replace('aa', '(?<g>a)', '\${${n.replaceAll("_", "")}}')`,
      `SELECT regexp_like('a', '\\p{${n}}')`,
      `SELECT regexp_like('a', '[[:${n}:]]')`,
      `SELECT CAST('2020-01-01 ${n}' AS timestamp with time zone)`,
      `SELECT current_timestamp AT TIME ZONE '${n}'`,
      `SELECT parse_duration('1${n.replaceAll("_", "")}')`,
      `SELECT parse_presto_data_size('1${n}')`,
      `SELECT split_to_map('${n}=1', ',', '=')['${n}'], url_extract_parameter('http://x?${n}=1', '${n}'), url_extract_parameter('http://x?a=1', '${n}')`,
      `SHOW FUNCTIONS LIKE '${n}'`,
      `SHOW TABLES FROM memory.default LIKE '${n}'`,
      `SHOW CATALOGS LIKE '${n}'`,
      `SHOW COLUMNS FROM tpch.tiny.nation LIKE '${n}'`,
      ...[`color('${n}')`, `CAST('${n}' AS double)`, `CAST('${n}' AS real)`, `CAST('${n}' AS boolean)`, `CAST('${n}' AS uuid)`].map(
        (expression) => `SELECT ${expression}`,
      ),
    ]);
}

/** Each function of the registry with the name as a text argument. */
export function callsOf(n: string): readonly string[] {
  const names = [...new Set(listFunctions().map(({ name }) => name))].filter(
    (name) => !/^(?:random|rand|uuid|shuffle|now|hmac_|current_)/.test(name),
  );
  return names.flatMap((name) => [
    `SELECT ${name}('${n}')`,
    `SELECT ${name}('${n}', 'a')`,
    `SELECT ${name}('a', '${n}', '${n}')`,
    `SELECT ${name}(x, '${n}') FROM (VALUES '${n}') t (x)`,
    `SELECT ${name}(MAP(ARRAY['${n}'], ARRAY[1]))`,
    `SELECT ${name}(ARRAY['${n}'], 'a')`,
  ]);
}

export interface Door {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: string;
  readonly headers?: Headers;
}

const families = ["engine", "presto", "trino"] as const;

/** Requests with the name in a header, a path, a query parameter or a document. */
export function doorsOf(n: string): readonly Door[] {
  const headers = families.flatMap((family): readonly Headers[] => {
    const h = (suffix: string, value: string): Headers => ({ [`x-${family}-user`]: "u", [`x-${family}-${suffix}`]: value });
    return [
      h("user", n),
      { ...h("catalog", n), [`x-${family}-schema`]: n },
      { ...h("catalog", "memory"), [`x-${family}-schema`]: n },
      h("source", n),
      h("session", `${n}=1`),
      h("session", `memory.${n}=1`),
      h("session", `${n}.x=1`),
      h("prepared-statement", `${n}=SELECT%201`),
      h("role", `${n}=NONE`),
      h("role", `system=ROLE{${n}}`),
      h("extra-credential", `${n}=1`),
      h("resource-estimate", `${n}=1s`),
      h("client-tags", n),
      h("client-capabilities", n),
      h("time-zone", n),
      h("language", n),
      h("path", n),
      h("transaction-id", n),
      h("trace-token", n),
      h(n, "1"),
      { ...h("source", "x"), [n]: "1" },
    ];
  });
  const statements = ["SELECT 1", `EXECUTE "${n}"`, `SHOW SESSION LIKE '${n}'`, "SELECT current_timezone()"];
  const paths = [
    "query",
    "query/x/",
    "stage",
    "task",
    "task/x/results",
    "statement",
    "statement/x",
    "service",
    "announcement",
    "catalog",
    "node",
    "info",
    "",
  ];
  const documents = [`{"${n}":1}`, `{"${n}":{"${n}":1}}`, `"${n}"`];
  const posts: readonly (readonly ["POST" | "PUT", string])[] = [
    ["POST", "/v1/task/20200101_000000_00000_aaaaa.0.0"],
    ["POST", "/v1/catalog/memory/call"],
    ["POST", `/v1/catalog/${n}/call`],
    ["PUT", "/v1/announcement/w"],
    ["PUT", `/v1/announcement/${n}`],
    ["PUT", "/v1/info/state"],
    ["PUT", `/v1/query/${n}/killed`],
    ["PUT", `/v1/query/${n}/preempted`],
    ["PUT", `/v1/statement/${n}`],
  ];
  return [
    ...headers.flatMap((one) => statements.map((body): Door => ({ method: "POST", path: "/v1/statement", body, headers: one }))),
    ...paths.flatMap((path) =>
      (["GET", "DELETE", "PUT", "POST"] as const).map(
        (method): Door => ({ method, path: `/v1/${path}/${n}`.replaceAll("//", "/"), body: "x" }),
      ),
    ),
    { method: "GET", path: `/v1/query?state=${n}&${n}=1` },
    { method: "GET", path: `/v1/info?${n}` },
    { method: "POST", path: `/v1/statement?slug=${n}&${n}=1`, body: "SELECT 1" },
    { method: "GET", path: `/${n}` },
    ...posts.flatMap(([method, path]) => documents.map((body): Door => ({ method, path, body }))),
  ];
}
