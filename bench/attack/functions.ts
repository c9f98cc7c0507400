/**
 * Every function with large arguments, and every aggregate over full pages: the longest time that it takes without a turn, in which its
 * worker does nothing else. Runs in a thread with the flags and the young generation of a worker, so that it has its collections.
 */
import { once } from "node:events";
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { isMainThread, Worker } from "node:worker_threads";
import { aggregateDefinitions } from "../../src/functions/registry/aggregates.ts";
import type { AggregateDefinition } from "../../src/functions/registry/definition.ts";
import type { ConstantValue } from "../../src/planner/plan/typed-expression.ts";
import { type HardAggregates, runHardAggregate, signatureOf } from "../../test/support/functions/hard-aggregates.ts";
import { hardWindows, runHardUnnest, runHardWindow } from "../../test/support/functions/hard-windows.ts";
import { makeBench } from "../../test/unit/execution/kernels.ts";
import { scalarDefinitions } from "../../src/functions/registry/scalars.ts";
import { type HardCall, hardCalls, type HardSizes, type HardWorld, prepareHardCall } from "../../test/support/functions/hard-calls.ts";
import { createWorld } from "../../test/unit/execution/expressions/world.ts";
import { threadCpuTime } from "../../src/server/ports/cpu-time.ts";
import { setEngineFlags } from "../../src/server/start/engine-flags.ts";
import { youngGenerationMbMax } from "../../src/server/threads/worker-threads.ts";
import { ownCpuMs } from "../cpu.ts";
import { say, table } from "../figures.ts";

const worldBytes = 2 ** 31;
/** Close to the bounds of functions that make long values: 16,777,216 code points and 1,048,576 elements. */
const hardSizes: HardSizes = { text: 16_000_000, elements: 1_000_000 };
const warmSizes: HardSizes = { text: 2_000, elements: 100 };
const aggregateSizes: HardSizes = { text: 40, elements: 20 };
const warmAggregateSizes: HardSizes = { text: 8, elements: 4 };
const aggregatedRows = 16_384;
const aggregatedGroups = 100;
const windowRows = 1_000_000;
const windowBytes = 2 ** 30;
const unnestedRows = 1_000_000;
const shown = 40;
const longMs = 50;
/** A call that goes on for longer is left. */
const totalMsMax = 1000;

interface Longest {
  readonly call: HardCall;
  readonly sliceMs: number;
  /** Wall time of collections within the longest slice. */
  readonly collectedMs: number;
  readonly steps: number;
  readonly totalMs: number;
  readonly outcome: string;
}

class Left extends Error {}

const ownThread = threadCpuTime();

/** CPU time of this thread, which other processes of the machine do not lengthen. */
function cpuMs(): number {
  const nanos = ownThread.read();
  return nanos === undefined ? ownCpuMs() : nanos / 1e6;
}

/** Wall times of the thread's collections. */
class Collections {
  #found: readonly PerformanceEntry[] = [];

  constructor() {
    new PerformanceObserver((list) => {
      this.#found = [...this.#found, ...list.getEntries()];
    }).observe({ entryTypes: ["gc"] });
  }

  /** Forgets the collections until then. */
  async msBetween(from: number, to: number): Promise<number> {
    // They are reported in a later turn.
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
    const found = this.#found;
    this.#found = [];
    return found.filter(({ startTime }) => startTime >= from && startTime < to).reduce((sum, { duration }) => sum + duration, 0);
  }
}

const collections = new Collections();

async function measure(hard: HardWorld, call: HardCall): Promise<Longest | undefined> {
  const prepared = await prepareHardCall(hard, call);
  if (prepared === undefined) {
    return undefined;
  }
  let [began, last, sliceMs, stepsOfLongest] = [0, 0, 0, 0];
  let [lastWall, from, to] = [0, 0, 0];
  let outcome: string;
  try {
    const errorName = prepared.run((steps) => {
      const now = cpuMs();
      const wall = performance.now();
      if (steps === undefined) {
        [began, last, lastWall] = [now, now, wall];
        return;
      }
      if (now - last > sliceMs) {
        [sliceMs, stepsOfLongest, from, to] = [now - last, steps, lastWall, wall];
      }
      [last, lastWall] = [now, wall];
      if (now - began > totalMsMax) {
        throw new Left();
      }
    });
    outcome = errorName ?? "value";
  } catch (error) {
    outcome = error instanceof Left ? "left" : String(error);
  }
  const totalMs = cpuMs() - began;
  return { call, sliceMs, collectedMs: await collections.msBetween(from, to), steps: stepsOfLongest, totalMs, outcome };
}

/** `names` restricts the functions; all if empty. */
export async function measureFunctions(names: readonly string[]): Promise<void> {
  if (!isMainThread) {
    return measureInThread(names);
  }
  setEngineFlags();
  const worker = new Worker(process.argv[1] as string, {
    argv: ["functions", ...(names.length === 0 ? [] : ["--queries", names.join(",")])],
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMbMax },
  });
  await once(worker, "exit");
}

