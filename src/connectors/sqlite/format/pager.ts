/** Pages of a snapshot by their numbers. A few blocks of the file are kept, because the pages of a table often lie side by side. */
import { BadData, badFile } from "../../shared/file-errors.ts";
import type { Snapshot } from "./snapshot.ts";

const blockBytes = 65_536;
const blocksKept = 3;
/** Memory of a pager. */
export const pagerBytes: number = blockBytes * (blocksKept + 1);

export class Pager {
  readonly snapshot: Snapshot;
  /** The oldest first. */
  readonly #blocks = new Map<number, Uint8Array>();
  #readBytes = 0;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  get readBytes(): number {
    return this.#readBytes;
  }

  /** Throws FILE_BAD_DATA for a page that the file does not have. */
  async page(number: number): Promise<Uint8Array> {
    const { pageCount, header } = this.snapshot;
    const { pageSize } = header;
    if (number < 1 || number > pageCount) {
      throw this.error(number, `the database has ${pageCount} pages`);
    }
    const frame = this.snapshot.frameOf(number);
    if (frame !== undefined) {
      this.#readBytes += pageSize;
      return this.snapshot.readFrame(frame, number);
    }
    const at = (number - 1) * pageSize;
    const block = await this.#block(Math.floor(at / blockBytes));
    const start = at % blockBytes;
    if (block.length < start + pageSize) {
      throw this.error(number, "the file is cut off");
    }
    return block.subarray(start, start + pageSize);
  }

  /** The result of `work`, whose BadData is about the page. */
  within<T>(number: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof BadData ? this.error(number, error.message) : error;
    }
  }

  error(number: number, message: string): Error {
    return badFile(this.snapshot.id.path, `page ${number}`, message);
  }

  async #block(index: number): Promise<Uint8Array> {
    const known = this.#blocks.get(index);
    if (known !== undefined) {
      this.#blocks.delete(index);
      this.#blocks.set(index, known);
      return known;
    }
    const bytes = await this.snapshot.readFile(index * blockBytes, blockBytes);
    this.#readBytes += bytes.length;
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size < blocksKept) {
        break;
      }
      this.#blocks.delete(oldest);
    }
    this.#blocks.set(index, bytes);
    return bytes;
  }
}
