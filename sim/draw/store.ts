/**
 * Draws runs with an object store that fails now and then, and users who each write a table to it. The store survives the nodes: what a
 * statement has written is there after any crash.
 */
import type { PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";
import { drawSharedSteps, sharedStatement } from "../workload/shared-table.ts";
import { drawFileStep } from "../workload/workload.ts";
import { tableStatement } from "../workload/user-tables.ts";
import type { StreamTree } from "../world/streams.ts";
import { nanosPerMs } from "../world/world.ts";
import { drawBehaviour, patiently } from "./behaviours.ts";

export interface StoreUse extends Pick<RunPlan, "store"> {
  readonly users: readonly PlannedUser[];
}

/** Different steps of the bank: a process that runs seeds of one bank computes the reference of each once. */
const stepsOfBank = 60;

/** One run in sixteen. */
export function drawStore(tree: StreamTree, bank: StreamTree): StoreUse {
  const stream = tree.stream("object store");
  if (!stream.chance(1, 16, "object store")) {
    return { users: [] };
  }
  const delayMs = stream.pick([1, 10, 40], "delay");
  return {
    store: {
      delayNanosMin: Math.floor((delayMs * nanosPerMs) / 4),
      delayNanosMax: delayMs * nanosPerMs,
      faultPercent: stream.pick([0, 5, 20], "faults"),
      lostPercent: stream.pick([0, 10, 40], "lost answers"),
      pageKeys: stream.pick([1, 3, 1000], "entries of a page"),
      protocol: tree.stream("protocol of the object store").pick(["s3", "azure"], "protocol"),
      ...drawReplaced(tree),
    },
    users: [...drawOwners(tree, bank, stream.between(1, 2, "users")), ...drawSharing(tree)],
  };
}

/** Another cluster writes to the same tables in half of these runs. */
function drawReplaced(tree: StreamTree): { readonly replacedPercent?: number } {
  const replacedPercent = tree.stream("object store/replaced").pick([0, 0, 10, 30], "descriptions replaced");
  return replacedPercent === 0 ? {} : { replacedPercent };
}

/** In half of these runs two users write one table of the store at the same time. */
function drawSharing(tree: StreamTree): readonly PlannedUser[] {
  const isShared = tree.stream("object store/shared").chance(1, 2, "shared table");
  return (isShared ? ["o1", "o2"] : []).map((name) => {
    const own = tree.stream(`user/${name}`);
    const statements = drawSharedSteps(own, name, own.between(3, 5), "bucket.default.shared").map((shared) => ({
      sql: sharedStatement(shared),
      behaviour: { kind: "reads-all" as const },
      thinkNanos: own.between(0, 100) * nanosPerMs,
      shared,
    }));
    return { name, startNanos: own.between(250, 400) * nanosPerMs, statements };
  });
}

/** Users who write a table of their own each. */
function drawOwners(tree: StreamTree, bank: StreamTree, count: number): readonly PlannedUser[] {
  return ["b1", "b2"].slice(0, count).map((name) => {
    const own = tree.stream(`user/${name}`);
    return {
      name,
      startNanos: own.between(250, 1_000) * nanosPerMs,
      statements: Array.from({ length: own.between(3, 6) }, (_, place): PlannedStatement => {
        const number = own.nextInt(stepsOfBank, "step of the bank");
        const step = drawFileStep(bank.child(`file step/${number}`).stream("text"), `bucket.default.t_${name}`, place);
        const behaviour = patiently(drawBehaviour(tree.stream(`user/${name}/behaviour/${place}`)));
        return { sql: tableStatement(step), behaviour, thinkNanos: own.between(0, 400) * nanosPerMs, step };
      }),
    };
  });
}
