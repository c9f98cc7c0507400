/** Columns of a file in the types of a table: fields that the file does not have are NULL, values inside of others are widened. */
import { sameType, type Type } from "../../../types/type.ts";
import { commonType, fieldOf } from "../widening.ts";
import { leavesOf, nodeType, type ParquetLeaf, type ParquetNode } from "./tree.ts";

type RowNode = Extract<ParquetNode, { kind: "row" }>;

/**
 * The column in the type, to which its own widens; undefined if it has no values. A leaf that is no part of another keeps its type: whoever
 * reads it widens its pages.
 */
export function adaptedColumn(node: ParquetNode, type: Type): ParquetNode | undefined {
  if (node.kind === "leaf") {
    return node.encoding.type.kind === "unknown" ? undefined : node;
  }
  return adapted(node, type);
}

function adapted(node: ParquetNode, type: Type): ParquetNode {
  if (sameType(nodeType(node), type) && type.kind !== "unknown") {
    return node;
  }
  if (node.kind === "leaf") {
    return widenedLeaf(node, type) ?? node;
  }
  if (node.kind === "array" && type.kind === "array") {
    return { ...node, type, element: adapted(node.element, type.element) };
  }
  if (node.kind === "map" && type.kind === "map") {
    return { ...node, type, key: adapted(node.key, type.key), value: adapted(node.value, type.value) };
  }
  return node.kind === "row" && type.kind === "row" ? adaptedRow(node, type) : node;
}

function adaptedRow(node: RowNode, type: Extract<Type, { kind: "row" }>): ParquetNode {
  const stored = node.type.kind === "row" ? node.type.fields : [];
  return rowOf(
    node,
    type,
    type.fields.map((field) => {
      const found = node.fields[fieldOf(stored, field.name)];
      return found === undefined ? { kind: "missing", type: field.type } : adapted(found, field.type);
    }),
  );
}

/** A row of these fields. If none of them has a leaf, one of the row as it is stored tells where the row is NULL. */
export function rowOf(node: RowNode, type: Type, fields: readonly ParquetNode[]): ParquetNode {
  const [first, ...rest] = fields;
  const [witness] = leavesOf(node);
  const isWithout = fields.every((field) => leavesOf(field).length === 0);
  const known = isWithout && first !== undefined && witness !== undefined ? [missing(first, witness), ...rest] : fields;
  return { kind: "row", type, definition: node.definition, fields: known };
}

/** Without leaves a node has no other kinds below it than rows and what is missing. */
function missing(node: ParquetNode, witness: ParquetLeaf): ParquetNode {
  return { kind: "missing", type: nodeType(node), witness };
}

/** A leaf inside of a value; undefined if its type does not widen to the other one. */
export function widenedLeaf(leaf: ParquetLeaf, type: Type): ParquetNode | undefined {
  const stored = leaf.encoding.type;
  if (stored.kind === "unknown") {
    return { kind: "missing", type, witness: leaf };
  }
  const common = commonType(stored, type);
  return common !== undefined && sameType(common, type) ? { ...leaf, widened: type } : undefined;
}
