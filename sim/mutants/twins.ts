/**
 * Runs of the unmodified engine: one for each seed, shared by all mutants. They are kept in the system's temporary folder by a hash of the
 * program, so that a later measurement of the same sources does not run them again.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasMark } from "./marks.ts";
import type { SeedRun } from "./subject.ts";
import { SubjectProcess } from "./subject-process.ts";

const twinGuardMs = 600_000;

export interface Twin extends SeedRun {
  /** Whether the run reached this block. True if the program has no marks. */
  readonly reaches: (block: number) => boolean;
}

function twinOf(run: SeedRun): Twin {
  const bits = run.blocks === undefined ? undefined : Buffer.from(run.blocks, "base64");
  return { ...run, reaches: (block) => bits === undefined || hasMark(bits, block) };
}

export class Twins {
  readonly #runs = new Map<number, Promise<Twin | undefined>>();
  readonly #processes: SubjectProcess[] = [];
  readonly #file: string;
  readonly #folder: string;

  /** `file` is the program of the unmodified engine. */
  constructor(file: string) {
    this.#file = file;
    const hash = createHash("sha256").update(process.version).update(readFileSync(file)).digest("hex").slice(0, 20);
    this.#folder = join(tmpdir(), "orrery-twins", hash);
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Returns undefined if the unmodified engine fails on the seed, which then says nothing about a mutant. */
  of(seed: number): Promise<Twin | undefined> {
    let run = this.#runs.get(seed);
    if (run === undefined) {
      run = this.#load(seed);
      this.#runs.set(seed, run);
    }
    return run;
  }

  async unusable(): Promise<readonly number[]> {
    const seeds = [...this.#runs.keys()];
    const runs = await Promise.all(this.#runs.values());
    return seeds.filter((_, index) => runs[index] === undefined).sort((a, b) => a - b);
  }

  close(): void {
    for (const process of this.#processes) {
      process.close();
    }
  }

  async #load(seed: number): Promise<Twin | undefined> {
    const path = join(this.#folder, `${seed}.json`);
    try {
      return twinOf(JSON.parse(readFileSync(path, "utf8")) as SeedRun);
    } catch {
      // It was not run yet, or by another process that is still writing.
    }
    const run = await this.#run(seed);
    if (run !== undefined) {
      // Other measurements may write the same run: a file is complete or absent.
      const unfinished = `${path}.${process.pid}`;
      writeFileSync(unfinished, JSON.stringify(run));
      renameSync(unfinished, path);
    }
    return run === undefined ? undefined : twinOf(run);
  }

  async #run(seed: number): Promise<SeedRun | undefined> {
    const process = this.#processes.pop() ?? new SubjectProcess(this.#file);
    const asked = await process.ask({ seed: String(seed) }, twinGuardMs);
    this.#processes.push(process);
    return asked.kind === "run" && asked.run.violation === undefined ? asked.run : undefined;
  }
}
