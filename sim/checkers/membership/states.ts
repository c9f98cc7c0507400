/**
 * Checks every state transition of a query or stage against the tables of the interface's design, which are repeated here.
 */
import type { Verdict } from "../violation.ts";

const oracle = "state-tables";

const queryOrder = ["QUEUED", "WAITING_FOR_RESOURCES", "PLANNING", "STARTING", "RUNNING", "FINISHING", "FINISHED"];
const stageOrder = ["PLANNED", "SCHEDULING", "SCHEDULED", "RUNNING", "FINISHED"];
const queryEnds = ["FINISHED", "FAILED"];
const stageEnds = ["FINISHED", "CANCELED", "ABORTED", "FAILED"];

export interface Transition {
  readonly kind: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export class StateOracle {
  readonly #verdict: Verdict;
  readonly #last = new Map<string, string>();

  constructor(verdict: Verdict) {
    this.#verdict = verdict;
  }

  /** `mayBeginAgain`: its query runs again, so a stage that has ended begins anew. */
  observe(place: string, { kind, id, from, to }: Transition, mayBeginAgain: boolean): void {
    const key = `${place} ${kind} ${id}`;
    const known = this.#last.get(key);
    const [order, ends] = kind === "query" ? [queryOrder, queryEnds] : [stageOrder, stageEnds];
    const forward = order.includes(from) && (order.indexOf(to) > order.indexOf(from) || (ends.includes(to) && !ends.includes(from)));
    if (!forward) {
      this.#verdict.violate("safety", oracle, `${kind} ${id} went from ${from} to ${to}`);
    } else if (
      known !== undefined &&
      known !== from &&
      !(kind === "stage" && from === "PLANNED" && ends.includes(known) && mayBeginAgain)
    ) {
      this.#verdict.violate("safety", oracle, `${kind} ${id} left ${from} although it was in ${known}`);
    } else {
      this.#verdict.held(oracle);
    }
    this.#last.set(key, to);
  }
}
