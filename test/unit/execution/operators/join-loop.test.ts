/**
 * Nested loop joins: a call ends after a bounded number of comparisons, whatever they find, and the output pages do not depend on it.
 */
import { describe, expect, it } from "vitest";
import { compileJoinFilter } from "../../../../src/execution/operators/join/join-filter.ts";
import { JoinBuildOperator, JoinProbeOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import type { JoinType } from "../../../../src/execution/operators/join/join-options.ts";
import { JoinBridge } from "../../../../src/execution/hash-table/join-table.ts";
import { pageRowsMax } from "../../../../src/page/page.ts";
import type { MemoryContext } from "../../../../src/memory/memory.ts";
import type { Call, RowExpression, Variable } from "../../../../src/planner/plan/typed-expression.ts";
import { BIGINT, BOOLEAN, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { backends, makeBench, operatorContext, withMemory } from "../kernels.ts";
import { type Cell, makePage, readRows, type Row } from "../rows.ts";

const variable = (name: string, type: Type): Variable => ({ kind: "variable", name, type });
const call = (name: string, type: Type, ...args: readonly RowExpression[]): Call => ({ kind: "call", name, type, args });
const constant = (type: Type, value: string): RowExpression => ({ kind: "constant", type, value });

interface Loop {
  readonly joinType: JoinType;
  readonly type: Type;
  /** Filter over `p` and `b`. */
  readonly filter: (p: Variable, b: Variable) => RowExpression;
  readonly probe: readonly Row[];
  readonly build: readonly Row[];
  /** Hash join on a second column that is constant: one chain of all rows. */
  readonly keyed?: boolean;
}

interface Run {
  readonly pages: readonly Cell[][][];
  /** Comparisons that each call reported, in work units. */
  readonly work: readonly number[];
  readonly peakBytes: number;
}

describe.each(backends)("a loop join on the %s backend", (backend) => {
  const bench = makeBench(backend);

  function run(memory: MemoryContext, { joinType, type, filter, probe, build, keyed = false }: Loop): Run {
    const bridge = new JoinBridge();
    const types = keyed ? [type, BIGINT] : [type];
    const rowsOf = (rows: readonly Row[]): readonly Row[] => (keyed ? rows.map((row) => [...row, 7n]) : rows);
    const builder = new JoinBuildOperator({
      context: operatorContext(bench, memory.child("build")),
      bridge,
      types,
      keyChannels: keyed ? [1] : [],
      joinType,
    });
    for (let first = 0; first < build.length; first += pageRowsMax) {
      builder.addInput(makePage(memory, types, rowsOf(build.slice(first, first + pageRowsMax)), "flat"));
    }
    builder.finish();
    void builder.blocked();
    const context = operatorContext(bench, memory.child("probe"));
    const variables = (side: string): Variable[] => types.map((one, index) => variable(`${side}${index}`, one));
    const [probeVariables, buildVariables] = [variables("p"), variables("b")];
    const compiled = compileJoinFilter(
      context,
      filter(probeVariables[0] as Variable, buildVariables[0] as Variable),
      probeVariables,
      buildVariables,
    );
    const operator = new JoinProbeOperator({
      context,
      bridge,
      joinType,
      keys: keyed ? [{ probeChannel: 1, buildChannel: 1 }] : [],
      probeTypes: types,
      buildTypes: types,
      outputs: [
        { side: "probe", channel: 0 },
        { side: "build", channel: 0 },
      ],
      filter: compiled,
    });
    const pages: Cell[][][] = [];
    const work: number[] = [];
    const take = (): void => {
      while (!operator.needsInput && !operator.isFinished) {
        const page = operator.getOutput();
        work.push(operator.takeWorkUnits());
        if (page !== undefined) {
          pages.push(readRows(memory, page));
        }
      }
    };
    operator.addInput(makePage(memory, types, rowsOf(probe), "flat"));
    take();
    operator.finish();
    take();
    const { peakBytes } = context.memory;
    operator.close();
    builder.close();
    return { pages, work, peakBytes };
  }

  const numbers = (count: number): Row[] => Array.from({ length: count }, (_, index) => [BigInt(index)]);
  const sumIs = (sum: number) => (p: Variable, b: Variable) =>
    call("$eq", BOOLEAN, call("$add", BIGINT, p, b), constant(BIGINT, String(sum)));
  const sumIsLess = (sum: number) => (p: Variable, b: Variable) =>
    call("$lt", BOOLEAN, call("$add", BIGINT, p, b), constant(BIGINT, String(sum)));

  it("ends each call after a page's worth of comparisons, though none of them holds", () => {
    for (const keyed of [false, true]) {
      withMemory(bench, (memory) => {
        const loop = { joinType: "INNER" as const, type: BIGINT, filter: sumIs(-1), keyed };
        const { pages, work } = run(memory, { ...loop, probe: numbers(300), build: numbers(500) });
        expect(pages).toEqual([]);
        expect(work.length).toBe(Math.ceil((300 * 500) / pageRowsMax));
        expect(Math.max(...work)).toBe(pageRowsMax / 4);
        expect(work.reduce((sum, units) => sum + units, 0)).toBe((300 * 500) / 4);
      });
    }
  });

  it("gives the rows and the pages of one that never stops", () => {
    const probe = numbers(300);
    const build = numbers(500);
    for (const joinType of ["INNER", "LEFT", "RIGHT", "FULL"] as const) {
      for (const keyed of [false, true]) {
        const sum = 200;
        withMemory(bench, (memory) => {
          const { pages } = run(memory, { joinType, type: BIGINT, filter: sumIsLess(sum), probe, build, keyed });
          const matched = probe.flatMap(([p]): Cell[][] => {
            const pairs = build.filter(([b]) => Number(p) + Number(b) < sum).map(([b]) => [p as Cell, b as Cell]);
            return pairs.length === 0 && (joinType === "LEFT" || joinType === "FULL") ? [[p as Cell, null]] : pairs;
          });
          const unmatched = joinType === "RIGHT" || joinType === "FULL" ? build.slice(sum).map(([b]): Cell[] => [null, b as Cell]) : [];
          expect(pages.flat()).toEqual([...matched, ...unmatched]);
          // A page is full if more rows of the same kind follow.
          const lengths = [matched, unmatched].flatMap(({ length }) =>
            Array.from({ length: Math.ceil(length / pageRowsMax) }, (_, page) => Math.min(pageRowsMax, length - page * pageRowsMax)),
          );
          expect(pages.map(({ length }) => length)).toEqual(lengths);
        });
      }
    }
  });

  it("holds what one call's texts take, not what all take", () => {
    const text = "x".repeat(200);
    const texts = (count: number): Row[] => Array.from({ length: count }, (_, index) => [`${text}${index}`]);
    const filter = (p: Variable, b: Variable): RowExpression =>
      call("$eq", BOOLEAN, call("concat", VARCHAR, p, b), constant(VARCHAR, "nothing"));
    withMemory(bench, (memory) => {
      const few = run(memory, { joinType: "INNER", type: VARCHAR, filter, probe: texts(100), build: texts(200) });
      expect(few.work.length).toBeGreaterThan(1);
      const many = run(memory, { joinType: "INNER", type: VARCHAR, filter, probe: texts(400), build: texts(400) });
      // All texts together would take 64 MB.
      expect(many.peakBytes).toBeLessThan(1.2 * few.peakBytes);
    });
  });
});
