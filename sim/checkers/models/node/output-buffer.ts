/**
 * The output buffers of a task, written from docs/interface.md (Task), docs/architecture.md and decision 13. A buffer is a row of pages
 * 0, 1, 2, ... and three marks in it: acknowledged <= given <= all.
 * - Asking for page t acknowledges the pages before it. An answer begins with t, and is no larger than asked, except for a single page.
 * - Only a buffer whose pages are all given is complete. Nothing follows that, and nothing follows the consumer's close. A task that the
 *   coordinator has abandoned fails, and the buffers of a failed task are never complete; they are empty.
 * - Consumers of a BROADCAST, and readers of a SHARED buffer set, get the same pages.
 * - Of the runs of a consumer the one with the highest number reads; the others get no answer with pages, acknowledge nothing, and close
 *   nothing. For a later run a buffer that a former one closed is not complete, unless that one had all pages.
 * - The digest by which a reader goes on with a task that was run again is that of all pages it has: pages of another number have another.
 * - The documents of the task show these marks. The task is FINISHED when its consumers have taken everything, and then holds no page.
 */
import { parseDataSize } from "../../../../src/protocol/units.ts";
import { durationProperty, sizeProperty } from "../../../properties.ts";
import { readBody } from "../../protocol/bodies.ts";
import { headerOf, isTaskDocument, type Observed, type TaskTarget } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** Magic, rows, columns, length of the body, checksum. */
const headerBytes = 24;
const closing = / DELETE \/v1\/task\/([^/?]+)(?:\/results\/(\d+))?(\?.*)?/;
/** Requests that tell a task that its coordinator lives. */
const heartbeat = / task-(?:update|status|info) [A-Z]+ \/v1\/task\/([^/?]+)/;
/** Share of a time-out that is certain on a clock that drifts. */
const driftShare = 0.999;

interface Buffer {
  /** Pages of the one list that several buffers share, or of this buffer alone. */
  readonly pages: string[];
  acknowledged: number;
  acknowledgedNanos: number;
  given: number;
  /** Number of all pages, once an answer said so. */
  all: number | undefined;
  closed: boolean;
  /** Requests that closed it. */
  closings: number;
  /** Number of the run of the consumer that closed it before all pages were given. */
  leftBy: number | undefined;
  /** The consumer asked for what follows the last page and was told the end: it has taken everything. */
  ended: boolean;
  /** Number of the last run of the consumer that got an answer, and when it got the first one. */
  reader: number;
  readerNanos: number;
}

interface Output {
  readonly kind: "PARTITIONED" | "BROADCAST" | "SHARED";
  readonly buffers: readonly Buffer[];
  /** The coordinator's last request that reached the task. */
  askedNanos: number;
}

interface Info {
  readonly state: string;
  readonly outputBuffers: {
    readonly pagesAdded: number;
    readonly totalBufferedBytes: number;
    readonly buffers: readonly {
      readonly bufferId: string;
      readonly finished: boolean;
      readonly bufferedPages: number;
      readonly pagesSent: number;
    }[];
  };
}

interface Update {
  readonly outputIds: { readonly kind: Output["kind"]; readonly bufferCount: number; readonly readerCount?: number };
}

class OutputBufferModel implements Model {
  readonly notes = ["serve"];
  readonly #context: Judged;
  readonly #responseBytesMax: number;
  readonly #abandonedAfterNanos: number;
  readonly #outputs = new Map<string, Output>();
  /** Numbers of pages that readers have told the digest of. */
  readonly #digests = new Map<string, number>();
  /** Buffers whose consumers have closed them before the promised task was created, by the key of the task. */
  readonly #closedEarly = new Map<string, Set<number>>();

  constructor(context: Judged) {
    this.#context = context;
    this.#responseBytesMax = sizeProperty(context.plan.properties, "exchange.max-response-size");
    this.#abandonedAfterNanos = durationProperty(context.plan.properties, "task.client.timeout") * 1e6 * driftShare;
  }

  /** An orderly deletion of the task closes all of its buffers. */
  note({ place, detail, nowNanos }: Note): void {
    const asked = this.#outputs.get(this.#key(place, heartbeat.exec(detail)?.[1] ?? ""));
    if (asked !== undefined) {
      asked.askedNanos = nowNanos;
    }
    if (!/ (exchange-close|buffer-delete|task-delete) /.test(detail)) {
      return;
    }
    const [, taskId = "", bufferId, rest] = closing.exec(detail) ?? [];
    const key = this.#key(place, taskId);
    if (bufferId !== undefined && !this.#outputs.has(key)) {
      this.#closedEarly.set(key, (this.#closedEarly.get(key) ?? new Set()).add(Number(bufferId)));
    }
    const buffers = this.#outputs.get(this.#key(place, taskId))?.buffers ?? [];
    for (const buffer of bufferId === undefined ? buffers : buffers.slice(Number(bufferId), Number(bufferId) + 1)) {
      if (bufferId !== undefined || rest === "?abort=false") {
        buffer.closings++;
        buffer.closed = true;
      }
    }
  }