async function measureInThread(names: readonly string[]): Promise<void> {
  const world = createWorld(worldBytes);
  const warm: HardWorld = { world, sizes: warmSizes, made: new Map() };
  const hard: HardWorld = { world, sizes: hardSizes, made: new Map() };
  const found: Longest[] = [];
  const skipped = new Set<string>();
  for (const call of hardCalls(scalarDefinitions).filter(({ definition }) => names.length === 0 || names.includes(definition.name))) {
    // Once with small values, so that the kernel is compiled.
    await measure(warm, call);
    const longest = await measure(hard, call);
    if (longest === undefined) {
      skipped.add(call.signature);
    } else {
      found.push(longest);
      if (longest.sliceMs > longMs) {
        say(`${call.signature} with ${call.number}: ${figuresOf(longest).join(" ")}`);
      }
    }
  }
  const longestOf = [...bySignature(found).values()]
    .map((all) => all.reduce((one, other) => (other.sliceMs > one.sliceMs ? other : one)))
    .sort((a, b) => b.sliceMs - a.sliceMs);
  const long = longestOf.filter(({ sliceMs }) => sliceMs > longMs).length;
  say(`${longestOf.length} overloads, texts of ${hardSizes.text} characters, arrays of ${hardSizes.elements} elements`);
  say(`${long} of them take more than ${longMs} ms without a turn; ${skipped.size} take values that only aggregates make`);
  say(
    table([
      ["overload", "number", "longest ms", "collections ms", "steps", "total ms", "outcome"],
      ...longestOf.slice(0, shown).map((one) => [one.call.signature, one.call.number, ...figuresOf(one)]),
    ]),
  );
  await measureAggregates(names);
  measureWindows(names);
}

function figuresOf({ collectedMs, outcome, sliceMs, steps, totalMs }: Longest): readonly string[] {
  return [...[sliceMs, collectedMs, steps, totalMs].map((figure) => figure.toFixed(0)), outcome];
}

async function measureAggregate(hard: HardAggregates, definition: AggregateDefinition): Promise<LongestTurn | undefined> {
  let [began, last, sliceMs, longestSteps] = [cpuMs(), cpuMs(), 0, 0];
  const outcome = await runHardAggregate(hard, definition, (steps) => {
    const now = cpuMs();
    if (steps === undefined) {
      began = last === began ? now : began;
      last = now;
      return;
    }
    sliceMs = Math.max(sliceMs, now - last);
    longestSteps = Math.max(longestSteps, steps);
    last = now;
  });
  return outcome === false
    ? undefined
    : { signature: signatureOf(definition), sliceMs, longestSteps, totalMs: cpuMs() - began, outcome: outcome ?? "value" };
}

interface LongestTurn {
  readonly signature: string;
  readonly sliceMs: number;
  readonly longestSteps: number;
  readonly totalMs: number;
  readonly outcome: string;
}

/** Aggregates over full pages, in one step and in two. */
async function measureAggregates(names: readonly string[]): Promise<void> {
  const worlds = { bench: makeBench("wasm"), world: createWorld(), groups: aggregatedGroups, results: new Map<string, ConstantValue>() };
  const found: LongestTurn[] = [];
  for (const definition of aggregateDefinitions.filter(({ name }) => names.length === 0 || names.includes(name))) {
    // Once with few rows, so that the kernels are compiled.
    await measureAggregate({ ...worlds, sizes: warmAggregateSizes, rows: 64 }, definition);
    const longest = await measureAggregate({ ...worlds, sizes: aggregateSizes, rows: aggregatedRows }, definition);
    found.push(...(longest === undefined ? [] : [longest]));
  }
  if (found.length === 0) {
    return;
  }
  const sorted = found.toSorted((a, b) => b.sliceMs - a.sliceMs);
  say(
    `${sorted.length} aggregates over pages of ${aggregatedRows} rows; ${sorted.filter(({ sliceMs }) => sliceMs > longMs).length} of them`,
  );
  say(`take more than ${longMs} ms without a turn`);
  say(
    table([
      ["aggregate", "longest ms", "steps of a turn", "total ms", "outcome"],
      ...sorted
        .slice(0, shown)
        .map(({ signature, sliceMs, longestSteps, totalMs, outcome }) => [
          signature,
          sliceMs.toFixed(0),
          longestSteps.toFixed(0),
          totalMs.toFixed(0),
          outcome,
        ]),
    ]),
  );
}

/** Window functions over one partition, by the words of their names, and UNNEST. */
function measureWindows(names: readonly string[]): void {
  const bench = makeBench("wasm", {}, windowBytes);
  const found: (readonly [name: string, ms: number, totalMs: number, turns: number, outcome: string])[] = [];
  const run = (name: string, work: (onTurn: () => void) => string | undefined): void => {
    const began = cpuMs();
    let [last, longest, turns] = [began, 0, 0];
    let outcome: string;
    try {
      outcome =
        work(() => {
          const now = cpuMs();
          longest = Math.max(longest, now - last);
          last = now;
          turns++;
          if (now - began > totalMsMax) {
            throw new Left();
          }
        }) ?? "value";
    } catch (error) {
      outcome = error instanceof Left ? "left" : String(error);
    }
    found.push([name, longest, last - began, turns, outcome]);
  };
  for (const [name, window] of hardWindows()) {
    if (names.length === 0 || names.includes(window.name)) {
      runHardWindow(bench, window, 64, () => undefined);
      run(name, (onTurn) => runHardWindow(bench, window, windowRows, onTurn));
    }
  }
  if (names.length === 0 || names.includes("unnest")) {
    run("UNNEST", (onTurn) => runHardUnnest(bench, unnestedRows, onTurn));
  }
  if (found.length === 0) {
    return;
  }
  const sorted = found.toSorted((a, b) => b[1] - a[1]);
  say(
    `${sorted.length} windows over ${windowRows} rows; ${sorted.filter(([, ms]) => ms > longMs).length} take more than ${longMs} ms without a turn`,
  );
  say(
    table([
      ["window", "longest ms", "total ms", "turns", "outcome"],
      ...sorted
        .slice(0, shown)
        .map(([name, ms, totalMs, turns, outcome]) => [name, ms.toFixed(0), totalMs.toFixed(0), String(turns), outcome]),
    ]),
  );
}

function bySignature(found: readonly Longest[]): ReadonlyMap<string, readonly Longest[]> {
  const groups = new Map<string, Longest[]>();
  for (const one of found) {
    const { signature } = one.call;
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  return groups;
}
