/**
 * Folders for the files that a node writes while it runs, such as spilled pages: one for each node, below a folder that processes share. A
 * process removes its own at its end. Those of processes that were killed are removed by the next process of the same host whose user may.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** `orrery-host-pid-`: containers that share the folder have names of their own, and process ids say nothing to each other. */
function prefixOf(host: string): string {
  return `orrery-${host.replaceAll(/[^A-Za-z0-9.]/g, "_")}-`;
}

/** Makes a new folder, and the parent if it is missing. */
export function makeSpillFolder(parent: string, host: string = hostname()): string {
  mkdirSync(parent, { recursive: true });
  const prefix = prefixOf(host);
  removeFoldersOfDead(parent, prefix);
  return mkdtempSync(join(parent, `${prefix}${process.pid}-`));
}

function removeFoldersOfDead(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const id = name.startsWith(prefix) ? /^(\d+)-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1] : undefined;
    if (id !== undefined && !isAlive(Number(id))) {
      removeIfAllowed(join(parent, name));
    }
  }
}

/** Best effort: in the folder for temporary files, those of other users may be neither read nor removed. A start does not fail for it. */
function removeIfAllowed(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It stays for a process that may remove it.
  }
}

export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: it is the process of another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
