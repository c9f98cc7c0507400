/**
 * Branch coverage: what a branch is, counters that change nothing, rooms, and the list of branches that cannot be reached.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { transformSync } from "esbuild";
import { parseSync } from "rolldown/utils";
import { afterAll, describe, expect, it } from "vitest";
import { type Branch, countersName, type Instrumented, instrument, type SyntaxNode } from "../../../sim/coverage/branches/instrument.ts";
import { excusesFile, readExcuses, reasonsFile } from "../../../sim/coverage/branches/measure.ts";
import { BranchWorkshop } from "../../../sim/coverage/branches/program.ts";
import {
  coverageOf,
  describeRooms,
  describeUnreached,
  keyOf,
  parseExcuses,
  reasonProblems,
  roomOf,
} from "../../../sim/coverage/branches/rooms.ts";
import type { BranchAnswer, BranchQuestion } from "../../../sim/coverage/branches/subject.ts";
import { drawRun } from "../../../sim/draw/draw.ts";
import { projectRoot } from "../../../sim/mutants/bank.ts";
import { Pool } from "../../../sim/pool.ts";
import { runPlan } from "../../../sim/run.ts";

const file = "src/worker/tiny.ts";

function instrumented(source: string): Instrumented {
  return instrument(source, file, { program: parseSync(file, source).program as unknown as SyntaxNode, firstCounter: 0 });
}

/** Runs the function `tiny` of the source; returns its result and the texts of the branches that ran. */
function run(
  source: string,
  ...args: readonly unknown[]
): { readonly value: unknown; readonly plain: unknown; readonly ran: readonly string[] } {
  const { code, branches } = instrumented(source);
  const counters = new Uint32Array(branches.length);
  const call = (text: string): unknown =>
    runInNewContext(`${transformSync(text, { loader: "ts" }).code}; tiny(...args);`, { [countersName]: counters, args });
  const value = call(code);
  const ran = branches.filter((_, number) => (counters[number] ?? 0) > 0).map(({ text }) => text);
  return { value, plain: call(source), ran };
}

const tiny = `
function tiny(a: number, b?: number): string {
  let text = "";
  for (let i = 0; i < a; i++) if (i % 2 === 1) text += "odd";
  while (text.length > 100) { text = ""; }
  if (a > 3) { text += "big"; } else if (a > 1) { text += "middle"; } else { text += "small"; }
  text += b ?? (a === 0 ? "none" : a > 5 && b === undefined || "few");
  switch (a) {
    case 0:
    case 1:
      text += "01"; break;
    case 2: { text += "2"; break; }
    default: text += "more";
  }
  try { if (a === 7) throw new Error("seven"); } catch { text += "caught"; }
  let later: number | undefined;
  later ??= a;
  const f = (x: number) => (x > 0 ? { x } : undefined);
  return text + later + String(f(a)?.x);
}`;

describe("the reasons of unreached branches", () => {
  const branch = (text: string, path = "src/worker/tiny.ts"): Branch => ({ file: path, line: 1, kind: "if", text }) as unknown as Branch;
  const branches = [branch("a: if (x)"), branch("a: if (y)"), branch("a: if (z)"), branch("b: if (x)", "src/sql/tiny.ts")];
  const problems = (reasons: string, fuzzed: readonly string[] = []): readonly string[] =>
    reasonProblems(
      coverageOf({ branches, absentFiles: [] }, (number) => number === 0, new Map()),
      {
        reasons: parseExcuses(reasons),
        branches,
        isFuzzed: ({ text }) => fuzzed.includes(text),
        isRare: ({ text }) => text !== "a: if (x)",
      },
    );
  const why = "src/worker/tiny.ts\n= It takes a full moon.\n";

  it("must be there for those that neither seeds nor the fuzzer reach, in the rooms that are explained", () => {
    expect(problems(`${why}  a: if (y)\n  a: if (z)\n`)).toEqual([]);
    expect(problems(`${why}  a: if (y)\n`, ["a: if (z)"])).toEqual([]);
    expect(problems(`${why}  a: if (y)\n`)).toEqual(["NO REASON: src/worker/tiny.ts:1  a: if (z)"]);
  });

  it("must be of branches that exist and are rare", () => {
    const all = `${why}  a: if (y)\n  a: if (z)\n`;
    expect(problems(`${all}  a: if (x)\n`).join()).toContain("STALE: src/worker/tiny.ts a: if (x)");
    expect(problems(`${all}  a: if (gone)\n`).join()).toContain("STALE: src/worker/tiny.ts a: if (gone)");
  });

  it("are those of the list, which can be read", () => {
    expect(readExcuses(projectRoot(), reasonsFile).size).toBeGreaterThan(100);
  });
});

