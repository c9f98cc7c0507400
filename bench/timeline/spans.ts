/**
 * The time of one run by what the threads did: where workers computed side by side, where one of them was alone, where none was at work.
 */

/** Thread 0 is the coordinator's. Times in milliseconds since the client sent the statement. */
export interface Note {
  readonly thread: number;
  readonly start: number;
  readonly end: number;
  /** slice, request, serve, collection, state */
  readonly kind: string;
  readonly label: string;
}

export interface Shares {
  /** Until a worker's operators begin. */
  readonly startMs: number;
  /** At least two workers are in operators. */
  readonly togetherMs: number;
  /** One worker is in operators. */
  readonly aloneMs: number;
  /** No worker is in operators, but one answers a request or collects garbage. */
  readonly messagesMs: number;
  /** All workers wait. */
  readonly idleMs: number;
  /** After the last operator of a worker. */
  readonly endMs: number;
  /** Pipelines that ran while no other worker was in operators, with the time, the longest first. */
  readonly alone: readonly (readonly [label: string, ms: number])[];
}

/** A slice that is shorter only finds that it must wait. */
const shortestSliceMs = 0.1;
const stepMs = 0.02;

export function sharesOf(notes: readonly Note[], wallMs: number): Shares {
  const ofWorkers = notes.filter(({ thread, start }) => thread > 0 && start < wallMs);
  const slices = ofWorkers.filter(({ kind }) => kind === "slice");
  const long = slices.filter(({ end, start }) => end - start >= shortestSliceMs);
  const first = Math.min(wallMs, ...long.map(({ start }) => start));
  const last = Math.min(wallMs, Math.max(first, ...long.map(({ end }) => end)));
  const busy = stepsOf(slices);
  const other = stepsOf(ofWorkers.filter(({ kind }) => kind === "serve" || kind === "collection"));
  const steps = { together: 0, alone: 0, messages: 0, idle: 0 };
  const alone = new Map<string, number>();
  for (let step = Math.floor(first / stepMs); step < Math.floor(last / stepMs); step++) {
    const here = busy.get(step);
    const [only] = here?.values() ?? [];
    if (here !== undefined && here.size > 1) {
      steps.together++;
    } else if (only === undefined) {
      steps[other.has(step) ? "messages" : "idle"]++;
    } else {
      steps.alone++;
      alone.set(only, (alone.get(only) ?? 0) + stepMs);
    }
  }
  return {
    startMs: first,
    togetherMs: steps.together * stepMs,
    aloneMs: steps.alone * stepMs,
    messagesMs: steps.messages * stepMs,
    idleMs: steps.idle * stepMs,
    endMs: wallMs - last,
    alone: [...alone].sort(([, one], [, two]) => two - one),
  };
}

/** By step: the threads that are in one of the notes, with its label. */
function stepsOf(notes: readonly Note[]): ReadonlyMap<number, ReadonlyMap<number, string>> {
  const steps = new Map<number, Map<number, string>>();
  for (const { end, label, start, thread } of notes) {
    for (let step = Math.floor(start / stepMs); step < end / stepMs; step++) {
      const threads = steps.get(step) ?? new Map<number, string>();
      steps.set(step, threads.set(thread, label));
    }
  }
  return steps;
}

/** Lines of a thread's notes; `zero` is when the statement was sent, in microseconds. */
export function parseNotes(thread: number, text: string, zero: number): readonly Note[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [start = "", end = "", kind = "", label = ""] = line.split("\t");
      return { thread, start: (Number(start) - zero) / 1000, end: (Number(end) - zero) / 1000, kind, label };
    });
}
