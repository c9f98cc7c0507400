/**
 * A failing run shrinks to a small one that fails in the same way, always to the same one; statements shrink by their syntax tree.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../scenarios/scenario.ts";
import { calmLink } from "../../sim/world/fates.ts";
import type { Sabotage } from "../../sim/world/network.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import type { RunPlan } from "../../sim/plan.ts";
import { runPlan } from "../../sim/run.ts";
import { FactFinder, withoutQueries } from "../../sim/shrink/facts.ts";
import { writeScenario } from "../../sim/shrink/scenario-file.ts";
import { readFoundScenario } from "../../sim/found.ts";
import { Search } from "../../sim/shrink/search.ts";
import { shrink, type Shrunk } from "../../sim/shrink/shrink.ts";
import { failsTheSame, isSame, shapeOf, signatureOf } from "../../sim/shrink/signature.ts";
import { shorterTexts } from "../../sim/shrink/sql-candidates.ts";
import type { Laboratory, Question, Trial } from "../../sim/shrink/trial.ts";
import { Bench } from "../support/oracle/bench-laboratory.ts";
import { drawStatement } from "../../sim/workload/workload.ts";
import { parseStatement } from "../../src/sql/parser/parser.ts";

/** A worker that reports no page when the first page of an output is requested again after a lost answer. */
const forgetsTheFirstPage: Sabotage = (handler) => {
  const answered = new Set<string>();
  return async (request, context) => {
    const first = /^\/v1\/task\/[^/]+\/results\/\d+\/0(\?.*)?$/.test(request.url) && request.method === "GET";
    const response = await handler(request, context);
    if (!first || response.status !== 200) {
      return response;
    }
    if (!answered.has(request.url)) {
      answered.add(request.url);
      return response;
    }
    const { headers } = response;
    const instance = headers["x-engine-task-instance-id"] ?? "";
    return {
      status: 204,
      headers: {
        "x-engine-task-instance-id": instance,
        "x-engine-page-sequence-id": "0",
        "x-engine-page-end-sequence-id": "0",
        "x-engine-buffer-complete": "true",
      },
      body: new Uint8Array(0),
    };
  };
};

/** Two users, irrelevant faults, and links that lose answers. */
function failing(seed: string): RunPlan {
  return calmCluster(seed, {
    link: { ...calmLink, resetPer10k: 900 },
    properties: { "exchange.max-response-size": "64kB" },
    schema: "sf0.0003",
    splitsPerNode: 4,
    users: [
      user("u1", [
        reads("SELECT * FROM nation ORDER BY nationkey"),
        reads("SELECT orderpriority, count(*) FROM orders o WHERE o.totalprice > 1000 GROUP BY orderpriority", 3 * ms),
      ]),
      user("u2", [
        reads(
          "SELECT custkey, count(*) c, sum(totalprice) FROM orders o WHERE o.orderstatus IN ('F', 'O') GROUP BY custkey HAVING count(*) > 1",
          7 * ms,
        ),
      ]),
    ],
    faults: [
      {
        kind: "slow-node",
        node: "w2",
        factor: 3,
        atNanos: 10 * ms,
        untilNanos: 2 * second,
      },
      {
        kind: "clock-step",
        node: "w3",
        byMs: 1234,
        atNanos: 20 * ms,
        untilNanos: 30 * ms,
      },
    ],
    healNanos: 5 * second,
  });
}

/** The first seed whose run fails. */
async function firstFailing(laboratory: Laboratory): Promise<RunPlan> {
  for (let seed = 1; seed <= 30; seed++) {
    const plan = failing(String(seed));
    if ((await laboratory.try({ plan })).violation !== undefined) {
      return plan;
    }
  }
  throw new Error("no seed fails");
}

