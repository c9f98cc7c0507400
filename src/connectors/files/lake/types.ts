/** Types of a table's schema, which Delta Lake and Iceberg write in documents of the same shape and with other names. */
import { QueryError } from "../../../protocol/errors.ts";
import { arrayType, mapType, type Type } from "../../../types/type.ts";
import { asDocument, type Document, listAt, textAt } from "./json.ts";
import type { LakeField } from "./lake-table.ts";
import { rowTypeOf } from "./mapping.ts";

const depthMax = 100;

/** How a table format writes its types. */
export interface SchemaForm {
  readonly listKind: "array" | "list";
  readonly primitive: (type: string) => Type;
  readonly field: (field: Document | undefined, name: string, depth: number) => LakeField;
  readonly part: (document: Document | undefined, name: "element" | "key" | "value", depth: number) => LakeField;
}

/** Throws NOT_SUPPORTED. */
export function lakeTypeOf(type: unknown, depth: number, form: SchemaForm): Pick<LakeField, "type" | "parts"> {
  if (depth > depthMax) {
    throw unsupported(`a type nested deeper than ${depthMax}`);
  }
  if (typeof type === "string") {
    return { type: form.primitive(type), parts: [] };
  }
  const document = asDocument(type);
  const part = (name: "element" | "key" | "value"): LakeField => form.part(document, name, depth + 1);
  switch (textAt(document, "type")) {
    case "struct": {
      const fields = listAt(document, "fields").map(asDocument);
      const parts = fields.map((field) => form.field(field, textAt(field, "name") ?? "", depth + 1));
      return { type: rowTypeOf(parts), parts };
    }
    case form.listKind: {
      const element = part("element");
      return { type: arrayType(element.type), parts: [element] };
    }
    case "map": {
      const [key, value] = [part("key"), part("value")];
      return { type: mapType(key.type, value.type), parts: [key, value] };
    }
    default:
      throw unsupported("a type of another kind");
  }
}

/** Throws NOT_SUPPORTED for a name that is not in the map. */
export function primitiveOf(primitives: ReadonlyMap<string, Type>, type: string): Type {
  const known = primitives.get(type);
  if (known === undefined) {
    throw unsupported(`type ${type.slice(0, 100)}`);
  }
  return known;
}

function unsupported(what: string): QueryError {
  return new QueryError("NOT_SUPPORTED", `The table has ${what}, which is not supported`);
}
