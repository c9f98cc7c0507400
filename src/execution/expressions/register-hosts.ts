/** Makes the host functions of prepared expressions known to a runtime, those of lambdas included. */
import type { HostImplementation } from "../../functions/registry/definition.ts";
import { registerHostImplementation, registerMath } from "../../functions/runtime/host.ts";
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
    registerHostImplementation(runtime, { name: hostName, call: { argTypes, returnType }, implementation: { steps: inSteps } });
  }
  if ((host !== undefined || makeHost !== undefined) && !runtime.hasHost(hostName)) {
    registerHostImplementation(runtime, {
      name: hostName,
      call: { argTypes, returnType },
      implementation: host ?? (makeHost as () => HostImplementation)(),
    });
  }
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
