/**
 * The two state machines of execution as tables: tasks and output buffers (Presto's TaskState and BufferState). A transition that is not in
 * its table is an assertion. Used by task.ts and output-buffer.ts.
 */
import { assert } from "../../protocol/errors.ts";
import type { BufferState, TaskState } from "./api.ts";

export const taskTransitions: Readonly<Record<TaskState, readonly TaskState[]>> = Object.freeze({
  PLANNED: ["RUNNING", "FINISHED", "CANCELED", "ABORTED", "FAILED"],
  /** All output may be read by the time the last driver ends: FINISHED without FLUSHING. */
  RUNNING: ["FLUSHING", "FINISHED", "CANCELED", "ABORTED", "FAILED"],
  FLUSHING: ["FINISHED", "CANCELED", "ABORTED", "FAILED"],
  FINISHED: [],
  CANCELED: [],
  ABORTED: [],
  FAILED: [],
});

export const bufferTransitions: Readonly<Record<BufferState, readonly BufferState[]>> = Object.freeze({
  OPEN: ["NO_MORE_BUFFERS", "NO_MORE_PAGES", "FINISHED", "FAILED"],
  /** FINISHED directly when every consumer leaves before the end (LIMIT). */
  NO_MORE_BUFFERS: ["FLUSHING", "FINISHED", "FAILED"],
  NO_MORE_PAGES: ["FLUSHING", "FINISHED", "FAILED"],
  FLUSHING: ["FINISHED", "FAILED"],
  FINISHED: [],
  FAILED: [],
});

export function isEndedTask(state: TaskState): boolean {
  return taskTransitions[state].length === 0;
}

/** A value that moves only along its table. */
export class StateMachine<State extends string> {
  #state: State;

  constructor(
    readonly name: string,
    readonly transitions: Readonly<Record<State, readonly State[]>>,
    initial: State,
  ) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  get ended(): boolean {
    return this.transitions[this.#state].length === 0;
  }

  to(next: State): void {
    assert(this.transitions[this.#state].includes(next), `${this.name}: no transition from ${this.#state} to ${next}`);
    this.#state = next;
  }
}
