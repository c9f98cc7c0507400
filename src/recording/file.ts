/**
 * A recording as a file: a line of JSON, padded, then blocks at fixed places. The first blocks are the node's start and stay; behind them a ring is
 * written over and over. Read by whoever imports recordings, written by the server's recorder.
 */
import { decodeUtf8, encodeUtf8 } from "../types/utf8.ts";
import { type BlockFacts, readBlock } from "./blocks.ts";
import { type RecordingHeader, recordingVersion } from "./entries.ts";
import { RecordingReader } from "./reader.ts";

const headerUnitBytes = 4096;

export function encodeHeader(header: RecordingHeader): Uint8Array {
  const line = encodeUtf8(`${JSON.stringify(header)}\n`);
  const padded = new Uint8Array(Math.ceil(line.length / headerUnitBytes) * headerUnitBytes).fill(0x20);
  padded.set(line);
  return padded;
}

/** Which place a block has, behind the header. */
export function slotOf(header: Pick<RecordingHeader, "headBlocks" | "ringBlocks">, sequence: number): number {
  return sequence < header.headBlocks ? sequence : header.headBlocks + ((sequence - header.headBlocks) % header.ringBlocks);
}

type Block = BlockFacts & { readonly payload: Uint8Array };

/** Entries without a gap between them. */
export interface RecordedRun {
  /** Entries of the node's life before the first of these. */
  readonly entriesBefore: number;
  /** A new reader from the start, each time. */
  read(): RecordingReader;
}

export interface Recording {
  readonly header: RecordingHeader;
  /** In order. The first begins with the node's start; what is between two was overwritten or never reached the disk. */
  readonly runs: readonly RecordedRun[];
}

export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** Throws RecordingError for what is no recording of this version. */
export function parseRecording(bytes: Uint8Array): Recording {
  const header = parseHeader(bytes);
  const start = Math.ceil((bytes.indexOf(0x0a) + 1) / headerUnitBytes) * headerUnitBytes;
  const blocks: Block[] = [];
  for (let slot = 0; start + slot * header.blockBytes < bytes.length; slot++) {
    const at = start + slot * header.blockBytes;
    const block = readBlock(bytes.subarray(at, at + header.blockBytes));
    if (block !== undefined && slotOf(header, block.sequence) === slot) {
      blocks.push(block);
    }
  }
  blocks.sort((a, b) => a.sequence - b.sequence);
  const runs: Block[][] = [];
  for (const block of blocks) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.sequence === block.sequence - 1) {
      run.push(block);
    } else {
      runs.push([block]);
    }
  }
  return {
    header,
    runs: runs.flatMap((run) => {
      const first = run.findIndex((block) => block.firstEntry !== undefined);
      const usable = run.slice(first);
      return first === -1 ? [] : [{ entriesBefore: usable[0]?.entriesBefore ?? 0, read: () => new RecordingReader(usable) }];
    }),
  };
}

function parseHeader(bytes: Uint8Array): RecordingHeader {
  const end = bytes.indexOf(0x0a);
  let header: RecordingHeader;
  try {
    header = JSON.parse(decodeUtf8(bytes.subarray(0, Math.max(0, end)))) as RecordingHeader;
  } catch {
    throw new RecordingError("it does not begin with a recording's header");
  }
  if (header.orreryRecording !== recordingVersion) {
    throw new RecordingError(
      header.orreryRecording === undefined
        ? "it is no recording"
        : `it is a recording of version ${String(header.orreryRecording)}; this program reads version ${recordingVersion}`,
    );
  }
  return header;
}
