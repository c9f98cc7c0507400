/**
 * Loads the TPC-DS tables that the tpcds connector generates into DuckDB through CSV files, and reads the queries of test/oracle/tpcds.
 */
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connector, TableMetadata } from "../../../src/connectors/spi.ts";
import { tables } from "../../../src/connectors/tpcds/tables.ts";
import { tpcdsConnectorFactory } from "../../../src/connectors/tpcds/tpcds.ts";
import { formatDate } from "../../../src/functions/runtime/formats.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import type { LinearMemory, MemoryContext } from "../../../src/memory/memory.ts";
import type { Page } from "../../../src/page/page.ts";
import { readValue } from "../../../src/page/reader.ts";
import type { Type } from "../../../src/types/type.ts";
import { decodeUtf8 } from "../../../src/types/utf8.ts";
import type { Oracle } from "./duckdb.ts";

/** Without the generator's version, which no query reads. */
export const tpcdsTableNames: readonly string[] = tables.map(({ name }) => name).filter((name) => name !== "dbgen_version");

/**
 * All combinations in order: DuckDB generates the 1.9 million rows faster than it loads them. A test compares them with the connector's.
 */
const customerDemographics = `CREATE TABLE customer_demographics AS SELECT
  i + 1 AS cd_demo_sk, ['M', 'F'][i % 2 + 1] AS cd_gender, ['M', 'S', 'D', 'W', 'U'][i // 2 % 5 + 1] AS cd_marital_status,
  ['Primary', 'Secondary', 'College', '2 yr Degree', '4 yr Degree', 'Advanced Degree', 'Unknown'][i // 10 % 7 + 1] AS cd_education_status,
  CAST((i // 70 % 20 + 1) * 500 AS INTEGER) AS cd_purchase_estimate,
  ['Good', 'Low Risk', 'High Risk', 'Unknown'][i // 1400 % 4 + 1] AS cd_credit_rating, CAST(i // 5600 % 7 AS INTEGER) AS cd_dep_count,
  CAST(i // 39200 % 7 AS INTEGER) AS cd_dep_employed_count, CAST(i // 274400 % 7 AS INTEGER) AS cd_dep_college_count
  FROM range(1920800) AS r(i)`;

function duckType(type: Type): string {
  switch (type.kind) {
    case "decimal":
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case "char":
    case "varchar":
      return "VARCHAR";
    default:
      return type.kind.toUpperCase();
  }
}

function field(value: ReturnType<typeof readValue>, type: Type): string {
  if (value === null) {
    return "";
  }
  if (value instanceof Uint8Array) {
    return `"${decodeUtf8(value).replaceAll('"', '""')}"`;
  }
  if (type.kind === "date") {
    return formatDate(Number(value));
  }
  return type.kind === "decimal" ? (Number(value) / 100).toFixed(2) : String(value);
}

function csvOf(linear: LinearMemory, page: Page, { columns }: TableMetadata): string {
  let text = "";
  for (let row = 0; row < page.positionCount; row++) {
    columns.forEach(({ type }, index) => {
      text += `${index === 0 ? "" : ","}${field(readValue(linear, page, index, row), type)}`;
    });
    text += "\n";
  }
  return text;
}

async function writeTable(connector: Connector, memory: MemoryContext, table: TableMetadata, file: string): Promise<void> {
  const stream = createWriteStream(file);
  for (const split of await connector.getSplits(table, table.columns)) {
    const source = connector.createPageSource({ table: table.handle, split: split.payload, columns: table.columns, memory });
    while (!source.finished) {
      const page = source.nextPage();
      if (page !== undefined && !stream.write(csvOf(memory.linear, page, table))) {
        await once(stream, "drain");
      }
    }
    source.close();
  }
  stream.end();
  await once(stream, "finish");
}