  /** The document that answers the creation was made before the task's waiting readers were heard. */
  #closeEarly(key: string): void {
    for (const bufferId of this.#closedEarly.get(key) ?? []) {
      const buffer = this.#outputs.get(key)?.buffers[bufferId];
      if (buffer !== undefined) {
        buffer.closings++;
        buffer.closed = true;
      }
    }
    this.#closedEarly.delete(key);
  }

  observe(answer: Observed): void {
    const { task, to, request, response } = answer;
    if (task === undefined) {
      return;
    }
    const key = this.#key(to, task.taskId);
    if (task.what === "task" && response.status === 200) {
      if (request.method === "POST" && !this.#outputs.has(key)) {
        this.#outputs.set(key, outputOf(readBody(request.body).json() as Update, answer.arrivedNanos));
      }
      if (isTaskDocument(answer)) {
        this.#document(answer, this.#outputs.get(key), answer.json() as Info);
      } else {
        this.#status(answer, this.#outputs.get(key), answer.json() as Pick<Info, "state">);
      }
      this.#closeEarly(key);
      return;
    }
    const output = this.#outputs.get(key);
    const buffer = output?.buffers[task.bufferId];
    if (output === undefined || buffer === undefined) {
      if (task.what === "buffer" && response.status !== 204) {
        // Its consumer waited for the task, and closes the buffer again.
        this.#closedEarly.get(key)?.delete(task.bufferId);
      }
      return;
    }
    if (task.what === "results" && request.method === "GET" && (response.status === 200 || response.status === 204)) {
      this.#pages(answer, task, output);
    } else if (task.what === "acknowledge" && response.status < 300) {
      acknowledge(buffer, task.token, answer.arrivedNanos);
    } else if (task.what === "buffer") {
      this.#closed(answer, task, buffer);
    }
  }

  #closed(answer: Observed, task: TaskTarget, buffer: Buffer): void {
    const { request, response } = answer;
    this.#check([204, 404, 410, 412, 503].includes(response.status), () => `${nameOf(answer, task)} was closed with ${response.status}`);
    const reader = readerOf(request, buffer);
    if (response.status === 410) {
      buffer.closings--;
      buffer.closed = buffer.closings > 0;
    } else if (response.status === 204) {
      this.#check(
        reader >= buffer.reader,
        () => `${nameOf(answer, task)} was closed by run ${reader} of its reader, and run ${buffer.reader} reads it since before`,
      );
      const isEndedForAll = headerOf(request.headers, "x-engine-reader") === undefined;
      if (!isEndedForAll && (buffer.all === undefined || buffer.given < buffer.all)) {
        buffer.leftBy = Math.max(reader, buffer.leftBy ?? 0);
      }
    }
  }

  #pages(answer: Observed, task: TaskTarget, { buffers, askedNanos }: Output): void {
    const { request, response, arrivedNanos } = answer;
    const { facts } = this.#context;
    const buffer = buffers[task.bufferId] as Buffer;
    const name = nameOf(answer, task);
    const frames = framesOf(response.body);
    const [first, end] = ["x-engine-page-sequence-id", "x-engine-page-end-sequence-id"].map((header) => {
      return Number(headerOf(response.headers, header));
    }) as [number, number];
    const complete = headerOf(response.headers, "x-engine-buffer-complete");
    const digest = headerOf(request.headers, "x-engine-pages-digest");
    if (digest !== undefined) {
      const pages = this.#digests.get(digest) ?? task.token;
      this.#digests.set(digest, pages);
      this.#check(pages === task.token, () => `${name} is asked for page ${task.token} with a digest that ${pages} pages had before`);
    }
    this.#check(
      first === task.token && end === first + (frames?.length ?? 0) && (complete === "true" || complete === "false"),
      () => `${name} was asked for page ${task.token}; the answer has ${frames?.length ?? 0} pages and calls them ${first} to ${end}`,
    );
    this.#check(
      response.status === (response.body.length === 0 ? 204 : 200) && frames !== undefined,
      () => `${name} answered with ${response.status} and ${response.body.length} bytes, which are not whole pages`,
    );
    const reader = readerOf(request, buffer);
    this.#check(
      reader >= buffer.reader || arrivedNanos <= buffer.readerNanos,
      () => `${name} answers run ${reader} of its reader about page ${task.token}, and run ${buffer.reader} reads it since before`,
    );
    if (reader > buffer.reader) {
      buffer.reader = reader;
      buffer.readerNanos = answer.nowNanos;
    }
    const { leftBy = reader } = buffer;
    this.#check(
      complete === "false" || leftBy >= reader,
      () => `${name} is complete for run ${reader} of its reader, and run ${leftBy} closed it before it had all pages`,
    );
    const asked = parseDataSize(headerOf(request.headers, "x-engine-max-size") ?? "") ?? this.#responseBytesMax;
    this.#check(
      response.body.length <= asked || frames?.length === 1,
      () => `${name} was asked for ${asked} bytes and gave ${response.body.length} of ${frames?.length ?? 0} pages`,
    );
    this.#check(asked > 0 && asked <= this.#responseBytesMax, () => `${name} is asked for ${asked} bytes, of ${this.#responseBytesMax}`);
    if (buffer.given === 0 && facts.isRerun(task.taskId) && digest !== undefined) {
      // Its reader has the pages before from a former run of the task.
      buffer.given = first;
    }
    if (first > buffer.given && answer.isSenderAlive === false) {
      // Of a process that has ended, which has read a former run of the task.
      return;
    }
    this.#check(
      first <= buffer.given || buffer.closed,
      () => `${name} is asked for page ${first}; ${buffer.given} pages were given, so that the one before it was never seen`,
    );
    if (frames !== undefined && frames.length > 0) {
      const stale = first < buffer.acknowledged && arrivedNanos > buffer.acknowledgedNanos;
      this.#check(!stale, () => `${name} gives page ${first} again, and everything before page ${buffer.acknowledged} was acknowledged`);
      frames.forEach((frame, index) => this.#page(buffer, first + index, { frame, name }));
      buffer.given = Math.max(buffer.given, end);
    }
    acknowledge(buffer, first, arrivedNanos);
    const hasFailed = frames?.length === 0 && complete === "false" && arrivedNanos - askedNanos >= this.#abandonedAfterNanos;
    if (!buffer.closed && !hasFailed) {
      this.#end(buffer, { name, end, complete: complete === "true", isEmpty: frames?.length === 0 });
    }
  }

  #page(buffer: Buffer, token: number, { frame, name }: { readonly frame: string; readonly name: string }): void {
    const known = buffer.pages[token];
    this.#check(known === undefined || known === frame, () => `${name} gives as page ${token} ${frame}, and gave ${String(known)} before`);
    this.#check(
      buffer.all === undefined || token < buffer.all,
      () => `${name} gives page ${token}, and said that ${String(buffer.all)} are all`,
    );
    buffer.pages[token] = frame;
  }

  /** Once the last page was given, each answer that reaches it says so. */
  #end(
    buffer: Buffer,
    {
      name,
      end,
      complete,
      isEmpty,
    }: { readonly name: string; readonly end: number; readonly complete: boolean; readonly isEmpty: boolean },
  ): void {
    if (complete) {
      this.#check(
        end === (buffer.all ?? end) && end >= buffer.given,
        () => `${name} is complete after ${end} pages, gave ${buffer.given}, and was complete after ${String(buffer.all)} before`,
      );
      buffer.all ??= end;
      buffer.ended ||= isEmpty;
    } else {
      this.#check(end !== buffer.all, () => `${name} was complete after ${end} pages, and now may have more`);
    }
  }

  /** The answer to an update that asks for no document. */
  #status({ to, task }: Observed, output: Output | undefined, { state }: Pick<Info, "state">): void {
    this.#check(
      state !== "FINISHED" || output?.buffers.every((buffer) => isTaken(buffer)) !== false,
      () => `${task?.taskId ?? ""} on ${to} is FINISHED, and a consumer has neither closed its buffer nor taken the end`,
    );
  }

  #document({ to, task }: Observed, output: Output | undefined, { state, outputBuffers }: Info): void {
    const who = `${task?.taskId ?? ""} on ${to}`;
    const { facts } = this.#context;
    const { pagesAdded, totalBufferedBytes, buffers } = outputBuffers;
    const held = buffers.reduce((sum, { bufferedPages }) => sum + bufferedPages, 0);
    this.#check(
      held > 0 === totalBufferedBytes > 0 && totalBufferedBytes >= held,
      () => `the output of ${who} has ${held} pages of ${totalBufferedBytes} bytes`,
    );
    const isEnded = /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state);
    this.#check(!isEnded || held === 0, () => `${who} is ${state} and its output still has ${held} pages`);
    for (const [index, { bufferId, finished, bufferedPages, pagesSent }] of buffers.entries()) {
      const buffer = output?.buffers[index];
      if (buffer === undefined || isEnded) {
        this.#check(
          buffer === undefined || isTaken(buffer) || state !== "FINISHED",
          () => `${who} is FINISHED, and the consumer of buffer ${bufferId} has neither closed it nor taken the end`,
        );
        continue;
      }
      const { acknowledged, given, closed, all, ended } = buffer;
      const has = bufferedPages + pagesSent;
      this.#check(
        closed ||
          facts.isRerun(task?.taskId ?? "") ||
          (pagesSent >= acknowledged && pagesSent <= given && has <= (all ?? pagesAdded) && has >= given),
        () =>
          `buffer ${bufferId} of ${who} says that ${pagesSent} pages were taken and ${bufferedPages} of ${pagesAdded} are left; ${given} were given, ${acknowledged} acknowledged`,
      );
      this.#check(
        finished ? isTaken(buffer) : !closed && !ended,
        () => `buffer ${bufferId} of ${who} says finished ${finished}; its consumer closed it: ${closed}, and took the end: ${ended}`,
      );
    }
    if (!isEnded) {
      this.#added(who, output, outputBuffers);
    }
  }

  /** Each page that was added is in one partition, or in the buffer of each consumer. */
  #added(who: string, output: Output | undefined, { pagesAdded, buffers }: Info["outputBuffers"]): void {
    if (output === undefined || output.buffers.some(({ closed }) => closed) || buffers.some(({ finished }) => finished)) {
      return;
    }
    const sum = buffers.reduce((total, { bufferedPages, pagesSent }) => total + bufferedPages + pagesSent, 0);
    const copies = output.kind === "PARTITIONED" ? 1 : output.buffers.filter(({ pages }) => pages === output.buffers[0]?.pages).length;
    this.#check(sum === pagesAdded * copies, () => `${who} added ${pagesAdded} pages for ${copies} readers, and its buffers got ${sum}`);
  }

  #key(place: string, taskId: string): string {
    return `${place}#${this.#context.facts.livesOf(place)} ${taskId}`;
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function nameOf({ to }: Observed, { taskId, bufferId }: TaskTarget): string {
  return `buffer ${bufferId} of ${taskId} on ${to}`;
}

