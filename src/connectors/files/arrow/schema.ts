/**
 * The fields of an Arrow schema (Schema.fbs) as trees: the SQL type of each, how its arrays lie in buffers, and how its values are
 * converted. No digit is lost: where Arrow is wider than SQL, the next wider SQL type is chosen.
 */
import {
  arrayType,
  BIGINT,
  BOOLEAN,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  mapType,
  REAL,
  type RowField,
  rowType,
  shortDecimalPrecisionMax,
  SMALLINT,
  TINYINT,
  type Type,
  UNKNOWN,
  UUID,
  VARBINARY,
  VARCHAR,
} from "../../../types/type.ts";
import { zoneKeyOf } from "../../../types/time/zones.ts";
import { BadData } from "../../shared/file-errors.ts";
import { distinctNames } from "../names.ts";
import type { FlatTable } from "./flatbuffer.ts";

/** How the arrays of a type lie in buffers, by the format's own names (Columnar.rst). */
export type Layout =
  | "null"
  | "bits"
  | "fixed"
  | "binary"
  | "large binary"
  | "view"
  | "list"
  | "large list"
  | "list view"
  | "large list view"
  | "fixed list"
  | "struct"
  | "run-end encoded"
  | "sparse union"
  | "dense union";

/** Conversion of a value of fixed width to its form in a page. */
export type Conversion =
  | "none"
  | "u8 to i16"
  | "u16 to i32"
  | "u32 to i64"
  | "u64 to i128"
  | "half to f32"
  | "decimal"
  | "millis to days"
  | "time"
  | "timestamp"
  | "instant"
  | "days and millis"
  | "months, days and nanos"
  | "seconds to millis";

/** Plain JSON, because it is part of splits. */
export interface ArrowNode {
  readonly type: Type;
  readonly layout: Layout;
  /** Bytes of a value of layout `fixed`; elements of one of layout `fixed list`. */
  readonly width: number;
  readonly conversion: Conversion;
  /** Of moments: units in a second, as a power of ten. */
  readonly digits?: number;
  /** Key of the zone of an instant. */
  readonly zone?: number;
  readonly children: readonly ArrowNode[];
  /** Of a union: what its values have in the place of the number of a child. */
  readonly typeIds?: readonly number[];
  /** The values are in dictionary batches of this id, and the arrays of the field hold their numbers. */
  readonly dictionary?: { readonly id: string; readonly width: number; readonly isSigned: boolean };
  /** Why it cannot be read. */
  readonly reason?: string;
}

export interface ArrowColumn {
  /** Unique in the file and in lower case. */
  readonly name: string;
  readonly node: ArrowNode;
}

export interface ArrowSchema {
  readonly columns: readonly ArrowColumn[];
}

/** Key of the metadata of a field that names its extension type. */
export const extensionKey = "ARROW:extension:name";
export const uuidExtension = "arrow.uuid";
/** Of text; read as such where a table does not say more. */
export const jsonExtension = "arrow.json";

const depthMax = 64;
/** Of all levels: damaged offsets may lead to one field many times. */
const fieldsMax = 100_000;

/** Ordinals of the union `Type`. */
const kinds: readonly string[] = [
  "none",
  "Null",
  "Int",
  "FloatingPoint",
  "Binary",
  "Utf8",
  "Bool",
  "Decimal",
  "Date",
  "Time",
  "Timestamp",
  "Interval",
  "List",
  "Struct",
  "Union",
  "FixedSizeBinary",
  "FixedSizeList",
  "Map",
  "Duration",
  "LargeBinary",
  "LargeUtf8",
  "LargeList",
  "RunEndEncoded",
  "BinaryView",
  "Utf8View",
  "ListView",
  "LargeListView",
];

export function readSchema(schema: FlatTable): ArrowSchema {
  if (schema.integer(0, 16, 0) !== 0) {
    throw new BadData("its numbers are big-endian, which is not supported");
  }
  const fields = schema.tables(1);
  const names = distinctNames(fields.map((field) => field.text(0) ?? ""));
  const count = { left: fieldsMax };
  return { columns: fields.map((field, index) => ({ name: names[index] ?? "", node: fieldNode(field, 0, count) })) };
}

