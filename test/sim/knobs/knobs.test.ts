/**
 * Knobs: small bounds change no result. The rows of statements under drawn knobs are those of the engine with its defaults, and every task
 * emits the same bytes when it runs again.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calmCluster, reads, second, user } from "../../../scenarios/scenario.ts";
import { drawKnobs, knobNames } from "../../../sim/draw/knobs.ts";
import { commonProperties } from "../../../sim/properties.ts";
import { engineProperties } from "../../../src/config.ts";
import { drawRun } from "../../../sim/draw/draw.ts";
import { describePlan } from "../../../sim/result.ts";
import { runPlan } from "../../../sim/run.ts";
import { SharedState } from "../../../sim/shared.ts";
import { reduceKnobs } from "../../../sim/shrink/bold.ts";
import { Search } from "../../../sim/shrink/search.ts";
import type { Signature } from "../../../sim/shrink/signature.ts";
import type { Laboratory, Trial } from "../../../sim/shrink/trial.ts";
import { configOf } from "../../../sim/token.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { pageRowsMax } from "../../../src/page/page.ts";
import { defaultKnobs, type KnobName, knobs, knobsOf, type KnobValues } from "../../../src/ports/knobs.ts";
import { filesBelow, root } from "../../house/sources.ts";

const seeds = Array.from({ length: 400 }, (_, index) => String(index + 1));
const drawn = seeds.map((seed) => drawKnobs(StreamTree.root(seed)));

describe("the table of knobs", () => {
  it("has a minimum below the default, and draws no value above it", () => {
    for (const name of knobNames) {
      const { default: usual, values } = knobs[name];
      expect(
        values.toSorted((a, b) => a - b),
        name,
      ).toEqual(values);
      expect(values.length, name).toBeGreaterThan(0);
      expect(values.at(-1), name).toBeLessThan(usual);
      expect(knobsOf(Object.fromEntries([[name, values[0]]])).value(name)).toBe(values[0]);
      expect(defaultKnobs.value(name)).toBe(usual);
    }
    // Buffers are allocated for pages of this size.
    expect(knobs["page-rows"].default).toBe(pageRowsMax);
  });

  it("has no knob that nothing reads", () => {
    const sources = filesBelow(join(root, "src"))
      .filter((file) => !file.endsWith("ports/knobs.ts"))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    expect(knobNames.filter((name) => !sources.includes(`"${name}")`))).toEqual([]);
  });

  it("refuses names and values that no knob has", () => {
    expect(() => knobsOf({ "no-such-knob": 1 } as KnobValues)).toThrow("There is no knob 'no-such-knob'");
    expect(() => knobsOf({ "page-rows": 0 })).toThrow("Knob 'page-rows' is a whole number from 1 on, not 0");
    expect(() => knobsOf({ "page-rows": 1.5 })).toThrow("not 1.5");
    expect(() => knobsOf({ "join-slots": 3 })).toThrow("Knob 'join-slots' is a power of two, not 3");
  });
});

describe("the draw", () => {
  it("is the same for the same seed, and stays within the values of each knob", () => {
    for (const [index, values] of drawn.entries()) {
      expect(drawKnobs(StreamTree.root(seeds[index] as string))).toEqual(values);
      for (const [name, value] of Object.entries(values)) {
        expect(knobs[name as KnobName].values, name).toContain(value);
      }
    }
  });

  it("leaves some runs alone, sets every knob in some, and each knob in some of the others", () => {
    expect(drawn.filter((values) => Object.keys(values).length === 0).length).toBeGreaterThan(40);
    expect(drawn.filter((values) => Object.keys(values).length > knobNames.length * 0.8).length).toBeGreaterThan(8);
    for (const name of knobNames) {
      const live = drawn.filter((values) => values[name] !== undefined).length;
      expect(live, name).toBeGreaterThan(15);
      expect(live, name).toBeLessThan(160);
    }
  });

  it("is printed with the plan and part of its token", () => {
    const plan = { ...drawRun("7"), knobs: { "page-rows": 2, "arena-bytes": 64 } };
    expect(describePlan(plan)).toContain("knobs: arena-bytes 64, page-rows 2");
    expect(configOf(plan)).not.toBe(configOf({ ...plan, knobs: { "page-rows": 2 } }));
  });
});

/** Numeric properties that no seed draws, with the reason. */
const undrawnProperties: Readonly<Record<string, string>> = {
  "query.max-length": "a statement that is too long fails before anything is simulated",
  "query.max-run-time": "drawn as the session property query_max_run_time, which narrows it",
  "query.max-execution-time": "drawn as the session property query_max_execution_time, which narrows it",
  "query.max-cpu-time": "drawn as the session property query_max_cpu_time, which narrows it",
  "query.max-scan-physical-bytes": "drawn as the session property query_max_scan_physical_bytes, which narrows it",
  "query.max-memory": "drawn as the session property query_max_memory, which narrows it",
  "query.max-total-memory": "drawn as the session property query_max_total_memory, which narrows it",
  "query.max-stage-count": "the statement fails when it is planned, on every seed alike",
  "node-scheduler.allowed-no-matching-node-period": "the oracle of causes knows its default; scenarios set it",
  "task.max-tasks": "refuses tasks of users that the oracle of liveness expects to end; scenarios set it",
  "failure-detector.heartbeat-timeout": "the fault point heartbeat-impatient shortens it",
  "failure-detector.warmup-interval": "the oracles of decay and membership know its default",
  "http.request-timeout": "the oracle of promptness knows its default; requests that are never answered reach it",
};

