/**
 * Databases that SQLite wrote, altered: every table is read, and gives rows, or an error of the file that names it. Edits of pages keep the
 * rest of the structure, so that they reach the walks along trees, the records and the chains of overflow pages.
 */
import { gunzipSync } from "node:zlib";
import beside from "../../../../unit/connectors/sqlite/beside.json" with { type: "json" };
import { written } from "../../../../support/programs/sqlite.ts";
import { openDatabase, rowsOf } from "../../../../unit/connectors/sqlite/databases.ts";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited, shownBytes, smallerBytes } from "../bytes.ts";
import { type FuzzTarget, judgedRefusal, type Verdict } from "../target.ts";

interface DatabaseInput {
  readonly bytes: Uint8Array;
  readonly log?: Uint8Array;
}

const statements = (pageSize: number, encoding: string): string => `PRAGMA page_size = ${pageSize}; PRAGMA encoding = '${encoding}';
  CREATE TABLE plain (id INTEGER PRIMARY KEY, a TEXT, n INT, r REAL, d DECIMAL(10,2), day DATE, b BLOB);
  INSERT INTO plain WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 300)
    SELECT i * 3, 'text ' || i, i * i * i * i, i / 7.0, i * 0.25, date('2020-01-01', i || ' days'), zeroblob(i % 20) FROM c;
  CREATE TABLE keyed (x TEXT, y INT, z TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID; INSERT INTO keyed SELECT a, n % 97, hex(b) FROM plain;
  CREATE TABLE long (a TEXT, b BLOB); INSERT INTO long VALUES (hex(zeroblob(3000)), zeroblob(5000)), ('short', zeroblob(2000));
  ALTER TABLE keyed ADD COLUMN more TEXT DEFAULT 'none'; CREATE INDEX i ON plain (n); CREATE VIEW v AS SELECT 1; ANALYZE`;

function seeds(): readonly DatabaseInput[] {
  const { "a.db": bytes, "a.db-wal": log } = beside.log;
  const unpacked = (text: string): Uint8Array => new Uint8Array(gunzipSync(Buffer.from(text, "base64")));
  return [
    ...[512, 1024, 4096].map((size) => ({ bytes: written((database) => database.exec(statements(size, "UTF-8"))) })),
    { bytes: written((database) => database.exec(statements(512, "UTF-16le"))) },
    { bytes: unpacked(bytes), log: unpacked(log) },
  ];
}

const pageTypes = [2, 5, 10, 13];
const words = [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff];

/** A field of a page's header, a pointer, a child, or the first bytes of a cell. */
function editPage(random: Random, bytes: Uint8Array): Uint8Array {
  const stored = ((bytes[16] ?? 0) << 8) | (bytes[17] ?? 0);
  const size = stored === 1 || stored < 512 ? 512 : stored;
  const count = Math.max(1, Math.floor(bytes.length / size));
  const number = random.below(count);
  const page = number * size;
  const header = page + (number === 0 ? 100 : 0);
  const out = bytes.slice();
  const put = (at: number, ...values: readonly number[]): void => values.forEach((value, index) => (out[at + index] = value));
  const pageNumber = (): readonly number[] => [0, 0, 0, random.below(Math.min(256, count + 2))];
  const cell = (): number => {
    const pointer = header + (random.chance(50) ? 8 : 12) + 2 * random.below(4);
    return page + (((bytes[pointer] ?? 0) << 8) | (bytes[pointer + 1] ?? 0));
  };
  switch (random.below(8)) {
    case 0:
      put(header, random.pick(pageTypes));
      break;
    case 1: {
      const word = random.pick(words);
      put(header + 3, word >> 8, word & 255);
      break;
    }
    case 2:
      put(header + 8, ...pageNumber());
      break;
    case 3: {
      const word = random.below(size + 10);
      put(header + 8 + 2 * random.below(8), word >> 8, word & 255);
      break;
    }
    case 4:
      put(cell(), ...pageNumber());
      break;
    case 5:
      put(cell() + random.below(8), random.pick(words) & 255);
      break;
    case 6:
      // An overflow page, or any other, begins with another number.
      put(page, ...pageNumber());
      break;
    default:
      out.copyWithin(page, random.below(count) * size, random.below(count) * size + size);
  }
  return out.subarray(0, bytes.length);
}

const refusals: ReadonlySet<string> = new Set(["FILE_BAD_DATA", "NOT_SUPPORTED"]);

class SqliteTarget implements FuzzTarget<DatabaseInput> {
  readonly #seeds = seeds();

  draw(random: Random): DatabaseInput {
    let { bytes, log } = random.pick(this.#seeds);
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
      if (log !== undefined && log.length > 0 && random.chance(50)) {
        log = edited(log, drawByteEdit(random, log));
      } else {
        bytes = random.chance(70) ? editPage(random, bytes) : edited(bytes, drawByteEdit(random, bytes));
      }
    }
    return { bytes, ...(log !== undefined && { log }) };
  }

  async run({ bytes, log }: DatabaseInput): Promise<Verdict> {
    const database = openDatabase({ "a.db": bytes, ...(log !== undefined && { "a.db-wal": log }) });
    const { metadata } = database.node.connector;
    const outcomes = new Set<string>();
    let tables: readonly string[] = [];
    const verdict = async (work: Promise<unknown>): Promise<Verdict | undefined> => {
      try {
        await work;
        outcomes.add("rows");
        return undefined;
      } catch (error) {
        return judged(error);
      }
    };
    const listed = await verdict(metadata.listTables("main").then((names) => (tables = names)));
    if (listed !== undefined) {
      return listed;
    }
    for (const table of tables) {
      const failed = await verdict(
        rowsOf(database, table).then(async () => {
          const found = await metadata.getTable({ schema: "main", table });
          return found && metadata.getStatistics?.(found);
        }),
      );
      if (failed?.fault !== undefined) {
        return failed;
      }
      outcomes.add(failed?.outcome ?? "rows");
    }
    return { outcome: [...outcomes].toSorted().join(" and ") };
  }

  *smaller({ bytes, log }: DatabaseInput): Iterable<DatabaseInput> {
    if (log !== undefined) {
      yield { bytes };
    }
    for (const smaller of smallerBytes(bytes)) {
      yield { bytes: smaller, ...(log !== undefined && { log }) };
    }
  }

  show({ bytes, log }: DatabaseInput): string {
    return `a.db: ${shownBytes(bytes)}${log === undefined ? "" : `\na.db-wal: ${shownBytes(log)}`}`;
  }
}

function judged(error: unknown): Verdict {
  return judgedRefusal(error, {
    names: refusals,
    unlike: (errorName, message) => (errorName === "NOT_SUPPORTED" || message.includes("a.db") ? undefined : "does not name the file"),
  });
}

export function openSqlite(): FuzzTarget<DatabaseInput> {
  return new SqliteTarget();
}
