/**
 * What an Arrow file says of itself: its columns, and where its record batches and dictionary batches lie. A file of the file format has a
 * footer that tells the places; one of the stream format is walked from message to message.
 */
import type { Storage } from "../../../ports/storage.ts";
import { viewOf } from "../../../types/bytes.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BadData, badFile, reading } from "../../shared/file-errors.ts";
import type { TableFile } from "../folder.ts";
import { FlatTable } from "./flatbuffer.ts";
import { batchRows, type Block, prefixBytes, type Message, readMessage, readPrefix } from "./messages.ts";
import { type ArrowColumn, readSchema } from "./schema.ts";

const magic = "ARROW1";
const featherMagic = "FEA1";
const tailBytes = 65_536;
const metadataBytesMax = 268_435_456;
/** Bytes that are read at once from a stream: its messages without their bodies. */
const windowBytes = 65_536;
/** Batches whose metadata are read at once. */
const readsMax = 16;
const blockBytes = 24;
/** Of a stream, which may have messages of no content. */
const messagesMax = 1_000_000;
const notArrow = "this is not an Arrow file";
const changed = "the file changed while it was read";

export interface BatchBlock extends Block {
  readonly rows: number;
  /** How many dictionary batches come before it, which it may refer to. */
  readonly dictionaries: number;
}

export interface DictionaryBlock extends Block {
  readonly id: string;
  /** Whether its values follow those of the batches before it. */
  readonly isDelta: boolean;
}

export interface ArrowFile {
  readonly columns: readonly ArrowColumn[];
  readonly batches: readonly BatchBlock[];
  /** In the order in which they count. */
  readonly dictionaries: readonly DictionaryBlock[];
}

export async function readArrowFile(storage: Storage, file: TableFile): Promise<ArrowFile> {
  try {
    const bytes = new FileBytes(storage, file);
    const head = await bytes.read(0, Math.min(file.sizeBytes, prefixBytes));
    const start = decodeUtf8(head.subarray(0, Math.min(head.length, magic.length)));
    if (start.startsWith(featherMagic)) {
      throw new BadData("this is Feather version 1, which is not supported");
    }
    return start === magic ? await readWithFooter(bytes) : await readStream(bytes);
  } catch (error) {
    if (error instanceof BadData) {
      throw badFile(file.path, "", error.message);
    }
    throw error;
  }
}

/** Ranges of a file, each within its size. */
class FileBytes {
  readonly sizeBytes: number;
  readonly #storage: Storage;
  readonly #path: string;

