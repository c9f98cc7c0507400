/**
 * The arrays of a record batch: which buffers each has, and the buffers in linear memory, checked to be as long as the format says.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import { viewOf } from "../../../types/bytes.ts";
import { BadData } from "../../shared/file-errors.ts";
import { decompressZstd } from "../parquet/compression.ts";
import type { ParquetKernels } from "../parquet/kernels/kernels.ts";
import { decompressLz4Frames } from "./lz4-frames.ts";
import type { BatchMetadata, BufferPlace, Codec } from "./messages.ts";
import type { ArrowNode, Layout } from "./schema.ts";

/** An array of a record batch, with the places of its buffers in the body. */
export interface ArrayPlaces {
  readonly node: ArrowNode;
  readonly length: number;
  readonly nullCount: number;
  readonly buffers: readonly BufferPlace[];
  readonly children: readonly ArrayPlaces[];
}

/** Bytes in linear memory. */
export interface Region {
  readonly address: Address;
  readonly length: number;
}

/** An array in linear memory. */
export interface ArrowArray {
  readonly node: ArrowNode;
  readonly length: number;
  /** Bitmap of the values that are not NULL; undefined if none is. */
  readonly validity: Region | undefined;
  /** Without the bitmap. */
  readonly buffers: readonly Region[];
  readonly children: readonly ArrowArray[];
}

const damaged = "its metadata are damaged: a record batch has other arrays than its schema";
/** Compressed buffers begin with the length of what they hold. */
const lengthBytes = 8;
export const viewBytes = 16;

const bufferCounts: Readonly<Record<Layout, number>> = Object.freeze({
  null: 0,
  bits: 2,
  fixed: 2,
  binary: 3,
  "large binary": 3,
  view: 2,
  list: 2,
  "large list": 2,
  "list view": 3,
  "large list view": 3,
  "fixed list": 1,
  struct: 1,
  "run-end encoded": 0,
  "sparse union": 1,
  "dense union": 2,
});

/** The arrays of these fields, which are all fields of the batch. */
export function arraysOf(nodes: readonly ArrowNode[], batch: BatchMetadata): readonly ArrayPlaces[] {
  let node = 0;
  let buffer = 0;
  let variadic = 0;
  const take = (of: ArrowNode): ArrayPlaces => {
    const known = batch.nodes[node++];
    const { layout, dictionary } = of;
    const more =
      dictionary !== undefined
        ? 0
        : layout === "view"
          ? (batch.variadicCounts[variadic++] ?? -1)
          : isUnion(layout) && batch.unionsHaveNulls
            ? 1
            : 0;
    const count = (dictionary === undefined ? bufferCounts[layout] : 2) + more;
    const buffers = batch.buffers.slice(buffer, buffer + count);
    buffer += count;
    if (known === undefined || more < 0 || buffers.length !== count || known.length < 0 || known.nullCount > known.length) {
      throw new BadData(damaged);
    }
    return { node: of, ...known, buffers, children: dictionary === undefined ? of.children.map(take) : [] };
  };
  const arrays = nodes.map(take);
  if (node !== batch.nodes.length || buffer !== batch.buffers.length || arrays.some(({ length }) => length !== batch.rows)) {
    throw new BadData(damaged);
  }
  return arrays;
}

/** Buffers of the array and of those below it. */
export function buffersOf(array: ArrayPlaces): readonly BufferPlace[] {
  return [...array.buffers, ...array.children.flatMap(buffersOf)];
}

export interface Loading {
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
  readonly codec: Codec;
  /** Bytes of the file of a buffer. */
  readonly bytesOf: (place: BufferPlace) => Uint8Array;
  /** What is allocated; the caller frees it. */
  readonly blocks: Address[];
}

