/**
 * Schema names, the scale factor, the rows of each table, and the splits. A schema is `tiny` (0.01), or `sf` and a positive decimal number.
 */

/**
 * The tables are generated in units that can be reached independently: an order with its line items, a part with its suppliers, otherwise a
 * row.
 */
export interface Scale {
  readonly factor: number;
  readonly suppliers: number;
  readonly parts: number;
  readonly customers: number;
  readonly orders: number;
  readonly clerks: number;
}

/** Schemas in `SHOW SCHEMAS`; any other scale can be named. */
export const listedSchemas: readonly string[] = [
  "sf0.1",
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

/** Maximum factor. Above it, keys and clerks exceed the range of dbgen's formulas. */
const factorMax = 1_000_000;

/** undefined if there is no such schema. */
export function scaleOfSchema(schema: string): Scale | undefined {
  const text = schema === "tiny" ? "0.01" : /^sf(\d{1,7}(?:\.\d{1,9})?)$/.exec(schema)?.[1];
  if (text === undefined || Number(text) <= 0 || Number(text) > factorMax) {
    return undefined;
  }
  const [whole = "", fraction = ""] = text.split(".");
  const digits = BigInt(whole + fraction);
  const divisor = 10n ** BigInt(fraction.length);
  // Exact: 0.07 of 200,000 is 14,000, which doubles would not give. As in dbgen no table is empty.
  const rows = (base: number): number => Math.max(1, Number((BigInt(base) * digits) / divisor));
  return {
    factor: Number(text),
    suppliers: rows(10_000),
    parts: rows(200_000),
    customers: rows(150_000),
    orders: rows(1_500_000),
    clerks: Math.max(1000, rows(1000)),
  };
}

/** Number of line items as listed by the TPC (specification 4.2.5); at other scales four per order, the mean. */
const knownLineItems: Readonly<Record<number, number>> = {
  0.01: 60_175,
  1: 6_001_215,
  10: 59_986_052,
  100: 600_037_902,
  300: 1_799_989_091,
  1000: 5_999_989_709,
  3000: 18_000_048_306,
  10000: 59_999_994_267,
  30000: 179_999_978_268,
  100000: 599_999_969_200,
};

export function lineItemsEstimate(scale: Scale): number {
  return knownLineItems[scale.factor] ?? scale.orders * 4;
}

/** Keys of orders are sparse: 8 of every 32. `index` is 1-based. */
export function orderKey(index: number): number {
  const low = index % 8;
  return (index - low) * 4 + low;
}