/** The first reason in the tree. */
export function reasonOf(node: ArrowNode): string | undefined {
  for (const child of node.children) {
    const reason = reasonOf(child);
    if (reason !== undefined) {
      return reason;
    }
  }
  return node.reason;
}

function fieldNode(field: FlatTable, depth: number, count: { left: number }): ArrowNode {
  if (depth > depthMax) {
    throw new BadData(`its schema is nested deeper than ${depthMax}`);
  }
  if (count.left-- === 0) {
    throw new BadData(`its schema has more than ${fieldsMax} fields`);
  }
  const children = field.tables(5);
  const nodes = children.map((child) => fieldNode(child, depth + 1, count));
  const names = children.map((child) => child.text(0) ?? "");
  const kind = kinds[field.integer(2, 8, 0)] ?? "";
  const stored = extended(valueNode(kind, field.table(3), { nodes, names }), field);
  const dictionary = field.table(4);
  if (dictionary === undefined) {
    return stored;
  }
  const index = dictionary.table(1);
  const bits = index?.integer(0, 32, 0) ?? 32;
  const encoding = { id: String(dictionary.bigint(0)), width: integerBytes(bits), isSigned: index?.boolean(1) ?? true };
  return { ...stored, dictionary: encoding };
}

/** The one extension type that SQL has a type for. Others are read as what they are stored in. */
function extended(node: ArrowNode, field: FlatTable): ArrowNode {
  const isUuid = field.tables(6).some((entry) => entry.text(0) === extensionKey && entry.text(1) === uuidExtension);
  return isUuid && node.layout === "fixed" && node.width === 16 && node.type.kind === "varbinary" ? { ...node, type: UUID } : node;
}

function integerBytes(bits: number): number {
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64) {
    throw new BadData(`its schema has integers of ${bits} bits`);
  }
  return bits / 8;
}

interface Children {
  readonly nodes: readonly ArrowNode[];
  readonly names: readonly string[];
}

/** Of the children, if a type must have exactly `count`. */
function childrenOf({ nodes }: Children, count: number): readonly ArrowNode[] {
  if (nodes.length !== count) {
    throw new BadData("its schema is damaged: a nested type has another number of fields than it must have");
  }
  return nodes;
}

function fixed(type: Type, width: number, conversion: Conversion = "none"): ArrowNode {
  return { type, layout: "fixed", width, conversion, children: [] };
}

function variable(type: Type, layout: Layout): ArrowNode {
  return { type, layout, width: 0, conversion: "none", children: [] };
}

function list(layout: Layout, children: Children, width = 0): ArrowNode {
  const [element] = childrenOf(children, 1) as readonly [ArrowNode];
  return { type: arrayType(element.type), layout, width, conversion: "none", children: [element] };
}

