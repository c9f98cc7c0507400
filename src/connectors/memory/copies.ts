/**
 * Copies of a part on other nodes. A node copies a part when another instance of the catalog asks for it: it reads the columns of each
 * chunk from a node that has them, those of a small chunk together. So a copy has the chunks, nulls and dictionaries of the part, and a
 * reader emits the same bytes from either.
 *
 * The call is idempotent, and answers before the part is complete: the caller asks again. A part and its copies have the same id.
 */
import { type LinearMemory, type MemoryContext, MemoryLimitExceeded } from "../../memory/memory.ts";
import type { Frame } from "../../page/frame.ts";
import type { Column } from "../../page/page.ts";
import { decodePage } from "../../page/serde.ts";
import { type Clock, sleep, within } from "../../ports/clock.ts";
import type { Ports } from "../../ports/ports.ts";
import { QueryError } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { type ConnectorContext, type Json, MalformedCall } from "../spi.ts";
import type { PageCall } from "./part-reader.ts";
import type { Owner, Part, PartStore } from "./part-store.ts";
import type { Chunk } from "./part-writer.ts";
import type { CopyPlace, PartCopy } from "./table.ts";

/** How often a node that cannot be reached is asked for a copy, and the delay between. */
const attemptsMax = 2;
const againMs = 100;
/** A node answers after this time that it still copies. */
const answerMs = 500;
/** Cells of a chunk that are read with one request, beyond those of one column. */
const cellsMax = 16_384;
/** Parts that a node copies at once. It starts further ones when these have ended. */
const jobsMax = 64;

/** Asks a node to copy a part from one of these places. */
export interface CopyCall {
  readonly copy: string;
  /** Name of the table, for errors. */
  readonly table: string;
  readonly from: readonly CopyPlace[];
}

/** Asks for all of a part except its rows. */
interface DescriptionCall {
  readonly describe: string;
  readonly incarnation: string;
  readonly table: string;
}

interface PartDescription {
  readonly owner: Owner;
  readonly write: number;
  readonly columnNames: readonly string[];
  readonly types: readonly Type[];
  readonly chunkRows: readonly number[];
}

function isObject(request: Json): request is { readonly [key: string]: Json } {
  return typeof request === "object" && request !== null && !Array.isArray(request);
}

export function isCopyCall(request: Json): boolean {
  return isObject(request) && Object.hasOwn(request, "copy");
}

/** Throws MalformedCall. */
export function readCopyCall(request: Json): CopyCall {
  const { copy, from, table } = request as { readonly [key: string]: Json };
  if (typeof copy !== "string" || typeof table !== "string" || !Array.isArray(from)) {
    throw new MalformedCall("copy and table must be strings, from must be an array");
  }
  const places = (from as readonly Json[]).map((place): CopyPlace => {
    const { incarnation, nodeId } = isObject(place) ? place : {};
    if (typeof nodeId !== "string" || typeof incarnation !== "string") {
      throw new MalformedCall("nodeId and incarnation must be strings");
    }
    return { nodeId, incarnation };
  });
  return { copy, table, from: places };
}

export function isDescriptionCall(request: Json): boolean {
  return isObject(request) && Object.hasOwn(request, "describe");
}

/** Throws MalformedCall. */
export function readDescriptionCall(request: Json): DescriptionCall {
  const { describe, incarnation, table } = request as { readonly [key: string]: Json };
  if (typeof describe !== "string" || typeof incarnation !== "string" || typeof table !== "string") {
    throw new MalformedCall("describe, incarnation and table must be strings");
  }
  return { describe, incarnation, table };
}

/** A node says that it leaves. The answer is the number of its parts that have yet to be copied to others. */
export interface LeaveCall {
  readonly leaving: true;
  readonly nodeId: string;
  readonly life: string;
}

export function isLeaveCall(request: Json): boolean {
  return isObject(request) && Object.hasOwn(request, "leaving");
}

