/**
 * A catalog with TPC-H's tables, columns and statistics but without rows, and constant folding for the tests.
 */
import { sessionDefaults } from "../../../src/coordinator/limits/query-limits.ts";
import { defaultCoordinatorConfig } from "../../support/coordinator-config.ts";
import type { ColumnMetadata, Connector, TableStatistics } from "../../../src/connectors/spi.ts";
import type { PlanContext, PlanSession } from "../../../src/planner/context.ts";
import type { ConstantValue, RowExpression } from "../../../src/planner/plan/typed-expression.ts";
import { planStatement } from "../../../src/planner/plan-statement.ts";
import type { PlannedQuery } from "../../../src/planner/planned.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { parseStatement } from "../../../src/sql/parser/parser.ts";
import { daysOf } from "../../../src/types/time/calendar.ts";
import { BIGINT, DATE, displayType, DOUBLE, INTEGER, varcharType, type Type } from "../../../src/types/type.ts";

const v = varcharType;
/** name: type, distinct values at scale 1 (0: unique). */
const tables: Readonly<Record<string, { rows: number; columns: readonly (readonly [string, Type, number])[] }>> = {
  region: {
    rows: 5,
    columns: [
      ["r_regionkey", BIGINT, 5],
      ["r_name", v(25), 5],
      ["r_comment", v(152), 5],
    ],
  },
  nation: {
    rows: 25,
    columns: [
      ["n_nationkey", BIGINT, 25],
      ["n_name", v(25), 25],
      ["n_regionkey", BIGINT, 5],
      ["n_comment", v(152), 25],
    ],
  },
  supplier: {
    rows: 10_000,
    columns: [
      ["s_suppkey", BIGINT, 0],
      ["s_name", v(25), 0],
      ["s_address", v(40), 0],
      ["s_nationkey", BIGINT, 25],
      ["s_phone", v(15), 0],
      ["s_acctbal", DOUBLE, 9955],
      ["s_comment", v(101), 0],
    ],
  },
  customer: {
    rows: 150_000,
    columns: [
      ["c_custkey", BIGINT, 0],
      ["c_name", v(25), 0],
      ["c_address", v(40), 0],
      ["c_nationkey", BIGINT, 25],
      ["c_phone", v(15), 0],
      ["c_acctbal", DOUBLE, 140187],
      ["c_mktsegment", v(10), 5],
      ["c_comment", v(117), 0],
    ],
  },
  part: {
    rows: 200_000,
    columns: [
      ["p_partkey", BIGINT, 0],
      ["p_name", v(55), 0],
      ["p_mfgr", v(25), 5],
      ["p_brand", v(10), 25],
      ["p_type", v(25), 150],
      ["p_size", INTEGER, 50],
      ["p_container", v(10), 40],
      ["p_retailprice", DOUBLE, 20899],
      ["p_comment", v(23), 0],
    ],
  },
  partsupp: {
    rows: 800_000,
    columns: [
      ["ps_partkey", BIGINT, 200_000],
      ["ps_suppkey", BIGINT, 10_000],
      ["ps_availqty", INTEGER, 9999],
      ["ps_supplycost", DOUBLE, 99865],
      ["ps_comment", v(199), 0],
    ],
  },
  orders: {
    rows: 1_500_000,
    columns: [
      ["o_orderkey", BIGINT, 0],
      ["o_custkey", BIGINT, 99996],
      ["o_orderstatus", v(1), 3],
      ["o_totalprice", DOUBLE, 1464556],
      ["o_orderdate", DATE, 2406],
      ["o_orderpriority", v(15), 5],
      ["o_clerk", v(15), 1000],
      ["o_shippriority", INTEGER, 1],
      ["o_comment", v(79), 0],
    ],
  },
  lineitem: {
    rows: 6_001_215,
    columns: [
      ["l_orderkey", BIGINT, 1_500_000],
      ["l_partkey", BIGINT, 200_000],
      ["l_suppkey", BIGINT, 10_000],
      ["l_linenumber", INTEGER, 7],
      ["l_quantity", DOUBLE, 50],
      ["l_extendedprice", DOUBLE, 933900],
      ["l_discount", DOUBLE, 11],
      ["l_tax", DOUBLE, 9],
      ["l_returnflag", v(1), 3],
      ["l_linestatus", v(1), 2],
      ["l_shipdate", DATE, 2526],
      ["l_commitdate", DATE, 2466],
      ["l_receiptdate", DATE, 2554],
      ["l_shipinstruct", v(25), 4],
      ["l_shipmode", v(10), 7],
      ["l_comment", v(44), 0],
    ],
  },
};

const dateRange = {
  low: daysOf({ year: 1992, month: 1, day: 2 }),
  high: daysOf({ year: 1998, month: 12, day: 1 }),
};

function columnsOf(table: string): readonly ColumnMetadata[] {
  const columns = (tables[table]?.columns ?? []).map(([name, type]): ColumnMetadata => ({ name, type }));
  return [...columns, { name: "$row", type: BIGINT, hidden: true }];
}

function statisticsOf(table: string): TableStatistics {
  const entry = tables[table];
  if (entry === undefined) {
    return { columns: {} };
  }
  const columns = entry.columns.map(([name, type, distinct]) => [
    name,
    { distinctValues: distinct === 0 ? entry.rows : distinct, nullsFraction: 0, ...(type.kind === "date" && dateRange) },
  ]);
  return { rowCount: entry.rows, columns: Object.fromEntries(columns) };
}

