/**
 * Reads record batches of an Arrow file one after the other: the metadata of a batch, then the buffers of the columns that are asked for,
 * which become pages.
 */
import type { Address, MemoryContext } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import type { Storage } from "../../../ports/storage.ts";
import { ownMember } from "../../../types/own.ts";
import { displayType, isNested, type Type } from "../../../types/type.ts";
import type { ColumnMetadata, PageSource } from "../../spi.ts";
import { requireSize } from "../byte-stream.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import type { Vector } from "../nested/vector.ts";
import type { ParquetKernels } from "../parquet/kernels/kernels.ts";
import { messageOf, type DictionaryBlock } from "./arrow-file.ts";
import { type ArrayPlaces, type ArrowArray, arraysOf, buffersOf, loadArray } from "./arrays.ts";
import { ArrowDecoder } from "./decoder.ts";
import { type BatchMetadata, batchMetadata, type Block, type BufferPlace } from "./messages.ts";
import type { ArrowNode } from "./schema.ts";

export interface ArrowSplit {
  readonly path: string;
  readonly sizeBytes: number;
  readonly format: "arrow";
  /** All fields of the schema. */
  readonly nodes: readonly ArrowNode[];
  /** Numbers of the fields of the columns. The split omits columns that the file does not have. */
  readonly columns: Readonly<Record<string, number>>;
  readonly batches: readonly (Block & { readonly rows: number })[];
  readonly dictionaries: Readonly<Record<string, readonly DictionaryBlock[]>>;
}

/** Bytes between two buffers that are read with them. */
const gapBytesMax = 65_536;
/** Bytes of the nested columns of a page. */
const nestedPageBytes = 8_388_608;

/** A batch whose arrays are in memory. */
interface LoadedBatch {
  /** By column. */
  readonly arrays: readonly (ArrowArray | undefined)[];
  readonly rows: number;
  readonly pageRows: number;
  readonly blocks: readonly Address[];
  at: number;
}

export interface ArrowPageSourceOptions {
  readonly split: ArrowSplit;
  readonly columns: readonly ColumnMetadata[];
  readonly memory: MemoryContext;
  readonly kernels: ParquetKernels;
}

export class ArrowPageSource implements PageSource {
  readonly #storage: Storage;
  readonly #split: ArrowSplit;
  readonly #columns: readonly ColumnMetadata[];
  readonly #memory: MemoryContext;
  readonly #kernels: ParquetKernels;
  readonly #decoder: ArrowDecoder;
  readonly #dictionaries: Dictionaries;
  #next = 0;
  #batch: LoadedBatch | undefined;
  #waiting: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #closed = false;
  #completedBytes = 0;

