/**
 * The columns of a table of files: the union of those of its files by name, then those of its folders, then the hidden ones.
 */
import { QueryError } from "../../protocol/errors.ts";
import { displayType, sameType, type Type } from "../../types/type.ts";
import type { ColumnMetadata } from "../spi.ts";
import { hiddenColumns, partitionColumns } from "./constants.ts";
import { type Described, typedColumns } from "./descriptions.ts";
import { badFile } from "../shared/file-errors.ts";
import { dateOrderOf, seen } from "./text/inference.ts";
import { type JsonShape, nothingSeen, typeOfShape, unite } from "./text/json-shape.ts";
import type { DateOrders } from "./text/table.ts";
import { commonType, settledType } from "./widening.ts";

/** A type that a user gives to a column of text files. */
export interface GivenColumn {
  readonly name: string;
  readonly type: Type;
}

export interface FileColumns {
  readonly columns: readonly ColumnMetadata[];
  readonly orders: DateOrders;
}

export function columnsOf(described: readonly Described[], given: readonly GivenColumn[] = []): FileColumns {
  const kinds = kindsOf(described);
  const stored = new Map([
    ...typedUnion(described),
    ...[...kinds].map(([name, found]) => [name, { name, type: typeOfShape(found) }] as const),
  ]);
  const [first] = described;
  if (stored.size === 0 && first !== undefined) {
    throw badFile(first.file.path, "", "the file has no columns");
  }
  for (const { name, type } of given) {
    if (!stored.has(name)) {
      throw new QueryError(
        "INVALID_FUNCTION_ARGUMENT",
        `Column '${name}' of types is not in the files, which have: ${[...stored.keys()].join(", ")}`,
      );
    }
    stored.set(name, { name, type });
  }
  const partition = partitionColumns(described.map(({ file }) => file));
  const names = new Set([...partition, ...hiddenColumns].map(({ name }) => name));
  const columns = [...[...stored.values()].filter(({ name }) => !names.has(name)), ...partition, ...hiddenColumns];
  return { columns, orders: ordersOf(kinds, stored) };
}

/** What the values of text files may be, in order of first appearance. */
function kindsOf(described: readonly Described[]): ReadonlyMap<string, JsonShape> {
  const kinds = new Map<string, JsonShape>();
  for (const one of described) {
    if (!("text" in one)) {
      continue;
    }
    const { fields, kinds: found, shapes } = one.text;
    fields.forEach((name, index) => {
      const scalars = { kinds: found[index] ?? seen.nothing };
      const shape = shapes?.[index] === undefined ? scalars : unite(scalars, shapes[index]);
      kinds.set(name, unite(kinds.get(name) ?? nothingSeen, shape));
    });
  }
  return kinds;
}

function ordersOf(kinds: ReadonlyMap<string, JsonShape>, columns: ReadonlyMap<string, ColumnMetadata>): DateOrders {
  return Object.fromEntries(
    [...kinds].flatMap(([name, found]) => {
      const order = dateOrderOf(found.kinds);
      const kind = columns.get(name)?.type.kind;
      return order !== undefined && (kind === "date" || kind === "timestamp") ? [[name, order] as const] : [];
    }),
  );
}

function typedUnion(described: readonly Described[]): ReadonlyMap<string, ColumnMetadata> {
  const columns = new Map<string, ColumnMetadata>();
  for (const one of described) {
    for (const column of typedColumns(one)) {
      const known = columns.get(column.name);
      columns.set(column.name, known === undefined ? column : united(known, column, one.file.path));
    }
  }
  return new Map([...columns].map(([name, column]) => [name, { ...column, type: settledType(column.type) }]));
}

/** Throws if a file has a column in a type that does not widen to that of the table. */
export function requireTypes(described: readonly Described[], columns: readonly ColumnMetadata[]): void {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  for (const one of described) {
    for (const { name, type } of typedColumns(one)) {
      const wanted = types.get(name);
      const common = wanted === undefined ? undefined : commonType(wanted, type);
      if (wanted !== undefined && (common === undefined || !sameType(common, wanted))) {
        throw badFile(one.file.path, "", `column ${name} is ${displayType(type)}, but ${displayType(wanted)} in its table`);
      }
    }
  }
}

function united(known: ColumnMetadata, column: ColumnMetadata, path: string): ColumnMetadata {
  const type = commonType(known.type, column.type);
  if (type === undefined) {
    const found = `column ${column.name} is ${displayType(column.type)}, but ${displayType(known.type)} in other files of its table`;
    throw badFile(path, "", found);
  }
  const comment = known.comment ?? column.comment;
  return { name: known.name, type, ...(comment !== undefined && { comment }) };
}
