/**
 * Branches of a run: the same beginning with another end. What a branch changes, what it keeps, and the summary of many branches.
 */
import { describe, expect, it } from "vitest";
import { scenarios } from "../../scenarios/index.ts";
import { groupTails, rareThings, runTail, type Tail } from "../../sim/branch.ts";
import { StreamTree } from "../../sim/world/streams.ts";
import { SharedState } from "../../sim/shared.ts";

const shared = new SharedState();
const subject = { kind: "seed", seed: "5" } as const;

describe("a tree of streams", () => {
  /** Three draws of a stream, a named site and a site that opens after the branch; the branch follows the first draw of each. */
  function draws(branch?: string): { readonly before: readonly number[]; readonly after: readonly number[] } {
    const tree = StreamTree.root("seed");
    const stream = tree.child("node/w1").stream("ids");
    const named = tree.named("net");
    const before = [stream.nextInt(1e9), named.of("m1").nextInt(1e9)];
    if (branch !== undefined) {
      tree.branch(branch);
    }
    const after = [
      stream.nextInt(1e9),
      named.of("m2").nextInt(1e9),
      tree.stream("late").nextInt(1e9),
      tree.named("late").of("x").nextInt(1e9),
    ];
    return { before, after };
  }

  it("draws something else at every site from the branch on, and the same before it", () => {
    const plain = draws();
    const one = draws("700/1");
    expect(one.before).toEqual(plain.before);
    for (const [index, drawn] of one.after.entries()) {
      expect(drawn).not.toBe(plain.after[index]);
      expect(drawn).not.toBe(draws("700/2").after[index]);
    }
    expect(draws("700/1")).toEqual(one);
  });
});

describe("tails of a run", () => {
  it("share everything before the event and nothing after it; the same number is the same run", async () => {
    const [own, first, again, second] = [
      await runTail({ subject, atEvent: 300, tail: 0 }, scenarios, { shared }),
      await runTail({ subject, atEvent: 300, tail: 1 }, scenarios, { shared }),
      await runTail({ subject, atEvent: 300, tail: 1 }, scenarios, { shared: new SharedState() }),
      await runTail({ subject, atEvent: 300, tail: 2 }, scenarios, { shared }),
    ];
    expect(own.prefix).toMatch(/^[0-9a-f]{8}-[0-9a-f]{8}$/);
    expect([first.prefix, second.prefix]).toEqual([own.prefix, own.prefix]);
    expect(again).toEqual(first);
    expect(new Set([own.fingerprint, first.fingerprint, second.fingerprint]).size).toBe(3);
  });

  it("have no beginning in common where the run ends before the event", async () => {
    expect((await runTail({ subject, atEvent: 10_000_000, tail: 0 }, scenarios, { shared })).prefix).toBeUndefined();
    expect((await runTail({ subject, atEvent: 1, tail: 0 }, scenarios, { shared })).prefix).toBe("");
  });
});

describe("the summary of many tails", () => {
  const tail = (number: number, more: Partial<Tail> = {}): Tail => ({
    tail: number,
    prefix: "p",
    fingerprint: String(number),
    events: 1,
    violation: undefined,
    reached: ["landed crash"],
    ...more,
  });
  const wrong = { kind: "wrong-result", oracle: "results", sentence: "a row too many" } as const;
  const stuck = { kind: "liveness", oracle: "convergence", sentence: "w1 is missing" } as const;

  it("is the kinds of failure, most frequent first, with the tails that show them", () => {
    const tails = [
      tail(1),
      tail(2, { violation: stuck }),
      tail(3, { violation: wrong }),
      tail(4, { violation: { ...wrong, sentence: "another" } }),
    ];
    expect(groupTails(tails)).toEqual([
      { name: "wrong-result [results]", kind: "wrong-result", sentence: "a row too many", tails: [3, 4] },
      { name: "liveness [convergence]", kind: "liveness", sentence: "w1 is missing", tails: [2] },
    ]);
    expect(groupTails([tail(1)])).toEqual([]);
  });

  it("is what only some of them reach, rarest first", () => {
    const tails = [
      tail(1),
      tail(2, { reached: ["landed crash", "point a"] }),
      tail(3, { reached: ["landed crash", "point a", "error X"] }),
    ];
    expect(rareThings(tails)).toEqual([
      { name: "error X", count: 1 },
      { name: "point a", count: 2 },
    ]);
  });
});
