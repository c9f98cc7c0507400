/**
 * The faults of a world as plain data, with times in milliseconds: a list that can be written by hand, drawn and shrunk. They are the
 * faults of machines that the engine's own runs use.
 */
import { clockDrift, clockStep } from "../faults/clocks.ts";
import { crash, wipedRestart } from "../faults/crash.ts";
import { corruptReads, diskErrors, fullDisk, slowDisk } from "../faults/disk.ts";
import type { FaultStage, MachineFault, MachineTarget } from "../faults/fault.ts";
import { cloggedLink, slowLink } from "../faults/links.ts";
import { flappingPartition, oneWayPartition, partition } from "../faults/partition.ts";
import { neverAnswers } from "../faults/ports.ts";
import { pause, slowNode } from "../faults/slowness.ts";
import type { Undo } from "../world/afflicted.ts";
import { nanosPerMs } from "../world/world.ts";

/** Start and end of a fault in simulated milliseconds. Without an end it lasts until the end of the run. */
export interface WorldFaultTimes {
  readonly atMs: number;
  readonly untilMs?: number;
}

interface OfNode extends WorldFaultTimes {
  readonly node: string;
}

/** One direction. */
interface OfLink extends WorldFaultTimes {
  readonly from: string;
  readonly to: string;
}

export type WorldFault =
  /** The node dies without warning and starts again at the end. `disk`: what is left of its files; synced data if absent. */
  | (OfNode & { readonly kind: "crash"; readonly disk?: "synced" | "kept" | "torn" | "wiped" })
  /** Frozen as by a long garbage collection; it goes on where it stopped. */
  | (OfNode & { readonly kind: "pause" })
  | (OfNode & { readonly kind: "slow-node"; readonly factor: number })
  /** All links between these nodes and the others drop what is sent, in both directions. */
  | (WorldFaultTimes & { readonly kind: "partition"; readonly nodes: readonly string[] })
  | (OfLink & { readonly kind: "one-way-partition" })
  /** A loose cable. */
  | (OfLink & { readonly kind: "flapping-partition"; readonly downMs: number; readonly upMs: number })
  | (OfLink & { readonly kind: "slow-link"; readonly extraMs: number })
  /** Nothing is lost; at the end everything arrives at once. */
  | (OfLink & { readonly kind: "clogged-link" })
  /** The port accepts connections and stays silent. */
  | (OfNode & { readonly kind: "never-answers" })
  /** The wall clock jumps, and stays there. */
  | (OfNode & { readonly kind: "clock-step"; readonly byMs: number })
  /** The clock runs fast or slow, in parts per million: also timers. */
  | (OfNode & { readonly kind: "clock-drift"; readonly byPpm: number })
  | (OfNode & { readonly kind: "full-disk"; readonly bytesMax: number })
  | (OfNode & { readonly kind: "slow-disk"; readonly factor: number })
  /** This percentage of operations fails and has no effect. */
  | (OfNode & { readonly kind: "disk-errors"; readonly percent: number })
  /** This percentage of reads returns one flipped bit. */
  | (OfNode & { readonly kind: "corrupt-reads"; readonly percent: number });

export type WorldFaultKind = WorldFault["kind"];

/** Ready to be struck. */
interface Armed {
  readonly places: readonly string[];
  readonly text: string;
  strike(stage: FaultStage<MachineTarget>): Undo;
}

interface Nanos {
  readonly atNanos: number;
  readonly untilNanos: number;
  readonly permanent?: true;
}

function nanosOf({ atMs, untilMs }: WorldFaultTimes): Nanos {
  const atNanos = atMs * nanosPerMs;
  return untilMs === undefined
    ? { atNanos, untilNanos: Number.MAX_SAFE_INTEGER, permanent: true }
    : { atNanos, untilNanos: untilMs * nanosPerMs };
}

function arm<P>(fault: WorldFault, definition: MachineFault<P>, parameters: P): Armed {
  const end = fault.untilMs === undefined ? "for good" : `${fault.untilMs}ms`;
  return {
    places: definition.places(parameters),
    text: `${fault.kind} ${definition.describe(parameters)} ${fault.atMs}ms..${end}`,
    strike: (stage) => definition.strike({ ...parameters, ...nanosOf(fault) }, stage),
  };
}

function armed(fault: WorldFault): Armed {
  switch (fault.kind) {
    case "crash": {
      const { node, disk = "synced" } = fault;
      return disk === "wiped" ? arm(fault, wipedRestart, { node }) : arm(fault, crash, { node, disk });
    }
    case "pause":
      return arm(fault, pause, fault);
    case "slow-node":
      return arm(fault, slowNode, fault);
    case "partition":
      return arm(fault, partition, fault);
    case "one-way-partition":
      return arm(fault, oneWayPartition, fault);
    case "flapping-partition": {
      const { from, to, downMs, upMs } = fault;
      const nanos = { downNanos: downMs * nanosPerMs, upNanos: upMs * nanosPerMs };
      return arm(fault, flappingPartition, { from, to, bothWays: false, ...nanos });
    }
    case "slow-link":
      return arm(fault, slowLink, { from: fault.from, to: fault.to, extraNanos: fault.extraMs * nanosPerMs });
    case "clogged-link":
      return arm(fault, cloggedLink, fault);
    case "never-answers":
      return arm(fault, neverAnswers, fault);
    case "clock-step":
      return arm(fault, clockStep, fault);
    case "clock-drift":
      return arm(fault, clockDrift, fault);
    case "full-disk":
      return arm(fault, fullDisk, fault);
    case "slow-disk":
      return arm(fault, slowDisk, fault);
    case "disk-errors":
      return arm(fault, diskErrors, fault);
    case "corrupt-reads":
      return arm(fault, corruptReads, fault);
  }
}

/** For people: `crash n1 100ms..900ms`. */
export function describeWorldFault(fault: WorldFault): string {
  return armed(fault).text;
}

/** Starts and heals the faults at their times. From `healMs` on, none is in effect and none starts. Throws for an unknown node. */
export function scheduleFaults(faults: readonly WorldFault[], stage: FaultStage<MachineTarget>, healMs: number): void {
  const { world, target } = stage;
  for (const fault of faults) {
    const { places, text, strike } = armed(fault);
    const unknown = places.find((name) => !target.names.includes(name));
    if (unknown !== undefined) {
      throw new Error(`${text}: no node is called '${unknown}'`);
    }
    if (!(fault.atMs >= 0) || (fault.untilMs !== undefined && fault.untilMs < fault.atMs)) {
      throw new Error(`${text}: a fault ends after it begins, and not before 0 ms`);
    }
    if (fault.atMs >= healMs) {
      continue;
    }
    const untilMs = Math.min(fault.untilMs ?? Number.POSITIVE_INFINITY, healMs);
    world.at(fault.atMs * nanosPerMs, `fault ${fault.kind}`, () => {
      world.note("world", "fault", text);
      const heal = strike(stage);
      if (untilMs !== Number.POSITIVE_INFINITY) {
        world.at(untilMs * nanosPerMs, `heal ${fault.kind}`, () => {
          world.note("world", "heal", text);
          heal();
        });
      }
    });
  }
}
