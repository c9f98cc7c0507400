/**
 * The states of queries and stages. Names and directions are Presto's: forward only, states may be skipped, an ended machine never changes.
 * The hook hears of every transition.
 */
import { StateMachine, type TransitionTable } from "../../protocol/state-machine.ts";
import type { QueryState, StageState } from "../../protocol/documents/statement.ts";
import type { TransitionHook } from "../context.ts";

export type { QueryState, StageState };

/** Data definition goes from PLANNING through RUNNING to FINISHING. It has no stages and never starts. */
export const queryTransitions: TransitionTable<QueryState> = Object.freeze({
  QUEUED: ["WAITING_FOR_RESOURCES", "PLANNING", "FAILED"],
  WAITING_FOR_RESOURCES: ["PLANNING", "FAILED"],
  PLANNING: ["STARTING", "RUNNING", "FAILED"],
  STARTING: ["RUNNING", "FAILED"],
  RUNNING: ["FINISHING", "FAILED"],
  FINISHING: ["FINISHED", "FAILED"],
  FINISHED: [],
  FAILED: [],
});

/** The end of a query also ends stages that were never scheduled. */
export const stageTransitions: TransitionTable<StageState> = Object.freeze({
  PLANNED: ["SCHEDULING", "CANCELED", "ABORTED", "FAILED"],
  SCHEDULING: ["SCHEDULED", "CANCELED", "ABORTED", "FAILED"],
  SCHEDULED: ["RUNNING", "FINISHED", "CANCELED", "ABORTED", "FAILED"],
  RUNNING: ["FINISHED", "CANCELED", "ABORTED", "FAILED"],
  FINISHED: [],
  CANCELED: [],
  ABORTED: [],
  FAILED: [],
});

export function queryStateMachine(id: string, hook: TransitionHook | undefined): StateMachine<QueryState> {
  const onTransition = hook === undefined ? undefined : (from: QueryState, to: QueryState): void => hook("query", id, from, to);
  return new StateMachine({ name: `query ${id}`, table: queryTransitions, initial: "QUEUED", onTransition });
}

export function stageStateMachine(id: string, hook: TransitionHook | undefined): StateMachine<StageState> {
  const onTransition = hook === undefined ? undefined : (from: StageState, to: StageState): void => hook("stage", id, from, to);
  return new StateMachine({ name: `stage ${id}`, table: stageTransitions, initial: "PLANNED", onTransition });
}
