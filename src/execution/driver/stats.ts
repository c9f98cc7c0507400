/**
 * Counters of operators and drivers as they run. The bytes of a page are those its rows take (a dictionary's ids, not the dictionary;
 * strings by the mean length of a sample of rows).
 */
import type { LinearMemory } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import { physicalType, physicalWidth } from "../../types/type.ts";

/** Number and duration of the calls of one operator method. */
class CallStats {
  calls = 0;
  nanos = 0;
  cpuNanos = 0;
  /** Time within the current slice, in nanoseconds. */
  sliceNanos = 0;
  sliceWorkUnits = 0;

  /** Where time stands still within a slice, as in the simulator, at least what the work costs. */
  get wallNanos(): number {
    return Math.max(this.nanos, this.cpuNanos);
  }

  count(nanos: number, workUnits: number): void {
    this.calls++;
    this.nanos += nanos;
    this.sliceNanos += nanos;
    this.sliceWorkUnits += workUnits;
  }
}

export class OperatorStats {
  readonly addInput = new CallStats();
  readonly getOutput = new CallStats();
  readonly finish = new CallStats();
  blockedNanos = 0;
  inputBytes = 0;
  inputPositions = 0;
  outputBytes = 0;
  outputPositions = 0;
}

interface Slice {
  readonly cpuNanos: number;
  readonly wallNanos: number;
  readonly workUnits: number;
}

/**
 * CPU time is measured per slice: a system call around each operator call would often cost as much as the call itself. Within a slice an
 * operator call gets a share in proportion to its wall time. If no time has passed, as in the simulator, the share is in proportion to its
 * work.
 */
export function shareCpu(operators: readonly OperatorStats[], slice: Slice): void {
  const { cpuNanos, wallNanos, workUnits } = slice;
  for (const { addInput, getOutput, finish } of operators) {
    for (const calls of [addInput, getOutput, finish]) {
      const share = wallNanos > 0 ? calls.sliceNanos / wallNanos : workUnits > 0 ? calls.sliceWorkUnits / workUnits : 0;
      calls.cpuNanos += Math.round(cpuNanos * Math.min(1, share));
      calls.sliceNanos = 0;
      calls.sliceWorkUnits = 0;
    }
  }
}

export class DriverStats {
  readonly createdNanos: number;
  startedNanos: number | undefined;
  endedNanos: number | undefined;
  scheduledNanos = 0;
  cpuNanos = 0;
  blockedNanos = 0;

  constructor(createdNanos: number) {
    this.createdNanos = createdNanos;
  }

  sliceStarted(nowNanos: number): void {
    this.startedNanos ??= nowNanos;
  }

  sliceEnded(scheduledNanos: number, cpuNanos: number): void {
    this.scheduledNanos += scheduledNanos;
    this.cpuNanos += cpuNanos;
  }

  ended(nowNanos: number): void {
    this.endedNanos ??= nowNanos;
  }
}

/** Bytes that the rows of a page take in memory. */
export function pageBytes(memory: LinearMemory, page: Page): number {
  let bytes = 0;
  for (const column of page.columns) {
    bytes += columnBytes(memory, page, column);
  }
  return bytes;
}

/** Rows sampled for the mean length of strings. Reading the lengths of all rows would cost more than some queries. */
const stringSampleRows = 64;

function columnBytes(memory: LinearMemory, page: Page, column: Column): number {
  const rows = page.positionCount;
  const nulls = column.nulls === 0 ? 0 : rows;
  if (column.ids !== 0) {
    return rows * 4 + nulls;
  }
  const physical = physicalType(column.type);
  if (physical !== "bytes") {
    return rows * physicalWidth(physical) + nulls;
  }
  const step = Math.max(1, Math.floor(rows / stringSampleRows));
  let sampled = 0;
  let length = 0;
  for (let position = 0; position < rows; position += step) {
    const row = page.selection === 0 ? position : (memory.u32[(page.selection >>> 2) + position] as number);
    length += memory.u32[(column.values >>> 2) + row * 2 + 1] as number;
    sampled++;
  }
  return rows * 8 + nulls + Math.round((length / Math.max(1, sampled)) * rows);
}
