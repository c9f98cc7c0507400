/**
 * Tables of Iceberg in a folder and in a bucket. No independent writer runs here: metadata are written by this file after the
 * specification, manifests by avsc, Parquet files with their field ids by DuckDB. Rows are compared with a model.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { crc32, deflateRawSync, gunzipSync, gzipSync } from "node:zlib";
import avro from "avsc";
import fc from "fast-check";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KernelRuntime } from "../../src/codegen/runtime.ts";
import { decompressBlock } from "../../src/connectors/files/lake/avro-codecs.ts";
import { ParquetKernels } from "../../src/connectors/files/parquet/kernels/kernels.ts";
import { createNodeMemory } from "../../src/memory/allocator.ts";
import { compressZstd } from "../../src/connectors/files/write/compress/zstd.ts";
import { readAvro } from "../../src/connectors/files/lake/avro.ts";
import { humanText } from "../../src/connectors/files/lake/metadata-tables/values.ts";
import { utcKey, zonedMoment } from "../../src/types/time/zones.ts";
import { BIGINT, DATE, decimalType, DOUBLE, INTEGER, REAL, type Type, VARBINARY, VARCHAR } from "../../src/types/type.ts";
import { type CatalogFault, RestCatalogServer } from "../support/stores/rest-catalog-server.ts";
import { withCluster } from "../../src/testing/index.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { LakeCluster } from "../support/stores/lake-cluster.ts";

type Json = Readonly<Record<string, unknown>>;

let folder: string;
let lakes: LakeCluster;
let rest: RestCatalogServer;
let asked = 0;
let instance: DuckDBInstance;
let duckdb: Awaited<ReturnType<DuckDBInstance["connect"]>>;

const long = (name: string, id: number, optional = false): Json => ({ name, type: optional ? ["null", "long"] : "long", "field-id": id });
const record = (name: string, fields: readonly Json[]): Json => ({ type: "record", name, fields });
const bounds = (name: string, id: number, value: "bytes" | "long" = "bytes"): Json => ({
  name,
  type: [
    "null",
    {
      type: "array",
      logicalType: "map",
      items: record(`k${id + 1}_v${id + 2}`, [
        { name: "key", type: "int", "field-id": id + 1 },
        { name: "value", type: value, "field-id": id + 2 },
      ]),
    },
  ],
  "field-id": id,
});

/** The schema of manifests; those of version 1 have neither contents nor sequence numbers. */
function manifestSchema(partition: readonly Json[], version: number): Json {
  const file = [
    ...(version === 1 ? [] : [{ name: "content", type: "int", "field-id": 134 }]),
    { name: "file_path", type: "string", "field-id": 100 },
    { name: "file_format", type: "string", "field-id": 101 },
    { name: "partition", type: record("r102", partition), "field-id": 102 },
    long("record_count", 103),
    long("file_size_in_bytes", 104),
    bounds("null_value_counts", 121, "long"),
    bounds("lower_bounds", 125),
    bounds("upper_bounds", 128),
    { name: "split_offsets", type: ["null", { type: "array", items: "long" }], default: null, "field-id": 132 },
    { name: "equality_ids", type: ["null", { type: "array", items: "int" }], default: null, "field-id": 135 },
  ];
  return record("manifest_entry", [
    { name: "status", type: "int", "field-id": 0 },
    long("snapshot_id", 1, true),
    ...(version === 1 ? [] : [long("sequence_number", 3, true)]),
    { name: "data_file", type: record("r2", file), "field-id": 2 },
  ]);
}

const summarySchema = record("r508", [
  { name: "contains_null", type: "boolean", "field-id": 509 },
  { name: "contains_nan", type: ["null", "boolean"], "field-id": 518 },
  { name: "lower_bound", type: ["null", "bytes"], "field-id": 510 },
  { name: "upper_bound", type: ["null", "bytes"], "field-id": 511 },
]);

const listSchema = (version: number): Json =>
  record("manifest_file", [
    { name: "manifest_path", type: "string", "field-id": 500 },
    long("manifest_length", 501),
    { name: "partition_spec_id", type: "int", "field-id": 502 },
    ...(version === 1 ? [] : [{ name: "content", type: "int", "field-id": 517 }, long("sequence_number", 515)]),
    long("added_snapshot_id", 503, true),
    ...["added", "existing", "deleted"].flatMap((what, index) => [
      { name: `${what}_${version === 1 ? "data_" : ""}files_count`, type: ["null", "int"], default: null, "field-id": 504 + index },
      long(`${what}_rows_count`, 512 + index, true),
    ]),
    { name: "partitions", type: ["null", { type: "array", items: summarySchema }], default: null, "field-id": 507 },
  ]);

const avroCodecs = ["null", "deflate", "snappy", "zstandard"] as const;
type Done = (error: null, compressed: Buffer) => void;
type AvroCodec = (typeof avroCodecs)[number];

const compressors = {
  null: (block: Buffer, done: Done): void => done(null, block),
  deflate: (block: Buffer, done: Done): void => done(null, deflateRawSync(block)),
  snappy: (block: Buffer, done: Done): void => {
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(block));
    done(null, Buffer.concat([snappyCompress(block), checksum]));
  },
  zstandard: (block: Buffer, done: Done): void => done(null, Buffer.from(compressZstd(block))),
};