/** Throws MalformedCall. */
export function readLeaveCall(request: Json): LeaveCall {
  const { life, nodeId } = request as { readonly [key: string]: Json };
  if (typeof life !== "string" || typeof nodeId !== "string") {
    throw new MalformedCall("nodeId and life must be strings");
  }
  return { leaving: true, nodeId, life };
}

export function descriptionOf({ chunks, columnNames, owner, write }: Part): Json {
  const types = chunks[0]?.columns.map(({ type }) => type) ?? [];
  const description: PartDescription = { owner, write, columnNames, types, chunkRows: chunks.map(({ rows }) => rows) };
  return description as unknown as Json;
}

export interface CopyRequest {
  readonly part: string;
  readonly table: string;
  readonly from: readonly PartCopy[];
  readonly target: string;
  /** True if the copy is no longer needed. */
  readonly isOver: () => boolean;
}

/** Makes a copy on a node; undefined if it is no longer needed. Throws the error of the node that copies, or REMOTE_HOST_GONE. */
export async function copyPart(
  { callNode, ports }: Pick<ConnectorContext, "callNode" | "ports">,
  { from, isOver, part, table, target }: CopyRequest,
): Promise<PartCopy | undefined> {
  const call: CopyCall = { copy: part, table, from: from.map(({ nodeId, incarnation }) => ({ nodeId, incarnation })) };
  let attempt = 1;
  while (!isOver()) {
    try {
      const copy = copyOf(await callNode(target, call as unknown as Json), target);
      if (copy !== undefined) {
        return copy;
      }
    } catch (error) {
      if (!isGone(error) || attempt === attemptsMax) {
        throw error;
      }
      attempt++;
      await sleep(ports.clock, "memory-copy-again", againMs);
    }
  }
  return undefined;
}

/** Undefined if the node is still copying. */
function copyOf(answer: Json, nodeId: string): PartCopy | undefined {
  const { incarnation, life } = isObject(answer) ? answer : {};
  return typeof incarnation === "string" && typeof life === "string" ? { nodeId, incarnation, life } : undefined;
}

/** The error of an allocation of tables, for the user. */
export function ofTables(error: unknown): unknown {
  return error instanceof MemoryLimitExceeded
    ? new QueryError("EXCEEDED_LOCAL_MEMORY_LIMIT", `Memory limit [${error.limitBytes}] for memory connector exceeded`)
    : error;
}

function isGone(error: unknown): boolean {
  return error instanceof QueryError && error.errorName === "REMOTE_HOST_GONE";
}

/** True if there are no such rows any more at the place that was asked. */
function isLost(error: unknown): boolean {
  return error instanceof QueryError && error.errorName === "TABLE_DATA_LOST";
}

interface Job {
  over: boolean;
  failure?: { readonly error: unknown };
  ended: Promise<void>;
}

export interface PartCopierOptions {
  readonly context: ConnectorContext;
  readonly memory: MemoryContext;
  readonly store: PartStore;
  /** Incarnation of this instance. */
  readonly incarnation: string;
  readonly onOwner: (owner: Owner) => void;
}

/** The parts that this node is copying. */
export class PartCopier {
  readonly #options: PartCopierOptions;
  readonly #clock: Clock;
  readonly #linear: LinearMemory;
  readonly #ports: Ports;
  /** By part. A job that has failed stays until its caller has been told. */
  readonly #jobs = new Map<string, Job>();
  #closed = false;

  constructor(options: PartCopierOptions) {
    this.#options = options;
    this.#ports = options.context.ports;
    this.#clock = this.#ports.clock;
    this.#linear = options.memory.linear;
  }

