/** The reader of SQLite's files, on databases that SQLite wrote. */
import { gunzipSync } from "node:zlib";
import type { Database } from "node-sqlite3-wasm";
import { describe, expect, it } from "vitest";
import type { Constraint, Json } from "../../../../src/connectors/spi.ts";
import { Domain } from "../../../../src/types/domain/domain.ts";
import { between, greaterThan } from "../../../../src/types/domain/range.ts";
import { TupleDomain } from "../../../../src/types/domain/tuple-domain.ts";
import { BIGINT, displayType } from "../../../../src/types/type.ts";
import { SeededRandom } from "../../../support/seeded-random.ts";
import { readSplit, type Rows, tableOf } from "../world.ts";
import beside from "./beside.json" with { type: "json" };
import { written } from "../../../support/programs/sqlite.ts";
import { type OpenDatabase, openDatabase, rowsOf } from "./databases.ts";

function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "no error",
    (error: Error & { readonly errorName?: string }) => `${error.errorName}: ${error.message}`,
  );
}

async function typesOf({ node }: OpenDatabase, table: string): Promise<string> {
  const { columns } = await tableOf(node.connector, "main", table);
  return columns.map(({ name, type }) => `${name} ${displayType(type)}`).join("; ");
}

function unpacked(files: Readonly<Record<string, string>>): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new Uint8Array(gunzipSync(Buffer.from(text, "base64")))]));
}

/** Rows of SQLite in the form of the engine: integers are bigints. */
function expected(database: Database, sql: string): Rows {
  return database
    .all(sql)
    .map(
      (row) =>
        Object.values(row).map((value) => (typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value)) as Rows[number],
    );
}

/** Long BLOBs are compared as text, which is faster. */
function shown(rows: readonly (readonly unknown[])[]): Rows {
  return rows.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value))) as Rows;
}

const many = (database: Database, count: number): void => {
  database.exec(`CREATE TABLE many (id INTEGER PRIMARY KEY, a TEXT, n INT);
    INSERT INTO many WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${count}) SELECT i * 3, 'value ' || i, i % 10 FROM c`);
};

