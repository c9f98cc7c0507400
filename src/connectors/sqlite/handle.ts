/** Tables and their parts, as plans and tasks name them: plain JSON. */
import { QueryError } from "../../protocol/errors.ts";
import { type DomainValue, type Range } from "../../types/domain/range.ts";
import type { TupleDomain } from "../../types/domain/tuple-domain.ts";
import { BIGINT, displayType, VARCHAR } from "../../types/type.ts";
import type { ColumnMetadata, Json, TableMetadata } from "../table-metadata.ts";
import type { ChildRange, RowidRange, Tree } from "./format/b-tree.ts";
import { attributesOf } from "../shared/remote/column-attributes.ts";
import { isSameName, type Literal } from "./create-table.ts";
import { narrowed } from "./format/numbers.ts";
import type { StoredColumn, StoredTable } from "./schema.ts";
import type { SnapshotId } from "./format/snapshot.ts";
import { type Affinity, affinityOf, typeOf } from "./types.ts";

/** Hidden column of all tables that have row ids. */
const rowidColumnName = "$rowid";

export interface HandleColumn {
  readonly name: string;
  /** Index in the record; "rowid" for a name of the row id, "virtual" for a column that SQLite computes. */
  readonly field: number | "rowid" | "virtual";
  readonly affinity: Affinity;
  /** Of rows that are older than the column. */
  readonly defaultValue?: Literal;
}

export interface TableHandle {
  readonly path: string;
  readonly table: string;
  readonly tree: Tree;
  readonly columns: readonly HandleColumn[];
  /** Changes with the schema. */
  readonly schemaCookie: number;
  /** The first rows only, in one split. */
  readonly limit?: number;
}

export interface SplitPayload {
  readonly snapshot: SnapshotId;
  /** Decimal digits. */
  readonly low?: string;
  readonly high?: string;
  readonly children?: ChildRange;
}

export function handleOf(json: Json): TableHandle {
  return json as unknown as TableHandle;
}

export function describedTable(
  name: TableMetadata["name"],
  table: StoredTable,
  { path, schemaCookie, isAllVarchar }: { readonly path: string; readonly schemaCookie: number; readonly isAllVarchar: boolean },
): TableMetadata {
  const { definition, tree } = table;
  const isKey = ({ name: column }: StoredColumn): boolean => definition.primaryKey.some((key) => isSameName(key, column));
  const columns = table.columns.map((column) => columnOf(column, isAllVarchar, !definition.hasRowid && isKey(column)));
  const rowid: HandleColumn = { name: rowidColumnName, field: "rowid", affinity: "INTEGER" };
  const handleColumns = [...table.columns.map(handleColumn), ...(definition.hasRowid ? [rowid] : [])];
  const names = new Set(columns.map((column) => column.name));
  if (names.size < columns.length || names.has("")) {
    throw new QueryError("NOT_SUPPORTED", `Table '${name.table}' has columns of the same name without regard to case`);
  }
  const handle: TableHandle = { path, table: table.name, tree, columns: handleColumns, schemaCookie };
  const key = definition.rowidColumn?.toLowerCase();
  return {
    name,
    columns: [...columns, ...(definition.hasRowid ? [{ name: rowidColumnName, type: BIGINT, hidden: true }] : [])],
    handle: handle as unknown as Json,
    ...(key !== undefined && { uniqueKeys: [[key]] }),
  };
}

/** Keys of tables with row ids may have NULLs, other than those that are the row id. */
function columnOf({ name, type: written, ...column }: StoredColumn, isAllVarchar: boolean, isKey: boolean): ColumnMetadata {
  const isVirtual = column.isVirtual === true;
  const isRowid = column.field === undefined && !isVirtual;
  const type = isRowid ? BIGINT : isAllVarchar ? VARCHAR : typeOf(written);
  const { defaultValue } = column;
  const hasText = defaultValue?.kind === "number" || defaultValue?.kind === "text";
  return {
    name: name.toLowerCase(),
    type,
    ...attributesOf({
      comment: isVirtual ? "cannot be read: only SQLite can compute it" : undefined,
      isRequired: isRowid || isKey || column.isRequired === true,
      type,
      defaultText: hasText ? defaultValue.text : undefined,
    }),
  };
}

function handleColumn({ name, type, field, isVirtual, defaultValue }: StoredColumn): HandleColumn {
  return {
    name: name.toLowerCase(),
    field: isVirtual === true ? "virtual" : (field ?? "rowid"),
    affinity: affinityOf(type),
    ...(defaultValue !== undefined && { defaultValue }),
  };
}

/** The columns of a request, in its order. Throws NOT_SUPPORTED for one that cannot be read. */
export function columnsOf({ columns, table }: TableHandle, requested: readonly ColumnMetadata[]): readonly HandleColumn[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return requested.flatMap(({ name, type }) => {
    const column = byName.get(name);
    if (column?.field === "virtual") {
      throw new QueryError(
        "NOT_SUPPORTED",
        `Column '${name}' (${displayType(type)}) of table '${table}' is computed by SQLite when it is read`,
      );
    }
    return column ?? [];
  });
}

/** The row ids that the constraint allows, by its columns that are names of them; undefined if there are none. */
export function rowidRangeOf({ columns }: TableHandle, summary: TupleDomain): RowidRange | undefined {
  let range: RowidRange = {};
  for (const { name, field } of columns) {
    const domain = field === "rowid" ? summary.domainOf(name) : undefined;
    if (domain !== undefined) {
      const { span } = domain.values;
      if (span === undefined) {
        return undefined;
      }
      range = intersected(range, inclusive(span));
    }
  }
  return isEmpty(range) ? undefined : range;
}

/** Both ends of a range of integers, included. */
function inclusive({ low, high }: Range): RowidRange {
  const bound = (value: DomainValue, step: bigint): bigint | number => narrowed(BigInt(value) + step);
  return {
    ...(low !== undefined && { low: bound(low.value, low.inclusive ? 0n : 1n) }),
    ...(high !== undefined && { high: bound(high.value, high.inclusive ? 0n : -1n) }),
  };
}

export function intersected(one: RowidRange, other: RowidRange): RowidRange {
  const low = one.low === undefined || (other.low !== undefined && other.low > one.low) ? other.low : one.low;
  const high = one.high === undefined || (other.high !== undefined && other.high < one.high) ? other.high : one.high;
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

export function isEmpty({ low, high }: RowidRange): boolean {
  return low !== undefined && high !== undefined && low > high;
}
