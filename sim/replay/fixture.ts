/**
 * The recordings of all nodes of one cluster, and the content of a fixture: the same recordings in one sequence of bytes, without the
 * content that a replay regenerates. Knows neither files nor compression, so that a browser can read it too.
 */
import { readBlock } from "../../src/recording/blocks.ts";
import type { RecordingHeader } from "../../src/recording/entries.ts";
import { type RecordedRun, RecordingError, requireHeader } from "../../src/recording/file.ts";
import { RecordingReader } from "../../src/recording/reader.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/types/utf8.ts";

const fixtureVersion = 1;
/** File format: `orrery fixture 1\n`, then the content, compressed by Brotli. */
export const fixtureMark = `orrery fixture ${fixtureVersion}\n`;

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

/** Order of the nodes of a tape. */
export function byStart(a: NodeTape, b: NodeTape): number {
  return a.header.wallMillis - b.header.wallMillis || (a.header.id < b.header.id ? -1 : 1);
}

export function isFixture(bytes: Uint8Array): boolean {
  const mark = encodeUtf8(fixtureMark);
  return mark.every((byte, index) => bytes[index] === byte);
}

/** The first line of the content, as JSON. */
export interface FixtureHead {
  readonly name: string;
  readonly story: string;
  readonly nodes: readonly {
    readonly header: RecordingHeader;
    /** Sizes of the following blocks, in order. */
    readonly runs: readonly { readonly entriesBefore: number; readonly blocks: readonly number[] }[];
  }[];
}

/** `body`: the decompressed content; bytes behind the last block are ignored. Throws RecordingError if it is damaged. */
export function parseFixtureBody(body: Uint8Array): Tape {
  let head: FixtureHead;
  let at = body.indexOf(0x0a) + 1;
  try {
    head = JSON.parse(decodeUtf8(body.subarray(0, at))) as FixtureHead;
  } catch (error) {
    throw damaged(error);
  }
  if (!isHead(head)) {
    throw new RecordingError("the fixture is damaged: its first line cannot be read");
  }
  const nodes = head.nodes.map(({ header, runs }): NodeTape => {
    requireHeader(header);
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

function isHead(head: FixtureHead | null): head is FixtureHead {
  return (
    typeof head === "object" &&
    head !== null &&
    typeof head.name === "string" &&
    typeof head.story === "string" &&
    Array.isArray(head.nodes) &&
    head.nodes.every(
      (node) => typeof node?.header === "object" && node.header !== null && Array.isArray(node.runs) && node.runs.every(isRun),
    )
  );
}

function isRun(run: FixtureHead["nodes"][number]["runs"][number] | null): boolean {
  return (
    typeof run?.entriesBefore === "number" &&
    Array.isArray(run.blocks) &&
    run.blocks.every((length) => Number.isSafeInteger(length) && length >= 0)
  );
}

export function damaged(error: unknown): RecordingError {
  return new RecordingError(`the fixture is damaged: ${error instanceof Error ? error.message : String(error)}`);
}
