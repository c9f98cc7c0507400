/**
 * Shrinks a failing run: message fates, faults, users and statements, nodes, data, SQL text, and any other value that can be simpler than
 * drawn.
 */
import type { Violation } from "../checkers/violation.ts";
import type { RunPlan } from "../plan.ts";
import {
  calmLinks,
  dropExtras,
  plainSeed,
  reduceData,
  reduceWorkers,
  resetProperties,
  roundWork,
  shortenPhases,
  stillClocks,
} from "./cluster.ts";
import { reduceKnobs, reducePoints, simplifyBoldly } from "./bold.ts";
import { reduceFaults, simplifyFaults } from "./faults.ts";
import { reduceFates, simplifyFates, withListedFates } from "./messages.ts";
import { Search } from "./search.ts";
import { type Signature, signatureOf } from "./signature.ts";
import { reduceSql } from "./sql.ts";
import type { Laboratory } from "./trial.ts";
import { leap, reduceStatements, reduceUsers, simplifyUsers } from "./workload.ts";

export interface ShrinkOptions {
  readonly laboratory: Laboratory;
  /** Ends the search; the smallest plan so far is the result. */
  readonly signal?: AbortSignal;
  readonly onTrial?: (search: Search) => void;
}

/** Size of a plan and its run. */
export interface Size {
  readonly events: number;
  readonly nodes: number;
  readonly statements: number;
  readonly faults: number;
  readonly fates: number;
  readonly sqlChars: number;
}

export type Shrunk =
  | { readonly kind: "passes"; readonly events: number }
  | { readonly kind: "lost"; readonly reason: string }
  | {
      readonly kind: "shrunk";
      readonly plan: RunPlan;
      readonly violation: Violation;
      readonly signature: Signature;
      readonly before: Size;
      readonly after: Size;
      readonly runs: number;
      /** Whether the time limit ended the search before it was complete. */
      readonly cutOff: boolean;
    };

/**
 * Stages that make all further runs cheaper come first: a calm world, less data, and fewer users and statements, which dominate a run.
 * Faults and single messages follow; details come last.
 */
const stages: readonly (readonly [string, (search: Search) => Promise<void>])[] = [
  ["what matters", leap],
  ["everything at once", simplifyBoldly],
  ["data", reduceData],
  ["users", reduceUsers],
  ["statements", reduceStatements],
  ["faults", reduceFaults],
  ["messages", reduceFates],
  ["nodes", reduceWorkers],
  ["SQL", reduceSql],
  ["expectations", dropExtras],
  ["points", reducePoints],
  ["knobs", reduceKnobs],
  ["properties", resetProperties],
  ["clocks", stillClocks],
  ["links", calmLinks],
  ["behaviours", simplifyUsers],
  ["phases", shortenPhases],
  ["work", roundWork],
  ["faults' times", simplifyFaults],
  ["delays", simplifyFates],
  ["seed", plainSeed],
];

/** Rounds run only while the last one found something; four are rarely needed. */
const roundsMax = 8;

export async function shrink(plan: RunPlan, { laboratory, signal, onTrial }: ShrinkOptions): Promise<Shrunk> {
  const original = await laboratory.try({ plan });
  if (original.lost !== undefined) {
    return { kind: "lost", reason: original.lost };
  }
  const { violation } = original;
  if (violation === undefined) {
    return { kind: "passes", events: original.events };
  }
  const signature = signatureOf(violation);
  // Listed fates reproduce the same run, and each can then be removed separately.
  const search = new Search(plan, original, { laboratory, signature, signal, onTrial });
  if (plan.fates === undefined) {
    await search.accepts(withListedFates(plan, original.fates));
  }
  for (let adopted = -1, round = 0; adopted !== search.adopted && !search.isOver && round < roundsMax; round++) {
    adopted = search.adopted;
    for (const [name, reduce] of stages) {
      search.stage = name;
      await reduce(search);
    }
  }
  return {
    kind: "shrunk",
    plan: search.best,
    violation: search.trial.violation ?? violation,
    signature,
    before: sizeOf(plan, original.events, original.fates.length),
    after: sizeOf(search.best, search.trial.events, search.best.fates?.length ?? search.trial.fates.length),
    runs: search.runs + 1,
    cutOff: search.isOver,
  };
}

function sizeOf(plan: RunPlan, events: number, fates: number): Size {
  const statements = plan.users.flatMap((user) => user.statements);
  return {
    events,
    nodes: plan.workers.length + 1,
    statements: statements.length,
    faults: plan.faults.length,
    fates,
    sqlChars: statements.reduce((sum, { sql }) => sum + sql.length, 0),
  };
}
