/** The states of tasks and output buffers: Presto's TaskState and BufferState. */
import { isEndState, type TransitionTable } from "../../protocol/state-machine.ts";
import type { BufferState, TaskState } from "./api.ts";

export const taskTransitions: TransitionTable<TaskState> = Object.freeze({
  PLANNED: ["RUNNING", "FINISHED", "CANCELED", "ABORTED", "FAILED"],
  /** Consumers may have read all output when the last driver ends: FINISHED without FLUSHING. */
  RUNNING: ["FLUSHING", "FINISHED", "CANCELED", "ABORTED", "FAILED"],
  FLUSHING: ["FINISHED", "CANCELED", "ABORTED", "FAILED"],
  FINISHED: [],
  CANCELED: [],
  ABORTED: [],
  FAILED: [],
});

export const bufferTransitions: TransitionTable<BufferState> = Object.freeze({
  OPEN: ["NO_MORE_BUFFERS", "NO_MORE_PAGES", "FINISHED", "FAILED"],
  /** FINISHED directly if every consumer leaves before the end (LIMIT). */
  NO_MORE_BUFFERS: ["FLUSHING", "FINISHED", "FAILED"],
  NO_MORE_PAGES: ["FLUSHING", "FINISHED", "FAILED"],
  FLUSHING: ["FINISHED", "FAILED"],
  FINISHED: [],
  FAILED: [],
});

export function isEndedTask(state: TaskState): boolean {
  return isEndState(taskTransitions, state);
}
