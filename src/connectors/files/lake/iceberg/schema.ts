/** Schemas of Iceberg ("Schemas and Data Types" of its specification). */
import { BIGINT, BOOLEAN, DATE, decimalType, DOUBLE, INTEGER, REAL, type Type, UUID, VARBINARY, VARCHAR } from "../../../../types/type.ts";
import { distinctNames } from "../../names.ts";
import { asDocument, type Document, listAt, member, integerAt, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import { lakeTypeOf, primitiveOf, type SchemaForm } from "../types.ts";

export interface IcebergColumn {
  readonly field: LakeField;
  readonly comment?: string;
}

const primitives: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["boolean", BOOLEAN],
  ["int", INTEGER],
  ["long", BIGINT],
  ["float", REAL],
  ["double", DOUBLE],
  ["date", DATE],
  ["time", { kind: "time", precision: 6 }],
  ["timestamp", { kind: "timestamp", precision: 6 }],
  ["timestamptz", { kind: "timestamp with time zone", precision: 6 }],
  ["string", VARCHAR],
  ["uuid", UUID],
  ["binary", VARBINARY],
]);

export function icebergColumns(schema: Document | undefined): readonly IcebergColumn[] {
  const fields = listAt(schema, "fields").map(asDocument);
  const names = distinctNames(fields.map((field) => textAt(field, "name") ?? ""));
  return fields.map((field, index) => {
    const comment = textAt(field, "doc");
    return { field: fieldOf(field, names[index] ?? "", 0), ...(comment !== undefined && { comment }) };
  });
}

const form: SchemaForm = {
  listKind: "list",
  primitive,
  field: fieldOf,
  part: (document, name, depth) => {
    const id = integerAt(document, `${name}-id`);
    return { name, storedName: name, ...(id !== undefined && { id }), ...lakeTypeOf(member(document, name), depth, form) };
  },
};

function fieldOf(field: Document | undefined, name: string, depth: number): LakeField {
  const id = integerAt(field, "id");
  const { type, parts } = lakeTypeOf(member(field, "type"), depth, form);
  return { name, storedName: textAt(field, "name") ?? "", ...(id !== undefined && { id }), type, parts };
}

function primitive(type: string): Type {
  const decimal = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(type);
  if (decimal !== null && Number(decimal[1]) >= 1 && Number(decimal[1]) <= 38 && Number(decimal[2]) <= Number(decimal[1])) {
    return decimalType(Number(decimal[1]), Number(decimal[2]));
  }
  return /^fixed\[\d+\]$/.test(type) ? VARBINARY : primitiveOf(primitives, type);
}
