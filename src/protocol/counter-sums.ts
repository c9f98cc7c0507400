/** Sums of counters: from pipelines to their task, from tasks to stages and queries. */
import {
  entriesOf,
  type NamesOf,
  type PipelineCounters,
  type TaskCounter,
  type TaskCounterName,
  taskCounters,
  type TaskCounterValues,
  type Values,
} from "./counters.ts";

const taskEntries: readonly [TaskCounterName, TaskCounter][] = entriesOf<TaskCounterName, TaskCounter>(taskCounters);

/** What a task has of its pipelines. */
export function ofPipelines(
  pipelines: readonly (PipelineCounters & { readonly outputPipeline: boolean })[],
): Values<NamesOf<"sum" | "output">> {
  const output = pipelines.find(({ outputPipeline }) => outputPipeline);
  const values: Record<string, number> = {};
  for (const [name, { ofTask }] of taskEntries) {
    if (ofTask !== "own") {
      const key = name as keyof PipelineCounters;
      values[name] = ofTask === "output" ? (output?.[key] ?? 0) : pipelines.reduce((sum, pipeline) => sum + pipeline[key], 0);
    }
  }
  return values as Values<NamesOf<"sum" | "output">>;
}

/** Of stages and queries: what tasks report, added up. Running drivers include blocked ones, as in Presto's splits. */
export type CounterSums = Values<Exclude<TaskCounterName, "blockedDrivers">>;

const sumNames = taskEntries.map(([name]) => name).filter((name) => name !== "blockedDrivers");

const inputNames = sumNames.filter((name) => (taskCounters[name] as TaskCounter).ofQuery === "input");
const outputNames = sumNames.filter((name) => (taskCounters[name] as TaskCounter).ofQuery === "output");
const growingNames = sumNames.filter((name) => (taskCounters[name] as TaskCounter).grows === true);

export const noSums: CounterSums = Object.freeze(Object.fromEntries(sumNames.map((name) => [name, 0])) as CounterSums);

export function addSums(parts: readonly (CounterSums | undefined)[]): CounterSums {
  if (parts.every((part) => part === undefined)) {
    return noSums;
  }
  const values: Record<string, number> = { ...noSums };
  for (const part of parts) {
    if (part !== undefined) {
      for (const name of sumNames) {
        values[name] = (values[name] as number) + part[name];
      }
    }
  }
  return values as CounterSums;
}

/** A task's own counters as a part of sums. */
export function sumsOfTask(task: TaskCounterValues): CounterSums {
  const values: Record<string, number> = { ...noSums };
  for (const name of sumNames) {
    values[name] = task[name];
  }
  values["runningDrivers"] = task.runningDrivers + task.blockedDrivers;
  return values as CounterSums;
}

/** What of the counters a query has: the sums over all of its stages, over those that scan tables, and over its root stage. */
export function ofQuery({ all, input, output }: Readonly<Record<"all" | "input" | "output", CounterSums>>): CounterSums {
  const values: Record<string, number> = { ...all };
  for (const name of inputNames) {
    values[name] = input[name];
  }
  for (const name of outputNames) {
    values[name] = output[name];
  }
  return values as CounterSums;
}

/**
 * A status has exact numbers, the full document of some builds has only texts, which are rounded: a later one may say a little less. What
 * never falls stays.
 */
export function withoutFalls<T extends CounterSums>(known: T, told: Partial<T>): T {
  const values: Record<string, number> = { ...(known as Values<string>), ...(told as Values<string>) };
  for (const name of growingNames) {
    values[name] = Math.max(known[name], values[name] as number);
  }
  return values as unknown as T;
}
