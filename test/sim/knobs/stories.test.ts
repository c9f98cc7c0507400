/** Stories that some runs have, in the plans that are drawn for them. */
import { expect, test } from "vitest";
import { drawRun } from "../../../sim/draw/draw.ts";
import type { RunPlan } from "../../../sim/plan.ts";
import { retriesTasks } from "../../../sim/properties.ts";

const plans = Array.from({ length: 250 }, (_, index) => drawRun(String(index + 1)));
const usersOf = ({ users }: RunPlan, pattern: RegExp) => users.filter(({ name }) => pattern.test(name));

test("a crowd is larger than the number of queries that start at a time, comes at one moment, and some of it leave", () => {
  const crowds = plans.filter((plan) => usersOf(plan, /^q\d$/).length > 0);
  expect(crowds.length).toBeGreaterThan(10);
  const leaving = crowds.map((plan) => {
    const users = usersOf(plan, /^q\d$/);
    const starts = users.map(({ startNanos }) => startNanos);
    expect(users.length).toBeGreaterThan(plan.knobs?.["starting-queries"] ?? 32);
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThanOrEqual(10e6);
    return users.filter(
      ({ session, statements }) => session !== undefined || statements.some(({ behaviour }) => behaviour.kind !== "reads-all"),
    );
  });
  expect(leaving.filter(({ length }) => length > 0).length).toBeGreaterThan(crowds.length / 2);
});

test("a worker that falls silent heals, while two users write and lost tasks run again", () => {
  const silent = plans.filter((plan) => usersOf(plan, /^k\d$/).length > 0);
  expect(silent.length).toBeGreaterThan(4);
  for (const plan of silent) {
    const [first] = usersOf(plan, /^k\d$/);
    expect(retriesTasks(plan.properties)).toBe(true);
    const pauses = plan.faults.filter((fault) => fault.kind === "pause" && fault.permanent !== true && fault.afterWorkEvents !== undefined);
    expect(pauses.filter(({ atNanos }) => atNanos <= (first?.startNanos ?? 0))).not.toHaveLength(0);
  }
});

test("no two users of a run have one name", () => {
  for (const { seed, users } of plans) {
    expect(new Set(users.map(({ name }) => name)).size, `seed ${seed}`).toBe(users.length);
  }
});
