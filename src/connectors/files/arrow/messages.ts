/**
 * Messages of Arrow's IPC format (Message.fbs): where they lie in a file, and what a record batch says of its arrays and buffers.
 */
import { viewOf } from "../../../types/bytes.ts";
import { BadData } from "../../shared/file-errors.ts";
import { FlatTable } from "./flatbuffer.ts";

/** Ordinals of the union `MessageHeader`. */
const headers = Object.freeze({ schema: 1, dictionaryBatch: 2, recordBatch: 3 });
/** Version V4, of Arrow 0.8. Older ones lie otherwise. */
const oldestVersion = 3;
/** Version V5, in which unions have no bitmap of NULL. */
const newestVersion = 4;
const continuation = 0xffffffff;
/** Continuation mark and length. */
export const prefixBytes = 8;
const nodeBytes = 16;
const bufferBytes = 16;

/** A message with its body. Plain JSON. */
export interface Block {
  /** Of its prefix. */
  readonly offset: number;
  /** With the prefix. */
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

export interface Prefix {
  readonly prefixBytes: number;
  /** Without the prefix; 0 ends a stream. */
  readonly metadataBytes: number;
}

/** The first 8 bytes of a message: a continuation mark and the length, or, before Arrow 0.15, the length alone. */
export function readPrefix(bytes: Uint8Array): Prefix {
  const view = viewOf(bytes);
  const first = bytes.length < 4 ? 0 : view.getUint32(0, true);
  if (first !== continuation) {
    return { prefixBytes: 4, metadataBytes: lengthOf(first) };
  }
  return { prefixBytes, metadataBytes: bytes.length < prefixBytes ? 0 : lengthOf(view.getUint32(4, true)) };
}

function lengthOf(length: number): number {
  if (length > 0x7fffffff) {
    throw new BadData("the length of a message is damaged");
  }
  return length;
}

export type Codec = "none" | "lz4" | "zstd";

/** Bytes of a body. */
export interface BufferPlace {
  readonly offset: number;
  readonly length: number;
}

export interface BatchMetadata {
  readonly rows: number;
  /** Of the arrays, depth first: how long they are, and how many of their values are NULL. */
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly BufferPlace[];
  readonly codec: Codec;
  /** Whether unions have a bitmap of NULL. */
  readonly unionsHaveNulls: boolean;
  /** Of the arrays of layout `view`: their buffers besides the first two. */
  readonly variadicCounts: readonly number[];
}

export interface BatchHeader {
  readonly version: number;
  readonly batch: FlatTable;
}

export type Message =
  | { readonly kind: "schema"; readonly schema: FlatTable }
  | ({ readonly kind: "record batch"; readonly bodyBytes: number } & BatchHeader)
  | ({ readonly kind: "dictionary batch"; readonly bodyBytes: number; readonly id: string; readonly isDelta: boolean } & BatchHeader)
  | { readonly kind: "other"; readonly bodyBytes: number };

/** `bytes` are the metadata without the prefix. */
export function readMessage(bytes: Uint8Array): Message {
  const message = FlatTable.root(bytes);
  const version = message.integer(0, 16, 0);
  if (version < oldestVersion) {
    throw new BadData("it was written by a version of Arrow before 0.8, which is not supported");
  }
  const bodyBytes = message.long(3);
  const header = message.table(2);
  if (bodyBytes < 0 || header === undefined) {
    throw new BadData("its metadata are damaged");
  }
  switch (message.integer(1, 8, 0)) {
    case headers.schema:
      return { kind: "schema", schema: header };
    case headers.recordBatch:
      return { kind: "record batch", version, batch: header, bodyBytes };
    case headers.dictionaryBatch: {
      const batch = header.table(1);
      if (batch === undefined) {
        throw new BadData("its metadata are damaged");
      }
      return { kind: "dictionary batch", id: String(header.bigint(0)), isDelta: header.boolean(2), version, batch, bodyBytes };
    }
    default:
      return { kind: "other", bodyBytes };
  }
}

/** Rows of a record batch. */
export function batchRows(batch: FlatTable): number {
  const rows = batch.long(0);
  if (rows < 0 || rows > 0x7fffffff) {
    throw new BadData("the number of its rows is damaged");
  }
  return rows;
}

export function batchMetadata({ batch, version }: BatchHeader): BatchMetadata {
  const compression = batch.table(3);
  const codec = compression === undefined ? "none" : (["lz4", "zstd"] as const)[compression.integer(0, 8, 0)];
  if (codec === undefined || (compression?.integer(1, 8, 0) ?? 0) !== 0) {
    throw new BadData("it is compressed in a way that is not known");
  }
  return {
    rows: batchRows(batch),
    nodes: batch.structs(1, nodeBytes, (struct) => ({ length: struct.long(0), nullCount: struct.long(8) })),
    buffers: batch.structs(2, bufferBytes, (struct) => ({ offset: struct.long(0), length: struct.long(8) })),
    codec,
    unionsHaveNulls: version < newestVersion,
    variadicCounts: batch.longs(4),
  };
}
