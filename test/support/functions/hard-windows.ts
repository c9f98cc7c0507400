/**
 * Window functions and aggregates over frames of one large partition, and UNNEST of long arrays, as operators do them turn by turn.
 */
import type { Operator } from "../../../src/execution/operators/operator.ts";
import { UnnestOperator } from "../../../src/execution/operators/unnest-operator.ts";
import { WindowOperator } from "../../../src/execution/operators/window/window-operator.ts";
import { resolveAggregate } from "../../../src/functions/registry/registry.ts";
import type { Page } from "../../../src/page/page.ts";
import type { PlanNode, WindowBound, WindowCall, WindowFrame, WindowNode } from "../../../src/planner/plan/node.ts";
import type { Constant, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { BIGINT, DOUBLE, type Type, VARCHAR } from "../../../src/types/type.ts";
import { makePage } from "../../unit/execution/expressions/world.ts";
import { type Bench, operatorContext } from "../../unit/execution/kernels.ts";

export interface HardWindow {
  readonly name: string;
  readonly type: Type;
  readonly args: readonly (Variable | Constant)[];
  readonly ignoreNulls: boolean;
  readonly frame: WindowFrame;
}

const order: Variable = { kind: "variable", name: "o", type: BIGINT };
/** NULL in every third row. */
const number: Variable = { kind: "variable", name: "v", type: BIGINT };
const text: Variable = { kind: "variable", name: "t", type: VARCHAR };
const double: Variable = { kind: "variable", name: "d", type: DOUBLE };
const layout = [order, number, text, double];

function bigint(value: number): Constant {
  return { kind: "constant", type: BIGINT, value: String(value) };
}

const unbounded: WindowBound = { type: "UNBOUNDED_PRECEDING" };
const current: WindowBound = { type: "CURRENT_ROW" };
const framesOf: Readonly<Record<string, WindowFrame>> = {
  growing: { type: "ROWS", start: unbounded, end: current },
  sliding: { type: "ROWS", start: { type: "PRECEDING", offset: bigint(5_000) }, end: { type: "FOLLOWING", offset: bigint(5_000) } },
  short: { type: "ROWS", start: { type: "PRECEDING", offset: bigint(3) }, end: current },
  peers: { type: "RANGE", start: current, end: { type: "UNBOUNDED_FOLLOWING" } },
  groups: { type: "GROUPS", start: { type: "PRECEDING", offset: bigint(100) }, end: { type: "FOLLOWING", offset: bigint(1) } },
  whole: { type: "ROWS", start: unbounded, end: { type: "UNBOUNDED_FOLLOWING" } },
};

const rankings = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist"];
const aggregates: readonly (readonly [name: string, args: readonly (Variable | Constant)[]])[] = [
  ["count", []],
  ["sum", [number]],
  ["avg", [number]],
  ["min", [text]],
  ["max_by", [number, text]],
  ["stddev", [double]],
  ["array_agg", [number]],
  ["approx_distinct", [text]],
];

/** Names that say the frame too. */
export function hardWindows(): ReadonlyMap<string, HardWindow> {
  const found = new Map<string, HardWindow>();
  const add = (name: string, args: HardWindow["args"], frames: readonly string[], ignoreNulls = false): void => {
    for (const frame of frames) {
      const type = args.length === 0 ? BIGINT : (args[0] as Variable).type;
      found.set(`${name}(${args.map((arg) => arg.type.kind).join()}) ${frame}${ignoreNulls ? " ignore nulls" : ""}`, {
        name,
        type: name === "percent_rank" || name === "cume_dist" ? { kind: "double" } : type,
        args,
        ignoreNulls,
        frame: framesOf[frame] as WindowFrame,
      });
    }
  };
  const frames = Object.keys(framesOf);
  rankings.forEach((name) => add(name, [], ["whole"]));
  add("ntile", [bigint(7)], ["whole"]);
  for (const value of [number, text]) {
    for (const ignoreNulls of [false, true]) {
      add("first_value", [value], frames, ignoreNulls);
      add("last_value", [value], frames, ignoreNulls);
      add("nth_value", [value, bigint(3)], frames, ignoreNulls);
      add("lag", [value, bigint(50_000), value], ["whole"], ignoreNulls);
      add("lead", [value, bigint(50_000)], ["whole"], ignoreNulls);
    }
  }
  for (const [name, args] of aggregates) {
    add(
      name,
      args.filter((arg) => arg.kind === "variable"),
      frames,
    );
  }
  return found;
}

function callOf({ args, frame, ignoreNulls, name, type }: HardWindow): WindowCall {
  const argumentTypes = args.map((arg) => arg.type);
  const resolved = resolveAggregate(name, argumentTypes);
  const output: Variable = { kind: "variable", name: "w", type: "error" in resolved ? type : resolved.returnType };
  return { output, name, argumentTypes, args, ignoreNulls, frame };
}

/** `onTurn` is called after each turn. Returns the name of the error, or undefined. */
export function runHardWindow(bench: Bench, window: HardWindow, rows: number, onTurn: () => void): string | undefined {
  const memory = bench.root.child("hard window");
  const source = { kind: "Values", id: "0", outputs: [], rows: [] } as unknown as PlanNode;
  const call = callOf(window);
  const node: WindowNode = {
    kind: "Window",
    id: "1",
    source,
    partitionBy: [],
    orderBy: [{ variable: order, descending: false, nullsFirst: false }],
    functions: [call],
  };
  const context = operatorContext(bench, memory.child("window"));
  const operator = new WindowOperator({ context, node, layout });
  try {
    const pageRows = Math.min(rows, 4_096);
    const values = Array.from({ length: pageRows }, (_, row) => row);
    const page = makePage(
      memory,
      [
        { type: BIGINT, values: values.map((row) => String((row * 7_919) % 4_001)) },
        { type: BIGINT, values: values.map((row) => (row % 3 === 0 ? null : String(row))) },
        { type: VARCHAR, values: values.map((row) => (row % 3 === 1 ? null : `a text of row ${row}`)) },
        { type: DOUBLE, values: values.map((row) => row / 7) },
      ],
      pageRows,
    );
    drive(
      operator,
      Array.from({ length: Math.ceil(rows / pageRows) }, () => page),
      onTurn,
    );
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) {
      return error.errorName;
    }
    throw error;
  } finally {
    operator.close();
    context.memory.close();
    memory.close();
  }
}

/** Rows that repeat a million times, with ordinality. */
export function runHardUnnest(bench: Bench, repetitions: number, onTurn: () => void): undefined {
  const memory = bench.root.child("hard unnest");
  const context = operatorContext(bench, memory.child("unnest"));
  const operator = new UnnestOperator(context, 0, true);
  try {
    const counts = { type: BIGINT, values: ["0", String(repetitions), "1", String(repetitions)] };
    const ids = { type: BIGINT, values: ["1", "2"], ids: [0, 1, 0, 1] };
    drive(operator, [makePage(memory, [counts, ids], 4)], onTurn);
    return undefined;
  } finally {
    operator.close();
    context.memory.close();
    memory.close();
  }
}

function drive(operator: Operator, pages: readonly Page[], onTurn: () => void): void {
  const give = (): void => {
    while (!operator.isFinished && !operator.needsInput) {
      operator.getOutput();
      onTurn();
    }
  };
  for (const page of pages) {
    operator.addInput(page);
    onTurn();
    give();
  }
  operator.finish();
  onTurn();
  give();
}