const bench = new Bench(forgetsTheFirstPage);
const answers = new Map<string, Promise<Trial>>();
/** Runs the same question only once. */
const remembered = (question: Question): Promise<Trial> => {
  const key = JSON.stringify(question);
  const known = answers.get(key) ?? bench.try(question);
  answers.set(key, known);
  return known;
};
const laboratory: Laboratory = { width: 1, try: remembered, close: () => undefined };
const folder = mkdtempSync(join(tmpdir(), "orrery-shrink-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("shrinking a run that fails", () => {
  let shrunk: Extract<Shrunk, { kind: "shrunk" }>;
  let plan: RunPlan;

  beforeAll(async () => {
    plan = await firstFailing(laboratory);
    const result = await shrink(plan, { laboratory });
    if (result.kind !== "shrunk") {
      throw new Error(`it ${result.kind}`);
    }
    shrunk = result;
  });

  it("leaves one statement, one worker and what was lost of a run with faults, and it fails in the same way", async () => {
    expect(shrunk.cutOff).toBe(false);
    expect(shrunk.after).toMatchObject({
      statements: 1,
      nodes: 2,
      faults: 0,
      fates: 1,
    });
    expect(shrunk.after.events).toBeLessThan(shrunk.before.events / 3);
    expect(shrunk.after.sqlChars).toBeLessThan(80);
    const again = await laboratory.try({
      plan: shrunk.plan,
      signature: shrunk.signature,
    });
    expect(again.violation).toEqual(shrunk.violation);
  });

  it("gives the same when it is done again, however many candidates are tried at a time", async () => {
    const wide: Laboratory = {
      width: 3,
      try: remembered,
      close: () => undefined,
    };
    const again = await shrink(plan, { laboratory: wide });
    expect(again.kind === "shrunk" ? again.plan : undefined).toEqual(shrunk.plan);
  });

  it("needs what is left: without the one fate the run passes", async () => {
    const { violations } = await runPlan({ ...shrunk.plan, fates: [] }, { sabotage: forgetsTheFirstPage });
    expect(failsTheSame(shrunk.signature, violations)).toBeUndefined();
  });

  it("writes a scenario and a test that are the plan as data", () => {
    const file = join(folder, "scenarios/found/lost-page.json");
    const lines = writeScenario(shrunk, {
      from: { plan, title: "seed 7", command: "--seed 7" },
      file,
      root: folder,
    });
    expect(lines.join("\n")).toContain("test/sim/found/lost-page.test.ts");
    const scenario = readFoundScenario(file);
    expect(scenario.name).toBe("lost-page");
    expect(scenario.plan("1")).toEqual(shrunk.plan);
    const test = readFileSync(join(folder, "test/sim/found/lost-page.test.ts"), "utf8");
    expect(test).toContain("toEqual([])");
    expect(test).toContain("lost-page.json");
  });

  it("says so when the run passes", async () => {
    expect(await shrink(calmCluster("1", { users: [user("u1", [reads("SELECT 1")])] }), { laboratory: new Bench() })).toMatchObject({
      kind: "passes",
    });
  });

  it("keeps the smallest so far when time is over", async () => {
    const stop = new AbortController();
    const cut = await shrink(plan, {
      laboratory,
      signal: stop.signal,
      onTrial: ({ adopted }) => adopted >= 2 && stop.abort(),
    });
    expect(cut).toMatchObject({ kind: "shrunk", cutOff: true });
    if (cut.kind === "shrunk") {
      const again = await laboratory.try({
        plan: cut.plan,
        signature: cut.signature,
      });
      expect(again.violation).toEqual(cut.violation);
    }
  });
});

describe("fates told one by one", () => {
  it("are the same run, to the byte", async () => {
    const drawn = failing("3");
    const first = await runPlan(drawn, {});
    expect(first.fates.length).toBeGreaterThan(3);
    const listed = await runPlan({ ...drawn, fates: first.fates }, {});
    expect(listed.fingerprint).toBe(first.fingerprint);
    expect(listed.fates).toEqual(first.fates);
  });

  it("keep to their messages when the statements before them are gone", () => {
    const finder = new FactFinder();
    const entry = (place: string, kind: string, detail: string): void =>
      finder.take({ atNanos: 0, event: 0, parent: 0, place, kind, detail });
    const queries = ["20260101_000000_00001_aaaaa", "20260101_000000_00002_aaaaa"];
    for (const [index, query] of queries.entries()) {
      entry("u1", "submit", "SELECT 1");
      entry("u1", "request", `m${index}0 u1>c statement-poll GET /v1/statement/${query}/1`);
      entry("c", "request", `m${index}1 c>w1 task-update POST /v1/task/${query}.1.0`);
      entry("c", "request", `m${index}2 c>w1 task-update POST /v1/task/${query}.1.0`);
    }
    const fates = [2, 4].map((ordinal) => ({
      message: `c>w1 task-update #${ordinal} answer`,
      kind: "lost" as const,
    }));
    const facts = finder.facts(fates);
    expect(facts.submitted.map(({ queryId }) => queryId)).toEqual(queries);
    expect(withoutQueries(fates, new Set([queries[0] as string]), facts)).toEqual([
      { message: "c>w1 task-update #2 answer", kind: "lost" },
    ]);
    expect(withoutQueries(fates, new Set(), facts)).toEqual(fates);
  });
});

