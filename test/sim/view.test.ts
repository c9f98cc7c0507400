/**
 * The page's model of a run, without a browser: transferred columns, messages, causes, states, comparison, filter and scale.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainOf, coneOf, effectsOf } from "../../sim/view/page/model/causes.ts";
import { differenceOf } from "../../sim/view/page/model/diff.ts";
import { indexesOf, maskOf, matchExpression, openFilter } from "../../sim/view/page/model/filter.ts";
import { detailOf, type Entry, pack, unpack } from "../../sim/view/page/model/format.ts";
import { fates } from "../../sim/view/page/model/messages.ts";
import { buildRun, type Run } from "../../sim/view/page/model/model.ts";
import { formatDuration, formatTime, roundest, roundStep, Scale } from "../../sim/view/page/drawing/scale.ts";
import { pageOf } from "../../sim/view/html.ts";
import { toldQuery, toldRun } from "../support/told-run.ts";

function runOf({ facts, entries }: ReturnType<typeof toldRun>): Run {
  return buildRun(unpack(pack(entries)), facts);
}

function indexOf(run: Run, kind: string, detail: string): number {
  const index = Array.from({ length: run.columns.count }, (_, at) => at).find(
    (at) => run.columns.kinds[run.columns.kind[at] ?? 0] === kind && detailOf(run.columns, at).includes(detail),
  );
  if (index === undefined) {
    throw new Error(`the told run has no ${kind} ${detail}`);
  }
  return index;
}

function legsOf(run: Run, message: number): readonly string[] {
  const { legs, id } = run.messages;
  return Array.from({ length: legs.count }, (_, leg) => leg)
    .filter((leg) => id[legs.message[leg] ?? 0] === message)
    .map((leg) => `${legs.isAnswer[leg] === 1 ? "answer" : "request"} ${fates[legs.fate[leg] ?? 0]}`);
}

describe("columns", () => {
  const entry = fc.record({
    step: fc.nat(2 ** 40),
    event: fc.nat(1_000_000),
    parent: fc.nat(1_000_000),
    place: fc.constantFrom("c", "w1", "world", "ü"),
    kind: fc.constantFrom("request", "timer", "lost"),
    detail: fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.tuple(fc.nat(99), fc.string()).map(([id, rest]) => `m${id} c>w1 task ${rest}`),
      fc.constantFrom("", "m1 c>w1 x", "m1 c>w1 x ", "m01 c>w1 x", "m1 c>w1", "m1 c>w1 x\ny", "m99999999999 c>w1 x"),
    ),
  });

  it("give back what was packed, to the letter", () => {
    fc.assert(
      fc.property(fc.array(entry), (drawn) => {
        let atNanos = 0;
        const entries: Entry[] = drawn.map(({ step, ...rest }) => ({ ...rest, atNanos: (atNanos += step) }));
        const columns = unpack(pack(entries));
        const back = entries.map((_, index) => ({
          atNanos: columns.at[index],
          event: columns.event[index],
          parent: columns.parent[index],
          place: columns.places[columns.place[index] ?? 0],
          kind: columns.kinds[columns.kind[index] ?? 0],
          detail: detailOf(columns, index),
        }));
        expect(back).toEqual(entries);
      }),
    );
  });

  it("say when they are cut off", () => {
    const bytes = pack(toldRun().entries);
    expect(() => unpack(bytes.subarray(0, bytes.length - 3))).toThrow("ends too early");
  });
});

describe("messages", () => {
  const run = runOf(toldRun());

  it("cross twice when all is well", () => {
    expect(legsOf(run, 1)).toEqual(["request arrived", "answer arrived"]);
  });

  it("end where they were lost, reset or cut", () => {
    expect(legsOf(run, 3)).toEqual(["request lost"]);
    expect(legsOf(run, 4)).toEqual(["request cut"]);
    expect(legsOf(run, 6)).toEqual(["request reset"]);
  });

  it("arrive twice, and each answer has a fate of its own", () => {
    expect(legsOf(run, 5)).toEqual(["request arrived", "request duplicated", "answer lost", "answer truncated"]);
  });

  it("come back when nobody is there", () => {
    expect(legsOf(run, 7)).toEqual(["request refused", "answer refused"]);
  });
});

describe("a run", () => {
  const run = runOf(toldRun());

  it("has lives, with a silence between a crash and the next start, and the end of all is no crash", () => {
    const w1 = run.columns.places.indexOf("w1");
    expect(run.lives.filter(({ place }) => place === w1).map(({ from, to, ending }) => [from / 1e6, to / 1e6, ending])).toEqual([
      [0, 5000, "crash"],
      [6000, 6002, "end"],
    ]);
    expect(run.trouble[indexOf(run, "crash", "life 2")]).toBe(0);
    expect(run.trouble[indexOf(run, "crash", "life 1")]).toBe(1);
  });

  it("has states as bars that end with their state or with the node", () => {
    expect(run.bars.map(({ kind, id, ending, to }) => [kind, id.replace(toldQuery, "q"), ending, to / 1e6])).toEqual([
      ["query", "q", "FAILED", 5003],
      ["stage", "q.0", "", 6002],
      ["task", "q.1.0", "", 5000],
    ]);
  });

  it("has faults over the places that they name, until they heal", () => {
    const spans = run.faults.map(({ kind, places, from, to }) => [
      kind,
      places.map((place) => run.columns.places[place]),
      from / 1e6,
      to / 1e6,
    ]);
    expect(spans).toEqual([
      ["partition", ["w2"], 5, 6002],
      ["pause", ["w1"], 14, 16],
      ["crash", ["w1"], 5000, 6000],
    ]);
  });

  it("knows which query a submission began, and its statement", () => {
    expect(run.queries).toEqual([toldQuery]);
    expect(run.query[indexOf(run, "request", "m1 ")]).toBe(0);
    expect(run.query[indexOf(run, "answer", "m1 ")]).toBe(0);
    expect(run.statements).toMatchObject([{ user: "u1", sql: "SELECT 1", ending: "NODE_FAILED w1 is gone", query: 0 }]);
  });

  it("has its violations with their sentence", () => {
    expect(run.violations).toMatchObject([{ kind: "safety", oracle: "results", sentence: "u1 got an error and nothing had failed" }]);
  });

  it("leads from an entry back to its beginning", () => {
    const chain = chainOf(run.cause, indexOf(run, "answer", "m2 ")).map(
      (at) => `${run.columns.kinds[run.columns.kind[at] ?? 0]} ${detailOf(run.columns, at).slice(0, 2)}`,
    );
    expect(chain).toEqual([
      "answer m2",
      "respond m2",
      "task 20",
      "serve m2",
      "request m2",
      "stage 20",
      "query 20",
      "query 20",
      "serve m1",
      "request m1",
      "submit SE",
    ]);
  });

  it("leads on to what followed, and not to what was only later", () => {
    const effects = new Set(effectsOf(run.cause, indexOf(run, "fault", "crash"), 100));
    expect(effects.has(indexOf(run, "start", "life 2"))).toBe(true);
    expect(effects.has(indexOf(run, "end", "NODE"))).toBe(false);
  });

  it("tells what happened before and after from what was at the same time", () => {
    const { past, future } = coneOf(run, indexOf(run, "serve", "m2 "));
    const [c, w2, u1] = ["c", "w2", "u1"].map((name) => run.columns.places.indexOf(name));
    expect(past[c ?? 0]).toBe(indexOf(run, "request", "m2 "));
    expect(past[w2 ?? 0]).toBe(-1);
    expect(future[c ?? 0]).toBe(indexOf(run, "answer", "m2 "));
    expect(past[u1 ?? 0]).toBe(indexOf(run, "request", "m1 "));
  });
});

describe("the comparison", () => {
  const told = toldRun();

  it("of a run with itself finds nothing", () => {
    const difference = differenceOf(runOf(told), runOf(told));
    expect(difference.atNanos).toBeUndefined();
    expect(difference.counts).toEqual({ same: told.entries.length, shifted: 0, onlyA: 0, onlyB: 0 });
  });

  it("pairs entries by what they say: other ids of messages and queries are no difference, another time is a shift", () => {
    const later = told.entries.map((entry) => ({
      ...entry,
      atNanos: entry.atNanos + (entry.atNanos >= 5_000_000_000 ? 1 : 0),
      detail: entry.detail.replace(/^m(\d)/, "m1$1").replaceAll("aaaaa", "bbbbb"),
    }));
    const { counts, atNanos } = differenceOf(runOf(told), runOf({ ...told, entries: later }));
    const shifted = told.entries.filter((entry) => entry.atNanos >= 5_000_000_000).length;
    expect(counts).toEqual({ same: told.entries.length - shifted, shifted, onlyA: 0, onlyB: 0 });
    expect(atNanos).toBe(5_000_000_000);
  });

  it("names what only one side has, first things first", () => {
    const without = told.entries.filter(({ kind }) => kind !== "lost");
    const a = runOf(told);
    const difference = differenceOf(a, runOf({ ...told, entries: without }));
    expect(difference.counts).toMatchObject({ onlyA: 1, onlyB: 0, shifted: 0 });
    expect(difference.firstA).toBe(indexOf(a, "lost", "m3"));
  });
});

describe("the filter", () => {
  const run = runOf(toldRun());
  const all = new Uint8Array(run.columns.count).fill(1);
  const count = (expression: string): number => indexesOf(matchExpression(run, expression), all).length;

  it("hides heartbeats and timers at first, and never a violation", () => {
    const mask = maskOf(run, openFilter);
    expect(mask[indexOf(run, "timer", "heartbeat")]).toBe(0);
    expect(mask[indexOf(run, "request", "m6 ")]).toBe(0);
    expect(mask[indexOf(run, "request", "m7 ")]).toBe(1);
    expect(indexesOf(all, maskOf(run, { ...openFilter, expression: "nothing like this" }))).toEqual([indexOf(run, "violation", "")]);
    expect(maskOf(run, { ...openFilter, hiddenPlaces: new Set(["world"]), onlyTrouble: true })[indexOf(run, "violation", "")]).toBe(1);
  });

  it("understands fields, exclusion and messages", () => {
    expect(count("kind:lost")).toBe(2);
    expect(count("kind:lost -kind:answer")).toBe(1);
    expect(count("place:u1")).toBe(4);
    expect(count("m7")).toBe(3);
    expect(count("label:task-update place:w1")).toBe(2);
    expect(count(`query:${toldQuery} kind:query`)).toBe(3);
    expect(count('text:"select 1"')).toBe(1);
  });
});

describe("the scale", () => {
  it("of activity shortens silence, keeps the order, and goes both ways", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(10 ** 11), { minLength: 2 }), (drawn) => {
        const times = Float64Array.from(drawn).sort();
        const scale = Scale.activity(times, 2_000_000);
        const positions = scale.positionsOf(times);
        for (let index = 1; index < times.length; index++) {
          const gap = (times[index] ?? 0) - (times[index - 1] ?? 0);
          const step = (positions[index] ?? 0) - (positions[index - 1] ?? 0);
          expect(step).toBeGreaterThan(0);
          expect(step).toBeLessThanOrEqual(gap * 1.000001 + 2_000_000);
        }
        const middle = ((times[0] ?? 0) + (times.at(-1) ?? 0)) / 2;
        expect(Math.abs(scale.nanosAt(scale.positionOf(middle)) - middle)).toBeLessThan(1000);
      }),
    );
  });

  it("has round times at its lines", () => {
    expect(roundest(123_456, 187_000)).toBe(150_000);
    expect([0.3, 1, 3, 5, 11, 73_000_001].map(roundStep)).toEqual([1, 1, 5, 5, 20, 100_000_000]);
    expect(roundest(3_460_000_001, 3_540_000_000)).toBe(3_500_000_000);
  });

  it("writes times as asked", () => {
    const options = { originNanos: 1_000_000_000, spanNanos: 1 };
    expect(formatTime(62_345_678_901, { ...options, format: "seconds" })).toBe("62.345678901 s");
    expect(formatTime(62_345_678_901, { ...options, format: "clock" })).toBe("00:01:02.345678901");
    expect(formatTime(998_500_000, { ...options, format: "relative" })).toBe("−1.500 ms");
    expect([12, 1_500, 25_000_000, 3e9].map(formatDuration)).toEqual(["12 ns", "1.500 µs", "25.00 ms", "3.000 s"]);
  });
});

describe("the file", () => {
  it("is one page that may ask for nothing and whose data is no markup", async () => {
    const told = toldRun("<script>alert(1)</script>");
    const page = await pageOf([told]);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain("alert(1)");
    expect(page).not.toMatch(/<link[^>]+href="(?!data:)|<(img|iframe|script)[^>]+src=|url\(|@import/);
  });
});
