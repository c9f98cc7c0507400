/**
 * Reproduction tokens: `sim:v2:<program>:<what>:<config>[:@event]`, one text that says exactly which run is meant.
 *
 * - program: `4e12746a1b2c-9f3c1e2d`, the commit and a hash of the built program, `4e12746a1b2c+dirty-9f3c1e2d` where the sources are not the commit's,
 *   `nogit-9f3c1e2d` where there is none. The hash decides: the same program gives the same run, whatever the commit is called.
 * - what: the seed, or `scenario/seed`.
 * - config: a hash of the whole plan, and of the branch where there is one: whatever shaped the run besides the seed is in it.
 * - event: where to look.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { Branch } from "./world/world.ts";
import type { RunPlan } from "./plan.ts";
import type { Subject } from "./subject.ts";

export interface ProgramIdentity {
  /** Twelve digits of the commit; undefined without git. */
  readonly commit: string | undefined;
  /** Sources differ from the commit's. */
  readonly dirty: boolean;
  /** Of the program's bytes. */
  readonly hash: string;
}

export interface Token {
  readonly program: ProgramIdentity;
  readonly subject: Subject;
  readonly config: string;
  readonly event: number | undefined;
}

const commitLength = 12;
const hashLength = 8;
/** What the built program is made from. */
const sourcePaths = ["src", "sim", "scenarios", "package-lock.json", "build.mjs"];

/**
 * Of a built program. Its own file names every part by a hash of what is in it, so its bytes stand for all of them; `root` is the folder that it was built from.
 */
export function identifyProgram(file: string, root: string = dirname(dirname(file))): ProgramIdentity {
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, hashLength);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    // A copy of the project inside somebody else's repository has no commit of its own.
    if (realpathSync(git("rev-parse", "--show-toplevel")) !== realpathSync(root)) {
      return { commit: undefined, dirty: false, hash };
    }
    const commit = git("rev-parse", "HEAD").slice(0, commitLength);
    return { commit, dirty: git("status", "--porcelain", "--", ...sourcePaths) !== "", hash };
  } catch {
    return { commit: undefined, dirty: false, hash };
  }
}

export function configOf(plan: RunPlan, branch?: Branch): string {
  const text = JSON.stringify(branch === undefined ? [plan] : [plan, branch.atEvent, branch.seed]);
  return createHash("sha256").update(text).digest("hex").slice(0, hashLength);
}

function writeProgram({ commit, dirty, hash }: ProgramIdentity): string {
  return `${commit ?? "nogit"}${dirty ? "+dirty" : ""}-${hash}`;
}

function writeSubject(subject: Subject): string {
  switch (subject.kind) {
    case "seed":
      return encodeURIComponent(subject.seed);
    case "scenario":
      return `${encodeURIComponent(subject.name)}/${encodeURIComponent(subject.seed)}`;
    case "plan":
      throw new RangeError("a plan by itself has no token: a trace carries it whole");
  }
}

export function writeToken(token: {
  readonly program: ProgramIdentity;
  readonly subject: Subject;
  readonly config: string;
  readonly event?: number | undefined;
}): string {
  const place = token.event === undefined ? "" : `:@${token.event}`;
  return `sim:v2:${writeProgram(token.program)}:${writeSubject(token.subject)}:${token.config}${place}`;
}

/** Throws where the text is no token. */
export function parseToken(text: string): Token {
  const match = /^sim:v2:(nogit|[0-9a-f]{12})(\+dirty)?-([0-9a-f]{8}):([^:/]+)(?:\/([^:/]+))?:([0-9a-f]{8})(?::@(\d{1,12}))?$/.exec(
    text.trim(),
  );
  if (match === null) {
    throw new Error(`'${text}' is no token: expected sim:v2:COMMIT-HASH:SEED:CONFIG, as a run prints it`);
  }
  const [, commit = "", dirty, hash = "", first = "", second, config = "", event] = match;
  return {
    program: { commit: commit === "nogit" ? undefined : commit, dirty: dirty !== undefined, hash },
    subject:
      second === undefined
        ? { kind: "seed", seed: decodeURIComponent(first) }
        : { kind: "scenario", name: decodeURIComponent(first), seed: decodeURIComponent(second) },
    config,
    event: event === undefined ? undefined : Number(event),
  };
}

/** Why this program would not give the token's run, and what to do; undefined when it would. */
export function programRefusal(token: Token, here: ProgramIdentity): string | undefined {
  const { program } = token;
  if (program.hash === here.hash) {
    return undefined;
  }
  const made = `The token was made by program ${writeProgram(program)}; this one is ${writeProgram(here)}.`;
  const anyway = "or add --force to run the seed here, which is another run.";
  if (program.commit === undefined) {
    return `${made} It was built outside git: use those very sources, ${anyway}`;
  }
  if (program.dirty) {
    return `${made} It was built from commit ${program.commit} with changes that were not committed: only with those very changes is it the same run, ${anyway}`;
  }
  if (program.commit === here.commit && here.dirty) {
    return `${made} The commit is the same, but sources here are changed: put the changes aside (git stash), ${anyway}`;
  }
  return `${made} Do: git checkout ${program.commit} && npm ci, and then the same command; ${anyway}`;
}

/** Likewise for what else shaped the run. */
export function configRefusal(token: Token, plan: RunPlan, branch?: Branch): string | undefined {
  const here = configOf(plan, branch);
  if (token.config === here) {
    return undefined;
  }
  return (
    `The token is of a run with configuration ${token.config}; what would run here has ${here}. Give the options that the run had ` +
    "(--branch EVENT:K, for example), or add --force to run it as it is here."
  );
}
