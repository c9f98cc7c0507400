/**
 * Bundles the program `subject.ts` with a counter in each branch of the engine. Works in a checkout of the project only. Sources may be
 * substituted before they are instrumented, so that a mutant's branches are counted as well.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { type Branch, countersName, instrument, type SyntaxNode } from "./instrument.ts";

const subjectEntry = "sim/coverage/branches/subject.ts";
/** Runs slices of the fuzzer's work; the program by which mutants of the data plane are measured. */
export const fuzzerEntry = "test/oracle/fuzz/run/mutant-subject.ts";

/** Rooms that the simulator replaces or does not run: sockets, threads, terminals, pages, and what is for tests and other programs. */
const otherRooms: readonly string[] = ["bin", "cli", "client", "embedded", "recording", "server", "testing", "web"];

/** What a bundled CommonJS package needs, and the counters. */
const banner = (count: number, root: string): string =>
  [
    'import { createRequire as bundledRequire } from "node:module";',
    "const require = bundledRequire(import.meta.url);",
    `const ${countersName} = globalThis.${countersName} = new Uint32Array(${count});`,
    "globalThis.orreryReached = 0;",
    // A program in a temporary folder does not find the project by its own place.
    `globalThis.orreryRoot = ${JSON.stringify(root)};`,
    "const REACHED = () => { globalThis.orreryReached++; };",
  ].join("\n");

export interface InstrumentedProgram {
  /** File to fork. */
  readonly file: string;
  /** Branches in the order of their counters. */
  readonly branches: readonly Branch[];
  /** Files of the counted rooms that the program does not hold. */
  readonly absentFiles: readonly string[];
}

export interface ProgramOptions {
  /** Folder of the project. */
  readonly root: string;
  /** Other texts of sources, by path from the root. */
  readonly sources?: ReadonlyMap<string, string>;
  /** Name of the file; unique among the programs of a workshop. */
  readonly name?: string;
  /** False for the same program without counters. */
  readonly isCounted?: boolean;
  /** Program to bundle, by its path from the root. */
  readonly entry?: string;
}

/** Folder of instrumented programs. It is removed when it is closed, or when the process ends. */
export class BranchWorkshop {
  readonly #folder = mkdtempSync(join(tmpdir(), "orrery-branches-"));
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });

  constructor() {
    process.once("exit", this.#remove);
  }

  /** Throws an Error if there are no sources, or if they do not compile. */
  async build({
    root,
    sources = new Map(),
    name = "subject",
    isCounted = true,
    entry = subjectEntry,
  }: ProgramOptions): Promise<InstrumentedProgram> {
    if (!existsSync(join(root, entry))) {
      throw new Error("the package does not hold the sources whose branches are counted: use a checkout of the project");
    }
    const { codes, branches } = isCounted ? await instrumentAll(root, sources) : { codes: sources, branches: [] };
    const outfile = join(this.#folder, `${name}.mjs`);
    const { build } = await import("esbuild");
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      logLevel: "silent",
      metafile: true,
      banner: { js: banner(branches.length, root) },
      plugins: [substitute(root, codes)],
      external: ["esbuild", "rolldown", "rolldown/*"],
    });
    const held = new Set(Object.keys(metafile.inputs));
    return { file: outfile, branches, absentFiles: [...codes.keys()].filter((file) => !held.has(file)) };
  }

  close(): void {
    process.off("exit", this.#remove);
    this.#remove();
  }
}

async function instrumentAll(
  root: string,
  sources: ReadonlyMap<string, string>,
): Promise<{ readonly codes: ReadonlyMap<string, string>; readonly branches: readonly Branch[] }> {
  const { parseSync } = await import("rolldown/utils");
  const codes = new Map<string, string>();
  const branches: Branch[] = [];
  for (const file of countedFiles(root)) {
    const source = sources.get(file) ?? readFileSync(join(root, file), "utf8");
    const { program, errors } = parseSync(file, source);
    if (errors.length > 0) {
      throw new Error(`${file}: ${errors[0]?.message ?? "it does not parse"}`);
    }
    const instrumented = instrument(source, file, { program: program as unknown as SyntaxNode, firstCounter: branches.length });
    branches.push(...instrumented.branches);
    codes.set(file, instrumented.code);
  }
  return { codes, branches };
}

/** Sorted, so that a branch has the same counter in every build. */
function countedFiles(root: string): readonly string[] {
  return readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts") && !otherRooms.includes(file.split("/")[0] ?? ""))
    .map((file) => `src/${file}`)
    .sort();
}

function substitute(root: string, codes: ReadonlyMap<string, string>): Plugin {
  return {
    name: "branches",
    setup(build) {
      // The program runs in a temporary folder, where no package is found by its name.
      build.onResolve({ filter: /^@duckdb\/node-api$/ }, ({ path }) => ({
        path: pathToFileURL(createRequire(join(root, "package.json")).resolve(path)).href,
        external: true,
      }));
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = codes.get(relative(root, path));
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
}
