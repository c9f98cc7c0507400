/** The schema of a Delta Lake table ("Schema Serialization Format" of its protocol), and how its files name the columns. */
import {
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  REAL,
  SMALLINT,
  TINYINT,
  type Type,
  VARBINARY,
  VARCHAR,
} from "../../../../types/type.ts";
import { distinctNames } from "../../names.ts";
import { asDocument, type Document, documentAt, listAt, member, integerAt, parsed, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import { lakeTypeOf, primitiveOf, type SchemaForm } from "../types.ts";

export type ColumnMapping = "none" | "name" | "id";

export interface DeltaColumn {
  readonly field: LakeField;
  /** As the schema writes it. */
  readonly writtenName: string;
  readonly comment?: string;
}

const primitives: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["string", VARCHAR],
  ["long", BIGINT],
  ["integer", INTEGER],
  ["short", SMALLINT],
  ["byte", TINYINT],
  ["float", REAL],
  ["double", DOUBLE],
  ["boolean", BOOLEAN],
  ["binary", VARBINARY],
  ["date", DATE],
  ["timestamp", { kind: "timestamp with time zone", precision: 6 }],
  ["timestamp_ntz", { kind: "timestamp", precision: 6 }],
]);

export function deltaColumns(path: string, schema: string, mapping: ColumnMapping): readonly DeltaColumn[] {
  const fields = listAt(parsed(path, schema), "fields").map(asDocument);
  const names = distinctNames(fields.map((field) => textAt(field, "name") ?? ""));
  return fields.map((field, index) => {
    const comment = textAt(documentAt(field, "metadata"), "comment");
    return {
      field: fieldOf(field, names[index] ?? "", mapping, 0),
      writtenName: textAt(field, "name") ?? "",
      ...(comment !== undefined && { comment }),
    };
  });
}

function fieldOf(field: Document | undefined, name: string, mapping: ColumnMapping, depth: number): LakeField {
  const metadata = documentAt(field, "metadata");
  const physicalName = mapping === "none" ? undefined : textAt(metadata, "delta.columnMapping.physicalName");
  const id = mapping === "id" ? integerAt(metadata, "delta.columnMapping.id") : undefined;
  const { type, parts } = lakeTypeOf(member(field, "type"), depth, formOf(mapping));
  return { name, storedName: physicalName ?? textAt(field, "name") ?? "", ...(id !== undefined && { id }), type, parts };
}

function formOf(mapping: ColumnMapping): SchemaForm {
  const form: SchemaForm = {
    listKind: "array",
    primitive,
    field: (field, name, depth) => fieldOf(field, name, mapping, depth),
    part: (document, name, depth) => ({ name, storedName: name, ...lakeTypeOf(member(document, `${name}Type`), depth, form) }),
  };
  return form;
}

function primitive(type: string): Type {
  const decimal = /^decimal\((\d+),\s*(-?\d+)\)$/.exec(type);
  if (decimal !== null && Number(decimal[1]) <= 38 && Number(decimal[2]) >= 0) {
    return decimalType(Number(decimal[1]), Number(decimal[2]));
  }
  return primitiveOf(primitives, type);
}
