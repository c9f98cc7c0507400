/** Names, columns, splits and statistics. */
import { isDeepStrictEqual } from "node:util";
import type { ColumnMetadata, ConnectorMetadata, Split, TableMetadata } from "../../../connectors/spi.ts";
import { sqlTypeText } from "../../../types/type.ts";
import { mustHold } from "../options.ts";
import type { ReadRow } from "../pages.ts";
import { type Subject, tableText } from "../subject.ts";
import { type Rule, sameJson, shown } from "./rule.ts";

/** Names that a careless map finds, and names that no table has. */
const oddNames: readonly string[] = [
  "__proto__",
  "constructor",
  "tostring",
  "hasownproperty",
  "",
  " ",
  "a.b",
  "a/../b",
  'a"b',
  "no_such_name",
  "ä%_",
];
/** Bounds within which an estimated number of rows is one. */
const estimateFactor = 10;
const estimateRows = 1000;

function requireSorted(names: readonly string[], what: string): void {
  names.forEach((name, index) => {
    const before = names[index - 1];
    mustHold(before === undefined || before < name, () => `${what} are not sorted, or twice: '${before}' is before '${name}'`);
  });
}

async function checkListings(metadata: ConnectorMetadata): Promise<void> {
  const schemas = await metadata.listSchemas();
  requireSorted(schemas, "listSchemas: names");
  mustHold(!schemas.includes("information_schema"), () => "listSchemas has information_schema, which the engine adds");
  mustHold(isDeepStrictEqual(schemas, await metadata.listSchemas()), () => "listSchemas answers differently when it is asked again");
  for (const schema of schemas) {
    mustHold(schema === schema.toLowerCase(), () => `the name of the schema '${schema}' is not in lower case`);
    mustHold((await metadata.hasSchema?.(schema)) !== false, () => `hasSchema denies '${schema}', which is listed`);
    const tables = await metadata.listTables(schema);
    requireSorted(tables, `listTables('${schema}'): names`);
    mustHold(
      isDeepStrictEqual(tables, await metadata.listTables(schema)),
      () => `listTables('${schema}') answers differently when it is asked again`,
    );
  }
}

/** Only tables that are read: a connector may list very many. */
async function checkListed(subject: Subject): Promise<void> {
  const metadata = await subject.metadata();
  const isAll = subject.options.tables === undefined;
  const schemas = isAll ? await metadata.listSchemas() : [...new Set((await subject.tables()).map(({ name }) => name.schema))];
  for (const schema of schemas) {
    const names = await metadata.listTables(schema);
    for (const table of isAll ? names : names.filter((name) => subject.options.tables?.includes(`${schema}.${name}`))) {
      const name = { schema, table };
      const found = (await metadata.getTable(name)) ?? (await metadata.getView?.(name));
      mustHold(found !== undefined, () => `listTables has '${schema}.${table}', and neither getTable nor getView knows it`);
    }
  }
}

async function checkUnknown(metadata: ConnectorMetadata): Promise<void> {
  const schemas = await metadata.listSchemas();
  const tables = new Map<string, readonly string[]>();
  for (const schema of [...schemas.slice(0, 1), ...oddNames]) {
    const found = await metadata.listTables(schema);
    mustHold(Array.isArray(found), () => `listTables('${schema}') is no list`);
    mustHold(schemas.includes(schema) || found.length === 0, () => `listTables('${schema}') has tables, and there is no such schema`);
    tables.set(schema, found);
  }
  for (const odd of oddNames.filter((name) => !schemas.includes(name))) {
    mustHold(
      metadata.hasSchema === undefined || !(await metadata.hasSchema(odd)),
      () => `hasSchema('${odd}') is true, and it is not listed`,
    );
  }
  for (const [schema, names] of tables) {
    // Where tables are named by paths, another path is another file, or an error.
    const odd = metadata.hasPaths === true ? oddNames.filter((name) => !/[./]/.test(name)) : oddNames;
    for (const table of odd.filter((name) => !names.includes(name))) {
      const found = await metadata.getTable({ schema, table });
      mustHold(found === undefined, () => `getTable('${schema}', '${table}') is not undefined, and there is no such table`);
      const view = await metadata.getView?.({ schema, table });
      mustHold(view === undefined, () => `getView('${schema}', '${table}') is not undefined, and there is no such view`);
    }
  }
}

async function checkColumns(subject: Subject): Promise<void> {
  const metadata = await subject.metadata();
  for (const table of await subject.tables()) {
    const name = tableText(table);
    const again = (await metadata.getTable(table.name)) as TableMetadata;
    mustHold(isDeepStrictEqual(again.name, table.name), () => `${name}: getTable gives the name ${shown(again.name)}`);
    mustHold(sameJson(table.columns, again.columns), () => `${name}: getTable gives other columns when it is asked again`);
    mustHold(again.columns.length > 0, () => `${name} has no columns`);
    const names = again.columns.map((column) => column.name);
    for (const [index, column] of again.columns.entries()) {
      mustHold(names.indexOf(column.name) === index, () => `${name} has two columns '${column.name}'`);
      mustHold(column.name === column.name.toLowerCase(), () => `${name}: the name of the column '${column.name}' is not in lower case`);
      mustHold(column.name !== "", () => `${name}: the name of column ${index} is empty`);
      requireType(name, column);
    }
    for (const key of again.uniqueKeys ?? []) {
      mustHold(
        key.length > 0 && key.every((one) => names.includes(one)),
        () => `${name}: a unique key names ${shown(key)}, which are no columns`,
      );
    }
    requirePlain(again.handle, `${name}: the handle`);
  }
}

