/**
 * Remote dynamic filters: the join and the scan run in different tasks. Each task of the join reports its build keys to the coordinator,
 * which sends the union to the tasks of the scan.
 *
 * The scan waits for the filter, so the build side must never depend on the scan. Two rules guarantee that: a filter goes from a build side
 * only to the probe side of its own join, and every fragment on the path has exactly one reader. Any other path to the scan would have to
 * pass through the join.
 *
 * A filter of few keys costs a round trip. A filter of many keys (`large_remote_filters`) is a set of bits that each task of the join makes
 * and each task of the scan gets, and the scan starts late. It is planned where the rows that it drops before they are exchanged or
 * aggregated are more than the rows that make it.
 */
import { knobOf, type Knobs } from "../../ports/knobs.ts";
import { assert } from "../../protocol/errors.ts";
import { physicalType, type Type } from "../../types/type.ts";
import type { RulesOff } from "../optimizer/rule-table.ts";
import type { Variable } from "../plan/typed-expression.ts";
import type { FragmentedPlan, PlanFragment } from "./fragment.ts";
import { remoteSourcesOf } from "./fragment-walk.ts";
import { outputsOf, type DynamicFilterUse, type PlanNode, type RemoteSourceNode } from "../plan/node.ts";
import { FragmentEstimator } from "../explain/print.ts";
import {
  type Beyond,
  type Built,
  type Expected,
  expectedOf,
  keptFractionMax,
  ScanSearch,
  type Scanned,
  type Sides,
  visitFiltering,
} from "../optimizer/rules/dynamic-filters.ts";
import type { StatisticsOf } from "./share-subplans.ts";
import { rewritePlan, sourcesOf, visitPlan } from "../plan/plan-tree.ts";
import { unitsOf } from "../optimizer/stats/stats-calculator.ts";

/** Filters by join id and by scan id. */
interface Found {
  readonly produced: Map<string, Record<string, Variable>>;
  readonly awaited: Map<string, DynamicFilterUse[]>;
}

interface Bounds {
  readonly knobs?: Knobs | undefined;
  readonly rulesOff?: RulesOff;
}

/** Maximum number of build keys as a fraction of the scanned column's distinct values, for a filter of many keys. */
const keptFractionOfManyMax = 0.5;
/** Largest range of keys for which bits are planned. */
const bitsSpanMax = 2 ** 26;

