import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RefusedRequest } from "../../../../src/server/edge/intake.ts";
import { FailedLogins } from "../../../../src/server/security/failed-logins.ts";

let nowMs = 0;
const opened = (addressesMax = 100): FailedLogins => new FailedLogins({ burst: 3, intervalMs: 1000, addressesMax, nowMs: () => nowMs });

/** "ok", or the seconds after which the address may try again. */
function tried(failures: FailedLogins, address: string): string {
  try {
    failures.attempt(address);
    return "ok";
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedRequest);
    const { headers, statusCode } = error as RefusedRequest;
    expect(statusCode).toBe(429);
    return String(headers["retry-after"]);
  }
}

describe("an address that sends wrong passwords", () => {
  it("can send some at once, then one each interval", () => {
    nowMs = 5000;
    const failures = opened();
    expect(["a", "a", "a", "a", "a"].map((address) => tried(failures, address))).toEqual(["ok", "ok", "ok", "1", "1"]);
    nowMs += 999;
    expect(tried(failures, "a")).toBe("1");
    nowMs += 1;
    expect([tried(failures, "a"), tried(failures, "a")]).toEqual(["ok", "1"]);
    nowMs += 3000;
    expect(["a", "a", "a", "a"].map((address) => tried(failures, address))).toEqual(["ok", "ok", "ok", "1"]);
  });

  it("keeps no other one from a login", () => {
    const failures = opened();
    for (let turn = 0; turn < 10; turn++) {
      tried(failures, "192.0.2.1");
    }
    expect(tried(failures, "192.0.2.2")).toBe("ok");
  });

  it("pays nothing for those that were right", () => {
    const failures = opened();
    for (let turn = 0; turn < 50; turn++) {
      expect(tried(failures, "a")).toBe("ok");
      failures.forgive("a");
    }
  });

  it("is an IPv4 address, or the network of an IPv6 address, however it is written", () => {
    for (const [first, same, other] of [
      ["192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"],
      ["2001:db8:1:2::1", "2001:0db8:0001:0002:ffff:0:0:9", "2001:db8:1:3::1"],
      ["::1", "0:0:0:0:9:8:7:6", "0:0:0:1::1"],
      ["fe80::1%eth0", "fe80::2", "fe80:0:0:1::1"],
      ["2001:db8::", "2001:db8:0:0:1::", "2001:db9::"],
    ] as const) {
      const failures = opened();
      expect([first, first, same, same, other].map((address) => tried(failures, address))).toEqual(["ok", "ok", "ok", "1", "ok"]);
    }
  });
});

it("never lets an address send more than the burst and what the time allows, in any order of times and addresses", () => {
  const step = fc.record({ address: fc.constantFrom("a", "b", "c"), waitMs: fc.integer({ min: 0, max: 2500 }), isRight: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      nowMs = 0;
      const failures = opened();
      const wrong = new Map<string, number[]>();
      for (const { address, waitMs, isRight } of steps) {
        nowMs += waitMs;
        const answer = tried(failures, address);
        const times = wrong.get(address) ?? [];
        if (answer === "ok" && isRight) {
          failures.forgive(address);
        } else if (answer === "ok") {
          wrong.set(address, [...times, nowMs]);
        }
        for (const [index, begin] of (wrong.get(address) ?? []).entries()) {
          const since = (wrong.get(address) ?? []).slice(index).length;
          expect(since).toBeLessThanOrEqual(3 + (nowMs - begin) / 1000);
        }
        // Whoever has waited for a burst is free again.
        expect(answer === "ok" || nowMs - (times.at(-1) ?? 0) < 3000).toBe(true);
      }
    }),
  );
});

it("remembers a bounded number of addresses", () => {
  nowMs = 0;
  const failures = opened(2);
  for (const address of ["a", "a", "a", "b", "c"]) {
    tried(failures, address);
  }
  expect([tried(failures, "a"), tried(failures, "c")]).toEqual(["ok", "ok"]);
});
