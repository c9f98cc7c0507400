/**
 * Memory of pages on their way between tasks, written from docs/interface.md (Task), docs/architecture.md (Pages, kernels, memory) and the
 * published protocol of task documents. Looked at from inside the node:
 * - The output of a task holds the pages that its consumers have not acknowledged, and the bytes that it tells are the bytes of these
 *   pages, as their consumers get them. A page for several consumers counts once.
 * - The system memory of a task is what its output holds in memory and what its exchanges have fetched. Pages that were acknowledged, and
 *   those that are on a disk, are not charged. The memory of a task is that of its operators and of its output, and is no more than it has
 *   ever been.
 */
import type { TaskAccount } from "../../../../src/node-accounts.ts";
import { readBody } from "../../protocol/bodies.ts";
import { frameHeaderBytes } from "../../protocol/frames.ts";
import { headerOf, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** One in this many looks is at a node. */
const lookEvery = 2;
/** Sums about pages that wait for the sizes of those that were not given yet. */
const claimsMax = 16;
const ends: ReadonlySet<string> = new Set(["FINISHED", "CANCELED", "ABORTED", "FAILED"]);

/** Pages of one list that are held. */
interface Range {
  readonly list: number;
  readonly from: number;
  readonly to: number;
}

interface Claim {
  readonly ranges: readonly Range[];
  readonly bytes: number;
}

interface Output {
  readonly kind: "PARTITIONED" | "BROADCAST" | "SHARED";
  /** Lists of pages: one for all consumers of a BROADCAST, one for each partition. */
  readonly lists: number;
  /** Bytes of each page, by list and token. */
  readonly sizes: readonly number[][];
  readonly claims: Claim[];
}

interface Update {
  readonly outputIds: { readonly kind: Output["kind"]; readonly bufferCount: number; readonly readerCount?: number };
}

class PageMemoryModel implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #places: readonly string[];
  /** Outputs of the tasks of a place's current life, by task. */
  readonly #outputs = new Map<string, Map<string, Output>>();
  #looks = 0;

  constructor(context: Judged) {
    this.#context = context;
    this.#places = [context.plan.coordinator, ...context.plan.workers].map(({ name }) => name);
  }

  note({ place }: Note): void {
    this.#outputs.delete(place);
  }

  observe({ task, to, request, response }: Observed): void {
    if (task === undefined || response.status !== 200) {
      return;
    }
    const outputs = this.#outputs.get(to) ?? new Map<string, Output>();
    this.#outputs.set(to, outputs);
    const output = outputs.get(task.taskId);
    if (task.what === "results" && request.method === "GET" && output !== undefined) {
      const sizes = output.sizes[task.bufferId % output.lists];
      const first = Number(headerOf(response.headers, "x-engine-page-sequence-id"));
      sizesOf(response.body).forEach((bytes, index) => {
        if (sizes !== undefined) {
          sizes[first + index] = bytes;
        }
      });
      this.#settle(`${task.taskId} on ${to}`, output);
    } else if (task.what === "task" && request.method === "POST" && output === undefined) {
      outputs.set(task.taskId, outputOf(readBody(request.body).json() as Update));
    }
  }

  look(): void {
    if (this.#looks++ % lookEvery !== 0) {
      return;
    }
    const place = this.#places[Math.floor(this.#looks / lookEvery) % this.#places.length] ?? "";
    for (const task of this.#context.node(place)?.accounts().tasks ?? []) {
      if (!ends.has(task.state)) {
        this.#task(`${task.taskId} on ${place}`, task, this.#outputs.get(place)?.get(task.taskId));
      }
    }
  }

  #task(who: string, task: TaskAccount, output: Output | undefined): void {
    this.#charged(who, task);
    if (output !== undefined && task.output.bufferedBytes > 0 && output.claims.length < claimsMax) {
      output.claims.push({ bytes: task.output.bufferedBytes, ranges: rangesOf(output, task) });
    }
  }

  /** Judges what was said of pages whose sizes are known by now. */
  #settle(who: string, { claims, sizes }: Output): void {
    for (let at = claims.length - 1; at >= 0; at--) {
      const { bytes, ranges } = claims[at] as Claim;
      const held = ranges.flatMap(({ list, from, to }) => Array.from({ length: to - from }, (_, index) => sizes[list]?.[from + index]));
      const known = held.filter((size) => size !== undefined);
      if (known.length === held.length) {
        claims.splice(at, 1);
        const sum = known.reduce((total, size) => total + size, 0);
        this.#check(bytes === sum, () => `the output of ${who} said that it held ${bytes} bytes, of ${held.length} pages with ${sum}`);
      }
    }
  }

  #charged(who: string, { output, stats }: TaskAccount): void {
    const { memoryReservationBytes, peakMemoryBytes, pipelines, systemMemoryBytes } = stats();
    const operators = pipelines.flatMap((pipeline) => pipeline.operators);
    const fetched = operators.reduce((sum, { info }) => sum + (info?.bufferedBytes ?? 0), 0);
    const { memoryBytes: inMemory = output.bufferedBytes } = output;
    this.#check(
      systemMemoryBytes === inMemory + fetched && inMemory <= output.bufferedBytes,
      () =>
        `${who} is charged ${systemMemoryBytes} bytes for pages; its output holds ${inMemory} of ${output.bufferedBytes} in memory, and ` +
        `its exchanges have fetched ${fetched}`,
    );
    const own = operators.reduce((sum, { memoryReservationBytes: bytes }) => sum + bytes, 0);
    this.#check(
      memoryReservationBytes === own + inMemory && memoryReservationBytes <= peakMemoryBytes,
      () =>
        `${who} holds ${memoryReservationBytes} bytes, and ${peakMemoryBytes} at most; its operators hold ${own} and its output ${inMemory}`,
    );
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

/** A consumer of a shared list that lags keeps its pages for itself; those of the others are among them. */
function rangesOf({ kind, lists }: Output, { output: { buffers } }: TaskAccount): readonly Range[] {
  const held = buffers
    .map(({ bufferedPages, pagesSent }, index): Range => ({ list: index % lists, from: pagesSent, to: pagesSent + bufferedPages }))
    .filter(({ from, to }) => to > from);
  if (kind === "PARTITIONED") {
    return held;
  }
  return Array.from({ length: lists }, (_, list): Range => {
    const own = held.filter((range) => range.list === list);
    return own.length === 0
      ? { list, from: 0, to: 0 }
      : { list, from: Math.min(...own.map(({ from }) => from)), to: Math.max(...own.map(({ to }) => to)) };
  });
}

function outputOf({ outputIds: { kind, bufferCount, readerCount = 1 } }: Update): Output {
  const lists = kind === "BROADCAST" ? 1 : kind === "SHARED" ? bufferCount / readerCount : bufferCount;
  return { kind, lists, sizes: Array.from({ length: lists }, () => []), claims: [] };
}

function sizesOf(body: Uint8Array): readonly number[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const sizes: number[] = [];
  for (let at = 0; at + frameHeaderBytes <= body.length; at += sizes.at(-1) ?? body.length) {
    sizes.push(frameHeaderBytes + view.getUint32(at + 12, true));
  }
  return sizes;
}

export const pageMemory: ModelKind = {
  invariant: {
    name: "page-memory",
    sentence:
      "The bytes of a task's output are those of the pages that its consumers have not acknowledged, and its memory is what its operators, its exchanges and its output hold.",
    kind: "leak",
    checkedIn: "checkers/models/node/page-memory.ts",
  },
  create: (context) => new PageMemoryModel(context),
};
