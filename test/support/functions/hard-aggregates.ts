/**
 * Every aggregate over pages of rows, in one step, and in two with partial states in between: all rows one group, and few groups. Sketches
 * that only aggregates make are those of the aggregates before.
 */
import { createAggregation } from "../../../src/execution/operators/aggregation/aggregation-operators.ts";
import { readColumnValue } from "../../../src/execution/expressions/evaluate.ts";
import type { Operator } from "../../../src/execution/operators/operator.ts";
import type { AggregateDefinition } from "../../../src/functions/registry/definition.ts";
import { resolveAggregate } from "../../../src/functions/registry/registry.ts";
import { parsePattern, type TypePattern } from "../../../src/functions/registry/type-patterns.ts";
import type { Page } from "../../../src/page/page.ts";
import type { AggregationNode, PlanNode } from "../../../src/planner/plan/node.ts";
import type { ConstantValue, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { startAnalysis } from "../../../src/planner/plan-query.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { BIGINT, displayType, type Type } from "../../../src/types/type.ts";
import { type Bench, operatorContext } from "../../unit/execution/kernels.ts";
import { type ColumnOptions, makePage, type World } from "../../unit/execution/expressions/world.ts";
import { analyzed, contextOf, type HardSizes, madeArgument, valueOf } from "./hard-calls.ts";

export interface HardAggregates {
  readonly bench: Bench;
  /** Makes the arguments. */
  readonly world: World;
  readonly sizes: HardSizes;
  readonly rows: number;
  readonly groups: number;
  /** Results by the text of their type. */
  readonly results: Map<string, ConstantValue>;
}

/** Values of arguments, of which each has some. */
const values = 16;

/** Arguments with a narrow range, by name and place. */
const narrow: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  approx_percentile: { 1: "5e-1", 2: "5e-1" },
  approx_distinct: { 1: "2e-2" },
  approx_set: { 1: "2e-2" },
  numeric_histogram: { 0: "BIGINT '100'" },
  approx_most_frequent: { 0: "BIGINT '100'", 2: "BIGINT '1000'" },
  qdigest_agg: { 1: "BIGINT '1'", 2: "1e-2" },
  tdigest_agg: { 2: "1e2" },
  learn_libsvm_classifier: { 2: "'C=10'" },
  learn_libsvm_regressor: { 2: "'C=10'" },
  evaluate_classifier_predictions: { 0: "CAST(i % 2 AS bigint)", 1: "CAST(i % 3 % 2 AS bigint)" },
};

function sqlOf({ name, args }: AggregateDefinition, index: number, pattern: TypePattern, sizes: HardSizes): string | undefined {
  const isWeight = name === "approx_percentile" && args.length === 3 && index === 1;
  const given = isWeight ? "2e0" : narrow[name]?.[index];
  if (given !== undefined) {
    return pattern.kind === "array" ? `ARRAY[${given}, 1e-1]` : given;
  }
  const isSmall = pattern.kind === "variable" || /^(bigint|integer|smallint|tinyint|double|real|decimal.*|boolean)$/.test(pattern.text);
  if (pattern.text === "map(bigint,double)") {
    return "MAP(ARRAY[BIGINT '1', BIGINT '2'], ARRAY[CAST(i AS double), CAST(i % 5 AS double)])";
  }
  return valueOf(pattern, { number: "1", sizes, inner: isSmall });
}

/** `name(argument types)`. */
export function signatureOf({ name, args }: AggregateDefinition): string {
  return `${name}(${args.join(", ")})`;
}

