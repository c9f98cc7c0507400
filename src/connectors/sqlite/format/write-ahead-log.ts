/**
 * A write-ahead log: pages of committed transactions that are not yet in the database file (https://www.sqlite.org/fileformat2.html,
 * section 4). Frames behind the last valid commit are ignored, as SQLite does.
 */
import { BadData } from "../../shared/file-errors.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { u32 } from "./numbers.ts";

export const logHeaderBytes = 32;
export const frameHeaderBytes = 24;
const magic = 0x377f_0682;
const formatVersion = 3_007_000;
/** 4 GB of pages of 4 kB. */
const framesMax = 1_048_576;
/** Bytes of frames that are read at once. */
const chunkBytes = 1_048_576;

/** Which commits of a log belong to a snapshot. */
export interface LogPosition {
  readonly salt1: number;
  readonly salt2: number;
  /** Frames up to the last commit. */
  readonly frames: number;
}

export interface WriteAheadLog {
  readonly position: LogPosition;
  readonly pageSize: number;
  /** Size of the database after the last commit. */
  readonly pageCount: number;
  /** The frame of each page, from 0. */
  readonly frameOf: ReadonlyMap<number, number>;
}

type ReadRange = (offset: number, length: number) => Promise<Uint8Array>;

interface Checksum {
  readonly one: number;
  readonly two: number;
}

/**
 * undefined if the log has no valid header or no commit: it adds nothing to the database file. `framesWanted` bounds the commits: later
 * ones are not part of the snapshot. Throws BadData.
 */
export async function readLog(
  read: ReadRange,
  sizeBytes: number,
  framesWanted: number = framesMax + 1,
): Promise<WriteAheadLog | undefined> {
  const header = await read(0, logHeaderBytes);
  const isBigEndian = (u32(header, 0) & 1) === 1;
  if (header.length < logHeaderBytes || (u32(header, 0) & ~1) >>> 0 !== magic) {
    return undefined;
  }
  let sum = checksum(header.subarray(0, 24), { one: 0, two: 0 }, isBigEndian);
  if (sum.one !== u32(header, 24) || sum.two !== u32(header, 28)) {
    return undefined;
  }
  if (u32(header, 4) !== formatVersion) {
    throw new BadData(`the write-ahead log is of an unknown version: ${u32(header, 4)}`);
  }
  const [pageSize, salt1, salt2] = [u32(header, 8), u32(header, 16), u32(header, 20)];
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) {
    throw new BadData(`the size of a page in the write-ahead log cannot be ${pageSize} bytes`);
  }
  const frameBytes = frameHeaderBytes + pageSize;
  const count = Math.min(Math.floor((sizeBytes - logHeaderBytes) / frameBytes), framesWanted);
  const frameOf = new Map<number, number>();
  const open = new Map<number, number>();
  const perChunk = Math.max(1, Math.floor(chunkBytes / frameBytes));
  let [committed, pageCount] = [0, 0];
  for (let first = 0; first < count; first += perChunk) {
    const chunk = await read(logHeaderBytes + first * frameBytes, Math.min(perChunk, count - first) * frameBytes);
    for (let at = 0; at + frameBytes <= chunk.length; at += frameBytes) {
      const frame = first + at / frameBytes;
      const page = u32(chunk, at);
      if (page === 0 || u32(chunk, at + 8) !== salt1 || u32(chunk, at + 12) !== salt2) {
        return logOf({ salt1, salt2, frames: committed }, { pageSize, pageCount, frameOf });
      }
      sum = checksum(chunk.subarray(at, at + 8), sum, isBigEndian);
      sum = checksum(chunk.subarray(at + frameHeaderBytes, at + frameBytes), sum, isBigEndian);
      if (sum.one !== u32(chunk, at + 16) || sum.two !== u32(chunk, at + 20)) {
        return logOf({ salt1, salt2, frames: committed }, { pageSize, pageCount, frameOf });
      }
      open.set(page, frame);
      const sizeAfter = u32(chunk, at + 4);
      if (sizeAfter > 0) {
        for (const [number, place] of open) {
          frameOf.set(number, place);
        }
        open.clear();
        [committed, pageCount] = [frame + 1, sizeAfter];
        if (committed > framesMax) {
          throw new QueryError("NOT_SUPPORTED", `The write-ahead log has more than ${framesMax} frames: PRAGMA wal_checkpoint empties it`);
        }
      }
    }
  }
  return logOf({ salt1, salt2, frames: committed }, { pageSize, pageCount, frameOf });
}

function logOf(position: LogPosition, rest: Omit<WriteAheadLog, "position">): WriteAheadLog | undefined {
  return position.frames === 0 ? undefined : { position, ...rest };
}

/** `bytes` are a multiple of 8. */
function checksum(bytes: Uint8Array, { one, two }: Checksum, isBigEndian: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [first, second] = [one, two];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return { one: first, two: second };
}
