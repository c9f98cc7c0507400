/**
 * Evaluates the functions' examples with the engine's parser and analyzer, without tables or column names.
 */
import { evaluateConstant } from "../../../src/execution/expressions/evaluate.ts";
import { decodeNested, nestedSource, type NestedType } from "../../../src/types/nested/nested.ts";
import { parseHex } from "../../../src/functions/runtime/formats.ts";
import { textOfValue } from "../../../src/functions/runtime/nested-values.ts";
import { analyzeExpression } from "../../../src/planner/analyzer/expression/analyze-expression.ts";
import type { PlanContext } from "../../../src/planner/context.ts";
import type { ConstantValue, RowExpression, Variable } from "../../../src/planner/plan/typed-expression.ts";
import { startAnalysis } from "../../../src/planner/plan-query.ts";
import { parseExpression } from "../../support/expressions.ts";
import { displayType, isNested, VARCHAR } from "../../../src/types/type.ts";
import { cast, evaluate, type World } from "../execution/expressions/world.ts";

export function analyzeExample(sql: string, world: World): Promise<RowExpression> {
  return analyzeWith(sql, world, []);
}

/** The expression may name the columns. */
export async function analyzeWith(sql: string, world: World, columns: readonly Variable[]): Promise<RowExpression> {
  const context: PlanContext = {
    catalogs: { names: () => [], connector: () => undefined },
    session: { user: "test", timeZone: "UTC", startMillis: 1_700_000_000_000, properties: {} },
    evaluateConstant: (expression) => evaluateConstant(world.wasm, world.memory, expression),
    nodeVersion: "test",
    typeText: displayType,
    drawSeed: () => 42n,
  };
  return analyzeExpression(parseExpression(sql), {
    analysis: await startAnalysis({}, context),
    scope: { fields: columns.map((expression) => ({ name: expression.name, expression, hidden: false })), queryBoundary: true },
    queries: { named: new Map() },
    clause: "example",
  });
}

/** The value as text: arrays as `[1, null]`, maps as `{a=1}`, other types as by a cast. */
export async function exampleResult(sql: string, world: World, runtime = world.wasm): Promise<ConstantValue> {
  const expression = await analyzeExample(sql, world);
  const { type } = expression;
  if (!isNested(type)) {
    return evaluate(world, cast(expression, VARCHAR), runtime);
  }
  const bytes = evaluate(world, expression, runtime);
  return bytes === null ? null : textOfValue(type, decodeNested(type as NestedType, nestedSource(parseHex(String(bytes)) as Uint8Array)));
}
