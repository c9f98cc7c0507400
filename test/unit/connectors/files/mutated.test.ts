/**
 * Files of every format with bits flipped, bytes overwritten, cut out and repeated: each is read, or refused by an error that names it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Folder, openFolder, read } from "./folder.ts";

const query = `SELECT i AS a, [i, NULL, i + 1] AS l, {'x': i, 'y': ['a' || i, 'b'], 't': TIME '10:00:00', 'u': md5(i::VARCHAR)::UUID} AS s, MAP {'k' || i: i, 'z': NULL} AS m,
 CASE WHEN i % 3 = 0 THEN NULL ELSE [[{'d': DATE '2020-01-01' + i::INTEGER}], []] END AS deep, (i * 1.5)::DECIMAL(30, 4) AS dec, make_timestamp_ns(i * 1000000007) AS ns, TIMESTAMPTZ '2020-01-01' AS tz, MAP {i: [i]} AS mm, (i / 7.0)::FLOAT AS f FROM range(200) AS t(i)`;

const formats = [
  ["t.parquet", "FORMAT PARQUET"],
  ["t.parquet", "FORMAT PARQUET, PARQUET_VERSION V2, COMPRESSION UNCOMPRESSED"],
  ["t.parquet", "FORMAT PARQUET, COMPRESSION UNCOMPRESSED, DICTIONARY_SIZE_LIMIT 1"],
  ["t.parquet", "FORMAT PARQUET, COMPRESSION ZSTD, ROW_GROUP_SIZE 2048"],
  ["t.parquet", "FORMAT PARQUET, COMPRESSION LZ4_RAW, PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1"],
  ["t.parquet", "FORMAT PARQUET, COMPRESSION GZIP"],
  ["t.parquet", "FORMAT PARQUET, COMPRESSION BROTLI"],
  ["t.json", "FORMAT JSON"],
  ["t.json", "FORMAT JSON, ARRAY true"],
  ["t.csv", "FORMAT CSV, HEADER"],
  ["t.csv.zst", "FORMAT CSV, HEADER, COMPRESSION ZSTD"],
  ["t.csv.gz", "FORMAT CSV, HEADER, COMPRESSION GZIP"],
] as const;

async function written(): Promise<readonly (readonly [name: string, bytes: Uint8Array])[]> {
  const directory = mkdtempSync(join(tmpdir(), "mutated-"));
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const duckdb = await instance.connect();
  const files: (readonly [string, Uint8Array])[] = [];
  for (const [name, options] of formats) {
    const path = join(directory, String(files.length));
    await duckdb.run(`COPY (${query}) TO '${path}' (${options})`);
    files.push([name, new Uint8Array(readFileSync(path))]);
  }
  const arrow = join(import.meta.dirname, "arrow");
  for (const name of readdirSync(arrow).filter((file) => /\.(?:arrows?|feather)$/.test(file))) {
    files.push([`t${name.slice(name.indexOf("."))}`, new Uint8Array(readFileSync(join(arrow, name)))]);
  }
  duckdb.closeSync();
  instance.closeSync();
  rmSync(directory, { recursive: true });
  return files;
}

interface Change {
  readonly kind: "flip" | "set" | "cut" | "repeat" | "overwrite";
  /** From the start, or from the end, where Parquet has its footer. */
  readonly at: number;
  readonly isNearEnd: boolean;
  readonly values: readonly number[];
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("flip", "set", "cut", "repeat", "overwrite"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  isNearEnd: fc.boolean(),
  values: fc.array(fc.oneof(fc.constantFrom(0, 0xff, 0x80, 0x7f), fc.nat(255)), { minLength: 1, maxLength: 40 }),
});

function changed(bytes: Uint8Array, { kind, at, isNearEnd, values }: Change): Uint8Array {
  const place = isNearEnd ? bytes.length - 1 - Math.floor(at * Math.min(bytes.length - 1, 1500)) : Math.floor(at * (bytes.length - 1));
  const [first = 0] = values;
  switch (kind) {
    case "flip":
      return bytes.with(place, (bytes[place] as number) ^ (1 << (first & 7)));
    case "set":
      return bytes.with(place, first);
    case "cut":
      return Uint8Array.from([...bytes.subarray(0, place), ...bytes.subarray(place + values.length)]);
    case "repeat":
      return Uint8Array.from([
        ...bytes.subarray(0, place),
        ...bytes.subarray(Math.max(0, place - values.length), place),
        ...bytes.subarray(place),
      ]);
    case "overwrite":
      return Uint8Array.from([...bytes.subarray(0, place), ...values, ...bytes.subarray(place + values.length)]);
  }
}

test("is read or refused, and never breaks the node", async () => {
  const files = await written();
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(files.length - 1), fc.array(change, { minLength: 1, maxLength: 3 }), async (index, changes) => {
      const [name, source] = files[index] as readonly [string, Uint8Array];
      const bytes = changes.reduce(changed, source);
      await read(openFolder(new Folder().put(name, bytes)), "t").catch((error: unknown) => {
        refused++;
        // A damaged number may ask for more memory than there is.
        if ((error as Error).name !== "MemoryLimitExceeded") {
          expect(error).toMatchObject({
            errorName: expect.stringMatching(/^(FILE_BAD_DATA|NOT_SUPPORTED)$/),
            message: expect.stringContaining(name),
          });
        }
      });
    }),
    { numRuns: 1500 },
  );
  expect(refused).toBeGreaterThan(300);
});
