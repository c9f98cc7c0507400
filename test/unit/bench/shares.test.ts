import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawQueries } from "../../../bench/picture.ts";
import { describeShares, sharesOf } from "../../../bench/shares.ts";

const ms = (value: number): string => `${value.toFixed(2)}ms`;

function details(times: {
  readonly elapsed: number;
  readonly parse: number;
  readonly plan: number;
  readonly operators: readonly number[];
}) {
  const operatorSummaries = times.operators.map((time, index) => ({
    operatorType: index % 2 === 0 ? "LookupJoinOperator" : "ExchangeOperator",
    addInputWall: ms(time),
    getOutputWall: "0.00ns",
    finishWall: "0.00ns",
  }));
  const stage = { tasks: [{ stats: { pipelines: [{ operatorSummaries }] } }], subStages: [] };
  const queryStats = { elapsedTime: ms(times.elapsed), queuedTime: ms(times.parse), analysisTime: ms(times.plan) };
  return { queryStats, outputStage: { tasks: [], subStages: [stage, stage] } };
}

describe("the shares of a query's time", () => {
  test("are of the elapsed time, operators by the threads they had", () => {
    const shares = sharesOf(details({ elapsed: 100, parse: 1, plan: 9, operators: [20, 10] }), 2);
    expect(describeShares(shares)).toBe("parse 1%, plan 9%, schedule and wait 60%, LookupJoin 20%, Exchange 10%");
  });

  test("add up, whatever coarse clocks have counted", () => {
    const time = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(time, time, fc.array(time, { maxLength: 5 }), fc.integer({ min: 1, max: 8 }), (parse, plan, operators, threads) => {
        const shares = sharesOf(details({ elapsed: parse + plan + 1, parse, plan, operators }), threads);
        const sum = shares.reduce((all, { fraction }) => all + fraction, 0);
        expect(sum).toBeCloseTo(1, 6);
        expect(shares.every(({ fraction }) => fraction >= -1e-9)).toBe(true);
      }),
    );
  });

  test("are drawn, each in its place, and none outside of its bar", () => {
    const shares = sharesOf(details({ elapsed: 100, parse: 1, plan: 9, operators: [20, 10] }), 2);
    const svg = drawQueries("TPC-H", [{ name: "q01", ratio: 2, ms: 100, shares }]);
    const widths = [...svg.matchAll(/x="([\d.]+)" y="84" width="([\d.]+)"/g)].map(([, x, width]) => [Number(x), Number(width)] as const);
    expect(widths).toHaveLength(5);
    widths.slice(1).forEach(([x], index) => {
      const [before, width] = widths[index] ?? [0, 0];
      expect(x).toBeCloseTo(before + width, 1);
    });
    expect(svg).toContain("q01: join 20%");
    expect(svg).toContain("2.00× · 100 ms");
  });
});