/** Longs of avsc are numbers up to 2^53: ids of snapshots are left out of manifests. */
async function writeAvro(
  path: string,
  fileSchema: Json,
  { records, metadata = {}, codec }: { records: readonly Json[]; metadata?: Readonly<Record<string, string>>; codec: AvroCodec },
): Promise<void> {
  const entries = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)]));
  const encoder = new avro.streams.BlockEncoder(
    fileSchema as unknown as avro.Schema,
    { codec, codecs: compressors, metadata: entries } as object,
  );
  const parts: Buffer[] = [];
  encoder.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => encoder.on("end", resolve));
  for (const one of records) {
    encoder.write(one);
  }
  encoder.end();
  await ended;
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), Buffer.concat(parts));
}

interface DataFile {
  readonly content?: 0 | 1 | 2;
  readonly path: string;
  readonly query: string;
  readonly fieldIds: string;
  readonly partition?: Json;
  readonly equalityIds?: readonly number[];
  readonly nulls?: readonly (readonly [number, number])[];
  readonly lower?: readonly (readonly [number, Buffer])[];
  readonly upper?: readonly (readonly [number, Buffer])[];
}

interface TableOptions {
  readonly version?: 1 | 2;
  readonly location: string;
  readonly partition?: readonly Json[];
  readonly specs?: readonly Json[];
  /** Of every manifest. */
  readonly summaries?: readonly Json[];
}

/** A table whose commits each add a manifest. */
class Table {
  readonly name: string;
  readonly #options: TableOptions;
  readonly #snapshots: Json[] = [];
  readonly #manifests: Json[] = [];
  #files = 0;
  #metadata = 0;

  constructor(name: string, options: TableOptions) {
    this.name = name;
    this.#options = options;
  }

  at(path: string): string {
    return `${this.#options.location}/${path}`;
  }

  /** Digits of the id of the snapshot. */
  async commit(files: readonly DataFile[], schemas: readonly Json[]): Promise<string> {
    const { version = 2, partition = [], specs = [] } = this.#options;
    const sequence = this.#snapshots.length + 1;
    const id = `30515729128${String(sequence).padStart(8, "0")}`;
    const entries: Json[] = [];
    for (const { content = 0, path, query, fieldIds, ...file } of files) {
      mkdirSync(dirname(join(folder, this.name, path)), { recursive: true });
      await duckdb.run(
        `COPY (${query}) TO '${join(folder, this.name, path)}' (FORMAT PARQUET, FIELD_IDS ${fieldIds}, ROW_GROUP_SIZE 2048)`,
      );
      const [rows] = (await duckdb.runAndReadAll(`SELECT count(*) FROM (${query})`)).getRowsJson()[0] ?? [];
      const list = (values: readonly (readonly [number, Buffer | number])[] | undefined): readonly Json[] | null =>
        values === undefined ? null : values.map(([key, value]) => ({ key, value }));
      entries.push({
        status: 1,
        snapshot_id: null,
        ...(version === 2 && { sequence_number: null }),
        data_file: {
          ...(version === 2 && { content }),
          file_path: this.at(path),
          file_format: "PARQUET",
          partition: file.partition ?? {},
          record_count: Number(rows),
          file_size_in_bytes: statSync(join(folder, this.name, path)).size,
          null_value_counts: list(file.nulls),
          lower_bounds: list(file.lower),
          upper_bounds: list(file.upper),
          split_offsets: content === 0 ? [4] : null,
          equality_ids: file.equalityIds ?? null,
        },
      });
    }
    for (const group of [entries.filter((one) => contentOf(one) === 0), entries.filter((one) => contentOf(one) !== 0)]) {
      if (group.length > 0) {
        const codec = avroCodecs[this.#files % avroCodecs.length] ?? "null";
        const path = `metadata/m${this.#files++}.avro`;
        const metadata = { "partition-spec-id": "0" };
        await writeAvro(`${this.name}/${path}`, manifestSchema(partition, version), { records: group, metadata, codec });
        this.#manifests.push({
          manifest_path: this.at(path),
          manifest_length: statSync(join(folder, this.name, path)).size,
          partition_spec_id: 0,
          ...(version === 2 && { content: contentOf(group[0] as Json) === 0 ? 0 : 1, sequence_number: sequence }),
          added_snapshot_id: null,
          [`added_${version === 1 ? "data_" : ""}files_count`]: group.length,
          added_rows_count: group.reduce((sum, one) => sum + Number((one["data_file"] as Json)["record_count"]), 0),
          existing_rows_count: null,
          deleted_rows_count: null,
          partitions: this.#options.summaries ?? null,
        });
      }
    }
    const list = `metadata/snap-${id}.avro`;
    await writeAvro(`${this.name}/${list}`, listSchema(version), { records: this.#manifests, codec: "null" });
    const schemaId = schemas.length - 1;
    this.#snapshots.push({
      "snapshot-id": `#${id}#`,
      "manifest-list": this.at(list),
      "schema-id": schemaId,
      "sequence-number": sequence,
      "timestamp-ms": Date.parse("2024-01-31") + sequence * dayMillis,
      ...(sequence > 1 && { "parent-snapshot-id": this.#snapshots.at(-1)?.["snapshot-id"] }),
      summary: { operation: sequence === 1 ? "append" : "overwrite", "total-records": String(sequence) },
    });
    this.#write({
      "format-version": version,
      location: this.#options.location,
      schemas,
      "current-schema-id": schemaId,
      "partition-specs": [{ "spec-id": 0, fields: specs }],
      "default-spec-id": 0,
      "current-snapshot-id": `#${id}#`,
      snapshots: this.#snapshots,
      refs: { first: { "snapshot-id": this.#snapshots[0]?.["snapshot-id"], type: "tag", "max-ref-age-ms": 10_000 } },
      properties: { comment: "of the test" },
    });
    return id;
  }

  #write(metadata: Json): void {
    // Ids have 19 digits, which JSON.stringify cannot write.
    const text = JSON.stringify(metadata).replaceAll(/"#(\d+)#"/g, "$1");
    mkdirSync(join(folder, this.name, "metadata"), { recursive: true });
    const number = ++this.#metadata;
    const name = ["metadata.json", "gz.metadata.json", "metadata.json.gz"][number % 3] ?? "";
    writeFileSync(join(folder, this.name, `metadata/v${number}.${name}`), name.includes("gz") ? gzipSync(text) : text);
    writeFileSync(join(folder, this.name, "metadata/version-hint.text"), "1");
  }
}

