/**
 * A join of a page whose columns all have ids of their own, as after hundreds of scalar subqueries: its memory is that of the rows.
 */
import { expect, it } from "vitest";
import { JoinBridge } from "../../../../src/execution/hash-table/join-table.ts";
import { JoinBuildOperator, JoinProbeOperator } from "../../../../src/execution/operators/join/join-operators.ts";
import { BIGINT } from "../../../../src/types/type.ts";
import { makePage, readPage } from "../expressions/world.ts";
import { makeBench, operatorContext, withMemory } from "../kernels.ts";

const columns = 200;
/** Full blocks would take 13 MB. */
const fewRowsBytesMax = 512 * 1024;

it("takes memory for the ids of the rows that there are", () => {
  const bench = makeBench("wasm");
  withMemory(bench, (memory) => {
    const bridge = new JoinBridge();
    const builder = new JoinBuildOperator({
      context: operatorContext(bench, memory.child("build")),
      bridge,
      types: [BIGINT],
      keyChannels: [],
      joinType: "INNER",
    });
    builder.addInput(makePage(memory, [{ type: BIGINT, values: ["7"] }], 1));
    builder.finish();
    while (bridge.table === undefined) {
      void builder.blocked();
    }
    const types = Array.from({ length: columns }, () => BIGINT);
    const probed = memory.child("probe");
    const operator = new JoinProbeOperator({
      context: operatorContext(bench, probed),
      bridge,
      joinType: "INNER",
      keys: [],
      probeTypes: types,
      buildTypes: [BIGINT],
      outputs: [...types.map((_type, channel) => ({ side: "probe" as const, channel })), { side: "build", channel: 0 }],
    });
    const join = (rows: number): void => {
      const page = makePage(
        memory,
        types.map((type, column) => ({
          type,
          values: [String(column), String(column + 1_000)],
          ids: Array.from({ length: rows }, (_, row) => row % 2),
        })),
        rows,
      );
      operator.addInput(page);
      const joined = operator.getOutput();
      expect(joined?.positionCount).toBe(rows);
      const values = joined === undefined ? [] : readPage(memory, joined);
      expect(values[rows - 1]).toEqual([...types.map((_type, column) => String(column + 1_000 * ((rows - 1) % 2))), "7"]);
    };
    join(1);
    join(2);
    expect(probed.reservedBytes).toBeLessThan(fewRowsBytesMax);
    // A longer page has longer blocks.
    join(100);
    join(3);
    operator.close();
    builder.close();
  });
});
