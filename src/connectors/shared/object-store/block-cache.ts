/**
 * Blocks of objects that were read, or are being read ahead of a sequential reader, up to a number of bytes. Short reads are served from
 * them, so that neighbouring columns and small pieces of text share a request. It goes on as long as one of its readers waits.
 */
import type { Lifetime } from "../../../ports/lifetime.ts";
import { SharedWork } from "../lifetime.ts";
import type { ObjectStore, StoredObject } from "./object-store.ts";

export const blockBytes = 1_048_576;
/** Blocks that a sequential reader is ahead. */
const aheadBlocks = 4;

interface Block {
  readonly bytes: SharedWork<Uint8Array>;
  readonly sizeBytes: number;
}

export class BlockCache {
  readonly #store: ObjectStore;
  readonly #bytesMax: number;
  /** By key, version and number; the one that was used last is the last. */
  readonly #blocks = new Map<string, Block>();
  #heldBytes = 0;

  constructor(store: ObjectStore, bytesMax: number) {
    this.#store = store;
    this.#bytesMax = bytesMax;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  block(object: StoredObject, index: number, life: Lifetime): Promise<Uint8Array> {
    const name = JSON.stringify([object.key, object.version, index]);
    const known = this.#blocks.get(name);
    if (known !== undefined && !known.bytes.isGivenUp) {
      this.#blocks.delete(name);
      this.#blocks.set(name, known);
      return known.bytes.wait(life);
    }
    if (known !== undefined) {
      this.#drop(name, known);
    }
    const offset = index * blockBytes;
    const length = Math.min(blockBytes, object.sizeBytes - offset);
    const bytes = new SharedWork((wanted) => this.#store.until(wanted).get(object, { offset, length }));
    const found = bytes.wait(life);
    if (length <= this.#bytesMax) {
      const block: Block = { bytes, sizeBytes: length };
      this.#blocks.set(name, block);
      this.#heldBytes += length;
      this.#evict();
      // A block that could not be read is asked for again by the next reader.
      bytes.onDone((isFailed) => {
        if (isFailed) {
          this.#drop(name, block);
        }
      });
    }
    return found;
  }

  /** Begins to read the blocks after one. Their errors are those of the reader that needs them. */
  readAhead(object: StoredObject, index: number, life: Lifetime): void {
    const blocks = Math.min(aheadBlocks, Math.floor(this.#bytesMax / blockBytes) - 1);
    for (let next = index + 1; next <= index + blocks && next * blockBytes < object.sizeBytes; next++) {
      this.block(object, next, life).catch(() => undefined);
    }
  }

  #drop(name: string, block: Block): void {
    if (this.#blocks.get(name) === block) {
      this.#blocks.delete(name);
      this.#heldBytes -= block.sizeBytes;
    }
  }

  #evict(): void {
    for (const [name, block] of this.#blocks) {
      if (this.#heldBytes <= this.#bytesMax) {
        return;
      }
      this.#drop(name, block);
    }
  }
}