/** `schema` as in the connector: tiny, sf1. */
export async function loadTpcdsTables(duckdb: Oracle, schema: string): Promise<void> {
  const memory = createNodeMemory({ sizeBytes: 256 * 1024 * 1024 }).root;
  // The connector uses only the memory of its context.
  const connector = tpcdsConnectorFactory.create({}, { memory } as unknown as Parameters<typeof tpcdsConnectorFactory.create>[1]);
  const folder = mkdtempSync(join(tmpdir(), "tpcds-csv-"));
  await duckdb.run(customerDemographics);
  for (const name of tpcdsTableNames.filter((table) => table !== "customer_demographics")) {
    const table = await connector.metadata.getTable({ schema, table: name });
    if (table === undefined) {
      throw new Error(`no table ${name}`);
    }
    const file = join(folder, `${name}.csv`);
    await writeTable(connector, memory, table, file);
    await duckdb.run(`CREATE TABLE ${name} (${table.columns.map((column) => `${column.name} ${duckType(column.type)}`).join(", ")})`);
    await duckdb.run(`COPY ${name} FROM '${file}' (HEADER false, NULLSTR '', ALLOW_QUOTED_NULLS false)`);
    rmSync(file);
  }
  rmSync(folder, { recursive: true });
  connector.close?.();
}

/**
 * In Trino, quotients of decimals are decimals, rounded to the larger scale of both operands, and averages of decimals keep the argument's
 * scale. In DuckDB both are doubles. Queries that compare or sum them round explicitly in DuckDB.
 */
const roundings: readonly (readonly [queries: RegExp, pattern: RegExp, replacement: string])[] = [
  [/^q(47|53|57|63|89)$/, /abs\(sum_sales - (avg_\w+)\) \/ \1/g, "round(abs(sum_sales - round($1, 2)) / round($1, 2), 2)"],
  [/^q58$/, /(\w+_item_rev) \/ \(\((\w+ \+ \w+ \+ \w+)\) \/ 3\) \* 100/g, "round($1 / round(($2) / 3, 2), 2) * 100"],
  [/^q61$/, /CAST\(promotions AS DECIMAL\(15, 4\)\) \/ CAST\(total AS DECIMAL\(15, 4\)\)/, "round(promotions / total, 4)"],
  [/^q66$/, /(\w+_sales) \/ w_warehouse_sq_ft/g, "round($1 / w_warehouse_sq_ft, 2)"],
  [
    /^q75$/,
    /CAST\(curr_yr.sales_cnt AS DECIMAL\(17, 2\)\) \/ CAST\(prev_yr.sales_cnt AS DECIMAL\(17, 2\)\)/,
    "round(curr_yr.sales_cnt / prev_yr.sales_cnt, 2)",
  ],
  [
    /^q78$/,
    /round\(\(ss_qty \* 1.00\) \/ \((coalesce\(ws_qty, 0\) \+ coalesce\(cs_qty, 0\))\), 2\)/,
    "round(CAST(ss_qty / ($1) AS DECIMAL(18, 6)), 2)",
  ],
  [/^q83$/, /\((\w+_item_qty) \* 1.0000\) \/ \((\w+ \+ \w+ \+ \w+)\) \/ 3.0000 \* 100/g, "round(round($1 / ($2), 4) / 3, 4) * 100"],
];

/** The query's text for DuckDB. */
export function duckDbText({ name, text }: TpcdsQuery): string {
  return roundings.reduce(
    (changed, [queries, pattern, replacement]) => (queries.test(name) ? changed.replace(pattern, replacement) : changed),
    text,
  );
}

const queryFolder = join(dirname(fileURLToPath(import.meta.url)), "../../oracle/tpcds");

export interface TpcdsQuery {
  readonly name: string;
  readonly text: string;
}

/** The 99 queries with their variants, in order. */
export function tpcdsQueries(): readonly TpcdsQuery[] {
  const files = readdirSync(queryFolder).filter((name) => name.endsWith(".sql"));
  return files.sort().flatMap((name) =>
    readFileSync(join(queryFolder, name), "utf8")
      .split(/^-- (?=q\d)/m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf("\n");
        return { name: part.slice(0, end), text: part.slice(end).trim().replace(/;$/, "") };
      }),
  );
}
