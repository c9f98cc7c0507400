/**
 * Statistics of the tables for the planner, from the specification's formulas: exact if a formula gives the number, otherwise the
 * expectation. Money is in whole units with hundredths, for any column type.
 */
import type { ColumnStatistics, TableStatistics } from "../spi.ts";
import { distinctOf } from "../shared/scaled-tables.ts";
import { linesOfOrderMax, orderDateDays, orderDateMin, shipDaysMax } from "./orders.ts";
import type { Scale } from "./scale.ts";
import { lineItemsEstimate, orderKey } from "./scale.ts";
import { textBytesMax, textBytesMin } from "./strings.ts";
import type { TpchTable } from "./tables.ts";
import { brands, colors, containers, manufacturers, marketSegments, nations, orderPriorities, partTypes } from "./words.ts";
import { regions, shipInstructions, shipModes } from "./words.ts";

type Columns = Readonly<Record<string, ColumnStatistics>>;

const orderDateMax = orderDateMin + orderDateDays - 1;

function range(low: number, high: number, distinctValues: number, rows: number): ColumnStatistics {
  return { low, high, distinctValues: Math.min(rows, distinctValues) };
}

/** 1 to `rows`. */
function key(rows: number): ColumnStatistics {
  return { low: 1, high: rows, distinctValues: rows };
}

function reference(rows: number, keys: number): ColumnStatistics {
  return { low: 1, high: keys, distinctValues: distinctOf(rows, keys) };
}

function strings(rows: number, distinctValues: number, averageBytes: number): ColumnStatistics {
  return { distinctValues: Math.min(rows, distinctValues), averageBytes };
}

function words(rows: number, list: readonly string[]): ColumnStatistics {
  return strings(rows, list.length, list.reduce((sum, word) => sum + word.length, 0) / list.length);
}

/** Substrings of the text pool rarely repeat unless they are short. */
function comment(rows: number, meanBytes: number): ColumnStatistics {
  const averageBytes = (textBytesMin(meanBytes) + textBytesMax(meanBytes)) / 2;
  const spread = textBytesMax(meanBytes) - textBytesMin(meanBytes) + 1;
  return strings(rows, distinctOf(rows, 1_000_000 * spread * Math.max(1, averageBytes - 14)), averageBytes);
}

function partyColumns(rows: number): Columns {
  return {
    name: strings(rows, rows, 18),
    address: strings(rows, rows, 25),
    nationkey: { low: 0, high: nations.length - 1, distinctValues: Math.min(rows, nations.length) },
    phone: strings(rows, rows, 15),
    acctbal: range(-999.99, 9999.99, distinctOf(rows, 1_099_999), rows),
  };
}

/**
 * Prices of part keys a thousand apart differ by one whole unit, so prices repeat. There are fewer than 120,000 prices between the minimum
 * and the maximum.
 */
function distinctPrices(parts: number): number {
  return Math.min(parts, 100 * (Math.ceil(parts / 1000) + 9), 119_900);
}

function orderColumns(scale: Scale): Columns {
  const rows = scale.orders;
  return {
    orderkey: { low: 1, high: orderKey(rows), distinctValues: rows },
    custkey: range(1, scale.customers, distinctOf(rows, Math.ceil((scale.customers * 2) / 3)), rows),
    orderstatus: strings(rows, 3, 1),
    totalprice: range(857.71, 600_000, distinctOf(rows, 40_000_000), rows),
    orderdate: range(orderDateMin, orderDateMax, orderDateDays, rows),
    orderpriority: words(rows, orderPriorities),
    clerk: strings(rows, distinctOf(rows, scale.clerks), 15),
    shippriority: { low: 0, high: 0, distinctValues: 1 },
    comment: comment(rows, 49),
  };
}

function lineColumns(scale: Scale): Columns {
  const rows = lineItemsEstimate(scale);
  return {
    orderkey: { low: 1, high: orderKey(scale.orders), distinctValues: scale.orders },
    partkey: reference(rows, scale.parts),
    suppkey: reference(rows, scale.suppliers),
    linenumber: range(1, linesOfOrderMax, linesOfOrderMax, rows),
    quantity: range(1, 50, 50, rows),
    // Products of 50 quantities and the prices; about a tenth of them coincide.
    extendedprice: range(901, 104_949.5, distinctOf(rows, 45 * distinctPrices(scale.parts)), rows),
    discount: range(0, 0.1, 11, rows),
    tax: range(0, 0.08, 9, rows),
    returnflag: strings(rows, 3, 1),
    linestatus: strings(rows, 2, 1),
    shipdate: range(orderDateMin + 1, orderDateMax + shipDaysMax, orderDateDays + shipDaysMax - 1, rows),
    commitdate: range(orderDateMin + 30, orderDateMax + 90, orderDateDays + 60, rows),
    receiptdate: range(orderDateMin + 2, orderDateMax + shipDaysMax + 30, orderDateDays + shipDaysMax + 28, rows),
    shipinstruct: words(rows, shipInstructions),
    shipmode: words(rows, shipModes),
    comment: comment(rows, 27),
  };
}

function partColumns(scale: Scale): Columns {
  const rows = scale.parts;
  const colorBytes = colors.reduce((sum, color) => sum + color.length + 1, 0) / colors.length;
  return {
    partkey: key(rows),
    name: strings(rows, rows, 5 * colorBytes - 1),
    mfgr: words(rows, manufacturers),
    brand: words(rows, brands),
    type: words(rows, partTypes),
    size: range(1, 50, 50, rows),
    container: words(rows, containers),
    retailprice: range(901, 2098.99, distinctPrices(rows), rows),
    comment: comment(rows, 14),
  };
}

function partsuppColumns(scale: Scale, rows: number): Columns {
  return {
    partkey: key(scale.parts),
    suppkey: key(scale.suppliers),
    availqty: range(1, 9999, distinctOf(rows, 9999), rows),
    supplycost: range(1, 1000, distinctOf(rows, 99_901), rows),
    comment: comment(rows, 124),
  };
}

function columnsOf(table: TpchTable, scale: Scale, rows: number): Columns {
  switch (table.name) {
    case "customer":
      return { custkey: key(rows), ...partyColumns(rows), mktsegment: words(rows, marketSegments), comment: comment(rows, 73) };
    case "supplier":
      return { suppkey: key(rows), ...partyColumns(rows), comment: comment(rows, 63) };
    case "orders":
      return orderColumns(scale);
    case "lineitem":
      return lineColumns(scale);
    case "part":
      return partColumns(scale);
    case "partsupp":
      return partsuppColumns(scale, rows);
    case "nation":
      return {
        nationkey: { low: 0, high: nations.length - 1, distinctValues: nations.length },
        name: words(
          rows,
          nations.map(({ name }) => name),
        ),
        regionkey: { low: 0, high: regions.length - 1, distinctValues: regions.length },
        comment: comment(rows, 72),
      };
    default:
      return {
        regionkey: { low: 0, high: regions.length - 1, distinctValues: regions.length },
        name: words(rows, regions),
        comment: comment(rows, 72),
      };
  }
}

/** By Presto's simplified column names; no column has NULLs. */
export function tableStatistics(table: TpchTable, scale: Scale): TableStatistics {
  const rowCount = table.rows(scale);
  const columns = columnsOf(table, scale, rowCount);
  return {
    rowCount,
    columns: Object.fromEntries(Object.entries(columns).map(([name, statistics]) => [name, { ...statistics, nullsFraction: 0 }])),
  };
}
