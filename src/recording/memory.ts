/**
 * Blocks in memory: for entries that are read back at once, and for building recordings.
 */
import { type BlockSink, readBlock } from "./blocks.ts";
import type { RecordedEntry } from "./entries.ts";
import { RecordingReader } from "./reader.ts";
import { RecordingWriter } from "./writer.ts";

export class MemoryRecording implements BlockSink {
  readonly writer: RecordingWriter;
  readonly #blocks: Uint8Array[] = [];
  readonly #free: Uint8Array[] = [];
  readonly #blockBytes: number;

  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
    this.writer = new RecordingWriter(this);
  }

  take(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(this.#blockBytes);
  }

  full(_sequence: number, block: Uint8Array): void {
    this.#blocks.push(block);
  }

  /** All blocks so far; later entries go to further blocks. */
  blocks(): readonly Uint8Array[] {
    this.writer.cut();
    return this.#blocks;
  }

  /** A reader of all blocks so far. */
  read(): RecordingReader {
    return new RecordingReader(this.blocks().flatMap((block) => readBlock(block) ?? []));
  }

  /** The entries written since the last call. Their bytes are valid until the next entry is written. */
  takeEntries(): RecordedEntry[] {
    this.writer.cut();
    const blocks = this.#blocks.splice(0);
    const reader = new RecordingReader(blocks.flatMap((block) => readBlock(block) ?? []));
    const entries: RecordedEntry[] = [];
    for (let entry = reader.next(); entry !== undefined; entry = reader.next()) {
      entries.push(entry);
    }
    this.#free.push(...blocks.map((block) => new Uint8Array(block.buffer)));
    return entries;
  }
}
