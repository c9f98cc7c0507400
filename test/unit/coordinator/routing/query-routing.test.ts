import { describe, expect, it } from "vitest";
import { QueryRouting, type RoutingFacts } from "../../../../src/coordinator/routing/query-routing.ts";
import { statementFacts } from "../../../../src/coordinator/routing/statement-facts.ts";
import type { QuerySession } from "../../../../src/coordinator/query/session.ts";
import { type QueryRoutingDocument, parseQueryRouting } from "../../../../src/protocol/documents/query-routing.ts";
import { queryRoutingOf } from "../../../../src/server/query-routing.ts";
import { parseStatement } from "../../../../src/sql/parser/parser.ts";

const big = { name: "big", "connection-url": "jdbc:trino://big.example.com?SSL=true" };

function routeOf(rules: QueryRoutingDocument["rules"], facts: Partial<RoutingFacts>): string {
  const all: RoutingFacts = {
    user: "ann",
    source: "",
    clientTags: [],
    queryType: "SELECT",
    sql: "SELECT 1",
    catalogs: () => new Set(),
    inputBytes: "unplanned",
    ...facts,
  };
  const route = new QueryRouting(parseQueryRouting({ clusters: [big], rules })).route(all);
  return typeof route === "string" ? route : route.name;
}

describe("rules", () => {
  it("decide in their order, each by all of its conditions", () => {
    const rules = [{ user: "(?i)root" }, { source: "etl-.*", clientTags: ["x"], queryType: "INSERT" as const, cluster: "big" }];
    expect(routeOf(rules, { source: "etl-1", clientTags: ["y", "x"], queryType: "INSERT" })).toBe("big");
    expect(routeOf(rules, { source: "etl-1", clientTags: ["y", "x"], queryType: "INSERT", user: "ROOT" })).toBe("here");
    expect(routeOf(rules, { source: "an etl-1", clientTags: ["y", "x"], queryType: "INSERT" })).toBe("here");
    expect(routeOf(rules, { source: "etl-1", clientTags: ["y"], queryType: "INSERT" })).toBe("here");
    expect(routeOf(rules, { source: "etl-1", clientTags: ["x"], queryType: undefined })).toBe("here");
    expect(routeOf([{ queryText: "SELECT .*", cluster: "big" }], {})).toBe("big");
    expect(routeOf([], {})).toBe("here");
  });

  it("ask for a plan only where its estimate decides", () => {
    const rules = [
      { user: "bob", cluster: "big" },
      { inputDataSize: { min: "1GB", max: "2GB" }, cluster: "big" },
      { user: "cid", cluster: "big" },
    ];
    expect(routeOf(rules, { user: "bob" })).toBe("big");
    expect(routeOf(rules, {})).toBe("by plan");
    for (const [inputBytes, route] of [
      [1024 ** 3 - 1, "here"],
      [1024 ** 3, "big"],
      [2 * 1024 ** 3, "big"],
      [2 * 1024 ** 3 + 1, "here"],
      [undefined, "here"],
    ] as const) {
      expect(routeOf(rules, { inputBytes }), String(inputBytes)).toBe(route);
    }
    // A statement that cannot be planned here falls to the next rule.
    expect(routeOf(rules, { user: "cid", inputBytes: undefined })).toBe("big");
  });

  it("send a statement only if all its catalogs fit", () => {
    const rules = [{ catalog: "lake|hive.*", cluster: "big" }];
    expect(routeOf(rules, { catalogs: () => new Set(["lake", "hive_eu"]) })).toBe("big");
    expect(routeOf(rules, { catalogs: () => new Set(["lake", "tpch"]) })).toBe("here");
    expect(routeOf(rules, { catalogs: () => new Set() })).toBe("here");
  });
});

