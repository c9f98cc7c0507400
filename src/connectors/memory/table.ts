/** One table of the memory connector as the coordinator knows it: its columns, where its rows lie, and the changes of its form. Used by catalog.ts. */
import { QueryError } from "../../protocol/errors.ts";
import { ownMember } from "../../types/own.ts";
import type { ColumnMetadata, DefaultValue, Json, SchemaTableName, Split } from "../spi.ts";
import { chunkRows } from "./column-writer.ts";
import type { Owner } from "./part-store.ts";
import { type ColumnSketch, emptySketch, mergeSketches, singleValueSketch } from "./sketch.ts";

/** What a sink leaves behind; the fragment of finishCreate and finishInsert. */
export interface PartFragment {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly part: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sketches: readonly ColumnSketch[];
}

export interface WriteHandle extends SchemaTableName {
  readonly owner: Owner;
  readonly write: number;
  readonly columns: readonly ColumnMetadata[];
  /** Of a new table. */
  readonly comment?: string;
  /** Of a new table: it takes the place of the one that has its name. */
  readonly replace?: true;
  /** Of the table that takes the rows; absent for a new one. */
  readonly id?: number;
  /** Under which names parts keep the columns whose own names are other ones. */
  readonly stored?: StoredNames;
  /** Of a table that was altered: how often. Rows written for an older form are refused. */
  readonly altered?: number;
  /** Of a rewrite, and of an insert that depends on the rows that are there: the changes of rows that it has seen. */
  readonly version?: number;
}

export interface TableHandle extends SchemaTableName {
  readonly id: number;
  readonly stored?: StoredNames;
  readonly absent?: AbsentValues;
}

/** By column name. Names come from statements: ask with ownMember. */
export type StoredNames = Readonly<Record<string, string>>;

/** By stored name: what a column holds in the parts that were written before it was added. NULL for those that are not here. */
export type AbsentValues = Readonly<Record<string, DefaultValue["value"]>>;

export function storedName(stored: StoredNames | undefined, column: string): string {
  return ownMember(stored, column) ?? column;
}

export interface PartSplit {
  readonly nodeId: string;
  readonly incarnation: string;
  readonly part: string;
  readonly firstChunk: number;
  readonly chunkCount: number;
}

export interface Table {
  /** The number of the write that made it: a table of the same name is another table. */
  readonly id: number;
  name: SchemaTableName;
  columns: readonly ColumnMetadata[];
  comment?: string;
  readonly writes: Set<number>;
  parts: PartFragment[];
  sketches: readonly ColumnSketch[];
  /** Columns whose name in the parts is another one: renamed, or added where one of the name had been before. */
  stored: StoredNames;
  absent: AbsentValues;
  /** Counts the changes that rows written for the former form do not fit. */
  altered: number;
  /** Counts the changes of its rows. */
  version: number;
}

const splitsPerPartMax = 100;

export function newTable(write: WriteHandle): Table {
  return {
    id: write.write,
    name: { schema: write.schema, table: write.table },
    columns: write.columns,
    writes: new Set(),
    parts: [],
    sketches: write.columns.map(() => emptySketch),
    stored: {},
    absent: {},
    altered: 0,
    version: 0,
    ...(write.comment !== undefined && { comment: write.comment }),
  };
}

export function rowCount(table: Table): number {
  return table.parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** What a reader needs. Handles of tables that were not altered stay short. */
export function tableHandle(table: Table): Json {
  const { absent, altered, id, name, stored } = table;
  return { ...name, id, ...(altered !== 0 && { stored }), ...(Object.keys(absent).length > 0 && { absent }) };
}

/** What handles say of a table that was altered; handles of others stay as short as they are. */
export function storedNames({ altered, stored }: Table): Pick<WriteHandle, "altered" | "stored"> {
  return altered === 0 ? {} : { stored, altered };
}

export function addRows(table: Table, write: number, fragments: readonly Json[]): void {
  table.writes.add(write);
  table.version++;
  for (const fragment of fragments as unknown as readonly PartFragment[]) {
    if (fragment.rows > 0) {
      table.parts.push(fragment);
      table.sketches = table.sketches.map((sketch, i) => mergeSketches(sketch, fragment.sketches[i] as ColumnSketch));
    }
  }
}

export function clearRows(table: Table): void {
  table.writes.clear();
  table.parts = [];
  table.absent = {};
  table.sketches = table.columns.map(() => emptySketch);
}

export function addColumn(table: Table, column: ColumnMetadata): void {
  const rows = rowCount(table);
  const value = column.defaultValue?.value ?? null;
  table.altered++;
  const stored = `${column.name}#${table.altered}`;
  table.columns = [...table.columns, column];
  table.stored = { ...table.stored, [column.name]: stored };
  if (value !== null && rows > 0) {
    table.absent = { ...table.absent, [stored]: value };
  }
  table.sketches = [...table.sketches, value !== null && rows > 0 ? singleValueSketch : { ...emptySketch, nulls: rows }];
}

export function dropColumn(table: Table, column: string): void {
  const index = table.columns.findIndex(({ name }) => name === column);
  const stored = storedName(table.stored, column);
  table.columns = table.columns.toSpliced(index, 1);
  table.sketches = table.sketches.toSpliced(index, 1);
  table.stored = without(table.stored, column);
  table.absent = without(table.absent, stored);
  table.altered++;
}

export function renameColumn(table: Table, column: string, target: string): void {
  const stored = storedName(table.stored, column);
  table.stored = { ...without(table.stored, column), [target]: stored };
  table.columns = table.columns.map((one) => (one.name === column ? { ...one, name: target } : one));
  table.altered++;
}

export type ColumnAttributes = Pick<ColumnMetadata, "comment" | "defaultValue" | "nullable">;

/** `attributes` stand in the place of what the column has of them; undefined takes one away. */
export function changeColumn(
  table: Table,
  column: string,
  attributes: { readonly [K in keyof ColumnAttributes]: ColumnAttributes[K] | undefined },
): void {
  table.columns = table.columns.map((one) => {
    if (one.name !== column) {
      return one;
    }
    const changed = Object.entries({ ...one, ...attributes }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(changed) as unknown as ColumnMetadata;
  });
}

/** Rows that are written at the moment do not know of it: they are refused when they come. */
export function requireValues(table: Table, column: string): void {
  const sketch = table.sketches[table.columns.findIndex(({ name }) => name === column)];
  if ((sketch?.nulls ?? 0) > 0) {
    throw new QueryError("CONSTRAINT_VIOLATION", `Column '${column}' contains NULL values`);
  }
  changeColumn(table, column, { nullable: false });
  table.altered++;
}

function without<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

export function splitsOf({ nodeId, incarnation, part, rows }: PartFragment): readonly Split[] {
  const chunks = Math.ceil(rows / chunkRows);
  const chunksPerSplit = Math.ceil(chunks / splitsPerPartMax);
  const splits: Split[] = [];
  for (let firstChunk = 0; firstChunk < chunks; firstChunk += chunksPerSplit) {
    const chunkCount = Math.min(chunksPerSplit, chunks - firstChunk);
    const payload: PartSplit = { nodeId, incarnation, part, firstChunk, chunkCount };
    splits.push({
      payload: payload as unknown as Json,
      nodes: [nodeId],
      rows: Math.min(chunkCount * chunkRows, rows - firstChunk * chunkRows),
    });
  }
  return splits;
}
