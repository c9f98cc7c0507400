/**
 * Draws runs with an object store that fails now and then, and users who each write a table to it. The store survives the nodes: what a
 * statement has written is there after any crash.
 */
import type { PlannedStatement, PlannedUser, RunPlan } from "../plan.ts";
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
    },
    users: ["b1", "b2"].slice(0, stream.between(1, 2, "users")).map((name) => {
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
    }),
  };
}
