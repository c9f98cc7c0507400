/**
 * Keeps the threads of workers on processors of their own. Where a process has one worker for each of its processors, Linux often runs two
 * of them on one processor for some milliseconds, while the other one runs the coordinator or nothing. The program taskset sets the
 * affinity; where there is none, threads run where the system puts them.
 */
import { execFile } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/** Longest wait for taskset, in milliseconds. */
const waitMs = 5000;

/** The system's id of the calling thread; undefined if the system has none. */
export function systemThreadId(): number | undefined {
  try {
    const [, id] = /\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self")) ?? [];
    return id === undefined ? undefined : Number(id);
  } catch {
    return undefined;
  }
}

/** Processors of a list such as `0-2,5`, as /proc has it. */
export function processorsOf(list: string): readonly number[] {
  return list
    .trim()
    .split(",")
    .filter((part) => /^\d+(-\d+)?$/.test(part))
    .flatMap((part) => {
      const [first = 0, last = first] = part.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** The processors on which a process or thread may run; empty if the system does not tell. */
export function allowedProcessors(id: number | "self" = "self"): readonly number[] {
  try {
    const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
    return processorsOf(list);
  } catch {
    return [];
  }
}

/**
 * The processor of each worker. Empty unless there is one for each: fewer workers leave a choice of processors, which other processes would
 * make in the same way. The first worker, which has most of the queries with one task if there are few, has another processor in another
 * process.
 */
export function processorsForWorkers(workers: number, allowed: readonly number[], processId: number): readonly number[] {
  const first = processId % Math.max(1, allowed.length);
  return workers > 1 && workers === allowed.length ? [...allowed.slice(first), ...allowed.slice(0, first)] : [];
}

/** Node id of a worker of this process, from 1 on. */
export function workerName(ordinal: number): string {
  return `worker-${ordinal}`;
}

export interface WorkerPinsOptions {
  /** By worker; empty if none is pinned. */
  readonly processors: readonly number[];
  readonly onFailed: (nodeId: string) => void;
}

/** Pins the threads of workers, also those that start again. Nothing happens before `begin`: the process first gets ready. */
export class WorkerPins {
  readonly #options: WorkerPinsOptions;
  readonly #processors: ReadonlyMap<string, number>;
  /** Started threads that are not pinned yet; undefined after `begin`. */
  #waiting: Map<string, number> | undefined = new Map();

  constructor(options: WorkerPinsOptions) {
    this.#options = options;
    this.#processors = new Map(options.processors.map((processor, index) => [workerName(index + 1), processor]));
  }

  started(nodeId: string, threadId: number | undefined): void {
    if (threadId === undefined || !this.#processors.has(nodeId)) {
      return;
    }
    if (this.#waiting === undefined) {
      void this.#pin(nodeId, threadId);
    } else {
      this.#waiting.set(nodeId, threadId);
    }
  }

  begin(): void {
    const waiting = this.#waiting ?? new Map<string, number>();
    this.#waiting = undefined;
    for (const [nodeId, threadId] of waiting) {
      void this.#pin(nodeId, threadId);
    }
  }

  async #pin(nodeId: string, threadId: number): Promise<void> {
    if (!(await pinThread(threadId, this.#processors.get(nodeId) as number))) {
      this.#options.onFailed(nodeId);
    }
  }
}

/** Resolves with whether the thread runs on this processor only from now on. */
export function pinThread(threadId: number, processor: number): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("taskset", ["-cp", String(processor), String(threadId)], { timeout: waitMs }, (error) => resolve(error === null));
  });
}
