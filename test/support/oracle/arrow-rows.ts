/** Rows of Arrow files by the library apache-arrow, in the form in which the client has values. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { decompress } from "fzstd";

/** What is used of the library, whose own declarations need those of a later Node.js. */
interface Library {
  readonly tableFromIPC: (bytes: Uint8Array) => {
    readonly numRows: number;
    readonly schema: { readonly fields: readonly unknown[] };
    getChildAt(index: number): Vector;
  };
  readonly compressionRegistry: { set(type: number, codec: { readonly decode: (data: Uint8Array) => Uint8Array }): void };
  readonly CompressionType: { readonly ZSTD: number };
  readonly Type: Readonly<
    Record<"Binary" | "Bool" | "Date" | "Decimal" | "FixedSizeBinary" | "List" | "Map" | "Struct" | "Time" | "Timestamp" | "Utf8", number>
  >;
}

interface Vector {
  readonly data: readonly Data[];
}

interface Data {
  readonly length: number;
  readonly offset: number;
  readonly type: { readonly typeId: number; readonly scale: number; readonly unit: number; readonly timezone?: string | null };
  readonly values: Uint8Array | Int32Array | Uint32Array | BigInt64Array;
  readonly valueOffsets: Int32Array;
  readonly children: readonly Data[];
  getValid(row: number): boolean;
}

const require = createRequire(import.meta.url);
const { tableFromIPC, compressionRegistry, CompressionType, Type } = require("apache-arrow") as Library;

compressionRegistry.set(CompressionType.ZSTD, { decode: (data) => decompress(data).slice() });

export function arrowRows(paths: readonly string[]): readonly (readonly unknown[])[] {
  return paths.flatMap((path) => {
    const table = tableFromIPC(readFileSync(path));
    const columns = table.schema.fields.map((_, index) => valuesOf(table.getChildAt(index)));
    return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row]));
  });
}

function valuesOf(vector: Vector): readonly unknown[] {
  return vector.data.flatMap((data) => Array.from({ length: data.length }, (_, row) => valueAt(data, row)));
}

/** From the buffers, because the library rounds moments to milliseconds. */
function valueAt(data: Data, row: number): unknown {
  const { type } = data;
  if (!data.getValid(row)) {
    return null;
  }
  const at = data.offset + row;
  const child = (index: number): Data => data.children[index] as Data;
  const range = (): readonly number[] => {
    const [from = 0, to = 0] = data.valueOffsets.subarray(row, row + 2);
    return Array.from({ length: to - from }, (_, item) => from + item);
  };
  switch (type.typeId) {
    case Type.Bool:
      return (((data.values as Uint8Array)[at >> 3] as number) & (1 << (at & 7))) !== 0;
    case Type.Decimal: {
      const words = new BigInt64Array((data.values as Uint32Array).slice(row * 4, row * 4 + 4).buffer);
      return decimalText(((words[1] as bigint) << 64n) | BigInt.asUintN(64, words[0] as bigint), type.scale);
    }
    case Type.Date:
      return new Date(((data.values as Int32Array)[row] as number) * 86_400_000).toISOString().slice(0, 10);
    case Type.Time:
      return momentText(BigInt((data.values as Int32Array)[row] as number), type.unit).slice(11);
    case Type.Timestamp:
      return `${momentText((data.values as BigInt64Array)[row] as bigint, type.unit)}${typeof type.timezone === "string" ? ` ${type.timezone}` : ""}`;
    case Type.Utf8:
      return new TextDecoder().decode((data.values as Uint8Array).subarray(data.valueOffsets[row], data.valueOffsets[row + 1]));
    case Type.Binary:
      return Buffer.from((data.values as Uint8Array).subarray(data.valueOffsets[row], data.valueOffsets[row + 1])).toString("hex");
    case Type.FixedSizeBinary:
      return Buffer.from((data.values as Uint8Array).subarray(row * 16, row * 16 + 16)).toString("hex");
    case Type.List:
      return range().map((item) => valueAt(child(0), item));
    case Type.Struct:
      return data.children.map((one) => valueAt(one, row));
    case Type.Map:
      return new Map(range().map((item) => child(0).children.map((one) => valueAt(one, item)) as [unknown, unknown]));
    default:
      return (data.values as Int32Array)[row];
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
}

/** `unit`: digits of a second, in thousands. */
function momentText(value: bigint, unit: number): string {
  const perSecond = 10n ** BigInt(unit * 3);
  const seconds = value / perSecond - (value % perSecond < 0n ? 1n : 0n);
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `${text}.${String(value - seconds * perSecond).padStart(unit * 3, "0")}`;
}