describe("properties with a number", () => {
  it("are drawn, or named with the reason why not", () => {
    const names = engineProperties
      .filter(({ type }) => type === "duration" || type === "size" || type === "integer")
      .map(({ name }) => name);
    const set = new Set(seeds.flatMap((seed) => Object.keys(drawRun(seed).properties)));
    for (const name of Object.keys(commonProperties)) {
      set.add(name);
    }
    // Given by the cluster that the simulator builds.
    set.add("node.memory");
    expect(names.filter((name) => !set.has(name) && undrawnProperties[name] === undefined)).toEqual([]);
    expect(Object.keys(undrawnProperties).filter((name) => set.has(name) || !names.includes(name))).toEqual([]);
  });
});

describe("shrinking", () => {
  it("removes knobs that a failure does not need, and raises the others", async () => {
    const violation = { kind: "safety", oracle: "test", sentence: "", atNanos: 0 } as const;
    const laboratory: Laboratory = {
      width: 2,
      close: () => undefined,
      try: ({ plan }) => {
        const fails = (plan.knobs?.["page-rows"] ?? 16_384) <= 7 && plan.knobs?.["join-slots"] !== undefined;
        return Promise.resolve({ events: 100, fates: [], violation: fails ? violation : undefined } as unknown as Trial);
      },
    };
    const plan = calmCluster("1", { knobs: { "arena-bytes": 8, "page-rows": 1, "join-slots": 1, "radix-rows": 2 } });
    const trial = await laboratory.try({ plan });
    const search = new Search(plan, trial as Trial, {
      laboratory,
      signature: { kind: "safety", oracle: "test", shape: "" } satisfies Signature,
    });
    await reduceKnobs(search);
    expect(search.best.knobs).toEqual({ "page-rows": 7, "join-slots": 8 });
  });
});

