/**
 * The recordings of all nodes of one cluster, read from a folder that servers recorded into, or from a fixture, which is the same in one
 * compressed file without the content that a replay regenerates.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { readBlock } from "../../src/recording/blocks.ts";
import { type RecordingHeader, recordingEnding } from "../../src/recording/entries.ts";
import { parseRecording, type RecordedRun, RecordingError } from "../../src/recording/file.ts";
import { RecordingReader } from "../../src/recording/reader.ts";

export const fixtureEnding = ".orrery-fixture";
const fixtureVersion = 1;
/** File format: `orrery fixture 1\n`, then the compressed rest. */
const fixtureMark = `orrery fixture ${fixtureVersion}\n`;

/** One incarnation of one node. */
export interface NodeTape {
  readonly header: RecordingHeader;
  /** Runs of entries without gaps. Only the first can be replayed, and only from the node's start. */
  readonly runs: readonly RecordedRun[];
}

export interface Tape {
  readonly name: string;
  /** Description of the incident; empty if unknown. */
  readonly story: string;
  readonly nodes: readonly NodeTape[];
}

/** The part of a node's tape that begins with its start. */
export function replayableRun(node: NodeTape): RecordedRun | undefined {
  return node.runs[0]?.entriesBefore === 0 ? node.runs[0] : undefined;
}

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

function byStart(a: NodeTape, b: NodeTape): number {
  return a.header.wallMillis - b.header.wallMillis || (a.header.id < b.header.id ? -1 : 1);
}

function readRecording(path: string, bytes: Uint8Array): NodeTape {
  try {
    return parseRecording(bytes);
  } catch (error) {
    throw error instanceof RecordingError ? new RecordingError(`cannot read ${path}: ${error.message}`) : error;
  }
}

function isFixture(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, fixtureMark.length)).toString("latin1") === fixtureMark;
}

interface FixtureHead {
  readonly name: string;
  readonly story: string;
  readonly nodes: readonly {
    readonly header: RecordingHeader;
    /** Sizes of the following blocks, in order. */
    readonly runs: readonly { readonly entriesBefore: number; readonly blocks: readonly number[] }[];
  }[];
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
  let body: Buffer;
  let head: FixtureHead;
  let at: number;
  try {
    body = brotliDecompressSync(bytes.subarray(fixtureMark.length));
    at = body.indexOf(0x0a) + 1;
    head = JSON.parse(body.subarray(0, at).toString()) as FixtureHead;
  } catch (error) {
    throw new RecordingError(`the fixture is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
  const nodes = head.nodes.map(({ header, runs }): NodeTape => {
    return {
      header,
      runs: runs.map(({ entriesBefore, blocks }) => {
        const parsed = blocks.map((length) => {
          const block = readBlock(body.subarray(at, at + length));
          at += length;
          if (block === undefined) {
            throw new RecordingError(`the fixture is damaged: a block of node ${header.nodeId} does not have its checksum`);
          }
          return block;
        });
        return { entriesBefore, read: () => new RecordingReader(parsed) };
      }),
    };
  });
  return { name: head.name, story: head.story, nodes };
}

export function writeFixture(path: string, tape: WrittenTape): number {
  const bytes = encodeFixture(tape);
  writeFileSync(path, bytes, { mode: 0o600 });
  return bytes.length;
}
