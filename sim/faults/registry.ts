/**
 * The registry of fault kinds by name. A new kind is a file of its own and a line here; code that handles faults follows, or does not
 * compile.
 */
import { clockDrift, clockStep } from "./clocks.ts";
import { coordinatorCrash, crash, wipedRestart } from "./crash.ts";
import { crowd } from "./crowd.ts";
import { corruptReads, diskErrors, fullDisk, slowDisk } from "./disk.ts";
import { directoryCut } from "./directory.ts";
import type { FaultDefinition, FaultTimes } from "./fault.ts";
import { cloggedLink, slowLink } from "./links.ts";
import { memoryPressure } from "./memory-pressure.ts";
import { flappingPartition, oneWayPartition, partition } from "./partition.ts";
import { neverAnswers, overload503 } from "./ports.ts";
import { rollingUpgrade } from "./rolling-upgrade.ts";
import { shutdown } from "./shutdown.ts";
import { pause, slowNode } from "./slowness.ts";
import { unheardCrash } from "./unheard-crash.ts";

const definitions = {
  crash,
  "coordinator-crash": coordinatorCrash,
  "wiped-restart": wipedRestart,
  pause,
  "slow-node": slowNode,
  shutdown,
  "rolling-upgrade": rollingUpgrade,
  partition,
  "one-way-partition": oneWayPartition,
  "flapping-partition": flappingPartition,
  "slow-link": slowLink,
  "clogged-link": cloggedLink,
  "never-answers": neverAnswers,
  "overload-503": overload503,
  crowd,
  "clock-step": clockStep,
  "clock-drift": clockDrift,
  "full-disk": fullDisk,
  "slow-disk": slowDisk,
  "disk-errors": diskErrors,
  "corrupt-reads": corruptReads,
  "memory-pressure": memoryPressure,
  "unheard-crash": unheardCrash,
  "directory-cut": directoryCut,
};

type Definitions = typeof definitions;
type ParametersOf<D> = D extends FaultDefinition<infer P, infer _> ? P : never;

export type FaultKind = keyof Definitions;
type FaultOf<K extends FaultKind> = FaultTimes & { readonly kind: K } & ParametersOf<Definitions[K]>;
/** Plain data, which can be printed, replayed and shrunk. */
export type Fault = { [K in FaultKind]: FaultOf<K> }[FaultKind];

export const faultKinds: readonly FaultKind[] = Object.keys(definitions) as FaultKind[];

/** Kinds that all seeds draw. Only some have two coordinators that share a directory. */
export const drawnKinds: readonly FaultKind[] = faultKinds.filter((kind) => kind !== "directory-cut");

/** The definition of a kind; use it only for faults of that kind. */
export function definitionOf(kind: FaultKind): FaultDefinition<Fault> {
  return definitions[kind] as unknown as FaultDefinition<Fault>;
}

/** Nodes of an older build say less in their documents. */
export function hasOlderNodes(faults: readonly Fault[]): boolean {
  return faults.some((fault) => fault.kind === "rolling-upgrade" && fault.documents === "older");
}