async function columnOf(hard: HardAggregates, definition: AggregateDefinition, index: number): Promise<ColumnOptions | undefined> {
  const pattern = parsePattern(definition.args[index] as string);
  const ids = Array.from({ length: hard.rows }, (_, row) => row % values);
  const made = [...hard.results].find(([type]) => type === pattern.text || type.replace(/\(.*/, "(T)") === pattern.text);
  const sql = sqlOf(definition, index, pattern, hard.sizes);
  if (sql === undefined) {
    const [text, value] = made ?? [];
    return value === undefined ? undefined : { type: typeNamed(text as string), values: [value], ids: ids.map(() => 0) };
  }
  const analysis = await startAnalysis({}, contextOf(hard.world));
  const constants = Array.from({ length: /\bi\b/.test(sql.replace(/\bi ->/g, "")) && !sql.includes("i ->") ? values : 1 }, (_, value) =>
    madeArgument(analyzed(sql.includes("i ->") ? sql : sql.replace(/\bi\b/g, String(value + 1)), analysis, []), hard.world),
  );
  const type = (constants[0] as { readonly variable: Variable }).variable.type;
  return { type, values: constants.map(({ value }) => value), ids: ids.map((id) => id % constants.length) };
}

const types = new Map<string, Type>();

function typeNamed(text: string): Type {
  return types.get(text) as Type;
}

function nodeOf(
  definition: AggregateDefinition,
  step: AggregationNode["step"],
  { inputs, keys }: { readonly inputs: readonly Variable[]; readonly keys: readonly Variable[] },
): AggregationNode {
  const argumentTypes = inputs.map(({ type }) => type);
  const resolved = resolveAggregate(definition.name, argumentTypes);
  if ("error" in resolved) {
    throw new Error(`${signatureOf(definition)} does not take ${argumentTypes.map(displayType).join()}`);
  }
  const intermediates = resolved.intermediateTypes.map((type, part): Variable => ({ kind: "variable", name: `i${part}`, type }));
  const output: Variable = { kind: "variable", name: "a", type: resolved.returnType };
  const args = step === "FINAL" ? [] : inputs;
  const call = { output, name: definition.name, argumentTypes: resolved.argTypes, args, ...(step === "SINGLE" ? {} : { intermediates }) };
  const source = { kind: "Values", id: "0", outputs: [], rows: [] } as unknown as PlanNode;
  return { kind: "Aggregation", id: "1", source, step, keys, aggregates: [call] };
}

/** Turns of an operator: `onTurn` is called without a number before the first one, then with the steps of each. */
type OnTurn = (steps?: number) => void;

/** The pages are valid until the next one. */
function* outputOf(operator: Operator, onTurn: OnTurn): Generator<Page, void> {
  while (!operator.isFinished && !operator.needsInput) {
    const page = operator.getOutput();
    onTurn(operator.takeWorkUnits?.() ?? 0);
    if (page !== undefined) {
      yield page;
    }
  }
}

function* run(operator: Operator, pages: Iterable<Page>, onTurn: OnTurn): Generator<Page, void> {
  for (const page of pages) {
    operator.addInput(page);
    onTurn(operator.takeWorkUnits?.() ?? 0);
    yield* outputOf(operator, onTurn);
  }
  operator.finish();
  onTurn(operator.takeWorkUnits?.() ?? 0);
  yield* outputOf(operator, onTurn);
}

/** Returns false if an argument cannot be made, and otherwise the name of the error or undefined. */
export async function runHardAggregate(
  hard: HardAggregates,
  definition: AggregateDefinition,
  onTurn: OnTurn,
): Promise<false | string | undefined> {
  const columns: ColumnOptions[] = [];
  for (const index of definition.args.keys()) {
    const column = await columnOf(hard, definition, index);
    if (column === undefined) {
      return false;
    }
    columns.push(column);
  }
  const key: Variable = { kind: "variable", name: "k", type: BIGINT };
  const inputs = columns.map(({ type }, index): Variable => ({ kind: "variable", name: `c${index}`, type }));
  const keyValues = Array.from({ length: hard.groups }, (_, group) => String(group));
  const keyColumn: ColumnOptions = {
    type: BIGINT,
    values: keyValues,
    ids: Array.from({ length: hard.rows }, (_, row) => row % hard.groups),
  };
  const layout = [key, ...inputs];
  const memory = hard.bench.root.child("hard aggregate");
  const made: Operator[] = [];
  const operator = (node: AggregationNode, given: readonly Variable[]): Operator => {
    const context = operatorContext(hard.bench, memory.child("operator"));
    const one = createAggregation({ context, node, layout: given, inlined: new Map() });
    made.push(one);
    return one;
  };
  try {
    const page = makePage(memory, [keyColumn, ...columns], hard.rows);
    for (const keys of [[], [key]]) {
      const single = nodeOf(definition, "SINGLE", { inputs, keys });
      onTurn();
      for (const result of run(operator(single, layout), [page], onTurn)) {
        const { type } = (single.aggregates[0] as (typeof single.aggregates)[number]).output;
        const value = readColumnValue(memory, result.columns.at(-1) as Page["columns"][number], 0);
        if (keys.length === 0 && value !== null) {
          hard.results.set(displayType(type), value);
          types.set(displayType(type), type);
        }
      }
      const partial = nodeOf(definition, "PARTIAL", { inputs, keys });
      const middle = [...keys, ...(partial.aggregates[0]?.intermediates ?? [])];
      const states = run(operator(partial, layout), [page, page], onTurn);
      const final = operator(nodeOf(definition, "FINAL", { inputs, keys }), middle);
      for (const result of run(final, states, onTurn)) {
        void result;
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) {
      return error.errorName;
    }
    throw error;
  } finally {
    for (const one of made) {
      one.close();
      one.context.memory.close();
    }
    memory.close();
  }
}
