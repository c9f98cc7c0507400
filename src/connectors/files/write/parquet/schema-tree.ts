/**
 * The schema of a file for the columns of a table, and the writers of its leaves. All columns are optional. Lists have three levels.
 */
import type { NestedValue } from "../../../../types/nested/nested-order.ts";
import { isNested, type Type } from "../../../../types/type.ts";
import type { ColumnMetadata } from "../../../spi.ts";
import { leafTypeOf, type LeafType } from "./leaf-types.ts";
import { type LeafSchema, LeafWriter } from "./leaf-writer.ts";
import type { ThriftWriter } from "./thrift-writer.ts";

const repetitions = Object.freeze({ required: 0, optional: 1, repeated: 2 });
const converted = Object.freeze({ map: 1, list: 3 });
const logical = Object.freeze({ map: 2, list: 3 });

/** A line of the schema, in depth-first order. */
export interface SchemaLine {
  readonly name: string;
  readonly repetition: number | undefined;
  readonly children: number;
  readonly leaf: LeafType | undefined;
  readonly group: "list" | "map" | undefined;
}

/** Writes a value of a column to its leaves. */
export interface NodeWriter {
  readonly leaves: readonly LeafWriter[];
  write(value: NestedValue, definition: number, repetition: number): void;
}

interface Place {
  readonly path: readonly string[];
  /** Levels of the parent. */
  readonly definition: number;
  readonly repetition: number;
}

export class SchemaTree {
  readonly lines: readonly SchemaLine[];
  readonly columns: readonly NodeWriter[];
  readonly leaves: readonly LeafWriter[];

  constructor(columns: readonly ColumnMetadata[]) {
    const lines: SchemaLine[] = [{ name: "schema", repetition: undefined, children: columns.length, leaf: undefined, group: undefined }];
    this.columns = columns.map(({ name, type }) =>
      nodeOf(type, { path: [name], definition: 0, repetition: 0 }, { lines, isOptional: true }),
    );
    this.lines = lines;
    this.leaves = this.columns.flatMap(({ leaves }) => leaves);
  }
}

interface Building {
  readonly lines: SchemaLine[];
  readonly isOptional: boolean;
}

function nodeOf(type: Type, place: Place, building: Building): NodeWriter {
  const { lines, isOptional } = building;
  const name = place.path.at(-1) ?? "";
  const repetition = isOptional ? repetitions.optional : repetitions.required;
  const definition = place.definition + (isOptional ? 1 : 0);
  const inner: Place = { ...place, definition };
  if (!isNested(type)) {
    const leaf = leafTypeOf(type);
    lines.push({ name, repetition, children: 0, leaf, group: undefined });
    return leafNode({ path: place.path, type: leaf, maxDefinition: definition, maxRepetition: place.repetition });
  }
  if (type.kind === "row") {
    lines.push({ name, repetition, children: type.fields.length, leaf: undefined, group: undefined });
    const fields = type.fields.map((field) => nodeOf(field.type, below(inner, field.name ?? ""), { lines, isOptional: true }));
    return structNode(fields, definition);
  }
  lines.push({ name, repetition, children: 1, leaf: undefined, group: type.kind === "map" ? "map" : "list" });
  // Elements: one more level of both kinds.
  const repeated: Place = { path: inner.path, definition: definition + 1, repetition: place.repetition + 1 };
  if (type.kind === "array") {
    lines.push({ name: "list", repetition: repetitions.repeated, children: 1, leaf: undefined, group: undefined });
    const element = nodeOf(type.element, below(below(repeated, "list"), "element"), { lines, isOptional: true });
    return repeatedNode([element], repeated, (item) => [item]);
  }
  lines.push({ name: "key_value", repetition: repetitions.repeated, children: 2, leaf: undefined, group: undefined });
  const entry = below(repeated, "key_value");
  const key = nodeOf(type.key, below(entry, "key"), { lines, isOptional: false });
  const value = nodeOf(type.value, below(entry, "value"), { lines, isOptional: true });
  return repeatedNode([key, value], repeated, (item) => item as readonly NestedValue[]);
}

function below(place: Place, name: string): Place {
  return { ...place, path: [...place.path, name] };
}

function leafNode(schema: LeafSchema): NodeWriter {
  const leaf = new LeafWriter(schema);
  const { values } = leaf;
  return {
    leaves: [leaf],
    write: (value, definition, repetition) => {
      if (value === null) {
        return leaf.level(definition, repetition);
      }
      leaf.level(schema.maxDefinition, repetition);
      const bytes = schema.type.fromValue(value, values.words);
      if (bytes === undefined) {
        values.addWords();
      } else {
        values.addBytes(bytes, 0, bytes.length);
      }
    },
  };
}

function writeNothing(leaves: readonly LeafWriter[], definition: number, repetition: number): void {
  for (const leaf of leaves) {
    leaf.level(definition, repetition);
  }
}

/** `present` is the definition level of a row that is not NULL. */
function structNode(fields: readonly NodeWriter[], present: number): NodeWriter {
  const leaves = fields.flatMap((field) => field.leaves);
  return {
    leaves,
    write: (value, definition, repetition) => {
      if (value === null) {
        return writeNothing(leaves, definition, repetition);
      }
      fields.forEach((field, index) => field.write((value as readonly NestedValue[])[index] ?? null, present, repetition));
    },
  };
}

function repeatedNode(nodes: readonly NodeWriter[], inside: Place, partsOf: (item: NestedValue) => readonly NestedValue[]): NodeWriter {
  const leaves = nodes.flatMap((node) => node.leaves);
  return {
    leaves,
    write: (value, definition, repetition) => {
      if (value === null) {
        return writeNothing(leaves, definition, repetition);
      }
      const items = value as readonly NestedValue[];
      if (items.length === 0) {
        return writeNothing(leaves, inside.definition - 1, repetition);
      }
      items.forEach((item, index) => {
        const parts = partsOf(item);
        nodes.forEach((node, part) => node.write(parts[part] ?? null, inside.definition, index === 0 ? repetition : inside.repetition));
      });
    },
  };
}

export function describeLine(element: ThriftWriter, { name, repetition, children, leaf, group }: SchemaLine): void {
  element.i32(1, leaf?.physical);
  element.i32(2, leaf?.words === 4 ? 16 : undefined);
  element.i32(3, repetition);
  element.binary(4, name);
  element.i32(5, leaf === undefined ? children : undefined);
  if (group !== undefined) {
    element.i32(6, converted[group]).struct(10, (union) => union.struct(logical[group], () => {}));
  }
  leaf?.annotate(element);
}
