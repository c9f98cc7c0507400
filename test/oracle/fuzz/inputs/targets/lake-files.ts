/** Small tables of Delta Lake and Iceberg: data that DuckDB wrote, and metadata as the specifications have them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import avro from "avsc";
import type { Random } from "../../random.ts";
import type { editJson } from "./json-edits.ts";

type Json = Readonly<Record<string, unknown>>;

export interface LakeFiles {
  /** By path; the table is the folder `t`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Paths of the files that are altered. */
  readonly metadata: readonly string[];
  /** The file with an edit that keeps its structure; undefined if that is not possible. */
  readonly alter: (random: Random, path: string, bytes: Uint8Array, edit: typeof editJson) => Uint8Array | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes queries to Parquet. */
async function withDuckdb<T>(work: (parquet: (query: string, options?: string) => Promise<Uint8Array>) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "fuzzed-lakes-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const duckdb = await instance.connect();
  try {
    return await work(async (query, options = "") => {
      const path = join(directory, "x.parquet");
      await duckdb.run(`COPY (${query}) TO '${path}' (FORMAT parquet${options})`);
      return new Uint8Array(readFileSync(path));
    });
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    rmSync(directory, { recursive: true });
  }
}

/** Lines of a log, or one document. */
function alterLines(random: Random, bytes: Uint8Array, edit: typeof editJson): Uint8Array | undefined {
  const lines = decoder
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "");
  if (lines.length === 0) {
    return undefined;
  }
  const at = random.below(lines.length);
  try {
    const document = JSON.parse(lines[at] as string) as Record<string, Record<string, unknown>>;
    const schema = document["metaData"]?.["schemaString"];
    if (typeof schema === "string" && random.chance(60)) {
      (document["metaData"] as Record<string, unknown>)["schemaString"] = JSON.stringify(edit(random, JSON.parse(schema)));
      lines[at] = JSON.stringify(document);
    } else {
      lines[at] = JSON.stringify(edit(random, document));
    }
  } catch {
    return undefined;
  }
  return encoder.encode(`${lines.join("\n")}\n`);
}

export function deltaFiles(): Promise<LakeFiles> {
  return withDuckdb(async (parquet) => {
    const files = new Map<string, Uint8Array>();
    const add = async (path: string, query: string, more: Json = {}): Promise<Json> => {
      const bytes = await parquet(query);
      files.set(`t/${path}`, bytes);
      return { add: { path, partitionValues: { country: "DE" }, size: bytes.length, modificationTime: 1, dataChange: true, ...more } };
    };
    const field = (name: string, type: unknown): Json => ({ name, type, nullable: true, metadata: {} });
    const schemaString = JSON.stringify({
      type: "struct",
      fields: [
        field("id", "long"),
        field("price", "decimal(9,2)"),
        field("country", "string"),
        field("tags", { type: "array", elementType: "string", containsNull: true }),
        field("m", { type: "map", keyType: "string", valueType: "integer", valueContainsNull: true }),
      ],
    });
    const query = (from: number): string =>
      `SELECT i AS id, (i * 1.25)::decimal(9,2) AS price, ['a' || i] AS tags, MAP {'k': i::int} AS m FROM range(${from}, ${from + 50}) t(i)`;
    const stats = JSON.stringify({ numRecords: 50, minValues: { id: 0 }, maxValues: { id: 49 }, nullCount: { id: 0 } });
    const log = (version: number, actions: readonly Json[]): void => {
      const name = `${String(version).padStart(20, "0")}.json`;
      files.set(`t/_delta_log/${name}`, encoder.encode(actions.map((one) => `${JSON.stringify(one)}\n`).join("")));
    };
    const first = await add("a.parquet", query(0), { stats });
    const protocol = { protocol: { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ["deletionVectors"], writerFeatures: [] } };
    const metaData = {
      metaData: { id: "t", format: { provider: "parquet", options: {} }, schemaString, partitionColumns: ["country"], configuration: {} },
    };
    log(0, [{ commitInfo: { timestamp: 1_700_000_000_000, operation: "WRITE" } }, protocol, metaData, first]);
    log(1, [await add("country=FR/b.parquet", query(50), { partitionValues: { country: "FR" } })]);
    const checkpoint = await parquet(
      `SELECT NULL::STRUCT(path VARCHAR, size BIGINT, "partitionValues" MAP(VARCHAR, VARCHAR), "modificationTime" BIGINT) AS add,
         {'minReaderVersion': 1, 'minWriterVersion': 2} AS protocol, NULL::STRUCT("schemaString" VARCHAR, "partitionColumns" VARCHAR[]) AS "metaData"
       UNION ALL SELECT NULL, NULL, {'schemaString': '${schemaString}', 'partitionColumns': ['country']}
       UNION ALL SELECT {'path': 'a.parquet', 'size': ${(files.get("t/a.parquet") as Uint8Array).length}, 'partitionValues': MAP {'country': 'DE'}, 'modificationTime': 1}, NULL, NULL`,
    );
    files.set("t/_delta_log/00000000000000000002.checkpoint.parquet", checkpoint);
    log(2, [{ remove: { path: "country=FR/b.parquet", dataChange: true, deletionTimestamp: 2 } }]);
    const vector = {
      storageType: "i",
      pathOrInlineDv: "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
      sizeInBytes: 40,
      cardinality: 6,
    };
    log(3, [
      await add("c.parquet", query(100), { deletionVector: vector, stats }),
      { commitInfo: { timestamp: 1_700_000_100_000, operation: "DELETE", operationParameters: { predicate: "[]" } } },
    ]);
    return {
      files,
      metadata: [...files.keys()].filter((path) => path.includes("_delta_log")),
      alter: (random, path, bytes, edit) => (path.endsWith(".json") ? alterLines(random, bytes, edit) : undefined),
    };
  });
}