function valueNode(kind: string, type: FlatTable | undefined, children: Children): ArrowNode {
  const integer = (field: number, bits: 16 | 32, absent: number): number => type?.integer(field, bits, absent) ?? absent;
  switch (kind) {
    case "Null":
      return variable(UNKNOWN, "null");
    case "Bool":
      return variable(BOOLEAN, "bits");
    case "Int":
      return integerNode(integerBytes(integer(0, 32, 0)), type?.boolean(1) ?? false);
    case "FloatingPoint":
      return floatingNode(integer(0, 16, 0));
    case "Decimal":
      return decimalNode(integer(0, 32, 0), integer(1, 32, 0), integer(2, 32, 128));
    case "Utf8":
      return variable(VARCHAR, "binary");
    case "LargeUtf8":
      return variable(VARCHAR, "large binary");
    case "Utf8View":
      return variable(VARCHAR, "view");
    case "Binary":
      return variable(VARBINARY, "binary");
    case "LargeBinary":
      return variable(VARBINARY, "large binary");
    case "BinaryView":
      return variable(VARBINARY, "view");
    case "FixedSizeBinary":
      return fixed(VARBINARY, sizeOf(integer(0, 32, 0)));
    case "Date":
      return integer(0, 16, 1) === 0 ? fixed(DATE, 4) : fixed(DATE, 8, "millis to days");
    case "Time":
      return timeNode(integer(0, 16, 1), integer(1, 32, 32));
    case "Timestamp":
      return timestampNode(integer(0, 16, 0), type?.text(1) ?? "");
    case "Interval":
      return intervalNode(integer(0, 16, 0));
    case "Duration":
      return durationNode(integer(0, 16, 1));
    case "List":
      return list("list", children);
    case "LargeList":
      return list("large list", children);
    case "ListView":
      return list("list view", children);
    case "LargeListView":
      return list("large list view", children);
    case "FixedSizeList":
      return list("fixed list", children, sizeOf(integer(0, 32, 0)));
    case "Map":
      return mapNode(children);
    case "Struct":
      return structNode(children);
    case "RunEndEncoded":
      return runsNode(children);
    case "Union":
      return unionNode(children, { isDense: integer(0, 16, 0) === 1, typeIds: type?.integers(1) ?? [] });
    default:
      // Its buffers are not known, so no column behind it can be read either.
      throw new BadData("its schema has a type that is not known");
  }
}

function sizeOf(size: number): number {
  if (size < 0) {
    throw new BadData("its schema is damaged: a size is negative");
  }
  return size;
}

function integerNode(bytes: number, isSigned: boolean): ArrowNode {
  if (isSigned) {
    return fixed(bytes === 1 ? TINYINT : bytes === 2 ? SMALLINT : bytes === 4 ? INTEGER : BIGINT, bytes);
  }
  switch (bytes) {
    case 1:
      return fixed(SMALLINT, bytes, "u8 to i16");
    case 2:
      return fixed(INTEGER, bytes, "u16 to i32");
    case 4:
      return fixed(BIGINT, bytes, "u32 to i64");
    default:
      return fixed(decimalType(20, 0), bytes, "u64 to i128");
  }
}

function floatingNode(precision: number): ArrowNode {
  return precision === 0 ? fixed(REAL, 2, "half to f32") : precision === 1 ? fixed(REAL, 4) : fixed(DOUBLE, 8);
}

function decimalNode(precision: number, scale: number, bits: number): ArrowNode {
  if (bits !== 32 && bits !== 64 && bits !== 128 && bits !== 256) {
    throw new BadData(`its schema has decimals of ${bits} bits`);
  }
  if (precision < 1 || precision > decimalPrecisionMax || scale < 0 || scale > precision) {
    const type = decimalType(decimalPrecisionMax, Math.max(0, Math.min(scale, decimalPrecisionMax)));
    const reason = `decimal(${precision},${scale}) is not supported, the maximum is decimal(${decimalPrecisionMax},s)`;
    return { ...fixed(type, bits / 8), reason };
  }
  const isPlain = precision <= shortDecimalPrecisionMax ? bits === 64 : bits === 128;
  return fixed(decimalType(precision, scale), bits / 8, isPlain ? "none" : "decimal");
}

/** Digits of the fraction of a second, by TimeUnit. */
function digitsOf(unit: number): number {
  if (unit < 0 || unit > 3) {
    throw new BadData("its schema has a unit of time that is not known");
  }
  return unit * 3;
}

function timeNode(unit: number, bits: number): ArrowNode {
  const digits = digitsOf(unit);
  if (bits !== 32 && bits !== 64) {
    throw new BadData(`its schema has times of ${bits} bits`);
  }
  return { ...fixed({ kind: "time", precision: digits }, bits / 8, "time"), digits };
}

function timestampNode(unit: number, zone: string): ArrowNode {
  const digits = digitsOf(unit);
  if (zone === "") {
    return { ...fixed({ kind: "timestamp", precision: digits }, 8, digits === 6 ? "none" : "timestamp"), digits };
  }
  const key = zoneKeyOf(zone);
  const node = { ...fixed({ kind: "timestamp with time zone", precision: digits }, 8, "instant"), digits, zone: key ?? 0 };
  return key === undefined ? { ...node, reason: "its time zone is not known" } : node;
}

