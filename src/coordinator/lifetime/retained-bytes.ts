/**
 * What an ended query takes on the JavaScript heap as long as the coordinator keeps it: texts, plan, columns, documents of its tasks, the
 * last response and rows that wait. An estimate that is rather too large: heap objects have no size that a program can read.
 */
import type { Query } from "../query/query.ts";

const objectBytes = 24;
const slotBytes = 8;
const characterBytes = 2;
const opaqueBytes = 64;
/** The query itself, its session and its state machine. */
const queryBytes = 8 * 1024;
/** A task that has ended, with its counters. */
const taskBytes = 8 * 1024;

/** The part that no longer changes once the query has ended. Costs time in proportion to the size of the plan. */
export function settledBytes(query: Query): number {
  const { columns, effects, estimates, execution, failure, planWarnings, session, sql } = query;
  const stages = execution?.stages ?? [];
  const plans = stages.map(({ fragment }) => fragment);
  const tasks = stages.flatMap(({ tasks: own }) => own.map(({ reported }) => taskBytes + (reported?.heapBytes ?? 0)));
  return tasks.reduce(
    (sum, bytes) => sum + bytes,
    queryBytes + heapBytes([sql, session, columns, effects, failure, planWarnings, plans, estimates]),
  );
}

/** The part that clients change: rows that wait, and the response that would be sent again. */
export function waitingBytes({ results, servedBytes, state }: Query): number {
  return servedBytes + (state === "FAILED" ? 0 : (results?.availableBytes ?? 0));
}

/** The size of plain data. An object that is reached twice counts once. */
export function heapBytes(value: unknown): number {
  const known = new Set<object>();
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") {
      bytes += objectBytes + next.length * characterBytes;
    } else if (typeof next === "function") {
      bytes += opaqueBytes;
    } else if (typeof next === "object" && next !== null && !known.has(next)) {
      known.add(next);
      if (ArrayBuffer.isView(next)) {
        bytes += opaqueBytes + next.byteLength;
        continue;
      }
      const values = next instanceof Map ? [...next].flat() : next instanceof Set ? [...next] : Object.values(next);
      bytes += objectBytes + values.length * slotBytes;
      for (const inner of values) {
        open.push(inner);
      }
    }
  }
  return bytes;
}
