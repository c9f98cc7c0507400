/** The Dockerfile as data, and its last stage as a folder that a program can be run in. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../house/sources.ts";

interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

interface Copy {
  /** Name of a stage; undefined for the build's own folder. */
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

interface Stage {
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export function stagesOf(text: string): readonly Stage[] {
  const lines = text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: { base: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = "", rest = ""] = /^(\w+)\s+([\s\S]*)$/.exec(line) ?? [];
    if (keyword === "FROM") {
      const [base = "", , name] = rest.split(/\s+/);
      stages.push({ base, name, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push({ keyword, text: rest });
    }
  }
  return stages;
}

export const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");

/** The stage that becomes the image. */
export class FinalStage {
  readonly #stage = stagesOf(dockerfile).at(-1) as Stage;

  /** The last one of a keyword counts. */
  text(keyword: string): string {
    const found = this.#stage.instructions.findLast((one) => one.keyword === keyword);
    if (found === undefined) {
      throw new Error(`the image has no ${keyword}`);
    }
    return found.text;
  }

  /** Of ENTRYPOINT, CMD, HEALTHCHECK in the form that needs no shell. */
  words(keyword: string): readonly string[] {
    const list = /\[.*\]$/.exec(this.text(keyword))?.[0];
    if (list === undefined) {
      throw new Error(`${keyword} needs a shell, which the image has not`);
    }
    return JSON.parse(list) as readonly string[];
  }

  get environment(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.text("ENV").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]));
  }

  get copies(): readonly Copy[] {
    return this.#stage.instructions
      .filter(({ keyword }) => keyword === "COPY")
      .map(({ text }) => {
        const words = text.split(/\s+/);
        const stage = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
        const paths = words.filter((word) => !word.startsWith("--"));
        return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? "" };
      });
  }
}

/** What .dockerignore lets through: paths, and names with `*`. */
export const keptPatterns: readonly string[] = readFileSync(join(root, ".dockerignore"), "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

/** A folder as the build stage has it after `COPY . .`; the packages are this project's. */
export function layBuild(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-build-"));
  for (const pattern of keptPatterns) {
    const named = new RegExp(`^${pattern.replace("*", ".*")}$`);
    for (const path of pattern.includes("*") ? readdirSync(root).filter((name) => named.test(name)) : [pattern]) {
      cpSync(join(root, path), join(folder, path), { recursive: true, filter: (from) => !from.endsWith(".test.ts") });
    }
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/**
 * A folder with what the image holds: the copied files, and of the base image Node with the libraries that it is linked to. Everything is
 * owned by root.
 */
export function layImage(stage: FinalStage, build: string): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-image-"));
  for (const copy of stage.copies) {
    for (const source of copy.sources) {
      const from = copy.stage === undefined ? join(root, source) : join(build, source.replace(/^\/src\//, ""));
      const intoFolder = copy.target.endsWith("/");
      cpSync(from, join(folder, copy.target, intoFolder ? (source.split("/").at(-1) ?? "") : ""), { recursive: true });
    }
  }
  const node = join(folder, stage.words("ENTRYPOINT")[0] ?? "");
  mkdirSync(dirname(node), { recursive: true });
  cpSync(process.execPath, node, { dereference: true });
  const linked = execFileSync("ldd", [process.execPath], { encoding: "utf8" });
  for (const [path] of linked.matchAll(/\/\S+(?= \(0x)/g)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path), { dereference: true });
  }
  for (const name of ["tmp", "proc", "dev"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  // mkdtemp gives the folder to its owner alone.
  execFileSync("chmod", ["-R", "a+rX", folder]);
  return folder;
}
