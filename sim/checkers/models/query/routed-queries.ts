/**
 * Queries that another cluster runs for this one, written from docs/operations.md (Query routing): what ends here ends there. Each query
 * whose document names a run on the other cluster has that run ended soon after its own end, unless something has disturbed the two since.
 */
import type { OrreryNode } from "../../../../src/node.ts";
import { nanosPerSecond } from "../../../world/world.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Transition } from "../model.ts";

/** The other cluster has been told by then. It is shorter than most times after which it ends a query without a client. */
const toldNanos = 3 * nanosPerSecond;
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED"]);

interface QueryDocument {
  readonly state: string;
  readonly routedTo?: { readonly queryId?: string };
}

class RoutedQueries implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  /** When queries of this life have ended, in that order, until their runs are looked at. */
  readonly #ended = new Map<string, number>();

  constructor(context: Judged) {
    this.#context = context;
  }

  /** What a former life has ended, or has not, the next one does not know. */
  note({ place }: { readonly place: string }): void {
    if (place === this.#context.plan.coordinator.name) {
      this.#ended.clear();
    }
  }

  observeTransition({ kind, id, nowNanos, place, to }: Transition): void {
    const { coordinator, remote } = this.#context.plan;
    if (remote !== undefined && kind === "query" && place === coordinator.name && ends.has(to)) {
      this.#ended.set(id, nowNanos);
    }
  }

  look(): void {
    const { facts, nowNanos, plan } = this.#context;
    for (const [id, endedNanos] of this.#ended) {
      if (plan.remote === undefined || nowNanos() < endedNanos + toldNanos) {
        return;
      }
      this.#ended.delete(id);
      if (!facts.troubledSince(plan.coordinator.name, plan.remote.name, endedNanos)) {
        void this.#judge(id, plan.remote.name);
      }
    }
  }

  async #judge(id: string, far: string): Promise<void> {
    const { check, node, plan } = this.#context;
    const runId = (await documentOf(node(plan.coordinator.name), id))?.routedTo?.queryId;
    const run = runId === undefined ? undefined : await documentOf(node(far), runId);
    if (run !== undefined) {
      check(
        ends.has(run.state),
        () => `${far} still has ${runId} as ${run.state}, seconds after ${id}, for which it runs, has ended on ${plan.coordinator.name}`,
      );
    }
  }
}

/** Undefined if the node does not know the query any more. */
async function documentOf(node: OrreryNode | undefined, id: string): Promise<QueryDocument | undefined> {
  const told = await askInside(node, `/v1/query/${id}`);
  return told?.status === 200 ? (told.json() as QueryDocument) : undefined;
}

export const routedQueries: ModelKind = {
  invariant: {
    name: "routed-queries",
    sentence: "What another cluster runs for a query of this one ends there soon after the query has ended here.",
    kind: "safety",
    checkedIn: "checkers/models/query/routed-queries.ts",
  },
  create: (context) => new RoutedQueries(context),
};
