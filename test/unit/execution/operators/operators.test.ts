import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinBuildOperator, JoinProbeOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import type { JoinType } from "../../../../src/execution/operators/join/join-options.ts";
import { JoinBridge } from "../../../../src/execution/hash-table/join-table.ts";
import { MarkDistinctOperator } from "../../../../src/execution/operators/aggregation/mark-distinct.ts";
import { HashSemiJoinOperator } from "../../../../src/execution/operators/join/semi-join.ts";
import { EnforceSingleRowOperator, LimitOperator, OffsetOperator } from "../../../../src/execution/operators/row-count-operators.ts";
import { OrderByOperator } from "../../../../src/execution/operators/sort/order-by-operator.ts";
import { TopNOperator } from "../../../../src/execution/operators/sort/top-n-operator.ts";
import { BIGINT, DOUBLE, INTEGER, type Type, VARCHAR } from "../../../../src/types/type.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import {
  arbitraryRows,
  arbitraryShape,
  type Cell,
  cellTypes,
  compareRows,
  groupKey,
  joinsWith,
  makePage,
  type Row,
  type Shape,
} from "../rows.ts";

const allTypes: readonly Type[] = cellTypes;
const arbitraryPages = (types: readonly Type[]): fc.Arbitrary<{ rows: Row[]; shape: Shape }[]> =>
  fc.array(fc.record({ rows: arbitraryRows(types), shape: arbitraryShape }), { maxLength: 4 });

