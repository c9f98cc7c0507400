/**
 * Random plan nodes over random tables of random types. Every table begins with a bigint `n` of small numbers.
 */
import type { Type } from "../../src/types/type.ts";
import { BIGINT, BOOLEAN, DOUBLE, isNested } from "../../src/types/type.ts";
import {
  type AggregateCall,
  type AggregationNode,
  type JoinNode,
  type Ordering,
  outputsOf,
  type PlanNode,
  type TableScanNode,
} from "../../src/planner/plan/node.ts";
import type { Constant, RowExpression, Variable } from "../../src/planner/plan/typed-expression.ts";
import type { Random } from "../oracle/fuzz/random.ts";
import { drawValue, passedTypes, type Row, someTypes, type Value } from "./values.ts";

/** A table of a drawn plan. */
export interface Table {
  readonly scan: TableScanNode;
  readonly rows: readonly Row[];
}

export interface DrawnPlan {
  readonly root: PlanNode;
  readonly tables: readonly Table[];
  /** Whether the documents say in which order the rows come. */
  readonly ordered: boolean;
  /** Rows from elsewhere than the naive evaluation of the plan; their integers are numbers. */
  readonly expected?: readonly Row[];
}

export type Draw = (plans: Plans) => PlanNode;

/** How large the plans are. */
interface Shape {
  /** Most operators one above the other, below the top one. */
  readonly depth: number;
  /** Percentage of sources that are operators. */
  readonly percent: number;
  /** Rows of a table. */
  readonly rows: readonly number[];
}

const shallow: Shape = { depth: 2, percent: 35, rows: [0, 1, 2, 5, 12, 30, 70] };

export class Plans {
  readonly random: Random;
  readonly tables: Table[] = [];
  readonly #below: readonly Draw[];
  readonly #shape: Shape;
  #depth = 0;
  #next = 0;

  /** `below` draws operators under others. */
  constructor(random: Random, below: readonly Draw[], shape: Shape = shallow) {
    this.random = random;
    this.#below = below;
    this.#shape = shape;
  }

