/**
 * The generated tables as the workload sees them: columns by kind, typical values, and foreign keys.
 */

/** Just large enough that orders and lineitem have several splits. */
export const workloadSchema = "sf0.0028";
/** A quarter of it, for runs whose pages hold few rows or whose operators spill: they have many pages and runs of any table. */
export const smallSchema = "sf0.0007";

export type Kind = "bigint" | "integer" | "decimal" | "varchar" | "date" | "boolean";

export interface TableColumn {
  readonly name: string;
  readonly kind: Kind;
  /** Maximum value of a whole number in the column. */
  readonly bound: number;
  /** Few distinct values; suitable for grouping. */
  readonly isCoarse?: boolean;
  /** Texts that occur in the column, or parts of them. */
  readonly words?: readonly string[];
}

export interface WorkloadTable {
  readonly name: string;
  /** Approximate number of rows in the schema of the workload. */
  readonly rows: number;
  /** Relative probability of being drawn. */
  readonly weight: number;
  /** Columns of a unique key. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
  /** Foreign keys: `[column of this table, parent table, column of the parent]`. */
  readonly parents: readonly (readonly [string, string, string])[];
}

function big(name: string, bound: number): TableColumn {
  return { name, kind: "bigint", bound };
}

function small(name: string, bound: number, isCoarse = false): TableColumn {
  return { name, kind: "integer", bound, isCoarse };
}

function money(name: string, bound: number, isCoarse = false): TableColumn {
  return { name, kind: "decimal", bound, isCoarse };
}

function text(name: string, words: readonly string[], isCoarse = false): TableColumn {
  return { name, kind: "varchar", bound: 0, words, isCoarse };
}

function day(name: string): TableColumn {
  return { name, kind: "date", bound: 0 };
}

export const workloadTables: readonly WorkloadTable[] = [
  {
    name: "region",
    rows: 5,
    weight: 2,
    key: ["regionkey"],
    columns: [big("regionkey", 5), text("name", ["AFRICA", "ASIA", "A", "E"], true)],
    parents: [],
  },
  {
    name: "nation",
    rows: 25,
    weight: 4,
    key: ["nationkey"],
    columns: [
      big("nationkey", 25),
      text("name", ["FRANCE", "KENYA", "UNITED", "A"]),
      { ...big("regionkey", 5), isCoarse: true },
      text("comment", ["the", "furious", "a"]),
    ],
    parents: [["regionkey", "region", "regionkey"]],
  },
  {
    name: "supplier",
    rows: 28,
    weight: 4,
    key: ["suppkey"],
    columns: [
      big("suppkey", 28),
      text("name", ["Supplier#00000000", "1"]),
      { ...big("nationkey", 25), isCoarse: true },
      text("phone", ["1", "-"]),
      money("acctbal", 10_000),
    ],
    parents: [["nationkey", "nation", "nationkey"]],
  },
  {
    name: "customer",
    rows: 420,
    weight: 6,
    key: ["custkey"],
    columns: [
      big("custkey", 420),
      text("name", ["Customer#00000000", "7", "9"]),
      { ...big("nationkey", 25), isCoarse: true },
      text("phone", ["2", "-"]),
      money("acctbal", 10_000),
      text("mktsegment", ["BUILDING", "MACHINERY", "HOUSE", "AUTO"], true),
    ],
    parents: [["nationkey", "nation", "nationkey"]],
  },
  {
    name: "part",
    rows: 560,
    weight: 3,
    key: ["partkey"],
    columns: [
      big("partkey", 560),
      text("name", ["green", "blush", "a"]),
      text("brand", ["Brand#1", "Brand#2", "3"], true),
      text("container", ["SM", "BOX", "JUMBO"], true),
      small("size", 50, true),
      money("retailprice", 2_100),
    ],
    parents: [],
  },
  {
    name: "orders",
    rows: 4_200,
    weight: 8,
    key: ["orderkey"],
    columns: [
      big("orderkey", 17_000),
      big("custkey", 420),
      text("orderstatus", ["F", "O", "P"], true),
      money("totalprice", 500_000),
      day("orderdate"),
      text("orderpriority", ["1-URGENT", "LOW", "5", "-"], true),
      text("clerk", ["Clerk#", "00", "2", "7"]),
      small("shippriority", 1, true),
    ],
    parents: [["custkey", "customer", "custkey"]],
  },
  {
    name: "partsupp",
    rows: 2_240,
    weight: 2,
    key: ["partkey", "suppkey"],
    columns: [big("partkey", 560), big("suppkey", 28), small("availqty", 10_000), money("supplycost", 1_000)],
    parents: [
      ["partkey", "part", "partkey"],
      ["suppkey", "supplier", "suppkey"],
    ],
  },
  {
    name: "lineitem",
    rows: 16_800,
    weight: 4,
    key: ["orderkey", "linenumber"],
    columns: [
      big("orderkey", 17_000),
      big("partkey", 560),
      big("suppkey", 28),
      small("linenumber", 7, true),
      money("quantity", 50, true),
      money("extendedprice", 110_000),
      money("discount", 1, true),
      money("tax", 1, true),
      text("returnflag", ["A", "N", "R"], true),
      text("linestatus", ["F", "O"], true),
      day("shipdate"),
      day("receiptdate"),
      text("shipmode", ["AIR", "RAIL", "TRUCK", "A"], true),
    ],
    parents: [
      ["orderkey", "orders", "orderkey"],
      ["partkey", "part", "partkey"],
      ["suppkey", "supplier", "suppkey"],
    ],
  },
];

export function workloadTable(name: string): WorkloadTable {
  const table = workloadTables.find((one) => one.name === name);
  if (table === undefined) {
    throw new Error(`no table is called ${name}`);
  }
  return table;
}
