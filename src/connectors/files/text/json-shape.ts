/**
 * The types of nested JSON values: arrays whose elements have a type in common are arrays, objects are rows, and objects of very many keys
 * are maps. What has no type in common is text, as it is written.
 */
import { arrayType, mapType, rowType, type Type, VARCHAR } from "../../../types/type.ts";
import { dateOrderOf, kindOfNumber, kindOfTime, seen, type Seen, typeOf } from "./inference.ts";
import { JsonCursor } from "./json-cursor.ts";

/** Fields of a row; objects of more keys are maps. */
const rowFieldsMax = 200;
/** Keys that are kept of the objects of one place; with more they are text. */
const keysMax = 10_000;
/** Deeper values are text. */
const depthMax = 32;

/** What was seen at one place. Plain data. */
export interface JsonShape {
  readonly kinds: Seen;
  /** Of arrays. */
  readonly element?: JsonShape;
  /** Of objects, by key in lower case, in order of first appearance. */
  readonly fields?: ReadonlyMap<string, JsonField>;
}

interface JsonField {
  /** As it was written first. */
  readonly name: string;
  readonly shape: JsonShape;
}

export const nothingSeen: JsonShape = Object.freeze({ kinds: seen.nothing });
const text: JsonShape = Object.freeze({ kinds: seen.text });

export function unite(a: JsonShape, b: JsonShape): JsonShape {
  const element = a.element !== undefined && b.element !== undefined ? unite(a.element, b.element) : (a.element ?? b.element);
  const fields = a.fields !== undefined && b.fields !== undefined ? uniteFields(a.fields, b.fields) : (a.fields ?? b.fields);
  return fields !== undefined && fields.size > keysMax
    ? text
    : { kinds: a.kinds | b.kinds, ...(element !== undefined && { element }), ...(fields !== undefined && { fields }) };
}

function uniteFields(a: ReadonlyMap<string, JsonField>, b: ReadonlyMap<string, JsonField>): ReadonlyMap<string, JsonField> {
  const fields = new Map(a);
  for (const [key, { name, shape }] of b) {
    const known = fields.get(key);
    fields.set(key, known === undefined ? { name, shape } : { name: known.name, shape: unite(known.shape, shape) });
  }
  return fields;
}

/** The shape of the value at [start, end), which is well-formed JSON. */
export function shapeOf(u8: Uint8Array, start: number, end: number): JsonShape {
  return readShape(new JsonCursor(u8, start, end), 0);
}

function readShape(cursor: JsonCursor, depth: number): JsonShape {
  if (depth > depthMax) {
    cursor.skip();
    return text;
  }
  switch (cursor.kind) {
    case "array": {
      let element: JsonShape = nothingSeen;
      cursor.elements(() => {
        element = unite(element, readShape(cursor, depth + 1));
      });
      return { kinds: seen.nothing, element };
    }
    case "object": {
      const fields = new Map<string, JsonField>();
      cursor.members((name) => {
        const key = name.toLowerCase();
        const known = fields.get(key);
        const shape = readShape(cursor, depth + 1);
        fields.set(key, known === undefined ? { name, shape } : { name: known.name, shape: unite(known.shape, shape) });
      });
      return fields.size > keysMax ? text : { kinds: seen.nothing, fields };
    }
    default:
      return { kinds: readKinds(cursor) };
  }
}

function readKinds(cursor: JsonCursor): Seen {
  const { kind } = cursor;
  const { start, end, isEscaped } = cursor.scalar();
  switch (kind) {
    case "null":
      return seen.nothing;
    case "boolean":
      return seen.boolean;
    case "number":
      return kindOfNumber(cursor.u8, start, end);
    default: {
      const found = isEscaped ? seen.text : kindOfTime(cursor.u8, start, end);
      // Orders of dates are kept for whole columns alone.
      return dateOrderOf(found) === undefined ? found : seen.text;
    }
  }
}

export function typeOfShape({ kinds, element, fields }: JsonShape): Type {
  if (element === undefined && fields === undefined) {
    return typeOf(kinds);
  }
  if (kinds !== seen.nothing || (element !== undefined && fields !== undefined)) {
    return VARCHAR;
  }
  if (element !== undefined) {
    return arrayType(typeOfShape(element));
  }
  const found = [...(fields ?? new Map<string, JsonField>()).values()];
  if (found.length === 0 || found.length > rowFieldsMax) {
    return mapType(VARCHAR, typeOfShape(found.reduce((shape, field) => unite(shape, field.shape), nothingSeen)));
  }
  return rowType(found.map(({ name, shape }) => ({ type: typeOfShape(shape), ...(name !== "" && { name }) })));
}
