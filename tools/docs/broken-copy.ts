/** A copy of the project in a temporary folder, with the bug that a page's `diff` block describes. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyHunks, parseDiff } from "../../sim/mutants/diff.ts";
import { blocksOf } from "./blocks.ts";

const copied = [
  "src",
  "sim",
  "scenarios",
  "bench",
  "test",
  "tools",
  "fixtures",
  "package.json",
  "build.mjs",
  "biome.json",
  "vitest.config.ts",
];

/** Nothing is copied before `folder` is called. */
export class BrokenCopy {
  readonly #root: string;
  readonly #page: string;
  #folder: string | undefined;

  constructor(root: string, page: string) {
    this.#root = root;
    this.#page = page;
  }

  folder(): string {
    if (this.#folder === undefined) {
      this.#folder = mkdtempSync(join(tmpdir(), "orrery-docs-"));
      for (const path of copied) {
        cpSync(join(this.#root, path), join(this.#folder, path), { recursive: true });
      }
      symlinkSync(join(this.#root, "node_modules"), join(this.#folder, "node_modules"));
      for (const { text } of blocksOf(this.#page).filter(({ language }) => language === "diff")) {
        for (const patch of parseDiff(text)) {
          const file = join(this.#folder, patch.path);
          writeFileSync(file, applyHunks(readFileSync(file, "utf8"), patch));
        }
      }
    }
    return this.#folder;
  }

  close(): void {
    if (this.#folder !== undefined) {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }
}
