/** What a server loads before it listens: packages that it may never need are imported where they are needed. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { root } from "./sources.ts";

/** Imports and re-exports that are evaluated with the module. */
const evaluated = /^(?:import|export)\b(?! type\b)[^;"'()=]*?\bfrom "([^"]+)"|^import "([^"]+)"/gm;

/** Packages that are loaded with a program, each with the files that import it. */
function packagesOf(program: string): ReadonlyMap<string, readonly string[]> {
  const packages = new Map<string, string[]>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) {
      return;
    }
    seen.add(file);
    for (const match of readFileSync(file, "utf8").matchAll(evaluated)) {
      const target = match[1] ?? match[2] ?? "";
      if (target.startsWith(".")) {
        if (target.endsWith(".ts")) {
          visit(resolve(dirname(file), target));
        }
      } else if (!target.startsWith("node:")) {
        packages.set(target, [...(packages.get(target) ?? []), file]);
      }
    }
  };
  visit(join(root, program));
  return packages;
}

it.each(["src/server/main.ts", "src/server/threads/worker-thread.ts"])(
  "%s loads no package that its first row does not need",
  (program) => {
    const packages = packagesOf(program);
    // The walk has found the program.
    expect([...packages.keys()]).toEqual(expect.arrayContaining(["fastify", "zod"]));
    // Requests to other processes, traces, metrics: each is loaded by its first use.
    const later = [...packages].filter(([name]) => /^(undici|prom-client|@opentelemetry\/)/.test(name));
    expect(later).toEqual([]);
  },
);
