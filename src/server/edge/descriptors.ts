/**
 * The number of file descriptors of the process, and how many of them client connections may use.
 */
import { readFileSync } from "node:fs";

/** Used if the system does not report a limit: the smallest limit in common use. */
const descriptorsUnknown = 1024;
/** Share reserved for files, pipes, threads and connections to other nodes. */
const keptShare = 4;
const keptMax = 1024;
const connectionsMax = 10_000;
const connectionsMin = 16;

/** The soft limit; Node raises it to the hard limit at its start. */
export function descriptorLimit(readLimits: () => string = () => readFileSync("/proc/self/limits", "utf8")): number {
  try {
    const soft = /^Max open files +(\d+|unlimited) /m.exec(readLimits())?.[1];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft ?? descriptorsUnknown);
  } catch {
    return reportedLimit() ?? descriptorsUnknown;
  }
}

/** Undefined on systems without /proc. */
function reportedLimit(): number | undefined {
  const report = process.report.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number.isSafeInteger(Number(soft)) ? Number(soft) : undefined;
}

export interface ConnectionShares {
  /** For the node that clients connect to. */
  readonly first: number;
  /** For each other node of the process. */
  readonly others: number;
}

/** Divides the process's descriptors among its nodes. Clients connect to the first node, nodes of other processes to the others. */
export function connectionShares(descriptors: number, otherNodes: number): ConnectionShares {
  const free = descriptors - Math.min(keptMax, Math.floor(descriptors / keptShare));
  const bounded = (count: number): number => Math.max(connectionsMin, Math.min(connectionsMax, Math.floor(count)));
  return otherNodes === 0
    ? { first: bounded(free), others: connectionsMin }
    : { first: bounded(free / 2), others: bounded(free / 2 / otherNodes) };
}
