/**
 * Reference implementation of a LIKE program (like.ts) in TypeScript, for patterns that are not constant or are long, and for tests.
 */
import { VARCHAR } from "../../../types/type.ts";
import { encodeInSteps } from "../../runtime/large/large-values.ts";
import { allSteps, type InSteps } from "../../runtime/steps.ts";

const anyPoint = 0xff;

function pointBytes(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

interface LikeEffort {
  comparisons: number;
}

/** Position after the bytes of a segment, or -1 if they do not match here. */
function matchHere(text: Uint8Array, from: number, segment: Uint8Array, effort: LikeEffort): number {
  let at = from;
  for (let index = 0; index < segment.length; index++) {
    const wanted = segment[index] as number;
    const byte = text[at];
    if (byte === undefined || (wanted !== anyPoint && wanted !== byte)) {
      effort.comparisons += index;
      return -1;
    }
    at += wanted === anyPoint ? pointBytes(byte) : 1;
  }
  effort.comparisons += segment.length;
  return at;
}

/** As matchHere, of any segment. */
function* matchInSteps(text: Uint8Array, from: number, segment: Uint8Array, effort: LikeEffort): InSteps<number> {
  let at = from;
  for (let first = 0; first < segment.length && at >= 0; first += comparisonsAtOnce) {
    at = matchHere(text, at, segment.subarray(first, first + comparisonsAtOnce), effort);
    if (effort.comparisons >= comparisonsAtOnce) {
      effort.comparisons = 0;
      yield pauseSteps;
    }
  }
  return at;
}

/** Comparisons that take about as long as a step of a function. */
const comparisonsPerStep = 1024;
const pauseSteps = 256;
const comparisonsAtOnce = pauseSteps * comparisonsPerStep;

export function matchLike(value: string, program: Uint8Array): boolean {
  return allSteps(likeSteps(value, program));
}

/** Takes up to as many comparisons as text and pattern have bytes, multiplied. Yields steps now and then. */
export function* likeSteps(value: string, program: Uint8Array): InSteps<boolean> {
  const text = yield* encodeInSteps(VARCHAR, value, () => {});
  const view = new DataView(program.buffer, program.byteOffset);
  const count = view.getUint32(0, true);
  const [anchoredStart, anchoredEnd] = [view.getUint32(4, true) === 1, view.getUint32(8, true) === 1];
  const effort: LikeEffort = { comparisons: 0 };
  let at = 0;
  for (let index = 0; index < count; index++) {
    const offset = view.getUint32(16 + 16 * index, true);
    const segment = program.subarray(offset, offset + view.getUint32(20 + 16 * index, true));
    const isLast = index === count - 1 && anchoredEnd;
    let behind = -1;
    for (let from = at; from <= text.length; from++) {
      effort.comparisons++;
      const startsPoint = from === text.length || ((text[from] as number) & 0xc0) !== 0x80;
      behind = -1;
      if (startsPoint) {
        const isLong = segment.length > comparisonsAtOnce;
        behind = isLong ? yield* matchInSteps(text, from, segment, effort) : matchHere(text, from, segment, effort);
      }
      if (effort.comparisons >= comparisonsAtOnce) {
        effort.comparisons = 0;
        yield pauseSteps;
      }
      if (behind >= 0 && (!isLast || behind === text.length)) {
        break;
      }
      behind = -1;
      if (index === 0 && anchoredStart) {
        break;
      }
    }
    if (behind < 0) {
      return false;
    }
    at = behind;
  }
  return true;
}