function contentOf(entry: Json): unknown {
  return (entry["data_file"] as Json)["content"] ?? 0;
}

const field = (id: number, name: string, type: unknown): Json => ({ id, name, type, required: false });
const schema = (id: number, fields: readonly Json[]): Json => ({ type: "struct", "schema-id": id, fields });

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}

const snapshots: Record<string, string[]> = {};
const dayMillis = 86_400_000;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-iceberg-"));
  instance = await DuckDBInstance.create(":memory:");
  duckdb = await instance.connect();

  // A table whose columns are renamed, added, dropped and widened, and whose rows are deleted in both ways.
  const evolved = new Table("evolved", { location: "s3a://lake/evolved" });
  const first = schema(0, [
    field(1, "id", "int"),
    field(2, "name", "string"),
    field(3, "point", { type: "struct", fields: [field(5, "x", "double"), field(6, "y", "double")] }),
    field(4, "gone", "string"),
  ]);
  const second = schema(1, [
    field(1, "Id", "long"),
    field(3, "place", { type: "struct", fields: [field(8, "alt", "int"), field(6, "lat", "double"), field(5, "lon", "double")] }),
    field(2, "title", "string"),
    // Another column of a name that was dropped.
    field(7, "gone", "date"),
  ]);
  const rows =
    "SELECT CAST(i AS INTEGER) AS id, 'n' || i AS name, {'x': CAST(i + 0.5 AS DOUBLE), 'y': CAST(-i AS DOUBLE)} AS point, 'g' || i % 3 AS gone FROM range(0, 3000) AS t(i)";
  const ids = "{id: 1, name: 2, point: {__duckdb_field_id: 3, x: 5, y: 6}, gone: 4}";
  snapshots["evolved"] = [
    await evolved.commit([{ path: "data/a.parquet", query: rows, fieldIds: ids }], [first]),
    // By position, across row groups, in a file that names two.
    await evolved.commit(
      [
        {
          content: 1,
          path: "data/p.parquet",
          query: `SELECT '${evolved.at("data/a.parquet")}' AS file_path, i * 2 AS pos FROM range(0, 1200) AS t(i) UNION ALL SELECT '${evolved.at("data/b.parquet")}', 1`,
          fieldIds: "{file_path: 2147483546, pos: 2147483545}",
        },
      ],
      [first],
    ),
    // By value of a column that is then dropped, beside rows that are newer.
    await evolved.commit(
      [
        { content: 2, path: "data/e.parquet", query: "SELECT 'g1' AS gone", fieldIds: "{gone: 4}", equalityIds: [4] },
        {
          path: "data/c.parquet",
          query:
            "SELECT CAST(9000 AS INTEGER) AS id, 'c' AS name, {'x': CAST(1.5 AS DOUBLE), 'y': CAST(2.5 AS DOUBLE)} AS point, 'g1' AS gone",
          fieldIds: ids,
        },
      ],
      [first],
    ),
    await evolved.commit(
      [
        {
          path: "data/d.parquet",
          query:
            "SELECT 5000000000 AS Id, {'alt': 100, 'lat': CAST(1 AS DOUBLE), 'lon': CAST(2 AS DOUBLE)} AS place, NULL::VARCHAR AS title, DATE '2024-01-31' AS gone",
          fieldIds: "{Id: 1, place: {__duckdb_field_id: 3, alt: 8, lat: 6, lon: 5}, title: 2, gone: 7}",
        },
      ],
      [first, second],
    ),
  ];

  // Partitions whose columns the files do not have, and those that are only hinted at.
  const specs = [
    { "source-id": 1, "field-id": 1000, name: "country", transform: "identity" },
    { "source-id": 2, "field-id": 1001, name: "day_month", transform: "month" },
  ];
  const partition = [
    { name: "country", type: ["null", "string"], "field-id": 1000 },
    { name: "day_month", type: ["null", "int"], "field-id": 1001 },
  ];
  const summaries = [
    { contains_null: true, contains_nan: false, lower_bound: Buffer.from("DE"), upper_bound: Buffer.from("FR") },
    { contains_null: false, contains_nan: null, lower_bound: int32(648), upper_bound: int32(650) },
  ];
  const parts = new Table("parts", { location: "file:///old/parts", partition, specs, summaries });
  const part = (country: string | null, month: number, name: string): DataFile => ({
    path: `data/${name}.parquet`,
    query: `SELECT CAST(DATE '1970-01-01' + to_months(${month}) + to_days(CAST(i AS INTEGER)) AS DATE) AS day, i AS v FROM range(20) AS t(i)`,
    fieldIds: "{day: 2, v: 3}",
    partition: { country, day_month: month },
    nulls: [[3, 0]],
    lower: [
      [2, int32(Date.UTC(1970, month) / dayMillis)],
      [3, int64(0n)],
    ],
    upper: [[3, int64(19n)]],
  });
  snapshots["parts"] = [
    await parts.commit(
      [part("DE", 648, "de"), part("FR", 649, "fr"), part(null, 650, "none")],
      [schema(0, [field(1, "country", "string"), field(2, "day", "date"), field(3, "v", "long")])],
    ),
  ];

  const old = new Table("old", { location: "s3://b/old", version: 1 });
  snapshots["old"] = [
    await old.commit(
      [{ path: "data/a.parquet", query: "SELECT 1 AS id, TIMESTAMPTZ '2024-01-31 12:00:00+01' AS moment", fieldIds: "{id: 1, moment: 2}" }],
      [schema(0, [field(1, "id", "int"), field(2, "moment", "timestamptz")])],
    ),
  ];

  const metadata = (name: string) => (): string => {
    const files = readdirSync(join(folder, name, "metadata")).filter((one) => one.includes(".metadata.json"));
    const newest = files.find((one) => one.startsWith(`v${files.length}.`)) ?? "";
    const bytes = readFileSync(join(folder, name, "metadata", newest));
    return (newest.includes(".gz") ? gunzipSync(bytes) : bytes).toString();
  };
  const kinds: readonly CatalogFault[] = ["unavailable", "expired", "reset", "damaged"];
  rest = new RestCatalogServer({
    warehouse: "the warehouse/ü",
    prefix: "de v",
    clientId: "reader",
    clientSecret: "hush:hush",
    namespaces: [["sales"], ["sales", "eu"], ["sales", "eu", "old"], ["empty"], ["Upper"]],
    tables: [
      ...["evolved", "parts", "Camel"].map((name) => ({ namespace: ["sales"], name, metadata: metadata(name) })),
      { namespace: ["sales", "eu"], name: "evolved", metadata: metadata("evolved") },
    ],
    keys: { accessKey: "A", secretKey: "B" },
    pageNames: 1,
    // Every third request fails, in turn in each way, and is asked again.
    fault: () => (++asked % 3 === 0 ? kinds[(asked / 3) % kinds.length] : undefined),
  });
  const uri = await rest.listen();
  lakes = await LakeCluster.open(folder, (endpoint) => {
    const catalog = {
      "connector.name": "iceberg",
      "iceberg.catalog.type": "rest",
      "iceberg.rest-catalog.uri": uri,
      "iceberg.rest-catalog.warehouse": "the warehouse/ü",
      "iceberg.rest-catalog.security": "OAUTH2",
      "iceberg.rest-catalog.oauth2.credential": "reader:hush:hush",
      "iceberg.rest-catalog.oauth2.scope": "PRINCIPAL_ROLE:ALL",
      "s3.endpoint": endpoint,
      "s3.path-style-access": "true",
    };
    const own = { "s3.aws-access-key": "A", "s3.aws-secret-key": "B" };
    return {
      rest: { ...catalog, ...own },
      vended: {
        ...catalog,
        "iceberg.rest-catalog.vended-credentials-enabled": "true",
        "iceberg.rest-catalog.nested-namespace-enabled": "true",
      },
      stranger: { ...catalog, ...own, "iceberg.rest-catalog.oauth2.credential": "reader:hush" },
    };
  });
});

