import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClusterHistory, historySeconds, measures, rateOf } from "../../../src/web/api/cluster-history.ts";
import type { Cluster } from "../../../src/web/api/documents.ts";
import { clusterStatsExample } from "../../../src/protocol/documents/cluster.ts";

const start = 1_700_000_000;

function totals(changes: Partial<Cluster>): Cluster {
  return { ...clusterStatsExample, ...changes };
}

describe("the history of the cluster's totals", () => {
  it("makes rates of growing counters", () => {
    const history = new ClusterHistory();
    history.add(start, totals({ processedRows: 1000, finishedQueries: 4 }));
    expect(history.latest("rowRate")).toBeUndefined();
    history.add(start + 2, totals({ processedRows: 3000, finishedQueries: 5 }));
    expect(history.latest("rowRate")).toBe(1000);
    expect(history.latest("finishedRate")).toBe(0.5);
    // The coordinator was restarted: its counters begin at zero, and no rate is negative.
    history.add(start + 3, totals({ processedRows: 10, finishedQueries: 0 }));
    expect(history.latest("rowRate")).toBeUndefined();
    expect([rateOf(undefined, 1, 1), rateOf(1, undefined, 1), rateOf(1, 2, 0), rateOf(2, 1, 1)]).toEqual([null, null, null, null]);
  });

  it("keeps ten minutes, in order, with columns of one length", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -30, max: 400, noNaN: true }), { minLength: 1, maxLength: 200 }), (steps) => {
        const history = new ClusterHistory();
        let at = start;
        for (const step of steps) {
          at += step;
          history.add(at, totals({ runningQueries: 1 }));
        }
        const { times } = history;
        expect(times.at(-1)).toBe(at);
        expect(times[0]).toBeGreaterThanOrEqual(at - historySeconds);
        expect([...times].sort((a, b) => a - b)).toEqual(times);
        expect(measures.map((measure) => history.column(measure).length)).toEqual(measures.map(() => times.length));
        expect(history.minutes().length).toBeLessThanOrEqual(historySeconds / 60 + 1);
      }),
    );
  });

  it("draws no line over a pause, and no rate of it", () => {
    const history = new ClusterHistory();
    history.add(start, totals({ processedRows: 0, runningQueries: 1 }));
    history.add(start + 1, totals({ processedRows: 10, runningQueries: 2 }));
    history.add(start + 61, totals({ processedRows: 1_000_000, runningQueries: 3 }));
    expect(history.column("running")).toEqual([1, 2, null, 3]);
    expect(history.column("rowRate")).toEqual([null, 10, null, null]);
  });

  it("survives a reload, and takes nothing that another build saved", () => {
    const history = new ClusterHistory();
    history.add(start, totals({ runningQueries: 1 }));
    history.add(start + 1, totals({ runningQueries: 2 }));
    const again = new ClusterHistory();
    again.restore(history.save(), start + 30);
    again.add(start + 30, totals({ runningQueries: 3 }));
    expect(again.column("running")).toEqual([1, 2, null, 3]);
    for (const text of ["", "{}", "[]", '{"times":[1],"columns":{}}', '{"times":"x"}', history.save().replace("loopDelay", "other")]) {
      const empty = new ClusterHistory();
      empty.restore(text, start + 30);
      expect(empty.times).toEqual([]);
    }
    const later = new ClusterHistory();
    later.restore(history.save(), start + 2 * historySeconds);
    later.add(start + 2 * historySeconds, totals({ runningQueries: 4 }));
    expect(later.column("running").filter((value) => value !== null)).toEqual([4]);
  });

  it("has means of minutes, latest first", () => {
    const history = new ClusterHistory();
    const minute = Math.ceil(start / 60) * 60;
    for (const [after, running] of [
      [50, 2],
      [55, 4],
      [60, 7],
    ] as const) {
      history.add(minute + after, totals({ runningQueries: running }));
    }
    expect(history.minutes().map(({ atSeconds, means }) => [atSeconds - minute, means.running])).toEqual([
      [60, 7],
      [0, 3],
    ]);
  });
});
