/** The bytes of a file that is being written and leaves in parts. What its writer holds is reserved. */
import type { MemoryContext } from "../../../memory/memory.ts";
import { ByteBuffer } from "./byte-buffer.ts";

export class FileBytes extends ByteBuffer {
  readonly #memory: MemoryContext;
  #writtenBytes = 0;
  #reservedBytes = 0;

  constructor(memory: MemoryContext) {
    super();
    this.#memory = memory;
  }

  /** Bytes of the file before those that are held. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** Where the next byte lies in the file. */
  get offset(): number {
    return this.#writtenBytes + this.length;
  }

  override take(): Uint8Array {
    const bytes = super.take();
    this.#writtenBytes += bytes.length;
    return bytes;
  }

  /** `otherBytes`: what the writer holds besides. Throws MemoryLimitExceeded. */
  account(otherBytes: number): void {
    const held = otherBytes + this.heldBytes;
    if (held > this.#reservedBytes) {
      this.#memory.reserve(held - this.#reservedBytes);
    } else {
      this.#memory.release(this.#reservedBytes - held);
    }
    this.#reservedBytes = held;
  }

  /** Gives back what is reserved. Idempotent. */
  close(): void {
    this.#memory.release(this.#reservedBytes);
    this.#reservedBytes = 0;
  }
}
