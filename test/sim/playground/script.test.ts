/** Addresses of runs: what they hold comes back, and what they may not hold is refused with the reason. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Act, fromAddress, nodeNames, type Shared, toAddress } from "../../../sim/playground/script.ts";

const workers = fc.integer({ min: 1, max: 6 });

function actOf(count: number): fc.Arbitrary<Act> {
  const node = fc.constantFrom(...nodeNames({ seed: "", workers: count }));
  const atNanos = fc.nat({ max: 1e12 });
  const link = fc.tuple(node, node).filter(([from, to]) => from !== to);
  return fc.oneof(
    fc.record({ kind: fc.constant("sql" as const), atNanos, sql: fc.string({ unit: "grapheme" }) }),
    fc.record({ kind: fc.constant("cancel" as const), atNanos, client: fc.constantFrom("you", "you2") }),
    fc.record({ kind: fc.constantFrom("kill" as const, "restart" as const), atNanos, node }),
    fc.tuple(fc.constantFrom("cut" as const, "slow" as const, "join" as const), atNanos, link).map(([kind, nanos, [from, to]]) => ({
      kind,
      atNanos: nanos,
      from,
      to,
    })),
  );
}

const shared: fc.Arbitrary<Shared> = workers.chain((count) =>
  fc.record({
    script: fc.record({
      cluster: fc.record({ seed: fc.string({ minLength: 1, maxLength: 20 }), workers: fc.constant(count) }),
      acts: fc.array(actOf(count), { maxLength: 8 }).map((acts) => acts.toSorted((a, b) => a.atNanos - b.atNanos)),
    }),
    atNanos: fc.option(fc.nat({ max: 1e12 }), { nil: undefined }),
    fingerprint: fc.constantFrom("", "5b1e77c0-9a410d2f"),
  }),
);

describe("the address of a run", () => {
  it("holds everything that the run depends on", () => {
    fc.assert(
      fc.property(shared, (run) => {
        expect(fromAddress(`#${toAddress(run)}`)).toEqual(run);
      }),
    );
  });

  it("survives as part of an address", () => {
    fc.assert(
      fc.property(shared, (run) => {
        const url = new URL(`file:///tmp/playground.html#${toAddress(run)}`);
        expect(fromAddress(url.hash)).toEqual(run);
      }),
    );
  });

  it("can be read by people", () => {
    const script = { cluster: { seed: "7", workers: 3 }, acts: [{ kind: "kill", node: "w1", atNanos: 5 } as const] };
    expect(toAddress({ script, atNanos: 9, fingerprint: "" })).toBe("seed=7&workers=3&act=5.kill.w1&at=9");
  });

  it.each([
    ["workers=7", "'7' is no number of workers from 1 to 6"],
    ["workers=x", "'x' is no number of workers from 1 to 6"],
    ["seed=", "the seed has 0 characters instead of 1 to 64"],
    ["act=kill", "'kill' is no act"],
    ["act=5.explode.w1", "'explode' is no kind of act"],
    ["act=5.kill.w9", "'5.kill.w9' names no node of this cluster"],
    ["act=5.cut.w1~w1", "'5.cut.w1~w1' names no link of this cluster"],
    ["act=9.kill.w1&act=5.kill.w2", "the address holds an act at 5 after one at 9"],
    ["at=soon", "'soon' is no time in nanoseconds"],
    ["at=99999999999999999", "'99999999999999999' is no time in nanoseconds"],
  ])("refuses %s", (text, reason) => {
    expect(() => fromAddress(text)).toThrow(reason);
  });
});
