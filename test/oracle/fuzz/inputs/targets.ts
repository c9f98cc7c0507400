/** The fuzzers of inputs, by their names on the command line. */
import { openCluster, openDatabase } from "./answers/databases.ts";
import { openRest } from "./answers/rest.ts";
import { openStores } from "./answers/stores.ts";
import type { FuzzTarget } from "./target.ts";
import { openFiles } from "./targets/files.ts";
import { openFrames } from "./targets/frames.ts";
import { openLake } from "./targets/lakes.ts";
import { openHttp } from "./targets/http.ts";
import { openProperties } from "./targets/properties.ts";
import { openSql } from "./targets/sql.ts";
import { openSqlite } from "./targets/sqlite.ts";
import { openTape } from "./targets/tape.ts";

export interface TargetEntry {
  readonly description: string;
  /** What an input is called, in the plural. */
  readonly inputs: string;
  /** Inputs of one run if neither their number nor its length is given. */
  readonly count: number;
  /** Inputs that a process takes at a time. */
  readonly slice: number;
  open(): FuzzTarget<unknown> | Promise<FuzzTarget<unknown>>;
}

export const targets: ReadonlyMap<string, TargetEntry> = new Map<string, TargetEntry>([
  [
    "http",
    {
      description: "requests to a cluster with altered paths, headers and bodies: an answer, no status 500, no path or stack in it",
      inputs: "requests",
      count: 5000,
      slice: 2000,
      open: openHttp,
    },
  ],
  [
    "sql",
    {
      description: "malformed and extreme statements: a result, or an error of the catalogue with its place; no internal error",
      inputs: "statements",
      count: 2000,
      slice: 200,
      open: openSql,
    },
  ],
  ...(["parquet", "arrow", "csv", "json"] as const).map((format): readonly [string, TargetEntry] => [
    format,
    {
      description: `altered files of the format ${format}: rows, or an error that names the file without its folder; bounded memory`,
      inputs: "files",
      count: 2000,
      slice: 500,
      open: () => openFiles(format),
    },
  ]),
  [
    "sqlite",
    {
      description: "altered databases of SQLite, also with a write-ahead log: rows, or an error that names the file; bounded memory",
      inputs: "databases",
      count: 2000,
      slice: 500,
      open: openSqlite,
    },
  ],
  ...(["delta", "iceberg"] as const).map((kind): readonly [string, TargetEntry] => [
    kind,
    {
      description: `tables of ${kind === "delta" ? "Delta Lake" : "Iceberg"} with altered metadata: rows, or an error that names the table; no read outside of it`,
      inputs: "tables",
      count: 2000,
      slice: 500,
      open: () => openLake(kind),
    },
  ]),
  ...(["postgresql", "mysql"] as const).map((kind): readonly [string, TargetEntry] => [
    kind,
    {
      description: `altered answers of a server of ${kind === "mysql" ? "MySQL" : "PostgreSQL"}: rows, or a declared error without the password; then the sound server is read`,
      inputs: "conversations",
      count: 2000,
      slice: 200,
      open: () => openDatabase(kind),
    },
  ]),
  [
    "cluster",
    {
      description: "altered answers of a cluster of Trino, to catalogs, with segments and to routed statements: rows, or a declared error",
      inputs: "conversations",
      count: 2000,
      slice: 200,
      open: openCluster,
    },
  ],
  [
    "stores",
    {
      description:
        "altered responses of S3, Google, Azure and a web server: rows, or an error without a key; bounded requests, to these alone",
      inputs: "conversations",
      count: 2000,
      slice: 200,
      open: openStores,
    },
  ],
  [
    "rest",
    {
      description: "altered responses of an Iceberg REST catalog and of its stores: rows, or an error without a token; bounded requests",
      inputs: "conversations",
      count: 2000,
      slice: 200,
      open: openRest,
    },
  ],
  [
    "frames",
    {
      description: "altered page frames of the exchange: refused, or read within their bytes; never read with a wrong checksum",
      inputs: "frames",
      count: 20_000,
      slice: 20_000,
      open: openFrames,
    },
  ],
  [
    "tape",
    {
      description: "altered recordings and fixtures for `npm run sim -- replay`: read, or refused with a reason",
      inputs: "recordings",
      count: 5000,
      slice: 2000,
      open: openTape,
    },
  ],
  [
    "properties",
    {
      description: "configuration files with any text: read, or refused by one line that shows no secret",
      inputs: "files",
      count: 5000,
      slice: 5000,
      open: openProperties,
    },
  ],
]);
