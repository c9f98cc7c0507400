/**
 * Schedules of messages: priorities and swapped races are legal orders, the healthy engine passes under them, and they repeat.
 */
import { describe, expect, it } from "vitest";
import { drawRun } from "../../../sim/draw/draw.ts";
import { drawAnySchedule } from "../../../sim/draw/schedule.ts";
import { runPlan } from "../../../sim/run.ts";
import { SharedState } from "../../../sim/shared.ts";
import { Causes } from "../../../sim/trace/causes.ts";
import { deliveriesIn, type Race, someRaces } from "../../../sim/trace/races.ts";
import { type PlannedSchedule, Schedule, type ScheduledLeg } from "../../../sim/world/schedule.ts";
import { StreamTree } from "../../../sim/world/streams.ts";
import type { TraceEntry } from "../../../sim/world/world.ts";

const shared = new SharedState();
const ms = 1_000_000;

function schedule(planned: PlannedSchedule, isOver = () => false): Schedule {
  return new Schedule(planned, { draws: StreamTree.root("1").named("schedule"), isOver });
}

function leg(number: number, { from = "c", to = "w1", label = "task-update" } = {}): ScheduledLeg {
  return { name: `${from}>${to} ${label} #${number} request`, from, to, label };
}

const racesOfEach = 4;

/** Number of races of a seed's run whose order is the other one after the delay that should swap it. */
async function swappedOf(seed: string): Promise<number> {
  const { schedule: _drawn, ...plan } = drawRun(seed);
  const runOf = async (delays: Readonly<Record<string, number>>) => {
    const entries: TraceEntry[] = [];
    const { violations } = await runPlan({ ...plan, delays }, { shared, trace: (entry) => entries.push(entry) });
    return { violations, causes: new Causes(entries) };
  };
  const order = (causes: Causes, { first, second, place }: Race): boolean => {
    const names = deliveriesIn(causes)
      .filter(({ entry }) => entry.place === place)
      .map(({ name }) => name);
    return names.includes(second) && (!names.includes(first) || names.indexOf(first) > names.indexOf(second));
  };
  const { causes } = await runOf({});
  const stream = StreamTree.root("races").stream("races");
  const races = someRaces(causes, { racesMax: racesOfEach, shuffle: (items) => stream.shuffle(items) });
  expect(races.length).toBe(racesOfEach);
  let swaps = 0;
  for (const race of races) {
    expect(order(causes, race)).toBe(false);
    const swapped = await runOf({ [race.first]: race.delayNanos });
    swaps += order(swapped.causes, race) ? 1 : 0;
    expect(swapped.violations).toEqual([]);
  }
  return swaps;
}

describe("priorities", () => {
  const pct = { kind: "pct", by: "link", ranks: 4, gapNanos: 5 * ms, changePoints: [3] } as const;

  it("are one for each class, and drop at a change point", () => {
    const one = schedule(pct);
    const before = one.delayOf(leg(1));
    expect(before % (5 * ms)).toBe(0);
    expect(one.delayOf(leg(2))).toBe(before);
    expect(one.delayOf(leg(3))).toBe(4 * 5 * ms);
    expect(one.delayOf(leg(4))).toBe(4 * 5 * ms);
    expect(before).toBeLessThan(4 * 5 * ms);
    const delays = Array.from({ length: 20 }, (_, to) => schedule(pct).delayOf(leg(1, { to: `w${to}` })));
    expect(new Set(delays).size).toBeGreaterThan(2);
  });

  it("delay neither signs of life nor anything after the faults", () => {
    expect(schedule(pct).delayOf(leg(1, { label: "heartbeat" }))).toBe(0);
    expect(schedule({ ...pct, changePoints: [1] }, () => true).delayOf(leg(1))).toBe(0);
  });
});

describe("swapped races", () => {
  const races = { kind: "races", per1000: 1_000, windowNanos: 2 * ms } as const;

  it("hold a message until another that was on its way has arrived, once", () => {
    const one = schedule(races);
    one.sent(leg(1), 10 * ms);
    one.sent(leg(2), 11 * ms);
    expect(one.hold(leg(1), 10 * ms)).toBe(ms + 1_000);
    expect(one.hold(leg(2), 11 * ms)).toBe(0);
    expect(one.hold(leg(1), 11 * ms + 1_000)).toBe(0);
  });

  it("do not hold what is alone, far from others, or to another place", () => {
    const one = schedule(races);
    one.sent(leg(1), 10 * ms);
    one.sent(leg(2), 13 * ms);
    one.sent(leg(3, { to: "w2" }), 11 * ms);
    expect(one.hold(leg(1), 10 * ms)).toBe(0);
  });
});

describe("a scheduled run", () => {
  it("passes, repeats itself, and is the same with its delays listed", async () => {
    for (const seed of ["10", "43"]) {
      const { schedule: _drawn, ...plan } = drawRun(seed);
      const planned = { ...plan, schedule: drawAnySchedule(StreamTree.root(seed).stream("schedule")) };
      const first = await runPlan(planned, { shared });
      expect(first.violations, seed).toEqual([]);
      expect(first.fates.filter(({ kind }) => kind === "delayed").length, seed).toBeGreaterThan(3);
      expect((await runPlan(planned, { shared })).fingerprint).toBe(first.fingerprint);
      expect((await runPlan(plan, { shared })).fingerprint).not.toBe(first.fingerprint);
      if (planned.schedule.kind === "pct") {
        const listed = await runPlan({ ...plan, fates: first.fates }, { shared });
        expect(listed.fingerprint).toBe(first.fingerprint);
      }
    }
  });

  it("has the other order after most races are swapped, and passes", async () => {
    const seeds = ["22", "53", "18"];
    let swaps = 0;
    for (const seed of seeds) {
      swaps += await swappedOf(seed);
    }
    // A delay of the first message may also delay what the second waits for at its sender.
    expect(swaps).toBeGreaterThan((racesOfEach * seeds.length) / 2);
  });
});
