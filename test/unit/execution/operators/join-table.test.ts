/** Tables of a join over one integer key: the three kinds find the same rows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinBridge, type JoinTableKind } from "../../../../src/execution/hash-table/join-table.ts";
import { JoinBuildOperator, JoinProbeOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import { HashSemiJoinOperator } from "../../../../src/execution/operators/join/semi-join.ts";
import { SourceSemiJoinOperator } from "../../../../src/execution/operators/join/source-semi-join.ts";
import { BIGINT, INTEGER } from "../../../../src/types/type.ts";
import { backends, makeBench, operatorContext, runOperator, withMemory } from "../kernels.ts";
import { type Cell, makePage, type Row } from "../rows.ts";

const rows = fc.array(fc.option(fc.nat(20), { freq: 8 }), { minLength: 1, maxLength: 40 });
/** The keys of a range that is narrow, wide and very wide for 1 to 40 rows, and ones with several words in between. */
const distances = fc.constantFrom(1, 2, 31, 33, 64, 130, 1_000, 2_000_000_000);
const starts = fc.constantFrom(0n, -(2n ** 63n), 2n ** 63n - 2_000_000_000n * 41n);

describe.each(backends)("tables of joins on the %s backend", (backend) => {
  const bench = makeBench(backend, { "dense-range": 0, "ranked-range": 0, "join-build-step-rows": 7 });

  it("find the rows with a key in build order, however far the keys are from each other", () => {
    const kinds = new Set<JoinTableKind>();
    const plan = fc.record({ build: rows, probe: rows, distance: distances, start: starts, isNarrow: fc.boolean() });
    fc.assert(
      fc.property(plan, ({ build, probe, distance, start, isNarrow }) =>
        withMemory(bench, (memory) => {
          const type = isNarrow ? INTEGER : BIGINT;
          const keyOf = (place: number | null): Cell =>
            place === null ? null : isNarrow ? Math.min(place * distance, 2 ** 31 - 1 - place) : start + BigInt(place) * BigInt(distance);
          const rowsOf = (places: readonly (number | null)[]): Row[] => places.map((place, index) => [keyOf(place), index]);
          const [buildRows, probeRows] = [rowsOf(build), rowsOf(probe)];
          const types = [type, INTEGER];
          const bridges = (["INNER", "INNER", "RIGHT"] as const).map((joinType) => {
            const bridge = new JoinBridge();
            const context = operatorContext(bench, memory.child("build"));
            const builder = new JoinBuildOperator({ context, bridge, types, keyChannels: [0], joinType });
            builder.addInput(makePage(memory, types, buildRows, "flat"));
            builder.finish();
            while (bridge.table === undefined) {
              void builder.blocked();
            }
            kinds.add(bridge.table.kind);
            return bridge;
          });
          const [joined, marked, marking] = bridges as [JoinBridge, JoinBridge, JoinBridge];
          const context = operatorContext(bench, memory.child("probe"));
          // A filter of keys changes its form when it has judged as many rows as the range has keys.
          const pages = (["selected", "flat"] as const).map((shape) => makePage(memory, types, probeRows, shape));
          const probed = [...probeRows, ...probeRows];
          const equal = (left: Row, right: Row): boolean => left[0] !== null && left[0] === right[0];

          const join = new JoinProbeOperator({
            context,
            bridge: joined,
            joinType: "INNER",
            keys: [{ probeChannel: 0, buildChannel: 0 }],
            probeTypes: types,
            buildTypes: types,
            outputs: [
              { side: "probe", channel: 1 },
              { side: "build", channel: 1 },
            ],
          });
          expect(runOperator(memory, join, pages)).toEqual(
            probed.flatMap((left) => buildRows.filter((right) => equal(left, right)).map((right) => [left[1], right[1]])),
          );
          join.close();

          const semi = new HashSemiJoinOperator({ context, bridge: marked, keyChannel: 0, types });
          expect(runOperator(memory, semi, pages).map((row) => row[2] === true)).toEqual(
            probed.map((left) => buildRows.some((right) => equal(left, right))),
          );
          semi.close();

          const source = new SourceSemiJoinOperator({
            context,
            bridge: marking,
            keyChannel: 0,
            sourceKeyChannel: 0,
            sourceTypes: types,
            types,
            isFiltered: false,
          });
          expect(runOperator(memory, source, pages).map((row) => row[2])).toEqual(
            buildRows.map((right) => probeRows.some((left) => equal(left, right))),
          );
          source.close();
        }),
      ),
      { numRuns: backend === "wasm" ? 80 : 40 },
    );
    expect([...kinds].sort()).toEqual(["dense", "hash", "ranked"]);
  });
});
