/**
 * Calls of every function of the registry with large arguments: long texts, long arrays, numbers at and beyond the bounds. Arguments are
 * columns, so that only the function's own work counts.
 */
import { compilePageProcessor } from "../../../src/execution/expressions/page-processor.ts";
import { evaluateConstant } from "../../../src/execution/expressions/evaluate.ts";
import type { ScalarDefinition } from "../../../src/functions/registry/definition.ts";
import { parsePattern, type TypePattern } from "../../../src/functions/registry/type-patterns.ts";
import { analyzeExpression } from "../../../src/planner/analyzer/expression/analyze-expression.ts";
import type { Field } from "../../../src/planner/analyzer/scope/scope.ts";
import type { PlanContext } from "../../../src/planner/context.ts";
import { startAnalysis } from "../../../src/planner/plan-query.ts";
import type { ConstantValue, RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import { displayType } from "../../../src/types/type.ts";
import { call, makePage, type World } from "../../unit/execution/expressions/world.ts";
import { parseExpression } from "../expressions.ts";

export interface HardSizes {
  /** Code points of texts. */
  readonly text: number;
  /** Elements of arrays and entries of maps. */
  readonly elements: number;
}

export interface HardCall {
  readonly definition: ScalarDefinition;
  /** `name(argument types)`. */
  readonly signature: string;
  readonly number: string;
}

/** Numbers that stand for each argument of a numeric type. */
const hardNumbers = ["1", "7", "10000", "2147483647"] as const;

/** Types that no scalar function makes: only aggregates do. */
const withoutConstructor: ReadonlySet<string> = new Set([
  "P4HyperLogLog",
  "tdigest",
  "setdigest",
  "qdigest",
  "Classifier",
  "Regressor",
  "color",
]);

/** Functions of the planner whose arguments have an internal form. */
const internal: ReadonlySet<string> = new Set(["$like_program", "$in_order"]);

export function hardCalls(definitions: readonly ScalarDefinition[]): readonly HardCall[] {
  return definitions
    .filter(({ name }) => !internal.has(name))
    .flatMap((definition) => {
      const signature = `${definition.name}(${definition.args.join(", ")})`;
      const takesNumbers = definition.args.some((arg) => /^(bigint|integer|smallint|tinyint|double|real)$/.test(arg));
      return (takesNumbers ? hardNumbers : (["1"] as const)).map((number) => ({ definition, signature, number }));
    });
}

/** SQL of a large value of a type; undefined if no scalar function makes one. */
export function valueOf(
  pattern: TypePattern,
  { number, sizes, inner = false }: { number: string; sizes: HardSizes; inner?: boolean },
): string | undefined {
  const { elements, text } = sizes;
  const nested = (one: TypePattern): string | undefined => valueOf(one, { number: "1", sizes, inner: true });
  if (withoutConstructor.has(pattern.text)) {
    return undefined;
  }
  switch (pattern.kind) {
    case "variable":
      return inner ? "CAST(i AS bigint)" : "BIGINT '1'";
    case "array": {
      const element = nested(pattern.inner[0] as TypePattern);
      if (inner) {
        return element === undefined ? undefined : `ARRAY[${element}]`;
      }
      return element === undefined ? undefined : many(elements, element);
    }
    case "map": {
      const value = nested(pattern.inner[1] as TypePattern);
      const key = (pattern.inner[0] as TypePattern).text === "varchar" ? "CAST(i AS varchar)" : "CAST(i AS bigint)";
      if (inner) {
        return value === undefined ? undefined : `MAP(ARRAY[${key}], ARRAY[${value}])`;
      }
      return value === undefined ? undefined : `MAP(${many(elements, key)}, ${many(elements, value)})`;
    }
    case "row": {
      const fields = pattern.inner.map(nested);
      return fields.includes(undefined) ? undefined : `ROW(${fields.join(", ")})`;
    }
    case "leaf":
      return leafOf(pattern.text.replace(/\([^)]*\)/, ""), { number, text: inner ? 0 : text, inner });
    default:
      return undefined;
  }
}