describe.each(backends)("operators on the %s backend", (backend) => {
  const bench = makeBench(backend);
  const runs = { numRuns: backend === "wasm" ? 60 : 25 };

  it("sort like a stable sort of rows", () => {
    const orders = fc.array(fc.record({ channel: fc.nat(allTypes.length - 1), descending: fc.boolean(), nullsFirst: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(arbitraryPages(allTypes), orders, fc.nat(30), (pages, order, count) =>
        withMemory(bench, (memory) => {
          const inputs = pages.map(({ rows, shape }) => makePage(memory, allTypes, rows, shape));
          const expected = pages.flatMap(({ rows }) => rows).toSorted((a, b) => compareRows(a, b, order));
          const options = { types: allTypes, sortChannels: order.map(({ channel }) => channel), order };
          const sort = new OrderByOperator({ ...options, context: operatorContext(bench, memory.child("sort")) });
          expect(runOperator(memory, sort, inputs)).toEqual(expected);
          sort.close();
          const top = new TopNOperator({ ...options, context: operatorContext(bench, memory.child("top")) }, count);
          expect(runOperator(memory, top, inputs)).toEqual(expected.slice(0, count));
          top.close();
          const ties = new TopNOperator({ ...options, context: operatorContext(bench, memory.child("ties")) }, count, true);
          const last = expected[count - 1];
          const tied = expected.filter((row, index) => index < count || (last !== undefined && compareRows(row, last, order) === 0));
          expect(runOperator(memory, ties, inputs)).toEqual(tied);
          ties.close();
        }),
      ),
      runs,
    );
  });

  it("join like two nested loops, in probe order and then build order", () => {
    const plan = fc.record({
      keys: fc.constantFrom<readonly number[]>([], [0], [1], [2], [3], [0, 2], [2, 1]),
      joinType: fc.constantFrom<JoinType>("INNER", "LEFT", "RIGHT", "FULL"),
      probe: arbitraryPages(allTypes),
      build: arbitraryPages(allTypes),
    });
    fc.assert(
      fc.property(plan, ({ keys, joinType, probe, build }) =>
        withMemory(bench, (memory) => {
          const bridge = new JoinBridge();
          const builder = new JoinBuildOperator({
            context: operatorContext(bench, memory.child("build")),
            bridge,
            types: allTypes,
            keyChannels: keys,
            joinType,
          });
          for (const { rows, shape } of build) {
            if (rows.length > 0) {
              builder.addInput(makePage(memory, allTypes, rows, shape));
            }
          }
          builder.finish();
          while (bridge.table === undefined) {
            void builder.blocked();
          }
          const both = [0, 1, 2, 3, 4];
          const operator = new JoinProbeOperator({
            context: operatorContext(bench, memory.child("probe")),
            bridge,
            joinType,
            keys: keys.map((channel) => ({ probeChannel: channel, buildChannel: channel })),
            probeTypes: allTypes,
            buildTypes: allTypes,
            outputs: [
              ...both.map((channel) => ({ side: "probe" as const, channel })),
              ...both.map((channel) => ({ side: "build" as const, channel })),
            ],
          });
          const output = runOperator(
            memory,
            operator,
            probe.map(({ rows, shape }) => makePage(memory, allTypes, rows, shape)),
          );
          operator.close();
          expect(builder.isFinished).toBe(true);
          builder.close();
          expect(output).toEqual(
            joinRows(
              probe.flatMap(({ rows }) => rows),
              build.flatMap(({ rows }) => rows),
              keys,
              joinType,
            ),
          );
        }),
      ),
      runs,
    );
  });

  it("find members of a set in three values", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 2),
        arbitraryPages(allTypes),
        arbitraryPages([BIGINT]),
        arbitraryPages([VARCHAR]),
        (channel, pages, numbers, texts) =>
          withMemory(bench, (memory) => {
            const [type, setPages] = channel === 0 ? [BIGINT, numbers] : [VARCHAR, texts];
            const bridge = new JoinBridge();
            const builder = new JoinBuildOperator({
              context: operatorContext(bench, memory.child("set")),
              bridge,
              types: [type],
              keyChannels: [0],
              joinType: "INNER",
            });
            for (const { rows, shape } of setPages) {
              if (rows.length > 0) {
                builder.addInput(makePage(memory, [type], rows, shape));
              }
            }
            builder.finish();
            void builder.blocked();
            const operator = new HashSemiJoinOperator({
              context: operatorContext(bench, memory.child("semi")),
              bridge,
              keyChannel: channel,
              types: allTypes,
            });
            const output = runOperator(
              memory,
              operator,
              pages.map(({ rows, shape }) => makePage(memory, allTypes, rows, shape)),
            );
            operator.close();
            builder.close();
            const set = setPages.flatMap(({ rows }) => rows.map((row) => row[0] as Cell));
            expect(output.map((row) => row.at(-1))).toEqual(
              pages.flatMap(({ rows }) => rows.map((row) => isMember(row[channel] as Cell, set))),
            );
          }),
      ),
      runs,
    );
  });

  it("mark the first row of each combination", () => {
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), arbitraryPages(allTypes), (channels, pages) =>
        withMemory(bench, (memory) => {
          const operator = new MarkDistinctOperator({
            context: operatorContext(bench, memory.child("mark")),
            types: allTypes,
            keyChannels: channels,
          });
          const output = runOperator(
            memory,
            operator,
            pages.map(({ rows, shape }) => makePage(memory, allTypes, rows, shape)),
          );
          operator.close();
          const seen = new Set<string>();
          const expected = pages.flatMap(({ rows }) =>
            rows.map((row) => {
              const key = groupKey(channels.map((channel) => row[channel] as Cell));
              const isFirst = !seen.has(key);
              seen.add(key);
              return [...row, isFirst];
            }),
          );
          expect(output).toEqual(expected);
        }),
      ),
      runs,
    );
  });

  it("count rows: limit, offset, a single row", () => {
    fc.assert(
      fc.property(arbitraryPages([BIGINT, VARCHAR]), fc.nat(60), (pages, count) =>
        withMemory(bench, (memory) => {
          const types = [BIGINT, VARCHAR];
          const inputs = pages.map(({ rows, shape }) => makePage(memory, types, rows, shape));
          const rows = pages.flatMap((page) => page.rows);
          expect(runOperator(memory, new LimitOperator(operatorContext(bench, memory), count), inputs)).toEqual(rows.slice(0, count));
          expect(runOperator(memory, new OffsetOperator(operatorContext(bench, memory), count), inputs)).toEqual(rows.slice(count));
          const single = new EnforceSingleRowOperator(operatorContext(bench, memory.child("single")), types);
          if (rows.length > 1) {
            expect(() => runOperator(memory, single, inputs)).toThrow("Scalar sub-query has returned multiple rows");
          } else {
            expect(runOperator(memory, single, inputs)).toEqual(rows.length === 1 ? rows : [[null, null]]);
          }
          single.close();
        }),
      ),
      runs,
    );
  });

  it("sort many rows by several columns", () =>
    withMemory(bench, (memory) => {
      const types = [INTEGER, VARCHAR, BIGINT];
      const texts = ["", "a", "abcdefghi", "abcdefgha", "zz"];
      const rows = Array.from(
        { length: 1500 },
        (_, row): Row => [
          (row * 7919) % 11 === 0 ? null : (row * 7919) % 7,
          texts[(row * 31) % 5] as string,
          BigInt((row * 104729) % 50) - 25n,
        ],
      );
      const pages = [rows.slice(0, 700), rows.slice(700)];
      for (const channels of [[0], [1], [2], [0, 1, 2], [1, 2], [2, 0]]) {
        const order = channels.map((channel, index) => ({ channel, descending: index % 2 === 0, nullsFirst: index % 2 === 1 }));
        const sort = new OrderByOperator({ types, sortChannels: channels, order, context: operatorContext(bench, memory.child("sort")) });
        const output = runOperator(
          memory,
          sort,
          pages.map((page) => makePage(memory, types, page, "flat")),
        );
        sort.close();
        expect(output).toEqual(rows.toSorted((a, b) => compareRows(a, b, order)));
      }
    }));

  it("keep the best rows although far more pass by", () =>
    withMemory(bench, (memory) => {
      const types = [INTEGER, DOUBLE];
      const order = [{ channel: 0, descending: true, nullsFirst: false }];
      const pageRows = backend === "wasm" ? 16000 : 5000;
      const pages = Array.from({ length: 6 }, (_, page) =>
        Array.from({ length: pageRows }, (__, row): Row => [((page * pageRows + row) * 7919) % 1000, page * pageRows + row]),
      );
      const top = new TopNOperator({ types, sortChannels: [0], order, context: operatorContext(bench, memory.child("top")) }, 100);
      const output = runOperator(
        memory,
        top,
        pages.map((rows) => makePage(memory, types, rows, "flat")),
      );
      top.close();
      expect(output).toEqual(
        pages
          .flat()
          .toSorted((a, b) => compareRows(a, b, order))
          .slice(0, 100),
      );
    }));
});

function isMember(value: Cell, set: readonly Cell[]): boolean | null {
  if (set.length === 0) {
    return false;
  }
  if (value === null) {
    return null;
  }
  if (set.includes(value)) {
    return true;
  }
  return set.includes(null) ? null : false;
}

function joinRows(probe: readonly Row[], build: readonly Row[], keys: readonly number[], joinType: JoinType): Row[] {
  const nulls = allTypes.map((): Cell => null);
  const visited = new Set<Row>();
  const output: Row[] = [];
  for (const left of probe) {
    const matches = build.filter((right) =>
      joinsWith(
        keys.map((key) => left[key] as Cell),
        keys.map((key) => right[key] as Cell),
      ),
    );
    for (const right of matches) {
      visited.add(right);
      output.push([...left, ...right]);
    }
    if (matches.length === 0 && (joinType === "LEFT" || joinType === "FULL")) {
      output.push([...left, ...nulls]);
    }
  }
  if (joinType === "RIGHT" || joinType === "FULL") {
    output.push(...build.filter((right) => !visited.has(right)).map((right) => [...nulls, ...right]));
  }
  return output;
}
