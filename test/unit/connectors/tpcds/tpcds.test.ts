/**
 * Names, types, splits, row counts, statistics and memory of the tpcds connector.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableMetadata } from "../../../../src/connectors/spi.ts";
import { scaleOfSchema } from "../../../../src/connectors/tpcds/scale.ts";
import { findTable, tables } from "../../../../src/connectors/tpcds/tables.ts";
import { readValue } from "../../../../src/page/reader.ts";
import { displayType } from "../../../../src/types/type.ts";
import { md5Of, type Opened, openTpcds, printRows, readPages, tableOf, type Units } from "./read.ts";

const names = tables.map(({ name }) => name);

function scaleOf(schema: string): NonNullable<ReturnType<typeof scaleOfSchema>> {
  const scale = scaleOfSchema(schema);
  if (scale === undefined) {
    throw new Error(`no schema ${schema}`);
  }
  return scale;
}

async function splitsOf(opened: Opened, table: TableMetadata): Promise<readonly Units[]> {
  const splits = await opened.connector.getSplits(table, table.columns);
  return Array.from(splits, ({ payload }) => payload as unknown as Units);
}

/** Row count of a whole table, as for count(*). */
async function countRows(opened: Opened, schema: string, name: string): Promise<number> {
  const table = await tableOf(opened, schema, name);
  let rows = 0;
  for (const units of await splitsOf(opened, table)) {
    readPages(opened, { table, units, columns: [] }, (page) => {
      rows += page.positionCount;
    });
  }
  return rows;
}

describe("tpcds names and types", () => {
  const opened = openTpcds();
  const { metadata } = opened.connector;

  it("lists Trino's schemas and finds any scale by name", async () => {
    const schemas = await metadata.listSchemas();
    expect(schemas).toEqual([...schemas].sort());
    expect(new Set(schemas)).toEqual(
      new Set(["tiny", "sf1", "sf10", "sf100", "sf300", "sf1000", "sf3000", "sf10000", "sf30000", "sf100000"]),
    );
    for (const schema of [...schemas, "sf0.1", "sf15"]) {
      expect(await metadata.listTables(schema)).toEqual(names);
      expect(await metadata.hasSchema?.(schema)).toBe(true);
    }
    for (const schema of ["sf0", "sf", "sf-1", "sf1e3", "sf100001", "huge", "", "SF1"]) {
      expect(await metadata.listTables(schema)).toEqual([]);
      expect(await metadata.hasSchema?.(schema)).toBe(false);
      expect(await metadata.getTable({ schema, table: "store" })).toBeUndefined();
    }
    expect(names).toEqual([...names].sort());
    expect(names).toHaveLength(25);
  });

  it("types columns as Trino's connector does", async () => {
    const types = async (table: string, from: Opened = opened): Promise<readonly string[]> =>
      (await tableOf(from, "sf1", table)).columns.map(({ name, type }) => `${name} ${displayType(type)}`);
    expect(await types("customer_address")).toEqual([
      "ca_address_sk bigint",
      "ca_address_id char(16)",
      "ca_street_number char(10)",
      "ca_street_name varchar(60)",
      "ca_street_type char(15)",
      "ca_suite_number char(10)",
      "ca_city varchar(60)",
      "ca_county varchar(30)",
      "ca_state char(2)",
      "ca_zip char(10)",
      "ca_country varchar(20)",
      "ca_gmt_offset decimal(5,2)",
      "ca_location_type char(20)",
    ]);
    expect(await types("inventory")).toEqual([
      "inv_date_sk bigint",
      "inv_item_sk bigint",
      "inv_warehouse_sk bigint",
      "inv_quantity_on_hand integer",
    ]);
    expect(await types("dbgen_version")).toEqual([
      "dv_version varchar(16)",
      "dv_create_date date",
      "dv_create_time time(0)",
      "dv_cmdline_args varchar(200)",
    ]);
    expect(await types("reason", openTpcds({ "tpcds.use-varchar-type": "true" }))).toEqual([
      "r_reason_sk bigint",
      "r_reason_id varchar(16)",
      "r_reason_desc varchar(100)",
    ]);
  });

  it.each([
    ["tpcds.use-varchar-type", "maybe"],
    ["tpcds.splits-per-node", "0"],
  ])("refuses %s=%s", (name, value) => {
    expect(() => openTpcds({ [name]: value })).toThrowError(
      expect.objectContaining({ errorName: "CONFIGURATION_INVALID", message: expect.stringContaining(name) }),
    );
  });
});