function requireType(table: string, { name, type }: ColumnMetadata): void {
  let text = "";
  try {
    text = sqlTypeText(type);
  } catch {
    // What follows names it.
  }
  mustHold(text !== "" && text !== "undefined", () => `${table}: the type of the column '${name}' is ${shown(type)}, which is none`);
  mustHold(type.kind !== "function", () => `${table}: the column '${name}' is a function, which pages cannot hold`);
}

/** undefined, bigint, functions, dates and class instances do not survive the way to another node. */
function requirePlain(value: unknown, what: string): void {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(value) ?? "null");
  } catch (error) {
    copy = error;
  }
  mustHold(isDeepStrictEqual(copy, value), () => `${what} is not plain JSON: ${shown(copy)} arrives at another node`);
}

async function checkSplits(subject: Subject): Promise<void> {
  const { connector } = await subject.coordinator();
  for (const table of await subject.tables()) {
    const name = tableText(table);
    const list = await connector.getSplits(table, table.columns);
    const splits = [...list];
    mustHold(list.length === splits.length, () => `${name}: the length of the splits is ${list.length}, and there are ${splits.length}`);
    splits.forEach((split, index) => {
      requirePlain(split.payload, `${name}: the payload of split ${index}`);
      mustHold(sameJson(list.at(index), split), () => `${name}: at(${index}) is another split than the one of the iteration`);
      requireSplitNumbers(name, split, index);
    });
    mustHold(list.at(splits.length) === undefined, () => `${name}: there is a split behind the last one`);
    const again = await subject.splitsOf(table);
    mustHold(sameJson(splits, again), () => `${name}: getSplits gives other splits, or in another order, when it is asked again`);
  }
}

function requireSplitNumbers(table: string, { bytes, group, nodes, rows }: Split, index: number): void {
  for (const [what, number] of Object.entries({ bytes, rows })) {
    mustHold(
      number === undefined || (Number.isFinite(number) && number >= 0),
      () => `${table}: '${what}' of split ${index} is ${number}; it is a number from 0 on, or absent`,
    );
  }
  mustHold(group === undefined || (Number.isInteger(group) && group >= 0), () => `${table}: the group of split ${index} is ${group}`);
  mustHold(nodes === undefined || nodes.length > 0, () => `${table}: split ${index} can be read on no node`);
}

async function checkStatistics(subject: Subject): Promise<string | undefined> {
  const metadata = await subject.metadata();
  if (metadata.getStatistics === undefined) {
    return "the connector has no getStatistics";
  }
  for (const table of await subject.tables()) {
    const name = tableText(table);
    const { columns, rowCount } = await metadata.getStatistics(table);
    const rows = await subject.rowsOf(table);
    if (rowCount !== undefined) {
      const isNear =
        Math.abs(rowCount - rows.length) <= estimateRows && (rowCount > 0 || rows.length === 0)
          ? true
          : rowCount >= rows.length / estimateFactor && rowCount <= rows.length * estimateFactor;
      mustHold(rowCount >= 0 && isNear, () => `${name}: rowCount is ${rowCount}, and there are ${rows.length} rows`);
    }
    for (const [column, found] of Object.entries(columns)) {
      const index = table.columns.findIndex((one) => one.name === column);
      mustHold(index >= 0, () => `${name}: statistics name a column '${column}', which there is not`);
      requireColumnStatistics(`${name}.${column}`, found, { rows, index, column: table.columns[index] as ColumnMetadata });
    }
  }
  return undefined;
}

interface ColumnRows {
  readonly rows: readonly ReadRow[];
  readonly index: number;
  readonly column: ColumnMetadata;
}

type Statistics = Awaited<ReturnType<NonNullable<ConnectorMetadata["getStatistics"]>>>["columns"][string];

function requireColumnStatistics(name: string, found: Statistics, { column, index, rows }: ColumnRows): void {
  const { averageBytes, distinctValues, high, low, nullsFraction } = found;
  for (const [what, number] of Object.entries({ averageBytes, distinctValues, nullsFraction })) {
    mustHold(number === undefined || (Number.isFinite(number) && number >= 0), () => `${name}: '${what}' is ${number}`);
  }
  mustHold(nullsFraction === undefined || nullsFraction <= 1, () => `${name}: 'nullsFraction' is ${nullsFraction}; it is 0 to 1`);
  if (low === undefined && high === undefined) {
    return;
  }
  mustHold((low ?? -Infinity) <= (high ?? Infinity), () => `${name}: 'low' ${low} is above 'high' ${high}`);
  const divisor = column.type.kind === "decimal" ? 10 ** column.type.scale : 1;
  for (const { values } of rows) {
    const value = values[index];
    const number = typeof value === "bigint" || typeof value === "number" ? Number(value) / divisor : Number.NaN;
    mustHold(
      Number.isNaN(number) || ((low ?? -Infinity) <= number && number <= (high ?? Infinity)),
      () => `${name}: 'low' and 'high' are ${low} and ${high}, and a row has ${number}: the planner would take it for none`,
    );
  }
}

/** A rule over what the coordinator asks. */
function rule(name: string, check: (subject: Subject) => Promise<string | undefined | void>): Rule {
  return { name, check: async (subject) => (await check(subject)) ?? undefined };
}

export const metadataRules: readonly Rule[] = [
  rule("schemas and tables are listed in order, each once", async (subject) => checkListings(await subject.metadata())),
  rule("tables that are listed exist", checkListed),
  rule("unknown and odd names are no tables", async (subject) => checkUnknown(await subject.metadata())),
  rule("columns have types and names of their own", checkColumns),
  rule("splits are plain data in the same order each time", checkSplits),
  rule("statistics are near the truth", checkStatistics),
];