describe("values", () => {
  it("have types by the declared ones", async () => {
    const bytes = written((database) => {
      database.exec(`CREATE TABLE t (i INTEGER, ti tinyint, ub UNSIGNED BIG INT, v VARCHAR(10), c CLOB, r REAL, dp DOUBLE PRECISION,
        f float, d DECIMAL(10,2), n NUMERIC(5), nn NUMERIC, big DECIMAL(40,1), b BOOLEAN, dt DATE,
        ts DATETIME, tm TIME, bl BLOB, j JSON, u);
        CREATE TABLE [odd "names"] ("A b" /* , c */ TEXT DEFAULT ('x, ) y'), "check" INT CHECK (("check" > 0)), -- , d
          \`e\` INT REFERENCES t(i) ON DELETE SET DEFAULT, CONSTRAINT k UNIQUE (e), PRIMARY KEY (e))`);
    });
    const database = openDatabase({ "a.db": bytes });
    expect(await typesOf(database, "t")).toBe(
      "i bigint; ti bigint; ub bigint; v varchar; c varchar; r double; dp double; f double; d decimal(10,2); n decimal(5,0); nn double; big double; " +
        "b boolean; dt date; ts timestamp(6); tm time(6); bl varbinary; j varchar; u varchar; $rowid bigint",
    );
    expect(await typesOf(database, 'odd "names"')).toBe("a b varchar; check bigint; e bigint; $rowid bigint");
    const varchar = openDatabase({ "a.db": bytes }, { "sqlite.file": "/data/a.db", "sqlite.all-varchar": "true" });
    expect(await typesOf(varchar, "t")).toMatch(/^i varchar; ti varchar; .*; bl varchar;/);
  });

  it("have NOT NULL and the literals of DEFAULT by the declared ones", async () => {
    const bytes = written((database) => {
      database.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL ON CONFLICT ABORT DEFAULT 'it''s', b INT CHECK (b NOT NULL) DEFAULT -5,
          c REFERENCES t(id) ON DELETE SET NULL NOT DEFERRABLE,
          d DECIMAL(5,2) DEFAULT (1.5) NOT NULL, e TEXT DEFAULT CURRENT_TIMESTAMP, f BLOB DEFAULT X'00');
        CREATE TABLE k (a TEXT, b INT, PRIMARY KEY (a)); CREATE TABLE w (a TEXT, b INT, PRIMARY KEY (a)) WITHOUT ROWID`);
    });
    const { node } = openDatabase({ "a.db": bytes });
    const columnsOf = async (table: string): Promise<unknown> =>
      (await tableOf(node.connector, "main", table)).columns
        .filter(({ hidden }) => hidden !== true)
        .map(({ name, nullable, defaultValue }) => [name, nullable === false, defaultValue?.sql]);
    expect(await columnsOf("t")).toEqual([
      ["id", true, undefined],
      ["a", true, "'it''s'"],
      ["b", false, "-5"],
      ["c", false, undefined],
      ["d", true, undefined],
      ["e", false, undefined],
      ["f", false, undefined],
    ]);
    // SQLite allows NULLs in keys of tables with row ids.
    expect(await columnsOf("k")).toEqual([
      ["a", false, undefined],
      ["b", false, undefined],
    ]);
    expect(await columnsOf("w")).toEqual([
      ["a", true, undefined],
      ["b", false, undefined],
    ]);
  });

  it("are those of SQLite at every size and bound", async () => {
    const integers = [
      "0",
      "1",
      "-1",
      "127",
      "-128",
      "32767",
      "-32769",
      "8388607",
      "-8388609",
      "2147483647",
      "-2147483649",
      "140737488355327",
    ];
    const wide = [...integers, "-140737488355329", "9007199254740993", "9223372036854775807", "-9223372036854775808"];
    const database = openDatabase({
      "a.db": written((one) => {
        one.exec("CREATE TABLE t (i INTEGER, r REAL, x, b BLOB)");
        for (const [index, text] of wide.entries()) {
          one.exec(
            `INSERT INTO t (rowid, i, r, x, b) VALUES (${index % 2 === 0 ? text : index}, ${text}, ${index}.25e${index * 9}, ${index}.5, x'${"00ff".repeat(index)}')`,
          );
        }
        one.exec(
          "CREATE TABLE s (r REAL, x); INSERT INTO s VALUES (7, 1e300), (-0.0, 1e-7), (1e999, 123456789012345678), (-2.5, -123456.75)",
        );
      }),
    });
    const rows = await rowsOf(database, "t");
    expect(rows.map(([i]) => String(i)).toSorted()).toEqual(wide.toSorted());
    expect(rows.at(-1)).toEqual([9223372036854775807n, 1.4250000000000001e127, "14.5", new Uint8Array(28).map((_, at) => (at % 2) * 255)]);
    expect(await rowsOf(database, "s")).toEqual([
      [7, "1.0e+300"],
      [0, "1.0e-07"],
      [Number.POSITIVE_INFINITY, "123456789012345678"],
      [-2.5, "-123456.75"],
    ]);
  });

  it("of decimals, dates and times are exact, or errors that name their row", async () => {
    const database = openDatabase({
      "a.db": written((one) => {
        one.exec(`CREATE TABLE good (d DECIMAL(20,4), b BOOLEAN, day DATE, at TIMESTAMP, t TIME);
          INSERT INTO good VALUES (12.5, 1, '2024-02-29', '2024-02-29 23:59:59.123456000', '23:59:59.5'), (-7, 'False', '0001-01-01', '2024-01-01', '00:00'),
            ('12345678901.7891', 0, NULL, '2024-01-01T12:30+02:00', NULL), (1e-4, NULL, NULL, '1960-01-01 00:00:00Z', NULL);
          CREATE TABLE bad (k INTEGER PRIMARY KEY, i INT, d DECIMAL(4,1), r REAL, b BOOLEAN, day DATE, at DATETIME, bl BLOB, x, n NUMERIC);
          INSERT INTO bad VALUES (42, 'abc', 12.34, 'x', 2, '2023-02-29', 1700000000, 'text', x'01', 9007199254740993)`);
      }),
    });
    expect(await rowsOf(database, "good")).toEqual([
      [125000n, true, 19782, 1709251199123456n, 86399500000000000n],
      [-70000n, false, -719162, 1704067200000000n, 0n],
      [123456789017891n, false, null, 1704105000000000n, null],
      [1n, null, null, -315619200000000n, null],
    ]);
    const failures = await Promise.all(
      ["i", "d", "r", "b", "day", "at", "bl", "x", "n"].map((name) => failureOf(rowsOf(database, "bad", { only: [name] }))),
    );
    const found = [
      "the text 'abc' is no value of type bigint",
      "the number 12.34 is no value of type decimal(4,1)",
      "the text 'x' is no value of type double",
      "the number 2 is no value of type boolean",
      "the text '2023-02-29' is no value of type date",
      "the number 1700000000 is no value of type timestamp(6)",
      "the text 'text' is no value of type varbinary",
      "a BLOB of 1 bytes is no value of type varchar",
      "the number 9007199254740993 is no value of type double",
    ];
    expect(failures).toEqual(
      found.map((message) =>
        expect.stringMatching(
          new RegExp(`^FILE_BAD_DATA: a\\.db page \\d: table bad, row id 42, column \\w+: ${message.replaceAll(/[()]/g, "\\$&")}$`),
        ),
      ),
    );
    expect(await rowsOf(database, "bad", { only: ["k"] })).toEqual([[42n]]);
  });

  it("that are NaN are NULL, as SQLite reads them", async () => {
    const bytes = Buffer.from(
      written((database) => database.exec("CREATE TABLE t (r REAL, d DECIMAL(5,2), u); INSERT INTO t VALUES (1.5e77, 1.5e77, 1.5e77)")),
    );
    const [real, nan] = [Buffer.alloc(8), Buffer.from("7ff8000000000000", "hex")];
    real.writeDoubleBE(1.5e77);
    for (let at = bytes.indexOf(real); at !== -1; at = bytes.indexOf(real)) {
      nan.copy(bytes, at);
    }
    expect(await rowsOf(openDatabase({ "a.db": bytes }), "t")).toEqual([[null, null, null]]);
  });

  it("of texts are in the encoding of the database", async () => {
    for (const encoding of ["UTF-8", "UTF-16le", "UTF-16be"]) {
      const database = openDatabase({
        "a.db": written((one) => {
          one.exec(`PRAGMA encoding = '${encoding}'; CREATE TABLE "tä" (a TEXT, b TEXT); INSERT INTO "tä" VALUES ('', 'čšž 😀'), ('${"é€".repeat(3000)}', NULL);
            ALTER TABLE "tä" ADD COLUMN c TEXT DEFAULT 'ñ'`);
        }),
      });
      expect(await rowsOf(database, "tä"), encoding).toEqual([
        ["", "čšž 😀", "ñ"],
        ["é€".repeat(3000), null, "ñ"],
      ]);
    }
    const damaged = openDatabase({
      "a.db": written((one) => one.exec("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'41ff' AS TEXT))")),
    });
    expect(await failureOf(rowsOf(damaged, "t"))).toContain("is no value of type varchar");
  });

  it("that are missing have the default of their column", async () => {
    const database = openDatabase({
      "a.db": written((one) => {
        one.exec("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)");
        for (const [index, column] of [
          "INT DEFAULT -5",
          "TEXT DEFAULT 7.50",
          "REAL DEFAULT '2'",
          "BLOB DEFAULT x'0aff'",
          "DEFAULT 'it''s'",
          "INT DEFAULT TRUE",
          "TEXT",
          "INT DEFAULT 0x10",
          'TEXT NOT NULL DEFAULT "quoted"',
        ].entries()) {
          one.exec(`ALTER TABLE t ADD COLUMN c${index} ${column}`);
        }
        one.exec("INSERT INTO t (a) VALUES (2)");
      }),
    });
    const [old, recent] = await rowsOf(database, "t");
    expect(old).toEqual([1n, -5n, "7.5", 2, new Uint8Array([10, 255]), "it's", 1n, null, 16n, "quoted"]);
    expect(old?.slice(1)).toEqual(recent?.slice(1));
  });

  it("that SQLite computes are no rows of the file", async () => {
    const database = openDatabase({
      "a.db": written((one) => {
        one.exec(`CREATE TABLE t (a INT, v INT GENERATED ALWAYS AS (a + 1) VIRTUAL, s INT AS (a * 2) STORED, w AS (a), z INT);
          INSERT INTO t (a, z) VALUES (5, 6);
          CREATE VIEW seen AS SELECT a FROM t; CREATE VIRTUAL TABLE words USING fts5(x)`);
      }),
    });
    expect(await rowsOf(database, "t", { only: ["a", "s", "z"] })).toEqual([[5n, 10n, 6n]]);
    expect(await failureOf(rowsOf(database, "t"))).toBe(
      "NOT_SUPPORTED: Column 'v' (bigint) of table 't' is computed by SQLite when it is read",
    );
    expect(await database.node.connector.metadata.listTables("main")).toEqual([
      "t",
      "words_config",
      "words_content",
      "words_data",
      "words_docsize",
      "words_idx",
    ]);
    expect(await failureOf(rowsOf(database, "seen"))).toBe("NOT_SUPPORTED: 'seen' is a view of SQLite, which only SQLite can compute");
    expect(await failureOf(rowsOf(database, "words"))).toBe(
      "NOT_SUPPORTED: 'words' is a virtual table of SQLite, which only SQLite can compute",
    );
  });
});

describe("tables", () => {
  it("have the rows that SQLite reads, whatever their pages look like", async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const random = new SeededRandom(String(seed)).stream("tables");
      const pageSize = 512 << random.nextInt(8);
      const queries = ["SELECT rowid, * FROM r", "SELECT * FROM w"];
      let wanted: readonly Rows[] = [];
      const bytes = written((one) => {
        one.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = ${random.nextInt(3)};
          CREATE TABLE r (a INT, b TEXT, c BLOB);
          CREATE TABLE w (x TEXT, y INT, z TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID; CREATE INDEX i ON r (b); BEGIN`);
        const size = (): number => (random.nextInt(20) === 0 ? random.nextInt(3 * pageSize) : random.nextInt(40));
        const statements: string[] = [];
        for (let step = 0; step < 150; step++) {
          const rowid =
            random.nextInt(10) === 0
              ? `${random.nextInt(2) === 0 ? "-" : ""}${random.nextInt(1_000_000)}${"0".repeat(random.nextInt(12))}`
              : "NULL";
          statements.push(
            `INSERT OR REPLACE INTO r (rowid, a, b, c) VALUES (${rowid}, ${random.nextInt(1000)}, '${"b".repeat(size())}', zeroblob(${size()}))`,
          );
          statements.push(
            `INSERT OR REPLACE INTO w VALUES ('${"x".repeat(size())}', ${random.nextInt(100) - 50}, '${"z".repeat(size())}')`,
          );
        }
        one.exec(statements.join(";"));
        one.exec(`DELETE FROM r WHERE a % 7 = ${random.nextInt(7)}; DELETE FROM w WHERE y BETWEEN 10 AND 20; COMMIT`);
        wanted = queries.map((sql) => shown(expected(one, sql)));
      });
      const database = openDatabase(
        { "a.db": bytes },
        { "sqlite.file": "/data/a.db", "sqlite.split-size": `${pageSize * (4 + random.nextInt(40))}B` },
      );
      const rowids = (await rowsOf(database, "r", { only: ["$rowid"] })).flat();
      expect(shown((await rowsOf(database, "r")).map((row, index) => [rowids[index], ...row])), `seed ${seed}`).toEqual(wanted[0]);
      expect(await rowsOf(database, "w"), `seed ${seed}`).toEqual(wanted[1]);
    }
  });

  it("are read in parts of their keys, and only in those that are asked for", async () => {
    const database = openDatabase(
      { "a.db": written((one) => many(one, 20_000)) },
      { "sqlite.file": "/data/a.db", "sqlite.split-size": "64kB" },
    );
    const { node, folder } = database;
    const table = await tableOf(node.connector, "main", "many");
    const [id] = table.columns;
    const columns = id === undefined ? [] : [id];
    const whole = await node.connector.getSplits(table, columns);
    expect(whole.length).toBeGreaterThan(4);
    const parts: Rows[] = [];
    for (const split of whole) {
      parts.push(await readSplit(node, table, split, columns));
    }
    expect(parts.every((part) => part.length > 0)).toBe(true);
    expect(parts.flat()).toEqual(Array.from({ length: 20_000 }, (_, index) => [BigInt((index + 1) * 3)]));
    const constraint = (domain: Domain): Constraint => ({ summary: TupleDomain.of([["id", domain]]) });
    const read = async (domain: Domain): Promise<Rows> => {
      const rows: (readonly unknown[])[] = [];
      for (const split of await node.connector.getSplits(table, columns, constraint(domain))) {
        rows.push(...(await readSplit(node, table, split, columns)));
      }
      return rows as Rows;
    };
    folder.reads.length = 0;
    expect(await read(Domain.ofRanges(BIGINT, between(29_999n, 30_010n)))).toEqual([[30_000n], [30_003n], [30_006n], [30_009n]]);
    expect(folder.reads.filter(({ length }) => length > 1000).length).toBeLessThan(6);
    expect(await read(Domain.of(BIGINT, [60_000n]))).toEqual([[60_000n]]);
    expect(await read(Domain.ofRanges(BIGINT, greaterThan(60_000n)))).toEqual([]);
    expect(await read(Domain.none(BIGINT))).toEqual([]);
    const [first] = await node.connector.getSplits(table, columns, constraint(Domain.of(BIGINT, [9n])));
    const dynamic = constraint(Domain.of(BIGINT, [6n]));
    expect(await readSplit(node, table, first ?? { payload: null }, columns, dynamic)).toEqual([]);
    const pushed = node.connector.metadata.pushDown?.(table.handle, { columns, conditions: [], limit: 2 });
    const limited = { ...table, handle: pushed?.handle as Json };
    const splits = await node.connector.getSplits(limited, columns);
    expect(splits.length).toBe(1);
    expect(await readSplit(node, limited, splits.at(0) ?? { payload: null }, columns)).toEqual([[3n], [6n]]);
  });

  it("have statistics of ANALYZE, or estimates", async () => {
    const statistics = async (analyze: string): Promise<unknown> => {
      const { node } = openDatabase({
        "a.db": written((one) => {
          many(one, 3000);
          one.exec(`CREATE INDEX n ON many (n); CREATE INDEX p ON many (a) WHERE n = 1; ${analyze}`);
        }),
      });
      return node.connector.metadata.getStatistics?.(await tableOf(node.connector, "main", "many"));
    };
    expect(await statistics("ANALYZE")).toEqual({ rowCount: 3000, columns: { n: { distinctValues: 10 } } });
    const { rowCount } = (await statistics("")) as { readonly rowCount: number };
    expect(rowCount).toBeGreaterThan(2000);
    expect(rowCount).toBeLessThan(4000);
  });

  it("of a folder are in schemas of their files", async () => {
    const [one, other] = ["INT", "TEXT"].map((type) =>
      written((database) => database.exec(`CREATE TABLE T (a ${type}); INSERT INTO T VALUES (1)`)),
    );
    const files = {
      "One.DB": one ?? new Uint8Array(),
      "two.sqlite3": other ?? new Uint8Array(),
      "notes.txt": new Uint8Array(3),
      "empty.db": new Uint8Array(0),
      "same.db": new Uint8Array(0),
      "same.sqlite": new Uint8Array(0),
    };
    const database = openDatabase(files, { "sqlite.directory": "/data" });
    const { metadata } = database.node.connector;
    expect(await metadata.listSchemas()).toEqual(["empty", "one", "same", "two"]);
    expect(await metadata.listTables("empty")).toEqual([]);
    expect(await metadata.getTable({ schema: "none", table: "t" })).toBeUndefined();
    expect(await rowsOf(database, "t", { schema: "one" })).toEqual([[1n]]);
    expect(await rowsOf(database, "t", { schema: "two" })).toEqual([["1"]]);
    expect(await failureOf(metadata.listTables("same"))).toBe("NOT_SUPPORTED: Schema 'same' is more than one file: same.db, same.sqlite");
    expect(() => openDatabase({}, {})).toThrow("One of the properties 'sqlite.file' and 'sqlite.directory' is required");
  });
});

