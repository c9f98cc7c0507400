/** The project's files and what they import, for the tests of the house. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export interface Import {
  readonly file: string;
  readonly line: number;
  /** As written. */
  readonly target: string;
}

/** Absolute paths, sorted. */
export function filesBelow(folder: string, ending = /\.tsx?$/): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path, ending) : ending.test(entry.name) ? [path] : [];
    });
}

const importPattern = /^(?:import|export)\b[^;"'()=]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

/** Imports, re-exports and `import("...")`, those of types alone included. */
export function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(importPattern)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length,
    target: match[1] ?? match[2] ?? match[3] ?? "",
  }));
}
