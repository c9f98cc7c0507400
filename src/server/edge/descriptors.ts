/** How many file descriptors the process has, and how many of them its nodes may give to connections of clients. */
import { readFileSync } from "node:fs";

/** Where the system does not say: the smallest limit in common use. */
const descriptorsUnknown = 1024;
/** Files, pipes, threads, and connections to other nodes need some too. */
const keptShare = 4;
const keptMax = 1024;
const connectionsMax = 10_000;
const connectionsMin = 16;

/** The soft limit; the runtime has raised it to the hard one at its start. */
export function descriptorLimit(readLimits: () => string = () => readFileSync("/proc/self/limits", "utf8")): number {
  try {
    const soft = /^Max open files +(\d+|unlimited) /m.exec(readLimits())?.[1];
    return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(soft ?? descriptorsUnknown);
  } catch {
    return reportedLimit() ?? descriptorsUnknown;
  }
}

/** Systems without /proc. */
function reportedLimit(): number | undefined {
  const report = process.report.getReport() as { readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } } };
  const soft = report.userLimits?.open_files?.soft;
  return soft === "unlimited" ? Number.MAX_SAFE_INTEGER : Number.isSafeInteger(Number(soft)) ? Number(soft) : undefined;
}

export interface ConnectionShares {
  /** Of the node that clients talk to. */
  readonly first: number;
  /** Of each other node of the process. */
  readonly others: number;
}

/** All nodes of a process share its descriptors. Clients come to the first one; other processes' nodes to the others. */
export function connectionShares(descriptors: number, otherNodes: number): ConnectionShares {
  const free = descriptors - Math.min(keptMax, Math.floor(descriptors / keptShare));
  const bounded = (count: number): number => Math.max(connectionsMin, Math.min(connectionsMax, Math.floor(count)));
  return otherNodes === 0
    ? { first: bounded(free), others: connectionsMin }
    : { first: bounded(free / 2), others: bounded(free / 2 / otherNodes) };
}
