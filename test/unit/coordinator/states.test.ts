import { describe, expect, test } from "vitest";
import { queryStateMachine, queryTransitions, stageStateMachine, stageTransitions } from "../../../src/coordinator/query/states.ts";
import { isEndState } from "../../../src/protocol/state-machine.ts";
import { queryStates, stageStates } from "../../../src/protocol/documents/statement.ts";

describe("the tables of states", () => {
  test("hold exactly the documents' states, and failing is possible until the end", () => {
    expect(Object.keys(queryTransitions)).toEqual([...queryStates]);
    expect(Object.keys(stageTransitions)).toEqual([...stageStates]);
    for (const state of queryStates) {
      expect(isEndState(queryTransitions, state) || queryTransitions[state].includes("FAILED")).toBe(true);
    }
    for (const state of stageStates) {
      expect(isEndState(stageTransitions, state) || stageTransitions[state].includes("ABORTED")).toBe(true);
    }
  });

  test("go forward only", () => {
    for (const [states, table] of [
      [queryStates, queryTransitions],
      [stageStates, stageTransitions],
    ] as const) {
      for (const [from, targets] of Object.entries(table)) {
        for (const to of targets) {
          expect((states as readonly string[]).indexOf(to)).toBeGreaterThan((states as readonly string[]).indexOf(from));
        }
      }
    }
  });

  test("a transition that is not in the table is an assertion, one that is there is told", () => {
    const seen: string[] = [];
    const query = queryStateMachine("q", (kind, id, from, to) => seen.push(`${kind} ${id} ${from} ${to}`));
    query.to("PLANNING");
    expect(() => query.to("FINISHED")).toThrow("query q: no transition from PLANNING to FINISHED");
    expect(() => stageStateMachine("q.0", undefined).to("RUNNING")).toThrow("stage q.0: no transition from PLANNED to RUNNING");
    expect(seen).toEqual(["query q QUEUED PLANNING"]);
  });
});
