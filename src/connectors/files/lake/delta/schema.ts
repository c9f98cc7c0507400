/** The schema of a Delta Lake table ("Schema Serialization Format" of its protocol), and how its files name the columns. */
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
  SMALLINT,
  TINYINT,
  type Type,
  VARBINARY,
  VARCHAR,
} from "../../../../types/type.ts";
import { distinctNames } from "../../names.ts";
import { asDocument, type Document, documentAt, listAt, member, numberAt, parsed, textAt } from "../json.ts";
import type { LakeField } from "../lake-table.ts";
import { rowTypeOf } from "../mapping.ts";

export type ColumnMapping = "none" | "name" | "id";

export interface DeltaColumn {
  readonly field: LakeField;
  /** As the schema writes it. */
  readonly writtenName: string;
  readonly comment?: string;
}

const depthMax = 100;

const primitives: Readonly<Record<string, Type>> = Object.freeze({
  string: VARCHAR,
  long: BIGINT,
  integer: INTEGER,
  short: SMALLINT,
  byte: TINYINT,
  float: REAL,
  double: DOUBLE,
  boolean: BOOLEAN,
  binary: VARBINARY,
  date: DATE,
  timestamp: { kind: "timestamp with time zone", precision: 6 },
  timestamp_ntz: { kind: "timestamp", precision: 6 },
});

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
  const id = mapping === "id" ? numberAt(metadata, "delta.columnMapping.id") : undefined;
  const { type, parts } = typeOf(member(field, "type"), mapping, depth);
  return { name, storedName: physicalName ?? textAt(field, "name") ?? "", ...(id !== undefined && { id }), type, parts };
}

function typeOf(type: unknown, mapping: ColumnMapping, depth: number): Pick<LakeField, "type" | "parts"> {
  if (depth > depthMax) {
    throw unsupported(`a type nested deeper than ${depthMax}`);
  }
  if (typeof type === "string") {
    const decimal = /^decimal\((\d+),\s*(-?\d+)\)$/.exec(type);
    const known = Object.hasOwn(primitives, type) ? primitives[type] : undefined;
    if (decimal !== null && Number(decimal[1]) <= 38 && Number(decimal[2]) >= 0) {
      return { type: decimalType(Number(decimal[1]), Number(decimal[2])), parts: [] };
    }
    if (known === undefined) {
      throw unsupported(`type ${type.slice(0, 100)}`);
    }
    return { type: known, parts: [] };
  }
  const document = asDocument(type);
  const part = (name: string, member_: string): LakeField => ({
    name,
    storedName: name,
    ...typeOf(member(document, member_), mapping, depth + 1),
  });
  switch (textAt(document, "type")) {
    case "struct": {
      const fields = listAt(document, "fields").map(asDocument);
      const parts = fields.map((field) => fieldOf(field, textAt(field, "name") ?? "", mapping, depth + 1));
      return { type: rowTypeOf(parts), parts };
    }
    case "array": {
      const element = part("element", "elementType");
      return { type: arrayType(element.type), parts: [element] };
    }
    case "map": {
      const [key, value] = [part("key", "keyType"), part("value", "valueType")];
      return { type: mapType(key.type, value.type), parts: [key, value] };
    }
    default:
      throw unsupported("a type of another kind");
  }
}

function unsupported(what: string): QueryError {
  return new QueryError("NOT_SUPPORTED", `The table has ${what}, which is not supported`);
}
