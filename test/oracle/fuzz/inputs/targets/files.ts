/**
 * Parquet, CSV and JSON files that DuckDB wrote and Arrow files that pyarrow wrote, altered, read by the files connector: rows, or an
 * error of the file that names it, in words for a user and without the folder's path.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { Folder, openFolder, read } from "../../../../unit/connectors/files/folder.ts";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited, shownBytes, smallerBytes } from "../bytes.ts";
import { type FuzzTarget, judgedRefusal, type Verdict } from "../target.ts";
import { editParquet } from "./parquet-edits.ts";

export type FileFormat = "parquet" | "arrow" | "csv" | "json";

interface FileInput {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const query = `SELECT i AS a, [i, NULL, i + 1] AS l, {'x': i, 'y': ['a' || i, 'b'], 't': TIME '10:00:00', 'u': md5(i::VARCHAR)::UUID} AS s, MAP {'k' || i: i, 'z': NULL} AS m,
 CASE WHEN i % 3 = 0 THEN NULL ELSE [[{'d': DATE '2020-01-01' + i::INTEGER}], []] END AS deep, (i * 1.5)::DECIMAL(30, 4) AS dec, make_timestamp_ns(i * 1000000007) AS ns, TIMESTAMPTZ '2020-01-01' AS tz, MAP {i: [i]} AS mm, (i / 7.0)::FLOAT AS f FROM range(60) AS t(i)`;
const flatQuery = `SELECT i AS a, (i % 5)::SMALLINT AS b, 'text ' || (i % 3) AS c, CASE WHEN i % 4 = 0 THEN NULL ELSE i * 0.25 END AS d, i % 2 = 0 AS e, DATE '1999-12-31' + i::INTEGER AS f, (i % 3)::UTINYINT AS g, '\\x00\\xFF'::BLOB AS h FROM range(100) AS t(i)`;

const formats: Readonly<Record<Exclude<FileFormat, "arrow">, readonly (readonly [name: string, query: string, options: string])[]>> = {
  parquet: [
    ["t.parquet", query, "FORMAT PARQUET"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, COMPRESSION UNCOMPRESSED"],
    ["t.parquet", query, "FORMAT PARQUET, PARQUET_VERSION V2, COMPRESSION UNCOMPRESSED"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, PARQUET_VERSION V2, COMPRESSION UNCOMPRESSED, DICTIONARY_SIZE_LIMIT 1"],
    ["t.parquet", query, "FORMAT PARQUET, COMPRESSION UNCOMPRESSED, DICTIONARY_SIZE_LIMIT 1"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, COMPRESSION ZSTD, ROW_GROUP_SIZE 2048"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, COMPRESSION LZ4_RAW, PARQUET_VERSION V2"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, COMPRESSION GZIP"],
    ["t.parquet", flatQuery, "FORMAT PARQUET, COMPRESSION BROTLI"],
  ],
  csv: [
    ["t.csv", query, "FORMAT CSV, HEADER"],
    ["t.csv", flatQuery, "FORMAT CSV, HEADER, FORCE_QUOTE *"],
    ["t.csv", flatQuery, "FORMAT CSV, HEADER false, DELIMITER '|'"],
    ["t.csv.gz", flatQuery, "FORMAT CSV, HEADER, COMPRESSION GZIP"],
    ["t.csv.zst", flatQuery, "FORMAT CSV, HEADER, COMPRESSION ZSTD"],
  ],
  json: [
    ["t.json", query, "FORMAT JSON"],
    ["t.json", flatQuery, "FORMAT JSON, ARRAY true"],
    ["t.json", query, "FORMAT JSON, ARRAY true"],
    ["t.json.gz", flatQuery, "FORMAT JSON, COMPRESSION GZIP"],
    ["t.json.zst", flatQuery, "FORMAT JSON, COMPRESSION ZSTD"],
  ],
};

/** Files that pyarrow wrote. */
const arrowFolder = join(process.cwd(), "test/unit/connectors/files/arrow");

function arrowFiles(): readonly FileInput[] {
  return readdirSync(arrowFolder)
    .filter((name) => /\.(?:arrows?|feather)$/.test(name))
    .map((name) => ({ name: `t${name.slice(name.indexOf("."))}`, bytes: new Uint8Array(readFileSync(join(arrowFolder, name))) }));
}

