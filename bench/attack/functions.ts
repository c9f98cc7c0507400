/**
 * Every function with large arguments, and every aggregate over full pages: the longest time that it takes without a turn, in which its
 * worker does nothing else.
 */
import { aggregateDefinitions } from "../../src/functions/registry/aggregates.ts";
import type { AggregateDefinition } from "../../src/functions/registry/definition.ts";
import type { ConstantValue } from "../../src/planner/plan/typed-expression.ts";
import { type HardAggregates, runHardAggregate, signatureOf } from "../../test/support/functions/hard-aggregates.ts";
import { makeBench } from "../../test/unit/execution/kernels.ts";
import { scalarDefinitions } from "../../src/functions/registry/scalars.ts";
import { type HardCall, hardCalls, type HardSizes, type HardWorld, prepareHardCall } from "../../test/support/functions/hard-calls.ts";
import { createWorld } from "../../test/unit/execution/expressions/world.ts";
import { say, table } from "../figures.ts";

const worldBytes = 2 ** 31;
/** A quarter of the bounds of functions that make long values. */
const hardSizes: HardSizes = { text: 4_000_000, elements: 250_000 };
const warmSizes: HardSizes = { text: 2_000, elements: 100 };
const aggregateSizes: HardSizes = { text: 40, elements: 20 };
const warmAggregateSizes: HardSizes = { text: 8, elements: 4 };
const aggregatedRows = 16_384;
const aggregatedGroups = 100;
const shown = 40;
const longMs = 50;
/** A call that goes on for longer is left. */
const totalMsMax = 1000;

interface Longest {
  readonly call: HardCall;
  readonly sliceMs: number;
  readonly totalMs: number;
  readonly outcome: string;
}

class Left extends Error {}

/** CPU time of the process, which other processes of the machine do not lengthen. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measure(hard: HardWorld, call: HardCall): Promise<Longest | undefined> {
  const prepared = await prepareHardCall(hard, call);
  if (prepared === undefined) {
    return undefined;
  }
  let [began, last, sliceMs] = [0, 0, 0];
  let outcome: string;
  try {
    const errorName = prepared.run((steps) => {
      const now = cpuMs();
      if (steps === undefined) {
        [began, last] = [now, now];
        return;
      }
      sliceMs = Math.max(sliceMs, now - last);
      last = now;
      if (now - began > totalMsMax) {
        throw new Left();
      }
    });
    outcome = errorName ?? "value";
  } catch (error) {
    outcome = error instanceof Left ? "left" : String(error);
  }
  return { call, sliceMs, totalMs: cpuMs() - began, outcome };
}

/** `names` restricts the functions; all if empty. */
export async function measureFunctions(names: readonly string[]): Promise<void> {
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
        say(`${call.signature} with ${call.number}: ${longest.sliceMs.toFixed(0)} ms`);
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
      ["overload", "number", "longest ms", "total ms", "outcome"],
      ...longestOf
        .slice(0, shown)
        .map(({ call, sliceMs, totalMs, outcome }) => [call.signature, call.number, sliceMs.toFixed(0), totalMs.toFixed(0), outcome]),
    ]),
  );
  await measureAggregates(names);
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

function bySignature(found: readonly Longest[]): ReadonlyMap<string, readonly Longest[]> {
  const groups = new Map<string, Longest[]>();
  for (const one of found) {
    const { signature } = one.call;
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  return groups;
}