/** Table 3-2 of the specification. dsdgen's own row counts of the sales tables differ by less than a thousandth. */
const specified: Readonly<Record<string, readonly number[]>> = {
  scales: [1, 100, 300, 1000, 3000, 10_000, 30_000, 100_000],
  call_center: [6, 30, 36, 42, 48, 54, 60, 60],
  catalog_page: [11_718, 20_400, 26_000, 30_000, 36_000, 40_000, 46_000, 50_000],
  catalog_returns: [144_067, 14_404_374, 43_193_472, 143_996_756, 432_018_033, 1_440_033_112, 4_319_925_093, 14_400_175_879],
  catalog_sales: [1_441_548, 143_997_065, 431_969_836, 1_439_980_416, 4_320_078_880, 14_399_964_710, 43_200_404_822, 143_999_334_399],
  customer: [100_000, 2_000_000, 5_000_000, 12_000_000, 30_000_000, 65_000_000, 80_000_000, 100_000_000],
  customer_address: [50_000, 1_000_000, 2_500_000, 6_000_000, 15_000_000, 32_500_000, 40_000_000, 50_000_000],
  customer_demographics: [1_920_800, 1_920_800, 1_920_800, 1_920_800, 1_920_800, 1_920_800, 1_920_800, 1_920_800],
  date_dim: [73_049, 73_049, 73_049, 73_049, 73_049, 73_049, 73_049, 73_049],
  household_demographics: [7200, 7200, 7200, 7200, 7200, 7200, 7200, 7200],
  income_band: [20, 20, 20, 20, 20, 20, 20, 20],
  inventory: [11_745_000, 399_330_000, 585_684_000, 783_000_000, 1_033_560_000, 1_311_525_000, 1_627_857_000, 1_965_337_830],
  item: [18_000, 204_000, 264_000, 300_000, 360_000, 402_000, 462_000, 502_000],
  promotion: [300, 1000, 1300, 1500, 1800, 2000, 2300, 2500],
  reason: [35, 55, 60, 65, 67, 70, 72, 75],
  ship_mode: [20, 20, 20, 20, 20, 20, 20, 20],
  store: [12, 402, 804, 1002, 1350, 1500, 1704, 1902],
  store_returns: [287_514, 28_795_080, 86_393_244, 287_999_764, 863_989_652, 2_879_970_104, 8_639_952_111, 28_800_018_820],
  store_sales: [2_880_404, 287_997_024, 864_001_869, 2_879_987_999, 8_639_936_081, 28_799_983_563, 86_399_341_874, 287_997_818_084],
  time_dim: [86_400, 86_400, 86_400, 86_400, 86_400, 86_400, 86_400, 86_400],
  warehouse: [5, 15, 17, 20, 22, 25, 27, 30],
  web_page: [60, 2040, 2604, 3000, 3600, 4002, 4602, 5004],
  web_returns: [71_763, 7_197_670, 21_599_377, 71_997_522, 216_003_761, 720_020_485, 2_160_007_345, 7_199_904_459],
  web_sales: [719_384, 72_001_237, 216_009_853, 720_000_376, 2_159_968_881, 7_199_963_324, 21_600_036_511, 71_999_670_164],
  web_site: [30, 24, 42, 54, 66, 78, 84, 96],
};

const salesAndReturns = /_(sales|returns)$/;

describe("tpcds row counts", () => {
  const opened = openTpcds();

  it.each(Object.keys(specified).filter((name) => name !== "scales"))("%s has the specification's at every scale", (name) => {
    const counts = (specified["scales"] ?? []).map((factor) => findTable(name)?.rows(scaleOf(`sf${factor}`)) ?? 0);
    if (salesAndReturns.test(name)) {
      // The planner's estimate; the generated rows are counted below.
      counts.forEach((count, index) => {
        expect(Math.abs(count / (specified[name]?.[index] ?? 0) - 1)).toBeLessThan(0.01);
      });
    } else {
      expect(counts).toEqual(specified[name]);
    }
  });

  it("are those of the specification at scale 1, counted", async () => {
    for (const name of names.filter((table) => salesAndReturns.test(table))) {
      expect([name, await countRows(opened, "sf1", name)]).toEqual([name, specified[name]?.[0]]);
    }
  });

  it("are those of Trino's tiny schema, counted", async () => {
    const tiny: Record<string, number> = {};
    for (const name of names) {
      tiny[name] = await countRows(opened, "tiny", name);
    }
    expect(tiny).toMatchObject({
      call_center: 2,
      catalog_page: 11_718,
      catalog_returns: 8923,
      catalog_sales: 89_807,
      customer: 1000,
      customer_address: 1000,
      customer_demographics: 1_920_800,
      date_dim: 73_049,
      household_demographics: 7200,
      inventory: 261_261,
      item: 2000,
      promotion: 3,
      reason: 1,
      store: 2,
      store_returns: 11_925,
      store_sales: 120_527,
      time_dim: 86_400,
      warehouse: 1,
      web_page: 2,
      web_returns: 1152,
      web_sales: 11_876,
      web_site: 2,
    });
  });
});