afterAll(async () => {
  await lakes.close();
  await rest.close();
  duckdb.closeSync();
  instance.closeSync();
  rmSync(folder, { recursive: true });
});

const rows = (sql: string, catalog?: string): ReturnType<LakeCluster["rows"]> => lakes.rows(sql, catalog);

it.each(["local", "store"])("reads snapshots of %s: columns by their ids, without deleted rows", async (catalog) => {
  const [first, positions, values] = snapshots["evolved"] as [string, string, string];
  expect(
    await rows(`SELECT count(*), sum(id), max(name), sum(point.x), min(gone) FROM evolved FOR VERSION AS OF ${first}`, catalog),
  ).toEqual([["3000", "4498500", "n999", "4500000.0", "g0"].map((text) => text.replace(".0", ""))]);
  // Even ids below 2400 are gone, then those of every third row, but for the row that came with the delete.
  expect(await rows(`SELECT count(*), sum(id) FROM evolved FOR VERSION AS OF ${positions}`, catalog)).toEqual([
    ["1800", String(4_498_500 - 1_438_800)],
  ]);
  const left = Array.from({ length: 3000 }, (_, id) => id).filter((id) => !(id % 2 === 0 && id < 2400) && id % 3 !== 1);
  const sum = left.reduce((total, id) => total + id, 0);
  expect(await rows(`SELECT count(*), sum(id) FROM evolved FOR VERSION AS OF ${values}`, catalog)).toEqual([
    [String(left.length + 1), String(sum + 9000)],
  ]);
  const same: readonly (readonly [period: string, snapshot: string])[] = [
    ["VERSION AS OF 'first'", first],
    ["TIMESTAMP AS OF TIMESTAMP '2024-02-01 00:00:00 UTC'", first],
    ["TIMESTAMP BEFORE DATE '2024-02-03'", positions],
    [`SYSTEM_VERSION BEFORE ${values}`, positions],
  ];
  for (const [period, snapshot] of same) {
    const of = (asked: string): ReturnType<typeof rows> => rows(`SELECT count(*), sum(id) FROM evolved FOR ${asked}`, catalog);
    expect(await of(period)).toEqual(await of(`VERSION AS OF ${snapshot}`));
  }
  expect(await rows("SELECT count(*), sum(id) FROM evolved", catalog)).toEqual([
    [String(left.length + 2), String(sum + 9000 + 5_000_000_000)],
  ]);
  expect(
    await rows(
      "SELECT id, title, place.alt, place.lat, place.lon, gone FROM evolved WHERE id IN (3, 9000, 5000000000) ORDER BY id",
      catalog,
    ),
  ).toEqual([
    ["3", "n3", null, "-3", "3.5", null],
    ["9000", "c", null, "2.5", "1.5", null],
    ["5000000000", null, "100", "1", "2", "2024-01-31"],
  ]);
  expect(await rows("SELECT id, CAST(moment AS varchar) FROM old", catalog)).toEqual([["1", "2024-01-31 11:00:00.000000 UTC"]]);
});

