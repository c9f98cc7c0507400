/**
 * A control group of Linux that bounds the memory of a server: what a container of that size is to it. Needs the right to make one, which
 * root has on most machines.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface MemoryGroup {
  /** A process that writes its id here joins the group, and so do its children. */
  readonly processesFile: string;
  /** Number of processes that the system has killed for the limit. */
  readonly kills: () => number;
  /** Fails while a process is in it. */
  remove(): void;
}

interface Version {
  readonly root: string;
  readonly limitFile: string;
  readonly swapFile: string;
  readonly eventsFile: string;
}

const versions: readonly Version[] = [
  {
    root: "/sys/fs/cgroup/memory",
    limitFile: "memory.limit_in_bytes",
    swapFile: "memory.memsw.limit_in_bytes",
    eventsFile: "memory.oom_control",
  },
  { root: "/sys/fs/cgroup", limitFile: "memory.max", swapFile: "memory.swap.max", eventsFile: "memory.events" },
];

/** Undefined where this process may not make one. */
export function makeMemoryGroup(limitBytes: number): MemoryGroup | undefined {
  const version = versions.find(({ root }) => existsSync(join(root, "cgroup.procs")));
  if (version === undefined) {
    return undefined;
  }
  const folder = join(version.root, `orrery-bench-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, version.limitFile), String(limitBytes));
  } catch {
    removeGroup(folder);
    return undefined;
  }
  withoutSwap(join(folder, version.swapFile), limitBytes);
  process.once("exit", () => removeGroup(folder));
  return {
    processesFile: join(folder, "cgroup.procs"),
    kills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, version.eventsFile), "utf8"))?.[1] ?? 0),
    remove: () => rmdirSync(folder),
  };
}

/** The first version bounds memory and swap in sum, the second swap alone. */
function withoutSwap(file: string, limitBytes: number): void {
  if (existsSync(file)) {
    writeFileSync(file, file.endsWith("swap.max") ? "0" : String(limitBytes));
  }
}

function removeGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It was not made, or a process is still in it.
  }
}
