/**
 * A page frame with counted references. Its bytes may lie in a pool, or be lent by another node of the process; the last release gives them
 * back. Reading a frame after that is an assertion.
 */
import type { LentBytes } from "../ports/network.ts";
import { assert } from "../protocol/errors.ts";

export interface FrameOptions {
  /** Called once, by the last release. */
  readonly onFreed?: () => void;
  /** The bytes came from another process: the reader verifies their checksum. */
  readonly isForeign?: boolean;
}

export class Frame implements LentBytes {
  readonly length: number;
  readonly isForeign: boolean;
  readonly #onFreed: (() => void) | undefined;
  #bytes: Uint8Array | undefined;
  #references = 1;
  /** Whether the header has the checksum, which only other processes need (page/serde.ts). */
  isSealed: boolean;

  constructor(bytes: Uint8Array, { isForeign = false, onFreed }: FrameOptions = {}) {
    this.#bytes = bytes;
    this.length = bytes.length;
    this.isForeign = isForeign;
    this.isSealed = isForeign;
    this.#onFreed = onFreed;
  }

  get bytes(): Uint8Array {
    assert(this.#bytes !== undefined, "a frame is read after it was freed");
    return this.#bytes;
  }

  /** True if the bytes are used again after the last release. */
  get isPooled(): boolean {
    return this.#onFreed !== undefined;
  }

  retain(): this {
    assert(this.#references > 0, "a frame is kept after it was freed");
    this.#references++;
    return this;
  }

  release(): void {
    assert(this.#references > 0, "a frame is freed twice");
    this.#references--;
    if (this.#references === 0) {
      this.#bytes = undefined;
      this.#onFreed?.();
    }
  }
}

export function releaseAll(frames: readonly LentBytes[]): void {
  for (const frame of frames) {
    frame.release();
  }
}