/** An array of `count` values of an expression of `i`. */
function many(count: number, element: string): string {
  const parts = Array.from(
    { length: Math.ceil(count / 10_000) },
    (_, index) => `sequence(${index * 10_000 + 1}, ${Math.min(count, (index + 1) * 10_000)})`,
  );
  const numbers = parts.length === 1 ? parts[0] : `flatten(ARRAY[${parts.join(", ")}])`;
  return `transform(${numbers}, i -> ${element})`;
}

function leafOf(type: string, { number, text, inner }: { number: string; text: number; inner: boolean }): string | undefined {
  const long = text === 0 ? "CAST(i AS varchar)" : `rpad('', ${text}, 'ab1 /.')`;
  switch (type) {
    case "varchar":
    case "char":
      return long;
    case "varbinary":
      return `to_utf8(${long})`;
    case "json":
      return inner ? "CAST(i AS json)" : `json_parse('[' || rpad('', ${Math.floor(text / 2) * 2}, '1,') || '1]')`;
    case "boolean":
      return "true";
    case "bigint":
    case "integer":
    case "smallint":
    case "tinyint":
    case "double":
    case "real":
    case "decimal":
      return inner
        ? `CAST(i % 100 AS ${type === "decimal" ? "decimal(10,2)" : type})`
        : `CAST(${clamped(number, type)} AS ${type === "decimal" ? "decimal(20,2)" : type})`;
    case "date":
      return "DATE '2020-02-29'";
    case "time":
      return "TIME '12:34:56.789'";
    case "timestamp":
      return "TIMESTAMP '2020-02-29 12:34:56.789'";
    case "timestamp with time zone":
      return "TIMESTAMP '2020-02-29 12:34:56.789 Europe/Berlin'";
    case "time with time zone":
      return "TIME '12:34:56.789 +01:00'";
    case "interval day to second":
      return "INTERVAL '1' SECOND";
    case "interval year to month":
      return "INTERVAL '1' MONTH";
    case "uuid":
      return "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'";
    case "ipaddress":
      return "IPADDRESS '2001:db8::1'";
    case "ipprefix":
      return "IPPREFIX '2001:db8::/32'";
    case "HyperLogLog":
      return "empty_approx_set()";
    case "Geometry":
      return inner
        ? "ST_Point(CAST(i % 90 AS double), 1e0)"
        : `ST_LineString(${many(text === 0 ? 2 : Math.min(2000, text), "ST_Point(CAST(i % 90 AS double), CAST(i % 89 AS double))")})`;
    case "SphericalGeography":
      return "to_spherical_geography(ST_GeometryFromText('POLYGON ((0 0, 0 9, 9 9, 9 0, 0 0))'))";
    case "BingTile":
      return "bing_tile(1, 1, 2)";
    default:
      return undefined;
  }
}

function clamped(number: string, type: string): string {
  const max: Readonly<Record<string, string>> = { tinyint: "127", smallint: "32767" };
  return max[type] !== undefined && Number(number) > Number(max[type]) ? (max[type] as string) : number;
}

/** A lambda whose result has the type that the pattern asks for. */
function lambdaOf(pattern: TypePattern): string {
  const result = pattern.inner.at(-1) as TypePattern;
  const parameters = pattern.inner.slice(0, -1).map((one, index) => ({ name: `p${index}`, text: one.text }));
  const names = parameters.map(({ name }) => name).join(", ");
  const same = parameters.find(({ text }) => text === result.text) ?? parameters.at(-1);
  const body =
    result.text === "boolean"
      ? `${parameters[0]?.name} IS NULL`
      : result.text === "integer"
        ? "IF(p0 < p1, -1, IF(p0 > p1, 1, 0))"
        : result.text === "varchar"
          ? "'xyz'"
          : same?.name;
  return `(${names}) -> ${body}`;
}

export interface PreparedCall {
  /**
   * Runs the call; `onSlice` is called without a number before it, then with the steps of each slice. Returns the name of the error, or
   * undefined.
   */
  run(onSlice: (steps?: number) => void): string | undefined;
}

/** Arguments that were made before, by their SQL. */
export type MadeArguments = Map<string, { readonly variable: Variable; readonly value: ConstantValue }>;

export interface HardWorld {
  readonly world: World;
  readonly sizes: HardSizes;
  readonly made: MadeArguments;
}

