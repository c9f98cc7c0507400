/**
 * Recordings and fixtures with altered bytes, given to the reader of `npm run sim -- replay`: read to the end, or refused by a
 * RecordingError. Half of the altered blocks get their checksum again, so that entries are altered too.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeEntry } from "../../../../../src/recording/copy.ts";
import { type RecordedEntry, type RecordingHeader, recordingVersion } from "../../../../../src/recording/entries.ts";
import { encodeHeader, parseRecording, RecordingError } from "../../../../../src/recording/file.ts";
import { hashBytes } from "../../../../../src/recording/hash.ts";
import { MemoryRecording } from "../../../../../src/recording/memory.ts";
import { isFixture, type Tape } from "../../../../../sim/replay/fixture.ts";
import { entriesOf, survey } from "../../../../../sim/replay/survey.ts";
import { parseFixture, readTape } from "../../../../../sim/replay/tape.ts";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited, shownBytes, smallerBytes } from "../bytes.ts";
import { type FuzzTarget, leakIn, unexpected, type Verdict } from "../target.ts";

const blockBytes = 2048;
const blocksMax = 12;
const headerBytes = 40;
const fixtureFolder = "fixtures/field";
const oddNumbers = ["0", "-1", "1", "1e999", "null", '"x"', "{}", "[]", "0.5", "9007199254740993", "1e15"] as const;

/** The entries of the fixtures as recordings, their beginnings in small blocks. */
function seeds(root: string): readonly Uint8Array[] {
  const files = readdirSync(join(root, fixtureFolder)).sort();
  return files.flatMap((name) => {
    const path = join(root, fixtureFolder, name);
    return [new Uint8Array(readFileSync(path)), ...readTape(path).nodes.map(({ header, runs }) => recordingOf(header, runs[0]?.read()))];
  });
}

function recordingOf(header: RecordingHeader, reader: ReturnType<Tape["nodes"][number]["runs"][number]["read"]> | undefined): Uint8Array {
  const recording = new MemoryRecording(blockBytes);
  const kinds = new Map<string, number>();
  for (const entry of reader === undefined ? [] : entriesOf(reader)) {
    const seen = kinds.get(entry.kind) ?? 0;
    kinds.set(entry.kind, seen + 1);
    // Some of each kind.
    if (seen < 6) {
      writeEntry(recording.writer, shortened(entry));
    }
  }
  const blocks = recording.blocks().slice(0, blocksMax);
  const small = { ...header, orreryRecording: recordingVersion, config: {}, blockBytes, headBlocks: 2, ringBlocks: blocksMax };
  const head = encodeHeader(small as RecordingHeader);
  const out = new Uint8Array(head.length + blocks.length * blockBytes);
  out.set(head);
  blocks.forEach((block, index) => out.set(block, head.length + index * blockBytes));
  return out;
}

/** Long bodies would fill the seeds with bytes that are passed over. */
function shortened(entry: RecordedEntry): RecordedEntry {
  return "body" in entry && entry.body.bytes !== undefined && entry.body.bytes.length > 300
    ? { ...entry, body: { ...entry.body, bytes: undefined } }
    : entry;
}

/** A number of the first line becomes another value. */
function withHeaderNumber(random: Random, bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0x0a);
  const line = Buffer.from(bytes.subarray(0, end)).toString("utf8");
  const numbers = [...line.matchAll(/(?<=:)(?:\d+(?:\.\d+)?|\{\}|true|false)(?=[,}])/g)];
  if (end < 0 || numbers.length === 0) {
    return bytes;
  }
  const { 0: text, index } = random.pick(numbers);
  const changed = Buffer.from(line.slice(0, index) + random.pick(oddNumbers) + line.slice(index + text.length));
  const out = bytes.slice();
  out.fill(0x20, 0, end + 1);
  out.set(changed.subarray(0, Math.min(changed.length, out.length - 1)));
  out[Math.min(Math.max(end, changed.length), out.length - 1)] = 0x0a;
  return out;
}

/** Alters entries of one block, and gives the block its checksum again. */
function withBlock(random: Random, bytes: Uint8Array): Uint8Array {
  const start = Math.ceil((bytes.indexOf(0x0a) + 1) / 4096) * 4096;
  const count = Math.floor((bytes.length - start) / blockBytes);
  if (count < 1) {
    return bytes;
  }
  const at = start + random.below(count) * blockBytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, blockBytes);
  const used = Math.min(view.getUint32(8, true), blockBytes - headerBytes);
  if (used < 1) {
    return bytes;
  }
  const payload = bytes.subarray(at + headerBytes, at + headerBytes + used);
  const changed = edited(payload, drawByteEdit(random, payload)).subarray(0, blockBytes - headerBytes);
  const out = bytes.slice();
  out.fill(0, at + headerBytes, at + blockBytes);
  out.set(changed, at + headerBytes);
  const head = new DataView(out.buffer, out.byteOffset + at, blockBytes);
  head.setUint32(8, changed.length, true);
  if (random.chance(10)) {
    head.setUint32(4 * (1 + random.below(4)), random.below(3), true);
  }
  head.setUint32(24, hashBytes(changed), true);
  return out;
}

class TapeTarget implements FuzzTarget<Uint8Array> {
  readonly #seeds: readonly Uint8Array[];

  constructor(root: string) {
    this.#seeds = seeds(root);
  }

  draw(random: Random): Uint8Array {
    let bytes = random.pick(this.#seeds);
    for (let left = 1 + random.below(3); left > 0 && bytes.length > 0; left--) {
      const kind = random.below(4);
      bytes =
        kind < 2 && !isFixture(bytes)
          ? withBlock(random, bytes)
          : kind === 2
            ? withHeaderNumber(random, bytes)
            : edited(bytes, drawByteEdit(random, bytes));
    }
    return bytes;
  }

  run(bytes: Uint8Array): Verdict {
    try {
      const tape = isFixture(bytes) ? parseFixture(bytes) : { name: "fuzz", story: "", nodes: [parseRecording(bytes)] };
      let entries = 0;
      for (const run of tape.nodes.flatMap(({ runs }) => runs)) {
        for (const _entry of entriesOf(run.read())) {
          entries++;
        }
      }
      survey(tape);
      return { outcome: entries === 0 ? "read, no entries" : "read" };
    } catch (error) {
      if (error instanceof RecordingError) {
        const fault = leakIn(error.message);
        return { outcome: error.message.replace(/\d+/g, "N").slice(0, 60), ...(fault !== undefined && { fault }) };
      }
      return unexpected(error);
    }
  }

  smaller(bytes: Uint8Array): Iterable<Uint8Array> {
    return smallerBytes(bytes);
  }

  show(bytes: Uint8Array): string {
    return shownBytes(bytes);
  }
}

export function openTape(): FuzzTarget<Uint8Array> {
  return new TapeTarget(process.cwd());
}
