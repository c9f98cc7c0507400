/**
 * A token identifies a run completely and rejects any other program.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawRun } from "../../sim/draw/draw.ts";
import {
  configOf,
  configRefusal,
  identifyProgram,
  parseToken,
  type ProgramIdentity,
  programRefusal,
  type Token,
  writeToken,
} from "../../sim/token.ts";

const clean: ProgramIdentity = { commit: "4e12746a1b2c", dirty: false, hash: "9f3c1e2d" };
const plan = drawRun("42");
const token: Token = { program: clean, subject: { kind: "seed", seed: "42" }, config: configOf(plan), event: undefined };

describe("a token", () => {
  it("reads as it is written", () => {
    expect(writeToken({ ...token, event: 118_204 })).toMatch(/^sim:v2:4e12746a1b2c-9f3c1e2d:42:[0-9a-f]{8}:@118204$/);
    const seeds = fc.string({ minLength: 1, unit: "binary" });
    fc.assert(
      fc.property(
        fc.record({
          program: fc.record({
            commit: fc.option(fc.constant("0123456789ab"), { nil: undefined }),
            dirty: fc.boolean(),
            hash: fc.constantFrom("00000000", "deadbeef"),
          }),
          subject: fc.oneof(
            fc.record({ kind: fc.constant("seed" as const), seed: seeds }),
            fc.record({ kind: fc.constant("scenario" as const), name: seeds, seed: seeds }),
          ),
          config: fc.constantFrom("00000000", "0a1b2c3d"),
          event: fc.option(fc.nat(1e9), { nil: undefined }),
        }),
        (one) => {
          expect(parseToken(writeToken(one))).toEqual(one);
        },
      ),
    );
  });

  it("is refused as a text where it is none", () => {
    for (const text of ["", "42", "sim:v1:9f3c1e2:42", "sim:v2:4e12746a1b2c-9f3c1e2d:42", "sim:v2:4e12746a1b2c-9f3c1e2d:42:xyz"]) {
      expect(() => parseToken(text)).toThrow("is not a token: expected sim:v2:COMMIT-HASH:SEED:CONFIG");
    }
  });

  it("runs wherever the program is the same, whatever the commit is called", () => {
    expect(programRefusal(token, clean)).toBeUndefined();
    expect(programRefusal(token, { commit: "ffffffffffff", dirty: true, hash: clean.hash })).toBeUndefined();
    expect(programRefusal(token, { commit: undefined, dirty: false, hash: clean.hash })).toBeUndefined();
  });

  it("refuses another program and says what to do", () => {
    const elsewhere: ProgramIdentity = { commit: "ffffffffffff", dirty: false, hash: "00000000" };
    const refusal = (program: ProgramIdentity, here: ProgramIdentity): string => programRefusal({ ...token, program }, here) ?? "";
    expect(refusal(clean, elsewhere)).toMatch(
      /4e12746a1b2c-9f3c1e2d; this one is ffffffffffff-00000000\. Do: git checkout 4e12746a1b2c && npm ci/,
    );
    expect(refusal(clean, { ...clean, dirty: true, hash: "00000000" })).toContain("undo them (git stash)");
    expect(refusal({ ...clean, dirty: true }, elsewhere)).toContain("with uncommitted changes");
    expect(refusal({ ...clean, commit: undefined }, elsewhere)).toContain("built outside git");
  });

  it("refuses another configuration: any change of the plan, a branch, another branch", () => {
    expect(configRefusal(token, plan)).toBeUndefined();
    expect(configRefusal(token, { ...plan, splitsPerNode: plan.splitsPerNode + 1 })).toContain("Give the options of that run");
    const branched = { ...token, config: configOf(plan, { atEvent: 7, seed: "1" }) };
    expect(configRefusal(branched, plan, { atEvent: 7, seed: "1" })).toBeUndefined();
    expect(configRefusal(branched, plan, { atEvent: 7, seed: "2" })).toBeDefined();
    expect(configRefusal(branched, plan)).toBeDefined();
    expect(configRefusal(token, drawRun("43"))).toBeDefined();
  });
});

describe("a program", () => {
  let root: string;
  let file: string;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "orrery-test-token-"));
    file = join(root, "dist", "sim.js");
    for (const folder of ["dist", "src", "docs"]) {
      mkdirSync(join(root, folder));
    }
    writeFileSync(file, "built");
    writeFileSync(join(root, ".gitignore"), "dist/\n");
    writeFileSync(join(root, "src", "a.ts"), "1");
  });

  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it("is known by its bytes without git, by its commit with it, and as changed when a source is", () => {
    const outside = identifyProgram(file);
    expect(outside).toMatchObject({ commit: undefined, dirty: false });
    git("init", "-q");
    // There is no commit yet.
    expect(identifyProgram(file)).toEqual(outside);
    git("add", ".");
    git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "first");
    const commit = git("rev-parse", "HEAD").slice(0, 12);
    expect(identifyProgram(file)).toEqual({ commit, dirty: false, hash: outside.hash });
    writeFileSync(join(root, "docs", "a.md"), "words");
    expect(identifyProgram(file)).toMatchObject({ dirty: false });
    writeFileSync(join(root, "src", "b.ts"), "2");
    expect(identifyProgram(file)).toEqual({ commit, dirty: true, hash: outside.hash });
    writeFileSync(file, "built again");
    expect(identifyProgram(file).hash).not.toBe(outside.hash);
  });

  it("in a folder of another repository has no commit of its own", () => {
    mkdirSync(join(root, "vendor", "dist"), { recursive: true });
    const copy = join(root, "vendor", "dist", "sim.js");
    writeFileSync(copy, "built");
    expect(identifyProgram(copy).commit).toBeUndefined();
  });
});