  constructor(storage: Storage, { path, sizeBytes }: TableFile) {
    this.#storage = storage;
    this.#path = path;
    this.sizeBytes = sizeBytes;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (length > metadataBytesMax) {
      throw new BadData(`its metadata are larger than ${metadataBytesMax} bytes`);
    }
    if (offset < 0 || length < 0 || offset + length > this.sizeBytes) {
      throw new BadData("a message lies outside of the file");
    }
    const bytes = await reading(this.#path, this.#storage.read(this.#path, offset, length));
    if (bytes.length !== length) {
      throw new BadData(changed);
    }
    return bytes;
  }
}

async function readWithFooter(file: FileBytes): Promise<ArrowFile> {
  const { sizeBytes } = file;
  const endBytes = magic.length + 4;
  const tailStart = Math.max(0, sizeBytes - tailBytes);
  const tail = await file.read(tailStart, sizeBytes - tailStart);
  if (tail.length < endBytes || decodeUtf8(tail.subarray(tail.length - magic.length)) !== magic) {
    throw new BadData("its end is missing");
  }
  const length = viewOf(tail).getUint32(tail.length - endBytes, true);
  const end = tail.length - endBytes;
  const footerBytes = length <= end ? tail.subarray(end - length, end) : await file.read(sizeBytes - endBytes - length, length);
  const footer = FlatTable.root(footerBytes);
  const schema = footer.table(1);
  if (schema === undefined) {
    throw new BadData("its footer is damaged");
  }
  const { columns } = readSchema(schema);
  const dictionaryMessages = await readBlocks(file, blocksOf(footer, 2));
  const dictionaries = dictionaryMessages.map(([block, message]): DictionaryBlock => {
    if (message.kind !== "dictionary batch") {
      throw new BadData("its footer is damaged: a dictionary is none");
    }
    return { ...block, id: message.id, isDelta: message.isDelta };
  });
  const batches = (await readBlocks(file, blocksOf(footer, 3))).map(([block, message]): BatchBlock => {
    if (message.kind !== "record batch") {
      throw new BadData("its footer is damaged: a record batch is none");
    }
    return { ...block, rows: batchRows(message.batch), dictionaries: dictionaries.length };
  });
  return { columns, batches, dictionaries };
}

/** Places of the footer. */
function blocksOf(footer: FlatTable, field: number): readonly Block[] {
  return footer.structs(field, blockBytes, (struct) => ({
    offset: struct.long(0),
    metadataBytes: struct.integer(8),
    bodyBytes: struct.long(16),
  }));
}

/** What the metadata say is right, also of the body's size. */
async function readBlocks(file: FileBytes, blocks: readonly Block[]): Promise<readonly (readonly [Block, Message])[]> {
  const found: (readonly [Block, Message])[] = [];
  for (let from = 0; from < blocks.length; from += readsMax) {
    const some = blocks.slice(from, from + readsMax);
    const read = await Promise.all(some.map((block) => file.read(block.offset, block.metadataBytes)));
    read.forEach((bytes, index) => {
      const block = some[index] as Block;
      const message = messageOf(bytes);
      found.push([placed(file, { ...block, bodyBytes: bodyOf(message) }), message]);
    });
  }
  return found;
}

/** The message of its metadata with their prefix. */
export function messageOf(bytes: Uint8Array): Message {
  const prefix = readPrefix(bytes);
  const { metadataBytes } = prefix;
  if (metadataBytes === 0 || prefix.prefixBytes + metadataBytes > bytes.length) {
    throw new BadData("the length of a message is damaged");
  }
  return readMessage(bytes.subarray(prefix.prefixBytes, prefix.prefixBytes + metadataBytes));
}

function bodyOf(message: Message): number {
  return message.kind === "schema" ? 0 : message.bodyBytes;
}

function placed(file: FileBytes, block: Block): Block {
  const end = block.offset + block.metadataBytes + block.bodyBytes;
  if (!Number.isSafeInteger(end) || end > file.sizeBytes) {
    throw new BadData("a message lies outside of the file");
  }
  return block;
}

/** A stream ends with a message of length 0, or with the file. */
async function readStream(file: FileBytes): Promise<ArrowFile> {
  const window = new Window(file);
  let columns: readonly ArrowColumn[] | undefined;
  const batches: BatchBlock[] = [];
  const dictionaries: DictionaryBlock[] = [];
  for (let at = 0, messages = 0; at < file.sizeBytes; messages++) {
    if (messages === messagesMax) {
      throw new BadData(`it has more than ${messagesMax} messages`);
    }
    const prefix = readPrefix(await window.read(at, Math.min(prefixBytes, file.sizeBytes - at)));
    if (prefix.metadataBytes === 0) {
      break;
    }
    const metadataBytes = prefix.prefixBytes + prefix.metadataBytes;
    if (columns === undefined && metadataBytes > file.sizeBytes) {
      throw new BadData(notArrow);
    }
    const message = messageOf(await window.read(at, metadataBytes));
    const block = placed(file, { offset: at, metadataBytes, bodyBytes: bodyOf(message) });
    columns ??= message.kind === "schema" ? readSchema(message.schema).columns : undefined;
    if (columns === undefined) {
      throw new BadData(notArrow);
    }
    if (message.kind === "record batch") {
      batches.push({ ...block, rows: batchRows(message.batch), dictionaries: dictionaries.length });
    } else if (message.kind === "dictionary batch") {
      dictionaries.push({ ...block, id: message.id, isDelta: message.isDelta });
    }
    at += block.metadataBytes + block.bodyBytes;
  }
  if (columns === undefined) {
    throw new BadData(notArrow);
  }
  return { columns, batches, dictionaries };
}

/** Messages that lie near each other are read at once. */
class Window {
  readonly #file: FileBytes;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(file: FileBytes) {
    this.#file = file;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    if (at < this.#start || at + length > this.#start + this.#bytes.length) {
      this.#bytes = await this.#file.read(at, Math.max(length, Math.min(windowBytes, this.#file.sizeBytes - at)));
      this.#start = at;
    }
    return this.#bytes.subarray(at - this.#start, at - this.#start + length);
  }
}
