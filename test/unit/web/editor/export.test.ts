/** Exports of the SQL editor, read back by DuckDB: exact values, NULL, hostile texts, nested types. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "../../../../src/protocol/json.ts";
import { csvPieces, type ExportColumn, tsvText } from "../../../../src/web/editor/export/csv.ts";
import { jsonPieces } from "../../../../src/web/editor/export/json.ts";
import { parquetBytes } from "../../../../src/web/editor/export/parquet.ts";
import { parseColumnType } from "../../../../src/web/editor/results/column-types.ts";
import { openDuckDb, type Oracle } from "../../../support/oracle/duckdb.ts";

type Rows = readonly (readonly unknown[])[];

const column = (name: string, type: string): ExportColumn => ({ name, type: parseColumnType(type) });
const wide = 2n ** 63n - 1n;

describe("exports of the SQL editor", () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-export-"));
  let duckDb: Oracle;
  let files = 0;

  beforeAll(async () => {
    duckDb = await openDuckDb({ threads: 1 });
  });
  afterAll(() => {
    duckDb.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function file(content: string | Uint8Array): string {
    const path = join(folder, `${files++}`);
    writeFileSync(path, content);
    return path;
  }
  const readParquet = (columns: readonly ExportColumn[], rows: Rows, list = "*"): Promise<unknown[][]> =>
    duckDb.rows(`SELECT ${list} FROM read_parquet('${file(parquetBytes(columns, rows))}')`);
  const typesOf = async (columns: readonly ExportColumn[], rows: Rows): Promise<unknown[]> =>
    (await duckDb.rows(`DESCRIBE SELECT * FROM read_parquet('${file(parquetBytes(columns, rows))}')`)).map(([, type]) => type);
  const readCsv = (columns: readonly ExportColumn[], rows: Rows): Promise<unknown[][]> =>
    duckDb.rows(`SELECT * FROM read_csv('${file([...csvPieces(columns, rows)].join(""))}', all_varchar = true, header = true, delim = ',',
      quote = '"', escape = '"', allow_quoted_nulls = false)`);

  it("keeps each scalar type in Parquet", async () => {
    const columns = [
      column("t", "tinyint"),
      column("s", "smallint"),
      column("i", "integer"),
      column("b", "bigint"),
      column("r", "real"),
      column("d", "double"),
      column("x", "decimal(10, 2)"),
      column("y", "decimal(38, 3)"),
      column("f", "boolean"),
      column("v", "varchar(10)"),
      column("z", "varbinary"),
      column("day", "date"),
      column("m", "timestamp"),
      column("w", "timestamp(6) with time zone"),
      column("c", "time"),
      column("u", "uuid"),
      column("j", "json"),
      column("n", "timestamp(9)"),
      column("iv", "interval day to second"),
    ];
    const row = [
      -128,
      32767,
      -2147483648,
      wide,
      0.5,
      1e300,
      "12345678.90",
      "12345678901234567890123456789012345.678",
      true,
      "é\u{1f600}'\"\0",
      "AP8=",
      "1969-12-31",
      "1969-12-31 23:59:59.999",
      "2026-07-01 12:00:00.000001 Europe/Oslo",
      "23:59:59.123",
      "12151fd2-7586-11e9-8f9e-2a86e4085a59",
      '{"a":1}',
      "2026-01-01 00:00:00.123456789",
      "1 02:03:04.567",
    ];
    const rows = [row, row.map(() => null)];
    expect(await typesOf(columns, rows)).toEqual([
      "TINYINT",
      "SMALLINT",
      "INTEGER",
      "BIGINT",
      "FLOAT",
      "DOUBLE",
      "DECIMAL(10,2)",
      "DECIMAL(38,3)",
      "BOOLEAN",
      "VARCHAR",
      "BLOB",
      "DATE",
      "TIMESTAMP",
      "TIMESTAMP WITH TIME ZONE",
      "TIME",
      "UUID",
      "VARCHAR",
      "VARCHAR",
      "VARCHAR",
    ]);
    const [first, second] = await readParquet(columns, rows, "* REPLACE (hex(z) AS z, epoch_us(w) AS w)");
    expect(first).toEqual([
      -128,
      32767,
      -2147483648,
      wide,
      0.5,
      1e300,
      "12345678.90",
      "12345678901234567890123456789012345.678",
      true,
      "é\u{1f600}'\"\0",
      "00FF",
      "1969-12-31",
      "1969-12-31 23:59:59.999",
      BigInt(Date.UTC(2026, 6, 1, 10)) * 1000n + 1n,
      "23:59:59.123",
      "12151fd2-7586-11e9-8f9e-2a86e4085a59",
      '{"a":1}',
      "2026-01-01 00:00:00.123456789",
      "1 02:03:04.567",
    ]);
    expect(second).toEqual(row.map(() => null));
  });

  it("keeps arrays, maps and rows in Parquet", async () => {
    const columns = [
      column("a", "array(bigint)"),
      column("r", 'row(n bigint, "two words" array(date), inner row(x decimal(5, 1)))'),
      column("m", "map(varchar, array(integer))"),
    ];
    const rows = [
      [[1, null, wide], [wide, ["2026-01-01", null], ["-1.5"]], { k: [1, 2], "": [] }],
      [[], [null, [], [null]], {}],
      [null, null, null],
      [[null], [1, null, null], { k: null }],
    ];
    expect(await typesOf(columns, rows)).toEqual([
      "BIGINT[]",
      'STRUCT(n BIGINT, "two words" DATE[], "inner" STRUCT(x DECIMAL(5,1)))',
      "MAP(VARCHAR, INTEGER[])",
    ]);
    expect(await readParquet(columns, rows)).toEqual([
      [[1n, null, wide], [wide, ["2026-01-01", null], ["-1.5"]], { k: [1, 2], "": [] }],
      [[], [null, [], [null]], {}],
      [null, null, null],
      [[null], [1n, null, null], { k: null }],
    ]);
  });

  it("writes an empty result, names that repeat, and text where a value does not fit its type", async () => {
    const columns = [column("a", "bigint"), column("a", "date"), column("a_2", "varchar")];
    expect(await readParquet(columns, [])).toEqual([]);
    expect(await typesOf(columns, [[1, "not a date", "x"]])).toEqual(["BIGINT", "VARCHAR", "VARCHAR"]);
    const names = await duckDb.rows(`DESCRIBE SELECT * FROM read_parquet('${file(parquetBytes(columns, []))}')`);
    expect(names.map(([name]) => name)).toEqual(["a", "a_3", "a_2"]);
  });

  const anyInteger = fc.bigInt({ min: -(2n ** 63n), max: wide });
  const anyText = fc.string({ unit: "grapheme", maxLength: 8 });
  const anyDecimal = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
  const nullable = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 4 });

  it("any rows survive Parquet", async () => {
    const columns = [
      column("i", "bigint"),
      column("t", "varchar"),
      column("d", "decimal(38, 10)"),
      column("l", "array(map(varchar, bigint))"),
    ];
    const anyRow = fc.tuple(
      nullable(anyInteger),
      nullable(anyText),
      nullable(anyDecimal.map(tenPlaces)),
      nullable(fc.array(nullable(fc.dictionary(anyText, nullable(anyInteger), { maxKeys: 3, noNullPrototype: true })), { maxLength: 3 })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 30 }), async (rows) => {
        expect(await readParquet(columns, rows)).toEqual(rows.map((row) => [...row]));
      }),
      { numRuns: 60 },
    );
  });

  it("any rows survive CSV: NULL is empty, an empty text is quoted", async () => {
    const columns = [column("i", "bigint"), column('a,"b', "varchar"), column("d", "decimal(38, 10)")];
    // DuckDB's reader takes NUL for the end of a text and refuses lone carriage returns in unquoted lines.
    const text = anyText.filter((one) => !one.includes("\0"));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(nullable(anyInteger), nullable(text), nullable(anyDecimal.map(tenPlaces))), { minLength: 1 }),
        async (rows) => {
          expect(await readCsv(columns, rows)).toEqual(rows.map(([i, t, d]) => [i === null ? null : String(i), t, d]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("any rows survive JSON, with 64-bit integers", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nullable(anyInteger), nullable(anyText), fc.array(anyInteger))), (rows) => {
        const written = [...jsonPieces([column("a", "bigint"), column("a", "varchar"), column("l", "array(bigint)")], rows)].join("");
        const shown = (value: bigint | null): unknown => (value !== null && Number.isSafeInteger(Number(value)) ? Number(value) : value);
        expect(parseJson(written)).toEqual(rows.map(([i, t, l]) => ({ a: shown(i), a_2: t, l: l.map(shown) })));
      }),
    );
  });

  it("copies cells as a spreadsheet reads them", () => {
    const types = ["bigint", "varchar", "double"].map(parseColumnType);
    expect(
      tsvText(types, [
        [wide, "a\tb", 1],
        [null, 'say "x"', 1e21],
      ]),
    ).toBe('9223372036854775807\t"a\tb"\t1.0\n\tsay "x"\t1.0E21');
  });
});

function tenPlaces(unscaled: bigint): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(11, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -10)}.${digits.slice(-10)}`;
}