describe("tpcds splits", () => {
  const opened = openTpcds();

  it("cut a table into ranges that meet", async () => {
    for (const schema of ["tiny", "sf1", "sf100"]) {
      for (const name of names) {
        const table = await tableOf(opened, schema, name);
        const splits = await splitsOf(opened, table);
        let next = 0;
        for (const { first, count } of splits) {
          expect(first === next && count > 0).toBe(true);
          next += count;
        }
        expect(next).toBe(findTable(name)?.units(scaleOf(schema)));
      }
    }
    expect(await splitsOf(opened, await tableOf(opened, "sf1", "store_sales"))).toHaveLength(4);
    expect(await splitsOf(opened, await tableOf(opened, "sf1", "store"))).toHaveLength(1);
  });

  it("give the same rows wherever a range begins and whichever columns are asked for", async () => {
    const seekable = names.filter((name) => findTable(name)?.isSequential !== true);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seekable),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        fc.infiniteStream(fc.boolean()),
        async (name, cuts, wanted) => {
          const table = await tableOf(opened, "sf1", name);
          const units = Math.min(100, findTable(name)?.units(scaleOf("sf1")) ?? 0);
          const columns = table.columns.filter(() => wanted.next().value).map((column) => column.name);
          const ends = [...cuts.map((cut) => Math.floor(cut * units)), 0, units].sort((a, b) => a - b);
          const whole = printed({ first: 0, count: units }).map((line) => keep(line, table, columns));
          const parts = ends.slice(1).flatMap((end, index) => {
            const first = ends[index] ?? 0;
            return first === end ? [] : printed({ first, count: end - first }, columns);
          });
          expect(parts).toEqual(whole);

          function printed(range: Units, only?: readonly string[]): string[] {
            const lines: string[] = [];
            const request = { table, units: range, ...(only === undefined ? {} : { columns: only }) };
            printRows(opened, request, (text) => lines.push(...text.split("\n").slice(0, -1)));
            return lines;
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("give sequential tables whole, with any columns", async () => {
    for (const name of names.filter((candidate) => findTable(candidate)?.isSequential === true)) {
      const table = await tableOf(opened, "sf1", name);
      const units = { first: 0, count: findTable(name)?.units(scaleOf("sf1")) ?? 0 };
      const lines: string[] = [];
      printRows(opened, { table, units }, (text) => lines.push(...text.split("\n").slice(0, -1)));
      for (const column of table.columns) {
        const alone: string[] = [];
        printRows(opened, { table, units, columns: [column.name] }, (text) => alone.push(...text.split("\n").slice(0, -1)));
        expect(alone).toEqual(lines.map((line) => keep(line, table, [column.name])));
      }
    }
  });
});

/** The fields of some columns. */
function keep(line: string, table: TableMetadata, columns: readonly string[]): string {
  const fields = line.split("|");
  return table.columns.map(({ name }, index) => (columns.includes(name) ? `${fields[index] ?? ""}|` : "")).join("");
}

interface Observed {
  rows: number;
  nulls: number;
  low: number;
  high: number;
  readonly values: Set<unknown>;
}

describe("tpcds statistics and keys", () => {
  const opened = openTpcds();

  /** The observed values of each column in some ranges of rows. */
  function observe(table: TableMetadata, ranges: readonly Units[], only?: readonly string[]): ReadonlyMap<string, Observed> {
    const columns = table.columns.filter(({ name }) => only?.includes(name) ?? true);
    const seen = new Map<string, Observed>(
      columns.map(({ name }) => [name, { rows: 0, nulls: 0, low: Infinity, high: -Infinity, values: new Set() }]),
    );
    for (const units of ranges) {
      readPages(opened, { table, units, columns: columns.map(({ name }) => name) }, (page) => {
        columns.forEach(({ name, type }, index) => {
          const found = seen.get(name) as Observed;
          for (let row = 0; row < page.positionCount; row++) {
            const value = readValue(opened.memory.linear, page, index, row);
            found.rows++;
            if (value === null) {
              found.nulls++;
            } else if (typeof value === "number" || typeof value === "bigint") {
              const number = type.kind === "decimal" ? Number(value) / 100 : Number(value);
              found.low = Math.min(found.low, number);
              found.high = Math.max(found.high, number);
              found.values.add(number);
            } else {
              found.values.add(Buffer.from(value as Uint8Array).toString("latin1"));
            }
          }
        });
      });
    }
    return seen;
  }

  function expectDistinct(label: string, said: number | undefined, found: number): void {
    if (said !== undefined && found > 0) {
      expect(said / found, label).toBeGreaterThan(0.2);
      expect(said / found, label).toBeLessThan(5);
    }
  }

  it.each(names)("%s: what is said of its columns holds in tiny", async (name) => {
    const table = await tableOf(opened, "tiny", name);
    const statistics = await opened.connector.metadata.getStatistics?.(table);
    const units = findTable(name)?.units(scaleOf("tiny")) ?? 0;
    const count = Math.min(Math.ceil(units / 3), salesAndReturns.test(name) ? 300 : 1000);
    const ranges = [0, Math.floor((units - count) / 2), units - count].map((first) => ({ first, count }));
    const isWhole = units <= 2000 && !salesAndReturns.test(name);
    for (const [column, found] of observe(table, isWhole ? [{ first: 0, count: units }] : ranges)) {
      const said = statistics?.columns[column] ?? {};
      const label = `${name}.${column}`;
      expect([label, said.low ?? -Infinity]).toEqual([label, Math.min(said.low ?? -Infinity, found.low)]);
      expect([label, said.high ?? Infinity]).toEqual([label, Math.max(said.high ?? Infinity, found.high)]);
      if (isWhole && found.rows > 500) {
        expect(Math.abs((said.nullsFraction ?? 0) - found.nulls / found.rows), label).toBeLessThan(0.03);
        expectDistinct(label, said.distinctValues, found.values.size);
      }
    }
  });

  it.each([
    ["store_sales", ["ss_sold_date_sk", "ss_sold_time_sk", "ss_customer_sk", "ss_item_sk", "ss_ticket_number", "ss_coupon_amt"]],
    ["web_sales", ["ws_ship_date_sk", "ws_item_sk", "ws_bill_cdemo_sk", "ws_order_number", "ws_quantity"]],
    ["catalog_returns", ["cr_returned_date_sk", "cr_item_sk", "cr_order_number", "cr_return_amount", "cr_net_loss"]],
    ["inventory", ["inv_date_sk", "inv_quantity_on_hand"]],
    ["date_dim", ["d_date_sk", "d_year", "d_moy", "d_quarter_name"]],
  ])("%s: distinct values and NULLs are near", async (name, columns) => {
    const table = await tableOf(opened, "tiny", name);
    const statistics = await opened.connector.metadata.getStatistics?.(table);
    for (const [column, found] of observe(table, await splitsOf(opened, table), columns)) {
      const said = statistics?.columns[column] ?? {};
      expect(Math.abs((said.nullsFraction ?? 0) - found.nulls / found.rows), column).toBeLessThan(0.01);
      expectDistinct(column, said.distinctValues, found.values.size);
    }
  });

  it("keys are unique and never NULL", async () => {
    for (const name of names.filter((candidate) => candidate !== "customer_demographics")) {
      const table = await tableOf(opened, "tiny", name);
      const columns = table.uniqueKeys?.[0] ?? [];
      expect(columns.length).toBeGreaterThan(0);
      const keys = new Set<string>();
      let rows = 0;
      for (const units of await splitsOf(opened, table)) {
        printRows(opened, { table, units, columns }, (text) => {
          const lines = text.split("\n").slice(0, -1);
          expect(lines.filter((line) => /^\||\|\|/.test(line))).toEqual([]);
          lines.forEach((line) => keys.add(line));
          rows += lines.length;
        });
      }
      expect([name, keys.size]).toEqual([name, rows]);
    }
  });
});

describe("tpcds memory", () => {
  it("is given back by sources, in the middle of a split too, and by the connector", async () => {
    const opened = openTpcds();
    for (const name of names) {
      const table = await tableOf(opened, "tiny", name);
      const source = opened.connector.createPageSource({
        table: table.handle,
        split: { first: 0, count: 2 },
        columns: table.columns,
        memory: opened.memory,
      });
      source.nextPage();
      source.close();
      source.close();
    }
    expect(md5Of(opened, { table: await tableOf(opened, "sf1", "ship_mode"), units: { first: 0, count: 20 } })).toHaveLength(32);
    opened.connector.close?.();
    expect(opened.memory.reservedBytes).toBe(0);
  });
});
