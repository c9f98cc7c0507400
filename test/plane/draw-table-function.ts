/** Random TableFunction nodes of the functions of tests: one or two tables, partitioned, ordered, kept or pruned when empty. */
import type { PlanNode, TableFunctionInput, TableScanNode } from "../../src/planner/plan/node.ts";
import type { Variable } from "../../src/planner/plan/typed-expression.ts";
import { BOOLEAN } from "../../src/types/type.ts";
import type { Plans } from "./plans.ts";
import { passedTypes } from "./values.ts";

export function drawTableFunction(plans: Plans): PlanNode {
  const { random } = plans;
  const isPair = random.chance(50);
  const types = Array.from({ length: random.below(3) }, () => random.pick(passedTypes));
  const sources = Array.from({ length: isPair ? 2 : 1 }, () => plans.scan(types, random.pick([0, 1, 5, 12, 30])));
  const copartitioned = isPair && random.chance(50);
  const places = random.shuffle([...types.keys(), -1]).slice(0, copartitioned ? 1 + random.below(2) : random.below(3));
  const name = isPair ? "pass_through" : random.pick(["repeat", "test_input", "identity_pass_through_function"]);
  const passesThrough = name !== "test_input";
  const inputs = sources.map((source, index) => drawInput(plans, { source, places, passesThrough, name: inputNames(isPair)[index] ?? "" }));
  const flags = name === "pass_through" ? 2 : name === "test_input" ? 1 : 0;
  return {
    kind: "TableFunction",
    id: plans.id(),
    function: { catalog: "testing", schema: "system", name, handle: name === "repeat" ? 1 + random.below(3) : null },
    sources,
    inputs,
    copartitioned: copartitioned ? [[0, 1]] : [],
    outputs: Array.from({ length: flags }, () => plans.variable(BOOLEAN)),
  };
}

function inputNames(isPair: boolean): readonly string[] {
  return isPair ? ["INPUT_1", "INPUT_2"] : ["INPUT"];
}

interface Input {
  readonly source: TableScanNode;
  /** Partition keys: places among the types, and -1 for the small number. */
  readonly places: readonly number[];
  readonly passesThrough: boolean;
  readonly name: string;
}

function drawInput(plans: Plans, { source, places, passesThrough, name }: Input): TableFunctionInput {
  const partitionBy = places.map((place) => source.outputs[place + 1] as Variable);
  return {
    argument: name,
    semantics: "SET",
    partitionBy,
    orderBy: plans.orderings(source.outputs, 0),
    prunesWhenEmpty: plans.random.chance(30),
    required: source.outputs,
    passed: passesThrough ? source.outputs : partitionBy,
    passesThrough,
  };
}
