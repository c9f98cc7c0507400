/**
 * The file format of a recording: a padded line of JSON, then blocks in fixed slots. The first blocks hold the node's start and are kept;
 * the slots after them are a ring.
 */
import { decodeUtf8, encodeUtf8 } from "../types/utf8.ts";
import { type BlockFacts, readBlock } from "./blocks.ts";
import { type RecordingHeader, recordingVersion } from "./entries.ts";
import { RecordingReader } from "./reader.ts";

const headerUnitBytes = 4096;
const noHeader = "it does not begin with a recording's header";

export function encodeHeader(header: RecordingHeader): Uint8Array {
  const line = encodeUtf8(`${JSON.stringify(header)}\n`);
  const padded = new Uint8Array(Math.ceil(line.length / headerUnitBytes) * headerUnitBytes).fill(0x20);
  padded.set(line);
  return padded;
}

/** The slot of a block, counted after the header. */
export function slotOf(header: Pick<RecordingHeader, "headBlocks" | "ringBlocks">, sequence: number): number {
  return sequence < header.headBlocks ? sequence : header.headBlocks + ((sequence - header.headBlocks) % header.ringBlocks);
}

type Block = BlockFacts & { readonly payload: Uint8Array };

/** Consecutive entries without a gap. */
export interface RecordedRun {
  /** Number of entries before the first one of this run. */
  readonly entriesBefore: number;
  /** Returns a new reader from the start. */
  read(): RecordingReader;
}

export interface Recording {
  readonly header: RecordingHeader;
  /** In order. The first run begins with the node's start. Entries between two runs were overwritten or never reached the disk. */
  readonly runs: readonly RecordedRun[];
}

export class RecordingError extends Error {
  override readonly name = "RecordingError";
}

/** Throws RecordingError if the bytes are not a recording of this version. */
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
    throw new RecordingError(noHeader);
  }
  if (typeof header !== "object" || header === null) {
    throw new RecordingError(noHeader);
  }
  if (header.orreryRecording !== recordingVersion) {
    throw new RecordingError(
      header.orreryRecording === undefined
        ? "it is no recording"
        : `it is a recording of version ${String(header.orreryRecording)}; this program reads version ${recordingVersion}`,
    );
  }
  requireHeader(header);
  return header;
}

/** Throws RecordingError if a member of the header is missing or of another type. */
export function requireHeader(header: RecordingHeader): void {
  const texts = [header.id, header.nodeId, header.engineVersion, header.platform];
  const counts = [header.blockBytes, header.headBlocks, header.ringBlocks];
  const isWhole =
    texts.every((text) => typeof text === "string") &&
    counts.every((count) => Number.isSafeInteger(count) && count >= 1) &&
    Number.isFinite(header.wallMillis) &&
    Number.isFinite(header.monotonicNanos) &&
    typeof header.scrubbed === "boolean" &&
    typeof header.config === "object" &&
    header.config !== null;
  if (!isWhole) {
    throw new RecordingError("its header is damaged");
  }
}
