/**
 * CPU time of processes, which says more than wall time on a busy machine.
 */
import { readdirSync, readFileSync } from "node:fs";

/** CPU milliseconds of all living threads of a process so far, from Linux' scheduler. */
export function cpuMsOf(processId: number): number {
  const threads = readdirSync(`/proc/${processId}/task`);
  const nanos = threads.map((thread) => Number(readFileSync(`/proc/${processId}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  return nanos.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** CPU milliseconds of this process so far: where DuckDB runs. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
