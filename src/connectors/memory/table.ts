/**
 * One table of the memory connector on the coordinator: its columns, the location of its rows, and its alterations.
 */
import { QueryError } from "../../protocol/errors.ts";
import { ownMember } from "../../types/own.ts";
import type { ColumnMetadata, DefaultValue, Json, Principal, SchemaTableName, Split } from "../spi.ts";
import type { Owner } from "./part-store.ts";
import { type ColumnSketch, emptySketch, mergeSketches, singleValueSketch } from "./sketch.ts";

/** An instance of the catalog that has a part. */
export interface CopyPlace {
  readonly nodeId: string;
  readonly incarnation: string;
}

export interface PartCopy extends CopyPlace {
  /** Incarnation of the node: tells the coordinator whether the instance is still there. */
  readonly life: string;
}

/** The result of a sink: the fragment of finishCreate and finishInsert. */
export interface PartFragment {
  /** The first is on the node that wrote it. */
  readonly copies: readonly PartCopy[];
  readonly part: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sketches: readonly ColumnSketch[];
}

/** The rows of one task of a write. */
export interface StoredPart extends Omit<PartFragment, "copies" | "sketches"> {
  copies: readonly PartCopy[];
  /** The task's number. A scan reads parts of one number in one task, so that a large table is read where its rows are. */
  readonly number: number;
  /** Names of its columns as stored; of all parts of a write the same array. */
  readonly columnNames: readonly string[];
}

export interface WriteHandle extends SchemaTableName {
  readonly owner: Owner;
  readonly write: number;
  readonly columns: readonly ColumnMetadata[];
  /** Copies of each part, and workers that may have the further ones, in their order. */
  readonly replication: number;
  readonly copyNodes: readonly string[];
  /** Of a new table. */
  readonly comment?: string;
  readonly createdBy?: string;
  /** For a new table: it replaces the table of the same name. */
  readonly replace?: true;
  /** Id of the table that takes the rows; absent for a new one. */
  readonly id?: number;
  /** Names in the parts of columns whose own names differ. */
  readonly stored?: StoredNames;
  /** Number of alterations of the table. Rows written for an earlier form are rejected. */
  readonly altered?: number;
  /** For a rewrite, and for an insert that depends on the existing rows: the version of the rows that it has read. */
  readonly version?: number;
}

export interface TableHandle extends SchemaTableName {
  readonly id: number;
  readonly stored?: StoredNames;
  readonly absent?: AbsentValues;
}

/** By column name. Names come from statements: look them up with ownMember. */
export type StoredNames = Readonly<Record<string, string>>;

/** By stored name: the value of a column in parts written before it was added. NULL for columns that are not listed. */
export type AbsentValues = Readonly<Record<string, DefaultValue["value"]>>;

export function storedName(stored: StoredNames | undefined, column: string): string {
  return ownMember(stored, column) ?? column;
}

export interface PartSplit {
  /** Where the part was when the splits were listed. */
  readonly copies: readonly CopyPlace[];
  readonly part: string;
  readonly firstChunk: number;
  readonly chunkCount: number;
  readonly rows: number;
  /** Stored names of columns that were added to the table later. */
  readonly missing?: readonly string[];
}

/** Plain JSON. */
export interface Table {
  /** The number of the write that created it. Another table of the same name has another id. */
  readonly id: number;
  name: SchemaTableName;
  columns: readonly ColumnMetadata[];
  comment?: string;
  /** Absent for tables of former versions. */
  readonly owner?: Principal;
  writes: number[];
  parts: StoredPart[];
  sketches: readonly ColumnSketch[];
  /** Columns with a different name in the parts: renamed, or added after another column of the name was dropped. */
  stored: StoredNames;
  absent: AbsentValues;
  /** Number of alterations that make rows written for the former form invalid. */
  altered: number;
  /** Number of changes of its rows. */
  version: number;
}

export function newTable(write: WriteHandle): Table {
  return {
    id: write.write,
    name: { schema: write.schema, table: write.table },
    columns: write.columns,
    writes: [],
    parts: [],
    sketches: write.columns.map(() => emptySketch),
    stored: {},
    absent: {},
    altered: 0,
    version: 0,
    ...(write.comment !== undefined && { comment: write.comment }),
    ...(write.createdBy !== undefined && { owner: { type: "USER", name: write.createdBy } }),
  };
}

export function tableNotFound(catalog: string, { schema, table }: SchemaTableName): QueryError {
  return new QueryError("TABLE_NOT_FOUND", `Table '${catalog}.${schema}.${table}' does not exist`);
}

export function rowCount(table: Table): number {
  return table.parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** Handle for a reader. Handles of tables that were never altered stay short. */
export function tableHandle(table: Table): Json {
  const { absent, altered, id, name, stored } = table;
  return { ...name, id, ...(altered !== 0 && { stored }), ...(Object.keys(absent).length > 0 && { absent }) };
}

/** Part of a handle that describes alterations; empty for a table that was never altered. */
export function storedNames({ altered, stored }: Table): Pick<WriteHandle, "altered" | "stored"> {
  return altered === 0 ? {} : { stored, altered };
}

/** A table to make changes of, and to put in the place of the other. */
export function draftOf(table: Table): Table {
  return { ...table, writes: [...table.writes], parts: [...table.parts] };
}

export function addRows(table: Table, write: number, fragments: readonly PartFragment[]): void {
  const columnNames = table.columns.map(({ name }) => storedName(table.stored, name));
  table.writes.push(write);
  table.version++;
  for (const [number, fragment] of fragments.entries()) {
    if (fragment.rows > 0) {
      const { sketches, ...part } = fragment;
      table.parts.push({ ...part, number, columnNames });
      table.sketches = table.sketches.map((sketch, i) => mergeSketches(sketch, sketches[i] as ColumnSketch));
    }
  }
}

export function clearRows(table: Table): void {
  table.writes = [];
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

/** `attributes` replace those of the column; undefined removes one. */
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

/** Writes in progress do not know of the constraint: their rows are rejected when they finish. */
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

export function splitsOf(
  table: Table,
  { columnNames, number, part, rows }: StoredPart,
  { chunkRows, copies, splitsMax }: { readonly chunkRows: number; readonly copies: readonly CopyPlace[]; readonly splitsMax: number },
): readonly Split[] {
  const places = copies.map(({ incarnation, nodeId }) => ({ nodeId, incarnation }));
  const nodes = places.map(({ nodeId }) => nodeId);
  const missing = table.columns.map(({ name }) => storedName(table.stored, name)).filter((name) => !columnNames.includes(name));
  const chunks = Math.ceil(rows / chunkRows);
  const chunksPerSplit = Math.ceil(chunks / splitsMax);
  const splits: Split[] = [];
  for (let firstChunk = 0; firstChunk < chunks; firstChunk += chunksPerSplit) {
    const chunkCount = Math.min(chunksPerSplit, chunks - firstChunk);
    const splitRows = Math.min(chunkCount * chunkRows, rows - firstChunk * chunkRows);
    const place = { copies: places, part, firstChunk, chunkCount, rows: splitRows };
    const payload: PartSplit = missing.length === 0 ? place : { ...place, missing };
    splits.push({ payload: payload as unknown as Json, nodes, group: number, rows: splitRows });
  }
  return splits;
}
