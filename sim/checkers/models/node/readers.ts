/**
 * What a reader of pages and its producer tell each other, written from docs/interface.md (Task), section 4.5 of the reference and the
 * states of a task:
 * - A reader that was told the end of a buffer does not ask for it again, and closes it after a rest (docs/decisions/0196), unless it is
 *   deleted before.
 * - When the last reader has closed its buffer, the task finishes early: it ends soon and adds no more pages.
 * - A frame is a header of 24 bytes, and for each column values, lengths or codes. It is not larger than that, and what a task says that it
 *   gave in bytes is what its frames hold.
 */
import { retriesTasks } from "../../../properties.ts";
import { knobs } from "../../../../src/ports/knobs.ts";
import { parseDataSize } from "../../../../src/protocol/units.ts";
import { nanosPerMs, nanosPerSecond } from "../../../world/world.ts";
import { readBody } from "../../protocol/bodies.ts";
import { headerOf, isTaskDocument, type Observed } from "../../protocol/wire.ts";
import type { Judged, Model, ModelKind, Note } from "../model.ts";

/** A reader that computes closes its buffer late, and its clock may be slow. */
const lateNanos = 100 * nanosPerMs;
const endedNanos = 5 * nanosPerSecond;
const headerBytes = 24;
/** What a column may have besides its values: its own header, and padding. */
/** Before the values of each column; its first four bytes are its flags. */
const columnHeaderBytes = 16;
const columnBytes = 64;
/** A value of fixed width with its byte of NULL, or a text's length and code, in bytes a row. */
const rowBytes = 17;
/** Types of eight bytes without further structure. */
const eightBytes = new Set(["bigint", "double"]);
const sizeShare = 0.006;
/** A value of eight bytes has a byte that says whether it is NULL, or none. */
const nullShare = 1 / 8;

/** Plan nodes whose output refers to rows that they keep. A task counts such a column by its row numbers, not by its values. */
const referring = /"kind":"(?:Join|SemiJoin|Window|PatternRecognition|Sort|TopN|Unnest|TableFunction|Values)"/;
/** A PARTIAL aggregation that lets rows pass has columns with one value for all rows, which are counted with four bytes a row. */
const passing = /"step":"PARTIAL"/;
const passingShare = 4 / 8;

const failedTask = /"version":\d+,"state":"(?:FAILED|ABORTED)"/;
const fetching = /^(m\d+) \S+>(\S+) exchange-(fetch|close) (?:GET|DELETE) \/v1\/task\/([^/]+)\/results\/(\d+)/;

interface Producer {
  readonly place: string;
  readonly types: readonly string[];
  readonly copies: number;
  /** Share of the frames' bytes that the task tells at least. */
  readonly leastShare: number;
  readonly buffers: number;
  readonly closed: Set<number>;
  /** World's time at which the last reader had closed its buffer. */
  leftNanos: number | undefined;
  /** Bytes that the frames of the first buffer set hold, by buffer and page; undefined if they cannot be told. */
  readonly bytes: Map<string, number>;
  certain: boolean;
}

interface Update {
  readonly fragment?: { readonly outputTypes: readonly { readonly kind: string }[]; readonly root?: unknown };
  readonly outputIds: { readonly kind: string; readonly bufferCount: number; readonly readerCount?: number };
}

interface Info {
  readonly state: string;
  readonly outputBuffers: { readonly pagesAdded: number };
  readonly stats: { readonly outputDataSize: string; readonly outputPositions: number };
}