describe("a database that others change", () => {
  it("is read with the commits of its write-ahead log, and without what was not committed", async () => {
    const database = openDatabase(unpacked(beside.log));
    const rows = await rowsOf(database, "t");
    expect([rows.length, rows.reduce((sum, [id]) => sum + Number(id), 0)]).toEqual([60, 1928]);
    expect(rows.filter(([id]) => id === 7n || id === 8n)).toEqual([
      [7n, "new 7"],
      [8n, "old 8"],
    ]);
    expect(rows.at(-1)).toEqual([100n, "long ".repeat(300)]);
    // A log that is damaged in its last commit ends before it; one without a valid header is none.
    const files = unpacked(beside.log);
    const log = files["a.db-wal"] ?? new Uint8Array();
    const head = openDatabase({ ...files, "a.db-wal": log.map((byte, index) => (index === 9 ? byte ^ 1 : byte)) });
    const before = await rowsOf(head, "t");
    expect([before.length, before.at(-1)]).toEqual([60, [60n, "old 60"]]);
  });

  it("is not read beside a rollback journal", async () => {
    const files = unpacked(beside.journal);
    expect(await failureOf(rowsOf(openDatabase(files), "t"))).toBe(
      "FILE_BAD_DATA: a.db: a transaction is being written, or was interrupted: a rollback journal is beside the database",
    );
    // That of a transaction that is over may stay, with its first bytes overwritten.
    const over = openDatabase({ ...unpacked(beside.log), "a.db-journal": new Uint8Array(100) });
    expect((await rowsOf(over, "t")).length).toBe(60);
  });

  it("is one state for all tables of a query, or an error", async () => {
    const old = written((one) => many(one, 20));
    const next = old.slice();
    // The change counter.
    next[27] = (next[27] ?? 0) + 1;
    const { node, folder } = openDatabase({ "a.db": old });
    const table = await tableOf(node.connector, "main", "many");
    const ends: (() => void)[] = [];
    const query = { id: "q", onEnd: (callback: () => void) => ends.push(callback) };
    const [split] = await node.connector.getSplits(table, table.columns, undefined, { query });
    folder.put("a.db", next);
    const changed = "FILE_BAD_DATA: a.db: the database was changed while the query ran, or the nodes have different copies of it";
    expect(await failureOf(readSplit(node, table, split ?? { payload: null }))).toBe(changed);
    expect(await failureOf(node.connector.getSplits(table, table.columns, undefined, { query }))).toBe(changed);
    ends.forEach((end) => end());
    expect((await node.connector.getSplits(table, table.columns, undefined, { query })).length).toBe(1);
    folder.put(
      "a.db",
      written((one) => one.exec("CREATE TABLE other (a); CREATE TABLE many (id INTEGER PRIMARY KEY, n INT)")),
    );
    expect(await failureOf(node.connector.getSplits(table, table.columns) as Promise<unknown>)).toBe(
      "CONNECTOR_ERROR: The schema of the database a.db was changed while the query ran",
    );
  });
});

