/**
 * Recordings of a cluster's nodes in memory, one for each incarnation. Their bytes are those of `npm start -- --record`, so the simulator's
 * `import` and `replay` read them.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeConfig } from "../config.ts";
import type { Ports } from "../ports/ports.ts";
import type { BlockSink } from "../recording/blocks.ts";
import { type RecordingHeader, recordingEnding } from "../recording/entries.ts";
import { encodeHeader, slotOf } from "../recording/file.ts";
import { type RecordedNode, recordNode } from "../recording/ports.ts";
import { Scrubber } from "../recording/scrub.ts";
import { RecordingWriter } from "../recording/writer.ts";
import { afterContinuations, recordingHeader } from "../server/recording/header.ts";

const blockBytes = 64 * 1024;
/** Blocks of one recording: 64 MiB, of which the start and the latest are kept. */
const blocksMax = 1024;

/** What the nodes of a cluster observed and did so far. */
export interface Tape {
  /** Files of the recordings, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Writes the files to a folder for `orrery sim replay FOLDER`, and returns the folder. It is created if it is missing. */
  save(folder: string): Promise<string>;
}

export function tapeOf(recordings: readonly IncarnationRecording[]): Tape {
  const files = new Map(recordings.map((recording) => [recording.fileName, recording.bytes()]));
  return {
    files,
    save: async (folder) => {
      await mkdir(folder, { recursive: true });
      await Promise.all([...files].map(([name, bytes]) => writeFile(join(folder, name), bytes)));
      return folder;
    },
  };
}

/** The recording of one incarnation of a node. */
export class IncarnationRecording {
  readonly fileName: string;
  readonly #header: RecordingHeader;
  readonly #slots: Slots;
  readonly #writer: RecordingWriter;
  /** Set when the incarnation has ended. */
  #final: Uint8Array | undefined;

  constructor(config: NodeConfig, id: string) {
    this.#header = recordingHeader({ id, config, scrubbed: false, blockBytes, blocks: blocksMax });
    this.#slots = new Slots(this.#header);
    this.#writer = new RecordingWriter(this.#slots);
    this.fileName = `${id}${recordingEnding}`;
  }

  record(ports: Ports): RecordedNode {
    const scrubber = new Scrubber({ literals: false });
    return recordNode(ports, { id: this.#header.id, writer: this.#writer, scrubber, after: afterContinuations });
  }

  /** Hook of the node: a tape says which queries failed. */
  readonly onTransition = (kind: "query" | "stage", id: string, _from: string, to: string): void => {
    if (kind === "query" && to === "FAILED") {
      this.#writer.queryFailed(id, "");
    }
  };

  /** The crash of a real node ends its recording, so what this process does to free the node's resources must not appear in it. */
  end(): void {
    this.#final ??= this.bytes();
  }

  bytes(): Uint8Array {
    if (this.#final === undefined) {
      this.#writer.cut();
      return this.#slots.bytes();
    }
    return this.#final;
  }
}

/** The file of a recording, in memory. */
class Slots implements BlockSink {
  readonly #header: RecordingHeader;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #free: Uint8Array[] = [];

  constructor(header: RecordingHeader) {
    this.#header = header;
  }

  take(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(blockBytes);
  }

  full(sequence: number, block: Uint8Array): void {
    const slot = slotOf(this.#header, sequence);
    const older = this.#blocks.get(slot);
    this.#blocks.set(slot, block);
    if (older !== undefined) {
      this.#free.push(new Uint8Array(older.buffer, 0, blockBytes));
    }
  }

  bytes(): Uint8Array {
    const start = encodeHeader(this.#header);
    const slots = Math.max(-1, ...this.#blocks.keys()) + 1;
    const file = new Uint8Array(start.length + slots * blockBytes);
    file.set(start);
    for (const [slot, block] of this.#blocks) {
      file.set(block, start.length + slot * blockBytes);
    }
    return file;
  }
}
