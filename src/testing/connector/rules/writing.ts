/** What a connector that can write does with rows: all of them become visible, or none. */
import type { ColumnMetadata, ConnectorMetadata, Json } from "../../../connectors/spi.ts";
import { PageBuilder } from "../../../page/builder.ts";
import { BIGINT, VARCHAR } from "../../../types/type.ts";
import { BrokenRule, mustHold } from "../options.ts";
import { cellText } from "../pages.ts";
import { catalogName, quoted, type Subject, throughJson } from "../subject.ts";
import type { Rule } from "./rule.ts";

export const writtenTable = "orrery_kit_written";
const table = writtenTable;
const rows = "(VALUES (BIGINT '1', VARCHAR 'one'), (2, 'zwei äöü'), (NULL, NULL), (-9007199254740993, ''))";
const expected = ['"-9007199254740993", ""', '"1", "one"', '"2", "zwei äöü"', "null, null"];

async function schemaOf(subject: Subject): Promise<string> {
  const { writesTo } = subject.options;
  if (writesTo !== undefined) {
    return writesTo;
  }
  const [first] = await (await subject.metadata()).listSchemas();
  mustHold(first !== undefined, () => "the connector can write and lists no schema; name one in 'writesTo'");
  return first;
}

/** Why the connector is not asked to write; undefined if it can. */
async function cannotWrite(subject: Subject): Promise<string | undefined> {
  const { connector } = await subject.coordinator();
  const { beginCreate, dropTable, finishCreate } = connector.metadata;
  const can = [beginCreate, finishCreate, dropTable, connector.createPageSink].every((one) => one !== undefined);
  return can ? undefined : "the connector does not create and drop tables";
}

async function contentOf(subject: Subject, name: string): Promise<readonly string[]> {
  const found = await subject.query(`SELECT * FROM ${name}`);
  return found.rows.map((row) => row.map(cellText).join(", ")).toSorted();
}

export async function requireContent(subject: Subject, name: string, wanted: readonly string[], when: string): Promise<void> {
  const found = await contentOf(subject, name);
  const text = (list: readonly string[]): string => list.map((row) => `(${row})`).join(" ");
  mustHold(
    found.join("\n") === wanted.toSorted().join("\n"),
    () => `after ${when} the table has the rows ${text(found)}, not ${text(wanted)}`,
  );
}

async function failing(subject: Subject, sql: string): Promise<void> {
  const failed = await subject.query(sql).then(
    () => false,
    () => true,
  );
  mustHold(failed, () => `a statement that divides by zero in its last row succeeded: ${sql}`);
}

/** Rows that are produced until one cannot be. */
const brokenRows = "SELECT CAST(1 / (9 - n) AS bigint), CAST(n AS varchar) FROM TABLE(sequence(1, 9)) AS t (n)";

/** Where a rule writes. `name`: of the table, in SQL. */
export interface WritingPlace {
  readonly metadata: ConnectorMetadata;
  readonly schema: string;
  readonly name: string;
}

/** A rule for connectors that create and drop tables. */
export function writingRule(name: string, check: (subject: Subject, place: WritingPlace) => Promise<void>): Rule {
  return {
    name,
    async check(subject) {
      const reason = await cannotWrite(subject);
      if (reason === undefined) {
        const schema = await schemaOf(subject);
        const { metadata } = (await subject.coordinator()).connector;
        await check(subject, { metadata, schema, name: `${quoted(schema)}.${quoted(table)}` });
      }
      return reason;
    },
  };
}

const readBack = writingRule("what is written is read back", async (subject, { metadata, name, schema }) => {
  await subject.query(`DROP TABLE IF EXISTS ${name}`);
  await subject.query(`CREATE TABLE ${name} AS SELECT * FROM ${rows} AS t (number, text)`);
  await requireContent(subject, name, expected, "CREATE TABLE AS");
  const listed = await metadata.listTables(schema);
  mustHold(listed.includes(table), () => "a table that was created is not listed");
  await requireTaken(subject, schema);
  if (metadata.beginInsert !== undefined) {
    await subject.query(`INSERT INTO ${name} SELECT * FROM ${rows} AS t (number, text)`);
    await requireContent(subject, name, [...expected, ...expected], "INSERT");
  }
  await subject.query(`DROP TABLE ${name}`);
  mustHold(!(await metadata.listTables(schema)).includes(table), () => "a table that was dropped is still listed");
});

async function requireTaken(subject: Subject, schema: string): Promise<void> {
  const { metadata } = (await subject.coordinator()).connector;
  const columns = [
    { name: "number", type: BIGINT },
    { name: "text", type: VARCHAR },
  ];
  try {
    const handle = (await metadata.beginCreate?.({ schema, table }, columns)) as Json;
    await metadata.finishCreate?.(handle, []);
  } catch (error) {
    const name = (error as { readonly errorName?: string }).errorName ?? String(error);
    mustHold(name === "TABLE_ALREADY_EXISTS", () => `beginCreate for a table that exists fails with ${name}, not TABLE_ALREADY_EXISTS`);
    return;
  }
  throw new BrokenRule("beginCreate and finishCreate for a table that exists do not fail with TABLE_ALREADY_EXISTS");
}