/** Undefined if an argument cannot be made. */
export async function prepareHardCall(hard: HardWorld, { definition, number }: HardCall): Promise<PreparedCall | undefined> {
  const values: string[] = [];
  const texts: string[] = [];
  for (const pattern of definition.args.map(parsePattern)) {
    if (pattern.kind === "function") {
      texts.push(lambdaOf(pattern));
      continue;
    }
    const sql = valueOf(pattern, { number, sizes: hard.sizes });
    if (sql === undefined) {
      return undefined;
    }
    texts.push(`c${values.length}`);
    values.push(sql);
  }
  const isInternal = definition.name.startsWith("$");
  if (isInternal && texts.length > values.length) {
    // Calls of it with lambdas are those of reduce.
    return undefined;
  }
  return prepareHardExpression(hard, values, isInternal ? ({ name: definition.name } as const) : callOf(definition.name, texts));
}

/** An expression over columns `c0`, `c1` and so on of one row, whose values are SQL; or a function of the planner over all of them. */
export async function prepareHardExpression(
  { made, world }: HardWorld,
  values: readonly string[],
  sql: string | { readonly name: string },
): Promise<PreparedCall> {
  const analysis = await startAnalysis({}, contextOf(world));
  const columns = values.map((value, index) => {
    const known = made.get(value) ?? madeArgument(analyzed(value, analysis, []), world);
    made.set(value, known);
    const variable: Variable = { ...known.variable, name: `c${index}` };
    return { variable, value: known.value };
  });
  const fields = columns.map(({ variable }): Field => ({ name: variable.name, expression: variable, hidden: false }) as Field);
  const expression = typeof sql === "string" ? analyzed(sql, analysis, fields) : call(sql.name, ...columns.map(({ variable }) => variable));
  return {
    run: (onSlice) => {
      const memory = world.memory.child("hard call");
      const page = makePage(
        memory,
        columns.map(({ variable, value }) => ({ type: variable.type, values: [value] })),
        1,
      );
      const inputs = columns.map(({ variable }) => variable);
      const processor = compilePageProcessor(world.wasm, { inputs, projections: [expression] }).create(memory, () => 7n);
      onSlice();
      try {
        for (;;) {
          const output = processor.advance(page);
          onSlice(processor.takeWorkSteps());
          if (output !== undefined) {
            return undefined;
          }
        }
      } catch (error) {
        onSlice(processor.takeWorkSteps());
        if (error instanceof QueryError) {
          return error.errorName;
        }
        throw error;
      } finally {
        processor.close();
        memory.close();
      }
    },
  };
}

export function madeArgument(
  expression: RowExpression,
  { memory, wasm }: World,
): { readonly variable: Variable; readonly value: ConstantValue } {
  const value = evaluateConstant(wasm, memory, expression, { stepsLeft: Number.MAX_SAFE_INTEGER });
  return { variable: { kind: "variable", name: "made", type: expression.type }, value };
}

/** Some functions are called with words of their own. */
function callOf(name: string, args: readonly string[]): string {
  switch (name) {
    case "like":
      return `${args[0]} LIKE ${args[1]}${args[2] === undefined ? "" : " ESCAPE '#'"}`;
    case "normalize":
      return `normalize(${args[0]}${args[1] === undefined ? "" : ", NFKD"})`;
    default:
      return `${name}(${args.join(", ")})`;
  }
}

export function analyzed(sql: string, analysis: Awaited<ReturnType<typeof startAnalysis>>, fields: readonly Field[]): RowExpression {
  return analyzeExpression(parseExpression(sql), {
    analysis,
    scope: { fields, queryBoundary: true },
    queries: { named: new Map() },
    clause: "test",
  });
}

export function contextOf(world: World): PlanContext {
  return {
    catalogs: { names: () => [], connector: () => undefined },
    session: { user: "test", timeZone: "UTC", startMillis: 1_700_000_000_000, properties: {} },
    evaluateConstant: (expression) => evaluateConstant(world.wasm, world.memory, expression),
    nodeVersion: "test",
    typeText: displayType,
    drawSeed: () => 42n,
  };
}
