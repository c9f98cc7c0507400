/**
 * Queries that another cluster runs for this one, written from docs/operations.md (Query routing): what ends here ends there. When no query
 * of this cluster runs any more, and nothing has disturbed the two since one did, the other cluster soon runs none either.
 */
import { nanosPerSecond } from "../../../world/world.ts";
import { askInside } from "../inside.ts";
import type { Judged, Model, ModelKind, Transition } from "../model.ts";

/** The other cluster has been told by then. It is shorter than most times after which it ends a query without a client. */
const toldNanos = 3 * nanosPerSecond;
const ends: ReadonlySet<string> = new Set(["FINISHED", "FAILED"]);

class RoutedQueries implements Model {
  readonly notes = ["start"];
  readonly #context: Judged;
  readonly #live = new Set<string>();
  /** Since when queries have run here without a pause, and since when none has. */
  #busyNanos = 0;
  #idleNanos: number | undefined;

  constructor(context: Judged) {
    this.#context = context;
  }

  /** What a former life has ended, or has not, the next one does not know. */
  note({ place }: { readonly place: string }): void {
    if (place === this.#context.plan.coordinator.name) {
      this.#live.clear();
      this.#idleNanos = undefined;
    }
  }

  observeTransition({ kind, id, nowNanos, place, to }: Transition): void {
    if (kind !== "query" || place !== this.#context.plan.coordinator.name) {
      return;
    }
    if (!ends.has(to)) {
      this.#busyNanos = this.#live.size === 0 ? nowNanos : this.#busyNanos;
      this.#live.add(id);
      this.#idleNanos = undefined;
    } else if (this.#live.delete(id) && this.#live.size === 0) {
      this.#idleNanos = nowNanos;
    }
  }

  look(): void {
    const { facts, node, nowNanos, plan } = this.#context;
    const idleNanos = this.#idleNanos;
    if (plan.remote === undefined || idleNanos === undefined || nowNanos() < idleNanos + toldNanos) {
      return;
    }
    const far = plan.remote.name;
    this.#idleNanos = undefined;
    if (facts.troubledSince(plan.coordinator.name, far, this.#busyNanos)) {
      return;
    }
    void askInside(node(far), "/v1/query").then((told) => {
      const rows = told?.status === 200 ? (told.json() as readonly { readonly queryId: string; readonly state: string }[]) : [];
      const left = rows.find(({ state }) => !ends.has(state));
      this.#context.check(
        left === undefined,
        () => `${far} still has ${left?.queryId ?? ""} as ${left?.state ?? ""}; ${plan.coordinator.name} has run nothing for some seconds`,
      );
    });
  }
}

export const routedQueries: ModelKind = {
  invariant: {
    name: "routed-queries",
    sentence: "What another cluster runs for this one ends there soon after it has ended here.",
    kind: "safety",
    checkedIn: "checkers/models/query/routed-queries.ts",
  },
  create: (context) => new RoutedQueries(context),
};
