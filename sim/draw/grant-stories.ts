/**
 * Draws stories of a catalog that keeps rights: few statements that several users repeat without much pause. Random steps of the same users
 * (grants.ts) rarely read a table directly before and after its right changes, change one list twice at once, or meet a second restart.
 */
import type { Fault, PlannedUser, RunPlan } from "../plan.ts";
import { type GrantStep, grantStatement, vault, vaultAdmin } from "../workload/grants.ts";
import type { Stream, StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";

interface Story extends Partial<Pick<RunPlan, "faults" | "points" | "properties">> {
  /** By user: the steps, and the longest pause before each. `isLate`: others create the table first. */
  readonly acts: Readonly<Record<string, { readonly steps: readonly GrantStep[]; readonly pauseMsMax: number; readonly isLate?: true }>>;
}

export function drawGrantStory(tree: StreamTree): Omit<Story, "acts"> & { readonly users: readonly PlannedUser[] } {
  const stream = tree.stream("grant stories/which");
  const { acts, ...more } = stream.pick([keptPlans, tablesAnew, changesAtOnce, changesAtOnce, restarts], "story")(stream);
  const users = Object.entries(acts).map(([name, { isLate, pauseMsMax, steps }]) => {
    const own = tree.stream(`grant stories/${name}`);
    return {
      name,
      startNanos: (own.between(250, 400) + (isLate === true ? lateMs : 0)) * nanosPerMs,
      family: own.pick(["engine", "presto", "trino"] as const, "header family"),
      statements: steps.map((granting) => ({
        sql: grantStatement(granting, vault.name),
        // The steps are of use only together.
        behaviour: { kind: "reads-all" as const },
        thinkNanos: own.between(0, pauseMsMax) * nanosPerMs,
        granting,
      })),
    };
  });
  return { ...more, users };
}

/** A change of a table may take so long where it is slowed down. */
const lateMs = 700;
const [owner, other, reader] = ["v1", "v2", "v3"] as const;
const table = "default.t";
const role = "clerk";

function step(action: GrantStep["action"], more: Partial<GrantStep> = {}): GrantStep {
  return { action, table, privilege: "SELECT", party: `u:${reader}`, role, option: false, set: "", ...more };
}

/** Of the administrator. */
function step0(action: GrantStep["action"], more: Partial<GrantStep> = {}): GrantStep {
  return step(action, { set: "admin", ...more });
}

function repeated(times: number, steps: readonly GrantStep[]): readonly GrantStep[] {
  return Array.from({ length: times }, () => steps).flat();
}

/** One statement, of which the plan is kept, while the right that it needs comes and goes: of the user, of all, or by a role. */
function keptPlans(stream: Stream): Story {
  const party = stream.pick([`u:${reader}`, "r:public", `r:${role}`], "party");
  const pauseMsMax = stream.pick([10, 60, 150], "pause");
  const reads = { [reader]: { steps: repeated(14, [step("use")]), pauseMsMax: pauseMsMax / 2 } };
  if (party !== `r:${role}`) {
    const steps = [step("create"), ...repeated(4, [step("grant", { party }), step("revoke", { party })])];
    return { acts: { [owner]: { steps, pauseMsMax }, ...reads } };
  }
  const members = [step0("create-role"), ...repeated(4, [step0("grant-role"), step0("revoke-role")])];
  // The role may not be there at first.
  const gives = [step("create"), ...repeated(3, [step("grant", { party })])];
  return { acts: { [vaultAdmin]: { steps: members, pauseMsMax }, [owner]: { steps: gives, pauseMsMax }, ...reads } };
}

/** A table is dropped and created anew, by its owner or somebody else, while its former grantee reads. */
function tablesAnew(stream: Stream): Story {
  const party = stream.pick([`u:${reader}`, "r:public"], "party");
  const pauseMsMax = stream.pick([10, 60], "pause");
  const isTaken = stream.chance(1, 2, "somebody else creates it");
  return {
    acts: {
      [owner]: { steps: repeated(4, [step("create"), step("grant", { party }), step("drop")]), pauseMsMax },
      ...(isTaken ? { [other]: { steps: repeated(3, [step("create"), step("drop")]), pauseMsMax: 2 * pauseMsMax } } : {}),
      [reader]: { steps: repeated(14, [step("use")]), pauseMsMax },
    },
  };
}

/**
 * Two users change the list of one table at the same time: many changes wait for the disk, and the other user's is planned meanwhile. Both
 * then pause, while what they have granted or revoked is used: a change that was lost is noticed before the next one hides it.
 */
function changesAtOnce(stream: Stream): Story {
  const pauseMsMax = stream.pick([120, 240], "pause");
  const [first, second] = [{ privilege: "SELECT" }, { privilege: "DELETE" }] as const;
  return {
    properties: { "table-recovery.enabled": "true", "query.max-concurrent-queries": "1000" },
    points: { "memory-catalog-synced-late": 300, "memory-catalog-answers-late": 100 },
    acts: {
      [owner]: { steps: [step("create"), ...repeated(5, [step("grant", first), step("revoke", first)])], pauseMsMax },
      [vaultAdmin]: { steps: repeated(5, [step0("grant", second), step0("revoke", second)]), pauseMsMax, isLate: true },
      [reader]: { steps: repeated(18, [step("use", first), step("use", second)]), pauseMsMax: pauseMsMax / 3, isLate: true },
    },
  };
}

/** What was granted survives two lives of the coordinator, each of which writes the state down anew. */
function restarts(stream: Stream): Story {
  const crash = (fromMs: number): Fault => {
    const atNanos = stream.between(fromMs, fromMs + 400, "crashes") * nanosPerMs;
    const untilNanos = atNanos + stream.between(100, 400, "is back") * nanosPerMs;
    return { kind: "coordinator-crash", node: "c", disk: "kept", atNanos, untilNanos };
  };
  const pauseMsMax = 400;
  return {
    properties: { "table-recovery.enabled": "true", "query-recovery.enabled": "true" },
    faults: [crash(1_000), crash(2_200)],
    acts: {
      [vaultAdmin]: { steps: [step0("create-role"), step0("grant-role"), ...repeated(2, [step0("use")])], pauseMsMax: 20 },
      [owner]: { steps: [step("create"), step("grant"), step("grant", { party: `r:${role}`, privilege: "DELETE" })], pauseMsMax: 100 },
      [reader]: { steps: repeated(6, [step("use"), step("use", { privilege: "DELETE" })]), pauseMsMax },
    },
  };
}