  constructor(storage: Storage, { split, columns, memory, kernels }: ArrowPageSourceOptions) {
    this.#storage = storage;
    this.#split = split;
    this.#columns = columns;
    this.#memory = memory.child("files");
    this.#kernels = kernels;
    this.#dictionaries = new Dictionaries(this.#memory);
    this.#decoder = new ArrowDecoder(this.#memory, (node, type) => this.#dictionaries.get(node, type));
    this.#load(async () => {
      await requireSize(storage, split.path, split.sizeBytes);
      await this.#loadDictionaries();
      await this.#loadBatch();
    });
  }

  get finished(): boolean {
    const isRead = this.#next >= this.#split.batches.length && this.#batch === undefined;
    return this.#closed || (isRead && this.#waiting === undefined && this.#failure === undefined);
  }

  get completedBytes(): number {
    return this.#completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#closed ? undefined : this.#waiting;
  }

  nextPage(): Page | undefined {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    if (this.#waiting !== undefined || this.finished) {
      return undefined;
    }
    this.#decoder.free();
    const batch = this.#batch as LoadedBatch;
    if (batch.at === batch.rows) {
      this.#freeBatch(batch);
      if (this.#next < this.#split.batches.length) {
        this.#load(() => this.#loadBatch());
      }
      return undefined;
    }
    const positionCount = Math.min(batch.pageRows, batch.rows - batch.at);
    const range = { from: batch.at, count: positionCount };
    const columns = this.#columns.map((column, index) =>
      this.#within(column.name, () => this.#column(column.type, batch.arrays[index], range)),
    );
    batch.at += positionCount;
    return { positionCount, selection: 0, columns };
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#batch = undefined;
      this.#memory.close();
    }
  }

  #column(type: Type, array: ArrowArray | undefined, range: { readonly from: number; readonly count: number }): Column {
    if (array?.node.dictionary !== undefined) {
      const dictionary = this.#dictionaries.get(array.node, type);
      const ids = this.#decoder.ids(array, range, dictionary);
      return { type, values: dictionary.values, nulls: dictionary.nulls, ids, length: dictionary.count };
    }
    const { values, nulls } = array === undefined ? this.#decoder.missing(type, range.count) : this.#decoder.vector(array, range, type);
    return { type, values, nulls, ids: 0, length: range.count };
  }

  #freeBatch({ blocks }: LoadedBatch): void {
    for (const address of blocks) {
      this.#memory.free(address);
    }
    this.#batch = undefined;
  }

  #load(work: () => Promise<void>): void {
    this.#waiting = work()
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .then(() => {
        this.#waiting = undefined;
      });
  }

  async #loadBatch(): Promise<void> {
    const number = this.#next++;
    const block = this.#split.batches[number];
    if (block === undefined || this.#closed) {
      return;
    }
    const blocks: Address[] = [];
    const names = this.#columns.map(({ name }) => name);
    const known = names.map((name) => ownMember(this.#split.columns, name));
    const isEmpty = known.every((index) => index === undefined);
    const arrays = isEmpty
      ? undefined
      : await this.#read(block, { nodes: this.#split.nodes, asked: known, names, rows: block.rows, blocks });
    if (this.#closed) {
      return;
    }
    const loaded = arrays ?? known.map(() => undefined);
    this.#batch = { arrays: loaded, rows: block.rows, pageRows: this.#pageRowsOf(loaded, block.rows), blocks, at: 0 };
  }

  /** Dictionaries are decoded when they are first needed. */
  async #loadDictionaries(): Promise<void> {
    const { dictionaries, nodes } = this.#split;
    const valueNodes = new Map(nodes.flatMap(dictionaryNodes));
    for (const [id, parts] of Object.entries(dictionaries)) {
      const node = valueNodes.get(id);
      for (const block of node === undefined ? [] : parts) {
        const arrays = await this.#read(block, {
          nodes: [node as ArrowNode],
          asked: [0],
          names: ["of a dictionary"],
          rows: undefined,
          blocks: [],
        });
        if (arrays?.[0] !== undefined) {
          this.#dictionaries.add(id, arrays[0]);
        }
      }
    }
  }

  /** The arrays of the fields that are asked for, of a message. undefined if the source was closed. */
  async #read(
    block: Block,
    request: {
      readonly nodes: readonly ArrowNode[];
      readonly asked: readonly (number | undefined)[];
      readonly names: readonly string[];
      readonly rows: number | undefined;
      readonly blocks: Address[];
    },
  ): Promise<readonly (ArrowArray | undefined)[] | undefined> {
    const { nodes, asked, names, rows, blocks } = request;
    const bytes = await this.#readBytes(block.offset, block.metadataBytes);
    if (this.#closed) {
      return undefined;
    }
    const place = `message at byte ${block.offset}`;
    const { metadata, places } = this.#at(place, () => placesOf(bytes, nodes, rows));
    const wanted = asked.map((index) => (index === undefined ? undefined : (places[index] as ArrayPlaces)));
    const buffers = wanted.flatMap((array) => (array === undefined ? [] : buffersOf(array)));
    const ranges = this.#at(place, () => rangesOf(buffers, block.bodyBytes));
    const readBytes = ranges.reduce((sum, { length }) => sum + length, 0);
    this.#memory.reserve(readBytes);
    const start = block.offset + block.metadataBytes;
    const found = new Map<BufferPlace, Uint8Array>();
    for (const range of ranges) {
      const read = await this.#readBytes(start + range.offset, range.length);
      if (this.#closed) {
        return undefined;
      }
      for (const buffer of range.buffers) {
        found.set(buffer, read.subarray(buffer.offset - range.offset, buffer.offset - range.offset + buffer.length));
      }
    }
    const bytesOf = (buffer: BufferPlace): Uint8Array => found.get(buffer) ?? new Uint8Array(0);
    const loading = { memory: this.#memory, kernels: this.#kernels, codec: metadata.codec, bytesOf, blocks };
    const arrays = wanted.map((array, index) =>
      array === undefined ? undefined : this.#within(names[index] ?? "", () => loadArray(array, loading), place),
    );
    this.#memory.release(readBytes);
    return arrays;
  }

  async #readBytes(offset: number, length: number): Promise<Uint8Array> {
    const { path } = this.#split;
    const bytes = await reading(path, this.#storage.read(path, offset, length));
    if (bytes.length !== length) {
      throw badFile(path, "", "the file changed while it was read");
    }
    this.#completedBytes += length;
    return bytes;
  }

  /** Fewer rows where nested values are large. */
  #pageRowsOf(arrays: readonly (ArrowArray | undefined)[], rows: number): number {
    const bytes = arrays.reduce((sum, array) => sum + (array !== undefined && isNested(array.node.type) ? bytesIn(array) : 0), 0);
    const most = this.#memory.knobs.value("page-rows");
    return bytes === 0 ? most : Math.max(1, Math.min(most, Math.floor((nestedPageBytes * rows) / bytes)));
  }

  #within<T>(name: string, work: () => T, place = "record batch"): T {
    return this.#at(`${place} column ${name}`, work);
  }

  #at<T>(place: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof BadData) {
        throw badFile(this.#split.path, place, error.message);
      }
      throw error;
    }
  }
}

