/**
 * Every function of the registry with large arguments: the longest time that it takes without a turn, which is the time in which a worker
 * does nothing else.
 */
import { scalarDefinitions } from "../../src/functions/registry/scalars.ts";
import { type HardCall, hardCalls, type HardSizes, type HardWorld, prepareHardCall } from "../../test/support/functions/hard-calls.ts";
import { createWorld } from "../../test/unit/execution/expressions/world.ts";
import { say, table } from "../figures.ts";

const worldBytes = 2 ** 31;
/** A quarter of the bounds of functions that make long values. */
const hardSizes: HardSizes = { text: 4_000_000, elements: 250_000 };
const warmSizes: HardSizes = { text: 2_000, elements: 100 };
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
}

function bySignature(found: readonly Longest[]): ReadonlyMap<string, readonly Longest[]> {
  const groups = new Map<string, Longest[]>();
  for (const one of found) {
    const { signature } = one.call;
    groups.set(signature, [...(groups.get(signature) ?? []), one]);
  }
  return groups;
}