class ReaderModel implements Model {
  readonly notes = ["request", "answer", "network-error", "duplicated", "point", "start", "crash", "stopped"];
  readonly #context: Judged;
  /** Requests in flight, by message. */
  readonly #asked = new Map<string, { readonly reader: string; readonly buffer: string }>();
  /** Requests that the network has delivered twice: which of the two responses is the answer is not known. */
  readonly #duplicated = new Set<string>();
  /**
   * Buffers, by reader, of which the network still holds a copy of a request that has failed for its reader. The producer may tell the end
   * to that copy, while the reader waits for an answer that was made before.
   */
  readonly #strays = new Set<string>();
  /** Buffers whose readers were told the end, with the time, by reader and buffer. */
  readonly #told = new Map<string, number>();
  /** Those that were not closed in time, since when that is known: a reader that has computed takes answers before its timers fire. */
  readonly #late = new Map<string, number>();
  /** Buffers whose readers have closed them before they were told the end. */
  readonly #leftEarly = new Set<string>();
  /** Buffers whose end was told to a reader, as `producer task buffer`. The coordinator closes those that nobody needs before that. */
  readonly #complete = new Set<string>();
  /** Messages whose answers tell the end; the last one that a place received. */
  readonly #ends = new Set<string>();
  readonly #last = new Map<string, string>();
  readonly #producers = new Map<string, Producer>();

  readonly #retriesTasks: boolean;
  readonly #restNanos: number;
  /** Queries of which a task has failed, by place. */
  readonly #failed = new Set<string>();

  constructor(context: Judged) {
    this.#context = context;
    this.#retriesTasks = retriesTasks(context.plan.properties);
    this.#restNanos = (context.plan.knobs?.["exchange-close-rest-ms"] ?? knobs["exchange-close-rest-ms"].default) * nanosPerMs;
  }

  note({ place, kind, detail, nowNanos }: Note): void {
    if (kind === "start" || kind === "crash" || kind === "stopped") {
      for (const [key, producer] of this.#producers) {
        if (producer.place === place) {
          this.#producers.delete(key);
        }
      }
      for (const key of this.#told.keys()) {
        if (key.startsWith(`${place} `)) {
          this.#told.delete(key);
        }
      }
    } else if (kind === "point") {
      // The exchange forgets the answer that it has just received.
      if (detail === "exchange-forgets-an-answer") {
        this.#told.delete(this.#last.get(place) ?? "");
      }
    } else if (detail.includes(" exchange-")) {
      this.#exchange(place, kind, { detail, nowNanos });
    }
  }

