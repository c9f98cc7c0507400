/**
 * Table functions with table arguments, after Trino's own tests: on three workers, and on one node with the interpreter.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tpchConnectorFactory } from "../../../../../src/connectors/tpch/tpch.ts";
import { createSqlPlanner } from "../../../../../src/coordinator/query/sql-planner.ts";
import { DirectCluster } from "../../../coordinator/direct-cluster.ts";
import { testingConnectorFactory } from "./testing-functions.ts";

const clusters: DirectCluster[] = [];

beforeAll(async () => {
  for (const [workerCount, backend] of [
    [3, "wasm"],
    [0, "interpreter"],
  ] as const) {
    clusters.push(
      await DirectCluster.start({
        workerCount,
        catalogs: [
          { name: "tpch", properties: { "connector.name": "tpch" } },
          { name: "testing", properties: { "connector.name": "testing" } },
        ],
        factories: [tpchConnectorFactory, testingConnectorFactory],
        planner: createSqlPlanner,
        properties: { "node.kernel-backend": backend },
      }),
    );
  }
});

afterAll(async () => {
  for (const cluster of clusters) {
    await cluster.close();
  }
});

const session = { "x-engine-catalog": "testing", "x-engine-schema": "system" };

function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** Unqualified functions resolve in the session's catalog and schema. */
function qualified(sql: string): string {
  return sql.replace(/TABLE\(([a-z_0-9]+)\(/g, "TABLE(system.$1(");
}

async function expectRows(text: string, rows: readonly (readonly unknown[])[]): Promise<void> {
  const sql = qualified(text);
  for (const cluster of clusters) {
    const outcome = await cluster.run(sql, session);
    expect(outcome.error, sql).toBeUndefined();
    expect(sorted(outcome.rows), sql).toEqual(sorted(rows));
  }
}

async function expectSame(text: string, other: string): Promise<void> {
  const sql = qualified(text);
  for (const cluster of clusters) {
    const [outcome, expected] = [await cluster.run(sql, session), await cluster.run(other, session)];
    expect(outcome.error, sql).toBeUndefined();
    expect(expected.error, other).toBeUndefined();
    expect(sorted(outcome.rows), sql).toEqual(sorted(expected.rows));
  }
}

const part = "tpch.tiny.part";

describe("rows", () => {
  test.each<[string, unknown[][]]>([
    [
      "SELECT b, a FROM TABLE(identity_function(input => TABLE(VALUES (1, 2), (3, 4), (5, 6)) T(a, b)))",
      [
        [2, 1],
        [4, 3],
        [6, 5],
      ],
    ],
    [
      "SELECT b, a FROM TABLE(identity_pass_through_function(input => TABLE(VALUES (1, 2), (3, 4), (5, 6)) T(a, b)))",
      [
        [2, 1],
        [4, 3],
        [6, 5],
      ],
    ],
    [
      "SELECT i.b, a FROM TABLE(identity_function(input => TABLE(VALUES ('x', 1), ('y', 2), ('z', null)) T(a, b) PARTITION BY b)) i",
      [
        [1, "x"],
        [2, "y"],
        [null, "z"],
      ],
    ],
    [
      "SELECT b, a FROM TABLE(identity_pass_through_function(input => TABLE(VALUES ('x', 1), ('y', 2), ('z', null)) T(a, b) PARTITION BY b))",
      [
        [1, "x"],
        [2, "y"],
        [null, "z"],
      ],
    ],
    [
      "SELECT * FROM TABLE(repeat(TABLE(VALUES (1, 2), (3, 4), (5, 6))))",
      [
        [1, 2],
        [1, 2],
        [3, 4],
        [3, 4],
        [5, 6],
        [5, 6],
      ],
    ],
    ...[
      "",
      " t(x, y) PARTITION BY x",
      " t(x, y) ORDER BY y",
      " t(x, y) PARTITION BY x ORDER BY y",
      " t(x, y) PARTITION BY x PRUNE WHEN EMPTY",
    ].map((clauses): [string, unknown[][]] => [
      `SELECT * FROM TABLE(repeat(TABLE(VALUES ('a', true), ('b', false))${clauses}, 4))`,
      Array.from({ length: 4 }, () => [
        ["a", true],
        ["b", false],
      ]).flat(),
    ]),
    ["SELECT * FROM TABLE(constant(5))", [[5]]],
    ["SELECT * FROM TABLE(constant(2, 10))", Array.from({ length: 10 }, () => [2])],
    ["SELECT * FROM TABLE(constant(null, 3))", [[null], [null], [null]]],
    ["SELECT * FROM TABLE(constant(5 * 4, 3))", [[20], [20], [20]]],
    ["SELECT count(*), count(DISTINCT constant_column), min(constant_column) FROM TABLE(constant(2, 100000))", [[100000, 1, 2]]],
    ["SELECT count(*) FROM TABLE(constant(2, 12345))", [[12345]]],
    ["SELECT * FROM TABLE(constant(5, 0))", []],
    ["SELECT boolean_column FROM TABLE(simple_table_function(column => 'boolean_column', ignored => 1))", []],
    ["SELECT boolean_column FROM TABLE(simple_table_function(column => 'boolean_column'))", []],
    ["SELECT col FROM TABLE(simple_table_function())", []],
    ["SELECT a, b FROM TABLE(descriptor_argument_function(DESCRIPTOR(a, b bigint)))", [[7, 7]]],
    ["SELECT nothing FROM TABLE(descriptor_argument_function(schema => CAST(NULL AS DESCRIPTOR)))", [[7]]],
    ["SELECT nothing FROM TABLE(testing.system.descriptor_argument_function())", [[7]]],
    ["SELECT * FROM TABLE(test_single_input_function(TABLE(VALUES (true), (false), (true))))", [[true]]],
    [
      "SELECT number, x FROM TABLE(even_rows(TABLE(VALUES 'a', 'b', 'c') t(x)))",
      [
        [0, "a"],
        [2, "c"],
        [-1, null],
      ],
    ],
    ["SELECT number FROM TABLE(even_rows(TABLE(VALUES 'a', 'b', 'c') t(x)))", [[0], [2], [-1]]],
    [
      "SELECT x, was_late FROM TABLE(late(TABLE(VALUES 1, 2, 2, 3) t(x) PARTITION BY x))",
      [
        [1, true],
        [2, true],
        [3, true],
      ],
    ],
  ])("of %s", async (sql, rows) => {
    await expectRows(sql, rows);
  });

  test.each<[string, string]>([
    ["SELECT * FROM TABLE(identity_function(input => TABLE(tpch.tiny.orders)))", "SELECT * FROM tpch.tiny.orders"],
    ["SELECT * FROM TABLE(identity_pass_through_function(TABLE(tpch.tiny.orders)))", "SELECT * FROM tpch.tiny.orders"],
    ...[
      "",
      " PARTITION BY type",
      " ORDER BY size",
      " PARTITION BY type ORDER BY size",
      " PARTITION BY type PRUNE WHEN EMPTY ORDER BY size",
    ].map((clauses): [string, string] => [
      `SELECT * FROM TABLE(repeat(TABLE(${part})${clauses}, 3))`,
      `SELECT * FROM ${part} UNION ALL TABLE ${part} UNION ALL TABLE ${part}`,
    ]),
    [
      `SELECT size, count(*) FROM TABLE(repeat(TABLE(${part}) PARTITION BY (size, brand) PRUNE WHEN EMPTY)) WHERE size > 40 AND name <> 'x' GROUP BY size`,
      `SELECT size, 2 * count(*) FROM ${part} WHERE size > 40 GROUP BY size`,
    ],
    [
      "SELECT DISTINCT regionkey, nationkey FROM TABLE(test_inputs_function(input_1 => TABLE(tpch.tiny.nation), " +
        "input_2 => TABLE(tpch.tiny.nation) PARTITION BY regionkey ORDER BY name, input_3 => TABLE(tpch.tiny.customer) PARTITION BY nationkey, " +
        "input_4 => TABLE(tpch.tiny.customer)))",
      "SELECT DISTINCT n.regionkey, c.nationkey FROM tpch.tiny.nation n, tpch.tiny.customer c",
    ],
    [
      "SELECT * FROM TABLE(test_inputs_function(TABLE(tpch.tiny.region), TABLE(tpch.tiny.nation) AS n PARTITION BY regionkey PRUNE WHEN EMPTY, " +
        "TABLE(tpch.tiny.orders), TABLE(tpch.tiny.region) AS r PARTITION BY regionkey COPARTITION (n, r)))",
      "SELECT true, regionkey, regionkey FROM tpch.tiny.region",
    ],
  ])("of %s are those of the other query", expectSame);
});

describe("pages without rows", () => {
  test.each(["TABLE(tpch.tiny.orders)", "TABLE(SELECT * FROM tpch.tiny.orders WHERE false)"])("over %s", async (table) => {
    await expectRows(`SELECT * FROM TABLE(empty_output(${table}))`, []);
    await expectRows(`SELECT * FROM TABLE(empty_output(${table} PARTITION BY orderstatus))`, []);
    await expectRows(`SELECT * FROM TABLE(empty_output_with_pass_through(${table}))`, []);
    await expectRows(`SELECT * FROM TABLE(empty_output_with_pass_through(${table} PARTITION BY orderstatus))`, []);
  });
});

/** One entry per table argument: its rows and clauses, or undefined for a table without rows. */
function inputs(...tables: readonly string[]): string {
  return `SELECT * FROM TABLE(test_inputs_function(${tables.map((table, index) => `input_${index + 1} => ${table}`).join(", ")}))`;
}

const keyed = (number: number, values: string, clauses = ""): string =>
  `TABLE(${values === "" ? `SELECT ${number} WHERE false` : `VALUES ${values}`}) t${number}(x${number}) PARTITION BY x${number}${clauses}`;

describe("partitions", () => {
  test.each<[string, unknown[][]]>([
    [
      inputs("TABLE(VALUES 1, 2, 3)", keyed(2, "4, 5, 4, 5, 4"), keyed(3, "6, 7, 6"), "TABLE(VALUES 8, 9)"),
      [
        [true, 4, 6],
        [true, 4, 7],
        [true, 5, 6],
        [true, 5, 7],
      ],
    ],
    [
      inputs("TABLE(VALUES 1, 2, 3)", keyed(2, "4, 5, 4, 5, 4"), keyed(3, "6, 7, 6"), keyed(4, "8, 9")),
      [4, 5].flatMap((a) => [6, 7].flatMap((b) => [8, 9].map((c) => [true, a, b, c]))),
    ],
    [
      inputs("TABLE(VALUES 1, 2, 3)", keyed(2, "4, 5, 4, 5, 4"), keyed(3, "6, 7, 6"), keyed(4, "8, 8")),
      [
        [true, 4, 6, 8],
        [true, 4, 7, 8],
        [true, 5, 6, 8],
        [true, 5, 7, 8],
      ],
    ],
    [
      inputs("TABLE(VALUES 1, null)", keyed(2, "2, null, 2, null"), keyed(3, "3, null, 3, null"), keyed(4, "null, null")),
      [
        [true, 2, 3, null],
        [true, 2, null, null],
        [true, null, 3, null],
        [true, null, null, null],
      ],
    ],
    [inputs("TABLE(VALUES 1, 2, 3)", "TABLE(VALUES 4, 5, 4, 5, 4)", "TABLE(VALUES 6, 7, 6)", "TABLE(VALUES 8, 9)"), [[true]]],
    [
      inputs("TABLE(VALUES 1, 2, 3)", "TABLE(SELECT 2 WHERE false)", "TABLE(SELECT 3 WHERE false)", "TABLE(SELECT 4 WHERE false)"),
      [[true]],
    ],
    [inputs("TABLE(SELECT 1 WHERE false)", "TABLE(VALUES 2)", "TABLE(VALUES 3)", "TABLE(VALUES 4)"), []],
    [inputs("TABLE(VALUES 1, 2, 3)", keyed(2, ""), keyed(3, ""), keyed(4, "")), [[true, null, null, null]]],
    [
      inputs("TABLE(VALUES 1, 2, 3)", keyed(2, ""), keyed(3, "3, 4, 4"), keyed(4, "4, 4, 4, 5, 5, 5, 5")),
      [
        [true, null, 3, 4],
        [true, null, 4, 4],
        [true, null, 4, 5],
        [true, null, 3, 5],
      ],
    ],
    [
      inputs("TABLE(VALUES 1, 2, 3)", keyed(2, ""), keyed(3, ""), keyed(4, "4, 5")),
      [
        [true, null, null, 4],
        [true, null, null, 5],
      ],
    ],
    [inputs("TABLE(VALUES 1, 2, 3)", keyed(2, "", " PRUNE WHEN EMPTY"), keyed(3, ""), keyed(4, "4, 5")), []],
  ])("of %s", async (sql, rows) => {
    await expectRows(sql, rows);
  });

  const together = (two: string, four: string): string =>
    inputs("TABLE(VALUES 1, 2, 3)", two, "TABLE(VALUES 4, 5) t3(x3)", `${four} COPARTITION (t2, t4)`);
  const three = (two: string, third: string, four: string): string =>
    inputs("TABLE(VALUES 1, 2, 3)", two, third, `${four} COPARTITION (t2, t4, t3)`);
  const prune = " PRUNE WHEN EMPTY";

  test.each<[string, unknown[][]]>([
    [
      together(keyed(2, "1, 1, 2, 2"), keyed(4, "2, 2, 2, 3")),
      [
        [true, 1, null],
        [true, 2, 2],
        [true, null, 3],
      ],
    ],
    [
      together(keyed(2, "1, 1, 2, 2", prune), keyed(4, "2, 2, 2, 3")),
      [
        [true, 1, null],
        [true, 2, 2],
      ],
    ],
    [
      together(keyed(2, "1, 1, 2, 2"), keyed(4, "2, 2, 2, 3", prune)),
      [
        [true, 2, 2],
        [true, null, 3],
      ],
    ],
    [together(keyed(2, "1, 1, 2, 2", prune), keyed(4, "2, 2, 2, 3", prune)), [[true, 2, 2]]],
    [
      together(keyed(2, "BIGINT '1', 2"), keyed(4, "SMALLINT '2', 3")),
      [
        [true, 1, null],
        [true, 2, 2],
        [true, null, 3],
      ],
    ],
    [
      together(keyed(2, "1, 1, null, null, 2, 2"), keyed(4, "null, 2, 2, 2, 3")),
      [
        [true, 1, null],
        [true, 2, 2],
        [true, null, null],
        [true, null, 3],
      ],
    ],
    [
      together(keyed(2, "1, 1, null, null, 2, 2", prune), keyed(4, "null, 2, 2, 2, 3", prune)),
      [
        [true, 2, 2],
        [true, null, null],
      ],
    ],
    [
      three(keyed(2, "1, 1, null, null"), keyed(3, "2, 2, null"), keyed(4, "2, 3, 3")),
      [
        [true, 1, null, null],
        [true, null, null, null],
        [true, null, 2, 2],
        [true, null, null, 3],
      ],
    ],
    [
      three(keyed(2, "1, 1, null, null"), keyed(3, "2, 2, null", prune), keyed(4, "2, 3, 3")),
      [
        [true, null, null, null],
        [true, null, 2, 2],
      ],
    ],
    [
      three(keyed(2, "1, 1, null, null", prune), keyed(3, "2, 2, null"), keyed(4, "2, 3, 3")),
      [
        [true, 1, null, null],
        [true, null, null, null],
      ],
    ],
    [three(keyed(2, "1, 1, null, null", prune), keyed(3, "2, 2, null"), keyed(4, "2, 3, 3", prune)), []],
  ])("that go together, of %s", async (sql, rows) => {
    await expectRows(sql, rows);
  });
});

describe("pass-through columns", () => {
  const one = "TABLE(VALUES (1, 'a'), (2, 'b')) t1(a1, b1) PARTITION BY a1";
  const none = (number: number): string =>
    `TABLE(SELECT ${number}, 'x' WHERE false) t${number}(a${number}, b${number}) PARTITION BY a${number}`;
  const passes = (first: string, second: string): string => `SELECT * FROM TABLE(pass_through(${first}, ${second}))`;
  const lists = (empty: boolean): string =>
    empty
      ? "TABLE(SELECT 1, 'a' WHERE FALSE) t1(x1, x2), TABLE(SELECT 4, 'd' WHERE FALSE) t2(y1, y2)"
      : "TABLE(VALUES (1, 'a'), (2, 'b'), (3, 'c')) t1(x1, x2), TABLE(VALUES (4, 'd'), (5, 'e')) t2(y1, y2)";

  test.each<[string, unknown[][]]>([
    [
      passes(one, "TABLE(VALUES (2, 'x'), (3, 'y')) t2(a2, b2) PARTITION BY a2 COPARTITION (t1, t2)"),
      [
        [true, false, 1, "a", null, null],
        [true, true, 2, "b", 2, "x"],
        [false, true, null, null, 3, "y"],
      ],
    ],
    [
      passes(one, `${none(2)} COPARTITION (t1, t2)`),
      [
        [true, false, 1, "a", null, null],
        [true, false, 2, "b", null, null],
      ],
    ],
    [
      passes(one, none(2)),
      [
        [true, false, 1, "a", null, null],
        [true, false, 2, "b", null, null],
      ],
    ],
    [passes(none(1), `${none(2)} COPARTITION (t1, t2)`), [[false, false, null, null, null, null]]],
    [passes(none(1), none(2)), [[false, false, null, null, null, null]]],
    ...(
      [
        ["p1, p2, x1, x2, y1, y2", [true, true, 3, "c", 5, "e"], [false, false, null, null, null, null]],
        ["x1, x2, y1, y2", [3, "c", 5, "e"], [null, null, null, null]],
        ["x2, y2", ["c", "e"], [null, null]],
        ["y1, y2", [5, "e"], [null, null]],
        ["'x'", ["x"], ["x"]],
      ] as const
    ).flatMap(([columns, row, nulls]): [string, unknown[][]][] => [
      [`SELECT ${columns} FROM TABLE(pass_through(${lists(false)})) t(p1, p2)`, [[...row]]],
      [`SELECT ${columns} FROM TABLE(pass_through(${lists(true)})) t(p1, p2)`, [[...nulls]]],
    ]),
    ["SELECT 'a' FROM TABLE(identity_pass_through_function(input => TABLE(VALUES 1, 2, 3)))", [["a"], ["a"], ["a"]]],
    ["SELECT 'a' FROM TABLE(identity_pass_through_function(input => TABLE(SELECT 1 WHERE false)))", []],
    ["SELECT 'a' FROM TABLE(identity_pass_through_function(input => TABLE(SELECT 1 WHERE false) PRUNE WHEN EMPTY))", []],
  ])("of %s", async (sql, rows) => {
    await expectRows(sql, rows);
  });

  test.each<[string, unknown[][]]>([
    ["TABLE(VALUES 1)", [[true]]],
    ["TABLE(VALUES 1, 2, 3) t(a) PARTITION BY a", [[true], [true], [true]]],
    ["TABLE(SELECT 1 WHERE false)", [[false]]],
    ["TABLE(SELECT 1 WHERE false) t(a) PARTITION BY a", [[false]]],
    ["TABLE(SELECT * FROM tpch.tiny.orders WHERE false)", [[false]]],
    ["TABLE(SELECT * FROM tpch.tiny.orders WHERE orderkey < 0) PARTITION BY orderstatus ORDER BY orderkey", [[false]]],
    ["TABLE(SELECT * FROM tpch.tiny.orders WHERE orderkey < 0) PARTITION BY orderstatus PRUNE WHEN EMPTY", []],
  ])("whether %s has rows", async (table, rows) => {
    await expectRows(`SELECT got_input FROM TABLE(test_input(${table}))`, rows);
  });
});

describe("errors", () => {
  const t1 = "TABLE(VALUES (1, 2)) t1(a, b)";
  test.each<[string, string, string]>([
    ["constant(2147483648, 3)", "TYPE_MISMATCH", "line 1:37: Cannot cast type bigint to integer"],
    ["nosuch.system.constant(1)", "FUNCTION_NOT_FOUND", "line 1:21: Table function nosuch.system.constant not registered"],
    [
      "two_arguments_function(1, 2, 3)",
      "INVALID_ARGUMENTS",
      "line 1:51: Too many arguments. Expected at most 2 arguments, got 3 arguments",
    ],
    [
      "two_arguments_function('x', number => 3)",
      "INVALID_ARGUMENTS",
      "line 1:51: All arguments must be passed by name or all must be passed positionally",
    ],
    ["two_arguments_function(text => 'a', text => 'b')", "INVALID_FUNCTION_ARGUMENT", "line 1:64: Duplicate argument name: TEXT"],
    ["two_arguments_function(text => 'a', bar => 'b')", "INVALID_FUNCTION_ARGUMENT", "line 1:64: Unexpected argument name: BAR"],
    ["two_arguments_function(\"text\" => 'a')", "INVALID_FUNCTION_ARGUMENT", "line 1:51: Unexpected argument name: text"],
    ["two_arguments_function(number => 1)", "MISSING_ARGUMENT", "line 1:51: Missing argument: TEXT"],
    ["two_arguments_function()", "MISSING_ARGUMENT", "line 1:21: Missing argument: TEXT"],
    [
      "two_arguments_function(TABLE(VALUES 1))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:51: Invalid argument TEXT. Expected expression, got table",
    ],
    [
      "two_arguments_function(DESCRIPTOR(x))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:51: Invalid argument TEXT. Expected expression, got descriptor",
    ],
    [
      "two_arguments_function(descriptor(1))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:51: 'descriptor' function is not allowed as a table function argument",
    ],
    ["two_arguments_function((SELECT 'x'))", "EXPRESSION_NOT_CONSTANT", "line 1:51: Constant expression cannot contain a subquery"],
    ["two_arguments_function(x)", "COLUMN_NOT_FOUND", "line 1:51: Column 'x' cannot be resolved"],
    ["table_argument_function(1)", "INVALID_FUNCTION_ARGUMENT", "line 1:52: Invalid argument INPUT. Expected table, got expression"],
    [
      "table_argument_function(input => DESCRIPTOR(x))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:52: Invalid argument INPUT. Expected table, got descriptor",
    ],
    ["table_argument_function()", "MISSING_ARGUMENT", "line 1:21: Missing argument: INPUT"],
    [
      "table_argument_function(input => constant(1))",
      "NOT_SUPPORTED",
      "line 1:52: Invalid table argument INPUT. Table functions are not allowed as table function arguments",
    ],
    [
      "table_argument_function(TABLE(constant(1)))",
      "NOT_SUPPORTED",
      "line 1:52: Invalid table argument INPUT. Table functions are not allowed as table function arguments",
    ],
    [
      `table_argument_row_semantics_function(${t1} PARTITION BY a)`,
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:66: Invalid argument INPUT. Partitioning specified for table argument with row semantics",
    ],
    [
      `table_argument_row_semantics_function(${t1} ORDER BY a)`,
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:66: Invalid argument INPUT. Ordering specified for table argument with row semantics",
    ],
    [
      `table_argument_row_semantics_function(${t1} PRUNE WHEN EMPTY)`,
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:96: Invalid argument INPUT. Empty behavior specified for table argument with row semantics",
    ],
    [`table_argument_function(${t1} PARTITION BY c)`, "COLUMN_NOT_FOUND", "line 1:95: Column c is not present in the input relation"],
    [`table_argument_function(${t1} PARTITION BY 1)`, "INVALID_COLUMN_REFERENCE", "line 1:95: Expected column reference. Actual: 1"],
    [`table_argument_function(${t1} ORDER BY a + 1)`, "INVALID_COLUMN_REFERENCE", "line 1:93: Expected column reference. Actual: (a + 1)"],
    [`table_argument_function(${t1} ORDER BY c)`, "COLUMN_NOT_FOUND", "line 1:91: Column c is not present in the input relation"],
    [
      "table_argument_function(TABLE(SELECT approx_set(1)) t1(a) PARTITION BY a)",
      "TYPE_MISMATCH",
      "line 1:99: HyperLogLog is not comparable, and therefore cannot be used in PARTITION BY",
    ],
    [
      "table_argument_function(TABLE(SELECT approx_set(1)) t1(a) ORDER BY a)",
      "TYPE_MISMATCH",
      "line 1:95: HyperLogLog is not orderable, and therefore cannot be used in ORDER BY",
    ],
    [
      "descriptor_argument_function(1 + 2)",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:57: Invalid argument SCHEMA. Expected descriptor, got expression",
    ],
    [
      "descriptor_argument_function(descriptor(1 + 2))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:57: Invalid descriptor argument SCHEMA. Descriptors should be formatted as 'DESCRIPTOR(name [type], ...)'",
    ],
    [
      "descriptor_argument_function(TABLE(VALUES 1))",
      "INVALID_FUNCTION_ARGUMENT",
      "line 1:57: Invalid argument SCHEMA. Expected descriptor, got table",
    ],
    ["descriptor_argument_function(DESCRIPTOR(x verybigint))", "TYPE_MISMATCH", "line 1:70: Unknown type: verybigint"],
    [
      "required_columns_function(TABLE(VALUES 1), 1)",
      "FUNCTION_IMPLEMENTATION_ERROR",
      "Invalid index: 1 of required column from table argument INPUT",
    ],
    [
      "no_columns_function(TABLE(VALUES 1))",
      "FUNCTION_IMPLEMENTATION_ERROR",
      "Cannot determine returned relation type for table function no_columns_function",
    ],
    [
      "no_required_function(TABLE(VALUES 1))",
      "FUNCTION_IMPLEMENTATION_ERROR",
      "Table function does not specify required columns from table argument INPUT",
    ],
    ["late(TABLE(VALUES 1, 2), 1)", "FUNCTION_IMPLEMENTATION_ERROR", "Invalid index of row to pass through: 2, of 2 rows"],
  ])("of %s: %s", async (call, name, message) => {
    const sql = qualified(`SELECT * FROM TABLE(${call})`);
    const outcome = await (clusters[0] as DirectCluster).run(sql, session);
    expect(outcome.error?.errorName, sql).toBe(name);
    expect(outcome.error?.message).toBe(message);
  });

  const two = (tables: string, groups: string): string => `TABLE(two_table_arguments_function(${tables} COPARTITION ${groups}))`;
  const tables = "TABLE(VALUES 1) t1(a) PARTITION BY a, TABLE(VALUES 2) t2(b) PARTITION BY b";
  test.each<[string, string, string]>([
    [two(tables, "(t1, s1.foo)"), "INVALID_COPARTITIONING", "No table argument found for name: s1.foo"],
    [
      two("TABLE(VALUES 1) t1(a) PARTITION BY a, TABLE(VALUES 2) t1(b) PARTITION BY b", "(t1, t2)"),
      "INVALID_COPARTITIONING",
      "Ambiguous reference: multiple table arguments found for name: t1",
    ],
    [two(tables, "(t1, t1)"), "INVALID_COPARTITIONING", "Multiple references to table argument: t1 in COPARTITION clause"],
    [
      two("TABLE(tpch.tiny.nation), TABLE(VALUES 2) t2(b) PARTITION BY b", "(nation, t2)"),
      "INVALID_COPARTITIONING",
      "Table tpch.tiny.nation referenced in COPARTITION clause is not partitioned",
    ],
    [
      two("TABLE(tpch.tiny.nation) PARTITION BY (), TABLE(VALUES 2) t2(b) PARTITION BY b", "(nation, t2)"),
      "INVALID_COPARTITIONING",
      "No partitioning columns specified for table tpch.tiny.nation referenced in COPARTITION clause",
    ],
    [
      two("TABLE(tpch.tiny.nation) PARTITION BY (regionkey, nationkey), TABLE(VALUES 2) t2(b) PARTITION BY b", "(nation, t2)"),
      "INVALID_COPARTITIONING",
      "Numbers of partitioning columns in copartitioned tables do not match",
    ],
    [
      two("TABLE(tpch.tiny.nation) PARTITION BY name, TABLE(VALUES 2) t2(b) PARTITION BY b", "(tiny.nation, t2)"),
      "TYPE_MISMATCH",
      "Partitioning columns in copartitioned tables have incompatible types",
    ],
    [
      "TABLE(identity_pass_through_function(TABLE(VALUES 1))) t",
      "INVALID_TABLE_FUNCTION_INVOCATION",
      "Alias specified for table function with ONLY PASS THROUGH return type",
    ],
    [
      "TABLE(two_columns_function(TABLE(VALUES 1) t2(x))) TABLESAMPLE BERNOULLI (5)",
      "INVALID_TABLE_FUNCTION_INVOCATION",
      "Cannot apply sample to polymorphic table function invocation",
    ],
    [
      "TABLE(two_columns_function(TABLE(tpch.tiny.nation))) NATION",
      "DUPLICATE_RANGE_VARIABLE",
      "Relation alias: NATION is a duplicate of input table name: tpch.tiny.nation",
    ],
    [
      "TABLE(two_columns_function(TABLE(VALUES 1))) t(x, y, z)",
      "MISMATCHED_COLUMN_ALIASES",
      "Column alias list has 3 entries but table function has 2 proper columns",
    ],
    ["TABLE(two_columns_function(TABLE(VALUES 1))) t(x, X)", "DUPLICATE_COLUMN_NAME", "Duplicate name of table function proper column: x"],
  ])("of %s: %s", async (relation, name, message) => {
    const outcome = await (clusters[0] as DirectCluster).run(qualified(`SELECT * FROM ${relation}`), session);
    expect(outcome.error?.errorName).toBe(name);
    expect(outcome.error?.message.replace(/^line \d+:\d+: /, "")).toBe(message);
  });
});

test("EXPLAIN says what each table is to the function, and how it is spread", async () => {
  const explain = async (sql: string): Promise<string> => {
    const { error, rows } = await (clusters[0] as DirectCluster).run(qualified(`EXPLAIN ${sql}`), session);
    expect(error).toBeUndefined();
    return rows[0]?.[0] as string;
  };
  const spread = await explain(
    "SELECT count(*) FROM TABLE(repeat(TABLE(tpch.tiny.part) PARTITION BY brand PRUNE WHEN EMPTY ORDER BY size DESC)) WHERE brand > 'x'",
  );
  expect(spread).toContain("TableFunction[testing:system.repeat]");
  expect(spread).toMatch(
    /INPUT => SET \[.*\], partitionBy = \[brand\], orderBy = \[size DESC NULLS LAST\], passThrough = \[brand\], PRUNE WHEN EMPTY/,
  );
  expect(spread).toContain("Output partitioning: HASH [brand]");
  const kept = await explain("SELECT * FROM TABLE(empty_output(TABLE(tpch.tiny.part) PARTITION BY brand))");
  expect(kept).toContain("KEEP WHEN EMPTY");
  expect(kept).not.toContain("HASH");
  const scan = await explain("SELECT * FROM TABLE(constant(value => 5, n => 4))");
  expect(scan).toContain("TableScan[testing:system.constant(VALUE => 5, N => 4)]");
});
