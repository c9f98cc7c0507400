/** Resident memory of a process, from Linux. */
import { readFileSync, writeFileSync } from "node:fs";

/** Forgets the peak so far. */
export function resetPeak(processId: number): void {
  writeFileSync(`/proc/${processId}/clear_refs`, "5");
}

/** The largest resident size since the last reset, in bytes; undefined once the process has ended. */
export function peakResidentBytes(processId: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
