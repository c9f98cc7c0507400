/**
 * Plants a mutant in a copy: bundles the simulator and substitutes the changed sources as they are loaded. The working tree is not changed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { marksMax } from "./marks.ts";
import type { Plugin } from "esbuild";

/** Counter for `REACHED()`, marks of blocks, the project's folder, and `require` for CommonJS packages that load Node's modules. */
const bannerOf = (root: string): string =>
  [
    'import { createRequire as bundledRequire } from "node:module";',
    "const require = bundledRequire(import.meta.url);",
    "globalThis.orreryReached = 0;",
    `globalThis.orreryRoot = ${JSON.stringify(root)};`,
    "const REACHED = () => { globalThis.orreryReached++; };",
    `const orreryMarks = globalThis.orreryMarks = new Uint8Array(${marksMax});`,
    "const MARK = (block) => { orreryMarks[block] = 1; };",
  ].join("\n");

/** A bug: the changed sources by their paths from the root. */
export interface Planting {
  readonly name: string;
  readonly sources: ReadonlyMap<string, string>;
}

/** Programs that run a mutated engine: seeds of the simulator, and slices of the fuzzer's statements. */
export type SubjectProgram = "sim/mutants/subject.ts" | "test/oracle/fuzz/run/mutant-subject.ts";

export class Nursery {
  readonly #root: string;
  readonly #program: SubjectProgram;
  readonly #folder: string;
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });

  constructor(root: string, program: SubjectProgram) {
    this.#root = root;
    this.#program = program;
    this.#folder = mkdtempSync(join(tmpdir(), "orrery-mutants-"));
    process.once("exit", this.#remove);
  }

  /** Returns the program to fork, with the mutated engine or with the unmodified one. Throws an Error that names the mutant. */
  async plant(mutant: Planting): Promise<string> {
    const outfile = join(this.#folder, `${mutant.name.replaceAll("/", "-")}.mjs`);
    const { build } = await import("esbuild");
    try {
      await build({
        absWorkingDir: this.#root,
        entryPoints: [this.#program],
        outfile,
        bundle: true,
        platform: "node",
        target: "node20",
        format: "esm",
        logLevel: "silent",
        banner: { js: bannerOf(this.#root) },
        plugins: [substitute(this.#root, mutant.sources)],
        external: ["esbuild"],
      });
    } catch (error) {
      throw new Error(`${mutant.name} does not compile: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    return outfile;
  }

  /** Removes a program that will not run again. */
  uproot(file: string): void {
    rmSync(file, { force: true });
  }

  close(): void {
    process.off("exit", this.#remove);
    this.#remove();
  }
}

function substitute(root: string, sources: ReadonlyMap<string, string>): Plugin {
  return {
    name: "mutant",
    setup(build) {
      // The program runs in a temporary folder, where no package is found by its name.
      build.onResolve({ filter: /^@duckdb\/node-api$/ }, ({ path }) => ({
        path: pathToFileURL(createRequire(join(root, "package.json")).resolve(path)).href,
        external: true,
      }));
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = sources.get(relative(root, path));
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}
