/**
 * Sweeps: results in the order of the seeds, the same for every number of processes. A child that dies or hangs fails only its own seed.
 * Failures are grouped by kind.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addTally, describeGroups, FailureGroups, type SeedSummary, sweepSeeds } from "../../sim/sweep.ts";
import { Pool } from "../../sim/pool.ts";
import { SharedState } from "../../sim/shared.ts";
import { LearnedReferences, type Reference } from "../../sim/learned.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-sweep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A child program that answers as `body` says; `seed` is the requested seed, `asked` the number of requests so far. */
function program(name: string, body: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `let asked = 0;
process.on("SIGINT", () => undefined);
process.on("message", ({ seed, learned }) => {
  asked++;
  const tally = { seeds: 1, pid: process.pid };
  const answer = (more = {}) =>
    process.send({ seed: String(seed), fingerprint: "f" + seed, violation: undefined, tally, ...more });
  ${body}
});
`,
  );
  return file;
}

async function sweep(options: Partial<Parameters<typeof sweepSeeds>[0]>): Promise<readonly SeedSummary[]> {
  const summaries: SeedSummary[] = [];
  await sweepSeeds({
    from: 1,
    to: 8,
    jobs: 2,
    onProgress: () => undefined,
    ...options,
    onSummary: (summary) => {
      summaries.push(summary);
      options.onSummary?.(summary);
    },
  });
  return summaries;
}

const seedsOf = (summaries: readonly SeedSummary[]): readonly string[] => summaries.map(({ seed }) => seed);
const one = ["1", "2", "3", "4", "5", "6", "7", "8"];

describe("a sweep", () => {
  it("tells the seeds in order, whichever child is faster", async () => {
    const late = program("late", "setTimeout(answer, seed % 2 === 1 ? 40 : 0);");
    expect(seedsOf(await sweep({ program: late }))).toEqual(one);
  });

  it("loses one seed to a child that dies, with the reason, and goes on", async () => {
    const mortal = program("mortal", 'if (seed === 3) { process.stderr.write("out of luck\\n"); process.exit(7); } answer();');
    const summaries = await sweep({ program: mortal });
    expect(seedsOf(summaries)).toEqual(one);
    expect(summaries.filter(({ violation }) => violation !== undefined)).toMatchObject([
      { seed: "3", violation: { kind: "crash", oracle: "process", sentence: expect.stringMatching(/ended with 7/) as string } },
    ]);
  });

  it("loses one seed to a child that hangs", async () => {
    const stuck = program("stuck", "if (seed !== 5) answer();");
    const waiting = new Set<() => void>();
    const summaries = await sweep({
      program: stuck,
      guard: (expire) => {
        waiting.add(expire);
        return () => waiting.delete(expire);
      },
      // Expires the children that have not answered when all others have.
      onProgress: (done) => done === 7 && [...waiting].forEach((expire) => expire()),
    });
    expect(seedsOf(summaries)).toEqual(one);
    expect(summaries.find(({ seed }) => seed === "5")?.violation?.sentence).toContain("it did not end within 600 s");
    expect(summaries.filter(({ violation }) => violation !== undefined)).toHaveLength(1);
  });

  it("replaces its children after so many seeds, with the same sums", async () => {
    const plain = program("plain", "answer();");
    const pids = (summaries: readonly SeedSummary[]): number => new Set(summaries.map(({ tally }) => tally["pid"])).size;
    const often = await sweep({ program: plain, jobs: 1, seedsPerChild: 2 });
    expect(pids(often)).toBe(4);
    const never = await sweep({ program: plain, jobs: 1 });
    expect(pids(never)).toBe(1);
    expect(often.map(({ fingerprint }) => fingerprint)).toEqual(never.map(({ fingerprint }) => fingerprint));
  });

  it("begins no seed once it is over, and waits for those under way", async () => {
    const plain = program("plain-2", "answer();");
    let told = 0;
    const summaries = await sweep({ program: plain, jobs: 1, isOver: () => told >= 3, onSummary: () => told++ });
    expect(seedsOf(summaries)).toEqual(["1", "2", "3"]);
  });

  it("gives up at once when it is called off, and says what it has", async () => {
    const endless = program("endless", "if (seed < 4) answer();");
    const stop = new AbortController();
    const summaries = await sweep({
      program: endless,
      jobs: 1,
      signal: stop.signal,
      onSummary: ({ seed }) => seed === "3" && stop.abort(),
    });
    expect(seedsOf(summaries)).toEqual(["1", "2", "3"]);
    expect(summaries.every(({ violation }) => violation === undefined)).toBe(true);
  });
});

