/**
 * Reads the recordings of a cluster from a folder that servers recorded into, or from a fixture, which is the same in one compressed file.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { type RecordingHeader, recordingEnding } from "../../src/recording/entries.ts";
import { parseRecording, RecordingError } from "../../src/recording/file.ts";
import { byStart, damaged, type FixtureHead, fixtureMark, isFixture, type NodeTape, parseFixtureBody, type Tape } from "./fixture.ts";

export const fixtureEnding = ".orrery-fixture";
/** Of the content: some recordings at their default size. */
const fixtureBytesMax = 1024 * 1024 * 1024;

/** Reads a fixture, a recording, or a folder of recordings. Throws RecordingError with the reason if it is invalid. */
export function readTape(path: string): Tape {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) {
    throw new RecordingError(`there is no file or folder '${path}'`);
  }
  if (!facts.isDirectory()) {
    const bytes = readFileSync(path);
    return isFixture(bytes)
      ? parseFixture(bytes)
      : { name: basename(path, recordingEnding), story: "", nodes: [readRecording(path, bytes)] };
  }
  const files = readdirSync(path)
    .filter((name) => name.endsWith(recordingEnding))
    .sort();
  if (files.length === 0) {
    throw new RecordingError(`folder '${path}' contains no recordings (*${recordingEnding}); were its servers started with --record?`);
  }
  const nodes = files.map((name) => readRecording(join(path, name), readFileSync(join(path, name))));
  return { name: basename(path), story: "", nodes: nodes.sort(byStart) };
}

function readRecording(path: string, bytes: Uint8Array): NodeTape {
  try {
    return parseRecording(bytes);
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`cannot read ${path}: ${error.message}`) : error;
  }
}

export interface WrittenRun {
  readonly entriesBefore: number;
  readonly blocks: readonly Uint8Array[];
}

export interface WrittenTape {
  readonly name: string;
  readonly story: string;
  readonly nodes: readonly { readonly header: RecordingHeader; readonly runs: readonly WrittenRun[] }[];
}

function encodeFixture(tape: WrittenTape): Uint8Array {
  const head: FixtureHead = {
    name: tape.name,
    story: tape.story,
    nodes: tape.nodes.map(({ header, runs }) => ({
      header,
      runs: runs.map(({ entriesBefore, blocks }) => ({ entriesBefore, blocks: blocks.map((block) => block.length) })),
    })),
  };
  const body = Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    ...tape.nodes.flatMap(({ runs }) => runs.flatMap(({ blocks }) => blocks)),
  ]);
  const quality = body.length < 16 * 1024 * 1024 ? 9 : 4;
  const compressed = brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
  return Buffer.concat([Buffer.from(fixtureMark), compressed]);
}

export function parseFixture(bytes: Uint8Array): Tape {
  let body: Uint8Array;
  try {
    body = brotliDecompressSync(bytes.subarray(fixtureMark.length), { maxOutputLength: fixtureBytesMax });
  } catch (error) {
    throw damaged(error);
  }
  return parseFixtureBody(body);
}

export function writeFixture(path: string, tape: WrittenTape): number {
  const bytes = encodeFixture(tape);
  writeFileSync(path, bytes, { mode: 0o600 });
  return bytes.length;
}
