/**
 * Remote dynamic filters: the join and the scan run in different tasks. Each task of the join reports its build keys to the coordinator,
 * which sends the union to the tasks of the scan.
 *
 * The scan waits for the filter, so the build side must never depend on the scan. Two rules guarantee that: a filter goes from a build side
 * only to the probe side of its own join, and every fragment on the path has exactly one reader. Any other path to the scan would have to
 * pass through the join.
 */
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import { assert } from "../../protocol/errors.ts";
import { physicalType, type Type } from "../../types/type.ts";
import type { Variable } from "../plan/typed-expression.ts";
import type { FragmentedPlan, PlanFragment } from "./fragment.ts";
import { remoteSourcesOf } from "./fragment-walk.ts";
import { outputsOf, type DynamicFilterUse, type PlanNode } from "../plan/node.ts";
import { FragmentEstimator } from "../explain/print.ts";
import {
  type Beyond,
  expectedOf,
  keptFractionMax,
  scanOf,
  type Scanned,
  type Sides,
  visitFiltering,
} from "../optimizer/rules/dynamic-filters.ts";
import type { StatisticsOf } from "./share-subplans.ts";
import { rewritePlan, visitPlan } from "../plan/plan-tree.ts";

/** Filters by join id and by scan id. */
interface Found {
  readonly produced: Map<string, Record<string, Variable>>;
  readonly awaited: Map<string, DynamicFilterUse[]>;
}

interface Bounds {
  readonly knobs?: Knobs | undefined;
}

/** Returns the plan itself if it has no remote dynamic filter. */
export function addRemoteDynamicFilters(plan: FragmentedPlan, statisticsOf: StatisticsOf, bounds: Bounds = {}): FragmentedPlan {
  // The coordinator does not collect filters from its own tasks.
  const joins = plan.fragments.filter(({ partitioning }) => partitioning !== "COORDINATOR");
  if (!joins.some(({ root }) => readsByJoining(root))) {
    return plan;
  }
  const search = new Search(plan, statisticsOf, bounds);
  for (const { root } of joins) {
    visitFiltering(root, (sides) => search.addFilters(sides));
  }
  const { found } = search;
  if (found.awaited.size === 0) {
    return plan;
  }
  return {
    fragments: plan.fragments.map((fragment) => ({ ...fragment, root: rewritePlan(fragment.root, (node) => withFilters(node, found)) })),
  };
}

/** A cheap test that skips most fragments. */
function readsByJoining(root: PlanNode): boolean {
  let [joins, reads] = [false, false];
  visitPlan(root, ({ kind }) => {
    joins ||= kind === "Join" || kind === "SemiJoin";
    reads ||= kind === "RemoteSource";
  });
  return joins && reads;
}

class Search {
  readonly found: Found = { produced: new Map(), awaited: new Map() };
  readonly #plan: FragmentedPlan;
  readonly #bounds: Bounds;
  readonly #estimator: FragmentEstimator;
  /** Number of remote sources that read each fragment, by fragment id. */
  readonly #readers = new Map<number, number>();

  constructor(plan: FragmentedPlan, statisticsOf: StatisticsOf, bounds: Bounds) {
    this.#plan = plan;
    this.#bounds = bounds;
    this.#estimator = new FragmentEstimator(plan, statisticsOf);
    for (const id of plan.fragments.flatMap(remoteSourcesOf).flatMap(({ fragmentIds }) => fragmentIds)) {
      this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1);
    }
  }

  addFilters({ join, probe, build, pairs }: Sides): void {
    for (const { id, key, built } of pairs) {
      if (!canBeRemote(key.type)) {
        continue;
      }
      let crosses = false;
      const use = scanOf(probe, key, (source, variable) => {
        crosses = true;
        return this.#beyond(source, variable);
      });
      // Joins and scans in the same task use local dynamic filters.
      if (use === undefined || !crosses || !this.#isWorthIt({ build, built, ...use })) {
        continue;
      }
      this.found.produced.set(join.id, { ...this.found.produced.get(join.id), [id]: built });
      this.found.awaited.set(use.scan.id, [...(this.found.awaited.get(use.scan.id) ?? []), { id, variable: use.variable }]);
    }
  }

  readonly #beyond: Beyond = ({ fragmentIds, orderBy, outputs }, variable) => {
    const [id] = fragmentIds;
    if (id === undefined || fragmentIds.length > 1 || orderBy !== undefined || this.#readers.get(id) !== 1) {
      return undefined;
    }
    const { root, partitioning } = this.#plan.fragments[id] as PlanFragment;
    const column = outputsOf(root)[outputs.findIndex(({ name }) => name === variable.name)];
    assert(column !== undefined, `fragment ${id} gives ${variable.name}`);
    return partitioning === "COORDINATOR" ? undefined : { root, variable: column };
  };

  #isWorthIt(filter: Scanned & { readonly build: PlanNode; readonly built: Variable }): boolean {
    const expected = expectedOf(filter, this.#estimator);
    if (expected === undefined) {
      return false;
    }
    const { keys, scannedRows, values } = expected;
    const areFew = keys <= knobOf(this.#bounds, "remote-filter-keys") && keys <= values * keptFractionMax;
    return areFew && scannedRows >= knobOf(this.#bounds, "remote-filter-scanned-rows");
  }
}

/** Types that the filter domain of execution/dynamic-filter/filter-domain.ts supports. */
function canBeRemote(type: Type): boolean {
  const physical = physicalType(type);
  const isWhole = type.kind === "integer" || type.kind === "bigint" || type.kind === "date" || type.kind === "decimal";
  return type.kind === "varchar" || (isWhole && (physical === "i32" || physical === "i64"));
}

function withFilters(node: PlanNode, { produced, awaited }: Found): PlanNode {
  if (node.kind === "TableScan") {
    const own = awaited.get(node.id);
    return own === undefined ? node : { ...node, remoteDynamicFilters: own };
  }
  if (node.kind !== "Join" && node.kind !== "SemiJoin") {
    return node;
  }
  const own = produced.get(node.id);
  return own === undefined ? node : { ...node, remoteDynamicFilters: own };
}