it("has hidden partitions, and reads no file that they exclude", async () => {
  expect(await rows("SELECT country, count(*), min(day) FROM parts GROUP BY country ORDER BY country NULLS LAST")).toEqual([
    ["DE", "20", "2024-01-01"],
    ["FR", "20", "2024-02-01"],
    [null, "20", "2024-03-01"],
  ]);
  const asked = new Set<string>();
  lakes.s3.onGet = (key) => (key.includes("/data/") ? asked.add(key) : undefined);
  expect(await rows("SELECT sum(v) FROM parts WHERE country = 'FR'", "store")).toEqual([["190"]]);
  expect(await rows("SELECT sum(v) FROM parts WHERE day BETWEEN DATE '2024-02-03' AND DATE '2024-02-04'", "store")).toEqual([["5"]]);
  expect(await rows("SELECT count(*) FROM parts WHERE v > 20", "store")).toEqual([["0"]]);
  expect([...asked]).toEqual(["parts/data/fr.parquet"]);
});

it("has the metadata tables of Trino", async () => {
  const columns = async (table: string): Promise<string> =>
    (await rows(`SHOW COLUMNS FROM "${table}"`)).map(([name, type]) => `${String(name)} ${String(type)}`).join(", ");
  // Columns and types of Trino's documentation and of its TestIcebergSystemTables.
  expect(await columns("evolved$snapshots")).toBe(
    "committed_at timestamp(3) with time zone, snapshot_id bigint, parent_id bigint, operation varchar, manifest_list varchar, " +
      "summary map(varchar, varchar)",
  );
  expect(await columns("evolved$history")).toBe(
    "made_current_at timestamp(3) with time zone, snapshot_id bigint, parent_id bigint, is_current_ancestor boolean",
  );
  expect(await columns("evolved$refs")).toBe(
    "name varchar, type varchar, snapshot_id bigint, max_reference_age_in_ms bigint, min_snapshots_to_keep integer, " +
      "max_snapshot_age_in_ms bigint",
  );
  expect(await columns("evolved$properties")).toBe("key varchar, value varchar");
  expect(await columns("parts$partitions")).toBe(
    "partition row(country varchar, day_month integer), record_count bigint, file_count bigint, total_size bigint, " +
      "data row(day row(min date, max date, null_count bigint, nan_count bigint), v row(min bigint, max bigint, null_count bigint, nan_count bigint))",
  );
  expect(await columns("evolved$manifests")).toBe(
    "path varchar, length bigint, partition_spec_id integer, added_snapshot_id bigint, added_data_files_count integer, " +
      "added_rows_count bigint, existing_data_files_count integer, existing_rows_count bigint, deleted_data_files_count integer, " +
      "deleted_rows_count bigint, " +
      "partition_summaries array(row(contains_null boolean, contains_nan boolean, lower_bound varchar, upper_bound varchar))",
  );
  expect(await columns("old$files")).toBe(
    "content integer, file_path varchar, file_format varchar, spec_id integer, record_count bigint, file_size_in_bytes bigint, " +
      "column_sizes map(integer, bigint), value_counts map(integer, bigint), null_value_counts map(integer, bigint), " +
      "nan_value_counts map(integer, bigint), lower_bounds map(integer, varchar), upper_bounds map(integer, varchar), " +
      "key_metadata varbinary, split_offsets array(bigint), equality_ids array(integer), sort_order_id integer, readable_metrics json",
  );
  const ids = snapshots["evolved"] as readonly string[];
  for (const catalog of ["local", "store"]) {
    expect(
      await rows(
        `SELECT CAST(committed_at AS varchar), snapshot_id, parent_id, operation, summary['total-records'], manifest_list
        FROM "evolved$snapshots" ORDER BY committed_at LIMIT 2`,
        catalog,
      ),
    ).toEqual([
      ["2024-02-01 00:00:00.000 UTC", ids[0], null, "append", "1", `s3a://lake/evolved/metadata/snap-${ids[0] ?? ""}.avro`],
      ["2024-02-02 00:00:00.000 UTC", ids[1], ids[0], "overwrite", "2", `s3a://lake/evolved/metadata/snap-${ids[1] ?? ""}.avro`],
    ]);
  }
  expect(await rows('SELECT snapshot_id, parent_id, is_current_ancestor FROM "evolved$history" ORDER BY made_current_at')).toEqual(
    ids.map((id, index) => [id, ids[index - 1] ?? null, "true"]),
  );
  expect(await rows('SELECT * FROM "evolved$refs" ORDER BY name')).toEqual([
    ["first", "TAG", ids[0], "10000", null, null],
    ["main", "BRANCH", ids[3], null, null, null],
  ]);
  expect(await rows('SELECT * FROM "evolved$properties"')).toEqual([["comment", "of the test"]]);
  expect(
    await rows(`SELECT content, substr(file_path, -9), record_count, split_offsets[1], equality_ids[1] FROM "evolved$files" ORDER BY 2`),
  ).toEqual([
    ["0", "a.parquet", "3000", "4", null],
    ["0", "c.parquet", "1", "4", null],
    ["0", "d.parquet", "1", "4", null],
    ["2", "e.parquet", "1", null, "4"],
    ["1", "p.parquet", "1201", null, null],
  ]);
  expect(
    await rows(
      `SELECT partition.country, partition.day_month, record_count, file_count, data.v.min, data.v.max, data.v.null_count,
      data.day.min, data.day.max FROM "parts$partitions" ORDER BY 2`,
    ),
  ).toEqual([
    ["DE", "648", "20", "1", "0", "19", "0", "2024-01-01", null],
    ["FR", "649", "20", "1", "0", "19", "0", "2024-02-01", null],
    [null, "650", "20", "1", "0", "19", "0", "2024-03-01", null],
  ]);
  expect(
    await rows(
      `SELECT partition.country, lower_bounds[3], lower_bounds[2], null_value_counts[3], json_format(readable_metrics)
      FROM "parts$files" WHERE partition.day_month = 648`,
    ),
  ).toEqual([
    [
      "DE",
      "0",
      "2024-01-01",
      "0",
      JSON.stringify({
        country: noMetrics,
        day: { ...noMetrics, lower_bound: "2024-01-01" },
        v: { ...noMetrics, null_value_count: 0, lower_bound: 0, upper_bound: 19 },
      }),
    ],
  ]);
  expect(
    await rows(
      `SELECT added_data_files_count, added_rows_count, existing_rows_count, s.* FROM "parts$manifests" CROSS JOIN UNNEST(partition_summaries) AS s`,
    ),
  ).toEqual([
    ["3", "60", null, "true", "false", "DE", "FR"],
    ["3", "60", null, "false", null, "2024-01", "2024-03"],
  ]);
  expect(await rows('SELECT count(*), count(added_data_files_count) FROM "old$manifests"')).toEqual([["1", "1"]]);
  expect((await rows("SHOW TABLES")).flat()).toEqual(["evolved", "old", "parts"]);
  const failure = (sql: string): Promise<string> => rows(sql).then(String, (error: unknown) => (error as Error).message);
  expect(await failure('SELECT * FROM "evolved$histories"')).toContain("Table 'local.default.evolved$histories' does not exist");
  expect(await failure('SELECT * FROM "none$history"')).toContain("Table 'local.default.none$history' does not exist");
  expect(await failure('SELECT * FROM "evolved$history" FOR VERSION AS OF 1')).toContain("Versions of metadata tables are not supported");
});