describe("an instrumented source", () => {
  it("computes the same, whatever branches run", () => {
    for (let a = 0; a < 9; a++) {
      for (const args of [[a], [a, 7]]) {
        const { value, plain } = run(tiny, ...args);
        expect(value).toBe(plain);
      }
    }
  });

  it("names each arm, and counts those that ran", () => {
    expect(instrumented(tiny).branches.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "loop tiny: for (let i = 0; i < a; i++)",
      "then tiny: if (i % 2 === 1)",
      "else tiny: else of if (i % 2 === 1)",
      "loop tiny: while (text.length > 100)",
      "then tiny: if (a > 3)",
      "then tiny: if (a > 1)",
      "else tiny: else of if (a > 1)",
      '?? tiny: b ?? (a === 0 ? "none" : a > 5 && b === undefined || "few")',
      '? tiny: a === 0 ? "none"',
      ': tiny: a === 0 : a > 5 && b === undefined || "few"',
      '|| tiny: a > 5 && b === undefined || "few"',
      "&& tiny: a > 5 && b === undefined",
      "case tiny: case 1",
      "case tiny: case 2",
      "case tiny: default",
      "then tiny: if (a === 7)",
      "else tiny: else of if (a === 7)",
      "catch tiny: catch",
      "?? tiny: later ?? a",
      "? tiny.f: x > 0 ? { x }",
      ": tiny.f: x > 0 : undefined",
    ]);
    expect(run(tiny, 2, 5).ran).toEqual([
      "tiny: for (let i = 0; i < a; i++)",
      "tiny: if (i % 2 === 1)",
      "tiny: else of if (i % 2 === 1)",
      "tiny: if (a > 1)",
      "tiny: case 2",
      "tiny: else of if (a === 7)",
      "tiny: later ?? a",
      "tiny.f: x > 0 ? { x }",
    ]);
    expect(run(tiny, 7).ran).toContain("tiny: catch");
  });

  it("has the same texts and the same lines when code above it moves, and tells equal texts apart", () => {
    const before = instrumented(tiny).branches;
    const moved = instrumented(`// a comment\n\nconst unit = 1000;\n${tiny}`).branches;
    expect(moved.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect(moved.map(({ line }) => line - 3)).toEqual(before.map(({ line }) => line));
    const twice = instrumented("class A { #m(x: boolean) { if (x) { f(); } if (x) { g(); } } }").branches.map(({ text }) => text);
    expect(twice).toEqual(["A.#m: if (x)", "A.#m: else of if (x)", "A.#m: if (x) (2)", "A.#m: else of if (x) (2)"]);
    expect(instrumented(tiny).code.split("\n")).toHaveLength(tiny.split("\n").length);
  });
});

describe("the report", () => {
  const branch = (path: string, text: string): Branch => ({ file: path, line: 7, kind: "then", text });
  const branches = [
    branch("src/worker/a.ts", "f: if (x)"),
    branch("src/worker/a.ts", "f: else of if (x)"),
    branch("src/planner/plan/b.ts", "g: a && b"),
  ];
  const excuses = parseExcuses("# words\nsrc/worker/a.ts\n= Only a broken disk of the host does that.\n  f: else of if (x)\n");

  it("sums by room, and lists what is not reached", () => {
    const coverage = coverageOf({ branches, absentFiles: [] }, (number) => number === 0, excuses);
    expect(coverage.staleExcuses).toEqual([]);
    expect(coverage.rooms.map(({ room, reached, unreached, excused }) => [room, reached, unreached.length, excused.length])).toEqual([
      ["planner/plan", 0, 1, 0],
      ["worker", 1, 0, 1],
    ]);
    expect(describeRooms(coverage).find((line) => line.startsWith("worker"))).toMatch(/^worker +1 +1 +100\.0 % +1$/);
    expect(describeUnreached(coverage, "planner")).toEqual(["planner/plan: 1 not reached", "  src/planner/plan/b.ts:7  g: a && b"]);
    expect(describeUnreached(coverage, "worker")[1]).toContain("CANNOT BE REACHED: Only a broken disk");
  });

  it("calls an entry stale that names no branch, or one that was reached", () => {
    const reachedNow = coverageOf({ branches, absentFiles: [] }, () => true, excuses);
    expect(reachedNow.staleExcuses).toEqual(["src/worker/a.ts f: else of if (x)"]);
    const gone = coverageOf({ branches: branches.slice(2), absentFiles: [] }, () => false, excuses);
    expect(gone.staleExcuses).toEqual(["src/worker/a.ts f: else of if (x)"]);
  });

  it("refuses a list without files or reasons", () => {
    expect(() => parseExcuses("  f: if (x)\n")).toThrow("line 1");
    expect(() => parseExcuses("src/a.ts\n= long enough reason\n  x\n  x\n")).toThrow("line 4: 'x' is there twice");
    expect(() => parseExcuses("nonsense")).toThrow("line 1: expected");
  });

  it("knows the rooms", () => {
    expect(["src/execution/task/task.ts", "src/planner/context.ts", "src/worker/info.ts", "src/node.ts"].map(roomOf)).toEqual([
      "execution/task",
      "planner",
      "worker",
      "node",
    ]);
  });
});

describe("the engine with counters", () => {
  const workshop = new BranchWorkshop();
  afterAll(() => workshop.close());

  it("runs a seed to the byte as without them, and the list names branches of the sources", async () => {
    const root = projectRoot();
    const program = await workshop.build({ root });
    const known = new Set(program.branches.map(keyOf));
    expect([...readExcuses(root).keys()].filter((key) => !known.has(key))).toEqual([]);
    expect(readFileSync(join(root, excusesFile), "utf8")).toContain("# ");
    const pool = new Pool<BranchQuestion, BranchAnswer>({ program: program.file, flags: [], size: 1, guardMs: 120_000 });
    try {
      const first = await pool.ask({ run: "3" });
      const again = await pool.ask({ run: drawRun("3") });
      const plain = await runPlan(drawRun("3"), {});
      if (first.kind === "lost" || again.kind === "lost") {
        throw new Error(JSON.stringify([first, again]));
      }
      expect([first.answer.fingerprint, again.answer.fingerprint]).toEqual([plain.fingerprint, plain.fingerprint]);
      expect(first.answer.own.length).toBeGreaterThan(2_000);
      expect(first.answer.all.length).toBeGreaterThan(first.answer.own.length);
    } finally {
      pool.close();
    }
  });
});