const tpch: Connector = {
  metadata: {
    listSchemas: async () => ["information_schema", "sf1"],
    listTables: async (schema) => (schema === "sf1" ? Object.keys(tables).toSorted() : []),
    getTable: async (name) =>
      name.schema === "sf1" && tables[name.table] !== undefined
        ? { name, columns: columnsOf(name.table), handle: { table: name.table } }
        : undefined,
    getStatistics: async (table) => statisticsOf(table.name.table),
  },
  getSplits: async () => [],
  createPageSource: () => {
    throw new Error("plans only");
  },
};

/** A system table that is read on the coordinator, and a schema that can be written. */
const writable: Connector = {
  metadata: {
    listSchemas: async () => ["default", "information_schema", "runtime"],
    listTables: async (schema) => (schema === "runtime" ? ["nodes"] : schema === "default" ? ["t"] : []),
    getTable: async (name) => {
      const columns = [
        { name: "a", type: BIGINT },
        { name: "b", type: v(5) },
      ];
      if (name.schema === "runtime" && name.table === "nodes") {
        return { name, columns: [{ name: "node_id", type: v(20) }], handle: null, coordinatorOnly: true };
      }
      return name.schema === "default" && name.table === "t" ? { name, columns, handle: null } : undefined;
    },
    createSchema: async () => {},
    dropSchema: async () => {},
    beginCreate: async () => ({ created: true }),
    finishCreate: async () => {},
    beginInsert: async () => ({ inserted: true }),
    finishInsert: async () => {},
    dropTable: async () => {},
  },
  getSplits: async () => [],
  createPageSource: () => {
    throw new Error("plans only");
  },
};

export function contextFor(session: Partial<PlanSession> = {}): PlanContext {
  const connectors: Readonly<Record<string, Connector>> = { memory: writable, tpch };
  return {
    catalogs: {
      names: () => Object.keys(connectors),
      connector: (name) => (Object.hasOwn(connectors, name) ? connectors[name] : undefined),
    },
    session: { user: "test", catalog: "tpch", schema: "sf1", timeZone: "UTC", startMillis: 1_700_000_000_000, properties: {}, ...session },
    evaluateConstant,
    nodeVersion: "test",
    sessionDefaults: sessionDefaults(defaultCoordinatorConfig),
    typeText: displayType,
    drawSeed: () => 42n,
  };
}

export async function plan(sql: string, session: Partial<PlanSession> = {}) {
  return planStatement(parseStatement(sql), contextFor(session));
}

export async function planQueryText(sql: string, session: Partial<PlanSession> = {}): Promise<PlannedQuery> {
  const planned = await plan(sql, session);
  if (planned.kind !== "query") {
    throw new Error(`no query: ${sql}`);
  }
  return planned;
}

/** The text of EXPLAIN. */
export async function explain(sql: string, options = "", session: Partial<PlanSession> = {}): Promise<string> {
  const { plan: fragments } = await planQueryText(`EXPLAIN ${options} ${sql}`, session);
  const output = fragments.fragments[0]?.root;
  const values = output?.kind === "Output" ? output.source : undefined;
  const cell = values?.kind === "Values" ? values.rows[0]?.[0] : undefined;
  return cell?.kind === "constant" ? String(cell.value) : "";
}

/** Evaluates the constants of these tests. Anything else fails with an evaluation error, and the expression is kept. */
function evaluateConstant(expression: RowExpression): ConstantValue {
  if (expression.kind === "constant") {
    return expression.value;
  }
  if (expression.kind === "cast") {
    return evaluateCast(evaluateConstant(expression.arg), expression.arg.type, expression.type);
  }
  if (expression.kind !== "call") {
    return refuse();
  }
  const [a, b] = expression.args.map(evaluateConstant);
  const kinds = expression.args.map((arg) => arg.type.kind).join(",");
  if (a === null || a === undefined || b === null) {
    return null;
  }
  if (expression.name === "$negate" && typeof a === "number") {
    return -a;
  }
  if (b === undefined) {
    return refuse();
  }
  if (kinds === "date,interval day to second") {
    return Number(a) + (sign(expression.name) * Number(b)) / 86_400_000;
  }
  if (kinds === "date,interval year to month") {
    return addMonths(Number(a), sign(expression.name) * Number(b));
  }
  if (kinds === "integer,integer" || kinds === "double,double") {
    return evaluateNumbers(expression.name, Number(a), Number(b));
  }
  return refuse();
}

function evaluateCast(value: ConstantValue, from: Type, to: Type): ConstantValue {
  if (value === null) {
    return null;
  }
  if (to.kind === "bigint") {
    return String(value);
  }
  if (to.kind === "double") {
    return Number(value) / 10 ** (from.kind === "decimal" ? from.scale : 0);
  }
  if (to.kind === "decimal" && from.kind === "integer") {
    return `${value}${"0".repeat(to.scale)}`;
  }
  if (to.kind === "varchar" && (from.kind === "varchar" || from.kind === "bigint")) {
    return String(value);
  }
  if (to.kind === "varchar" && from.kind === "date") {
    return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
  }
  return refuse();
}

function evaluateNumbers(name: string, a: number, b: number): ConstantValue {
  switch (name) {
    case "$add":
      return a + b;
    case "$subtract":
      return a - b;
    case "$multiply":
      return a * b;
    case "$divide":
      if (b === 0) {
        throw new QueryError("DIVISION_BY_ZERO", "Division by zero");
      }
      return Math.trunc(a / b);
    case "$eq":
      return a === b;
    case "$lt":
      return a < b;
    case "$gt":
      return a > b;
    default:
      return refuse();
  }
}

function sign(name: string): number {
  return name === "$subtract" ? -1 : 1;
}

function addMonths(days: number, months: number): number {
  const date = new Date(days * 86_400_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate()) / 86_400_000;
}

function refuse(): never {
  throw new QueryError("NOT_SUPPORTED", "not evaluated in these tests");
}
