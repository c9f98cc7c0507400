/**
 * Simplifies faults: removes them, then shortens them and rounds their times and sizes. It does not know the kinds: a fault consists of
 * times, names and numbers.
 */
import type { Fault, RunPlan } from "../plan.ts";
import { shorterSpans, simplerCounts, simplerTimes } from "./numbers.ts";
import type { Search } from "./search.ts";

function withFaults(plan: RunPlan, faults: readonly Fault[]): RunPlan {
  return { ...plan, faults };
}

export async function reduceFaults(search: Search): Promise<void> {
  await search.reduce(search.best.faults, withFaults);
}

export async function simplifyFaults(search: Search): Promise<void> {
  for (let index = 0; index < search.best.faults.length; index++) {
    for (const candidates of [shorter, earlier, aimed, rounder]) {
      await search.first(
        [...candidates(search.best.faults[index] as Fault)].map((fault) =>
          withFaults(
            search.best,
            search.best.faults.map((one, at) => (at === index ? fault : one)),
          ),
        ),
      );
    }
  }
}

function shorter(fault: Fault): readonly Fault[] {
  const spans = shorterSpans(fault.untilNanos - fault.atNanos);
  return [...spans].sort((a, b) => a - b).map((span) => ({ ...fault, untilNanos: fault.atNanos + span }));
}

function earlier(fault: Fault): readonly Fault[] {
  const span = fault.untilNanos - fault.atNanos;
  return simplerTimes(fault.atNanos).map((atNanos) => ({ ...fault, atNanos, untilNanos: atNanos + span }));
}

function aimed(fault: Fault): readonly Fault[] {
  const { afterWorkNanos, ...rest } = fault;
  if (afterWorkNanos === undefined) {
    return [];
  }
  return [rest, ...simplerTimes(afterWorkNanos).map((nanos) => ({ ...fault, afterWorkNanos: nanos }))];
}

/** Rounds factors, sizes and other numbers, under any member name. */
function rounder(fault: Fault): readonly Fault[] {
  return Object.entries(fault).flatMap(([name, value]) => {
    if (typeof value !== "number" || ["atNanos", "untilNanos", "afterWorkNanos"].includes(name)) {
      return [];
    }
    const simpler = name.endsWith("Nanos") ? simplerTimes(value) : simplerCounts(value);
    return simpler.map((number) => ({ ...fault, [name]: number }));
  });
}
