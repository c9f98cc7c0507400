/**
 * The seed of all that the properties draw in `npm test`. The same sources draw the same, so that a failure is seen again wherever they are
 * tested; any change of them draws anew, so that there are as many draws as changes. `--seed` gives another one.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the files of the tests read: changes of documents draw nothing new. */
const folders = ["src", "sim", "test", "scenarios", "examples"];
const sources = /\.(?:ts|tsx|mjs|sql)$/;

/** Seeds of fast-check are 32-bit integers. */
const seedMax = 2 ** 31 - 1;

/** From 0 to 2,147,483,647, by names and contents of all sources. */
export function seedOfSources(root: string): number {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter((file) => sources.test(file));
    for (const file of files.map((name) => join(folder, name).replaceAll("\\", "/")).sort()) {
      hash.update(`${file}\n`).update(readFileSync(join(root, file)));
    }
  }
  return hash.digest().readUInt32BE() & seedMax;
}

/** The seed of `--seed N` or `--seed=N`; "random" draws one. Undefined without it. Throws for anything else. */
export function seedOfArguments(given: readonly string[], random: () => number): number | undefined {
  const index = given.findIndex((argument) => argument === "--seed" || argument.startsWith("--seed="));
  if (index < 0) {
    return undefined;
  }
  const text = given[index]?.includes("=") === true ? given[index].slice("--seed=".length) : (given[index + 1] ?? "");
  if (text === "random") {
    return Math.floor(random() * seedMax);
  }
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > seedMax) {
    throw new Error(`--seed takes "random" or a number from 0 to ${String(seedMax)}, not '${text}'`);
  }
  return seed;
}
