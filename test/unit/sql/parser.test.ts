import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QueryError } from "../../../src/protocol/errors.ts";
import type { Expression, Query, QuerySpecification } from "../../../src/sql/ast/ast.ts";
import { parseStatement, parseStatementInPieces } from "../../../src/sql/parser/parser.ts";
import { parseExpression } from "../../support/expressions.ts";
import { printStatement } from "../../../src/sql/printer/printer.ts";
import { anyStatement } from "./statement-trees.ts";

function errorOf(text: string): string {
  try {
    parseStatement(text);
  } catch (error) {
    if (error instanceof QueryError) {
      expect(error.errorName).toBe("SYNTAX_ERROR");
      expect(error.location).toBeDefined();
      return error.message;
    }
    throw error;
  }
  return "";
}

const statementWords =
  "'ALTER', 'ANALYZE', 'CALL', 'COMMENT', 'COMMIT', 'CREATE', 'DEALLOCATE', 'DELETE', 'DENY', 'DESC', 'DESCRIBE', 'DROP', 'EXECUTE', " +
  "'EXPLAIN', 'GRANT', 'INSERT', 'MERGE', 'PREPARE', 'REFRESH', 'RESET', 'REVOKE', 'ROLLBACK', 'SET', 'SHOW', 'START', 'TRUNCATE', 'UPDATE', 'USE', <query>";

