/**
 * The output of a task is a function of its fragment, its splits, its dynamic filters and its sources' pages, and of nothing else. Some
 * tasks of a run are recorded with their requests and pages. After the run each is replayed in another world (task-replay.ts), and every
 * recorded page must be reproduced byte by byte.
 */
import { readBody } from "../protocol/bodies.ts";
import type { DeliveryOracle } from "../protocol/delivery.ts";
import { frameRowCount, splitFrames } from "../protocol/frames.ts";
import { headerOf, type Observed } from "../protocol/wire.ts";

/** Maximum bytes of recorded pages, of tasks and their sources. */
const keptBytesMax = 48 * 1024 * 1024;
const tasksMax = 2;
/** Maximum number of tasks recorded in one run. */
const recordedMax = 24;
/** A task with several sources is this many times more likely to be replayed. */
const severalWeight = 6;

/** The pages of one output buffer, by token. */
export interface RecordedBuffer {
  /** Incarnation of the producer's node. */
  readonly incarnation: number;
  readonly frames: Uint8Array[];
  /** The pages are complete: the producer declared the end, and the buffer was not closed early. */
  isWhole: boolean;
}

export interface RecordedTask {
  readonly taskId: string;
  readonly place: string;
  readonly incarnation: number;
  readonly body: Uint8Array;
  /** Later updates with further splits and dynamic filters. */
  readonly updates: Uint8Array[];
  /** Sources whose last splits have not been observed. */
  readonly openSources: Set<string>;
  readonly bufferCount: number;
  /** Whether the task also reads tables. */
  readonly hasScans: boolean;
  /** Addresses of the source buffers. */
  readonly sources: readonly string[];
  readonly output: Map<number, RecordedBuffer>;
}

interface Update {
  readonly fragment?: { readonly root: unknown };
  readonly sources: readonly {
    readonly planNodeId: string;
    readonly noMoreSplits: boolean;
    readonly splits: readonly { readonly split: { readonly kind: string; readonly location?: string } }[];
  }[];
  readonly outputIds: { readonly bufferCount: number };
  readonly replacedSources?: readonly unknown[];
}

export interface DataPlaneOptions {
  readonly delivery: DeliveryOracle;
  readonly incarnations: (place: string) => number;
  readonly seed: string;
  /** One in this many tasks is recorded; 1 records all of them. */
  readonly oneIn: number;
}

export class DataPlaneOracle {
  readonly #options: DataPlaneOptions;
  readonly #tasks = new Map<string, RecordedTask>();
  readonly #sources = new Map<string, RecordedBuffer>();
  /** Addresses of source buffers whose task another incarnation of the node has run again: their readers went on there. */
  readonly #runAgain = new Set<string>();
  /** Queries with cancelled stages. The producers no longer determine where their tasks' input ends. */
  readonly #cut = new Set<string>();
  #keptBytes = 0;

  constructor(options: DataPlaneOptions) {
    this.#options = options;
  }

  observe(answer: Observed): void {
    const { task, request, response, to, path } = answer;
    if (request.method === "DELETE" && path.startsWith("/v1/stage/")) {
      this.#cut.add(path.slice("/v1/stage/".length).split(".", 1)[0] ?? "");
    }
    if (task === undefined || response.status !== 200) {
      return;
    }
    if (task.what === "task" && request.method === "POST") {
      this.#created(answer);
      this.#updated(answer);
    } else if (task.what === "results" && this.#tasks.size > 0) {
      const location = `http://${to}:8080/v1/task/${task.taskId}/results/${task.bufferId}`;
      const source = this.#sources.get(location);
      const own = this.#tasks.get(task.taskId);
      if (source?.incarnation === this.#options.incarnations(to)) {
        this.#keep(source, answer);
      } else if (source !== undefined) {
        this.#runAgain.add(location);
      }
      if (own !== undefined && own.place === to && own.incarnation === this.#options.incarnations(to)) {
        const buffer = own.output.get(task.bufferId) ?? { incarnation: own.incarnation, frames: [], isWhole: false };
        own.output.set(task.bufferId, buffer);
        this.#keep(buffer, answer);
      }
    }
  }

