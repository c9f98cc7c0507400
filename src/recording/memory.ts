/** Blocks in memory: for entries that are read back at once, and for recordings that are put together. */
import { type BlockSink, readBlock } from "./blocks.ts";
import { RecordingReader } from "./reader.ts";
import { RecordingWriter } from "./writer.ts";

export class MemoryRecording implements BlockSink {
  readonly writer: RecordingWriter;
  readonly #blocks: Uint8Array[] = [];
  readonly #blockBytes: number;

  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
    this.writer = new RecordingWriter(this);
  }

  take(): Uint8Array {
    return new Uint8Array(this.#blockBytes);
  }

  full(_sequence: number, block: Uint8Array): void {
    this.#blocks.push(block);
  }

  /** Every block so far, the open one as it stands. */
  blocks(): readonly Uint8Array[] {
    const open = this.writer.partial();
    return open === undefined ? this.#blocks : [...this.#blocks, open.block];
  }

  read(): RecordingReader {
    return new RecordingReader(this.blocks().flatMap((block) => readBlock(block) ?? []));
  }
}