it("reads the tables of a REST catalog", async () => {
  const sql = "SELECT count(*), sum(id), max(title), min(place.lat) FROM evolved";
  const expected = await rows(sql);
  expect(await lakes.rows(sql, "rest", "sales")).toEqual(expected);
  const first = snapshots["evolved"]?.[0] ?? "";
  expect(await lakes.rows(`SELECT count(*) FROM evolved FOR VERSION AS OF ${first}`, "rest", "sales")).toEqual([["3000"]]);
  expect(await lakes.rows(`SELECT snapshot_id FROM "evolved$history"`, "rest", "sales")).toEqual(
    await rows('SELECT snapshot_id FROM "evolved$history"'),
  );
  // The keys of the bucket come with the table, and are valid for a moment only.
  expect(await lakes.rows(sql, "vended", "sales")).toEqual(expected);
  expect(await lakes.rows(sql, "vended", "sales.eu")).toEqual(expected);
  expect((await lakes.rows("SHOW SCHEMAS", "rest")).flat()).toEqual(["empty", "information_schema", "sales"]);
  expect((await lakes.rows("SHOW SCHEMAS", "vended")).flat()).toEqual(["empty", "information_schema", "sales", "sales.eu", "sales.eu.old"]);
  expect((await lakes.rows("SHOW TABLES", "rest", "sales")).flat()).toEqual(["evolved", "parts"]);
  expect((await lakes.rows("SHOW TABLES", "vended", "sales.eu")).flat()).toEqual(["evolved"]);
  expect(await lakes.rows("SHOW TABLES", "rest", "empty")).toEqual([]);
  expect(await lakes.rows("SELECT table_schema, column_name FROM information_schema.columns WHERE table_name = 'evolved'", "rest")).toEqual(
    ["id", "place", "title", "gone"].map((name) => ["sales", name]),
  );
  const failure = (query: string, catalog: string, name = "sales"): Promise<string> =>
    lakes.rows(query, catalog, name).then(String, (error: unknown) => (error as Error).message);
  expect(await failure("SELECT * FROM none", "rest")).toContain("Table 'rest.sales.none' does not exist");
  expect(await failure("SELECT * FROM none", "rest", "none")).toContain("Schema 'none' does not exist");
  expect(await failure(sql, "rest", "sales.eu")).toContain("Schema 'sales.eu' does not exist");
  expect(await failure("SELECT * FROM parts", "rest")).toContain(
    "Tables outside of S3, Google Cloud Storage and Azure are not supported: file:///old/parts",
  );
  const refused = await failure(sql, "stranger");
  expect(refused).toContain("Iceberg REST catalog: the server answered with status 401 (invalid_client)");
  expect(refused).not.toMatch(/hush|token-/);
  expect(rest.refused).toEqual([]);
  expect(asked).toBeGreaterThan(60);
});