const statements = [
  "SELECT n.name, r.name FROM nation n JOIN region r ON n.regionkey = r.regionkey ORDER BY 1",
  "SELECT c.custkey, o.orderkey FROM customer c FULL JOIN orders o ON c.custkey = o.custkey AND o.totalprice > 150000",
  "SELECT o.orderkey, c.name FROM orders o RIGHT JOIN customer c ON c.custkey = o.custkey AND c.acctbal < o.totalprice / 100",
  "SELECT c.name, n.name FROM customer c JOIN nation n ON length(c.name) > n.nationkey + 10 WHERE n.regionkey = 1",
  "SELECT orderpriority, orderstatus, count(*), sum(totalprice), min(clerk) FROM orders GROUP BY 1, 2",
  "SELECT custkey, count(DISTINCT orderpriority), max(comment) FROM orders GROUP BY custkey HAVING count(*) > 2",
  "SELECT returnflag, linestatus, count(*) FROM lineitem GROUP BY GROUPING SETS ((returnflag, linestatus), (returnflag), ())",
  "SELECT orderkey, linenumber, extendedprice FROM lineitem ORDER BY extendedprice DESC, orderkey, linenumber LIMIT 20",
  "SELECT shipmode, orderkey, linenumber FROM lineitem WHERE quantity < 20 ORDER BY shipmode, orderkey DESC, linenumber",
  "SELECT custkey, orderkey, sum(totalprice) OVER (PARTITION BY custkey ORDER BY orderkey ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING), rank() OVER (PARTITION BY custkey ORDER BY orderdate), lag(orderkey) OVER (PARTITION BY custkey ORDER BY orderkey) FROM orders",
  "SELECT orderkey, sum(totalprice) OVER (ORDER BY orderkey ROWS BETWEEN 50 PRECEDING AND 50 FOLLOWING), max(clerk) OVER (ORDER BY orderkey ROWS 40 PRECEDING) FROM orders",
  "SELECT custkey, t.v, t.o FROM customer CROSS JOIN UNNEST(sequence(1, custkey % 4)) WITH ORDINALITY AS t (v, o)",
  "SELECT name FROM customer WHERE (nationkey, custkey % 3) IN (SELECT ROW(nationkey, regionkey) FROM nation)",
  "SELECT name FROM customer WHERE custkey NOT IN (SELECT custkey FROM orders WHERE orderstatus = 'F')",
  "SELECT custkey, total, matches FROM orders MATCH_RECOGNIZE (PARTITION BY custkey ORDER BY orderkey MEASURES count(*) AS matches, sum(UP.totalprice) AS total ONE ROW PER MATCH PATTERN (START_ UP+) DEFINE UP AS totalprice > PREV(totalprice)) ORDER BY 1, 2, 3",
  "SELECT sequential_number FROM TABLE(sequence(1, 100, 3))",
  "SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, NULL), (4, 'd')) AS t (x, y) WHERE x > 1",
  "SELECT o.orderkey FROM orders o JOIN lineitem l ON o.orderkey = l.orderkey WHERE l.partkey < 10 AND o.orderstatus = 'O'",
  "SELECT 'a', custkey FROM customer WHERE nationkey = 3 UNION ALL SELECT clerk, custkey FROM orders WHERE orderkey < 50",
];

/** Any value from the minimum to the default, small ones more often. */
const knobValues: fc.Arbitrary<KnobValues> = fc
  .uniqueArray(fc.constantFrom(...knobNames), { maxLength: 12 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => {
        const { default: usual, isPower, values } = knobs[name];
        const least = values[0] as number;
        const small = fc.constantFrom(...values);
        const any = isPower === true ? small : fc.integer({ min: least, max: Math.min(usual, least + 40) });
        return fc.tuple(fc.constant(name), fc.oneof(small, any));
      }),
    ),
  )
  .map((pairs) => Object.fromEntries(pairs));

describe("results", () => {
  const shared = new SharedState();
  it("are those of the default bounds, and tasks are reproduced byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1_000_000),
        knobValues,
        fc.subarray(statements, { minLength: 2, maxLength: 5 }),
        async (seed, values, some) => {
          const plan = calmCluster(String(seed), {
            knobs: values,
            schema: "sf0.0005",
            splitsPerNode: 4,
            workers: ["w1", "w2"].map((name) => ({ name, clockOffsetMs: 0, clockDriftPpm: 0 })),
            users: [
              user(
                "u1",
                some.map((sql) => reads(sql)),
                second / 2,
              ),
            ],
            healNanos: second,
          });
          const { violations, work } = await runPlan(plan, { shared, oneTaskIn: 1 });
          expect(violations.map(({ oracle, sentence }) => `${oracle}: ${sentence}`)).toEqual([]);
          expect(work.finished).toBeGreaterThan(some.length);
        },
      ),
      { numRuns: 20 },
    );
  });
});