async function written(format: Exclude<FileFormat, "arrow">): Promise<readonly FileInput[]> {
  const directory = mkdtempSync(join(tmpdir(), "fuzzed-files-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const duckdb = await instance.connect();
  const files: FileInput[] = [];
  for (const [name, sql, options] of formats[format]) {
    const path = join(directory, String(files.length));
    await duckdb.run(`COPY (${sql}) TO '${path}' (${options})`);
    files.push({ name, bytes: new Uint8Array(readFileSync(path)) });
  }
  duckdb.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true });
  return files;
}

const numerals = [
  "9".repeat(5000),
  "-",
  "1e999999999",
  "-0",
  "0x10",
  `0.${"0".repeat(400)}1`,
  "1e-400",
  "9223372036854775808",
  "NaN",
  "00",
];
const texts = [
  '"',
  '""',
  "'",
  "\\",
  "\\u0000",
  "\\ud800",
  "\\u12",
  "\u0000",
  "\r",
  "\r\n",
  "\n",
  "\n\n\n",
  ",",
  ";",
  "\t",
  "|",
  "\ufeff",
  "é",
  "😀",
  "{",
  "}",
  "[",
  "]",
  ":",
  "null",
  "true",
  '{"a":1}',
  '"__proto__":1,',
  '"a":{"a":',
  "2020-02-30",
  "99999-12-31 25:61:61",
  "x".repeat(100_000),
];
const repeated = ["[", '{"a":', ",", '"', "\n", "[]", "{}", "a,", "1\n"];

/** A piece of text that the format gives a meaning. */
function editText(random: Random, bytes: Uint8Array): Uint8Array {
  const at = random.below(bytes.length + 1);
  const kind = random.below(10);
  const text =
    kind === 0 ? random.pick(repeated).repeat(random.pick([10, 130, 1100, 20_000, 150_000])) : random.pick(kind < 4 ? numerals : texts);
  return edited(bytes, { at, end: Math.min(bytes.length, at + random.below(6)), bytes: new TextEncoder().encode(text) });
}

const refusals: ReadonlySet<string> = new Set(["FILE_BAD_DATA", "NOT_SUPPORTED"]);

class FilesTarget implements FuzzTarget<FileInput> {
  readonly #format: FileFormat;
  readonly #seeds: readonly FileInput[];

  constructor(format: FileFormat, seeds: readonly FileInput[]) {
    this.#format = format;
    this.#seeds = seeds;
  }

  draw(random: Random): FileInput {
    const { name, bytes: source } = random.pick(this.#seeds);
    // The compressed bytes, or those that they stand for.
    const isInside = name.endsWith(".gz") && random.chance(50);
    const isText = (this.#format === "csv" || this.#format === "json") && (isInside || !/\.(?:gz|zst)$/.test(name));
    let bytes: Uint8Array = isInside ? new Uint8Array(gunzipSync(source)) : source;
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
      const isStructured = random.chance(70);
      bytes =
        isStructured && this.#format === "parquet"
          ? editParquet(random, bytes)
          : isStructured && isText
            ? editText(random, bytes)
            : edited(bytes, drawByteEdit(random, bytes));
    }
    return { name, bytes: isInside ? new Uint8Array(gzipSync(bytes, { level: 1 })) : bytes };
  }

  async run({ name, bytes }: FileInput): Promise<Verdict> {
    try {
      const { rows } = await read(openFolder(new Folder().put(name, bytes)), "t");
      return { outcome: rows.length === 0 ? "no rows" : "rows" };
    } catch (error) {
      return judgedRefusal(error, {
        names: refusals,
        unlike: (_, message) => (message.includes(name) ? undefined : "does not name the file"),
      });
    }
  }

  *smaller({ name, bytes }: FileInput): Iterable<FileInput> {
    for (const smaller of smallerBytes(bytes)) {
      yield { name, bytes: smaller };
    }
  }

  show({ name, bytes }: FileInput): string {
    return `${name}: ${shownBytes(bytes)}`;
  }
}

export async function openFiles(format: FileFormat): Promise<FuzzTarget<FileInput>> {
  return new FilesTarget(format, format === "arrow" ? arrowFiles() : await written(format));
}
