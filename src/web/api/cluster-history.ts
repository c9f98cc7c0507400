/**
 * The cluster's totals of the last ten minutes, as columns for charts. Counters that only grow become rates. A pause is a gap and not a
 * line: the page was hidden, or the coordinator did not answer or was restarted.
 */
import type { Cluster } from "./documents.ts";

export const historySeconds = 600;
/** A longer silence between two samples is a gap. */
const gapSecondsMin = 12;

export const measures = [
  "running",
  "queued",
  "blocked",
  "finishedRate",
  "failedRate",
  "workers",
  "runningSplits",
  "queuedSplits",
  "memory",
  "rowRate",
  "byteRate",
  "loopDelay",
] as const;
export type Measure = (typeof measures)[number];
type Value = number | null;
type Sample = Readonly<Record<Measure, Value>>;

interface Totals {
  readonly atSeconds: number;
  readonly document: Cluster;
}

/** Per second; null if there is no earlier value, or the counter fell because the coordinator was restarted. */
export function rateOf(before: number | undefined, after: number | undefined, seconds: number): Value {
  return before === undefined || after === undefined || after < before || seconds <= 0 ? null : (after - before) / seconds;
}

/** `atSeconds`: seconds since the epoch. */
function sampleOf({ atSeconds, document }: Totals, before: Totals | undefined): Sample {
  const seconds = before === undefined ? 0 : atSeconds - before.atSeconds;
  const rate = (read: (document: Cluster) => number | undefined): Value =>
    before === undefined ? null : rateOf(read(before.document), read(document), seconds);
  return {
    running: document.runningQueries,
    queued: document.queuedQueries,
    blocked: document.blockedQueries,
    finishedRate: rate(({ finishedQueries }) => finishedQueries),
    failedRate: rate(({ failedQueries }) => failedQueries),
    workers: document.activeWorkers,
    runningSplits: document.runningDrivers,
    queuedSplits: document.queuedDrivers ?? null,
    memory: document.reservedMemory,
    rowRate: rate(({ processedRows, totalInputRows }) => processedRows ?? totalInputRows),
    byteRate: rate(({ processedBytes, totalInputBytes }) => processedBytes ?? totalInputBytes),
    loopDelay: document.eventLoopDelayMillis ?? null,
  };
}

export interface Minute {
  /** Seconds since the epoch. */
  readonly atSeconds: number;
  readonly means: Sample;
}

export class ClusterHistory {
  #times: number[] = [];
  #columns = emptyColumns();
  #last: Totals | undefined;

  /** Seconds since the epoch, ascending. */
  get times(): readonly number[] {
    return this.#times;
  }

  column(measure: Measure): readonly Value[] {
    return this.#columns[measure];
  }

  /** The latest value; undefined if it is not known. */
  latest(measure: Measure): number | undefined {
    return this.#columns[measure].at(-1) ?? undefined;
  }

  add(atSeconds: number, document: Cluster): void {
    const isGap = this.#last !== undefined && atSeconds - this.#last.atSeconds > gapSecondsMin;
    if (this.#last !== undefined && atSeconds <= this.#last.atSeconds) {
      // The computer's clock was set back.
      this.#times = [];
      this.#columns = emptyColumns();
    } else if (isGap) {
      this.#push((this.#last?.atSeconds ?? 0) + 0.001, undefined);
    }
    const totals = { atSeconds, document };
    this.#push(atSeconds, sampleOf(totals, isGap ? undefined : this.#last));
    this.#last = totals;
    this.#forget(atSeconds - historySeconds);
  }

  #push(atSeconds: number, sample: Sample | undefined): void {
    this.#times.push(atSeconds);
    for (const measure of measures) {
      this.#columns[measure].push(sample === undefined ? null : sample[measure]);
    }
  }

  #forget(beforeSeconds: number): void {
    const old = this.#times.findIndex((at) => at >= beforeSeconds);
    if (old > 0) {
      this.#times.splice(0, old);
      for (const measure of measures) {
        this.#columns[measure].splice(0, old);
      }
    }
  }

  /** Means of each minute, latest first, for readers who cannot see the charts. */
  minutes(): readonly Minute[] {
    const minutes = [...new Set(this.#times.map((at) => Math.floor(at / 60) * 60))].reverse();
    return minutes.map((atSeconds) => ({
      atSeconds,
      means: sampleFrom((measure) =>
        mean(this.#columns[measure].filter((_, index) => Math.floor((this.#times[index] ?? 0) / 60) * 60 === atSeconds)),
      ),
    }));
  }

  /** JSON that `restore` reads; survives a reload of the page. */
  save(): string {
    return JSON.stringify({ times: this.#times, columns: this.#columns });
  }

  restore(text: string, nowSeconds: number): void {
    const saved = parseSaved(text);
    if (saved !== undefined && this.#times.length === 0 && (saved.times.at(-1) ?? 0) < nowSeconds) {
      this.#times = [...saved.times];
      this.#columns = saved.columns;
      // A line does not bridge the reload; the next rate begins behind it.
      this.#push((saved.times.at(-1) ?? 0) + 0.001, undefined);
      this.#forget(nowSeconds - historySeconds);
    }
  }
}

function emptyColumns(): Record<Measure, Value[]> {
  return Object.fromEntries(measures.map((measure) => [measure, []])) as unknown as Record<Measure, Value[]>;
}

function sampleFrom(read: (measure: Measure) => Value): Sample {
  return Object.fromEntries(measures.map((measure) => [measure, read(measure)])) as Record<Measure, Value>;
}

function mean(values: readonly Value[]): Value {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Undefined if the text is not a saved history of this build. */
function parseSaved(text: string): { readonly times: readonly number[]; readonly columns: Record<Measure, Value[]> } | undefined {
  try {
    const { times, columns } = JSON.parse(text) as { times?: number[]; columns?: Partial<Record<Measure, Value[]>> };
    if (!Array.isArray(times) || times.length === 0 || columns === undefined) {
      return undefined;
    }
    const isWhole = measures.every((measure) => columns[measure]?.length === times.length);
    return isWhole ? { times, columns: columns as Record<Measure, Value[]> } : undefined;
  } catch {
    return undefined;
  }
}
