/**
 * The bank of planted bugs. A mutant is a file test/mutants/FAMILY/NAME.mutant: a header of `key: value` lines (continued by indented
 * lines), an empty line, and a small unified diff against src/. `REACHED()` in the added lines marks the code that must run for the bug to
 * matter.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { applyHunks, type FilePatch, parseDiff } from "./diff.ts";

export const families = ["delivery", "retry", "membership", "resources", "scheduling", "results", "rights"] as const;
export type Family = (typeof families)[number];

export const familyTitles: Readonly<Record<Family, string>> = Object.freeze({
  delivery: "delivery",
  retry: "retry and idempotence",
  membership: "membership",
  resources: "resources and life cycle",
  scheduling: "scheduling and plan",
  results: "result correctness",
  rights: "rights of users",
});

const header = z.strictObject({
  title: z.string().min(8).max(100),
  /** Description of the bug and its effect on users. */
  story: z.string().min(40),
  /** The public incident, issue or paper; `invented; class: ...` if none is known for certain. */
  imitates: z.string().min(10),
  origin: z.enum(["history", "invented"]),
  /** The oracle that is expected to detect the bug, and how. */
  symptom: z.string().min(5),
  /** Estimated before the measurement. */
  difficulty: z.enum(["easy", "medium", "hard"]),
  /** Held-out mutants are not used while the simulator is tuned. */
  "held-out": z.enum(["yes", "no"]),
});

export interface Mutant {
  /** Family and name: `delivery/lost-ack`. */
  readonly name: string;
  readonly family: Family;
  readonly title: string;
  readonly story: string;
  readonly imitates: string;
  readonly origin: "history" | "invented";
  readonly symptom: string;
  readonly difficulty: "easy" | "medium" | "hard";
  readonly heldOut: boolean;
  readonly patches: readonly FilePatch[];
}

const reachedMark = "REACHED()";

/** The folder of this program's package.json, wherever the program was built. */
export function projectRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (readdirSync(folder).includes("package.json")) {
      return folder;
    }
    if (folder === dirname(folder)) {
      throw new Error("this program is not inside its project");
    }
  }
}

/** Throws an Error if the project's sources are absent, as in the installed package. */
export function requireSources(root: string): void {
  if (!existsSync(join(root, "test/mutants"))) {
    throw new Error("the package does not hold the planted bugs and the sources: use a checkout of the project");
  }
}

/** Sorted by family, then by file; a family may have folders. Throws an Error that names the file. */
export function loadBank(root: string): readonly Mutant[] {
  requireSources(root);
  return families.flatMap((family) => {
    const folder = join(root, "test/mutants", family);
    return readdirSync(folder, { encoding: "utf8", recursive: true })
      .filter((file) => file.endsWith(".mutant"))
      .sort()
      .map((file) => {
        const name = `${family}/${basename(file, ".mutant")}`;
        return named(name, () => parseMutant(name, family, readFileSync(join(folder, file), "utf8")));
      });
  });
}

export function parseMutant(name: string, family: Family, text: string): Mutant {
  const end = text.indexOf("\n\n");
  if (end < 0) {
    throw new Error("an empty line ends the header");
  }
  const parsed = header.safeParse(parseHeader(text.slice(0, end)));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`header: ${issue?.path.join(".")} ${issue?.message}`);
  }
  const { "held-out": heldOut, ...facts } = parsed.data;
  if ((facts.origin === "invented") !== facts.imitates.startsWith("invented")) {
    throw new Error("header: 'imitates' begins with 'invented' exactly when origin is invented");
  }
  const patches = parseDiff(text.slice(end + 2));
  const added = patches.flatMap(({ hunks }) => hunks.flatMap(({ after }) => after));
  if (!added.some((line) => line.includes(reachedMark))) {
    throw new Error(`no added line has ${reachedMark}`);
  }
  const outside = patches.find(({ path }) => !path.startsWith("src/"));
  if (outside !== undefined) {
    throw new Error(`a mutant changes the engine, not ${outside.path}`);
  }
  return { name, family, ...facts, heldOut: heldOut === "yes", patches };
}

function parseHeader(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  let last = "";
  for (const line of text.split("\n")) {
    const match = /^([a-z-]+): (.*)$/.exec(line);
    if (match !== null) {
      last = match[1] as string;
      if (last in fields) {
        throw new Error(`header: ${last} stands there twice`);
      }
      fields[last] = (match[2] as string).trim();
    } else if (/^\s+\S/.test(line) && last !== "") {
      fields[last] = `${fields[last]} ${line.trim()}`;
    } else {
      throw new Error(`header: ${line}`);
    }
  }
  return fields;
}

/** The changed sources by their paths from the root. Throws an Error that names the mutant if it no longer applies. */
export function mutatedSources({ name, patches }: Mutant, root: string): ReadonlyMap<string, string> {
  return named(name, () => {
    const sources = new Map<string, string>();
    for (const patch of patches) {
      const source = sources.get(patch.path) ?? readFileSync(join(root, patch.path), "utf8");
      sources.set(patch.path, applyHunks(source, patch));
    }
    return sources;
  });
}

function named<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`mutant ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