describe("the search", () => {
  /** Fails as long as the users' names contain all of these letters. */
  function search(needed: string, width: number): Search {
    const trial = (plan: RunPlan): Trial => {
      const names = plan.users.map(({ name }) => name).join("");
      const fails = Array.from(needed).every((letter) => names.includes(letter));
      const violation = fails ? { kind: "safety" as const, oracle: "o", sentence: "s", atNanos: 0 } : undefined;
      return {
        violation,
        events: 1,
        fates: [],
        facts: { submitted: [], positions: {} },
      };
    };
    const laboratory: Laboratory = {
      width,
      try: ({ plan }) => Promise.resolve(trial(plan)),
      close: () => undefined,
    };
    const start = calmCluster("1", {
      users: Array.from("abcdefghijklmnop").map((name) => user(name, [])),
    });
    return new Search(start, trial(start), {
      laboratory,
      signature: { kind: "safety", oracle: "o", shape: "s" },
    });
  }

  it("leaves exactly what is needed, whatever is tried at a time", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...Array.from("abcdefghijklmnop"))),
        fc.integer({ min: 1, max: 4 }),
        async (needed, width) => {
          const one = search(needed.join(""), width);
          await one.reduce(one.best.users, (best, users) => ({
            ...best,
            users,
          }));
          expect(one.best.users.map(({ name }) => name)).toEqual([...needed].sort());
        },
      ),
      { numRuns: 60 },
    );
  });

  it("takes the first candidate that fails, not the fastest, and none that changes nothing", async () => {
    const one = search("a", 4);
    const only = (name: string): RunPlan => ({
      ...one.best,
      users: [user(name, [])],
    });
    expect(await one.first([one.best, only("b"), { ...only("a"), seed: "first" }, { ...only("a"), seed: "second" }])).toBe(2);
    expect(one.best.seed).toBe("first");
    expect(await one.first([one.best])).toBeUndefined();
  });
});

describe("shorter statements", () => {
  it("all parse, and what they shrink to in the end has nothing shorter", () => {
    const stream = StreamTree.root("shorter").stream("statements");
    for (let index = 0; index < 5; index++) {
      let sql = drawStatement(stream);
      for (let shorter = shorterTexts(sql); shorter.length > 0; shorter = shorterTexts(sql)) {
        for (const text of shorter) {
          expect(() => parseStatement(text), text).not.toThrow();
        }
        expect(shorter).not.toContain(sql);
        sql = shorter[0] as string;
      }
      expect(sql.length).toBeLessThan(40);
    }
  });

  it("lack clauses, columns, joins and predicates, or stand in for what they were part of", () => {
    const shorter = shorterTexts(
      "SELECT c.name, count(*) FROM customer c JOIN orders o ON c.custkey = o.custkey WHERE o.totalprice > 17 AND o.orderstatus = 'F' GROUP BY c.name ORDER BY 2 LIMIT 5000",
    );
    const some = (pattern: RegExp): void =>
      expect(
        shorter.some((text) => pattern.test(text)),
        String(pattern),
      ).toBe(true);
    some(/^SELECT c\.name, count\(\*\) FROM customer c WHERE/);
    some(/WHERE o\.totalprice > 17 GROUP BY/);
    some(/^SELECT count\(\*\) FROM/);
    some(/LIMIT 1$/);
    some(/ORDER BY 2( ASC)?$/);
    expect(shorterTexts("SELECT name FROM (SELECT name FROM nation) t").at(0)?.length).toBeLessThan(30);
    expect(shorterTexts("SELECT 1")).toEqual([]);
    expect(shorterTexts("no SQL at all")).toEqual([]);
  });
});

describe("the same failure", () => {
  it("is one of the same kind and oracle whose sentence differs in numbers, rows and statements only", () => {
    const violation = (sentence: string) => ({
      kind: "wrong-result" as const,
      oracle: "results",
      sentence,
      atNanos: 1,
    });
    const one = signatureOf(violation('u1 got 3 of 5 rows, first difference at row 0: expected [1,"a"], found nothing: SELECT * FROM a'));
    expect(isSame(one, violation("u2 got 0 of 1 rows, first difference at row 0: expected [7], found [8]: SELECT count(*) FROM b"))).toBe(
      true,
    );
    expect(isSame(one, violation('u1 got PAGE_TRANSPORT_ERROR "x 1" where 5 rows is right: SELECT 1'))).toBe(false);
    expect(
      isSame(one, {
        ...violation("u1 got 3 of 5 rows, first difference at row 0: expected [1], found nothing: SELECT 1"),
        oracle: "tables",
      }),
    ).toBe(false);
    expect(shapeOf("1500 s after the last statement these are left: w1 tasks=1; w2 tasks=3")).toBe(
      shapeOf("1500 s after the last statement these are left: w4 buffers=2"),
    );
    expect(shapeOf("u1: token 4 of 20260101_000000_00001_aaaaa was answered with different bytes the second time")).toBe(
      shapeOf("u3: token 17 of 20260101_000000_00009_zzzzz was answered with different bytes the second time"),
    );
  });

  it("is the first thing that is wrong, unless that is that too little was done", () => {
    const vacuous = {
      kind: "vacuous" as const,
      oracle: "useful-work",
      sentence: "s",
      atNanos: 1,
    };
    const wrong = {
      kind: "safety" as const,
      oracle: "tables",
      sentence: "t",
      atNanos: 2,
    };
    expect(failsTheSame(signatureOf(wrong), [vacuous, wrong])).toBe(wrong);
    expect(failsTheSame(signatureOf(wrong), [{ ...wrong, sentence: "another" }, wrong])).toBeUndefined();
  });
});
