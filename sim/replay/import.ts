/**
 * Converts the recordings of a cluster's nodes to one fixture: merges them, removes content that a replay regenerates, and summarises them.
 */
import type { KernelModuleCache } from "../../src/codegen/runtime.ts";
import { writeEntry } from "../../src/recording/copy.ts";
import { isInput, type RecordedEntry } from "../../src/recording/entries.ts";
import { MemoryRecording } from "../../src/recording/memory.ts";
import type { RecordingReader } from "../../src/recording/reader.ts";
import { replayTape, type ReplayResult } from "./replay.ts";
import { entriesOf, survey, type Survey } from "./survey.ts";
import { type NodeTape, replayableRun, type Tape } from "./fixture.ts";
import type { WrittenRun, WrittenTape } from "./tape.ts";

const fixtureBlockBytes = 4 * 1024 * 1024;

export interface Imported {
  readonly surveyed: Survey;
  /** The replay that determined which content the fixture can omit. */
  readonly replayed: ReplayResult;
  readonly fixture: WrittenTape;
}

export interface ImportOptions {
  readonly name: string;
  readonly story: string;
  readonly modules?: KernelModuleCache;
  readonly onProgress?: (inputs: number, total: number) => void;
}

export async function importTape(tape: Tape, options: ImportOptions): Promise<Imported> {
  const surveyed = survey(tape);
  const regenerated = tape.nodes.map(() => new Set<number>());
  const replayed = await replayTape(tape, {
    surveyed,
    ...(options.modules === undefined ? {} : { modules: options.modules }),
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    onRegenerated: (node, step) => regenerated[node]?.add(step),
  });
  const nodes = tape.nodes.map((node, index) => ({ header: node.header, runs: thin(node, regenerated[index] as Set<number>) }));
  return { surveyed, replayed, fixture: { name: options.name, story: options.story, nodes } };
}

function thin(node: NodeTape, regenerated: ReadonlySet<number>): readonly WrittenRun[] {
  const replayable = replayableRun(node);
  return node.runs.map((run) => ({
    entriesBefore: run.entriesBefore,
    blocks: copy(run.read(), run === replayable ? regenerated : new Set()),
  }));
}

function copy(reader: RecordingReader, regenerated: ReadonlySet<number>): readonly Uint8Array[] {
  const copied = new MemoryRecording(fixtureBlockBytes);
  let step = -1;
  for (const entry of entriesOf(reader)) {
    step += isInput(entry) ? 1 : 0;
    writeEntry(copied.writer, isInput(entry) && regenerated.has(step) ? withoutBytes(entry) : entry);
  }
  return copied.blocks();
}

function withoutBytes(entry: RecordedEntry): RecordedEntry {
  return "body" in entry ? { ...entry, body: { ...entry.body, bytes: undefined } } : entry;
}
