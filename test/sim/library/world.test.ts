/** Worlds of anybody's programs: the same run for the same seed, faults as listed, checks at each event, traps, plans and shrinking. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  callNode,
  createWorld,
  describeWorldResult,
  drawPlan,
  type NodePorts,
  type NodeProgram,
  serveCalls,
  shrinkWorld,
  sleep,
  type TraceEntry,
  viewHtml,
  type WorldFault,
  type WorldOptions,
  worldPlans,
} from "../../../sim/index.ts";

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
/** Times in milliseconds at which something happened. */
type Times = number[];

const nowMs = ({ clock }: NodePorts): number => clock.monotonicNanos() / 1e6;

/** Calls the other every 10 ms, and keeps the times of the answers. */
const caller: NodeProgram<Times> = (ports) => {
  const answered: Times = [];
  const work = async (): Promise<void> => {
    for (;;) {
      await callNode(ports.network, "b", { name: "ping", timeoutMs: 30 }).then(
        () => answered.push(nowMs(ports)),
        () => undefined,
      );
      await sleep(ports.clock, "pause", 10);
    }
  };
  void work();
  return answered;
};
const answerer: NodeProgram<Times> = async ({ network }) => {
  await serveCalls(network, { ping: () => "pong" });
  return [];
};

function pair(faults: readonly WorldFault[], more: Partial<WorldOptions<Times>> = {}): WorldOptions<Times> {
  return { seed: 1, faults, nodes: { a: caller, b: answerer }, links: { latencyMsMin: 1, latencyMsMax: 2 }, ...more };
}

/** Times of the answers at the end. */
async function answersOf(options: WorldOptions<Times>, untilMs = 1_000): Promise<Times> {
  let answers: Times = [];
  const look = { answers: (view: { state(name: string): Times | undefined }): undefined => void (answers = [...(view.state("a") ?? [])]) };
  const result = await createWorld({ ...options, goals: look }).run({ untilMs });
  expect(result.passed, describeWorldResult(result)).toBe(true);
  return answers;
}

async function only(
  program: NodeProgram<unknown>,
  more: Partial<WorldOptions<unknown>> = {},
  untilMs = 1_000,
): Promise<string | undefined> {
  const { violation } = await createWorld({ seed: 1, nodes: { a: program }, ...more }).run({ untilMs });
  return violation && `${violation.kind} ${violation.name}: ${violation.sentence}`;
}

