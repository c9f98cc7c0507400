/**
 * The columns of a Parquet file in the names and types of a table whose columns may have been renamed, moved, widened and added since.
 */
import { rowType, sameType, type Type, VARCHAR } from "../../../types/type.ts";
import { rowOf, widenedLeaf } from "../parquet/adapted.ts";
import type { ParquetColumn, ParquetFooter } from "../parquet/footer.ts";
import { type ColumnEncoding, physical } from "../parquet/schema.ts";
import { nodeType, type ParquetNode } from "../parquet/tree.ts";
import type { LakeField } from "./lake-table.ts";

/** The footer with the columns of the table alone. A column that the file does not have is left out. */
export function mappedFooter(footer: ParquetFooter, fields: readonly LakeField[]): ParquetFooter {
  const columns = fields.flatMap((field): readonly ParquetColumn[] => {
    const column = footer.columns.find((one) => isOf(field, one.id ?? null, one.name));
    if (column === undefined) {
      return [];
    }
    const { name, type } = field;
    if (column.reason !== undefined) {
      return [{ ...column, name }];
    }
    const mapped = mappedNode(column.node, field, true);
    return [
      typeof mapped === "string" ? { name, type, node: column.node, reason: mapped } : { name, type: nodeType(mapped), node: mapped },
    ];
  });
  return { ...footer, columns };
}

function isOf({ id, storedName }: LakeField, storedId: number | null, name: string): boolean {
  return id === undefined || storedId === null ? storedName.toLowerCase() === name.toLowerCase() : id === storedId;
}

/** The node in the field's type, or why it cannot be read. Columns widen when they are read, parts of them when they are assembled. */
function mappedNode(node: ParquetNode, field: LakeField, isColumn: boolean): ParquetNode | string {
  const { type, parts } = field;
  switch (node.kind) {
    case "leaf": {
      const encoding = retyped(node.encoding, type);
      if (encoding !== undefined) {
        return { ...node, encoding };
      }
      const widened = widenedLeaf(node, type);
      return widened === undefined ? "its type differs from that of the table in a way that is not supported" : isColumn ? node : widened;
    }
    case "missing":
      return node;
    case "row":
      return type.kind === "row" ? mappedRow(node, type, parts) : "it is a group";
    case "array": {
      const element = parts[0] === undefined ? "it is a list" : mappedNode(node.element, parts[0], false);
      return typeof element === "string" ? element : { ...node, type, element };
    }
    case "map": {
      const [keyField, valueField] = parts;
      if (keyField === undefined || valueField === undefined) {
        return "it is a map";
      }
      const key = mappedNode(node.key, keyField, false);
      const value = mappedNode(node.value, valueField, false);
      return typeof key === "string" ? key : typeof value === "string" ? value : { ...node, type, key, value };
    }
  }
}

function mappedRow(node: Extract<ParquetNode, { kind: "row" }>, type: Type, parts: readonly LakeField[]): ParquetNode | string {
  const names = node.type.kind === "row" ? node.type.fields.map(({ name }) => name ?? "") : [];
  const fields: ParquetNode[] = [];
  for (const part of parts) {
    const index = names.findIndex((name, at) => isOf(part, node.ids?.[at] ?? null, name));
    const found = node.fields[index];
    const mapped = found === undefined ? ({ kind: "missing", type: part.type } as const) : mappedNode(found, part, false);
    if (typeof mapped === "string") {
      return mapped;
    }
    fields.push(mapped);
  }
  return rowOf(node, type, fields);
}

/** How to read the stored values as the type; undefined if they are values of another one. */
function retyped(encoding: ColumnEncoding, type: Type): ColumnEncoding | undefined {
  const stored = encoding.type;
  if (sameType(stored, type)) {
    return encoding;
  }
  if (encoding.physical === physical.int96 && type.kind === "timestamp with time zone") {
    return { ...encoding, type, conversion: "int96 to zoned" };
  }
  if (encoding.physical === physical.int96 && type.kind === "timestamp" && type.precision <= 6) {
    return { ...encoding, type, conversion: "int96 to micros" };
  }
  const isMicros = (one: Type): boolean => (one.kind === "timestamp" || one.kind === "timestamp with time zone") && one.precision <= 6;
  if (stored.kind === type.kind && isMicros(stored) && isMicros(type)) {
    return { ...encoding, type };
  }
  if (stored.kind === "varbinary" && sameType(type, VARCHAR) && encoding.physical === physical.bytes) {
    return { ...encoding, type };
  }
  return undefined;
}

/** The SQL type of a field that has these parts. */
export function rowTypeOf(parts: readonly LakeField[]): Type {
  return rowType(parts.map(({ name, type }) => ({ name, type })));
}
