/**
 * The columns of a Parquet schema as trees. A leaf of its own is a plain column. Groups become rows, LIST and repeated fields arrays, MAP
 * maps, in the encodings of today and those of old writers (parquet-format, LogicalTypes.md, "Nested Types").
 *
 * An entry of a leaf has two levels. The definition level tells how many of its optional and repeated ancestors are present, the
 * repetition level which repeated ancestor has one more element.
 */
import { decodeUtf8 } from "../../../types/utf8.ts";
import { arrayType, mapType, type RowField, rowType, type Type } from "../../../types/type.ts";
import { BadData } from "../../shared/file-errors.ts";
import { type ColumnEncoding, leafType } from "./schema.ts";
import type { ThriftStruct } from "./thrift.ts";

/** Plain JSON, because it is part of splits. A node is NULL where the definition level is below `definition`. */
export type ParquetNode =
  | {
      readonly kind: "leaf";
      readonly definition: number;
      readonly repetition: number;
      readonly leaf: number;
      readonly encoding: ColumnEncoding;
      /** The type to which values inside of others are widened; absent for that of the encoding. */
      readonly widened?: Type;
    }
  /** NULL everywhere. The levels of the witness tell where it is; a field of a row needs none if another field has a leaf. */
  | { readonly kind: "missing"; readonly type: Type; readonly witness?: ParquetLeaf }
  | {
      readonly kind: "row";
      readonly type: Type;
      readonly definition: number;
      readonly fields: readonly ParquetNode[];
      /** Field ids, as table formats give them; absent if no field has one. */
      readonly ids?: readonly (number | null)[];
    }
  | ({ readonly kind: "array"; readonly type: Type; readonly element: ParquetNode } & Repeated)
  | ({ readonly kind: "map"; readonly type: Type; readonly key: ParquetNode; readonly value: ParquetNode } & Repeated);

export type ParquetLeaf = Extract<ParquetNode, { kind: "leaf" }>;

export interface Repeated {
  readonly definition: number;
  /** Definition level from which on there is an element. */
  readonly elementDefinition: number;
  /** Repetition level of its elements. */
  readonly repetition: number;
}

export interface SchemaColumn {
  /** As written in the file. */
  readonly name: string;
  readonly type: Type;
  readonly node: ParquetNode;
  /** Field id, as table formats give it. */
  readonly id?: number;
  /** Why it cannot be read. */
  readonly reason?: string;
}

const depthMax = 100;
const repeated = 2;
const optional = 1;
const damaged = "its footer is damaged: the schema is no tree";

interface Element {
  readonly thrift: ThriftStruct;
  readonly name: string;
  readonly children: readonly Element[];
  /** Index of its column chunk; -1 for a group. */
  readonly leaf: number;
}

/** The schema is a list in depth-first order. */
export function schemaColumns(elements: readonly ThriftStruct[]): { readonly columns: readonly SchemaColumn[]; readonly leaves: number } {
  let next = 1;
  let leaves = 0;
  const read = (depth: number): Element => {
    const thrift = elements[next++];
    const written = thrift?.bytes(4);
    if (thrift === undefined || written === undefined) {
      throw new BadData(damaged);
    }
    if (depth > depthMax) {
      throw new BadData(`its schema is nested deeper than ${depthMax}`);
    }
    const isLeaf = thrift.has(1);
    const leaf = isLeaf ? leaves++ : -1;
    const children: Element[] = [];
    for (let count = isLeaf ? 0 : (thrift.integer(5) ?? 0); count > 0; count--) {
      children.push(read(depth + 1));
    }
    return { thrift, name: decodeUtf8(written), children, leaf };
  };
  const columns: SchemaColumn[] = [];
  while (next < elements.length) {
    const element = read(1);
    const problems: string[] = [];
    const node = fieldOf(element, { definition: 0, repetition: 0, problems });
    const [reason] = problems;
    const id = element.thrift.integer(9);
    const known = { ...(id !== undefined && { id }), ...(reason !== undefined && { reason }) };
    columns.push({ name: element.name, type: nodeType(node), node, ...known });
  }
  return { columns, leaves };
}

export function nodeType(node: ParquetNode): Type {
  return node.kind === "leaf" ? (node.widened ?? node.encoding.type) : node.type;
}

