/**
 * Finds other versions of Node on this machine.
 */
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The versions that the project supports; they are also looked up as `node20`, `node22`, `node24`. */
const wantedMajors: readonly number[] = [20, 22, 24];

export interface FoundNode {
  readonly path: string;
  /** Version: `v22.23.3`. */
  readonly version: string;
}

/**
 * Node executables from `--node`, from ORRERY_NODES (paths separated by ':'), and `node20`, `node22`, `node24` on the PATH; one of each
 * version, without the one that runs this program. Throws if a named file is not a Node.
 */
export function findNodes(named: readonly string[], environment: Readonly<Record<string, string | undefined>>): readonly FoundNode[] {
  const listed = (environment["ORRERY_NODES"] ?? "").split(delimiter).filter((path) => path !== "");
  const onPath = wantedMajors.flatMap((major) => findOnPath(`node${major}`, environment["PATH"] ?? "") ?? []);
  const found = new Map<string, FoundNode>();
  for (const path of [...named, ...listed].map((given) => resolve(given))) {
    const version = versionOf(path);
    if (version === undefined) {
      throw new Error(`${path} is not a working Node: it does not answer --version`);
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

/** The supported versions that were not found, in words. */
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
      // Not in this folder.
    }
  }
  return undefined;
}