describe("facts of a statement", () => {
  const session = { catalog: "Own", preparedStatements: { p: "INSERT INTO lake.s.t SELECT * FROM u" } } as unknown as QuerySession;
  const facts = (sql: string, of: QuerySession = session): ReturnType<typeof statementFacts> => statementFacts(parseStatement(sql), of);

  it.each([
    ["SELECT 1", []],
    ["SELECT * FROM a.b.c JOIN LAKE.s.t USING (x) WHERE y IN (SELECT z FROM s.t)", ["a", "lake", "own"]],
    ["WITH t AS (SELECT * FROM a.b.c) SELECT * FROM t, T AS u", ["a"]],
    ["SELECT * FROM TABLE(pg.system.query(query => 'x')), TABLE(sequence(1, 2)), UNNEST(ARRAY[1])", ["pg"]],
    ["INSERT INTO a.b.c SELECT * FROM d.e.f", ["a", "d"]],
    ["DELETE FROM t WHERE x = 1", ["own"]],
    ["UPDATE a.b.c SET x = (SELECT max(y) FROM d.e.f)", ["a", "d"]],
    ["MERGE INTO a.b.c AS t USING d.e.f AS u ON t.x = u.x WHEN MATCHED THEN DELETE", ["a", "d"]],
    ["CREATE TABLE a.b.c AS SELECT 1 AS x", ["a"]],
    ["CREATE VIEW a.b.v AS SELECT * FROM d.e.f", ["a", "d"]],
    ["DROP SCHEMA a.b", ["a"]],
    ["CREATE SCHEMA b", ["own"]],
    ["SHOW TABLES FROM a.b", ["a"]],
    ["SHOW TABLES", ["own"]],
    ["SHOW SCHEMAS FROM a", ["a"]],
    ["SHOW CREATE SCHEMA a.b", ["a"]],
    ["DESCRIBE a.b.c", ["a"]],
    ["USE a.b", ["a"]],
    ["EXPLAIN SELECT * FROM a.b.c", ["a"]],
    ["CALL a.b.c(1)", ["a"]],
    ["ALTER TABLE a.b.c RENAME COLUMN x TO y", ["a"]],
    ["GRANT SELECT ON a.b.c TO bob", ["a"]],
    ["EXECUTE p", ["lake", "own"]],
    ["EXECUTE IMMEDIATE 'SELECT * FROM a.b.c'", ["a"]],
    ["EXECUTE unknown", []],
  ])("finds the catalogs of %s", (sql, catalogs) => {
    expect([...facts(sql).catalogs()].sort()).toEqual(catalogs);
  });

  it("knows what stays, and the type of what EXECUTE runs", () => {
    for (const sql of ["SET SESSION a = 1", "PREPARE p FROM SELECT 1", "COMMIT", "SET ROLE x", "CREATE CATALOG a USING tpch"]) {
      expect(facts(sql).staysHere, sql).toBe(true);
    }
    expect(facts("SELECT 1").staysHere).toBe(false);
    expect(facts("SELECT 1", { ...session, transactionId: "x" }).staysHere).toBe(true);
    expect(facts("EXECUTE p")).toMatchObject({ queryType: "INSERT", staysHere: false });
  });
});

describe("the configuration", () => {
  const complaint = (document: unknown): string => {
    try {
      queryRoutingOf(typeof document === "string" ? document : JSON.stringify(document), { SECRET: "sesame" });
      return "none";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const withUrl = (url: string, others: object = {}): unknown => ({
    clusters: [{ name: "big", "connection-url": url, ...others }],
    rules: [],
  });
  const secret = { "connection-user": "gate", "connection-password": "${ENV:SECRET}" };

  it("is checked at the door, and shows no secret", () => {
    expect(complaint({ clusters: [big], rules: [{ cluster: "big" }] })).toBe("none");
    expect(complaint(withUrl("jdbc:trino://big.example.com?SSL=true", secret))).toBe("none");
    const wrong: readonly (readonly [unknown, string])[] = [
      ['{"connection-password": "sesame"', "it is not valid JSON"],
      [{ clusters: [], rules: [] }, "Invalid query routing at $.clusters"],
      [{ clusters: [big, big], rules: [] }, "$.clusters.1.name: Duplicated cluster: big"],
      [{ clusters: [big], rules: [{ cluster: "other" }] }, "$.rules.0.cluster: Rule refers to nonexistent cluster: other"],
      [{ clusters: [big], rules: [{ users: "x", cluster: "big" }] }, "$.rules.0"],
      [{ clusters: [big], rules: [{ user: "(", cluster: "big" }] }, "$.rules.0.user: expected a regular expression"],
      [{ clusters: [big], rules: [{ inputDataSize: {} }] }, "$.rules.0.inputDataSize: expected min, max or both"],
      [{ clusters: [big], rules: [{ inputDataSize: { min: "2GB", max: "1GB" } }] }, "min is greater than max"],
      [withUrl("http://big:8080"), "it must have the form"],
      [withUrl("jdbc:trino://big:8080/hive"), "the URL names none"],
      [withUrl("jdbc:trino://big:8080", secret), "TLS/SSL is required"],
      [withUrl("jdbc:trino://big:8080?SSL=true&encoding=json"), "parameter 'encoding' is not supported"],
      [withUrl("jdbc:trino://big:8080?password=sesame"), "TLS/SSL is required"],
      [withUrl("jdbc:trino://${ENV:NONE}"), "environment variable 'NONE' is not set"],
    ];
    for (const [document, message] of wrong) {
      expect(complaint(document), JSON.stringify(document)).toContain(message);
      expect(complaint(document)).not.toContain("sesame");
    }
  });
});
