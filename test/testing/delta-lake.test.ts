/**
 * Tables of Delta Lake in a folder and in a bucket. No independent writer runs here: logs and deletion vectors are written by this file
 * after the protocol's specification, Parquet files and checkpoints by DuckDB.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeBase85, decodeVector, uuidOf } from "../../src/connectors/files/lake/delta/deletion-vector.ts";
import { crc32 } from "../../src/types/crc32.ts";
import { LakeCluster } from "../support/stores/lake-cluster.ts";

let folder: string;
let lakes: LakeCluster;
let instance: DuckDBInstance;
let duckdb: Awaited<ReturnType<DuckDBInstance["connect"]>>;

type Action = Readonly<Record<string, unknown>>;

function commit(table: string, version: number, actions: readonly Action[]): void {
  const path = join(folder, table, "_delta_log", `${String(version).padStart(20, "0")}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, actions.map((action) => `${JSON.stringify(action)}\n`).join(""));
}

async function parquet(path: string, query: string): Promise<void> {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  await duckdb.run(`COPY (${query}) TO '${join(folder, path)}' (FORMAT PARQUET, ROW_GROUP_SIZE 2048)`);
}

function add(table: string, path: string, more: Action = {}): Action {
  const size = statSync(join(folder, table, decodeURIComponent(path))).size;
  return { add: { path, partitionValues: {}, size, modificationTime: 1_700_000_000_000, dataChange: true, ...more } };
}

const field = (name: string, type: unknown, metadata: Action = {}): Action => ({ name, type, nullable: true, metadata });

function metadata(fields: readonly Action[], more: Action = {}): Action {
  const schemaString = JSON.stringify({ type: "struct", fields });
  return {
    metaData: { id: "t", format: { provider: "parquet", options: {} }, schemaString, partitionColumns: [], configuration: {}, ...more },
  };
}

const protocol = (reader: number, readerFeatures?: readonly string[]): Action => ({
  protocol: { minReaderVersion: reader, minWriterVersion: 2, ...(readerFeatures !== undefined && { readerFeatures, writerFeatures: [] }) },
});

/** A vector of positions below 2^32, with containers of each kind in turn. */
function vectorOf(positions: readonly number[], kinds: readonly ("array" | "bitmap" | "run")[]): Buffer {
  const groups = new Map<number, number[]>();
  for (const position of positions) {
    const key = Math.floor(position / 65_536);
    groups.set(key, groups.get(key) ?? []);
    groups.get(key)?.push(position);
  }
  const containers = [...groups].map(([key, all], index) => {
    const values = all.map((position) => position % 65_536);
    const wanted = kinds[index % kinds.length] ?? "array";
    return { key, values, kind: wanted === "run" ? "run" : values.length > 4096 ? "bitmap" : "array" };
  });
  const hasRuns = containers.some(({ kind }) => kind === "run");
  const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
  const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  const bodies = containers.map(({ values, kind }) => {
    if (kind === "array") {
      return u16(...values);
    }
    if (kind === "bitmap") {
      const bits = Buffer.alloc(8192);
      values.forEach((value) => (bits[value >>> 3] = (bits[value >>> 3] as number) | (1 << (value & 7))));
      return bits;
    }
    const runs: [number, number][] = [];
    for (const value of values) {
      const last = runs.at(-1);
      if (last !== undefined && last[0] + last[1] + 1 === value) {
        last[1]++;
      } else {
        runs.push([value, 0]);
      }
    }
    return u16(runs.length, ...runs.flat());
  });
  const flags = Buffer.alloc(Math.ceil(containers.length / 8));
  containers.forEach(({ kind }, index) => (flags[index >>> 3] = (flags[index >>> 3] as number) | (kind === "run" ? 1 << (index & 7) : 0)));
  const head = hasRuns ? [u32(12_347 | ((containers.length - 1) << 16)), flags] : [u32(12_346, containers.length)];
  const heads = u16(...containers.flatMap(({ key, values }) => [key, values.length - 1]));
  const hasOffsets = !hasRuns || containers.length >= 4;
  const start = Buffer.concat(head).length + heads.length + (hasOffsets ? containers.length * 4 : 0);
  const offsets = bodies.map((_, index) => start + bodies.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([
    u32(1_681_511_377, positions.length === 0 ? 0 : 1, 0, 0),
    ...head,
    heads,
    hasOffsets ? u32(...offsets) : u32(),
    ...bodies,
  ]);
}

/** Writes the vector to a file of vectors, after one byte of its format's version. */
function writeVector(path: string, vector: Buffer): Action {
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(vector.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(vector) >>> 0);
  writeFileSync(join(folder, path), Buffer.concat([Buffer.from([1]), frame, vector, checksum]));
  return { offset: 1, sizeInBytes: vector.length };
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

function base85(bytes: Uint8Array): string {
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  return Array.from({ length: padded.length / 4 }, (_, index) => {
    const value = padded.readUInt32BE(index * 4);
    return [4, 3, 2, 1, 0].map((power) => alphabet[Math.floor(value / 85 ** power) % 85]).join("");
  }).join("");
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-delta-"));
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();

  // Partitions, statistics, a removed file, a checkpoint, commits after it.
  await parquet("sales/country=DE/a.parquet", "SELECT i AS id, i * 1.5 AS amount FROM range(0, 100) AS t(i)");
  await parquet("sales/country=F R/b.parquet", "SELECT i AS id, i * 1.5 AS amount FROM range(100, 250) AS t(i)");
  await parquet("sales/c.parquet", "SELECT i AS id, i * 1.5 AS amount FROM range(250, 300) AS t(i)");
  const columns = [
    field("id", "long"),
    field("amount", "double", { comment: "in euro" }),
    field("Country", "string"),
    field("day", "date"),
  ];
  const stats = (low: number, high: number): string =>
    JSON.stringify({ numRecords: high - low + 1, minValues: { id: low }, maxValues: { id: high }, nullCount: { id: 0 } });
  const values = (country: string | null, day: string): Action => ({ partitionValues: { Country: country, day } });
  const a = add("sales", "country=DE/a.parquet", { ...values("DE", "2024-01-31"), stats: stats(0, 99) });
  const b = add("sales", "country=F%20R/b.parquet", { ...values("F R", "2024-02-01"), stats: stats(100, 249) });
  const c = add("sales", "c.parquet", { ...values(null, "2024-02-01"), stats: stats(250, 299) });
  const first = [protocol(1), metadata(columns, { partitionColumns: ["Country", "day"], description: "what was sold" })];
  const info = (day: string, more: Action = {}): Action => ({ commitInfo: { operation: "WRITE", timestamp: Date.parse(day), ...more } });
  commit("sales", 0, [info("2024-01-31"), ...first, a]);
  commit("sales", 1, [info("2030-01-01", { inCommitTimestamp: Date.parse("2024-02-01T12:00:00.500Z") }), b]);
  const more = { operationParameters: { mode: "Append" }, operationMetrics: { numFiles: "1" }, isBlindAppend: true };
  commit("sales", 2, [info("2024-02-02", more), { remove: { path: "country=DE/a.parquet", dataChange: true } }, c]);

  // The same table with its first two versions in a checkpoint alone.
  for (const name of ["c.parquet", "country=DE/a.parquet", "country=F R/b.parquet"]) {
    mkdirSync(dirname(join(folder, "checked", name)), { recursive: true });
    writeFileSync(join(folder, "checked", name), readFileSync(join(folder, "sales", name)));
  }
  mkdirSync(join(folder, "checked", "_delta_log"), { recursive: true });
  const actions = join(folder, ".actions.json");
  writeFileSync(actions, [...first, a, b].map((action) => JSON.stringify(action)).join("\n"));
  await duckdb.run(`COPY (SELECT protocol, metaData, add FROM read_json('${actions}', columns = {
      protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER)',
      metaData: 'STRUCT(id VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR))',
      add: 'STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR)'}))
    TO '${join(folder, "checked/_delta_log/00000000000000000001.checkpoint.parquet")}' (FORMAT PARQUET)`);
  commit("checked", 2, [{ remove: { path: "country=DE/a.parquet", dataChange: true } }, c]);

  // Renamed, added, widened and nested columns by column mapping.
  await parquet(
    "mapped/1.parquet",
    `SELECT CAST(i AS INTEGER) AS "col-a", {'col-x': i, 'col-y': 'y' || i} AS "col-r", [CAST(i AS INTEGER), NULL] AS "col-l" FROM range(10) AS t(i)`,
  );
  await parquet(
    "mapped/2.parquet",
    `SELECT i AS "col-a", {'col-x': i, 'col-y': 'y' || i} AS "col-r", 'new' AS "col-n" FROM range(10, 20) AS t(i)`,
  );
  const physical = (name: string, id: number): Action => ({ "delta.columnMapping.physicalName": name, "delta.columnMapping.id": id });
  const row = { type: "struct", fields: [field("Y", "string", physical("col-y", 4)), field("x2", "long", physical("col-x", 5))] };
  commit("mapped", 0, [
    protocol(3, ["columnMapping", "typeWidening"]),
    metadata(
      [
        field("renamed", "long", physical("col-a", 1)),
        field("n", "string", physical("col-n", 2)),
        field("r", row, physical("col-r", 3)),
        field("l", { type: "array", elementType: "long", containsNull: true }, physical("col-l", 6)),
      ],
      { configuration: { "delta.columnMapping.mode": "name" } },
    ),
    add("mapped", "1.parquet"),
    add("mapped", "2.parquet"),
  ]);

  // Deletion vectors of each kind, across row groups.
  await parquet("vectors/a.parquet", "SELECT i AS id, 'v' || (i % 10) AS v FROM range(10000) AS t(i)");
  await parquet("vectors/b.parquet", "SELECT i AS id, 'v' || (i % 10) AS v FROM range(10000, 10100) AS t(i)");
  const deleted = vectorOf(
    Array.from({ length: 5000 }, (_, index) => index * 2),
    ["bitmap"],
  );
  const uuid = Buffer.from("d2c639aa8816431aaaf6d3fe2512ff61", "hex");
  const vector = writeVector(`vectors/deletion_vector_${uuidOf(uuid)}.bin`, deleted);
  const inline = vectorOf([0, 5, 99], ["array"]);
  commit("vectors", 0, [
    protocol(3, ["deletionVectors"]),
    metadata([field("id", "long"), field("v", "string")]),
    add("vectors", "a.parquet"),
    add("vectors", "b.parquet"),
  ]);
  commit("vectors", 1, [
    { remove: { path: "a.parquet" } },
    add("vectors", "a.parquet", { deletionVector: { storageType: "u", pathOrInlineDv: base85(uuid), ...vector, cardinality: 5000 } }),
    { remove: { path: "b.parquet" } },
    add("vectors", "b.parquet", {
      deletionVector: { storageType: "i", pathOrInlineDv: base85(inline), sizeInBytes: inline.length, cardinality: 3 },
    }),
  ]);
  commit("strange", 0, [protocol(3, ["variantType"]), metadata([field("id", "long")])]);
  commit("holes", 0, [protocol(1), metadata([field("id", "long")])]);
  commit("holes", 2, []);

  lakes = await LakeCluster.open(folder);
});

afterAll(async () => {
  await lakes.close();
  duckdb.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

const rows = (sql: string, catalog?: string): ReturnType<LakeCluster["rows"]> => lakes.rows(sql, catalog);

const perCountry = "country, count(*), sum(id), min(day) FROM";

it.each(["local", "store"])("reads the last version, and others, of %s", async (catalog) => {
  for (const table of ["sales", "checked", "'sales'"]) {
    expect(await rows(`SELECT ${perCountry} ${table} GROUP BY country ORDER BY country NULLS LAST`, catalog)).toEqual([
      ["F R", "150", "26175", "2024-02-01"],
      [null, "50", "13725", "2024-02-01"],
    ]);
  }
  const second = [
    "sales FOR VERSION AS OF 2 - 1",
    "'sales' FOR VERSION BEFORE 2",
    "sales FOR TIMESTAMP AS OF TIMESTAMP '2024-02-01 12:00:00.5 UTC'",
  ];
  for (const table of [...second, "sales FOR SYSTEM_TIME BEFORE DATE '2024-02-02'"]) {
    expect(await rows(`SELECT ${perCountry} ${table} GROUP BY country ORDER BY country`, catalog)).toEqual([
      ["DE", "100", "4950", "2024-01-31"],
      ["F R", "150", "26175", "2024-02-01"],
    ]);
  }
  expect(await rows("SELECT count(*) FROM checked FOR VERSION AS OF 1", catalog)).toEqual([["250"]]);
  const three = "a.id FROM sales FOR VERSION AS OF 0 a JOIN sales b USING (country) RIGHT JOIN sales FOR VERSION AS OF 1 c ON c.id = a.id";
  expect(await rows(`SELECT count(*), count${three.replace("a.id", "(a.id)")}`, catalog)).toEqual([["250", "0"]]);
  expect(await rows("SELECT id, amount FROM sales WHERE country = 'F R' AND id BETWEEN 120 AND 121 ORDER BY id", catalog)).toEqual([
    ["120", "180"],
    ["121", "181.5"],
  ]);
  expect(await rows("SELECT count(*) FROM vectors WHERE id % 2 = 1 OR id >= 10000", catalog)).toEqual([["5097"]]);
  expect(await rows("SELECT v, count(*), min(id), max(id) FROM vectors GROUP BY v HAVING min(id) % 5 = 0 ORDER BY v", catalog)).toEqual([
    ["v0", "9", "10010", "10090"],
    ["v5", "1009", "5", "10095"],
  ]);
});

it("knows which rows are deleted under joins, row numbers and other columns", async () => {
  expect(await rows('SELECT count(*), sum(id), sum("$row_number") FROM vectors')).toEqual([["5097", "25974846", "25009943"]]);
  await duckdb.run(`CREATE TABLE vectors AS SELECT * FROM '${join(folder, "vectors/*.parquet")}'
    WHERE CASE WHEN id < 10000 THEN id % 2 = 1 ELSE id NOT IN (10000, 10005, 10099) END`);
  const joined = "SELECT count(*), count(DISTINCT a.id), sum(b.id) FROM vectors a JOIN vectors b ON a.id = b.id + 2 WHERE b.v <> 'v3'";
  expect(await rows(joined)).toEqual((await duckdb.runAndReadAll(joined)).getRowsJson().map((row) => row.map(String)));
  expect(await rows("SELECT count(*) FROM vectors")).toEqual([["5097"]]);
  expect(await rows("SELECT count(*) FROM vectors FOR VERSION AS OF 0")).toEqual([["10100"]]);
});

it("has columns by their mapping", async () => {
  expect(await rows("SELECT renamed, n, r.y, r.x2, cardinality(l) FROM mapped WHERE renamed IN (3, 12) ORDER BY 1")).toEqual([
    ["3", null, "y3", "3", "2"],
    ["12", "new", "y12", "12", null],
  ]);
  expect(await rows("DESCRIBE sales")).toEqual([
    ["id", "bigint", "", ""],
    ["amount", "double", "", "in euro"],
    ["country", "varchar", "", ""],
    ["day", "date", "", ""],
  ]);
});

it("reads no file that the log excludes", async () => {
  const asked: string[] = [];
  lakes.s3.onGet = (key) => asked.push(key);
  const data = (): readonly string[] => asked.splice(0).filter((key) => key.endsWith(".parquet") && !key.includes("_delta_log"));
  expect(await rows("SELECT sum(amount) FROM sales WHERE id > 270", "store")).toEqual([["12397.5"]]);
  expect(data().filter((key) => key !== "sales/c.parquet")).toEqual([]);
  expect(await rows("SELECT count(*) FROM sales WHERE country = 'DE'", "store")).toEqual([["0"]]);
  expect(data()).toEqual([]);
});

it("has the metadata tables of Trino", async () => {
  const columns = async (table: string): Promise<string> =>
    (await rows(`SHOW COLUMNS FROM "${table}"`)).map(([name, type]) => `${String(name)} ${String(type)}`).join(", ");
  expect(await columns("sales$history")).toBe(
    "version bigint, timestamp timestamp(3) with time zone, user_id varchar, user_name varchar, operation varchar, " +
      "operation_parameters map(varchar, varchar), cluster_id varchar, read_version bigint, isolation_level varchar, is_blind_append boolean, " +
      "operation_metrics map(varchar, varchar)",
  );
  expect(await columns("sales$partitions")).toBe(
    "partition row(Country varchar, day date), file_count bigint, total_size bigint, " +
      "data row(id row(min bigint, max bigint, null_count bigint), amount row(min double, max double, null_count bigint))",
  );
  for (const catalog of ["local", "store"]) {
    expect(
      await rows(
        `SELECT version, CAST(timestamp AS varchar), operation, operation_parameters['mode'], operation_metrics['numFiles'], is_blind_append
        FROM "sales$history"`,
        catalog,
      ),
    ).toEqual([
      ["2", "2024-02-02 00:00:00.000 UTC", "WRITE", "Append", "1", "true"],
      ["1", "2024-02-01 12:00:00.500 UTC", "WRITE", null, null, null],
      ["0", "2024-01-31 00:00:00.000 UTC", "WRITE", null, null, null],
    ]);
  }
  const partitions = [
    ["F R", "2024-02-01", "1", "100", "249", "0", null],
    [null, "2024-02-01", "1", "250", "299", "0", null],
  ];
  for (const table of ["sales", "checked"]) {
    expect(
      await rows(
        `SELECT partition.country, partition.day, file_count, data.id.min, data.id.max, data.id.null_count, data.amount.min
        FROM "${table}$partitions" WHERE total_size > 100 ORDER BY 4`,
      ),
    ).toEqual(partitions);
  }
  expect(await rows('SELECT * FROM "vectors$partitions"')).toEqual([]);
  expect(await rows('SELECT * FROM "mapped$properties"')).toEqual([
    ["delta.columnMapping.mode", "name"],
    ["delta.minReaderVersion", "3"],
    ["delta.minWriterVersion", "2"],
    ["delta.feature.columnMapping", "supported"],
    ["delta.feature.typeWidening", "supported"],
  ]);
  await expect(rows('SELECT * FROM "sales$snapshots"')).rejects.toThrow("Table 'local.default.sales$snapshots' does not exist");
});

it("says what it cannot read", async () => {
  const failure = (sql: string): Promise<string> => rows(sql).then(String, (error: unknown) => (error as Error).message);
  expect(await failure("SELECT * FROM strange")).toContain("the table needs feature 'variantType', which is not supported");
  expect(await failure("SELECT * FROM holes")).toContain("version 1 of the table is missing");
  const versions: readonly (readonly [period: string, message: string])[] = [
    ["nothing FOR VERSION AS OF 1", "Table 'local.default.nothing' does not exist"],
    ["sales FOR TIMESTAMP AS OF CURRENT_TIMESTAMP(12)", "is not in the past"],
    ["sales FOR VERSION AS OF 7", "Delta Lake snapshot ID does not exists: 7"],
    ["sales FOR VERSION BEFORE 0", "Delta Lake snapshot ID does not exists: 0"],
    ["checked FOR VERSION AS OF 0", "Delta Lake snapshot ID does not exists: 0"],
    ["sales FOR VERSION AS OF 'main'", "Unsupported type for table version: varchar(4)"],
    ["sales FOR TIMESTAMP AS OF TIMESTAMP '2024-01-30'", "No temporal version history at or before 2024-01-30 00:00:00"],
    ["sales FOR TIMESTAMP BEFORE DATE '2024-01-31'", "No temporal version history before 2024-01-31"],
    ["'sales/c.parquet' FOR VERSION AS OF 1", "Versioning is only supported for Iceberg and Delta Lake tables"],
    ['"loose" FOR VERSION AS OF 1', "Versioning is only supported for Iceberg and Delta Lake tables"],
  ];
  mkdirSync(join(folder, "loose"), { recursive: true });
  writeFileSync(join(folder, "loose", "a.csv"), "a,b\n1,2\n");
  for (const [period, message] of versions) {
    expect(await failure(`SELECT * FROM ${period}`)).toContain(message);
  }
  rmSync(join(folder, "loose"), { recursive: true });
  expect(await failure("SELECT * FROM 'sales/**/*.parquet'")).not.toContain("internal");
  expect((await rows("SHOW TABLES")).flat()).toEqual(["checked", "holes", "mapped", "sales", "strange", "vectors"]);
});

it("decodes deletion vectors as the specification writes them", () => {
  // The examples of the protocol's section on deletion vectors.
  expect(uuidOf(decodeBase85("^-aqEH.-t@S}K{vb[*k^"))).toBe("d2c639aa-8816-431a-aaf6-d3fe2512ff61");
  expect([...decodeVector(decodeBase85("wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"))]).toEqual([3, 4, 7, 11, 18, 29]);
  expect([...decodeVector(decodeBase85("^Bg9^0rr910000000000iXQKl0rr91000625c8Xg0rri41POJ5"))]).toHaveLength(3);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(fc.nat(300_000), fc.integer({ min: 70_000, max: 76_000 })), { minLength: 1, maxLength: 6000, size: "max" }),
      fc.array(fc.constantFrom("array", "bitmap", "run"), { minLength: 1, maxLength: 5 }),
      (positions, kinds) => {
        const sorted = positions.toSorted((x, y) => x - y);
        expect([...decodeVector(vectorOf(sorted, kinds))]).toEqual(sorted);
      },
    ),
    { numRuns: 20 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(80), (bytes, at) => {
      const damaged = Buffer.concat([vectorOf([1, 2, 3, 70_000], ["array", "run"]).subarray(0, at), bytes]);
      try {
        decodeVector(damaged);
      } catch (error) {
        expect((error as Error).name).toBe("BadData");
      }
    }),
    { numRuns: 300 },
  );
});