describe("a world", () => {
  it("is a function of its seed and faults", async () => {
    const faults: readonly WorldFault[] = [{ kind: "crash", node: "b", atMs: 100, untilMs: 300, disk: "torn" }];
    const links = { latencyMsMin: 1, latencyMsMax: 9, lossPer10k: 500, resetPer10k: 500, duplicatePer10k: 500 };
    const one = await createWorld(pair(faults, { links })).run({ untilMs: 1_000 });
    expect(await createWorld(pair(faults, { links })).run({ untilMs: 1_000 })).toEqual(one);
    const inPieces = createWorld(pair(faults, { links }));
    await inPieces.run({ untilMs: 333 });
    expect(await inPieces.run({ untilMs: 1_000 })).toEqual(one);
    expect((await createWorld(pair(faults, { links, fates: one.fates })).run({ untilMs: 1_000 })).fingerprint).toBe(one.fingerprint);
    expect((await createWorld(pair(faults, { links, seed: 2 })).run({ untilMs: 1_000 })).fingerprint).not.toBe(one.fingerprint);
    expect((await createWorld(pair([], { links })).run({ untilMs: 1_000 })).fingerprint).not.toBe(one.fingerprint);
  });

  it.each<{ readonly fault: WorldFault; readonly quiet: readonly [number, number] }>([
    { fault: { kind: "crash", node: "b", atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "partition", nodes: ["b"], atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "one-way-partition", from: "b", to: "a", atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "clogged-link", from: "a", to: "b", atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "pause", node: "b", atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "never-answers", node: "b", atMs: 200, untilMs: 500 }, quiet: [210, 500] },
    { fault: { kind: "slow-link", from: "a", to: "b", extraMs: 40, atMs: 200, untilMs: 500 }, quiet: [210, 500] },
  ])("$fault.kind: nothing is answered while it lasts, and again after it", async ({ fault, quiet: [from, to] }) => {
    const answers = await answersOf(pair([fault]));
    expect(answers.filter((at) => at < 200).length).toBeGreaterThan(5);
    expect(answers.filter((at) => at > from && at < to)).toEqual([]);
    expect(answers.filter((at) => at > 550).length).toBeGreaterThan(10);
  });

  it("ends faults when it heals, and links lose nothing then", async () => {
    const links = { latencyMsMin: 1, latencyMsMax: 2, lossPer10k: 10_000 };
    const answers = await answersOf(pair([{ kind: "crash", node: "b", atMs: 0 }], { links, healMs: 500 }));
    expect(answers.filter((at) => at < 500)).toEqual([]);
    expect(answers.length).toBeGreaterThan(20);
  });

  it("loses what was not synced, keeps what was, and starts the program again", async () => {
    const lives: number[] = [];
    const program: NodeProgram<number> = async ({ storage, life, clock }) => {
      lives.push(life);
      if (life === 1) {
        await storage.write("kept", text("one"));
        await storage.sync("kept");
        await storage.write("lost", text("two"));
        await sleep(clock, "forever", 1e6);
      }
      const names = (await storage.list("")).map(({ name }) => name);
      expect(names).toEqual(["kept"]);
      return life;
    };
    const durable = (view: { durable(name: string, path: string): Uint8Array | undefined; state(name: string): number | undefined }) =>
      view.durable("a", "lost") === undefined && view.durable("a", "kept")?.length === 3 && view.state("a") === 2 ? undefined : "wrong";
    const result = await createWorld({
      seed: 1,
      nodes: { a: program },
      faults: [{ kind: "crash", node: "a", atMs: 100, untilMs: 200 }],
      goals: { durable },
    }).run({ untilMs: 1_000 });
    expect(result.violation).toBeUndefined();
    expect(lives).toEqual([1, 2]);
  });

  it("skews clocks", async () => {
    const times: Record<string, readonly [number, number]> = {};
    const program: NodeProgram<void> = async ({ clock, name }) => {
      await sleep(clock, "second", 1_000);
      times[name] = [clock.wallMillis(), clock.monotonicNanos()];
    };
    const clocks = { b: { offsetMs: 5_000 }, c: { driftPpm: 100_000 } };
    await createWorld({ seed: 1, nodes: { a: program, b: program, c: program }, clocks }).run({ untilMs: 2_000 });
    const [a, b, c] = [times["a"] ?? [0, 0], times["b"] ?? [0, 0], times["c"] ?? [0, 0]];
    expect(b[0] - a[0]).toBe(5_000);
    // Its own second is shorter than the world's.
    expect(Math.round(c[1] / 1e6)).toBe(1_000);
  });

  it("checks invariants after every event, and ends the run at the first that does not hold", async () => {
    const program: NodeProgram<{ count: number }> = ({ clock }) => {
      const state = { count: 0 };
      const work = async (): Promise<void> => {
        for (;;) {
          await sleep(clock, "count", 7);
          state.count++;
        }
      };
      void work();
      return state;
    };
    const small = (view: { state(name: string): { count: number } | undefined }) =>
      (view.state("a")?.count ?? 0) < 5 ? undefined : "it counted to five";
    const entries: TraceEntry[] = [];
    const result = await createWorld({
      seed: 1,
      nodes: { a: program },
      invariants: { "stays small": small },
      onEntry: (entry) => entries.push(entry),
    }).run({ untilMs: 1_000 });
    expect(result.violation).toMatchObject({ kind: "invariant", name: "stays small", sentence: "it counted to five", atMs: 35 });
    expect(entries.at(-1)).toMatchObject({ kind: "violation", detail: "invariant stays-small it counted to five" });
    expect(describeWorldResult(result)).toMatch(/^FAIL invariant stays small at 35.000 ms/);
  });

  it.each([
    ["Math.random", () => Math.random()],
    ["Date.now", () => Date.now()],
    ["new Date()", () => new Date()],
    ["setTimeout", () => setTimeout(() => undefined, 1)],
    ["performance.now", () => performance.now()],
    ["crypto.randomUUID", () => crypto.randomUUID()],
  ])("traps %s", async (name, use) => {
    // The program hides the error; the run still fails.
    const sentence = await only(() => {
      try {
        return use();
      } catch {
        return undefined;
      }
    });
    expect(sentence).toContain("nondeterminism traps");
    expect(sentence).toContain(name);
  });

  it("fails if a program throws, at its start or later", async () => {
    expect(
      await only(() => {
        throw new Error("no start");
      }),
    ).toBe("crash a: Error: no start");
    expect(
      await only(({ clock }) => {
        clock.timer("later", 50, () => {
          throw new Error("later");
        });
      }),
    ).toBe("crash world: Error: later");
    expect(await only(({ clock }) => void sleep(clock, "later", 50).then(() => Promise.reject(new Error("stray"))))).toBe(
      "crash rejection: Error: stray",
    );
  });

  it("refuses faults and names that make no sense", () => {
    const nodes = { a: answerer };
    expect(() => createWorld({ seed: 1, nodes, faults: [{ kind: "pause", node: "z", atMs: 1, untilMs: 2 }] })).toThrow(
      "pause z 1ms..2ms: no node is called 'z'",
    );
    expect(() => createWorld({ seed: 1, nodes, faults: [{ kind: "pause", node: "a", atMs: 3, untilMs: 2 }] })).toThrow(
      "a fault ends after",
    );
    expect(() => createWorld({ seed: 1, nodes: { "a b": answerer } })).toThrow("'a b' is no name of a node");
  });
});

