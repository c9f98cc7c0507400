/**
 * The eight tables: columns with Presto's names and types, the unit of generation, the generators. Only the number of units depends on the
 * schema.
 */
import type { Type } from "../../types/type.ts";
import { BIGINT, DATE, INTEGER, varcharType } from "../../types/type.ts";
import type { Generation, TableGenerator } from "./columns.ts";
import { lineItemRowsMax, lineitemGenerator } from "./lineitem.ts";
import { ordersGenerator } from "./orders.ts";
import { customerGenerator, nationGenerator, regionGenerator, supplierGenerator } from "./parties.ts";
import { hasDistinctSuppliers, partGenerator, partsuppGenerator, suppliersPerPart } from "./parts.ts";
import type { Scale } from "./scale.ts";
import { lineItemsEstimate } from "./scale.ts";
import { nations, regions } from "./words.ts";

export interface TpchColumn {
  /** Presto's simplified name. */
  readonly name: string;
  /** "money": double or decimal(12, 2), depending on the catalog. */
  readonly type: Type | "money";
}

export interface TpchTable {
  readonly name: string;
  /** Prefix of every column name in the specification. */
  readonly prefix: string;
  readonly columns: readonly TpchColumn[];
  /** Its primary key; undefined at the few small scales at which a part has a supplier twice. */
  readonly key: (scale: Scale) => readonly string[] | undefined;
  /** Number of units that splits are made of: orders for line items, parts for their suppliers, otherwise rows. */
  readonly units: (scale: Scale) => number;
  readonly rows: (scale: Scale) => number;
  /** Rows of the largest page of a split with this number of units, for pages of at most `most` rows. A page has whole units. */
  readonly pageRows: (units: number, most: number) => number;
  readonly generator: (generation: Generation) => TableGenerator;
}

function columns(...entries: readonly (readonly [string, Type | "money"])[]): readonly TpchColumn[] {
  return entries.map(([name, type]) => ({ name, type }));
}

function fullPages(units: number, most: number): number {
  return Math.min(units, most);
}

/** Sorted by name. */
export const tables: readonly TpchTable[] = [
  {
    name: "customer",
    prefix: "c_",
    columns: columns(
      ["custkey", BIGINT],
      ["name", varcharType(25)],
      ["address", varcharType(40)],
      ["nationkey", BIGINT],
      ["phone", varcharType(15)],
      ["acctbal", "money"],
      ["mktsegment", varcharType(10)],
      ["comment", varcharType(117)],
    ),
    key: () => ["custkey"],
    units: (scale) => scale.customers,
    rows: (scale) => scale.customers,
    pageRows: fullPages,
    generator: customerGenerator,
  },
  {
    name: "lineitem",
    prefix: "l_",
    columns: columns(
      ["orderkey", BIGINT],
      ["partkey", BIGINT],
      ["suppkey", BIGINT],
      ["linenumber", INTEGER],
      ["quantity", "money"],
      ["extendedprice", "money"],
      ["discount", "money"],
      ["tax", "money"],
      ["returnflag", varcharType(1)],
      ["linestatus", varcharType(1)],
      ["shipdate", DATE],
      ["commitdate", DATE],
      ["receiptdate", DATE],
      ["shipinstruct", varcharType(25)],
      ["shipmode", varcharType(10)],
      ["comment", varcharType(44)],
    ),
    key: () => ["orderkey", "linenumber"],
    units: (scale) => scale.orders,
    rows: lineItemsEstimate,
    pageRows: lineItemRowsMax,
    generator: lineitemGenerator,
  },
  {
    name: "nation",
    prefix: "n_",
    columns: columns(["nationkey", BIGINT], ["name", varcharType(25)], ["regionkey", BIGINT], ["comment", varcharType(152)]),
    key: () => ["nationkey"],
    units: () => nations.length,
    rows: () => nations.length,
    pageRows: fullPages,
    generator: nationGenerator,
  },
  {
    name: "orders",
    prefix: "o_",
    columns: columns(
      ["orderkey", BIGINT],
      ["custkey", BIGINT],
      ["orderstatus", varcharType(1)],
      ["totalprice", "money"],
      ["orderdate", DATE],
      ["orderpriority", varcharType(15)],
      ["clerk", varcharType(15)],
      ["shippriority", INTEGER],
      ["comment", varcharType(79)],
    ),
    key: () => ["orderkey"],
    units: (scale) => scale.orders,
    rows: (scale) => scale.orders,
    pageRows: fullPages,
    generator: ordersGenerator,
  },
  {
    name: "part",
    prefix: "p_",
    columns: columns(
      ["partkey", BIGINT],
      ["name", varcharType(55)],
      ["mfgr", varcharType(25)],
      ["brand", varcharType(10)],
      ["type", varcharType(25)],
      ["size", INTEGER],
      ["container", varcharType(10)],
      ["retailprice", "money"],
      ["comment", varcharType(23)],
    ),
    key: () => ["partkey"],
    units: (scale) => scale.parts,
    rows: (scale) => scale.parts,
    pageRows: fullPages,
    generator: partGenerator,
  },
  {
    name: "partsupp",
    prefix: "ps_",
    columns: columns(
      ["partkey", BIGINT],
      ["suppkey", BIGINT],
      ["availqty", INTEGER],
      ["supplycost", "money"],
      ["comment", varcharType(199)],
    ),
    key: (scale) => (hasDistinctSuppliers(scale.suppliers) ? ["partkey", "suppkey"] : undefined),
    units: (scale) => scale.parts,
    rows: (scale) => scale.parts * suppliersPerPart,
    pageRows: (parts, most) => fullPages(parts, Math.max(1, Math.floor(most / suppliersPerPart))) * suppliersPerPart,
    generator: partsuppGenerator,
  },
  {
    name: "region",
    prefix: "r_",
    columns: columns(["regionkey", BIGINT], ["name", varcharType(25)], ["comment", varcharType(152)]),
    key: () => ["regionkey"],
    units: () => regions.length,
    rows: () => regions.length,
    pageRows: fullPages,
    generator: regionGenerator,
  },
  {
    name: "supplier",
    prefix: "s_",
    columns: columns(
      ["suppkey", BIGINT],
      ["name", varcharType(25)],
      ["address", varcharType(40)],
      ["nationkey", BIGINT],
      ["phone", varcharType(15)],
      ["acctbal", "money"],
      ["comment", varcharType(101)],
    ),
    key: () => ["suppkey"],
    units: (scale) => scale.suppliers,
    rows: (scale) => scale.suppliers,
    pageRows: fullPages,
    generator: supplierGenerator,
  },
];

export function findTable(name: string): TpchTable | undefined {
  return tables.find((table) => table.name === name);
}