/** Dictionaries by their ids: the batches of each, and what was decoded of them, by type. */
class Dictionaries {
  readonly #arrays = new Map<string, ArrowArray[]>();
  readonly #vectors = new Map<string, Vector>();
  /** Of the dictionaries, which are valid as long as the source. */
  readonly #decoder: ArrowDecoder;

  constructor(memory: MemoryContext) {
    this.#decoder = new ArrowDecoder(memory, (node, type) => this.get(node, type));
  }

  add(id: string, array: ArrowArray): void {
    const known = this.#arrays.get(id);
    if (known === undefined) {
      this.#arrays.set(id, [array]);
    } else {
      known.push(array);
    }
  }

  /** All values in the type, and NULL. */
  get({ dictionary, type: stored }: ArrowNode, type: Type): Vector {
    const id = dictionary?.id ?? "";
    const arrays = this.#arrays.get(id);
    const [first] = arrays ?? [];
    if (arrays === undefined || first === undefined || displayType(first.node.type) !== displayType(stored)) {
      throw new BadData("its dictionary is missing");
    }
    const key = `${id} ${displayType(type)}`;
    const known = this.#vectors.get(key);
    if (known !== undefined) {
      return known;
    }
    const parts = arrays.map((array) => this.#decoder.vector(array, { from: 0, count: array.length }, type));
    const vector = this.#decoder.joined([...parts, this.#decoder.missing(type, 1)], type);
    this.#vectors.set(key, vector);
    return vector;
  }
}

/** The values of the dictionaries of a field, by their ids. */
function dictionaryNodes(node: ArrowNode): readonly (readonly [id: string, values: ArrowNode])[] {
  const { dictionary, ...values } = node;
  return [...(dictionary === undefined ? [] : [[dictionary.id, values] as const]), ...node.children.flatMap(dictionaryNodes)];
}

function placesOf(
  bytes: Uint8Array,
  nodes: readonly ArrowNode[],
  rows: number | undefined,
): { readonly metadata: BatchMetadata; readonly places: readonly ArrayPlaces[] } {
  const message = messageOf(bytes);
  if (message.kind !== "record batch" && message.kind !== "dictionary batch") {
    throw new BadData("the file changed while it was read");
  }
  const metadata = batchMetadata(message);
  if (rows !== undefined && metadata.rows !== rows) {
    throw new BadData("the file changed while it was read");
  }
  return { metadata, places: arraysOf(nodes, metadata) };
}

interface BodyRange {
  readonly offset: number;
  length: number;
  readonly buffers: BufferPlace[];
}

/** Buffers that lie near each other are read at once. Offsets are those in the body. */
function rangesOf(buffers: readonly BufferPlace[], bodyBytes: number): readonly BodyRange[] {
  const ranges: BodyRange[] = [];
  for (const buffer of buffers.toSorted((a, b) => a.offset - b.offset)) {
    const { offset, length } = buffer;
    if (length === 0) {
      continue;
    }
    if (offset < 0 || length < 0 || offset + length > bodyBytes) {
      throw new BadData("a buffer lies outside of its record batch");
    }
    const last = ranges.at(-1);
    if (last !== undefined && offset - (last.offset + last.length) <= gapBytesMax) {
      last.length = Math.max(last.length, offset + length - last.offset);
      last.buffers.push(buffer);
    } else {
      ranges.push({ offset, length, buffers: [buffer] });
    }
  }
  return ranges;
}

function bytesIn({ buffers, children }: ArrowArray): number {
  return buffers.reduce((sum, { length }) => sum + length, 0) + children.reduce((sum, child) => sum + bytesIn(child), 0);
}
