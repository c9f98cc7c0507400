/** Counters of tasks that have done nothing, for fakes that set some. */
import { operatorCounters, taskCounters, type TaskCounterValues } from "../../src/protocol/counters.ts";

function zeros<Name extends string>(names: readonly string[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

export const zeroTaskCounters: TaskCounterValues = zeros(Object.keys(taskCounters));

/** Without those that only some operators have. */
export const zeroOperatorCounters: Record<Exclude<keyof typeof operatorCounters, "dynamicFilteredPositions">, number> = zeros(
  Object.entries(operatorCounters).flatMap(([name, counter]) => ("optional" in counter ? [] : [name])),
);
