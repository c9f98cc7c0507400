/** The bytes of a file that is being written and leaves in parts. What its writer holds is reserved. */
import { HeldMemory } from "../../../memory/held-memory.ts";
import type { MemoryContext } from "../../../memory/memory.ts";
import { ByteBuffer } from "./byte-buffer.ts";

export class FileBytes extends ByteBuffer {
  readonly #held: HeldMemory;
  #writtenBytes = 0;

  constructor(memory: MemoryContext) {
    super();
    this.#held = new HeldMemory(memory);
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
    this.#held.set(otherBytes + this.heldBytes);
  }

  /** Gives back what is reserved. Idempotent. */
  close(): void {
    this.#held.set(0);
  }
}