describe("a statement that is wrong says where, and what would have been right", () => {
  it.each([
    ["", `line 1:1: mismatched input '<EOF>'. Expecting: ${statementWords}`],
    ["@select", `line 1:1: mismatched input '@'. Expecting: ${statementWords}`],
    ["select * from foo where @what", "line 1:25: mismatched input '@'. Expecting: <expression>"],
    ["select * from 'oops", "line 1:15: mismatched input '''. Expecting: '(', 'LATERAL', 'UNNEST', <identifier>"],
    [
      "select *\nfrom x\nfrom",
      "line 3:1: mismatched input 'from'. Expecting: ',', '.', 'AS', 'CROSS', 'EXCEPT', 'FETCH', 'FULL', 'GROUP', 'HAVING', 'INNER', " +
        "'INTERSECT', 'JOIN', 'LEFT', 'LIMIT', 'NATURAL', 'OFFSET', 'ORDER', 'RIGHT', 'TABLESAMPLE', 'UNION', 'WHERE', 'WINDOW', <EOF>, <identifier>",
    ],
    ["select *\nfrom x\nwhere from", "line 3:7: mismatched input 'from'. Expecting: <expression>"],
    ["select * from  ", "line 1:16: mismatched input '<EOF>'. Expecting: '(', 'LATERAL', 'UNNEST', <identifier>"],
    ["select * from `foo`", "line 1:15: backquoted identifiers are not supported; use double quotes to quote identifiers"],
    ["select * from foo `bar`", "line 1:19: backquoted identifiers are not supported; use double quotes to quote identifiers"],
    ["select 1x from dual", "line 1:8: identifiers must not start with a digit; surround the identifier with double quotes"],
    ["select a@b from dual", "line 1:8: identifiers must not contain '@'"],
    ['select "" from dual', "line 1:8: Zero-length delimited identifier not allowed"],
    [
      "select listagg(a, ',' on overflow truncate '..') within group (order by a)",
      "line 1:48: mismatched input ')'. Expecting: 'WITH', 'WITHOUT'",
    ],
    ["select listagg(a, ',' on overflow error)", "line 1:41: mismatched input '<EOF>'. Expecting: 'WITHIN'"],
    ["select foo(DISTINCT ,1)", "line 1:21: mismatched input ','. Expecting: <expression>"],
    ["CREATE TABLE ) AS (VALUES 1)", "line 1:14: mismatched input ')'. Expecting: 'IF', <identifier>"],
    ["CREATE TABLE foo ", "line 1:18: mismatched input '<EOF>'. Expecting: '(', '.', 'AS', 'COMMENT', 'WITH'"],
    ["CREATE TABLE foo (*) AS (VALUES 1)", "line 1:19: mismatched input '*'. Expecting: 'LIKE', <identifier>"],
    [
      "SELECT x() over (ROWS select) FROM t",
      "line 1:23: mismatched input 'select'. Expecting: 'BETWEEN', 'CURRENT', 'UNBOUNDED', <expression>",
    ],
    ["SELECT a FROM a AS x TABLESAMPLE x ", "line 1:34: mismatched input 'x'. Expecting: 'BERNOULLI', 'SYSTEM'"],
    ["SELECT a AS z FROM t WHERE x = 1 + ", "line 1:36: mismatched input '<EOF>'. Expecting: <expression>"],
    ["SELECT a AS z FROM t WHERE a. ", "line 1:31: mismatched input '<EOF>'. Expecting: <identifier>"],
    ["CREATE TABLE t (x bigint) COMMENT ", "line 1:35: mismatched input '<EOF>'. Expecting: <string>"],
    ["SELECT * FROM ( ", "line 1:17: mismatched input '<EOF>'. Expecting: '(', 'LATERAL', 'UNNEST', <identifier>, <query>"],
    ["SELECT CAST(a AS )", "line 1:18: mismatched input ')'. Expecting: <type>"],
    ["SELECT CAST(a AS decimal()", "line 1:26: mismatched input ')'. Expecting: <integer>, <type>"],
    ["ALTER TABLE IF EXISTS t SET", "line 1:25: mismatched input 'SET'. Expecting: '.', 'ADD', 'ALTER', 'DROP', 'RENAME'"],
    ["ALTER VIEW v DROP", "line 1:14: mismatched input 'DROP'. Expecting: '.', 'RENAME', 'SET'"],
    ["CREATE OR REPLACE SCHEMA t", "line 1:19: mismatched input 'SCHEMA'. Expecting: 'FUNCTION', 'MATERIALIZED', 'TABLE', 'VIEW'"],
    [
      "CREATE OR REPLACE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT 1",
      "line 1:1: 'OR REPLACE' and 'IF NOT EXISTS' clauses can not be used together",
    ],
    ["CREATE TABLE t (a bigint DEFAULT b)", "line 1:34: Default value of a column must be a literal"],
    ["ALTER TABLE t ALTER COLUMN a SET b", "line 1:34: mismatched input 'b'. Expecting: 'DATA', 'DEFAULT', 'NOT'"],
    ["CREATE MATERIALIZED TABLE t", "line 1:21: mismatched input 'TABLE'. Expecting: 'VIEW'"],
    ["REFRESH VIEW v", "line 1:9: mismatched input 'VIEW'. Expecting: 'MATERIALIZED'"],
    ["SET PATH a.b.c", "line 1:13: mismatched input '.'. Expecting: ',', <EOF>"],
    [
      "MERGE INTO t USING s ON a = b",
      "line 1:30: mismatched input '<EOF>'. Expecting: '%', '*', '+', '-', '.', '/', 'AND', 'AT', 'OR', 'WHEN', '[', '||'",
    ],
    [
      "MERGE INTO t USING s ON a WHEN MATCHED THEN INSERT VALUES (1)",
      "line 1:45: mismatched input 'INSERT'. Expecting: 'DELETE', 'UPDATE'",
    ],
    ["select 0x", "line 1:8: identifiers must not start with a digit; surround the identifier with double quotes"],
    ["select 0b102", "line 1:8: identifiers must not start with a digit; surround the identifier with double quotes"],
    ["select 1__0", "line 1:8: identifiers must not start with a digit; surround the identifier with double quotes"],
    ["select x'1'", "line 1:8: Binary literal must contain an even number of digits"],
    ["select x'zz'", "line 1:8: Binary literal can only contain hexadecimal digits"],
    [
      "show bananas",
      "line 1:6: mismatched input 'bananas'. Expecting: 'CATALOGS', 'COLUMNS', 'CREATE', 'CURRENT', 'FUNCTIONS', 'GRANTS', 'ROLE', 'ROLES', 'SCHEMAS', 'SESSION', 'STATS', 'TABLES'",
    ],
  ])("%j", (text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  it("also for a semicolon at the end, which is the client's to strip, and for a predicate on a predicate", () => {
    expect(errorOf("select 1;")).toMatch(/^line 1:9: mismatched input ';'. Expecting: .*<EOF>/);
    expect(errorOf("select a = b = c")).toMatch(/^line 1:14: mismatched input '='/);
    expect(errorOf("select a is null is null")).toMatch(/^line 1:18: mismatched input 'is'/);
    expect(errorOf("select 1 + not b")).toBe("line 1:12: mismatched input 'not'. Expecting: <expression>");
  });
});

function locationOf(text: string): string {
  const { location } = parseExpression(text);
  return `${location.lineNumber}:${location.columnNumber}`;
}

describe("locations", () => {
  it.each([
    ["  a", "1:3"],
    ["a + b", "1:3"],
    ["a = b", "1:3"],
    ["a\n|| b", "2:1"],
    ["a in (1)", "1:3"],
    ["a not in (1)", "1:3"],
    ["a is null", "1:3"],
    ["a and b", "1:1"],
    ["not a", "1:1"],
    ["(a + b)", "1:4"],
    ["f(a)", "1:1"],
    ["t.a", "1:1"],
    ["/* c\n */ a", "2:5"],
    ["-- c\r\na", "2:1"],
    ["'\n' = x", "2:3"],
    ["(select 1)", "1:1"],
  ])("of %j is %s", (text, place) => {
    expect(locationOf(text)).toBe(place);
  });
});

function specification(text: string): QuerySpecification {
  const statement = parseStatement(text);
  const body = statement.kind === "Query" ? statement.body : undefined;
  if (body?.kind !== "QuerySpecification") {
    throw new Error(`no specification: ${text}`);
  }
  return body;
}

describe("words that are names too", () => {
  it("are aliases unless they begin the next clause", () => {
    expect(specification("select 1 limit from t limit limit 5")).toMatchObject({
      select: { items: [{ alias: { value: "limit" } }] },
      from: { kind: "AliasedRelation", alias: { value: "limit" } },
    });
    expect(specification("select 1 from t limit 5").from).toMatchObject({ kind: "Table" });
    expect(specification("select 1 from t fetch first row only").from).toMatchObject({ kind: "Table" });
    expect(specification("select 1 from t tablesample system (10)").from).toMatchObject({ kind: "SampledRelation" });
    expect(specification("select rank() over from t").select.items[0]).toMatchObject({ alias: { value: "over" } });
  });

  it("are columns unless what follows makes them more", () => {
    const kinds = [
      "date",
      "interval",
      "row",
      "position",
      "date '2020-01-01'",
      "interval '1' day",
      "row(1)",
      "try_cast(a as date)",
      "all",
      "if",
    ];
    expect(kinds.map((text) => parseExpression(text).kind)).toEqual([
      "Identifier",
      "Identifier",
      "Identifier",
      "Identifier",
      "GenericLiteral",
      "IntervalLiteral",
      "Row",
      "Cast",
      "Identifier",
      "Identifier",
    ]);
    expect(specification("select all from t").select.items[0]).toMatchObject({ expression: { value: "all" } });
    expect(specification("select all a from t").select.items[0]).toMatchObject({ expression: { value: "a" } });
  });
});

function queryOf(text: string): Query {
  const statement = parseStatement(text);
  if (statement.kind !== "Query") {
    throw new Error(`no query: ${text}`);
  }
  return statement;
}

describe("queries", () => {
  it("fold set operations to the left, INTERSECT first", () => {
    expect(queryOf("table a union table b union table c").body).toMatchObject({ operator: "UNION", distinct: true, terms: [{}, {}, {}] });
    expect(queryOf("table a union all table b union table c").body).toMatchObject({
      operator: "UNION",
      distinct: true,
      terms: [{ kind: "SetOperation", operator: "UNION", distinct: false }, { kind: "TableQuery" }],
    });
    expect(queryOf("table a union table b intersect table c").body).toMatchObject({
      operator: "UNION",
      terms: [{ kind: "TableQuery" }, { operator: "INTERSECT" }],
    });
  });

  it("in parentheses within parentheses are told by what follows", () => {
    const value = (text: string): Expression => parseExpression(text);
    expect(value("((select 1))")).toMatchObject({ kind: "SubqueryExpression", query: { body: { kind: "QuerySpecification" } } });
    expect(value("((select 1) + 1)").kind).toBe("ArithmeticBinary");
    expect(value("((select 1) union select 2)")).toMatchObject({ kind: "SubqueryExpression", query: { body: { kind: "SetOperation" } } });
    expect(value("x in ((select 1) limit 1)").kind).toBe("InSubquery");
    expect(value("x in (select 1)").kind).toBe("InSubquery");
    expect(value("x in ((select 1), 2)").kind).toBe("InList");
    expect(value("exists ((select 1) union all (select 2))").kind).toBe("Exists");
    expect(value("x = any (select 1)").kind).toBe("QuantifiedComparison");
    expect(value("x > some ((values 1))")).toMatchObject({ quantifier: "ANY" });
    expect(specification("select * from ((select 1) union select 2) x").from).toMatchObject({ relation: { kind: "TableSubquery" } });
    expect(specification("select * from ((select 1) x cross join y)").from).toMatchObject({ kind: "Join", type: "CROSS" });
  });

  it("take joins from the left, their criteria from the inside", () => {
    expect(specification("select * from a, b join c on x left outer join d using (y), e").from).toMatchObject({
      type: "IMPLICIT",
      left: {
        type: "IMPLICIT",
        left: { kind: "Table" },
        right: { type: "LEFT", left: { type: "INNER" }, criteria: { kind: "JoinUsing" } },
      },
      right: { kind: "Table" },
    });
    expect(specification("select * from a join b join c on y on x").from).toMatchObject({
      right: { kind: "Join", criteria: { expression: { value: "y" } } },
    });
    expect(specification("select * from a natural full join b cross join c").from).toMatchObject({
      type: "CROSS",
      left: { type: "FULL", criteria: { kind: "NaturalJoin" } },
    });
  });

  it("group by lists, sets, cubes and rollups", () => {
    expect(specification("select 1 group by a, (b, c), (), (d) , cube (e), grouping sets ((a), b, ())").groupBy?.elements).toMatchObject([
      { kind: "SimpleGroupBy", expressions: [{ value: "a" }] },
      { kind: "SimpleGroupBy", expressions: [{ value: "b" }, { value: "c" }] },
      { kind: "SimpleGroupBy", expressions: [] },
      { kind: "SimpleGroupBy", expressions: [{ value: "d" }] },
      { kind: "Cube" },
      { kind: "GroupingSets", sets: [[{ value: "a" }], [{ value: "b" }], []] },
    ]);
  });

  it("group by ALL and DISTINCT before any element", () => {
    expect(specification("select 1 group by all cube (a, b), c").groupBy).toMatchObject({
      distinct: false,
      elements: [{ kind: "Cube" }, {}],
    });
    expect(specification("select 1 group by all grouping sets ((a))").groupBy?.elements).toMatchObject([{ kind: "GroupingSets" }]);
    expect(specification("select 1 group by all (), rollup (a)").groupBy?.elements).toMatchObject([
      { expressions: [] },
      { kind: "Rollup" },
    ]);
    expect(specification("select 1 group by distinct rollup (a)").groupBy).toMatchObject({
      distinct: true,
      elements: [{ kind: "Rollup" }],
    });
    expect(specification("select all group by all").groupBy?.elements).toMatchObject([{ expressions: [{ value: "all" }] }]);
  });

  it("have numbers in several notations", () => {
    const values = ["0x1F", "0XfF", "0b1_01", "0o17", "1_000_000", "1_0.2_5", ".1_2", "0x_FF_FF"].map((text) => parseExpression(text));
    expect(values.map((value) => "value" in value && value.value)).toEqual(["31", "255", "5", "15", "1000000", "10.25", ".12", "65535"]);
    expect(parseExpression("1e3")).toMatchObject({ kind: "DoubleLiteral", value: 1000 });
  });

  it("count parameters in the order of the text", () => {
    const { select, where } = specification("select ?, ? from t where a = ?");
    expect(select.items).toMatchObject([{ expression: { position: 0 } }, { expression: { position: 1 } }]);
    expect(where).toMatchObject({ right: { position: 2 } });
  });
});

describe("statements", () => {
  it.each<[string, Record<string, unknown>]>([
    ["show schemas from tpch like 's%' escape '$'", { kind: "ShowSchemas", pattern: { like: "s%", escape: "$" } }],
    ["desc tpch.tiny.nation", { kind: "ShowColumns" }],
    ["describe input q", { kind: "DescribeInput" }],
    ["use tpch.tiny", { kind: "Use", catalog: { value: "tpch" }, schema: { value: "tiny" } }],
    ["explain (type validate, format json) select 1", { kind: "Explain", type: "VALIDATE", format: "JSON", analyze: false }],
    ["explain analyze verbose select 1", { kind: "Explain", analyze: true, verbose: true }],
    ["explain (select 1)", { kind: "Explain", statement: { kind: "Query" } }],
    [
      "create table if not exists a.b with (x = 1) as (select 1) with no data",
      { kind: "CreateTableAsSelect", ifNotExists: true, withData: false },
    ],
    ["create table t (a, b) as select 1, 2", { kind: "CreateTableAsSelect", columnNames: [{ value: "a" }, { value: "b" }] }],
    [
      "create table t (a bigint not null comment 'x', like u including properties)",
      { kind: "CreateTable", elements: [{ nullable: false, comment: "x" }, { kind: "LikeClause" }] },
    ],
    ["insert into t (a) values 1", { kind: "Insert", columns: [{ value: "a" }] }],
    ["insert into t (select 1)", { kind: "Insert", query: { body: { kind: "TableSubquery" } } }],
    ["drop table if exists t", { kind: "DropTable", ifExists: true }],
    ["drop schema s cascade", { kind: "DropSchema", cascade: true }],
    ["delete from t", { kind: "Delete" }],
    ["update t set a = 1, b = a where c", { kind: "Update" }],
    ["prepare q from select ?", { kind: "Prepare", statement: { kind: "Query" } }],
    ["execute q using 1, 'a'", { kind: "Execute", parameters: [{ value: "1" }, { value: "a" }] }],
    ["execute immediate 'select ''a'' || ?' using 'b'", { kind: "ExecuteImmediate", sql: "select 'a' || ?" }],
    [
      "start transaction isolation level read committed, read only",
      { kind: "StartTransaction", isolation: "READ COMMITTED", accessMode: "READ ONLY" },
    ],
    ["commit work", { kind: "Commit" }],
    [
      "call system.runtime.kill_query(query_id => 'x', message => 'y')",
      { kind: "Call", arguments: [{ name: { value: "query_id" } }, { name: { value: "message" } }] },
    ],
    [
      "create or replace materialized view v comment 'c' with (a = 1) as select 1",
      { kind: "CreateMaterializedView", replace: true, ifNotExists: false, comment: "c" },
    ],
    ["create or replace table t (a int)", { kind: "CreateTable", replace: true, ifNotExists: false }],
    ["create or replace table t as select 1 x", { kind: "CreateTableAsSelect", replace: true, withData: true }],
    [
      "create table t (a bigint default -1 not null, b varchar not null default 'x' comment 'c', c date default null)",
      {
        kind: "CreateTable",
        replace: false,
        elements: [
          { nullable: false, defaultValue: { kind: "ArithmeticUnary", sign: "-" } },
          { nullable: false, defaultValue: { kind: "StringLiteral", value: "x" }, comment: "c" },
          { nullable: true, defaultValue: { kind: "NullLiteral" } },
        ],
      },
    ],
    [
      "alter table if exists t alter column c set default 1.5",
      { kind: "SetColumnDefault", value: { kind: "DecimalLiteral" }, tableExists: true },
    ],
    ["alter table t alter column c drop default", { kind: "SetColumnDefault", column: { value: "c" }, tableExists: false }],
    ["alter table t alter column c set not null", { kind: "SetColumnNullable", nullable: false }],
    ["alter table t alter column c drop not null", { kind: "SetColumnNullable", nullable: true }],
    ["refresh materialized view a.b.v", { kind: "RefreshMaterializedView" }],
    ["drop materialized view if exists v", { kind: "DropMaterializedView", ifExists: true }],
    ["alter materialized view v rename to w", { kind: "RenameMaterializedView", ifExists: false }],
    ["set path a.b, c", { kind: "SetPath", elements: [{ parts: [{ value: "a" }, { value: "b" }] }, { parts: [{ value: "c" }] }] }],
    [
      "merge into t x using (select 1 a) s on x.a = s.a when matched and x.b > 1 then delete when matched then update set b = 2 when not matched then insert (a) values (s.a)",
      { kind: "Merge", alias: { value: "x" }, cases: [{ kind: "MergeDelete" }, { kind: "MergeUpdate" }, { kind: "MergeInsert" }] },
    ],
    ["create schema s authorization role r with (a = 1)", { kind: "CreateSchema", owner: { type: "ROLE" } }],
    ["create role r with admin current_user in c", { kind: "CreateRole", grantor: "CURRENT_USER", catalog: { value: "c" } }],
    ["drop role r", { kind: "DropRole" }],
    [
      "grant r to user u with admin option granted by role o in c",
      { kind: "GrantRoles", grantor: { type: "ROLE" }, catalog: { value: "c" } },
    ],
    ["alter schema s set authorization u", { kind: "SetAuthorization", object: "SCHEMA" }],
    ["alter table t set authorization role r", { kind: "SetAuthorization", object: "TABLE", principal: { type: "ROLE" } }],
    ["alter view v set authorization user u", { kind: "SetAuthorization", object: "VIEW" }],
    [
      "alter table t set properties a = 1, b = default",
      { kind: "SetTableProperties", properties: [{ value: { value: "1" } }, { name: { value: "b" } }] },
    ],
    ["alter table if exists t alter column c set data type bigint", { kind: "SetColumnType", tableExists: true }],
    ["alter table t execute optimize(a => '1MB') where c = 1", { kind: "TableExecute", arguments: [{}] }],
    ["comment on view v is 'x'", { kind: "Comment", object: "VIEW" }],
    ["set session hive.x = 'y'", { kind: "SetSession" }],
    ["create view v (a) as select 1", { kind: "CreateView", columnNames: [{ value: "a" }] }],
    ["comment on column t.c is null", { kind: "Comment", object: "COLUMN" }],
  ])("%s", (text, shape) => {
    expect(parseStatement(text)).toMatchObject(shape);
  });
});

describe("hostile text", () => {
  it("is parsed in pieces, with the tree and the errors of one piece", () => {
    const long = `SELECT ${Array.from({ length: 20_000 }, (_, index) => `c${index} + 1`).join(",\n")} FROM t`;
    const pieces = parseStatementInPieces(long);
    let yields = 0;
    let next = pieces.next();
    for (; next.done !== true; next = pieces.next()) {
      yields++;
    }
    // 80,002 tokens: 9 between pieces of tokens, one before the parser, and 9 pauses of it, each behind an element that is complete.
    expect(yields).toBe(19);
    expect(next.value).toEqual(parseStatement(long));
    expect(() => [...parseStatementInPieces(`${long} FROM`)]).toThrow(/^line 20000:19: mismatched input 'FROM'/);
  });

  it("of any kind is a statement or a syntax error with its place, and nothing else", () => {
    const cut = fc.tuple(anyStatement, fc.nat(), fc.nat(20), fc.string({ maxLength: 4 })).map(([tree, at, length, inserted]) => {
      const text = printStatement(tree);
      const from = at % (text.length + 1);
      return text.slice(0, from) + inserted + text.slice(from + length);
    });
    fc.assert(
      fc.property(fc.oneof(cut, fc.string({ unit: "binary", maxLength: 40 })), (text) => {
        errorOf(text);
      }),
      { numRuns: 1000 },
    );
  });

  const deep = /statement is too deeply nested: more than 500 levels/;

  it.each([
    ["parentheses", `select ${"(".repeat(400_000)}`],
    ["subqueries", `select ${"(select ".repeat(100_000)}`],
    ["relations", `select * from ${"(".repeat(400_000)}`],
    ["signs", `select ${"- ".repeat(400_000)}1`],
    ["NOT", `select ${"not ".repeat(200_000)}a`],
    ["sums", `select ${"1+".repeat(400_000)}1`],
    ["fields", `select ${"a.".repeat(400_000)}b`],
    ["subscripts", `select a${"[1]".repeat(300_000)}`],
    ["CASE", `select ${"case when a then ".repeat(50_000)}`],
    ["types", `select cast(a as ${"array(".repeat(100_000)}`],
    ["joins", `select * from t${" join t on a".repeat(50_000)}`],
    ["commas in FROM", `select * from t${", t".repeat(300_000)}`],
    ["alternating set operations", `table t${" union table t union all table t".repeat(20_000)}`],
    ["EXPLAIN", "explain ".repeat(100_000)],
    ["lambdas", `select ${"x -> ".repeat(150_000)}x`],
  ])("%s without end are an error, not the end of the stack", (_name, text) => {
    expect(errorOf(text)).toMatch(deep);
  });

  it.each([
    ["AND", `select ${"a and ".repeat(150_000)}a`],
    ["columns", `select ${"t.a b, ".repeat(100_000)}a`],
    ["IN", `select a in (${"1,".repeat(300_000)}1)`],
    ["VALUES", `values ${"(1,'a'),".repeat(90_000)}(1,'b')`],
    ["UNION ALL", `select 1${" union all select 1".repeat(50_000)}`],
    ["quotes", `select '${"''".repeat(400_000)}'`],
    ["comments", `${"--\n".repeat(300_000)}select 1`],
    ["450 parentheses", `select ${"(".repeat(450)}1${")".repeat(450)}`],
    ["a join of 300", `select * from t${" join t on a".repeat(299)}`],
  ])("much of %s is read", (_name, text) => {
    expect(parseStatement(text).kind).toBe("Query");
  });
});