const nanosIntervalType = rowType([
  { name: "months", type: INTEGER },
  { name: "days", type: INTEGER },
  { name: "nanoseconds", type: BIGINT },
]);

function intervalNode(unit: number): ArrowNode {
  switch (unit) {
    case 0:
      return fixed(INTERVAL_YEAR_TO_MONTH, 4);
    case 1:
      return fixed(INTERVAL_DAY_TO_SECOND, 8, "days and millis");
    case 2:
      return fixed(nanosIntervalType, 16, "months, days and nanos");
    default:
      throw new BadData("its schema has a unit of intervals that is not known");
  }
}

/** No interval of SQL has more digits than milliseconds: what has is the number of its units. */
function durationNode(unit: number): ArrowNode {
  const digits = digitsOf(unit);
  return digits === 0 ? fixed(INTERVAL_DAY_TO_SECOND, 8, "seconds to millis") : fixed(digits === 3 ? INTERVAL_DAY_TO_SECOND : BIGINT, 8);
}

function structNode({ nodes, names }: Children): ArrowNode {
  const fields = nodes.map(({ type }, index): RowField => {
    const name = names[index] ?? "";
    return { type, ...(name !== "" && { name }) };
  });
  const node = { type: rowType(fields), layout: "struct" as const, width: 0, conversion: "none" as const, children: nodes };
  return nodes.length === 0 ? { ...node, reason: "a struct without fields is not supported" } : node;
}

/**
 * A row of the number of the member and of all members, of which all but one are NULL. As Trino's rows of unions (`tag`, `field0`), but
 * members that have names keep them, as in DuckDB.
 */
function unionNode(
  { nodes, names }: Children,
  { isDense, typeIds }: { readonly isDense: boolean; readonly typeIds: readonly number[] },
): ArrowNode {
  const ids = typeIds.length === 0 ? nodes.map((_, index) => index) : typeIds;
  if (ids.length !== nodes.length || new Set(ids).size < ids.length || ids.some((id) => id < 0 || id > 127)) {
    throw new BadData("its schema is damaged: a union has other type ids than members");
  }
  const used = new Set(["tag"]);
  const fields = nodes.map(({ type }, index): RowField => {
    const name = names[index] ?? "";
    // Numbers are what libraries name members that have no names.
    const isFree = !/^\d*$/.test(name) && !used.has(name.toLowerCase());
    used.add(name.toLowerCase());
    return { name: isFree ? name : `field${index}`, type };
  });
  const layout = isDense ? "dense union" : "sparse union";
  return { ...variable(rowType([{ name: "tag", type: TINYINT }, ...fields]), layout), children: nodes, typeIds: ids };
}

function mapNode(children: Children): ArrowNode {
  const [entries] = childrenOf(children, 1) as readonly [ArrowNode];
  const [key, value] = entries.children;
  if (
    entries.layout !== "struct" ||
    entries.dictionary !== undefined ||
    key === undefined ||
    value === undefined ||
    entries.children.length !== 2
  ) {
    throw new BadData("its schema is damaged: the entries of a map are no pairs");
  }
  return { type: mapType(key.type, value.type), layout: "list", width: 0, conversion: "none", children: [entries] };
}

function runsNode(children: Children): ArrowNode {
  const [ends, values] = childrenOf(children, 2) as readonly [ArrowNode, ArrowNode];
  const isKnown = ends.layout === "fixed" && ends.conversion === "none" && ["smallint", "integer", "bigint"].includes(ends.type.kind);
  if (!isKnown || ends.dictionary !== undefined) {
    throw new BadData("its schema is damaged: the ends of runs are no integers");
  }
  return { type: values.type, layout: "run-end encoded", width: 0, conversion: "none", children: [ends, values] };
}
