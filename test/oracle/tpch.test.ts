/**
 * The 22 TPC-H queries with the specification's text on clusters of two and of five workers against DuckDB: over the tpch connector, over
 * Parquet files that DuckDB and a database that SQLite writes of the same rows, and over Arrow files, CSV and JSON lines of the engine,
 * with decimal money columns. Results are exact to the last digit, and a second run returns the same rows in the same order. A query runs
 * over Parquet on one of the clusters, in turn, and is repeated on the other; of Arrow, CSV, JSON and SQLite it runs over one, in turn.
 * All of it with ORRERY_TEST_ALL=1, and at scale 1 with ORRERY_TPCH_FULL=1.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/protocol/json.ts";
import { type Oracle, openDuckDb } from "../support/oracle/duckdb.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";
import { isInTurn, runsAll } from "../support/programs/rotation.ts";
import { Asker } from "../support/service.ts";
import { loadTpchTables, tpchTableNames, writeTpchParquet, writeTpchSqlite } from "../support/oracle/tpch-files.ts";
import { differenceInOrder } from "./compare.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "tpch");
const specification = JSON.parse(readFileSync(join(folder, "specification.json"), "utf8")) as Readonly<Record<string, string>>;
/** The same queries in a form that DuckDB accepts: no interval precision, and WITH instead of the specification's view. */
const queries = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();
const isLarge = process.env["ORRERY_TPCH_FULL"] === "1";
const isFull = isLarge || runsAll;
const scale = isLarge ? "1" : "0.01";
const workerCounts = [2, 5];

/** The catalog of the tables, and a schema of views over them: query 15 creates a view, which those catalogs do not support. */
const sources = [
  { name: "tpch", catalog: "tpch", schema: `sf${scale}` },
  { name: "Parquet", catalog: "parquet", schema: "default" },
  { name: "Arrow", catalog: "arrow", schema: "default", turn: 0 },
  { name: "JSON lines", catalog: "json", schema: "default", turn: 1 },
  { name: "CSV", catalog: "csv", schema: "default", turn: 2 },
  { name: "SQLite", catalog: "sqlite", schema: "main", turn: 3 },
];

const sourcesInTurn = 4;

let duckdb: Oracle;
let parquet: string;
let sqlite: string;
/** By catalog. */
const written = new Map<string, string>();
const clusters = new Map<number, LoopbackCluster>();

function engineOf(workers: number, catalog: string, schema: string): Asker {
  const cluster = clusters.get(workers) as LoopbackCluster;
  return new Asker(cluster, { "x-engine-user": "tpch", "x-engine-catalog": catalog, "x-engine-schema": schema });
}

interface Rows {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly JsonValue[][];
}

/** Runs all statements of a text; returns the rows of the only query among them. */
async function ask(engine: Asker, text: string): Promise<Rows> {
  let found: Rows = { names: [], types: [], rows: [] };
  for (const statement of text.split(";").map((part) => part.trim())) {
    if (statement === "") {
      continue;
    }
    const responses = await engine.chain(statement);
    const error = responses.at(-1)?.["error"] as { message: string } | undefined;
    expect(error?.message, statement).toBeUndefined();
    if (!/^select/i.test(statement)) {
      continue;
    }
    const columns = responses.at(-1)?.["columns"] as { name: string; type: string }[];
    found = {
      names: columns.map(({ name }) => name),
      types: columns.map((column) => column.type.replace(/,(?=\d)/, ", ")),
      rows: responses.flatMap((response) => (response["data"] ?? []) as JsonValue[][]),
    };
  }
  return found;
}

beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
  await loadTpchTables(duckdb, scale);
  parquet = await writeTpchParquet(duckdb);
  sqlite = await writeTpchSqlite(duckdb);
  const catalogs = [
    {
      name: "tpch",
      properties: { "connector.name": "tpch", "tpch.column-naming": "STANDARD", "tpch.double-type-mapping": "DECIMAL" },
    },
    { name: "parquet", properties: { "connector.name": "files", "files.directory": parquet } },
    { name: "sqlite", properties: { "connector.name": "sqlite", "sqlite.file": join(sqlite, "tpch.db") } },
    ...["arrow", "json", "csv"].map((name) => {
      const folder = mkdtempSync(join(tmpdir(), `tpch-${name}-`));
      written.set(name, folder);
      return { name, properties: { "connector.name": "files", "files.directory": folder, "files.writes-enabled": "true" } };
    }),
    { name: "memory", properties: { "connector.name": "memory" } },
  ];
  for (const workers of workerCounts) {
    clusters.set(workers, await startLoopbackCluster({ workers, catalogs, properties: { "query.max-memory-per-node": "900MB" } }));
    for (const catalog of workers === workerCounts[0] ? written.keys() : []) {
      const engine = engineOf(workers, "tpch", `sf${scale}`);
      for (const table of tpchTableNames) {
        await engine.rows(`CREATE TABLE ${catalog}.default.${table} WITH (format = '${catalog.toUpperCase()}') AS SELECT * FROM ${table}`);
      }
    }
    for (const { catalog, schema } of sources) {
      const engine = engineOf(workers, "memory", catalog);
      await engine.rows(`CREATE SCHEMA memory.${catalog}`);
      for (const table of tpchTableNames) {
        await engine.rows(`CREATE VIEW ${table} AS SELECT * FROM ${catalog}."${schema}".${table}`);
      }
    }
  }
}, 900_000);

afterAll(async () => {
  for (const cluster of clusters.values()) {
    await cluster.stop();
  }
  for (const directory of [parquet, sqlite, ...written.values()]) {
    rmSync(directory, { recursive: true });
  }
  duckdb.close();
});

describe(`TPC-H at scale ${scale}`, () => {
  for (const [index, query] of queries.entries()) {
    const [inTurn] = workerCounts.filter((_, place) => isInTurn(index + place));
    it(query, { timeout: 900_000 }, async () => {
      const text = specification[query.replace(/^q0*(\d+)\.sql$/, "q$1")] as string;
      const expected = await duckdb.rows(readFileSync(join(folder, query), "utf8"));
      for (const { name, catalog, schema } of sources.filter(
        ({ turn }) => isFull || turn === undefined || isInTurn(index + turn, sourcesInTurn),
      )) {
        for (const workers of workerCounts.filter((count) => isFull || catalog === "tpch" || count === inTurn)) {
          const engine = text.includes("create view") ? engineOf(workers, "memory", catalog) : engineOf(workers, catalog, schema);
          const { names, types, rows } = await ask(engine, text);
          expect(differenceInOrder(text, rows, expected, { names, types }), `${name}, ${workers} workers`).toBeUndefined();
          if (catalog === "tpch" && (isFull || workers !== inTurn)) {
            expect((await ask(engine, text)).rows, "asked again").toEqual(rows);
          }
        }
      }
    });
  }
});
