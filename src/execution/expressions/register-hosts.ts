/** Makes the host functions of prepared expressions known to a runtime, those of lambdas included. */
import type { HostImplementation, HostSteps } from "../../functions/registry/definition.ts";
import { drawStateOffset } from "../../functions/runtime/errors.ts";
import { type HostBinding, registerHostImplementation, registerMath } from "../../functions/runtime/host.ts";
import { runSteps } from "../../functions/runtime/steps.ts";
import { bytesOfValue } from "../../functions/runtime/value-bytes.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { Call, RowExpression } from "../../planner/plan/typed-expression.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { registerLambdaCall } from "./lambdas.ts";
import { withKeptResults } from "../../functions/runtime/kept-results.ts";
import {
  type FoundImplementation,
  lambdaCallName,
  lambdasOf,
  implementationOfCall,
  implementationOfCast,
  type PreparedExpressions,
  type PreparedLambda,
} from "./prepare.ts";

/** Registers the host functions of the expressions. Call it before a kernel with these expressions is loaded. */
export function registerExpressionHosts(runtime: KernelRuntime, prepared: PreparedExpressions): void {
  const visit = (expression: RowExpression): void => {
    switch (expression.kind) {
      case "lambda":
        return registerExpressionHosts(runtime, (prepared.lambdas.get(expression) as PreparedLambda).code);
      case "call":
        if (expression.args.some((arg) => arg.kind === "lambda")) {
          expression.args.forEach(visit);
          return registerCallOfLambdas(runtime, expression, lambdasOf(expression, prepared.lambdas));
        }
        registerImplementation(
          runtime,
          implementationOfCall(expression),
          expression.args.map((arg) => arg.type),
          expression.type,
        );
        return expression.args.forEach(visit);
      case "cast":
        registerImplementation(runtime, implementationOfCast(expression), [expression.arg.type], expression.type);
        return visit(expression.arg);
      case "special":
        return expression.args.forEach(visit);
      default:
        return;
    }
  };
  prepared.expressions.forEach(visit);
}

function registerImplementation(
  runtime: KernelRuntime,
  { implementation, hostName }: FoundImplementation,
  argTypes: readonly Type[],
  returnType: Type,
): void {
  for (const binding of implementation.math ?? []) {
    registerMath(runtime, binding);
  }
  const { host, makeHost, makeSteps, steps } = implementation;
  const inSteps = steps ?? makeSteps?.();
  if (inSteps !== undefined) {
    registerHostImplementation(runtime, { name: hostName, call: { argTypes, returnType }, implementation: suspended(runtime, inSteps) });
  }
  if ((host !== undefined || makeHost !== undefined) && !runtime.hasHost(hostName)) {
    registerHostImplementation(runtime, {
      name: hostName,
      call: { argTypes, returnType },
      implementation: host ?? (makeHost as () => HostImplementation)(),
    });
  }
}

/** Steps of a call that need no record, because they take little time again. */
const unrecordedStepsMax = 16;

function suspended({ linear, work }: KernelRuntime, steps: HostSteps): HostBinding["implementation"] {
  return (args, call, { errorBlock }) => {
    const generator = steps(args, call);
    const first = generator.next();
    if (first.done === true) {
      work.count(unrecordedStepsMax);
      return first.value;
    }
    const state = (errorBlock + drawStateOffset) >>> 3;
    return work.call({
      begin: () => generator,
      run: runSteps,
      draws: {
        get: () => linear.i64[state] as bigint,
        set: (value) => {
          linear.i64[state] = value;
        },
      },
      bytesOfFrame: () => args.reduce((sum: number, arg) => sum + bytesOfValue(arg), 0),
      bytesOf: bytesOfValue,
    });
  };
}

function registerCallOfLambdas(runtime: KernelRuntime, call: Call, lambdas: readonly PreparedLambda[]): void {
  const { implementation, hostName } = implementationOfCall(call);
  const withLambdas = implementation.withLambdas ?? implementation.makeWithLambdas?.();
  assert(withLambdas !== undefined, `${call.name} takes lambdas and has no meaning with them`);
  registerLambdaCall(runtime, call, {
    name: lambdaCallName(hostName, lambdas),
    implementation: implementation.suspends === true ? withLambdas : withKeptResults(withLambdas),
    lambdas,
  });
}
