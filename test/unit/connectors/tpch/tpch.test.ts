/**
 * Names, types, splits, statistics and memory of the tpch connector.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnMetadata, ColumnStatistics, Split } from "../../../../src/connectors/spi.ts";
import { splitCount, type UnitRange, unitsOfSplit } from "../../../../src/connectors/shared/split-units.ts";
import { scaleOfSchema } from "../../../../src/connectors/tpch/scale.ts";
import { displayType } from "../../../../src/types/type.ts";
import { linesOf, openTpch, readPages, shown, splitsOf, tableOf } from "./read.ts";

const tables = ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];
const described = ({ hidden, name, type }: ColumnMetadata): string => `${name} ${displayType(type)}${hidden ? " hidden" : ""}`;
const lastUnits = (splits: readonly Split[]): UnitRange => splits[splits.length - 1]?.payload as unknown as UnitRange;
const sorted = (names: readonly string[]): readonly string[] => [...names].sort((a, b) => (a < b ? -1 : 1));

describe("tpch names and types", () => {
  const opened = openTpch();
  const { metadata } = opened.connector;

  it("lists schemas in order and finds any scale by name", async () => {
    const schemas = await metadata.listSchemas();
    expect(schemas).toEqual(sorted(schemas));
    expect(schemas).toContain("tiny");
    for (const schema of [...schemas, "sf0.25", "sf7", "sf1.5", "sf1000000"]) {
      expect(await metadata.listTables(schema)).toEqual(tables);
      expect(await metadata.hasSchema?.(schema)).toBe(true);
    }
    for (const schema of ["sf0", "sf", "sf-1", "sf1e3", "sf1.", "sf.5", "huge", "sf99999999", "", "tiny2", "SF1"]) {
      expect(await metadata.listTables(schema)).toEqual([]);
      expect(await metadata.hasSchema?.(schema)).toBe(false);
      expect(await metadata.getTable({ schema, table: "nation" })).toBeUndefined();
    }
    expect(await metadata.getTable({ schema: "tiny", table: "nations" })).toBeUndefined();
  });

  it("names columns as Presto does", async () => {
    const { columns } = await tableOf(opened, "sf1", "lineitem");
    expect(columns.map(described)).toEqual([
      "orderkey bigint",
      "partkey bigint",
      "suppkey bigint",
      "linenumber integer",
      "quantity double",
      "extendedprice double",
      "discount double",
      "tax double",
      "returnflag varchar(1)",
      "linestatus varchar(1)",
      "shipdate date",
      "commitdate date",
      "receiptdate date",
      "shipinstruct varchar(25)",
      "shipmode varchar(10)",
      "comment varchar(44)",
      "row_number bigint hidden",
    ]);
  });

  it("names and types them as the specification does when asked", async () => {
    const standard = openTpch({ "tpch.column-naming": "standard", "tpch.double-type-mapping": "DECIMAL" });
    const partsupp = await tableOf(standard, "tiny", "partsupp");
    expect(partsupp.columns.map(described)).toEqual([
      "ps_partkey bigint",
      "ps_suppkey bigint",
      "ps_availqty integer",
      "ps_supplycost decimal(12,2)",
      "ps_comment varchar(199)",
      "row_number bigint hidden",
    ]);
    const orders = await tableOf(standard, "tiny", "orders");
    const columns = orders.columns.filter(({ name }) => name === "o_orderdate" || name === "o_totalprice");
    expect(linesOf(standard, { table: orders, split: { first: 0, count: 1 }, columns })).toEqual(["172799.49|1996-01-02|"]);
    const statistics = await standard.connector.metadata.getStatistics?.(orders);
    expect(statistics?.columns["o_orderkey"]?.distinctValues).toBe(15000);
  });

  it.each([
    ["tpch.column-naming", "UPPER"],
    ["tpch.double-type-mapping", "REAL"],
    ["tpch.splits-per-node", "0"],
    ["tpch.splits-per-node", "many"],
  ])("refuses %s=%s", (name, value) => {
    expect(() => openTpch({ [name]: value })).toThrowError(
      expect.objectContaining({ errorName: "CONFIGURATION_INVALID", message: expect.stringContaining(name) }),
    );
  });
});

describe("tpch splits", () => {
  it("cover every unit once, in order, the same each time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), fc.integer({ min: 1, max: 20 }), (units, perNode) => {
        const count = splitCount(units, perNode);
        const splits = Array.from({ length: count }, (_, index) => unitsOfSplit(units, count, index));
        let next = 0;
        const gaps = splits.filter(({ first, count }) => {
          const gap = first !== next || count <= 0;
          next = first + count;
          return gap;
        });
        expect(gaps).toEqual([]);
        expect(next).toBe(units);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ["tiny", "nation", 1],
    ["tiny", "orders", 4],
    ["tiny", "lineitem", 4],
    ["sf1", "supplier", 4],
    ["sf1", "orders", 16],
    ["sf1", "lineitem", 16],
    ["sf100", "lineitem", 1500],
  ])("are few where there is little: %s.%s has %d", async (schema, name, count) => {
    const opened = openTpch();
    const table = await tableOf(opened, schema, name);
    const splits = await splitsOf(opened, table);
    expect(splits).toHaveLength(count);
    const { rowCount } = (await opened.connector.metadata.getStatistics?.(table)) ?? {};
    const rows = splits.reduce((sum, split) => sum + (split.rows ?? 0), 0);
    expect(Math.abs(rows - (rowCount ?? 0))).toBeLessThanOrEqual(count);
  });

  it("follow tpch.splits-per-node", async () => {
    const opened = openTpch({ "tpch.splits-per-node": "7" });
    expect(await splitsOf(opened, await tableOf(opened, "tiny", "lineitem"))).toHaveLength(7);
  });
});

describe("tpch scale", () => {
  it("counts rows exactly, never none", () => {
    expect(scaleOfSchema("sf0.07")).toMatchObject({ parts: 14_000, orders: 105_000, suppliers: 700 });
    expect(scaleOfSchema("sf0.000001")).toMatchObject({ parts: 1, orders: 1, suppliers: 1, customers: 1, clerks: 1000 });
    expect(scaleOfSchema("sf100000")).toMatchObject({ orders: 150_000_000_000, parts: 20_000_000_000 });
  });

  it.each(["sf0.000001", "sf0.0001", "sf0.001", "sf100000"])("generates all tables at %s", async (schema) => {
    const opened = openTpch();
    for (const name of tables) {
      const table = await tableOf(opened, schema, name);
      const splits = await splitsOf(opened, table);
      const { first, count } = lastUnits(splits);
      const split = { first: first + Math.max(0, count - 20), count: Math.min(count, 20) };
      const lines = linesOf(opened, { table, split });
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) {
        expect(line).not.toMatch(/NaN|undefined|Infinity/);
        expect(line.split("|")).toHaveLength(shown(table).length + 1);
      }
    }
  });
});

describe("tpch statistics", () => {
  it.each(tables)("of %s hold for its rows", async (name) => {
    const opened = openTpch();
    const table = await tableOf(opened, "tiny", name);
    const statistics = await opened.connector.metadata.getStatistics?.(table);
    const rows = (await splitsOf(opened, table)).flatMap((split) =>
      linesOf(opened, { table, split: split.payload }).map((line) => line.split("|")),
    );
    expect(Object.keys(statistics?.columns ?? {}).sort()).toEqual(
      shown(table)
        .map((column) => column.name)
        .sort(),
    );
    shown(table).forEach((column, index) => {
      const values = rows.map((fields) => fields[index] as string);
      const known = statistics?.columns[column.name] as ColumnStatistics;
      const distinct = new Set(values).size;
      expect(known.nullsFraction).toBe(0);
      expect(known.distinctValues, column.name).toBeGreaterThan(distinct * 0.8);
      expect(known.distinctValues, column.name).toBeLessThan(distinct * 1.25 + 2);
      if (column.type.kind === "varchar") {
        const bytes = values.reduce((sum, value) => sum + value.length, 0) / values.length;
        expect(known.averageBytes, column.name).toBeGreaterThan(bytes * 0.7);
        expect(known.averageBytes, column.name).toBeLessThan(bytes * 1.4);
        return;
      }
      const numbers = values.map((value) => (column.type.kind === "date" ? Date.parse(value) / 86_400_000 : Number(value)));
      const [low, high] = numbers.reduce(([a, b], n) => [Math.min(a, n), Math.max(b, n)], [Infinity, -Infinity]);
      expect(known.low, column.name).toBeLessThanOrEqual(low);
      expect(known.high, column.name).toBeGreaterThanOrEqual(high);
    });
  });
});

describe("tpch memory", () => {
  it("is given back by the source and by the connector", async () => {
    const opened = openTpch();
    const { memory, connector } = opened;
    const before = memory.reservedBytes;
    const nation = await tableOf(opened, "tiny", "nation");
    const keys = nation.columns.slice(0, 1);
    readPages(opened, { table: nation, split: { first: 0, count: 25 }, columns: keys }, () => undefined);
    expect(memory.reservedBytes).toBe(before);
    readPages(opened, { table: nation, split: { first: 0, count: 25 } }, () => undefined);
    // The connector keeps the generated parts of the text pool.
    expect(memory.reservedBytes).toBeGreaterThan(before);
    connector.close?.();
    expect(memory.reservedBytes).toBe(before);
  });

  it("is given back when there is not enough", async () => {
    const opened = openTpch();
    const table = await tableOf(opened, "sf1", "lineitem");
    const small = opened.memory.child("small", 500_000);
    const create = (): unknown =>
      opened.connector.createPageSource({
        table: table.handle,
        split: { first: 0, count: 90_000 },
        columns: table.columns,
        memory: small,
      });
    expect(create).toThrowError(expect.objectContaining({ name: "MemoryLimitExceeded" }));
    expect(small.reservedBytes).toBe(0);
  });

  it("closing a source twice or early does no harm", async () => {
    const opened = openTpch();
    const table = await tableOf(opened, "tiny", "orders");
    const source = opened.connector.createPageSource({
      table: table.handle,
      split: { first: 0, count: 100 },
      columns: table.columns,
      memory: opened.memory,
    });
    source.close();
    source.close();
    expect(source.finished).toBe(true);
    expect(source.nextPage()).toBeUndefined();
  });
});