const leavesNothing = writingRule("a write that fails leaves nothing", async (subject, { metadata, name, schema }) => {
  const isThere = async (): Promise<boolean> =>
    (await metadata.listTables(schema)).includes(table) || (await metadata.getTable({ schema, table })) !== undefined;
  await subject.query(`DROP TABLE IF EXISTS ${name}`);
  await failing(
    subject,
    `CREATE TABLE ${name} AS ${brokenRows.replace("bigint)", "bigint) AS number").replace("varchar)", "varchar) AS text")}`,
  );
  mustHold(!(await isThere()), () => "CREATE TABLE AS failed, and the table is there");
  await subject.query(`CREATE TABLE ${name} AS SELECT * FROM ${rows} AS t (number, text)`);
  if (metadata.beginInsert !== undefined) {
    await failing(subject, `INSERT INTO ${name} ${brokenRows}`);
    await requireContent(subject, name, expected, "an INSERT that failed");
  }
  await subject.query(`DROP TABLE ${name}`);
  await abortByHand({ subject, schema });
  mustHold(!(await isThere()), () => "abortWrite left the table");
});

/** One task is aborted with rows, another has finished; then the write is aborted, twice. */
async function abortByHand({ schema, subject }: { readonly subject: Subject; readonly schema: string }): Promise<void> {
  const { metadata } = (await subject.coordinator()).connector;
  const given = [
    { name: "number", type: BIGINT },
    { name: "text", type: VARCHAR },
  ];
  const { columns } = metadata.planCreate?.(given, {}) ?? { columns: given };
  const handle = throughJson((await metadata.beginCreate?.({ schema, table }, columns)) as Json);
  await writeTask({ subject, handle, columns, task: 0, isAborted: true });
  await writeTask({ subject, handle, columns, task: 1, isAborted: false });
  mustHold(metadata.abortWrite !== undefined, () => "the connector can create tables and has no abortWrite");
  await metadata.abortWrite(handle);
  await metadata.abortWrite(handle);
}

interface Task {
  readonly subject: Subject;
  readonly handle: Json;
  readonly columns: readonly ColumnMetadata[];
  readonly task: number;
  readonly isAborted: boolean;
}

/** Two rows by way of a sink on a worker. Returns what finishes the write; null if the task is aborted. */
export async function writeTask({ columns, handle, isAborted, subject, task }: Task): Promise<Json> {
  const { connector, context } = await subject.worker();
  const pages = context.memory.child("pages");
  const memory = context.memory.child("check");
  const builder = new PageBuilder(
    columns.map(({ type }) => type),
    pages,
  );
  const sink = connector.createPageSink?.({ handle, columns, taskId: `${catalogName}.1.${task}`, memory });
  for (const id of [1n, 2n]) {
    builder.appendBigint(0, id);
    builder.appendString(1, `number ${id}`);
  }
  await sink?.blocked();
  sink?.append(builder.build());
  builder.close();
  pages.close();
  let fragment: Json = null;
  if (isAborted) {
    sink?.abort();
    const left = memory.reservedBytes;
    mustHold(left === 0, () => `${left} bytes of memory are still reserved after abort() of a sink`);
  } else {
    fragment = (await sink?.finish()) ?? null;
  }
  memory.close();
  return fragment;
}

/** More rows than are written before the statement is cancelled. */
const endlessRows = "SELECT CAST(n AS bigint) AS number, CAST(n AS varchar) AS text FROM TABLE(sequence(1, 1000000000)) AS t (n)";
/** Before anything is written, probably, and while rows are. */
const cancelledAfterMs = [1, 60] as const;

const cancelledWrite = writingRule("a write that is cancelled leaves nothing", async (subject, { metadata, name, schema }) => {
  const before = await metadata.listTables(schema);
  for (const afterMs of cancelledAfterMs) {
    await subject.cancelled(`CREATE TABLE ${name} AS ${endlessRows}`, afterMs);
    const left = async (): Promise<readonly string[]> => (await metadata.listTables(schema)).filter((one) => !before.includes(one));
    await subject.until(async () => (await left()).length === 0);
    const names = await left();
    mustHold(names.length === 0, () => `CREATE TABLE AS was cancelled, and there are the tables ${names.join(", ")}`);
  }
  if (metadata.beginInsert !== undefined) {
    await subject.query(`CREATE TABLE ${name} AS SELECT * FROM ${rows} AS t (number, text)`);
    for (const afterMs of cancelledAfterMs) {
      await subject.cancelled(`INSERT INTO ${name} ${endlessRows}`, afterMs);
      await requireContent(subject, name, expected, "an INSERT that was cancelled");
    }
    await subject.query(`INSERT INTO ${name} SELECT * FROM ${rows} AS t (number, text)`);
    await requireContent(subject, name, [...expected, ...expected], "an INSERT after one that was cancelled");
    await subject.query(`DROP TABLE ${name}`);
  }
});

export const writingRules: readonly Rule[] = [readBack, leavesNothing, cancelledWrite];
