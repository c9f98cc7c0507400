/**
 * Which process owns the directory of the query history (decision 114). The engine knows owners by their leases only, which last for a
 * while after a death. The operating system knows at once whether a process of this machine is alive.
 */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { epochPattern, leaseFolder, ownerFile, releasedFile } from "../../coordinator/lease/lease-folder.ts";
import { isAlive } from "./spill-folders.ts";

/** `elsewhere`: of another machine or container, of whose processes nothing is known here. */
export interface HistoryOwner {
  readonly place: "here" | "elsewhere";
  /** Process id and address. */
  readonly text: string;
}

/**
 * Machine and start of the machine, space of process ids, process id and its start: what tells this process from all others. Where the
 * system has no /proc, the parts of it are empty.
 */
export function processIdentity(processId: number = process.pid): string {
  const boot = textOf("/proc/sys/kernel/random/boot_id");
  return [hostname(), boot, linkOf("/proc/self/ns/pid"), String(processId), startOf(processId)].join("|");
}

/**
 * The living owner of the directory; undefined if there is none. The lease of a process that is dead is given back, so that the next
 * coordinator need not wait until it ends. Never throws.
 */
export function historyOwner(directory: string): HistoryOwner | undefined {
  try {
    const folder = join(directory, basename(leaseFolder));
    const latest = readdirSync(folder)
      .filter((name) => epochPattern.test(name))
      .sort()
      .at(-1);
    if (latest === undefined || readdirSync(join(folder, latest)).includes(releasedFile)) {
      return undefined;
    }
    const owner = JSON.parse(readFileSync(join(folder, latest, ownerFile), "utf8")) as { readonly uri: string; readonly process: string };
    const state = stateOf(owner.process);
    if (state === "dead") {
      writeFileSync(join(folder, latest, releasedFile), "");
      return undefined;
    }
    const [host, , , processId] = owner.process.split("|");
    const text = state === "alive" ? `process ${processId} at ${owner.uri}` : `a coordinator of ${host} at ${owner.uri}`;
    return { place: state === "alive" ? "here" : "elsewhere", text };
  } catch {
    return undefined;
  }
}

function stateOf(identity: string): "alive" | "dead" | "unknown" {
  const [host, boot, space, processId = ""] = identity.split("|");
  const [ownHost, ownBoot, ownSpace] = processIdentity().split("|");
  if (host !== ownHost || !/^\d+$/.test(processId)) {
    return "unknown";
  }
  if (boot !== ownBoot) {
    // The machine was started again, unless it is another one of the same name.
    return "unknown";
  }
  if (space !== ownSpace) {
    return "unknown";
  }
  // A process id may have been given to another process since.
  const isSame = isAlive(Number(processId)) && processIdentity(Number(processId)) === identity;
  return isSame ? "alive" : "dead";
}

/** Ticks from the start of the machine to that of the process: field 22, counted behind the name, which may hold spaces. */
function startOf(processId: number): string {
  const text = textOf(`/proc/${processId}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