  /** Throws why the part could not be copied. */
  async answer(call: CopyCall): Promise<Json> {
    const { context, incarnation, store } = this.#options;
    const stillCopying = { state: "copying" };
    if (store.get(call.copy) === undefined) {
      if (this.#ports.points.fires("memory-copy-refused")) {
        throw new QueryError("REMOTE_HOST_GONE", `Node ${context.nodeId} copies no part`);
      }
      const job = this.#jobOf(call);
      if (job === undefined || this.#ports.points.fires("memory-copy-answered-early")) {
        return stillCopying;
      }
      await within(this.#clock, "memory-copy", job.ended, answerMs);
      if (!job.over) {
        return stillCopying;
      }
      if (this.#jobs.get(call.copy) === job) {
        this.#jobs.delete(call.copy);
      }
      if (job.failure !== undefined) {
        throw job.failure.error;
      }
    }
    return { incarnation, life: context.incarnation };
  }

  close(): void {
    this.#closed = true;
  }

  /** Undefined if the node copies too many parts. */
  #jobOf(call: CopyCall): Job | undefined {
    const known = this.#jobs.get(call.copy);
    if (known !== undefined) {
      return known;
    }
    if (this.#jobs.size >= jobsMax) {
      const ended = [...this.#jobs].find(([, { over }]) => over);
      if (ended === undefined) {
        return undefined;
      }
      this.#jobs.delete(ended[0]);
    }
    const job: Job = { over: false, ended: Promise.resolve() };
    job.ended = this.#copy(call).then(
      () => {
        job.over = true;
      },
      (error: unknown) => {
        job.over = true;
        job.failure = { error };
      },
    );
    this.#jobs.set(call.copy, job);
    return job;
  }

  async #copy(call: CopyCall): Promise<void> {
    const { memory, onOwner, store } = this.#options;
    const { callNode, readNode } = this.#options.context;
    const { copy: id, table } = call;
    const description = (await this.#fromAny(call, ({ incarnation, nodeId }) => {
      const question: DescriptionCall = { describe: id, incarnation, table };
      return callNode(nodeId, question as unknown as Json);
    })) as unknown as PartDescription;
    const { chunkRows, columnNames, owner, types, write } = description;
    const own = memory.child(id);
    try {
      const chunks: Chunk[] = [];
      for (const [chunk, rows] of chunkRows.entries()) {
        const columns: Column[] = [];
        while (columns.length < columnNames.length) {
          const end = columns.length + Math.max(1, Math.floor(cellsMax / rows));
          const names = columnNames.slice(columns.length, end);
          const frame = await this.#fromAny(call, ({ incarnation, nodeId }) => {
            const page: PageCall = { read: id, incarnation, table, chunk, row: 0, rows, columns: names };
            return readNode(nodeId, page as unknown as Json);
          });
          columns.push(...this.#decoded(frame, types.slice(columns.length, end), own));
        }
        chunks.push({ rows, columns });
      }
      store.add({ id, owner, write, columnNames, chunks, memory: own });
    } catch (error) {
      own.close();
      throw ofTables(error);
    }
    onOwner(owner);
  }

  #decoded(frame: Frame, types: readonly Type[], memory: MemoryContext): readonly Column[] {
    try {
      return decodePage(this.#linear, frame, types, memory).page.columns;
    } finally {
      frame.release();
    }
  }

  /** Asks the places in turn until one answers. Throws the last error. */
  async #fromAny<T extends Frame | Json>({ from }: CopyCall, ask: (place: CopyPlace) => Promise<T>): Promise<T> {
    let last: unknown = new QueryError("TABLE_DATA_LOST", "A part without places was to be copied");
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      for (const place of from) {
        try {
          const answer = await ask(place);
          if (!this.#closed) {
            return answer;
          }
          release(answer);
          throw new QueryError("REMOTE_HOST_GONE", "The catalog was removed");
        } catch (error) {
          if (this.#closed || (!isGone(error) && !isLost(error))) {
            throw error;
          }
          last = error;
        }
      }
      await sleep(this.#clock, "memory-copy-read-again", againMs);
    }
    throw last;
  }
}

function release(answer: Frame | Json): void {
  if (answer !== null && typeof answer === "object" && "release" in answer && typeof answer.release === "function") {
    (answer as Frame).release();
  }
}
