/**
 * Dynamic filters of a task: filters that its joins build for its own scans or for other tasks, and filters that its scans await from other
 * tasks.
 */
import type { ColumnMetadata } from "../../connectors/spi.ts";
import type { Variable } from "../../planner/plan/typed-expression.ts";
import type { JoinNode, SemiJoinNode, TableScanNode } from "../../planner/plan/node.ts";
import { assert } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { DynamicFilter, type ScanFilter, ScanFilters } from "../dynamic-filter/dynamic-filter.ts";
import { type FilterDomain, GivenDomain } from "../dynamic-filter/filter-domain.ts";
import type { LocalDynamicFilter, RemoteDynamicFilter } from "../operators/join/join-operators.ts";
import type { OperatorContext } from "../operators/operator.ts";
import { channelsOf } from "./columns.ts";

/** A dynamic filter that another task builds, and the scan that awaits it. */
interface AwaitedFilter {
  readonly context: OperatorContext;
  readonly filter: DynamicFilter;
  readonly type: Type;
}

export class TaskFilters {
  /** Ids of the remote dynamic filters that joins publish. */
  readonly remoteFilterIds: string[] = [];
  readonly #onRemoteFilter: (id: string, domain: FilterDomain) => void;
  readonly #own = new Map<string, DynamicFilter>();
  readonly #awaited = new Map<string, AwaitedFilter>();

  constructor(onRemoteFilter: (id: string, domain: FilterDomain) => void) {
    this.#onRemoteFilter = onRemoteFilter;
  }

  /** A filter that is already set does not change. */
  give(id: string, domain: FilterDomain): void {
    const { context, filter, type } = this.#awaited.get(id) ?? {};
    if (context !== undefined && filter !== undefined && type !== undefined && filter.domain === undefined) {
      filter.publish(new GivenDomain(context, type, domain));
    }
  }

  /** Joins are planned before their probe side. */
  ofScan(context: OperatorContext, node: TableScanNode): ScanFilters | undefined {
    const toScan = (filter: DynamicFilter, variable: Variable): ScanFilter => {
      const [channel] = channelsOf(node.outputs, [variable]) as [number];
      return { filter, channel, column: (node.columns[channel] as ColumnMetadata).name };
    };
    const own = (node.dynamicFilters ?? []).map(({ id, variable }) => {
      const filter = this.#own.get(id);
      assert(filter !== undefined, `dynamic filter ${id} is made in the task`);
      return toScan(filter, variable);
    });
    const remote = (node.remoteDynamicFilters ?? []).map(({ id, variable }) => {
      const filter = new DynamicFilter();
      this.#awaited.set(id, { context, filter, type: variable.type });
      return toScan(filter, variable);
    });
    const filters = [...own, ...remote];
    return filters.length === 0 ? undefined : new ScanFilters(context, filters);
  }

  /** `layout` is that of the build side. */
  remoteFilters({ remoteDynamicFilters = {} }: JoinNode | SemiJoinNode, layout: readonly Variable[]): readonly RemoteDynamicFilter[] {
    return Object.entries(remoteDynamicFilters).map(([id, variable]) => {
      this.remoteFilterIds.push(id);
      const tell = (domain: FilterDomain): void => this.#onRemoteFilter(id, domain);
      return { channel: channelsOf(layout, [variable])[0] as number, tell };
    });
  }

  /** `layout` is that of the build side. */
  localFilters({ dynamicFilters = {} }: JoinNode | SemiJoinNode, layout: readonly Variable[]): readonly LocalDynamicFilter[] {
    return Object.entries(dynamicFilters).map(([id, variable]) => {
      const filter = new DynamicFilter();
      this.#own.set(id, filter);
      return { filter, channel: channelsOf(layout, [variable])[0] as number };
    });
  }
}