describe("a damaged database", () => {
  const sound = written((one) => {
    one.exec("PRAGMA page_size = 512");
    many(one, 400);
    one.exec("CREATE TABLE long (a TEXT); INSERT INTO long VALUES (hex(zeroblob(2000)))");
  });
  /** The page whose first byte is the type, and its number. */
  const pageOf = (type: number, from = 2): number => {
    let number = from;
    while (sound[(number - 1) * 512] !== type) {
      number++;
    }
    return number;
  };
  const damaged = (...edits: readonly (readonly [at: number, ...bytes: number[]])[]): OpenDatabase => {
    const bytes = sound.slice();
    for (const [at, ...values] of edits) {
      bytes.set(values, at);
    }
    return openDatabase({ "a.db": bytes });
  };
  const interior = pageOf(5);

  it("is an error that names the file and the page", async () => {
    const at = (interior - 1) * 512;
    const leaf = pageOf(13);
    const leafAt = (leaf - 1) * 512;
    const cases: readonly (readonly [OpenDatabase, string, string?])[] = [
      [damaged([0, 1, 2, 3]), "a.db: this is no database of SQLite 3, or it is encrypted"],
      [damaged([16, 0, 3]), "a.db: the size of a page cannot be 3 bytes"],
      [damaged([59, 7]), "a.db: the text encoding 7 is unknown"],
      [damaged([18, 9, 9]), "a.db: the file is of a later version of the format"],
      [openDatabase({ "a.db": sound.slice(0, 512 * 6) }), `page`],
      [damaged([at + 8, 0, 0, 0, interior]), `a.db page ${interior}: the pages of a table form a circle`],
      [damaged([at + 8, 0, 0, 255, 255]), "a.db page 65535: the database has"],
      [damaged([at + 12, 0, 3]), `a.db page ${interior}: cell 0 lies outside of the page`],
      [damaged([leafAt, 10]), `a.db page ${leaf}: this is no page of a table: its type is 10`],
      [damaged([leafAt + 3, 255, 255]), `a.db page ${leaf}: a page cannot have 65535 cells`],
      [damaged([100, 0]), "a.db page 1: this is no page of a table: its type is 0"],
    ];
    for (const [database, message] of cases) {
      expect(await failureOf(rowsOf(database, "many"))).toMatch(/^FILE_BAD_DATA: a\.db/);
      expect(await failureOf(rowsOf(database, "many"))).toContain(message);
    }
  });

  it("has no rows that are out of order, or of other values", async () => {
    const leaf = pageOf(13);
    const leafAt = (leaf - 1) * 512;
    const cell = leafAt + ((sound[leafAt + 8] ?? 0) << 8) + (sound[leafAt + 9] ?? 0);
    expect(await failureOf(rowsOf(damaged([cell + 1, 127]), "many"))).toContain("is not in the order of the table");
    expect(await failureOf(rowsOf(damaged([cell + 2, 100]), "many"))).toContain("cannot have a header of 100");
    expect(await failureOf(rowsOf(damaged([cell + 4, 0xb]), "many"))).toContain("the header of a record is damaged");
    expect(await failureOf(rowsOf(damaged([cell + 4, 0x7f]), "many"))).toContain("the values of a record have more than its");
    // The first overflow page follows itself.
    const overflow = sound.length / 512;
    const loop = damaged(...[5, 4, 3, 2, 1, 0].map((back) => [(overflow - back - 1) * 512, 0, 0, 0, overflow - back] as const));
    expect(await failureOf(rowsOf(loop, "long"))).toContain("the pages of a value form a circle");
  });
});