it("refuses properties of a REST catalog that do not fit", async () => {
  const create = async (properties: Readonly<Record<string, string>>): Promise<string> => {
    const all = { "iceberg.catalog.type": "rest", "iceberg.rest-catalog.uri": "http://127.0.0.1:1/c", ...properties };
    const given = { "connector.name": "iceberg", ...all };
    return withCluster({ http: false, workers: 1, catalogs: { broken: given } }).then(
      (cluster) => cluster.close().then(() => "made"),
      (error: unknown) => (error as Error).message,
    );
  };
  const prefix = "iceberg.rest-catalog.";
  const wrong: readonly (readonly [properties: Readonly<Record<string, string>>, message: string])[] = [
    [{ "iceberg.catalog.type": "glue" }, "Invalid value 'glue' for property 'iceberg.catalog.type'"],
    [{ [`${prefix}uri`]: "http://me:hush@host/" }, `Invalid value 'http://host/' for property '${prefix}uri'`],
    [{ [`${prefix}security`]: "OAUTH2" }, `Security OAUTH2 needs one of '${prefix}oauth2.token' and '${prefix}oauth2.credential'`],
    [{ [`${prefix}oauth2.token`]: "hush" }, `Property '${prefix}oauth2.token' needs '${prefix}security=OAUTH2'`],
    [{ [`${prefix}security`]: "OAUTH2", [`${prefix}oauth2.token`]: "hush hush" }, `Invalid value for property '${prefix}oauth2.token'`],
    [{ "s3.region": "no region" }, "Invalid value 'no region' for property 's3.region'"],
  ];
  for (const [properties, message] of wrong) {
    const answer = await create(properties);
    expect(answer).toContain(message);
    expect(answer).not.toContain("hush");
  }
});

const noMetrics = {
  column_size: null,
  value_count: null,
  null_value_count: null,
  nan_value_count: null,
  lower_bound: null,
  upper_bound: null,
};

/** Texts of Iceberg's own tests (api/src/test/java/org/apache/iceberg/transforms). */
it("prints values as Iceberg's library does", () => {
  const timestamp: Type = { kind: "timestamp", precision: 6 };
  const micros = BigInt(Date.parse("2017-12-01T10:12:55.038Z")) * 1000n + 194n;
  const texts: readonly (readonly [Type, string, Parameters<typeof humanText>[2], string])[] = [
    [DATE, "identity", 17_501, "2017-12-01"],
    [DATE, "day", 17_501, "2017-12-01"],
    [INTEGER, "year", 47, "2017"],
    [INTEGER, "month", 575, "2017-12"],
    [INTEGER, "month", -1, "1969-12"],
    [INTEGER, "hour", 420_034, "2017-12-01-10"],
    [INTEGER, "hour", -1, "1969-12-31-23"],
    [timestamp, "identity", micros, "2017-12-01T10:12:55.038194"],
    [timestamp, "identity", 0n, "1970-01-01T00:00"],
    [{ kind: "timestamp with time zone", precision: 6 }, "identity", zonedMoment(micros, utcKey), "2017-12-01T10:12:55.038194Z"],
    [{ kind: "time", precision: 6 }, "identity", 36_775_038_194_000_000n, "10:12:55.038194"],
    [decimalType(9, 2), "identity", -150n, "-1.50"],
    [VARBINARY, "identity", new Uint8Array([1, 2, 3, 4]), "AQIDBA=="],
    [DOUBLE, "identity", 1.3, "1.3"],
    [DOUBLE, "identity", 1e10, "1.0E10"],
    [REAL, "identity", Math.fround(0.1), "0.1"],
    [BIGINT, "truncate[10]", -1_234_567_890_000n, "-1234567890000"],
    [VARCHAR, "identity", null, "null"],
  ];
  expect(texts.map(([type, transform, value]) => humanText(type, transform, value))).toEqual(texts.map(([, , , text]) => text));
});

