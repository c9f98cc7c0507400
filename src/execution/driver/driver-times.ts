/**
 * When drivers began and ended, for the timeline of a task. Pipelines over a table scan have an entry for each split, as Presto counts
 * drivers.
 */
import type { DriverTimes } from "../task/api.ts";
import type { SourceOperator } from "../operators/operator.ts";
import type { Driver } from "./driver.ts";

/** `millisOf` converts times of the monotonic clock to epoch milliseconds. */
export function driverTimes(driver: Driver, millisOf: (nanos: number) => number): readonly DriverTimes[] {
  const source = driver.operators[0] as SourceOperator;
  const { blockedNanos, cpuNanos, createdNanos, endedNanos, scheduledNanos, startedNanos } = driver.stats;
  const createMillis = millisOf(createdNanos);
  const { splitSpans } = source;
  if (splitSpans === undefined) {
    return [
      {
        ordinal: 0,
        createMillis,
        ...(startedNanos === undefined ? {} : { startMillis: millisOf(startedNanos) }),
        ...(endedNanos === undefined ? {} : { endMillis: millisOf(endedNanos) }),
        scheduledNanos,
        cpuNanos,
        blockedNanos,
      },
    ];
  }
  return splitSpans.map(({ endNanos = endedNanos, ordinal, positions, startNanos }) => ({
    ordinal,
    createMillis,
    startMillis: millisOf(startNanos),
    ...(endNanos === undefined ? {} : { endMillis: millisOf(endNanos), rawInputPositions: positions }),
  }));
}
