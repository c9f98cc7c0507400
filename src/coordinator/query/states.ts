/**
 * The life of a query and of a stage as tables. Every change goes through `StateMachine`, which asserts that the table has it and tells the
 * hook. Names and directions are Presto's: forward only, states may be skipped, an ended machine never changes.
 */
import { assert } from "../../protocol/errors.ts";
import type { QueryState, StageState } from "../../protocol/documents/statement.ts";
import type { TransitionHook } from "../context.ts";

export type { QueryState, StageState };

export type TransitionTable<State extends string> = Readonly<Record<State, readonly State[]>>;

/** Data definition goes from PLANNING to FINISHING by way of RUNNING; it has no stages and never starts. */
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

/** A stage that was never scheduled can still be ended by the end of its query. */
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

export function isEnd<State extends string>(table: TransitionTable<State>, state: State): boolean {
  return table[state].length === 0;
}

export interface StateMachineOptions<State extends string> {
  readonly kind: "query" | "stage";
  readonly id: string;
  readonly table: TransitionTable<State>;
  readonly initial: State;
  readonly hook: TransitionHook | undefined;
}

export class StateMachine<State extends string> {
  readonly #options: StateMachineOptions<State>;
  #state: State;

  constructor(options: StateMachineOptions<State>) {
    this.#options = options;
    this.#state = options.initial;
  }

  get state(): State {
    return this.#state;
  }

  get done(): boolean {
    return isEnd(this.#options.table, this.#state);
  }

  to(next: State): void {
    const { kind, id, table, hook } = this.#options;
    const from = this.#state;
    assert(table[from].includes(next), `${kind} ${id} cannot go from ${from} to ${next}`);
    this.#state = next;
    hook?.(kind, id, from, next);
  }
}

export function queryStateMachine(id: string, hook: TransitionHook | undefined): StateMachine<QueryState> {
  return new StateMachine({ kind: "query", id, table: queryTransitions, initial: "QUEUED", hook });
}

export function stageStateMachine(id: string, hook: TransitionHook | undefined): StateMachine<StageState> {
  return new StateMachine({ kind: "stage", id, table: stageTransitions, initial: "PLANNED", hook });
}