it("says what it cannot read", async () => {
  const failure = (sql: string): Promise<string> => rows(sql).then(String, (error: unknown) => (error as Error).message);
  const versions: readonly (readonly [period: string, message: string])[] = [
    ["VERSION AS OF 12", "Iceberg snapshot ID does not exists: 12"],
    ["VERSION AS OF 'second'", "Cannot find snapshot with reference name: second"],
    ["VERSION AS OF DOUBLE '1'", "Unsupported type for table version: double"],
    ["TIMESTAMP AS OF DATE '2024-01-31'", 'No version history table "default"."evolved" at or before 2024-01-31'],
    ["VERSION BEFORE " + (snapshots["evolved"]?.[0] ?? ""), 'No version history table "default"."evolved" before snapshot'],
  ];
  for (const [period, message] of versions) {
    expect(await failure(`SELECT * FROM evolved FOR ${period}`)).toContain(message);
  }
  mkdirSync(join(folder, "twice/metadata"), { recursive: true });
  writeFileSync(join(folder, "twice/metadata/00001-a.metadata.json"), "{}");
  writeFileSync(join(folder, "twice/metadata/00001-b.metadata.json"), "{}");
  expect(await failure("SELECT * FROM twice")).toContain("which metadata file is the current one is known to its catalog alone");
  rmSync(join(folder, "twice/metadata/00001-b.metadata.json"));
  expect(await failure("SELECT * FROM twice")).toContain("version 0 of the format is not supported");
  expect(await failure("SELECT * FROM 'evolved/metadata'")).toContain("Folder evolved is a table of Iceberg, which must be named itself");
});

/** Steps of a history: rows that are added, deleted by position, and by value. */
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("append" as const), values: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }) }),
    fc.record({ kind: fc.constant("positions" as const), picks: fc.array(fc.nat(200), { minLength: 1, maxLength: 4 }) }),
    fc.record({
      kind: fc.constant("values" as const),
      values: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 }),
    }),
  ),
  { minLength: 4, maxLength: 7 },
);

it("has the rows of a model after every step of a history", async () => {
  let tables = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const table = new Table(`t${tables++}`, { location: `s3://b/t${tables}` });
      const schemas = [schema(0, [field(1, "k", "long"), field(2, "n", "long")])];
      let live: { readonly path: string; readonly position: number; readonly k: number; readonly n: number }[] = [];
      let serial = 0;
      for (const [index, step] of [{ kind: "append" as const, values: [1, 2, 3] }, ...history].entries()) {
        const path = `data/f${index}.parquet`;
        const file = ((): DataFile => {
          if (step.kind === "append") {
            const added = step.values.map((k, position) => ({ path, position, k, n: serial++ }));
            live.push(...added);
            const list = added.map(({ k, n }) => `(${k}::BIGINT, ${n}::BIGINT)`).join(", ");
            return { path, query: `SELECT * FROM (VALUES ${list}) AS t(k, n)`, fieldIds: "{k: 1, n: 2}" };
          }
          if (step.kind === "positions") {
            const dead = new Set(step.picks.map((pick) => live[pick % Math.max(1, live.length)]));
            live = live.filter((row) => !dead.has(row));
            const list = [...dead].flatMap((row) => (row === undefined ? [] : [`('${table.at(row.path)}', ${row.position}::BIGINT)`]));
            const query = `SELECT * FROM (VALUES ${["('none', 0::BIGINT)", ...list].join(", ")}) AS t(file_path, pos) ORDER BY ALL`;
            return { content: 1, path, query, fieldIds: "{file_path: 2147483546, pos: 2147483545}" };
          }
          live = live.filter(({ k }) => !step.values.includes(k));
          const list = step.values.map((k) => `(${k}::BIGINT)`).join(", ");
          return { content: 2, path, query: `SELECT * FROM (VALUES ${list}) AS t(k)`, fieldIds: "{k: 1}", equalityIds: [1] };
        })();
        const id = await table.commit([file], schemas);
        const wanted = live.map(({ n }) => String(n)).toSorted((a, b) => Number(a) - Number(b));
        expect((await rows(`SELECT n FROM ${table.name} FOR VERSION AS OF ${id} ORDER BY n`)).flat()).toEqual(wanted);
      }
    }),
    { numRuns: 2 },
  );
});

it("refuses damaged Avro files", async () => {
  const files = readdirSync(join(folder, "evolved/metadata")).filter((name) => name.startsWith("m"));
  const wholes = files.map((name) => readFileSync(join(folder, "evolved/metadata", name)));
  expect(
    new Set(
      wholes.map((whole) => avroCodecs.find((codec) => whole.includes(`avro.codec${String.fromCodePoint(codec.length * 2)}${codec}`))),
    ).size,
  ).toBe(4);
  const memory = createNodeMemory({ sizeBytes: 67_108_864 }).root;
  const reader = {
    memory,
    kernels: new ParquetKernels(new KernelRuntime({ linear: memory.linear, backend: "wasm" })),
  };
  const clock = new ManualClock();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...wholes),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.nat(255),
      fc.boolean(),
      async (whole, place, byte, cuts) => {
        const at = Math.floor(place * whole.length);
        const damaged = cuts ? whole.subarray(0, at) : Buffer.from(whole);
        if (!cuts) {
          damaged[at] = byte;
        }
        try {
          await readAvro(damaged, (codec, block) => decompressBlock(codec, block, reader), clock);
        } catch (error) {
          expect((error as Error).name).toBe("BadData");
        }
      },
    ),
    { numRuns: 400 },
  );
});