describe("plans", () => {
  const options = { nodes: ["a", "b"], untilMs: 1_000, faultsMax: 5 };

  it("are the same for a seed, valid, and of every kind", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 300; seed++) {
      const plan = drawPlan(seed, options);
      expect(drawPlan(seed, options)).toEqual(plan);
      expect(plan.faults.length).toBeLessThanOrEqual(5);
      createWorld({ seed, nodes: { a: answerer, b: answerer }, faults: plan.faults });
      for (const { kind } of plan.faults) {
        kinds.add(kind);
      }
    }
    expect(kinds.size).toBe(15);
  });

  it("of fast-check shrink to one small fault", () => {
    const details = fc.check(
      fc.property(worldPlans(fc, fc.constant, options), ({ faults }) => !faults.some(({ kind, atMs }) => kind === "pause" && atMs > 100)),
      { seed: 1, numRuns: 2_000 },
    );
    expect(details.counterexample?.[0].faults).toEqual([{ kind: "pause", node: "a", atMs: 101, untilMs: 102 }]);
  });
});

describe("shrinking", () => {
  it("leaves the faults that the failure needs, with round times", async () => {
    const silence = (view: { readonly nowMs: number; state(name: string): Times | undefined }) => {
      const last = view.state("a")?.at(-1) ?? 0;
      return view.nowMs - last < 200 ? undefined : "nothing was answered for 200 ms";
    };
    const faults: readonly WorldFault[] = [
      { kind: "clock-step", node: "a", atMs: 11, untilMs: 12, byMs: 1_234 },
      { kind: "slow-link", from: "a", to: "b", atMs: 50, untilMs: 120, extraMs: 3 },
      { kind: "partition", nodes: ["b"], atMs: 317, untilMs: 741 },
      { kind: "pause", node: "a", atMs: 900, untilMs: 901 },
    ];
    const links = { latencyMsMin: 1, latencyMsMax: 2, duplicatePer10k: 2_000 };
    const options = pair(faults, { links, invariants: { silence } });
    const small = await shrinkWorld(options, { untilMs: 1_000 });
    expect(small?.options.faults).toMatchObject([{ kind: "partition", nodes: ["b"] }]);
    expect(small?.options.fates).toEqual([]);
    expect((small?.options.faults?.[0]?.untilMs ?? 0) % 10).toBe(0);
    const again = await createWorld(small?.options ?? expect.fail("not shrunk")).run({ untilMs: 1_000 });
    expect(again.violation).toEqual(small?.violation);
    expect(await shrinkWorld(pair([]), { untilMs: 1_000 })).toBeUndefined();
  });
});

describe("the page", () => {
  it("holds the run", async () => {
    const html = await viewHtml(pair([{ kind: "crash", node: "b", atMs: 100, untilMs: 300 }]), { untilMs: 500, name: "two nodes" });
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain("data-run");
  });
});