  /** Returns the recorded tasks whose output was read. Call it once, after the run. */
  recorded(): readonly { readonly task: RecordedTask; readonly sources: ReadonlyMap<string, RecordedBuffer> }[] {
    const { delivery } = this.#options;
    const settle = (place: string, taskId: string, bufferId: number, buffer: RecordedBuffer): void => {
      const given = delivery.delivered(place, taskId, bufferId, buffer.incarnation);
      buffer.isWhole = given?.isWhole === true && given.frames === buffer.frames.length;
    };
    for (const [location, buffer] of this.#sources) {
      const [, place = "", taskId = "", bufferId = ""] = /^http:\/\/([^:]+):\d+\/v1\/task\/([^/]+)\/results\/(\d+)/.exec(location) ?? [];
      settle(place, taskId, Number(bufferId), buffer);
    }
    return this.#chosen().map((task) => {
      for (const [bufferId, buffer] of task.output) {
        settle(task.place, task.taskId, bufferId, buffer);
      }
      return { task, sources: new Map(task.sources.map((location) => [location, this.#sources.get(location) ?? nothing])) };
    });
  }

  /** Tasks whose output may depend on the order of their input come first: several sources had pages, and the output has several rows. */
  #chosen(): readonly RecordedTask[] {
    const isKnown = ({ output, openSources, sources }: RecordedTask): boolean =>
      output.size > 0 && openSources.size === 0 && !sources.some((location) => this.#runAgain.has(location));
    const read = [...this.#tasks.values()].filter((task) => isKnown(task) && !this.#cut.has(task.taskId.split(".", 1)[0] ?? ""));
    if (this.#options.oneIn === 1) {
      return read;
    }
    const hangsOnOrder = ({ sources, output }: RecordedTask): boolean =>
      sources.filter((location) => (this.#sources.get(location)?.frames.length ?? 0) > 0).length > 1 &&
      [...output.values()].reduce((sum, { frames }) => sum + frames.reduce((rows, frame) => rows + frameRowCount(frame), 0), 0) > 1;
    const [first, others] = [read.filter(hangsOnOrder), read.filter((task) => !hangsOnOrder(task))];
    return [...first, ...others].slice(0, tasksMax);
  }

  #created({ request, to, task }: Observed): void {
    const { oneIn, seed, incarnations } = this.#options;
    const taskId = task?.taskId ?? "";
    const ticket = hash(`${seed}/${taskId}`);
    const mayBe = oneIn === 1 || (this.#tasks.size < recordedMax && ticket % Math.ceil(oneIn / severalWeight / 2) === 0);
    if (!mayBe || this.#tasks.has(taskId) || this.#keptBytes > keptBytesMax) {
      return;
    }
    const body = readBody(request.body);
    const text = body.text();
    // If pages of several sources meet, their order of arrival must not matter.
    const hasSeveral = text.indexOf('"location":') !== text.lastIndexOf('"location":');
    if (oneIn > 1 && !hasSeveral && ticket % oneIn !== 0) {
      return;
    }
    // The output is not a function of the request if a task writes, or reads memory or system tables.
    if (/"kind":"(TableWriter|TableFinish)"/.test(text)) {
      return;
    }
    // A table without rows has no splits.
    const catalogs = [...text.matchAll(/"catalog":"(\w+)"/g)].map(([, name]) => name);
    if (catalogs.some((name) => name !== "tpch")) {
      return;
    }
    const update = body.json() as Update;
    const splits = update.sources.flatMap((source) => source.splits.map(({ split }) => split));
    if (update.fragment === undefined) {
      return;
    }
    const sources = splits.flatMap(({ location }) => location ?? []);
    for (const location of sources) {
      if (!this.#sources.has(location)) {
        const place = /^http:\/\/([^:]+)/.exec(location)?.[1] ?? "";
        this.#sources.set(location, { incarnation: incarnations(place), frames: [], isWhole: false });
      }
    }
    this.#tasks.set(taskId, {
      taskId,
      place: to,
      incarnation: incarnations(to),
      body: request.body,
      updates: [],
      openSources: new Set(update.sources.flatMap((source) => (source.noMoreSplits ? [] : [source.planNodeId]))),
      bufferCount: update.outputIds.bufferCount,
      hasScans: splits.some(({ kind }) => kind === "connector"),
      sources,
      output: new Map(),
    });
  }

  #updated({ request, to, task }: Observed): void {
    const own = this.#tasks.get(task?.taskId ?? "");
    if (own === undefined || own.place !== to || own.incarnation !== this.#options.incarnations(to)) {
      return;
    }
    const update = readBody(request.body).json() as Update;
    if (update.replacedSources !== undefined) {
      // The pages of one source come from two places.
      this.#tasks.delete(own.taskId);
    } else if (update.fragment === undefined) {
      own.updates.push(request.body);
      for (const { noMoreSplits, planNodeId } of update.sources) {
        if (noMoreSplits) {
          own.openSources.delete(planNodeId);
        }
      }
    }
  }

  #keep(buffer: RecordedBuffer, { response }: Observed): void {
    const token = Number(headerOf(response.headers, "x-engine-page-sequence-id"));
    if (token > buffer.frames.length || this.#keptBytes > keptBytesMax) {
      return;
    }
    splitFrames(response.body).forEach((frame, index) => {
      if (token + index === buffer.frames.length) {
        buffer.frames.push(frame);
        this.#keptBytes += frame.length;
      }
    });
  }
}

const nothing: RecordedBuffer = { incarnation: 0, frames: [], isWhole: false };

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