/** Leaves of the node, in the order of the file. */
export function leavesOf(node: ParquetNode): readonly ParquetLeaf[] {
  switch (node.kind) {
    case "leaf":
      return [node];
    case "missing":
      return node.witness === undefined ? [] : [node.witness];
    case "row":
      return node.fields.flatMap(leavesOf);
    case "array":
      return leavesOf(node.element);
    case "map":
      return [...leavesOf(node.key), ...leavesOf(node.value)];
  }
}

/** Levels above a node. */
interface Above {
  readonly definition: number;
  readonly repetition: number;
  readonly problems: string[];
}

/** A field with its repetition. */
function fieldOf(element: Element, above: Above): ParquetNode {
  const { definition, repetition } = above;
  switch (element.thrift.integer(3)) {
    case repeated: {
      // A repeated field outside of a LIST or MAP is an array without NULL.
      const node = valueOf(element, { ...above, definition: definition + 1, repetition: repetition + 1 });
      return arrayOf(node, { definition, elementDefinition: definition + 1, repetition: repetition + 1 });
    }
    case optional:
      return valueOf(element, { ...above, definition: definition + 1 });
    default:
      return valueOf(element, above);
  }
}

function arrayOf(element: ParquetNode, levels: Repeated): ParquetNode {
  return { kind: "array", type: arrayType(nodeType(element)), element, ...levels };
}

/** What one occurrence of the field holds. */
function valueOf(element: Element, above: Above): ParquetNode {
  const { definition, repetition, problems } = above;
  if (element.leaf >= 0) {
    const found = leafType(element.thrift);
    if ("encoding" in found) {
      return { kind: "leaf", definition, repetition, leaf: element.leaf, encoding: found.encoding };
    }
    problems.push(found.reason);
    const encoding: ColumnEncoding = { type: found.type, physical: 0, length: 0, conversion: "none" };
    return { kind: "leaf", definition, repetition, leaf: element.leaf, encoding };
  }
  return listOf(element, above) ?? mapOf(element, above) ?? groupOf(element, above);
}

function groupOf({ children }: Element, above: Above): ParquetNode {
  if (children.length === 0) {
    above.problems.push("a group without fields is not supported");
  }
  const fields = children.map((child) => fieldOf(child, above));
  const type = rowType(
    fields.map((field, index): RowField => {
      const name = children[index]?.name ?? "";
      return { type: nodeType(field), ...(name !== "" && { name }) };
    }),
  );
  const ids = children.map(({ thrift }) => thrift.integer(9) ?? null);
  return { kind: "row", type, definition: above.definition, fields, ...(ids.some((id) => id !== null) && { ids }) };
}

/** The only child, if it is repeated. */
function repeatedChild({ children }: Element): Element | undefined {
  const [child] = children;
  return children.length === 1 && child?.thrift.integer(3) === repeated ? child : undefined;
}

function isAnnotated({ thrift }: Element, logical: number, converted: readonly number[]): boolean {
  return thrift.struct(10)?.has(logical) === true || converted.includes(thrift.integer(6) ?? -1);
}

function levelsBelow({ definition, repetition }: Above): Repeated {
  return { definition, elementDefinition: definition + 1, repetition: repetition + 1 };
}

function listOf(element: Element, above: Above): ParquetNode | undefined {
  const inner = isAnnotated(element, 3, [3]) ? repeatedChild(element) : undefined;
  if (inner === undefined) {
    return undefined;
  }
  const levels = levelsBelow(above);
  const below = { ...above, definition: levels.elementDefinition, repetition: levels.repetition };
  return arrayOf(isElement(element, inner) ? valueOf(inner, below) : fieldOf(inner.children[0] as Element, below), levels);
}

/** Whether the repeated field is the element itself, as old writers have it, and not a group around it. */
function isElement(list: Element, inner: Element): boolean {
  const [only] = inner.children;
  return (
    inner.children.length !== 1 || only?.thrift.integer(3) === repeated || inner.name === "array" || inner.name === `${list.name}_tuple`
  );
}

function mapOf(element: Element, above: Above): ParquetNode | undefined {
  const inner = isAnnotated(element, 2, [1, 2]) ? repeatedChild(element) : undefined;
  const [keyElement, valueElement] = inner?.children ?? [];
  if (inner?.children.length !== 2 || keyElement === undefined || valueElement === undefined) {
    return undefined;
  }
  const levels = levelsBelow(above);
  const below = { ...above, definition: levels.elementDefinition, repetition: levels.repetition };
  const key = fieldOf(keyElement, below);
  const value = fieldOf(valueElement, below);
  return { kind: "map", type: mapType(nodeType(key), nodeType(value)), key, value, ...levels };
}
