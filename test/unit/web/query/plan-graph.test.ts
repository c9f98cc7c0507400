/** Documents become graphs: sums by plan node, fused nodes, estimates, what is shown when parts are collapsed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlanNodeDocument, type StageDetail, stagesOf, type TaskDetail } from "../../../../src/web/query/model/documents.ts";
import { checkEstimate } from "../../../../src/web/query/model/estimates.ts";
import { measuresOf, skewOf } from "../../../../src/web/query/model/measures.ts";
import { nodeKey, planGraph, shownGraph, stageKey } from "../../../../src/web/query/model/plan-graph.ts";
import { operatorRows, stageRow } from "../../../../src/web/query/model/stage-rows.ts";
import { neighbor, withToggled } from "../../../../src/web/query/plan/navigation.ts";
import { placeGraph } from "../../../../src/web/query/plan/layout.ts";
import { arbitraryQuery, joinQuery, query, stage } from "./query-document.ts";

function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

function joinStage(): StageDetail {
  return stagesOf(joinQuery())[1] ?? expect.fail("no stage 1");
}

function joinRoot(): PlanNodeDocument {
  return (joinStage().plan as { readonly root: PlanNodeDocument }).root;
}

function joinTasks(): readonly [TaskDetail, TaskDetail] {
  const [first, second] = joinStage().tasks;
  return [first ?? expect.fail("no task"), second ?? expect.fail("no second task")];
}

describe("sums by plan node", () => {
  it("are the operators' rows, summed over all tasks and pipelines", () => {
    fc.assert(
      fc.property(arbitraryQuery, (document) => {
        for (const one of stagesOf(document)) {
          const sums = new Map<string, number>();
          for (const { stats } of one.tasks) {
            for (const { operatorSummaries } of stats.pipelines) {
              for (const { planNodeId = "", outputPositions } of operatorSummaries) {
                sums.set(planNodeId, (sums.get(planNodeId) ?? 0) + (Number.isNaN(outputPositions) ? 0 : outputPositions));
              }
            }
          }
          expect(new Map([...measuresOf(one)].map(([id, { total }]) => [id, total.rowsOut]))).toEqual(sums);
        }
      }),
    );
  });

  it("are never NaN, whatever a worker reports", () => {
    fc.assert(
      fc.property(arbitraryQuery, (document) => {
        for (const { measures, rowSkew, timeSkew, estimate, rowsOut } of planGraph(document).nodes.values()) {
          const numbers = [...numbersIn(measures?.total), rowSkew, timeSkew, rowsOut, estimate?.factor].filter((one) => one !== undefined);
          expect(numbers.every((one) => Number.isFinite(one) && one >= 0)).toBe(true);
        }
        for (const one of stagesOf(document)) {
          expect(
            operatorRows(one)
              .flatMap(({ measure }) => numbersIn(measure))
              .every(Number.isFinite),
          ).toBe(true);
          expect(stageRow(one).tasks).toBe(one.tasks.length);
        }
      }),
    );
  });

  it("have a skew between one and the number of tasks", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 2, maxLength: 50 }), (values) => {
        const skew = skewOf(values);
        expect(skew === undefined ? values.every((value) => value === 0) : skew >= 1 - 1e-9 && skew <= values.length + 1e-9).toBe(true);
      }),
    );
    expect(skewOf([7])).toBeUndefined();
    expect(skewOf([30, 10])).toBe(1.5);
  });
});

describe("the graph of a join", () => {
  const graph = planGraph(joinQuery());
  const node = (id: string) => graph.nodes.get(id) ?? expect.fail(`no node ${id}`);

  it("counts probe and build rows apart, and leaves the output operator out", () => {
    expect(node("1").measures?.total).toMatchObject({ rowsIn: 400, buildRows: 50, rowsOut: 400 });
    expect(node("1").measures?.operatorTypes).toEqual(["HashBuilderOperator", "LookupJoinOperator"]);
    expect(node("1").rowSkew).toBeCloseTo(325 / 225);
    expect(graph.stages[1]?.output?.rowsOut).toBe(400);
  });

  it("gives rows of a fused operator to the nodes from its filter up, and not to the scan below", () => {
    expect(node("2")).toMatchObject({ measures: undefined, rowsOut: 400, fusedText: "runs in table scan 4" });
    expect(node("3")).toMatchObject({ measures: undefined, rowsOut: 400, fusedText: "runs in table scan 4" });
    expect(node("4")).toMatchObject({ rowsOut: undefined, fusedText: "" });
    expect(node("4").measures?.total).toMatchObject({ rowsIn: 800, rowsOut: 400 });
    expect(node("0")).toMatchObject({ measures: undefined, rowsOut: 400, fusedText: "" });
  });

  it("holds estimates against the rows that came out", () => {
    expect(node("1").estimate).toMatchObject({ factor: 10, accuracy: "bad", words: "10× more than estimated" });
    expect(node("2").estimate).toMatchObject({ factor: 1, accuracy: "good", words: "as estimated" });
    expect(node("4").estimate).toMatchObject({ factor: undefined, words: "not counted" });
    expect(node("6").estimate).toBeUndefined();
  });

  it("does not judge an estimate that the running query may still reach", () => {
    expect(checkEstimate({ outputRowCount: 100 }, 50, false)?.words).toBe("not yet known");
    expect(checkEstimate({ outputRowCount: 100 }, 300, false)).toMatchObject({ accuracy: "fair", words: "3.0× more than estimated" });
    expect(checkEstimate({ outputRowCount: Number.NaN }, 50, true)).toBeUndefined();
    expect(checkEstimate({ outputRowCount: 0 }, 0, true)?.words).toBe("as estimated");
  });

  it("holds the estimate of a broadcast exchange against the rows given, not against the copies", () => {
    const joins = joinStage();
    const estimated = stage(1, joinRoot(), joins.tasks, { subStages: joins.subStages, estimates: { "5": { outputRowCount: 25 } } });
    const exchange = planGraph(query(estimated)).nodes.get("5");
    expect(exchange).toMatchObject({ rowsOut: 50, estimate: { rows: 25, words: "as estimated" } });
  });

  it("leaves out the numbers of tasks whose document is older than their end", () => {
    const [first, second] = joinTasks();
    const outdated = planGraph(query(stage(1, joinRoot(), [first, { ...second, state: "RUNNING" }])));
    expect(outdated.stages[0]?.isPartial).toBe(true);
    expect(outdated.nodes.get("1")?.measures?.tasks).toHaveLength(1);
    const none = planGraph(query(stage(1, joinRoot(), [{ ...second, state: "PLANNED" }])));
    expect(none.nodes.get("1")).toMatchObject({ measures: undefined, rowsOut: undefined, missingText: "numbers follow at the end" });
    const live = planGraph(query(stage(1, joinRoot(), [first, { ...second, state: "RUNNING" }], { state: "RUNNING" })));
    expect(live.nodes.get("1")?.measures?.tasks).toHaveLength(2);
  });

  it("has an edge for each thing read, the build side marked", () => {
    const edges = shownGraph(graph, new Set()).edges.map(({ from, to, isBuild }) => `${from}>${to}${isBuild ? " build" : ""}`);
    expect(edges.sort()).toEqual(["n1>n7", "n2>n1", "n3>n2", "n4>n3", "n5>n1 build", "n6>n5", "n7>n0"]);
  });

  it("hides what only a collapsed part reaches", () => {
    const below = shownGraph(graph, new Set([nodeKey("2")]));
    expect(below.stages.flatMap(({ nodes }) => nodes.map(({ id }) => id))).toEqual(["0", "7", "1", "2", "5", "6"]);
    const inside = shownGraph(graph, new Set([stageKey(1)]));
    expect(inside.stages.map(({ stage: { number }, isCollapsed }) => [number, isCollapsed])).toEqual([
      [0, false],
      [1, true],
      [2, false],
    ]);
    expect(inside.edges.map(({ from, to }) => `${from}>${to}`).sort()).toEqual(["n6>s1", "n7>n0", "s1>n7"]);
  });

  it("leads keys to reader, source and sibling", () => {
    const shown = shownGraph(graph, new Set());
    expect(neighbor(shown, "1", "ArrowUp")).toBe("7");
    expect(neighbor(shown, "1", "ArrowDown")).toBe("2");
    expect(neighbor(shown, "2", "ArrowRight")).toBe("5");
    expect(neighbor(shown, "5", "ArrowLeft")).toBe("2");
    expect(neighbor(shown, "0", "ArrowUp")).toBeUndefined();
  });
});

describe("any graph", () => {
  const withCollapsed = arbitraryQuery.chain((document) => {
    const graph = planGraph(document);
    const keys = [...graph.stages.map(({ number }) => stageKey(number)), ...[...graph.nodes.keys()].map(nodeKey)];
    return fc.tuple(fc.constant(graph), fc.subarray(keys));
  });

  it("shows all without collapsing, and edges only between what is shown", () => {
    fc.assert(
      fc.property(withCollapsed, ([graph, keys]) => {
        expect(shownGraph(graph, new Set()).stages.flatMap(({ nodes }) => nodes)).toHaveLength(graph.nodes.size);
        const shown = shownGraph(graph, new Set(keys));
        const places = new Set(
          shown.stages.flatMap(({ stage: { number }, isCollapsed, nodes }) =>
            isCollapsed ? [stageKey(number)] : nodes.map(({ id }) => nodeKey(id)),
          ),
        );
        expect(shown.edges.every(({ from, to }) => places.has(from) && places.has(to))).toBe(true);
        expect(new Set(keys)).toEqual(
          keys.reduce((set, key) => withToggled(withToggled(set, key), key), new Set(keys) as ReadonlySet<string>),
        );
      }),
    );
  });

  it("is placed without overlaps, each node inside of its stage", () => {
    fc.assert(
      fc.property(withCollapsed, ([graph, keys]) => {
        const shown = shownGraph(graph, new Set(keys));
        const { boxes, edges } = placeGraph(shown);
        expect(edges).toHaveLength(shown.edges.length);
        const frames = shown.stages.map((one) => boxes.get(stageKey(one.stage.number)) ?? expect.fail("a stage has no place"));
        const nodes = shown.stages.flatMap((one) =>
          one.nodes.map(({ id }) => {
            const box = boxes.get(nodeKey(id)) ?? expect.fail("a node has no place");
            const frame = boxes.get(stageKey(one.stage.number)) ?? box;
            expect(box.x >= frame.x && box.y >= frame.y).toBe(true);
            expect(box.x + box.width <= frame.x + frame.width + 0.1 && box.y + box.height <= frame.y + frame.height + 0.1).toBe(true);
            return box;
          }),
        );
        for (const all of [frames, nodes]) {
          for (const [index, a] of all.entries()) {
            for (const b of all.slice(index + 1)) {
              expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is empty for a query that failed in analysis, and has stages without plans", () => {
    expect(planGraph(query(undefined))).toMatchObject({ stages: [], wallNanosMax: 1 });
    const bare = planGraph(query(stage(0, undefined, [])));
    expect(shownGraph(bare, new Set()).stages).toMatchObject([{ isCollapsed: true, nodes: [] }]);
  });
});
