/**
 * Buffers for bytes of files. A buffer that is used again is not cleared by the system, which costs more than to copy from its cache. A
 * reader charges what it reads; buffers that wait for the next one are few and not charged.
 */

/** Of all buffers that are not in use. */
const idleBytesMax = 8_388_608;
/** Buffers have whole units, so that chunks of about the same size share them. */
const unitBytes = 65_536;

export class ReadBuffers {
  /** The one that was given back last stands last. */
  readonly #idle: Uint8Array[] = [];
  #idleBytes = 0;

  /** At least `sizeBytes` long, and at most twice as long or a unit longer. The content is undefined. */
  take(sizeBytes: number): Uint8Array {
    const largest = Math.max(2 * sizeBytes, sizeBytes + unitBytes);
    const place = this.#idle.findLastIndex(({ length }) => length >= sizeBytes && length <= largest);
    const [found] = place < 0 ? [] : this.#idle.splice(place, 1);
    this.#idleBytes -= found?.length ?? 0;
    return found ?? new Uint8Array(Math.ceil(sizeBytes / unitBytes) * unitBytes);
  }

  /** Nothing may read from the buffer or write to it any more. */
  give(buffer: Uint8Array): void {
    this.#idle.push(buffer);
    this.#idleBytes += buffer.length;
    while (this.#idleBytes > idleBytesMax) {
      this.#idleBytes -= this.#idle.shift()?.length ?? 0;
    }
  }
}