const sync = Uint8Array.from({ length: 16 }, (_, index) => index * 7);
const headerType = avro.Type.forSchema({ type: "map", values: "bytes" });
const longType = avro.Type.forSchema("long");

interface AvroContent {
  readonly schema: Json;
  readonly records: readonly Json[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** A file of one block. Throws if a record does not fit the schema. */
function avroFile({ schema, records, metadata }: AvroContent, shown: unknown = schema, codec = "null"): Uint8Array {
  const type = avro.Type.forSchema(schema as unknown as avro.Schema);
  const entries = Object.entries({ "avro.schema": JSON.stringify(shown), "avro.codec": codec, ...metadata });
  const header = headerType.toBuffer(Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value)])));
  const block = Buffer.concat(records.map((record) => type.toBuffer(record)));
  const sizes = [longType.toBuffer(records.length), longType.toBuffer(block.length)];
  return new Uint8Array(Buffer.concat([Buffer.from("Obj\u0001"), header, sync, ...sizes, block, sync]));
}

/** Bytes as avsc takes them: a copy of a buffer is none. */
function withBuffers(value: unknown): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value)
    : Array.isArray(value)
      ? value.map(withBuffers)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBuffers(one)]))
        : value;
}

const optional = (type: unknown): readonly unknown[] => ["null", type];
const record = (name: string, fields: readonly Json[]): Json => ({ type: "record", name, fields });
const member = (name: string, id: number, type: unknown): Json => ({ name, type, "field-id": id });
const values = (name: string, id: number, value: unknown): Json =>
  member(
    name,
    id,
    optional({
      type: "array",
      logicalType: "map",
      items: record(`k${id + 1}`, [member("key", id + 1, "int"), member("value", id + 2, value)]),
    }),
  );

const manifestSchema = record("manifest_entry", [
  member("status", 0, "int"),
  member("snapshot_id", 1, optional("long")),
  member("sequence_number", 3, optional("long")),
  member(
    "data_file",
    2,
    record("r2", [
      member("content", 134, "int"),
      member("file_path", 100, "string"),
      member("file_format", 101, "string"),
      member("partition", 102, record("r102", [member("country", 1000, optional("string"))])),
      member("record_count", 103, "long"),
      member("file_size_in_bytes", 104, "long"),
      values("null_value_counts", 121, "long"),
      values("lower_bounds", 125, "bytes"),
      values("upper_bounds", 128, "bytes"),
      member("split_offsets", 132, optional({ type: "array", items: "long" })),
      member("equality_ids", 135, optional({ type: "array", items: "int" })),
    ]),
  ),
]);

const listSchema = record("manifest_file", [
  member("manifest_path", 500, "string"),
  member("manifest_length", 501, "long"),
  member("partition_spec_id", 502, "int"),
  member("content", 517, "int"),
  member("sequence_number", 515, "long"),
  member("added_snapshot_id", 503, optional("long")),
  ...["added", "existing", "deleted"].flatMap((what, index) => [
    member(`${what}_files_count`, 504 + index, optional("int")),
    member(`${what}_rows_count`, 512 + index, optional("long")),
  ]),
  member(
    "partitions",
    507,
    optional({
      type: "array",
      items: record("r508", [
        member("contains_null", 509, "boolean"),
        member("contains_nan", 518, optional("boolean")),
        member("lower_bound", 510, optional("bytes")),
        member("upper_bound", 511, optional("bytes")),
      ]),
    }),
  ),
]);