function readerOf({ headers }: Observed["request"], buffer: Buffer): number {
  return Number(headerOf(headers, "x-engine-reader") ?? buffer.reader);
}

/** A consumer has taken everything when it closed the buffer, or asked for what follows the last page and was told the end. */
function isTaken({ closed, all, acknowledged }: Buffer): boolean {
  return closed || (all !== undefined && acknowledged >= all);
}

function acknowledge(buffer: Buffer, token: number, nanos: number): void {
  if (token > buffer.acknowledged) {
    buffer.acknowledged = token;
    buffer.acknowledgedNanos = nanos;
  }
}

/** BROADCAST has one list of pages for all consumers; SHARED one for each partition, which each reader has a buffer for. */
function outputOf({ outputIds: { kind, bufferCount, readerCount = 1 } }: Update, askedNanos: number): Output {
  const lists = kind === "BROADCAST" ? 1 : kind === "SHARED" ? bufferCount / readerCount : bufferCount;
  const pages = Array.from({ length: lists }, (): string[] => []);
  const buffers = Array.from({ length: bufferCount }, (_, index): Buffer => {
    return {
      pages: pages[index % lists] as string[],
      acknowledged: 0,
      acknowledgedNanos: 0,
      given: 0,
      all: undefined,
      closed: false,
      closings: 0,
      leftBy: undefined,
      ended: false,
      reader: 0,
      readerNanos: 0,
    };
  });
  return { kind, buffers, askedNanos };
}

/** What identifies each page: its rows, columns, bytes and checksum. Undefined if the bytes are not whole pages. */
function framesOf(bytes: Uint8Array): readonly string[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: string[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const [rows, columns, length, low, high] = [4, 8, 12, 16, 20].map((offset) => view.getUint32(at + offset, true)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    frames.push(`${rows}x${columns}/${length}/${low.toString(16)}.${high.toString(16)}`);
    at += headerBytes + length;
  }
  return at === bytes.length ? frames : undefined;
}

export const outputBuffer: ModelKind = {
  invariant: {
    name: "output-buffer",
    sentence:
      "An output buffer is a row of pages with the marks acknowledged, given and all: answers and documents agree with them, no answer is larger than asked, readers of the same pages get the same, and a task is FINISHED when its consumers have taken everything.",
    kind: "safety",
    checkedIn: "checkers/models/node/output-buffer.ts",
  },
  create: (context) => new OutputBufferModel(context),
};