describe("a pool", () => {
  it("loses the questions that are open when it is closed", async () => {
    const silent = program("silent", "");
    const pool = new Pool<{ seed: number }, SeedSummary>({ program: silent, flags: [], size: 1, guardMs: 60_000 });
    const open = [pool.ask({ seed: 1 }), pool.ask({ seed: 2 })];
    pool.close();
    expect((await Promise.all(open)).map(({ kind }) => kind)).toEqual(["lost", "lost"]);
  });
});

describe("references that a child works out", () => {
  const learned = (sql: string): Reference => ({ schema: "sf0.01", sql, outcome: { kind: "rows", rows: [[2n ** 60n]] } });
  const statements = (references: readonly Reference[]): readonly string[] => references.map(({ sql }) => sql);

  it("are told to each of the others once, and not to itself", () => {
    const [a, b, late] = [{}, {}, {}];
    const references = new LearnedReferences();
    expect(references.takeFor(a)).toEqual([]);
    references.add(a, [learned("q1"), learned("q2")]);
    references.add(b, [learned("q3")]);
    expect(statements(references.takeFor(a))).toEqual(["q3"]);
    expect(statements(references.takeFor(b))).toEqual(["q1", "q2"]);
    references.add(a, [learned("q4")]);
    expect(references.takeFor(a)).toEqual([]);
    expect(statements(references.takeFor(b))).toEqual(["q4"]);
    expect(statements(references.takeFor(late))).toEqual(["q1", "q2", "q3", "q4"]);
  });

  it("are forgotten beyond a bound, the oldest first, and nobody is told one twice", () => {
    const [a, b] = [{}, {}];
    const references = new LearnedReferences();
    references.add(a, [learned("first")]);
    expect(statements(references.takeFor(b))).toEqual(["first"]);
    references.add(
      a,
      Array.from({ length: 1_001 }, (_, index) => learned(`q${index}`)),
    );
    expect(statements(references.takeFor(b))).toEqual(Array.from({ length: 1_000 }, (_, index) => `q${index + 1}`));
    expect(references.takeFor(b)).toEqual([]);
  });

  it("reach whoever has not heard of them with the next seed, exact", async () => {
    const body = `const exact = learned.filter(({ outcome }) => outcome.rows[0][0] === 2n ** 60n + 1n).map(({ sql }) => sql);
  answer({ fingerprint: exact.join(), learned: [{ schema: "s", sql: "q" + seed, outcome: { kind: "rows", rows: [[2n ** 60n + 1n]] } }] });`;
    const summaries = await sweep({ program: program("learns", body), jobs: 1, to: 6, seedsPerChild: 3 });
    expect(summaries.map(({ fingerprint }) => fingerprint)).toEqual(["", "", "", "q1,q2,q3", "", ""]);
    expect(summaries.every((summary) => !("learned" in summary))).toBe(true);
  });
});

describe("failures", () => {
  it("are one group when only numbers, rows and statements differ, the most frequent first, each with its commands", () => {
    const groups = new FailureGroups();
    const wrong = (rows: number) => ({
      kind: "wrong-result" as const,
      oracle: "results",
      sentence: `u1 got ${rows} of 9 rows: SELECT ${rows}`,
      atNanos: 1,
    });
    groups.add("4", {
      kind: "leak",
      oracle: "quiescence",
      sentence: "1500 s after the last statement these are left: w1 tasks=1",
      atNanos: 1,
    });
    groups.add("7", wrong(3));
    groups.add("9", wrong(4));
    expect(groups.all.map(({ oracle, seeds }) => [oracle, seeds])).toEqual([
      ["results", ["7", "9"]],
      ["quiescence", ["4"]],
    ]);
    expect(describeGroups(groups.all)).toEqual([
      "2 x wrong-result [results] u1 got 3 of 9 rows: SELECT 3",
      "    seeds 7, 9",
      "    npm run sim -- --seed 7",
      "    npm run sim -- shrink 7",
      "1 x leak [quiescence] 1500 s after the last statement these are left: w1 tasks=1",
      "    seed 4",
      "    npm run sim -- --seed 4",
      "    npm run sim -- shrink 4",
    ]);
  });

  it("and counters add up", () => {
    const sums: Record<string, number> = { a: 1 };
    addTally(sums, { a: 2, b: 3 });
    expect(sums).toEqual({ a: 3, b: 3 });
  });
});

describe("what runs share", () => {
  it("is forgotten beyond a bound, the oldest first", () => {
    const shared = new SharedState();
    const references = shared.referencesOf("s");
    const rows = Array.from({ length: 75_000 }, () => [1]);
    for (let index = 0; index < 10; index++) {
      references.set(`q${index}`, { kind: "rows", rows });
    }
    shared.forgetOldReferences();
    expect([...references.keys()]).toEqual(["q4", "q5", "q6", "q7", "q8", "q9"]);
    expect(shared.referencesOf("s")).toBe(references);
  });
});