/** Returns the plan itself if it has no remote dynamic filter. */
export function addRemoteDynamicFilters(plan: FragmentedPlan, statisticsOf: StatisticsOf, bounds: Bounds = {}): FragmentedPlan {
  // The coordinator does not collect filters from its own tasks.
  const joins = plan.fragments.filter(({ partitioning }) => partitioning !== "COORDINATOR");
  if (!joins.some(({ root }) => readsByJoining(root))) {
    return plan;
  }
  const search = new Search(plan, statisticsOf, bounds);
  for (const { root } of joins) {
    visitFiltering(root, (sides) => search.addCandidates(sides));
  }
  const found = search.choose();
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

interface Filter extends Scanned, Built {}

interface Candidate extends Filter {
  readonly joinId: string;
  readonly id: string;
  /** Root of the scan's fragment. */
  readonly root: PlanNode;
  readonly expected: Expected;
  readonly buildRows: number;
  /** Estimated fraction of the scanned rows that the filter keeps. */
  readonly kept: number;
}

class Search {
  readonly #candidates: Candidate[] = [];
  readonly #plan: FragmentedPlan;
  readonly #bounds: Bounds;
  readonly #scans = new ScanSearch();
  readonly #columns = new Map<RemoteSourceNode, ReadonlyMap<string, Variable>>();
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

  addCandidates({ join, probe, build, pairs }: Sides): void {
    for (const { id, key, built } of pairs) {
      if (!canBeRemote(key.type)) {
        continue;
      }
      let root: PlanNode | undefined;
      const use = this.#scans.scanOf(probe, key, (source, variable) => {
        const beyond = this.#beyond(source, variable);
        root = beyond?.root;
        return beyond;
      });
      // Joins and scans in the same task use local dynamic filters.
      if (use === undefined || root === undefined) {
        continue;
      }
      const expected = expectedOf({ build, built, ...use }, this.#estimator);
      if (expected !== undefined) {
        const kept = Math.min(1, expected.keys / Math.max(1, expected.values));
        this.#candidates.push({
          joinId: join.id,
          id,
          build,
          built,
          ...use,
          root,
          expected,
          kept,
          buildRows: this.#estimator.estimate(build).rows,
        });
      }
    }
  }

  /** Decides the smallest build sides first, which are read soonest. A further filter of the scan is judged by the rows that these keep. */
  choose(): Found {
    const found: Found = { produced: new Map(), awaited: new Map() };
    const keptOf = new Map<string, number>();
    for (const candidate of this.#candidates.toSorted((a, b) => a.buildRows - b.buildRows)) {
      const { joinId, id, built, scan, variable, kept } = candidate;
      const keptBefore = keptOf.get(scan.id) ?? 1;
      if (this.#isWorthIt(candidate, keptBefore)) {
        keptOf.set(scan.id, keptBefore * kept);
        const produced = found.produced.get(joinId) ?? {};
        produced[id] = built;
        found.produced.set(joinId, produced);
        const awaited = found.awaited.get(scan.id) ?? [];
        awaited.push({ id, variable });
        found.awaited.set(scan.id, awaited);
      }
    }
    return found;
  }

  readonly #beyond: Beyond = (source, variable) => {
    const { fragmentIds, orderBy } = source;
    const [id] = fragmentIds;
    if (id === undefined || fragmentIds.length > 1 || orderBy !== undefined || this.#readers.get(id) !== 1) {
      return undefined;
    }
    const { root, partitioning } = this.#plan.fragments[id] as PlanFragment;
    const column = this.#columnsOf(source, root).get(variable.name);
    assert(column !== undefined, `fragment ${id} gives ${variable.name}`);
    return partitioning === "COORDINATOR" ? undefined : { root, variable: column };
  };

  /** Columns of the fragment's root by the names that its reader gives them. */
  #columnsOf(source: RemoteSourceNode, root: PlanNode): ReadonlyMap<string, Variable> {
    const known = this.#columns.get(source);
    if (known !== undefined) {
      return known;
    }
    const given = outputsOf(root);
    const columns = new Map(source.outputs.flatMap(({ name }, index) => (given[index] === undefined ? [] : [[name, given[index]]])));
    this.#columns.set(source, columns);
    return columns;
  }

  #isWorthIt({ expected: { keys, scannedRows, values }, kept, buildRows, ...filter }: Candidate, keptBefore: number): boolean {
    if (keys <= knobOf(this.#bounds, "remote-filter-keys")) {
      return keys <= values * keptFractionMax && scannedRows >= knobOf(this.#bounds, "remote-filter-scanned-rows");
    }
    if (this.#bounds.rulesOff?.has("large_remote_filters") === true || kept > keptFractionOfManyMax || !this.#fitsBits(filter)) {
      return false;
    }
    const dropped = passedRows(filter.root, filter.scan, this.#estimator) * keptBefore * (1 - kept);
    return dropped >= knobOf(this.#bounds, "large-filter-rows") && dropped >= buildRows;
  }

  /** Whether the estimated range of the keys is narrow enough for bits. */
  #fitsBits({ build, built, scan, variable }: Filter): boolean {
    const units = unitsOf(built.type);
    const columns = [this.#estimator.estimate(build).columns.get(built.name), this.#estimator.estimate(scan).columns.get(variable.name)];
    return columns.some((column) => {
      const { low, high } = column ?? {};
      return low !== undefined && high !== undefined && units !== undefined && (high - low) * units < bitsSpanMax;
    });
  }
}

/** Estimated rows that the filters directly above the scan pass on, without the dynamic filter. */
function passedRows(root: PlanNode, scan: PlanNode, estimator: FragmentEstimator): number {
  let passed = estimator.estimate(scan).rows;
  const visit = (node: PlanNode): boolean => {
    if (node === scan) {
      return true;
    }
    const isAbove = sourcesOf(node).some(visit);
    if (isAbove && (node.kind === "Filter" || node.kind === "Project")) {
      passed = estimator.estimate(node).rows;
      return true;
    }
    return false;
  };
  visit(root);
  return passed;
}

/** Types that the filter domain of execution/dynamic-filter/filter-domain.ts supports. */
export function canBeRemote(type: Type): boolean {
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
