/** Schemas of Iceberg ("Schemas and Data Types" of its specification). */
import { QueryError } from "../../../../protocol/errors.ts";
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalType,
  DOUBLE,
  INTEGER,
  mapType,
  REAL,
  type Type,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../../../types/type.ts";
import { distinctNames } from "../../names.ts";
import { asDocument, type Document, listAt, member, numberAt, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import { rowTypeOf } from "../mapping.ts";

export interface IcebergColumn {
  readonly field: LakeField;
  readonly comment?: string;
}

const depthMax = 100;

const primitives: Readonly<Record<string, Type>> = Object.freeze({
  boolean: BOOLEAN,
  int: INTEGER,
  long: BIGINT,
  float: REAL,
  double: DOUBLE,
  date: DATE,
  time: { kind: "time", precision: 6 },
  timestamp: { kind: "timestamp", precision: 6 },
  timestamptz: { kind: "timestamp with time zone", precision: 6 },
  string: VARCHAR,
  uuid: UUID,
  binary: VARBINARY,
});

export function icebergColumns(schema: Document | undefined): readonly IcebergColumn[] {
  const fields = listAt(schema, "fields").map(asDocument);
  const names = distinctNames(fields.map((field) => textAt(field, "name") ?? ""));
  return fields.map((field, index) => {
    const comment = textAt(field, "doc");
    return { field: fieldOf(field, names[index] ?? "", 0), ...(comment !== undefined && { comment }) };
  });
}

function fieldOf(field: Document | undefined, name: string, depth: number): LakeField {
  const id = numberAt(field, "id");
  return { name, storedName: textAt(field, "name") ?? "", ...(id !== undefined && { id }), ...typeOf(member(field, "type"), depth) };
}

function typeOf(type: unknown, depth: number): Pick<LakeField, "type" | "parts"> {
  if (depth > depthMax) {
    throw unsupported(`a type nested deeper than ${depthMax}`);
  }
  if (typeof type === "string") {
    return { type: primitiveOf(type), parts: [] };
  }
  const document = asDocument(type);
  const part = (name: string, typeName: string): LakeField => {
    const id = numberAt(document, `${name}-id`);
    return { name, storedName: name, ...(id !== undefined && { id }), ...typeOf(member(document, typeName), depth + 1) };
  };
  switch (textAt(document, "type")) {
    case "struct": {
      const fields = listAt(document, "fields").map(asDocument);
      const parts = fields.map((field) => fieldOf(field, textAt(field, "name") ?? "", depth + 1));
      return { type: rowTypeOf(parts), parts };
    }
    case "list": {
      const element = part("element", "element");
      return { type: arrayType(element.type), parts: [element] };
    }
    case "map": {
      const [key, value] = [part("key", "key"), part("value", "value")];
      return { type: mapType(key.type, value.type), parts: [key, value] };
    }
    default:
      throw unsupported("a type of another kind");
  }
}

function primitiveOf(type: string): Type {
  const decimal = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(type);
  if (decimal !== null && Number(decimal[1]) >= 1 && Number(decimal[1]) <= 38 && Number(decimal[2]) <= Number(decimal[1])) {
    return decimalType(Number(decimal[1]), Number(decimal[2]));
  }
  if (/^fixed\[\d+\]$/.test(type)) {
    return VARBINARY;
  }
  const known = Object.hasOwn(primitives, type) ? primitives[type] : undefined;
  if (known === undefined) {
    throw unsupported(`type ${type.slice(0, 100)}`);
  }
  return known;
}

function unsupported(what: string): QueryError {
  return new QueryError("NOT_SUPPORTED", `The table has ${what}, which is not supported`);
}
