/** Rows of files of metadata as documents, in the shape that JSON has. */
import type { NestedValue } from "../../../types/nested/nested.ts";
import { rowType, type Type } from "../../../types/type.ts";
import type { ParquetFooter } from "../parquet/footer.ts";
import { nodeType, type ParquetNode } from "../parquet/tree.ts";
import type { Document } from "./json.ts";
import { type LakeReader, storedRows } from "./rows.ts";

/** By column in lower case: the fields of its row that are read. */
export type Wanted = Readonly<Record<string, readonly string[]>>;

export async function* storedDocuments(
  reader: LakeReader,
  file: { readonly path: string; readonly sizeBytes: number },
  wanted: Wanted,
): AsyncGenerator<Document> {
  const { columns, pages } = await storedRows(reader, file, (footer) => chosen(footer, wanted));
  for await (const page of pages) {
    for (const row of page) {
      yield Object.fromEntries(columns.map(({ name, type }, index) => [name, documentOf(type, row[index] ?? null)]));
    }
  }
}

function chosen(footer: ParquetFooter, wanted: Wanted): ParquetFooter {
  const columns = footer.columns.flatMap((column) => {
    const names = Object.hasOwn(wanted, column.name) ? wanted[column.name] : undefined;
    if (names === undefined) {
      return [];
    }
    const node = pruned(column.node, names);
    return [{ name: column.name, type: nodeType(node), node }];
  });
  return { ...footer, columns };
}

function pruned(node: ParquetNode, names: readonly string[]): ParquetNode {
  if (node.kind !== "row" || node.type.kind !== "row") {
    return node;
  }
  const { fields } = node.type;
  const kept = fields.map(({ name }, index) => (names.includes(name ?? "") ? index : -1)).filter((index) => index >= 0);
  const type = rowType(kept.flatMap((index) => fields[index] ?? []));
  return { kind: "row", type, definition: node.definition, fields: kept.flatMap((index) => node.fields[index] ?? []) };
}

function documentOf(type: Type, value: NestedValue): unknown {
  if (value === null) {
    return undefined;
  }
  switch (type.kind) {
    case "row":
      return Object.fromEntries(
        type.fields.map((field, index) => [field.name ?? "", documentOf(field.type, (value as readonly NestedValue[])[index] ?? null)]),
      );
    case "array":
      return (value as readonly NestedValue[]).map((element) => documentOf(type.element, element));
    case "map":
      return Object.fromEntries(
        (value as readonly (readonly NestedValue[])[]).map(([key, one]) => [String(key), documentOf(type.value, one ?? null)]),
      );
    default:
      return typeof value === "bigint" ? Number(value) : value;
  }
}
