/**
 * Faults, message fates and fault points: each kind strikes and heals, the faults listed by a run can be replayed, and results are correct
 * whatever fires.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user, wideStatement } from "../../../scenarios/scenario.ts";
import { drawFaults } from "../../../sim/draw/faults.ts";
import { drawRun } from "../../../sim/draw/draw.ts";
import { liveRatio, pointNames } from "../../../sim/draw/points.ts";
import { describeFault, placesOf } from "../../../sim/faults/faults.ts";
import { definitionOf, drawnKinds, type Fault, faultKinds } from "../../../sim/faults/registry.ts";
import { Afflicted } from "../../../sim/world/afflicted.ts";
import { calmLink } from "../../../sim/world/fates.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import { runPlan } from "../../../sim/run.ts";
import { SharedState } from "../../../sim/shared.ts";

const shared = new SharedState();
const workers = ["w1", "w2", "w3"];

describe("kinds of faults", () => {
  it.each(faultKinds)("%s strikes at work, heals, and leaves a cluster that answers", async (kind) => {
    const drawn = definitionOf(kind).draw(StreamTree.root("1").stream(kind), { workers });
    // Faults aim only at the coordinator's or a worker's work, which both exist while the statement runs.
    const fault = { ...drawn, kind, atNanos: 0, untilNanos: 5 * second, afterWorkEvents: 7 } as Fault;
    const plan = calmCluster("1", {
      users: [user("u1", [reads(wideStatement, 200 * ms), reads("SELECT count(*) FROM nation", second)])],
      faults: [fault],
    });
    const result = await runPlan(plan, { shared });
    expect(result.violations).toEqual([]);
    expect(result.faults.map((report) => report.kind)).toEqual([kind]);
    expect(describeFault(fault)).toContain(kind);
    expect(placesOf(fault).length).toBeGreaterThan(0);
  });

  it("leaves kinds out of each seed and draws every one in some", () => {
    const drawn = Array.from({ length: 80 }, (_, seed) =>
      drawFaults(StreamTree.root(String(seed)), { workers, healNanos: 20 * second, outside: [] }).map(({ kind }) => kind),
    );
    expect(new Set(drawn.flat())).toEqual(new Set(drawnKinds));
    expect(drawn.every((kinds) => new Set(kinds).size < faultKinds.length / 2 + 4)).toBe(true);
  });

  it("breaks everything outside the core permanently, and checks the core's liveness", async () => {
    const plan = calmCluster("3", {
      users: [user("u1", [reads(wideStatement, 200 * ms), reads("SELECT count(*) FROM nation", 6 * second)])],
      core: ["w1", "w3"],
      faults: [{ kind: "pause", atNanos: 0, untilNanos: second, afterWorkEvents: 20, permanent: true, node: "w2" }],
    });
    const result = await runPlan(plan, { shared });
    expect(result.violations).toEqual([]);
    const stopAt = ({ oracle }: { readonly oracle: string }): boolean => oracle === "convergence";
    const whole = await runPlan({ ...plan, core: workers }, { shared, stopAt });
    expect(whole.violations.map(({ oracle }) => oracle)).toContain("convergence");
  });

  it("lets changes of one value lie on top of each other and go in any order", () => {
    const value = new Afflicted(10);
    const double = value.change((n) => n * 2);
    const more = value.change((n) => n + 1);
    expect(value.value).toBe(21);
    double();
    expect(value.value).toBe(11);
    more();
    double();
    expect(value.value).toBe(10);
  });
});

describe("message fates", () => {
  const rough = {
    ...calmLink,
    lossPer10k: 60,
    resetPer10k: 60,
    duplicatePer10k: 150,
    overtakenPer10k: 300,
    neverAnsweredPer10k: 150,
    truncatedPer10k: 200,
    tailPer10k: 200,
    tailNanosMax: 300 * ms,
  };
  const plan = calmCluster("fates", {
    link: rough,
    // Several tasks a stage, so that there are many messages.
    properties: { "optimizer.min-input-rows-per-task": "1000" },
    users: [user("u1", [reads(wideStatement), reads(wideStatement)]), user("u2", [reads(wideStatement), reads(wideStatement)])],
  });

  it("are listed by a run, and listed they give the same run on links that do nothing themselves", async () => {
    const first = await runPlan(plan, { shared });
    expect(first.violations).toEqual([]);
    const kinds = new Set(first.fates.map(({ kind }) => kind));
    for (const kind of ["duplicated", "delayed", "overtaken", "truncated", "never-answered", "lost"] as const) {
      expect(kinds).toContain(kind);
    }
    const again = await runPlan({ ...plan, link: calmLink, fates: first.fates }, { shared });
    expect(again.fingerprint).toBe(first.fingerprint);
    expect(again.fates).toEqual(first.fates);
  });

  it("turn the order of messages round", async () => {
    const result = await runPlan({ ...plan, link: { ...calmLink, overtakenPer10k: 2_000 } }, { shared });
    expect(result.violations).toEqual([]);
    expect(result.messages["overtaken"]).toBeGreaterThan(20);
    expect(result.messages["reordered"]).toBeGreaterThan(20);
  });
});

describe("points of the engine", () => {
  /** All points, each with a ratio that a draw could give. */
  const allPoints = Object.fromEntries(pointNames.map((name) => [name, liveRatio(name, 100)]));

  it.each(["1", "2", "3"])("all live change no result, seed %s", async (seed) => {
    const { faults: _, core: __, goodput: ___, ...drawn } = drawRun(seed);
    const plan = { ...drawn, faults: [], points: allPoints };
    expect(await runPlan(plan, { shared })).toMatchObject({ violations: [] });
  });

  it("fire, nearly all of them, in a busy cluster", async () => {
    const plan = calmCluster("busy", {
      points: allPoints,
      users: workers.map((name) => user(name, [reads(wideStatement), reads(wideStatement), reads(wideStatement)])),
      faults: [{ kind: "overload-503", atNanos: second, untilNanos: 4 * second, node: "w2", percent: 60 }],
    });
    const result = await runPlan(plan, { shared });
    expect(result.violations).toEqual([]);
    expect(pointNames.filter((name) => result.points[name] === undefined).length).toBeLessThan(8);
  });
});

describe("goodput", () => {
  const plan = calmCluster("goodput", {
    users: [user("u1", [reads("SELECT count(*) FROM nation")])],
    goodput: {
      users: 2,
      sql: "SELECT count(*) FROM region",
      thinkNanos: 250 * ms,
      startNanos: 0,
      recoveryNanos: 2 * second,
      windowNanos: 4 * second,
    },
    faults: [{ kind: "slow-node", atNanos: second, untilNanos: 3 * second, node: "w1", factor: 20 }],
    healNanos: 5 * second,
  });

  it("is back after the faults", async () => {
    const result = await runPlan(plan, { shared });
    expect(result.violations).toEqual([]);
    expect(result.goodput?.finished).toBeGreaterThan(10);
  });

  it("fails if a node keeps rejecting half of its requests", async () => {
    let requests = 0;
    const result = await runPlan(plan, {
      shared,
      sabotage: (handler, place) => async (request, context) =>
        place === "c" && request.url.startsWith("/v1/statement") && requests++ > 40 && requests % 2 === 0
          ? { status: 503, headers: { "retry-after": "1" }, body: new Uint8Array(0) }
          : handler(request, context),
    });
    expect(result.violations.map(({ kind, oracle }) => `${kind} ${oracle}`)).toEqual(["liveness goodput"]);
  });
});