  #exchange(place: string, kind: string, { detail, nowNanos }: { readonly detail: string; readonly nowNanos: number }): void {
    const message = detail.slice(0, detail.indexOf(" "));
    this.#checkClosed(place, nowNanos);
    if (kind === "duplicated") {
      this.#duplicated.add(message);
      return;
    }
    if (kind === "request") {
      const [, , producer = "", what, taskId = "", bufferId = ""] = fetching.exec(detail) ?? [];
      const buffer = `${producer} ${taskId} ${bufferId}`;
      const key = `${place} ${buffer}`;
      this.#check(what === "close" || !this.#told.has(key), () => `${place} asks for more of ${buffer} although it was told the end`);
      if (what === "close") {
        if (!this.#told.delete(key)) {
          this.#leftEarly.add(buffer);
        }
        this.#forgetAsked(place, buffer);
      } else {
        this.#asked.set(message, { reader: place, buffer });
      }
      return;
    }
    const asked = this.#asked.get(message);
    this.#asked.delete(message);
    if (asked !== undefined && kind === "network-error" && this.#duplicated.has(message)) {
      this.#strays.add(`${place} ${asked.buffer}`);
    }
    // The answer that told the end may have been lost, and this one is another.
    const isEnd = asked !== undefined && this.#ends.delete(`${place} ${asked.buffer}`) && !this.#strays.has(`${place} ${asked.buffer}`);
    if (kind === "answer" && isEnd && !this.#duplicated.delete(message) && / 20[04]$/.test(detail)) {
      const key = `${place} ${asked.buffer}`;
      this.#told.set(key, nowNanos);
      this.#late.delete(key);
      this.#check(true, () => "");
      this.#last.set(place, key);
    }
  }

  /** A reader that closes its buffer ignores the answer that is on its way. */
  #forgetAsked(reader: string, buffer: string): void {
    for (const [message, asked] of this.#asked) {
      if (asked.reader === reader && asked.buffer === buffer) {
        this.#asked.delete(message);
      }
    }
  }

  observe(answer: Observed): void {
    const { task, to, from, request, response } = answer;
    if (task === undefined) {
      return;
    }
    const key = `${to} ${task.taskId}`;
    if (this.#retriesTasks && (task.what === "task" || task.what === "status") && failedTask.test(answer.text())) {
      this.#failed.add(`${to} ${task.queryId}`);
    }
    if (task.what === "task" && response.status === 200) {
      if (request.method === "POST" && !this.#producers.has(key)) {
        this.#producers.set(key, producerOf(to, readBody(request.body).json() as Update));
      }
      if (request.method === "DELETE" && request.url.endsWith("?abort=false")) {
        this.#forgetResting(to, task.queryId);
      }
      if (isTaskDocument(answer)) {
        this.#document(key, this.#producers.get(key), { info: answer.json() as Info, isDeleted: request.method === "DELETE" });
      }
    } else if (task.what === "results" && request.method === "GET" && response.status <= 204) {
      if (headerOf(response.headers, "x-engine-buffer-complete") === "true") {
        this.#ends.add(`${from} ${to} ${task.taskId} ${task.bufferId}`);
        this.#complete.add(`${to} ${task.taskId} ${task.bufferId}`);
      } else {
        this.#ends.delete(`${from} ${to} ${task.taskId} ${task.bufferId}`);
      }
      this.#frames(`${to} buffer ${task.bufferId} of ${task.taskId}`, this.#producers.get(key), answer);
    } else if (task.what === "buffer" && request.method === "DELETE" && response.status < 300) {
      const buffer = `${to} ${task.taskId} ${task.bufferId}`;
      this.#closed(this.#producers.get(key), task.bufferId, this.#complete.has(buffer) && !this.#leftEarly.has(buffer));
    }
  }

  /** A task of the query is deleted in order: it leaves the buffers that it would have closed after the rest. */
  #forgetResting(reader: string, queryId: string): void {
    for (const key of this.#told.keys()) {
      const [place, , taskId = ""] = key.split(" ");
      if (place === reader && taskId.startsWith(`${queryId}.`)) {
        this.#told.delete(key);
      }
    }
  }

  look(): void {
    const now = this.#context.nowNanos();
    const { facts } = this.#context;
    for (const [key, { place, leftNanos }] of this.#producers) {
      if (leftNanos === undefined || now - leftNanos < endedNanos) {
        continue;
      }
      const state = this.#context.node(place)?.taskState(key.slice(place.length + 1));
      this.#check(
        state === undefined || /^(?:FINISHED|CANCELED|ABORTED|FAILED)$/.test(state) || facts.hitSince(place, leftNanos - endedNanos),
        () => `${key} is ${String(state)} ${((now - leftNanos) / nanosPerSecond).toFixed(1)} s after its last reader left`,
      );
    }
  }

  /** With retry-policy TASK a reader that fails leaves its buffers to its next run. */
  #mayLeave(reader: string, told: string): boolean {
    const [, , taskId = ""] = told.split(" ");
    const own = `${reader} ${taskId.split(".", 1)[0] ?? ""}`;
    const states = (): readonly (string | undefined)[] => {
      const node = this.#context.node(reader);
      return [...this.#producers.keys()]
        .filter((key) => key.startsWith(`${own}.`))
        .map((key) => node?.taskState(key.slice(reader.length + 1)));
    };
    return this.#retriesTasks && (this.#failed.has(own) || states().some((state) => state === "FAILED" || state === "ABORTED"));
  }

  /** The reader's next event comes after it has closed the buffer. */
  #checkClosed(reader: string, nowNanos: number): void {
    const { facts, plan } = this.#context;
    for (const [key, nanos] of this.#told) {
      const isOwn = key.startsWith(`${reader} `) && nowNanos - nanos > this.#restNanos + lateNanos;
      const since = isOwn ? this.#late.get(key) : undefined;
      if (isOwn && since === undefined) {
        this.#late.set(key, nowNanos);
      }
      const isLate = since !== undefined && since < nowNanos;
      // The coordinator ends the tasks that its root task has read.
      if (isLate && !this.#mayLeave(reader, key) && reader !== plan.coordinator.name && !facts.hitSince(reader, nanos - nanosPerSecond)) {
        this.#check(
          false,
          () => `${key} was told the end ${((nowNanos - nanos) / nanosPerMs).toFixed(0)} ms ago and has not closed the buffer`,
        );
        this.#told.delete(key);
      }
    }
  }

  #closed(producer: Producer | undefined, bufferId: number, wasTold: boolean): void {
    if (producer !== undefined) {
      // Rows that were on their way when the reader left are in no page.
      producer.certain &&= wasTold;
      producer.closed.add(bufferId);
      producer.leftNanos ??= producer.closed.size === producer.buffers ? this.#context.nowNanos() : undefined;
    }
  }

  #frames(name: string, producer: Producer | undefined, { response, task }: Observed): void {
    const { body } = response;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    let token = task?.token ?? 0;
    for (let at = 0; at + headerBytes <= body.length; token++) {
      const [rows, columns, length] = [4, 8, 12].map((offset) => view.getUint32(at + offset, true)) as [number, number, number];
      at += headerBytes + length;
      if (producer === undefined) {
        continue;
      }
      this.#check(
        columns === producer.types.length && rows > 0,
        () => `${name} gives a page of ${rows} rows and ${columns} columns, of ${producer.types.length}`,
      );
      if (producer.types.every((kind) => eightBytes.has(kind))) {
        this.#check(
          length <= columns * (columnBytes + rows * rowBytes),
          () => `${name} gives ${rows} rows of ${columns} columns of 8 bytes as ${length} bytes`,
        );
        // A dictionary or NULLs, which the flags of a column tell, make another size.
        const stepBytes = columnHeaderBytes + rows * 8;
        const isPlain = Array.from({ length: columns }, (_, column) => at - length + column * stepBytes).every(
          (start) => start + 4 <= at && view.getUint32(start, true) === 0,
        );
        producer.certain &&= isPlain && length === columns * stepBytes && rows > columnBytes;
        producer.bytes.set(`${task?.bufferId ?? 0}/${token}`, columns * rows * 8);
      } else {
        producer.certain = false;
      }
    }
  }

  #document(key: string, producer: Producer | undefined, { info, isDeleted }: { readonly info: Info; readonly isDeleted: boolean }): void {
    const { state, outputBuffers, stats } = info;
    if (producer === undefined) {
      return;
    }
    const given = producer.bytes.size;
    if (state === "FINISHED" && producer.certain && given > 0 && given === outputBuffers.pagesAdded * producer.copies) {
      const bytes = [...producer.bytes.values()].reduce((sum, one) => sum + one, 0) / producer.copies;
      const said = parseDataSize(stats.outputDataSize) ?? 0;
      this.#check(
        said >= bytes * producer.leastShare * (1 - sizeShare) && said <= bytes * (1 + nullShare + sizeShare),
        () => `${key} says that it gave ${stats.outputDataSize}; its pages hold ${bytes} bytes of ${stats.outputPositions} rows`,
      );
    }
    if (isDeleted) {
      this.#producers.delete(key);
    }
  }

  #check(holds: boolean, sentence: () => string): void {
    this.#context.check(holds, sentence);
  }
}

function producerOf(place: string, { fragment, outputIds: { kind, bufferCount, readerCount = 1 } }: Update): Producer {
  return {
    place,
    types: fragment?.outputTypes.map((type) => type.kind) ?? [],
    copies: kind === "BROADCAST" ? bufferCount : readerCount,
    buffers: bufferCount,
    closed: new Set(),
    leftNanos: undefined,
    bytes: new Map(),
    leastShare: passing.test(JSON.stringify(fragment?.root ?? "")) ? passingShare : 1,
    certain: !referring.test(JSON.stringify(fragment?.root ?? "")),
  };
}

export const readers: ModelKind = {
  invariant: {
    name: "readers",
    sentence:
      "A reader that was told the end closes its buffer and asks no more; a task whose last reader has left ends soon; frames are no larger than their columns, and their bytes are those that the task tells.",
    kind: "safety",
    checkedIn: "checkers/models/node/readers.ts",
  },
  create: (context) => new ReaderModel(context),
};