  id(): string {
    return String(this.#next++);
  }

  variable(type: Type): Variable {
    return { kind: "variable", name: `${type.kind.replace(/\W/g, "_")}_${this.#next++}`, type };
  }

  /** The columns have the types given, and always the bigint `n` of small numbers. */
  scan(types: readonly Type[] = this.#types(), rowCount?: number): TableScanNode {
    const { random } = this;
    const n = { kind: "variable" as const, name: `n_${this.#next++}`, type: BIGINT };
    const outputs = [n, ...types.map((type) => this.variable(type))];
    const scan: TableScanNode = {
      kind: "TableScan",
      id: this.id(),
      table: { catalog: "test", name: { schema: "s", table: n.name }, handle: null, coordinatorOnly: false },
      outputs,
      columns: outputs.map(({ name, type }) => ({ name, type })),
    };
    const count = rowCount ?? random.pick(this.#shape.rows);
    const nulls = random.pick([0, 15, 50]);
    const rows = Array.from(
      { length: count },
      (): Row => [random.chance(nulls) ? null : BigInt(random.below(5) - 1), ...types.map((type) => drawValue(random, type, nulls))],
    );
    this.tables.push({ scan, rows });
    return scan;
  }

  #types(): readonly Type[] {
    return Array.from({ length: this.random.below(4) }, () => this.random.pick(passedTypes));
  }

  /** Mostly a scan. */
  source(): PlanNode {
    if (this.#depth >= this.#shape.depth || !this.random.chance(this.#shape.percent)) {
      return this.scan();
    }
    const before = this.tables.length;
    this.#depth++;
    const node = this.random.pick(this.#below)(this);
    this.#depth--;
    if (outputsOf(node).length > 0) {
      return node;
    }
    this.tables.splice(before);
    return this.scan();
  }

  filter(): PlanNode {
    const source = this.source();
    return { kind: "Filter", id: this.id(), source, predicate: this.condition(outputsOf(source)) };
  }

  project(): PlanNode {
    const source = this.source();
    const outputs = outputsOf(source);
    const passed = this.random.shuffle(outputs).slice(0, 1 + this.random.below(outputs.length));
    const assignments = passed.map((variable) => ({ output: variable, expression: variable as RowExpression }));
    const n = this.numberOf(outputs);
    const computed: RowExpression = { kind: "call", name: this.random.pick(["$add", "$multiply"]), type: BIGINT, args: [n, big(2)] };
    assignments.push({ output: this.variable(BIGINT), expression: computed });
    const condition = this.condition(outputs);
    assignments.push({ output: this.variable(BOOLEAN), expression: condition });
    const other: RowExpression = { kind: "special", form: "IF", type: BIGINT, args: [condition, n, big(7)] };
    assignments.push({ output: this.variable(BIGINT), expression: other });
    return { kind: "Project", id: this.id(), source, assignments: this.random.shuffle(assignments) };
  }

  aggregation(source: PlanNode = this.source(), mask?: Variable): AggregationNode {
    const outputs = outputsOf(source);
    return {
      kind: "Aggregation",
      id: this.id(),
      source,
      step: "SINGLE",
      keys: this.some(outputs, 3),
      aggregates: this.aggregates(outputs, mask),
    };
  }

  aggregates(outputs: readonly Variable[], mask?: Variable): readonly AggregateCall[] {
    const masks = outputs.filter(({ type }) => type.kind === "boolean");
    return Array.from({ length: this.random.below(4) }, (): AggregateCall => {
      const own = mask ?? (masks.length > 0 && this.random.chance(25) ? this.random.pick(masks) : undefined);
      return { ...this.aggregate(outputs), ...(own !== undefined && { mask: own }) };
    });
  }

  aggregate(outputs: readonly Variable[]): AggregateCall {
    const { random } = this;
    const call = (name: string, type: Type, arg?: Variable | Constant): AggregateCall => {
      const args = arg === undefined ? [] : [arg];
      return { output: this.variable(type), name, argumentTypes: args.map((one) => one.type), args };
    };
    const any = random.pick(outputs);
    const comparable = outputs.filter(isComparable);
    const flags = outputs.filter(({ type }) => type.kind === "boolean");
    switch (random.below(8)) {
      case 0:
        return call("count", BIGINT);
      case 1:
        return call("count", BIGINT, any);
      case 2:
        return call("sum", BIGINT, this.numberOf(outputs));
      case 3:
        return call("avg", DOUBLE, this.numberOf(outputs));
      case 4:
        return call("arbitrary", any.type, any);
      case 5:
        return flags.length === 0 ? call("count", BIGINT) : call(random.pick(["bool_and", "bool_or"]), BOOLEAN, random.pick(flags));
      default: {
        const arg = comparable.length === 0 ? this.numberOf(outputs) : random.pick(comparable);
        return call(random.pick(["min", "max"]), arg.type, arg);
      }
    }
  }

  groupId(): PlanNode & { readonly kind: "GroupId" } {
    const source = this.scan();
    const columns = this.some(source.outputs, 3).map((input) => ({ input, output: this.variable(input.type) }));
    const sets = Array.from({ length: 1 + this.random.below(4) }, () =>
      columns.flatMap(({ output }) => (this.random.chance(50) ? [output.name] : [])),
    );
    return { kind: "GroupId", id: this.id(), source, columns, sets, groupId: this.variable(BIGINT) };
  }

  /** Aggregates that do not depend on the order of the rows. */
  groupingSets(): PlanNode {
    const source = this.groupId();
    const keys = [...source.columns.map(({ output }) => output), source.groupId];
    const numbers = source.sets.flatMap((set, number) => (set.length === 0 ? [number] : []));
    const aggregates = this.aggregates(outputsOf(source.source)).filter(({ name }) => name !== "arbitrary");
    const globalSets = numbers.length === 0 ? {} : { globalSets: { groupId: source.groupId, numbers } };
    return { kind: "Aggregation", id: this.id(), source, step: "SINGLE", keys, aggregates, ...globalSets };
  }

  distinct(): PlanNode {
    const source = this.source();
    return { kind: "Aggregation", id: this.id(), source, step: "SINGLE", keys: outputsOf(source), aggregates: [] };
  }

  markDistinct(): PlanNode & { readonly kind: "MarkDistinct" } {
    const source = this.source();
    const keys = this.some(outputsOf(source), 3, 1);
    return { kind: "MarkDistinct", id: this.id(), source, keys, marker: this.variable(BOOLEAN) };
  }

  /** As for count(DISTINCT x). */
  maskedAggregation(): PlanNode {
    const source = this.markDistinct();
    return this.aggregation(source, source.marker);
  }

  sort(): PlanNode {
    const source = this.source();
    return { kind: "Sort", id: this.id(), source, orderBy: this.orderings(outputsOf(source), 1) };
  }

  topN(): PlanNode {
    const source = this.source();
    const orderBy = this.orderings(outputsOf(source), 1);
    const ties = this.random.chance(30) ? { withTies: true as const } : {};
    const step = this.random.pick(["SINGLE", "PARTIAL", "FINAL"] as const);
    return { kind: "TopN", id: this.id(), source, count: this.random.pick([1, 2, 5, 20, 100]), orderBy, step, ...ties };
  }

  limit(): PlanNode {
    return { kind: "Limit", id: this.id(), source: this.source(), count: this.random.pick([0, 1, 3, 10, 50]), partial: false };
  }

  offset(): PlanNode {
    return { kind: "Offset", id: this.id(), source: this.source(), count: this.random.pick([0, 1, 3, 10, 50]) };
  }

  /** Of a group without keys or of no rows, so that it does not fail. */
  singleRow(): PlanNode {
    const scan = this.scan();
    const none: PlanNode = { kind: "Limit", id: this.id(), source: scan, count: this.random.below(2), partial: false };
    return { kind: "EnforceSingleRow", id: this.id(), source: none };
  }

  sample(): PlanNode {
    const method = this.random.pick(["BERNOULLI", "SYSTEM"] as const);
    return { kind: "Sample", id: this.id(), source: this.source(), method, ratio: this.random.below(2) };
  }

  unnest(): PlanNode {
    const source = this.scan();
    const ordinal = this.random.chance(50) ? { ordinal: this.variable(BIGINT) } : {};
    return { kind: "Unnest", id: this.id(), source, count: source.outputs[0] as Variable, ...ordinal };
  }

  union(): PlanNode {
    const types = this.#types();
    const sources = Array.from({ length: 1 + this.random.below(3) }, () => this.scan(types));
    const outputs = [BIGINT, ...types].map((type) => this.variable(type));
    return { kind: "Union", id: this.id(), sources, outputs, sourceVariables: sources.map((source) => source.outputs) };
  }

  join(isFiltered = false): JoinNode {
    const { random } = this;
    const types = Array.from({ length: 1 + random.below(2) }, () => random.pick(someTypes));
    const [left, right] = [this.scan([...types, ...this.#types()]), this.scan([...types, ...this.#types()])];
    // The bigint `n` has many matches, other keys few.
    const places = random.shuffle([...types.keys(), -1]).slice(0, 1 + random.below(types.length + 1));
    const criteria = places.map((place) => ({
      left: left.outputs[place + 1] as Variable,
      right: right.outputs[place + 1] as Variable,
    }));
    const all = [...left.outputs, ...right.outputs];
    const type = random.pick(["INNER", "LEFT", "RIGHT", "FULL"] as const);
    const outputs = all.filter(() => random.chance(80));
    const dynamic = !isFiltered && (type === "INNER" || type === "RIGHT") && random.chance(50);
    const [first] = criteria as [JoinNode["criteria"][number]];
    const probe = dynamic ? this.#withFilter(left, first.left) : left;
    return {
      kind: "Join",
      id: this.id(),
      type,
      left: probe,
      right,
      criteria,
      outputs: outputs.length === 0 ? all : outputs,
      distribution: "PARTITIONED",
      ...(isFiltered && { filter: this.condition(all) }),
      ...(dynamic && { dynamicFilters: { df: first.right } }),
    };
  }

  /** A join of any sources, over columns of one type. */
  joinOf(left: PlanNode, right: PlanNode): PlanNode {
    const { random } = this;
    const all = [...outputsOf(left), ...outputsOf(right)];
    const pairs = outputsOf(left).flatMap((one) =>
      outputsOf(right).flatMap((other) =>
        one.type.kind !== "array" && JSON.stringify(one.type) === JSON.stringify(other.type) ? [{ left: one, right: other }] : [],
      ),
    );
    const criteria = random.shuffle(pairs).slice(0, random.pick([1, 1, 2]));
    const id = this.id();
    if (criteria.length === 0) {
      return { kind: "Join", id, type: "INNER", left, right, criteria, outputs: all, distribution: "REPLICATED" };
    }
    const type = random.pick(["INNER", "INNER", "LEFT", "RIGHT", "FULL"] as const);
    const filter = random.chance(30) ? { filter: this.condition(all) } : {};
    return { kind: "Join", id, type, left, right, criteria, outputs: all, distribution: "PARTITIONED", ...filter };
  }

  #withFilter(scan: TableScanNode, variable: Variable): TableScanNode {
    const filtered: TableScanNode = { ...scan, dynamicFilters: [{ id: "df", variable }] };
    const place = this.tables.findIndex((table) => table.scan === scan);
    this.tables[place] = { ...(this.tables[place] as Table), scan: filtered };
    return filtered;
  }

  nestedLoop(): JoinNode {
    const [left, right] = [this.source(), this.scan()];
    const all = [...outputsOf(left), ...right.outputs];
    const filter = this.random.chance(70) ? { filter: this.condition(all) } : {};
    const type = this.random.pick(["INNER", "LEFT"] as const);
    return { kind: "Join", id: this.id(), type, left, right, criteria: [], outputs: all, distribution: "REPLICATED", ...filter };
  }

  semiJoin(): PlanNode {
    const type = this.random.pick(someTypes);
    const [source, filtering] = [this.scan([type, ...this.#types()]), this.scan([type])];
    const place = this.random.below(2);
    const [sourceKey, filteringKey] = [source.outputs[place] as Variable, filtering.outputs[place] as Variable];
    const buildsSource = !isNested(sourceKey.type) && this.random.chance(50);
    const dynamic = buildsSource && this.random.chance(50);
    return {
      kind: "SemiJoin",
      id: this.id(),
      source,
      filtering: dynamic ? this.#withFilter(filtering, filteringKey) : filtering,
      sourceKey,
      filteringKey,
      output: this.variable(BOOLEAN),
      distribution: "REPLICATED",
      ...(buildsSource && { build: "SOURCE" }),
      ...(dynamic && { dynamicFilters: { df: sourceKey } }),
    };
  }

  values(): PlanNode {
    const types = Array.from({ length: 1 + this.random.below(4) }, () => this.random.pick(someTypes));
    const rows = Array.from({ length: this.random.below(6) }, () =>
      types.map((type) => constantOf(type, drawValue(this.random, type, 20))),
    );
    return { kind: "Values", id: this.id(), outputs: types.map((type) => this.variable(type)), rows };
  }

  some(outputs: readonly Variable[], most: number, least = 0): readonly Variable[] {
    return this.random.shuffle(outputs).slice(0, least + this.random.below(most + 1 - least));
  }

  /** Arrays are ordered by rules of their own. */
  orderings(outputs: readonly Variable[], least: number): readonly Ordering[] {
    const known = outputs.filter(({ type }) => type.kind !== "array");
    return this.some(known, 3, least).map((variable) => ({
      variable,
      descending: this.random.chance(50),
      nullsFirst: this.random.chance(50),
    }));
  }

  /** A bigint of small numbers; every source has one. */
  numberOf(outputs: readonly Variable[]): Variable | Constant {
    return outputs.find(({ name }) => /^n_\d+$/.test(name)) ?? big(3);
  }

  /** A disjunction whose terms have a condition in common, or almost. */
  #factored(outputs: readonly Variable[]): RowExpression {
    const common = this.condition(outputs, 1);
    const term = (isCommon: boolean): RowExpression => {
      const args = [isCommon ? common : this.condition(outputs, 1), this.condition(outputs, 1)];
      return { kind: "special", form: "AND", type: BOOLEAN, args: this.random.shuffle(args) };
    };
    const terms = [term(true), term(true), ...(this.random.chance(30) ? [term(this.random.chance(50))] : [])];
    return { kind: "special", form: "OR", type: BOOLEAN, args: terms };
  }

  condition(outputs: readonly Variable[], depth = 0): RowExpression {
    const { random } = this;
    const call = (name: string, ...args: RowExpression[]): RowExpression => ({ kind: "call", name, type: BOOLEAN, args });
    if (depth < 2 && random.chance(30)) {
      const [a, b] = [this.condition(outputs, depth + 1), this.condition(outputs, depth + 1)];
      return random.chance(25)
        ? call("$not", a)
        : { kind: "special", form: random.pick(["AND", "OR"] as const), type: BOOLEAN, args: [a, b] };
    }
    if (random.chance(4)) {
      return { kind: "constant", type: BOOLEAN, value: random.pick([true, false, null]) };
    }
    if (depth === 0 && random.chance(6)) {
      return this.#factored(outputs);
    }
    const variable = random.pick(outputs);
    const { type } = variable;
    if (type.kind === "array" || random.chance(15)) {
      return { kind: "special", form: "IS_NULL", type: BOOLEAN, args: [variable] };
    }
    const draw = (): RowExpression => constantOf(type, known(type) ? drawValue(random, type, 5) : null);
    if (random.chance(15)) {
      return { kind: "special", form: "IN", type: BOOLEAN, args: [variable, ...Array.from({ length: 1 + random.below(4) }, draw)] };
    }
    const alike = outputs.filter((other) => JSON.stringify(other.type) === JSON.stringify(type));
    const other = random.chance(40) ? random.pick(alike) : draw();
    return call(random.pick(["$eq", "$ne", "$lt", "$le", "$gt", "$ge", "$distinct"]), variable, other);
  }
}

function isComparable({ type }: Variable): boolean {
  return type.kind !== "array" && type.kind !== "real" && type.kind !== "double";
}

function known(type: Type): boolean {
  return someTypes.some((one) => JSON.stringify(one) === JSON.stringify(type));
}

export function big(value: number): Constant {
  return { kind: "constant", type: BIGINT, value: String(value) };
}

/** As plans spell constants (typed-expression.ts). */
function constantOf(type: Type, value: Value): Constant {
  const spelled =
    typeof value === "bigint"
      ? String(value)
      : typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))
        ? Object.is(value, -0)
          ? "-0"
          : String(value)
        : value;
  return { kind: "constant", type, value: spelled };
}
