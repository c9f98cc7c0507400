/**
 * States of queries, stages and tasks as bars in the lane of their node, packed into rows.
 */
import { type Columns, detailOf } from "../model/format.ts";

export type BarKind = "query" | "stage" | "task";

export interface Segment {
  readonly from: number;
  readonly state: string;
}

export interface Bar {
  readonly kind: BarKind;
  readonly place: number;
  /** Id of the query, stage or task. */
  readonly id: string;
  readonly segments: readonly Segment[];
  readonly from: number;
  readonly to: number;
  /** Final state; empty if a crash or the end of the run cut it off. */
  readonly ending: string;
  /** Index of the first entry. */
  readonly entry: number;
  /** Row in the lane, from the top. */
  readonly row: number;
}

const terminal = new Set(["FINISHED", "FAILED", "CANCELED", "ABORTED"]);
/** Maximum rows of a lane, so that other lanes stay visible; further bars share the last row. */
const rowsMax = 7;

interface OpenBar {
  readonly kind: BarKind;
  readonly place: number;
  readonly id: string;
  readonly segments: Segment[];
  readonly entry: number;
}

export function barsOf(columns: Columns, toNanos: number): readonly Bar[] {
  const open = new Map<string, OpenBar>();
  const bars: Omit<Bar, "row">[] = [];
  const close = (key: string, to: number, ending: string): void => {
    const bar = open.get(key);
    if (bar !== undefined) {
      bars.push({ ...bar, from: bar.segments[0]?.from ?? to, to, ending });
      open.delete(key);
    }
  };
  const told = columns.kinds.includes("task");
  for (let index = 0; index < columns.count; index++) {
    const kind = columns.kinds[columns.kind[index] ?? 0] ?? "";
    const place = columns.place[index] ?? 0;
    const at = columns.at[index] ?? 0;
    if (kind === "query" || kind === "stage" || kind === "task") {
      const [id = "", before = "", , after = ""] = detailOf(columns, index).split(" ");
      const key = `${place} ${kind} ${id}`;
      const bar = open.get(key) ?? { kind, place, id, segments: [{ from: at, state: before }], entry: index };
      open.set(key, bar);
      bar.segments.push({ from: at, state: after });
      if (terminal.has(after)) {
        close(key, at, after);
      }
    } else if (kind === "serve" && !told) {
      derivedTask(columns, index, { open, close });
    } else if (kind === "crash" || kind === "stopped") {
      for (const [key, bar] of open) {
        if (bar.place === place) {
          close(key, at, "");
        }
      }
    }
  }
  for (const key of open.keys()) {
    close(key, toNanos, "");
  }
  return inRows(bars.sort((a, b) => a.entry - b.entry));
}

const taskPath = /^(\S+) \/v1\/task\/([^/?\s]+)(\?\S*)?$/;

/** Derives a task's bar if the trace has no task states: from the first update that arrives to the DELETE. */
function derivedTask(
  columns: Columns,
  index: number,
  { open, close }: { readonly open: Map<string, OpenBar>; readonly close: (key: string, to: number, ending: string) => void },
): void {
  const found = taskPath.exec(columns.texts[columns.text[index] ?? 0] ?? "");
  const at = columns.at[index] ?? 0;
  const place = columns.place[index] ?? 0;
  const id = found?.[2] ?? "";
  const key = `${place} task ${id}`;
  if (found?.[1] === "POST" || found?.[1] === "PUT") {
    if (!open.has(key)) {
      open.set(key, { kind: "task", place, id, segments: [{ from: at, state: "RUNNING" }], entry: index });
    }
  } else if (found?.[1] === "DELETE") {
    close(key, at, "");
  }
}

/** Assigns rows: queries first, then stages, then tasks; within a kind, each bar takes the first free row. */
function inRows(bars: readonly Omit<Bar, "row">[]): readonly Bar[] {
  const byPlace = new Map<number, Omit<Bar, "row">[]>();
  for (const bar of bars) {
    const same = byPlace.get(bar.place);
    if (same === undefined) {
      byPlace.set(bar.place, [bar]);
    } else {
      same.push(bar);
    }
  }
  return [...byPlace.values()].flatMap((same) => {
    let base = 0;
    return (["query", "stage", "task"] as const).flatMap((kind) => {
      const free: number[] = [];
      const packed = same
        .filter((bar) => bar.kind === kind)
        .map((bar) => {
          const gap = free.findIndex((until) => until <= bar.from);
          const row = gap === -1 ? Math.min(free.length, rowsMax - 1) : gap;
          free[row] = Math.max(bar.to, free[row] ?? 0);
          return { ...bar, row: base + row };
        });
      base += free.length;
      return packed;
    });
  });
}