/** `location`: of the folder `t`, in the metadata. */
export function icebergFiles(location = "s3://lake/t"): Promise<LakeFiles> {
  return withDuckdb(async (parquet) => {
    const files = new Map<string, Uint8Array>();
    const contents = new Map<string, AvroContent>();
    const field = (id: number, name: string, type: unknown): Json => ({ id, name, type, required: false });
    const schema = {
      type: "struct",
      "schema-id": 0,
      fields: [
        field(1, "id", "long"),
        field(2, "country", "string"),
        field(3, "price", "decimal(9, 2)"),
        field(4, "tags", { type: "list", "element-id": 5, element: "string", "element-required": false }),
        field(6, "place", { type: "struct", fields: [field(7, "x", "double"), field(8, "day", "date")] }),
      ],
    };
    const data = async (
      path: string,
      content: number,
      written: { query: string; ids: string; equality?: readonly number[] },
    ): Promise<Json> => {
      const bytes = await parquet(written.query, `, FIELD_IDS ${written.ids}`);
      files.set(`t/${path}`, bytes);
      const low = Buffer.alloc(8);
      return {
        status: 1,
        snapshot_id: null,
        sequence_number: null,
        data_file: {
          content,
          file_path: `${location}/${path}`,
          file_format: "PARQUET",
          partition: { country: "DE" },
          record_count: 50,
          file_size_in_bytes: bytes.length,
          null_value_counts: [{ key: 1, value: 0 }],
          lower_bounds: [{ key: 1, value: low }],
          upper_bounds: [{ key: 1, value: Buffer.from([50, 0, 0, 0, 0, 0, 0, 0]) }],
          split_offsets: content === 0 ? [4] : null,
          equality_ids: written.equality ?? null,
        },
      };
    };
    const put = (path: string, content: AvroContent): number => {
      const bytes = avroFile(content);
      files.set(path, bytes);
      contents.set(path, content);
      return bytes.length;
    };
    const manifest = (number: number, records: readonly Json[]): Json => {
      const path = `t/metadata/m${number}.avro`;
      const length = put(path, { schema: manifestSchema, records, metadata: { "partition-spec-id": "0" } });
      const isData = records.some((one) => (one["data_file"] as Json)["content"] === 0);
      return {
        manifest_path: `${location}/metadata/m${number}.avro`,
        manifest_length: length,
        partition_spec_id: 0,
        content: isData ? 0 : 1,
        sequence_number: number,
        added_snapshot_id: 1,
        added_files_count: records.length,
        added_rows_count: 50,
        existing_files_count: null,
        existing_rows_count: null,
        deleted_files_count: null,
        deleted_rows_count: null,
        partitions: [{ contains_null: false, contains_nan: null, lower_bound: Buffer.from("DE"), upper_bound: Buffer.from("DE") }],
      };
    };
    const query = `SELECT i AS id, 'DE' AS country, (i * 1.25)::decimal(9,2) AS price, ['t' || i] AS tags,
      {'x': i + 0.5::double, 'day': DATE '2024-01-01' + i::int} AS place FROM range(50) t(i)`;
    const ids = "{id: 1, country: 2, price: 3, tags: {__duckdb_field_id: 4, element: 5}, place: {__duckdb_field_id: 6, x: 7, day: 8}}";
    const first = manifest(1, [await data("data/a.parquet", 0, { query, ids })]);
    const positions = `SELECT '${location}/data/a.parquet' AS file_path, i * 3 AS pos FROM range(5) t(i)`;
    const second = manifest(2, [
      await data("data/p.parquet", 1, { query: positions, ids: "{file_path: 2147483546, pos: 2147483545}" }),
      await data("data/e.parquet", 2, { query: "SELECT 7::bigint AS id", ids: "{id: 1}", equality: [1] }),
    ]);
    put("t/metadata/s1.avro", { schema: listSchema, records: [first], metadata: {} });
    put("t/metadata/s2.avro", { schema: listSchema, records: [first, second], metadata: {} });
    const snapshot = (id: number): Json => ({
      "snapshot-id": id,
      "manifest-list": `${location}/metadata/s${id}.avro`,
      "schema-id": 0,
      "sequence-number": id,
      "timestamp-ms": 1_700_000_000_000 + id,
      ...(id > 1 && { "parent-snapshot-id": id - 1 }),
      summary: { operation: "append", "total-records": "50" },
    });
    const metadata = {
      "format-version": 2,
      location,
      schemas: [schema],
      "current-schema-id": 0,
      "partition-specs": [{ "spec-id": 0, fields: [{ "source-id": 2, "field-id": 1000, name: "country", transform: "identity" }] }],
      "default-spec-id": 0,
      "current-snapshot-id": 2,
      snapshots: [snapshot(1), snapshot(2)],
      "snapshot-log": [1, 2].map((id) => ({ "snapshot-id": id, "timestamp-ms": 1_700_000_000_000 + id })),
      refs: { main: { "snapshot-id": 2, type: "branch" }, old: { "snapshot-id": 1, type: "tag", "max-ref-age-ms": 10_000 } },
      properties: { comment: "of the fuzzer" },
    };
    files.set("t/metadata/v1.metadata.json", encoder.encode(JSON.stringify(metadata)));
    files.set("t/metadata/version-hint.text", encoder.encode("1"));
    return {
      files,
      metadata: [...files.keys()].filter((path) => path.includes("/metadata/")),
      alter: (random, path, bytes, edit) => {
        const content = contents.get(path);
        if (content === undefined) {
          return path.endsWith(".json") ? alterLines(random, bytes, edit) : undefined;
        }
        try {
          return random.chance(30)
            ? avroFile(content, edit(random, content.schema), random.pick(["null", "null", "deflate", "snappy", "zstandard", "x"]))
            : avroFile({ ...content, records: withBuffers(edit(random, content.records)) as readonly Json[] });
        } catch {
          return undefined;
        }
      },
    };
  });
}
