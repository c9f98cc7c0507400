/**
 * Traces of runs as JSON lines: first the plan, then every entry, last the fingerprint. `--replay` runs the plan again and compares line by
 * line.
 */
import type { RunPlan } from "../plan.ts";
import type { Branch, TraceEntry } from "../world/world.ts";

const traceVersion = 2;

export interface TraceHeader {
  readonly orreryTrace: number;
  readonly plan: RunPlan;
  /** From an event on, draws differ from those of the plan's seed. */
  readonly branch?: Branch;
}

export interface TraceFooter {
  readonly fingerprint: string;
  readonly events: number;
}

export function headerLine(plan: RunPlan, branch?: Branch): string {
  return JSON.stringify({ orreryTrace: traceVersion, plan, ...(branch === undefined ? {} : { branch }) } satisfies TraceHeader);
}

export function entryLine(entry: TraceEntry): string {
  return JSON.stringify([entry.atNanos, entry.event, entry.parent, entry.place, entry.kind, entry.detail]);
}

export function footerLine({ fingerprint, events }: TraceFooter): string {
  return JSON.stringify({ fingerprint, events } satisfies TraceFooter);
}

export interface RecordedTrace {
  readonly plan: RunPlan;
  readonly branch: Branch | undefined;
  readonly entries: readonly string[];
  readonly footer: TraceFooter;
}

/** Throws with the number of the invalid line. */
export function parseTrace(text: string): RecordedTrace {
  const lines = text.split("\n").filter((line) => line !== "");
  const parse = (line: string | undefined, number: number): unknown => {
    try {
      return JSON.parse(line ?? "");
    } catch {
      throw new Error(`line ${number} of the trace is not JSON; was the run that wrote it interrupted?`);
    }
  };
  const header = parse(lines[0], 1) as Partial<TraceHeader>;
  if (header.orreryTrace !== traceVersion || header.plan === undefined) {
    throw new Error(`not a trace of version ${traceVersion}`);
  }
  const footer = parse(lines.at(-1), lines.length) as Partial<TraceFooter>;
  if (typeof footer.fingerprint !== "string" || typeof footer.events !== "number") {
    throw new Error("the trace has no final line with a fingerprint; was the run that wrote it interrupted?");
  }
  return {
    plan: header.plan,
    branch: header.branch,
    entries: lines.slice(1, -1),
    footer: { fingerprint: footer.fingerprint, events: footer.events },
  };
}

/** Whether the trace contains random draws (`--trace-draws`); they are written only on request. */
export function hasDraws({ entries }: RecordedTrace): boolean {
  return entries.some((line) => /^\[\d+,\d+,\d+,"[^"]*","draw",/.test(line));
}

/** A parsed trace. */
export interface Trace {
  readonly plan: RunPlan;
  readonly entries: readonly TraceEntry[];
  readonly footer: TraceFooter;
}

/** Throws with the invalid line. */
export function parseWholeTrace(text: string): Trace {
  const { plan, entries, footer } = parseTrace(text);
  return { plan, entries: entries.map((line, index) => parseEntry(line, index + 2)), footer };
}

function parseEntry(line: string, number: number): TraceEntry {
  let values: unknown;
  try {
    values = JSON.parse(line);
  } catch {
    values = undefined;
  }
  if (!Array.isArray(values) || values.length !== 6) {
    throw new Error(`line ${number} of the trace is not an entry of six values`);
  }
  const [atNanos, event, parent, place, kind, detail] = values as [number, number, number, string, string, string];
  return { atNanos, event, parent, place, kind, detail };
}

/** Index and both lines of the first difference. */
export function firstDifference(
  recorded: readonly string[],
  replayed: readonly string[],
): { readonly index: number; readonly recorded: string; readonly replayed: string } | undefined {
  const length = Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index++) {
    if (recorded[index] !== replayed[index]) {
      return { index, recorded: recorded[index] ?? "(ended)", replayed: replayed[index] ?? "(ended)" };
    }
  }
  return undefined;
}
