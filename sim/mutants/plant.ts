/**
 * Plants a mutant in a copy: bundles the simulator and substitutes the changed sources as they are loaded. The working tree is not changed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Plugin } from "esbuild";

/** Counter for `REACHED()`, and `require` for CommonJS packages that load Node's modules. */
const banner = [
  'import { createRequire as bundledRequire } from "node:module";',
  "const require = bundledRequire(import.meta.url);",
  "globalThis.orreryReached = 0;",
  "const REACHED = () => { globalThis.orreryReached++; };",
].join("\n");

/** A bug: the changed sources by their paths from the root. */
export interface Planting {
  readonly name: string;
  readonly sources: ReadonlyMap<string, string>;
}

export class Nursery {
  readonly #root: string;
  readonly #folder: string;
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });

  constructor(root: string) {
    this.#root = root;
    this.#folder = mkdtempSync(join(tmpdir(), "orrery-mutants-"));
    process.once("exit", this.#remove);
  }

  /**
   * Returns the program to fork: `subject.ts` with the mutated engine, or with the unmodified one. Throws an Error that names the mutant.
   */
  async plant(mutant: Planting | undefined): Promise<string> {
    const outfile = join(this.#folder, `${(mutant?.name ?? "as-it-is").replaceAll("/", "-")}.mjs`);
    const { build } = await import("esbuild");
    try {
      await build({
        absWorkingDir: this.#root,
        entryPoints: ["sim/mutants/subject.ts"],
        outfile,
        bundle: true,
        platform: "node",
        target: "node20",
        format: "esm",
        logLevel: "silent",
        banner: { js: banner },
        plugins: [substitute(this.#root, mutant?.sources ?? new Map())],
        external: ["esbuild", "@duckdb/node-api"],
      });
    } catch (error) {
      throw new Error(
        `${mutant?.name ?? "the unmodified engine"} does not compile: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
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
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = sources.get(relative(root, path));
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}
