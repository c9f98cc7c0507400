/**
 * Schema names, the scale factor, and the rows of each table. A schema is `tiny` (0.01), or `sf` and a positive decimal number. The
 * specification lists the rows of nine scales. The rows of other scales follow dsdgen's rules, and below 1 Trino's.
 */
import { historyKeys } from "./calendar.ts";

export const listedSchemas: readonly string[] = [
  "sf1",
  "sf10",
  "sf100",
  "sf1000",
  "sf10000",
  "sf100000",
  "sf300",
  "sf3000",
  "sf30000",
  "tiny",
];

const scalesOfList = [1, 10, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];
const factorMax = 100_000;

type Growth = "fixed" | "linear" | "logarithmic";

interface Size {
  readonly growth: Growth;
  /** Rows at each listed scale; a fixed table may have one entry for all. */
  readonly base: readonly number[];
  readonly multiplier?: number;
  /** A table with history rows: twice as many rows. */
  readonly history?: true;
}

function fixed(...base: readonly number[]): Size {
  return { growth: "fixed", base };
}

function linear(multiplier: number, ...base: readonly number[]): Size {
  return { growth: "linear", base, multiplier };
}

function logarithmic(multiplier: number, ...base: readonly number[]): Size {
  return { growth: "logarithmic", base, multiplier };
}

/** Sizes of sales tables count orders. */
const sizes = {
  call_center: { ...logarithmic(1, 3, 12, 15, 18, 21, 24, 27, 30, 30), history: true },
  catalog_page: fixed(11718, 12000, 20400, 26000, 30000, 36000, 40000, 46000, 50000),
  catalog_sales: linear(10_000, 16, 160, 1600, 4800, 16000, 48000, 160000, 480000, 1600000),
  customer: logarithmic(1000, 100, 500, 2000, 5000, 12000, 30000, 65000, 80000, 100000),
  customer_address: logarithmic(1000, 50, 250, 1000, 2500, 6000, 15000, 32500, 40000, 50000),
  customer_demographics: fixed(1920800),
  date_dim: fixed(73049),
  household_demographics: fixed(7200),
  income_band: fixed(20),
  item: { ...logarithmic(1000, 9, 51, 102, 132, 150, 180, 201, 231, 251), history: true },
  promotion: logarithmic(1, 300, 500, 1000, 1300, 1500, 1800, 2000, 2300, 2500),
  reason: logarithmic(1, 35, 45, 55, 60, 65, 67, 70, 72, 75),
  ship_mode: fixed(20),
  store: { ...logarithmic(1, 6, 51, 201, 402, 501, 675, 750, 852, 951), history: true },
  store_sales: linear(10_000, 24, 240, 2400, 7200, 24000, 72000, 240000, 720000, 2400000),
  time_dim: fixed(86400),
  warehouse: logarithmic(1, 5, 10, 15, 17, 20, 22, 25, 27, 30),
  web_page: { ...logarithmic(1, 30, 100, 1020, 1302, 1500, 1800, 2001, 2301, 2502), history: true },
  web_sales: linear(1000, 60, 600, 6000, 18000, 60000, 180000, 600000, 1800000, 6000000),
  web_site: { ...logarithmic(1, 15, 21, 12, 21, 27, 33, 39, 42, 48), history: true },
  dbgen_version: fixed(1),
  /** Not tables, but sizes that other columns are drawn from. */
  concurrent_web_sites: logarithmic(1, 2, 3, 4, 5, 5, 5, 5, 5, 5),
  active_cities: logarithmic(1, 2, 6, 18, 30, 54, 90, 165, 270, 495),
  active_counties: logarithmic(1, 1, 3, 9, 15, 27, 45, 81, 135, 245),
} as const satisfies Readonly<Record<string, Size>>;

export type Sized = keyof typeof sizes;

export class Scale {
  readonly factor: number;

  constructor(factor: number) {
    this.factor = factor;
  }

  rows(name: Sized): number {
    const size: Size = sizes[name];
    const rows = baseRows(size, this.factor) * (size.multiplier ?? 1);
    return size.history === true ? rows * 2 : rows;
  }

  /** Number of distinct business keys of a history table. */
  keys(name: Sized): number {
    return historyKeys(this.rows(name));
  }

  /** Every item in every warehouse on the first day of each of 261 weeks. */
  get inventoryRows(): number {
    return this.keys("item") * this.rows("warehouse") * inventoryWeeks;
  }
}

export const inventoryWeeks = 261;

function baseRows(size: Size, factor: number): number {
  const { base, growth } = size;
  const listed = scalesOfList.indexOf(factor);
  if (listed >= 0 || growth === "fixed") {
    return base[Math.min(Math.max(listed, 0), base.length - 1)] as number;
  }
  if (growth === "linear") {
    return linearRows(base, factor);
  }
  return logarithmicRows(base, factor);
}

/** The factor is split into a sum of listed scales, whose rows are added; below 1 a fraction of scale 1. */
function linearRows(base: readonly number[], factor: number): number {
  if (factor < 1) {
    return Math.max(1, Math.round(factor * (base[0] as number)));
  }
  let rows = 0;
  let rest = factor;
  for (let slot = scalesOfList.length - 1; slot >= 0; slot--) {
    const scale = scalesOfList[slot] as number;
    const times = Math.floor(rest / scale);
    rows += times * (base[slot] as number);
    rest -= times * scale;
  }
  return rows;
}

/** Between two listed scales: the rows of scale 1 plus the interpolated growth between the two scales, as in Trino's generator. */
function logarithmicRows(base: readonly number[], factor: number): number {
  if (factor < 1) {
    return Math.max(1, Math.trunc(Math.fround(Math.fround(factor) * (base[0] as number))));
  }
  const above = scalesOfList.findIndex((scale) => scale > factor);
  const below = above - 1;
  const [low, high] = [scalesOfList[below] as number, scalesOfList[above] as number];
  const [from, to] = [base[below] as number, base[above] as number];
  return (base[0] as number) + Math.trunc(Math.fround(Math.fround(to - from) * Math.fround((factor - low) / (high - low))));
}

/** undefined if there is no such schema. */
export function scaleOfSchema(schema: string): Scale | undefined {
  const text = schema === "tiny" ? "0.01" : /^sf(\d{1,6}(?:\.\d{1,9})?)$/.exec(schema)?.[1];
  if (text === undefined || Number(text) <= 0 || Number(text) > factorMax) {
    return undefined;
  }
  return new Scale(Number(text));
}
