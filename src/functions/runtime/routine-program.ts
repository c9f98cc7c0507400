/**
 * `$routine(program, argument ..., expression ...)`: the call of a SQL function in a plan. The program is a constant: steps over numbered
 * variables, the parameters first. Its expressions are lambdas over the variables they read, so they are compiled to kernels like all
 * others; this file interprets the steps between them.
 */
import { assert } from "../../protocol/errors.ts";
import type { WorkWatch } from "../../codegen/host-work.ts";
import type { Type } from "../../types/type.ts";
import type { HostLambda, HostSurroundings, HostValue, LambdaImplementation, ScalarDefinition } from "../registry/definition.ts";
import { hostArgumentsMax } from "./errors.ts";
import { raising } from "./kept-results.ts";
import { bytesOfValue } from "./value-bytes.ts";

export const routineName = "$routine";

/** Maximum number of arguments: program, arguments and expressions together. */
export const maxRoutineArguments: number = hostArgumentsMax;

/** `value` and `condition` are expression numbers; `to` is a step number. */
export type RoutineStep =
  /** No value means NULL. */
  | { readonly do: "set"; readonly variable: number; readonly value?: number }
  | { readonly do: "jump"; readonly to: number }
  /** Jumps unless the condition is true. */
  | { readonly do: "unless"; readonly condition: number; readonly to: number }
  | { readonly do: "return"; readonly value: number };

export interface RoutineProgram {
  /** Name shown by EXPLAIN. */
  readonly name: string;
  readonly variables: number;
  /** RETURNS NULL ON NULL INPUT. */
  readonly strict?: boolean;
  /** Variables that each expression reads, by expression. */
  readonly inputs: readonly (readonly number[])[];
  readonly steps: readonly RoutineStep[];
}

/** State of a running program, sufficient to resume it. */
interface RoutineFrame {
  readonly variables: HostValue[];
  /** Size of each variable's value, in bytes. */
  readonly bytes: number[];
  next: number;
}

const programsMax = 256;

function makeRoutine(): LambdaImplementation {
  const programs = new Map<string, RoutineProgram>();
  const programOf = (text: string): RoutineProgram => {
    const known = programs.get(text);
    if (known !== undefined) {
      return known;
    }
    if (programs.size >= programsMax) {
      programs.clear();
    }
    const program = JSON.parse(text) as RoutineProgram;
    programs.set(text, program);
    return program;
  };
  return ([text, ...args], lambdas, _call, surroundings) => {
    const program = programOf(text as string);
    if (program.strict === true && args.includes(null)) {
      return null;
    }
    const begin = (): RoutineFrame => {
      const variables = Array.from({ length: program.variables }, (_, index) => args[index] ?? null);
      return { variables, bytes: variables.map(bytesOfValue), next: 0 };
    };
    assert(surroundings !== undefined, "a program has expressions");
    const evaluate = evaluator(program, lambdas, surroundings);
    const { draws, work } = surroundings;
    return work.call({
      begin,
      bytesOf: bytesOfValue,
      bytesOfFrame: ({ bytes }) => bytes.reduce((sum, more) => sum + more, 0),
      draws,
      run: (frame, watch) => runSteps(program, evaluate, frame, watch),
    });
  };
}

type Evaluate = (expression: number, variables: readonly HostValue[]) => HostValue;

function evaluator({ inputs }: RoutineProgram, lambdas: readonly HostLambda[], surroundings: HostSurroundings): Evaluate {
  const raised = lambdas.map((lambda) => raising(lambda, surroundings));
  return (expression, variables) => {
    const taken = inputs[expression] as readonly number[];
    return (raised[expression] as HostLambda)(...taken.map((variable) => variables[variable] as HostValue));
  };
}

function assign({ bytes, variables }: RoutineFrame, variable: number, value: HostValue, watch: WorkWatch): void {
  const more = bytesOfValue(value);
  watch.spend(more);
  watch.hold(more - (bytes[variable] as number));
  bytes[variable] = more;
  variables[variable] = value;
}

function runSteps({ inputs, steps }: RoutineProgram, evaluateWith: Evaluate, frame: RoutineFrame, watch: WorkWatch): HostValue {
  const evaluate = (index: number): HostValue => {
    watch.spend((inputs[index] as readonly number[]).reduce((sum, variable) => sum + (frame.bytes[variable] as number), 0));
    return evaluateWith(index, frame.variables);
  };
  for (;;) {
    watch.step();
    const current = steps[frame.next];
    assert(current !== undefined, "a program ends with a return");
    switch (current.do) {
      case "set":
        assign(frame, current.variable, current.value === undefined ? null : evaluate(current.value), watch);
        frame.next++;
        break;
      case "jump":
        frame.next = current.to;
        break;
      case "unless":
        frame.next = evaluate(current.condition) === true ? frame.next + 1 : current.to;
        break;
      case "return":
        return evaluate(current.value);
    }
  }
}

type RoutineDefinition = Pick<ScalarDefinition, "makeWithLambdas" | "nulls" | "suspends">;

const definition: RoutineDefinition = Object.freeze({ nulls: "seen", suspends: true, makeWithLambdas: makeRoutine });

/** The last expression is that of the last RETURN; its type is the type of the call. Undefined for other names. */
export function resolveRoutine(
  name: string,
  argTypes: readonly Type[],
): { readonly argTypes: readonly Type[]; readonly returnType: Type; readonly definition: RoutineDefinition } | undefined {
  const last = argTypes.at(-1);
  return name !== routineName || last?.kind !== "function" ? undefined : { argTypes, returnType: last.result, definition };
}
