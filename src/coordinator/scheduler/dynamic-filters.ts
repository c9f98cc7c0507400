/**
 * Remote dynamic filters between stages (planner/fragmenter/remote-dynamic-filters.ts). When every task of a join's stage has reported its
 * domain, or can no longer report one, the union of the domains goes to the tasks of the stage whose scan waits for it. Each filter is sent
 * once, so that all tasks of a scan get the same one.
 */
import type { FilterDomains } from "../../execution/task/api.ts";
import { everything, type FilterDomain, unionOf } from "../../execution/dynamic-filter/filter-domain.ts";
import type { Knobs } from "../../ports/knobs.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import { scansOf } from "../../planner/fragmenter/fragment-walk.ts";
import { visitPlan } from "../../planner/plan/plan-tree.ts";
import type { Type } from "../../types/type.ts";
import type { Stage } from "./stage.ts";
import type { StageTask } from "./stage-task.ts";

/** The filters that joins of the fragment tell to others: the types of their keys by id. */
export function remoteFiltersOf({ root }: PlanFragment): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  visitPlan(root, (node) => {
    if (node.kind === "Join" || node.kind === "SemiJoin") {
      for (const [id, { type }] of Object.entries(node.remoteDynamicFilters ?? {})) {
        types.set(id, type);
      }
    }
  });
  return types;
}

function filtersAwaitedBy(fragment: PlanFragment): readonly string[] {
  return scansOf(fragment).flatMap(({ remoteDynamicFilters = [] }) => remoteDynamicFilters.map(({ id }) => id));
}

export class StageFilters {
  readonly #knobs: Knobs | undefined;
  readonly #remoteFilters: ReadonlyMap<Stage, ReadonlyMap<string, Type>>;
  /** Filter ids that each stage still waits for. */
  readonly #awaited: Map<Stage, readonly string[]>;
  readonly #complete = new Map<string, FilterDomain>();
  /** Number of tasks, in their order, that are known to have told the filter: asking all of them at each report would be quadratic. */
  readonly #told = new Map<string, number>();

  constructor(stages: readonly Stage[], knobs: Knobs | undefined) {
    this.#knobs = knobs;
    this.#remoteFilters = new Map(stages.map((stage) => [stage, remoteFiltersOf(stage.fragment)]));
    this.#awaited = new Map(stages.map((stage) => [stage, filtersAwaitedBy(stage.fragment)] as const).filter(([, ids]) => ids.length > 0));
  }

  /** True if scans of the stage wait for filters. */
  awaitedBy(stage: Stage): boolean {
    return this.#awaited.has(stage);
  }

  /** A task of the stage has a new report. */
  taskChanged(stage: Stage): void {
    const before = this.#complete.size;
    for (const [id, type] of this.#remoteFilters.get(stage) ?? []) {
      if (!this.#complete.has(id) && this.#haveTold(stage, id)) {
        const domains = stage.tasks.flatMap((task) => domainOf(task, id) ?? []);
        // A task that ran again may not have told it again.
        if (domains.length === stage.tasks.length) {
          this.#complete.set(id, unionOf(type, domains, this.#knobs));
        }
      }
    }
    if (this.#complete.size > before) {
      this.#give();
    }
  }

  /** Whether each task has told the filter at some time. */
  #haveTold({ tasks }: Stage, id: string): boolean {
    let told = this.#told.get(id) ?? 0;
    for (let task = tasks[told]; task !== undefined && domainOf(task, id) !== undefined; task = tasks[told]) {
      told++;
    }
    this.#told.set(id, told);
    return told > 0 && told === tasks.length;
  }

  #give(): void {
    for (const [stage, ids] of this.#awaited) {
      const entries = ids.flatMap((id) => {
        const domain = this.#complete.get(id);
        return domain === undefined ? [] : [[id, domain] as const];
      });
      if (entries.length === ids.length) {
        this.#awaited.delete(stage);
        const domains: FilterDomains = Object.fromEntries(entries);
        for (const task of stage.tasks) {
          task.giveFilters?.(domains);
        }
      }
    }
  }
}

function domainOf(task: StageTask, id: string): FilterDomain | undefined {
  return task.filterOf === undefined ? everything : task.filterOf(id);
}
