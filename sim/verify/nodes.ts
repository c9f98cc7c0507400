/** Other versions of Node on this machine. */
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The versions that the project promises to run on, with what else is looked for under `node20`, `node22`, `node24`. */
const wantedMajors: readonly number[] = [20, 22, 24];

export interface FoundNode {
  readonly path: string;
  /** `v22.23.3`. */
  readonly version: string;
}

/**
 * What `--node` names, what ORRERY_NODES lists (paths with ':' between them), and `node20`, `node22`, `node24` on the PATH; one of each version, and not the one
 * that runs this. Throws when a named one is none.
 */
export function findNodes(named: readonly string[], environment: Readonly<Record<string, string | undefined>>): readonly FoundNode[] {
  const listed = (environment["ORRERY_NODES"] ?? "").split(delimiter).filter((path) => path !== "");
  const onPath = wantedMajors.flatMap((major) => findOnPath(`node${major}`, environment["PATH"] ?? "") ?? []);
  const found = new Map<string, FoundNode>();
  for (const path of [...named, ...listed].map((given) => resolve(given))) {
    const version = versionOf(path);
    if (version === undefined) {
      throw new Error(`${path} is no Node that runs: it does not answer --version`);
    }
    if (!found.has(version)) {
      found.set(version, { path, version });
    }
  }
  for (const path of onPath) {
    const version = versionOf(path);
    if (version !== undefined && !found.has(version)) {
      found.set(version, { path, version });
    }
  }
  found.delete(process.version);
  return [...found.values()].sort((a, b) => majorOf(a.version) - majorOf(b.version) || (a.version < b.version ? -1 : 1));
}

/** Those of the wanted versions that are not there, in words. */
export function missingNodes(found: readonly FoundNode[]): readonly string[] {
  const majors = new Set([process.version, ...found.map(({ version }) => version)].map(majorOf));
  return wantedMajors.filter((major) => !majors.has(major)).map((major) => `Node ${major}`);
}

function majorOf(version: string): number {
  return Number(/^v(\d+)/.exec(version)?.[1]);
}

function versionOf(path: string): string | undefined {
  try {
    const said = execFileSync(path, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: {} }).trim();
    return /^v\d+\.\d+\.\d+/.test(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

function findOnPath(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}
