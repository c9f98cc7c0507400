/**
 * Runs from files that a user opened: traces of the simulator, fixtures, and recordings of nodes. Knows neither files nor the network, so
 * that it runs in a browser.
 */
import { decompressBrotli } from "hyparquet-compressors";
import { parseRecording } from "../../src/recording/file.ts";
import { decodeUtf8 } from "../../src/types/utf8.ts";
import { byStart, damaged, fixtureMark, isFixture, type NodeTape, parseFixtureBody, type Tape } from "../replay/fixture.ts";
import { parseWholeTrace } from "../trace/trace.ts";
import { factsOf, type ViewedRun } from "./facts.ts";
import { recordingToView } from "./recorded/recorded.ts";

export interface OpenedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Side by side. */
const runsMax = 2;
const fixtureBytesMax = 1 << 30;
/** Bytes in which a file's kind shows. */
const markBytes = 200;

/**
 * Recordings that are opened together are the nodes of one cluster. Throws with the file's name and the reason if a file is none of the
 * three, or damaged.
 */
export function openRuns(files: readonly OpenedFile[]): readonly ViewedRun[] {
  const opened = files.map((file) => ({ file, ...openFile(file) }));
  const runs = opened.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const recordings = opened.flatMap(({ file, node }) => (node === undefined ? [] : [{ name: file.name, node }]));
  const [first] = recordings;
  if (first !== undefined) {
    const name = recordings.length === 1 ? first.name : `${recordings.length} recordings`;
    runs.push(recordingToView({ name, story: "", nodes: recordings.map(({ node }) => node).sort(byStart) }));
  }
  if (runs.length > runsMax) {
    throw new Error(`${runs.length} runs are too many: one is shown alone, or two side by side`);
  }
  return runs;
}

function openFile(file: OpenedFile): { readonly run?: ViewedRun; readonly node?: NodeTape } {
  try {
    return readFile(file);
  } catch (error) {
    throw new Error(`${file.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function readFile({ name, bytes }: OpenedFile): { readonly run: ViewedRun } | { readonly node: NodeTape } {
  if (bytes.length === 0) {
    throw new Error("the file is empty");
  }
  if (isFixture(bytes)) {
    return { run: recordingToView(readFixture(bytes)) };
  }
  const first = decodeUtf8(bytes.subarray(0, markBytes));
  if (first.startsWith('{"orreryRecording"')) {
    return { node: parseRecording(bytes) };
  }
  if (first.startsWith('{"orreryTrace"')) {
    const { plan, entries, footer } = parseWholeTrace(decodeUtf8(bytes));
    return { run: { facts: factsOf(plan, { name: `trace ${name} of seed ${plan.seed}`, resultText: "", ...footer }), entries } };
  }
  throw new Error("the file is neither a trace, nor a fixture, nor a recording");
}

/** The decoder wants to know the size of the content, which a fixture does not say: tries twice the size until it fits. */
function readFixture(bytes: Uint8Array): Tape {
  const compressed = bytes.subarray(fixtureMark.length);
  for (let size = Math.max(1 << 20, compressed.length * 16); ; size *= 2) {
    let body: Uint8Array;
    try {
      body = decompressBrotli(compressed, size);
    } catch (error) {
      if (size < fixtureBytesMax && error instanceof Error && /output buffer/i.test(error.message)) {
        continue;
      }
      throw damaged(error);
    }
    return parseFixtureBody(body);
  }
}
