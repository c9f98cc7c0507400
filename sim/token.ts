/**
 * Reproduction tokens: `sim:v2:<program>:<what>:<config>[:@event]`, one text that identifies a run exactly.
 *
 * - program: `4e12746a1b2c-9f3c1e2d`, the commit and a hash of the built program; `4e12746a1b2c+dirty-9f3c1e2d` if the sources differ from
 *   the commit;
 *   `nogit-9f3c1e2d` without a commit. The hash decides: the same program gives the same run, whatever the commit.
 * - what: the seed, or `scenario/seed`.
 * - config: a hash of the whole plan, and of the branch if there is one. It covers everything besides the seed that determines the run.
 * - event: the event to look at.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { Branch } from "./world/world.ts";
import type { RunPlan } from "./plan.ts";
import type { Subject } from "./subject.ts";

export interface ProgramIdentity {
  /** First twelve digits of the commit; undefined without git. */
  readonly commit: string | undefined;
  /** Whether the sources differ from the commit. */
  readonly dirty: boolean;
  /** Hash of the program's bytes. */
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
/** Inputs of the built program. */
const sourcePaths = ["src", "sim", "scenarios", "package-lock.json", "build.mjs"];

/**
 * Identifies a built program. Its main file names every chunk by a content hash, so its bytes stand for all of them. `root` is the folder
 * from which it was built.
 */
export function identifyProgram(file: string, root: string = dirname(dirname(file))): ProgramIdentity {
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, hashLength);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    // A copy of the project inside another repository has no commit of its own.
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
      throw new RangeError("a plan without a seed has no token: use a trace, which contains the plan");
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

/** Throws if the text is not a token. */
export function parseToken(text: string): Token {
  const match = /^sim:v2:(nogit|[0-9a-f]{12})(\+dirty)?-([0-9a-f]{8}):([^:/]+)(?:\/([^:/]+))?:([0-9a-f]{8})(?::@(\d{1,12}))?$/.exec(
    text.trim(),
  );
  if (match === null) {
    throw new Error(`'${text}' is not a token: expected sim:v2:COMMIT-HASH:SEED:CONFIG, as a run prints it`);
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

/** The reason why this program cannot reproduce the token's run, and a remedy; undefined if it can. */
export function programRefusal(token: Token, here: ProgramIdentity): string | undefined {
  const { program } = token;
  if (program.hash === here.hash) {
    return undefined;
  }
  const made = `The token was made by program ${writeProgram(program)}; this one is ${writeProgram(here)}.`;
  const anyway = "or add --force to run the seed here, which gives another run.";
  if (program.commit === undefined) {
    return `${made} It was built outside git: use the same sources, ${anyway}`;
  }
  if (program.dirty) {
    return `${made} It was built from commit ${program.commit} with uncommitted changes: apply the same changes, ${anyway}`;
  }
  if (program.commit === here.commit && here.dirty) {
    return `${made} The commit is the same, but the sources here have changes: undo them (git stash), ${anyway}`;
  }
  return `${made} Do: git checkout ${program.commit} && npm ci, then repeat the command; ${anyway}`;
}

/** The same for the configuration of the run. */
export function configRefusal(token: Token, plan: RunPlan, branch?: Branch): string | undefined {
  const here = configOf(plan, branch);
  if (token.config === here) {
    return undefined;
  }
  return (
    `The token identifies a run with configuration ${token.config}; this run has ${here}. Give the options of that run ` +
    "(for example --branch EVENT:K), or add --force to run it with this configuration."
  );
}