/** Throws BadData if a buffer is too short for the array, or an index of it leads outside. */
export function loadArray(places: ArrayPlaces, loading: Loading): ArrowArray {
  const { node, length, nullCount } = places;
  const children = places.children.map((child) => loadArray(child, loading));
  const hasValidity = node.dictionary !== undefined || hasBitmap(node.layout, places.buffers.length);
  const [bitmap, ...rest] = hasValidity ? places.buffers : [undefined, ...places.buffers];
  const validity = bitmap === undefined || nullCount === 0 ? undefined : loadBuffer(bitmap, loading);
  const buffers = rest.map((place) => (place === undefined ? empty : loadBuffer(place, loading)));
  if (validity !== undefined) {
    requireBytes(validity, Math.ceil(length / 8));
  }
  const array: ArrowArray = { node, length, validity, buffers, children };
  requireBuffers(array);
  return array;
}

function isUnion(layout: Layout): boolean {
  return layout === "sparse union" || layout === "dense union";
}

/** Unions have one in files of versions before V5. */
function hasBitmap(layout: Layout, buffers: number): boolean {
  return isUnion(layout) ? buffers > bufferCounts[layout] : layout !== "null" && layout !== "run-end encoded";
}

const empty: Region = Object.freeze({ address: 0, length: 0 });

function requireBytes(region: Region | undefined, bytes: number): void {
  if (region === undefined || region.length < bytes) {
    throw new BadData("a buffer is shorter than its array");
  }
}

function requireBuffers({ node, length, buffers, children }: ArrowArray): void {
  const [first, second] = buffers;
  if (node.dictionary !== undefined) {
    requireBytes(first, length * node.dictionary.width);
    return;
  }
  switch (node.layout) {
    case "bits":
      return requireBytes(first, Math.ceil(length / 8));
    case "fixed":
      return requireBytes(first, length * node.width);
    case "view":
      return requireBytes(first, length * viewBytes);
    case "binary":
    case "list":
      // The offsets of nothing may be left out.
      return requireBytes(first, length === 0 ? 0 : (length + 1) * 4);
    case "large binary":
    case "large list":
      return requireBytes(first, length === 0 ? 0 : (length + 1) * 8);
    case "list view":
    case "large list view": {
      const bytes = length * (node.layout === "list view" ? 4 : 8);
      requireBytes(first, bytes);
      return requireBytes(second, bytes);
    }
    case "fixed list":
      return requireLength(children[0], length * node.width);
    case "struct":
      return children.forEach((child) => requireLength(child, length));
    case "sparse union":
      requireBytes(first, length);
      return children.forEach((child) => requireLength(child, length));
    case "dense union":
      requireBytes(first, length);
      return requireBytes(second, length * 4);
    default:
  }
}

function requireLength(child: ArrowArray | undefined, length: number): void {
  if (child === undefined || child.length < length) {
    throw new BadData("the values of a nested array are fewer than it has");
  }
}

function loadBuffer(place: BufferPlace, loading: Loading): Region {
  const { codec } = loading;
  const bytes = loading.bytesOf(place);
  if (bytes.length === 0) {
    return empty;
  }
  if (codec === "none") {
    return copied(bytes, loading);
  }
  if (bytes.length < lengthBytes) {
    throw new BadData("a compressed buffer has no length");
  }
  const length = viewOf(bytes).getBigInt64(0, true);
  const rest = bytes.subarray(lengthBytes);
  if (length === -1n) {
    return copied(rest, loading);
  }
  if (length < 0n || length > 0x7fffffffn) {
    throw new BadData("the length of a compressed buffer is damaged");
  }
  return length === 0n ? empty : decompressed(rest, Number(length), codec, loading);
}

function copied(bytes: Uint8Array, { memory, blocks }: Loading): Region {
  const address = memory.allocate(Math.max(1, bytes.length));
  blocks.push(address);
  memory.linear.u8.set(bytes, address);
  return { address, length: bytes.length };
}

function decompressed(bytes: Uint8Array, length: number, codec: "lz4" | "zstd", { memory, kernels, blocks }: Loading): Region {
  const address = memory.allocate(length);
  blocks.push(address);
  const target = { memory, kernels, address, sizeBytes: length };
  if (!(codec === "zstd" ? decompressZstd(bytes, target) : decompressLz4Frames(bytes, target))) {
    throw new BadData(`${codec}: a buffer is damaged`);
  }
  return { address, length };
}
