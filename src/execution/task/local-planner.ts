/**
 * Turns a fragment into pipelines of operators. A chain begins at a table scan, an exchange, values or a union. It ends at the task's
 * output or at the build side of a join. The local planner knows plan nodes, but no time and no states.
 */
import type { MemoryContext } from "../../memory/memory.ts";
import type { RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { isDeterministic, substitute, variablesOf } from "../../planner/plan/expression-tree.ts";
import type { PlanFragment } from "../../planner/fragmenter/fragment.ts";
import {
  type AggregationNode,
  type AssignUniqueIdNode,
  type Assignment,
  type EnforceSingleRowNode,
  type FilterNode,
  type GroupIdNode,
  type JoinNode,
  type LimitNode,
  type MarkDistinctNode,
  type OffsetNode,
  outputsOf,
  type PlanNode,
  type ProjectNode,
  type RemoteSourceNode,
  type UnnestNode,
  type SampleNode,
  type SemiJoinNode,
  type SortNode,
  type TableFinishNode,
  type TableFunctionNode,
  type TableScanNode,
  type TableWriterNode,
  type TopNNode,
  type UnionNode,
  type ValuesNode,
  type WindowNode,
  patternOutputs,
  type PatternRecognitionNode,
} from "../../planner/plan/node.ts";
import { assert } from "../../protocol/errors.ts";
import { isNested } from "../../types/type.ts";
import { createAggregation } from "../operators/aggregation/aggregation-operators.ts";
import type { ExecutionServices, SessionFacts } from "./api.ts";
import { type ExchangeEnding, ExchangeOperator, type SplitTarget } from "../operators/output/exchange-operators.ts";
import type { FilterDomain } from "../dynamic-filter/filter-domain.ts";
import { FilterAndProjectOperator, isIdentity, type Processing, ScanOperator, ValuesOperator } from "../operators/filter-project.ts";
import { GroupIdOperator } from "../operators/aggregation/group-id-operator.ts";
import { runsLong } from "../expressions/prepare.ts";
import { compileJoinFilter } from "../operators/join/join-filter.ts";
import { JoinBuildOperator, JoinProbeOperator } from "../operators/join/join-operators.ts";
import { JoinBridge } from "../hash-table/join-table.ts";
import { MarkDistinctOperator } from "../operators/aggregation/mark-distinct.ts";
import { HashSemiJoinOperator } from "../operators/join/semi-join.ts";
import { SourceSemiJoinOperator } from "../operators/join/source-semi-join.ts";
import { NestedSemiJoinOperator } from "../operators/join/nested-semi-join.ts";
import { channelsOf, identity, orderOf, sideOf, typesOf } from "./columns.ts";
import { passesPages } from "./passed-pages.ts";
import { TaskFilters } from "./task-filters.ts";
import { MergeOperator } from "../operators/sort/merge-operator.ts";
import type { Operator, OperatorContext } from "../operators/operator.ts";
import type { OutputBuffer } from "../exchange/output-buffer.ts";
import { canSpillPattern, PatternRecognitionOperator } from "../operators/pattern/operator.ts";
import { PartitionedOutputOperator, TaskOutputOperator } from "../operators/output/output-operators.ts";
import { UnnestOperator } from "../operators/unnest-operator.ts";
import { EnforceSingleRowOperator, LimitOperator, OffsetOperator } from "../operators/row-count-operators.ts";
import { SampleOperator } from "../operators/sample-operator.ts";
import { SplitReader } from "../operators/scan/scan.ts";
import { OrderByOperator } from "../operators/sort/order-by-operator.ts";
import { TopNOperator } from "../operators/sort/top-n-operator.ts";
import { AssignUniqueIdOperator } from "../operators/unique-id-operator.ts";
import { RowsTableFunctionOperator, TableFunctionOperator } from "../operators/table-function/operators.ts";
import { LocalExchange, LocalExchangeSinkOperator, LocalExchangeSourceOperator } from "../operators/union-operators.ts";
import { WindowOperator } from "../operators/window/window-operator.ts";
import { TableFinishOperator, TableWriterOperator } from "../operators/output/write-operators.ts";

export interface LocalPlanOptions {
  readonly services: ExecutionServices;
  readonly session: SessionFacts;
  readonly taskId: string;
  readonly partition: number;
  readonly onCommit: (() => void) | undefined;
  readonly fragment: PlanFragment;
  /** Operators get children of it. */
  readonly memory: MemoryContext;
  readonly output: OutputBuffer;
  readonly sources: Omit<ExchangeEnding, "onReceived">;
  /** Called once, when all exchanges have all that their sources produce; never in a task without an exchange. */
  readonly onInputReceived: (() => void) | undefined;
  /** Receives the domain of a remote dynamic filter when the join has built it; once per filter. */
  readonly onRemoteFilter: (id: string, domain: FilterDomain) => void;
  /** Receives a warning when a scan skips data that it cannot read. */
  readonly onWarning: (message: string) => void;
  /** Receives the bytes of each page that an operator spills. */
  readonly onSpilled: (bytes: number) => void;
}

export interface PipelinePlan {
  readonly operators: readonly Operator[];
  /** True if it begins at a table scan or an exchange. */
  readonly inputPipeline: boolean;
  readonly outputPipeline: boolean;
}

export interface LocalPlan {
  /** Build sides come before the pipelines that probe them. */
  readonly pipelines: readonly PipelinePlan[];
  /** Scans and exchanges, by plan node id. */
  readonly splitTargets: ReadonlyMap<string, SplitTarget>;
  /** Ids of the remote dynamic filters that its joins publish. */
  readonly remoteFilterIds: readonly string[];
  /** Unblocks the scans that wait for the filter. A filter that is already set does not change. */
  giveFilter(id: string, domain: FilterDomain): void;
  /** Number of splits so far of the scan at the start of a pipeline; undefined for other pipelines. */
  splitsTotal(pipeline: number): number | undefined;
}

/** A pipeline under construction and the columns of its last operator: column i is layout[i]. */
interface Chain {
  readonly operators: Operator[];
  readonly layout: readonly Variable[];
  readonly inputPipeline: boolean;
  readonly splits?: SplitReader;
}

export function planFragment(options: LocalPlanOptions): LocalPlan {
  return new LocalPlanner(options).plan();
}

class LocalPlanner {
  readonly #options: LocalPlanOptions;
  readonly #pipelines: (PipelinePlan & { readonly splits?: SplitReader })[] = [];
  readonly #targets = new Map<string, SplitTarget>();
  #unreceived = 0;
  readonly #filters: TaskFilters;
  /** Frames keep no dictionaries: rows of a join, of marks or of a row pattern have none once they were spilled. */
  #givesPlainFrames = false;

  constructor(options: LocalPlanOptions) {
    this.#options = options;
    this.#filters = new TaskFilters(options.onRemoteFilter);
  }

  plan(): LocalPlan {
    try {
      const { root } = this.#options.fragment;
      const chain = this.#visit(root);
      this.#finishChain(this.#addOutput(chain, root), true);
    } catch (error) {
      for (const pipeline of this.#pipelines) {
        for (const operator of pipeline.operators) {
          operator.close();
        }
      }
      throw error;
    }
    const pipelines = this.#pipelines;
    return {
      pipelines,
      splitTargets: this.#targets,
      splitsTotal: (index) => pipelines[index]?.splits?.splitsAdded,
      remoteFilterIds: this.#filters.remoteFilterIds,
      giveFilter: (id, domain) => this.#filters.give(id, domain),
    };
  }

  #context(operators: readonly Operator[], planNodeId: string, operatorType: string): OperatorContext {
    const { services, session, taskId, partition, memory, onSpilled } = this.#options;
    const own = memory.child(operatorType);
    return { services, session, taskId, partition, operatorId: operators.length, planNodeId, operatorType, memory: own, onSpilled };
  }

  #finishChain(chain: Chain, outputPipeline: boolean): void {
    const { operators, inputPipeline, splits } = chain;
    this.#pipelines.push({ operators, inputPipeline, outputPipeline, ...(splits === undefined ? {} : { splits }) });
  }

  #append(
    chain: Chain,
    node: PlanNode,
    operatorType: string,
    make: (context: OperatorContext) => Operator,
    layout: readonly Variable[] = chain.layout,
  ): Chain {
    const operator = make(this.#context(chain.operators, node.id, operatorType));
    return { ...chain, operators: [...chain.operators, operator], layout };
  }

  #visit(node: PlanNode): Chain {
    switch (node.kind) {
      case "TableScan":
        return this.#scan(node, { layout: node.outputs, assignments: identity(node.outputs) });
      case "Values":
        return this.#values(node);
      case "Filter":
      case "Project":
        return this.#filterProject(node);
      case "Aggregation":
        return this.#aggregation(node);
      case "GroupId":
        return this.#groupId(node);
      case "MarkDistinct":
        return this.#markDistinct(node);
      case "Window":
        return this.#window(node);
      case "PatternRecognition":
        return this.#patternRecognition(node);
      case "Join":
        return this.#join(node);
      case "SemiJoin":
        return this.#semiJoin(node);
      case "EnforceSingleRow":
        return this.#enforceSingleRow(node);
      case "Sort":
      case "TopN":
        return this.#sort(node);
      case "Limit":
      case "Offset":
        return this.#limit(node);
      case "Sample":
        return this.#sample(node);
      case "Unnest":
        return this.#repeat(node);
      case "AssignUniqueId":
        return this.#assignUniqueId(node);
      case "Union":
        return this.#union(node);
      case "TableFunction":
        return this.#tableFunction(node);
      case "RemoteSource":
        return this.#remoteSource(node);
      case "Output":
        return this.#visit(node.source);
      case "TableWriter":
        return this.#tableWriter(node);
      case "TableFinish":
        return this.#tableFinish(node);
      case "Exchange":
      case "SharedSource":
        assert(false, "exchanges are cut into fragments");
    }
  }

  #addOutput(chain: Chain, root: PlanNode): Chain {
    const { fragment, output: buffer } = this.#options;
    const outputs = outputsOf(root);
    const channels = channelsOf(chain.layout, outputs);
    const types = outputs.map((variable) => variable.type);
    const options = { buffer, types, isPlain: this.#givesPlainFrames, channels };
    const partitioning = fragment.outputPartitioning;
    if (partitioning.kind === "HASH" && buffer.partitionCount > 1) {
      const keyChannels = channelsOf(chain.layout, partitioning.keys);
      const make = (context: OperatorContext): Operator => new PartitionedOutputOperator({ ...options, context, keyChannels });
      return this.#append(chain, root, "PartitionedOutputOperator", make);
    }
    const roundRobin = partitioning.kind === "ROUND_ROBIN";
    return this.#append(chain, root, "TaskOutputOperator", (context) => new TaskOutputOperator({ ...options, context, roundRobin }));
  }

  #scan(node: TableScanNode, processing: Processing): Chain {
    const { fragment, onWarning, services } = this.#options;
    const type = processing.filter === undefined && isIdentity(processing) ? "TableScanOperator" : "ScanFilterAndProjectOperator";
    const context = this.#context([], node.id, type);
    const filters = this.#filters.ofScan(context, node);
    const splits = new SplitReader({ services, node, memory: context.memory, filters, onWarning });
    this.#targets.set(node.id, splits);
    const isFiltered = filters !== undefined || processing.filter !== undefined;
    const operator = new ScanOperator({ context, splits, processing, combinesPages: isFiltered && !passesPages(fragment) });
    return { operators: [operator], layout: processing.assignments.map(({ output }) => output), inputPipeline: true, splits };
  }

  #values(node: ValuesNode): Chain {
    const operator = new ValuesOperator(this.#context([], node.id, "ValuesOperator"), node);
    return { operators: [operator], layout: node.outputs, inputPipeline: false };
  }

  #remoteSource(node: RemoteSourceNode): Chain {
    const [types, { orderBy }] = [typesOf(node.outputs), node];
    this.#unreceived++;
    const onReceived = (): void => (--this.#unreceived === 0 ? this.#options.onInputReceived?.() : undefined);
    const ending = { ...this.#options.sources, onReceived };
    const context = this.#context([], node.id, orderBy === undefined ? "ExchangeOperator" : "MergeOperator");
    const operator =
      orderBy === undefined
        ? new ExchangeOperator(context, types, ending)
        : new MergeOperator({
            context,
            types,
            ending,
            sortChannels: channelsOf(
              node.outputs,
              orderBy.map(({ variable }) => variable),
            ),
            order: orderOf(orderBy),
          });
    this.#targets.set(node.id, operator);
    return { operators: [operator], layout: node.outputs, inputPipeline: true };
  }

  /** A run of Filter and Project nodes becomes one operator, together with the scan below it, if there is one. */
  #filterProject(node: FilterNode | ProjectNode): Chain {
    const assignments = node.kind === "Project" ? node.assignments : identity(outputsOf(node));
    return this.#process(node, node.kind === "Project" ? node.source : node, assignments);
  }

  /** `assignments` over `source`. If `source` is a filter, the same operator evaluates it. */
  #process(node: PlanNode, source: PlanNode, assignments: readonly Assignment[]): Chain {
    const [filter, below] = source.kind === "Filter" ? [source.predicate, source.source] : [undefined, source];
    if (below.kind === "TableScan") {
      return this.#scan(below, { layout: below.outputs, assignments, ...(filter === undefined ? {} : { filter }) });
    }
    const chain = this.#visit(below);
    const processing: Processing = { layout: chain.layout, assignments, ...(filter === undefined ? {} : { filter }) };
    if (filter === undefined && isIdentity(processing)) {
      // The same columns under other names.
      return { ...chain, layout: assignments.map(({ output }) => output) };
    }
    return this.#append(
      chain,
      node,
      "FilterAndProjectOperator",
      (context) => new FilterAndProjectOperator(context, processing),
      assignments.map(({ output }) => output),
    );
  }

  /**
   * Projections below an aggregation are evaluated inside its own kernel, each at most once per row. Only computed keys, which groups need
   * as columns, and expressions that may run long are materialised.
   */
  #aggregation(node: AggregationNode): Chain {
    const { source } = node;
    if (source.kind !== "Project" || node.step === "FINAL") {
      const chain = this.#visit(source);
      return this.#appendAggregation(chain, node, new Map());
    }
    const inlined = new Map<string, RowExpression>();
    const keyNames = new Set(node.keys.map(({ name }) => name));
    const columns = new Map<string, Assignment>();
    for (const assignment of source.assignments) {
      if (keyNames.has(assignment.output.name) || runsLong(assignment.expression)) {
        columns.set(assignment.output.name, assignment);
      } else {
        inlined.set(assignment.output.name, assignment.expression);
      }
    }
    const needed = node.aggregates.flatMap((call) => [...call.args, ...(call.mask === undefined ? [] : [call.mask])]);
    for (const variable of variablesOf(needed.map((expression) => substitute(expression, inlined)))) {
      if (!columns.has(variable.name)) {
        columns.set(variable.name, { output: variable, expression: variable });
      }
    }
    const chain = this.#process(source, source.source, [...columns.values()]);
    return this.#appendAggregation(chain, node, inlined);
  }

  #appendAggregation(chain: Chain, node: AggregationNode, inlined: ReadonlyMap<string, RowExpression>): Chain {
    const type = node.keys.length === 0 ? "AggregationOperator" : "HashAggregationOperator";
    return this.#append(
      chain,
      node,
      type,
      (context) => createAggregation({ context, node, layout: chain.layout, inlined }),
      outputsOf(node),
    );
  }

  #groupId(node: GroupIdNode): Chain {
    const chain = this.#visit(node.source);
    const inputs = node.columns.map(({ input }) => input);
    const outputs = node.columns.map(({ output }) => output);
    const channels = channelsOf(chain.layout, inputs);
    const sets = node.sets.map((set) => outputs.map(({ name }) => set.includes(name)));
    const make = (context: OperatorContext): Operator => new GroupIdOperator({ context, channels, types: typesOf(outputs), sets });
    return this.#append(chain, node, "GroupIdOperator", make, [...chain.layout, ...outputs, node.groupId]);
  }

  #markDistinct(node: MarkDistinctNode): Chain {
    const chain = this.#visit(node.source);
    const channels = channelsOf(chain.layout, node.keys);
    const types = typesOf(chain.layout);
    this.#givesPlainFrames = true;
    const make = (context: OperatorContext): Operator => new MarkDistinctOperator({ context, types, keyChannels: channels });
    return this.#append(chain, node, "MarkDistinctOperator", make, [...chain.layout, node.marker]);
  }

  #window(node: WindowNode): Chain {
    const chain = this.#visit(node.source);
    const make = (context: OperatorContext): Operator => new WindowOperator({ context, node, layout: chain.layout });
    return this.#append(chain, node, "WindowOperator", make, [...chain.layout, ...node.functions.map(({ output }) => output)]);
  }

  #patternRecognition(node: PatternRecognitionNode): Chain {
    const chain = this.#visit(node.source);
    const kept = node.rows === "ONE" ? node.partitionBy : chain.layout;
    this.#givesPlainFrames ||= canSpillPattern(node);
    const make = (context: OperatorContext): Operator => new PatternRecognitionOperator({ context, node, layout: chain.layout });
    return this.#append(chain, node, "PatternRecognitionOperator", make, [...kept, ...patternOutputs(node)]);
  }

  #join(node: JoinNode): Chain {
    const isLoop = node.criteria.length === 0;
    const build = this.#visit(node.right);
    const bridge = new JoinBridge();
    const buildKeys = node.criteria.map(({ right }) => right);
    const keyChannels = channelsOf(build.layout, buildKeys);
    const buildTypes = typesOf(build.layout);
    const dynamicFilters = this.#filters.localFilters(node, build.layout);
    const remoteFilters = this.#filters.remoteFilters(node, build.layout);
    const buildType = isLoop ? "NestedLoopBuildOperator" : "HashBuilderOperator";
    const canSpill = !isLoop && (node.filter === undefined || isDeterministic(node.filter));
    this.#givesPlainFrames ||= canSpill;
    const options = { bridge, types: buildTypes, keyChannels, joinType: node.type, dynamicFilters, remoteFilters, canSpill };
    this.#finishChain(
      this.#append(build, node, buildType, (context) => new JoinBuildOperator({ ...options, context })),
      false,
    );
    const probe = this.#visit(node.left);
    const probeChannels = channelsOf(
      probe.layout,
      node.criteria.map(({ left }) => left),
    );
    const outputs = node.outputs.map((variable) => sideOf(probe.layout, build.layout, variable));
    return this.#append(
      probe,
      node,
      isLoop ? "NestedLoopJoinOperator" : "LookupJoinOperator",
      (context) =>
        new JoinProbeOperator({
          context,
          bridge,
          joinType: node.type,
          keys: probeChannels.map((probeChannel, index) => ({ probeChannel, buildChannel: keyChannels[index] as number })),
          probeTypes: typesOf(probe.layout),
          buildTypes,
          outputs,
          isFiltered: dynamicFilters.length > 0,
          ...(node.filter === undefined ? {} : { filter: compileJoinFilter(context, node.filter, probe.layout, build.layout) }),
        }),
      node.outputs,
    );
  }

  #semiJoin(node: SemiJoinNode): Chain {
    if (node.build === "SOURCE") {
      return this.#sourceSemiJoin(node);
    }
    const filtering = this.#visit(node.filtering);
    const bridge = new JoinBridge();
    const channel = channelsOf(filtering.layout, [node.filteringKey]);
    const reduced = this.#reduce(filtering, node, channel);
    const dynamicFilters = this.#filters.localFilters(node, reduced.layout);
    const remoteFilters = this.#filters.remoteFilters(node, reduced.layout);
    // Values that contain a NULL are compared with the whole set.
    const canSpill = !isNested(node.sourceKey.type);
    this.#givesPlainFrames ||= canSpill;
    this.#finishChain(
      this.#append(
        reduced,
        node,
        "SetBuilderOperator",
        (context) =>
          new JoinBuildOperator({
            context,
            bridge,
            types: typesOf(reduced.layout),
            keyChannels: channelsOf(reduced.layout, [node.filteringKey]),
            joinType: "INNER",
            dynamicFilters,
            remoteFilters,
            canSpill,
          }),
      ),
      false,
    );
    const chain = this.#visit(node.source);
    const [keyChannel] = channelsOf(chain.layout, [node.sourceKey]) as [number];
    const types = typesOf(chain.layout);
    const make = (context: OperatorContext): Operator =>
      canSpill ? new HashSemiJoinOperator({ context, bridge, keyChannel, types }) : new NestedSemiJoinOperator(context, bridge, keyChannel);
    return this.#append(chain, node, "HashSemiJoinOperator", make, [...chain.layout, node.output]);
  }

  #sourceSemiJoin(node: SemiJoinNode): Chain {
    const source = this.#visit(node.source);
    const bridge = new JoinBridge();
    const dynamicFilters = this.#filters.localFilters(node, source.layout);
    const remoteFilters = this.#filters.remoteFilters(node, source.layout);
    const keyChannels = channelsOf(source.layout, [node.sourceKey]);
    const sourceTypes = typesOf(source.layout);
    const build = { bridge, types: sourceTypes, keyChannels, joinType: "RIGHT", dynamicFilters, remoteFilters, canSpill: true } as const;
    this.#givesPlainFrames = true;
    this.#finishChain(
      this.#append(source, node, "HashBuilderOperator", (context) => new JoinBuildOperator({ ...build, context })),
      false,
    );
    const filtering = this.#visit(node.filtering);
    const [keyChannel] = channelsOf(filtering.layout, [node.filteringKey]) as [number];
    const sides = { keyChannel, types: typesOf(filtering.layout), sourceKeyChannel: keyChannels[0] as number, sourceTypes };
    const isFiltered = dynamicFilters.length > 0;
    return this.#append(
      filtering,
      node,
      "HashSemiJoinOperator",
      (context) => new SourceSemiJoinOperator({ ...sides, context, bridge, isFiltered }),
      [...source.layout, node.output],
    );
  }

  /** Keeps only these columns: a set needs no others. */
  #reduce(chain: Chain, node: PlanNode, channels: readonly number[]): Chain {
    if (chain.layout.length === channels.length) {
      return chain;
    }
    const kept = channels.map((channel) => chain.layout[channel] as Variable);
    const processing: Processing = { layout: chain.layout, assignments: identity(kept) };
    return this.#append(chain, node, "FilterAndProjectOperator", (context) => new FilterAndProjectOperator(context, processing), kept);
  }

  #enforceSingleRow(node: EnforceSingleRowNode): Chain {
    const chain = this.#visit(node.source);
    return this.#append(chain, node, "EnforceSingleRowOperator", (context) => new EnforceSingleRowOperator(context, typesOf(chain.layout)));
  }

  #sort(node: SortNode | TopNNode): Chain {
    const chain = this.#visit(node.source);
    const types = typesOf(chain.layout);
    const sortChannels = channelsOf(
      chain.layout,
      node.orderBy.map(({ variable }) => variable),
    );
    const order = orderOf(node.orderBy);
    return node.kind === "Sort"
      ? this.#append(chain, node, "OrderByOperator", (context) => new OrderByOperator({ context, types, sortChannels, order }))
      : this.#append(
          chain,
          node,
          "TopNOperator",
          (context) => new TopNOperator({ context, types, sortChannels, order }, node.count, node.withTies),
        );
  }

  #limit(node: LimitNode | OffsetNode): Chain {
    const chain = this.#visit(node.source);
    return node.kind === "Limit"
      ? this.#append(chain, node, "LimitOperator", (context) => new LimitOperator(context, node.count))
      : this.#append(chain, node, "OffsetOperator", (context) => new OffsetOperator(context, node.count));
  }

  #sample(node: SampleNode): Chain {
    const { method, ratio } = node;
    return this.#append(this.#visit(node.source), node, "SampleOperator", (context) => new SampleOperator({ context, method, ratio }));
  }

  #repeat(node: UnnestNode): Chain {
    const chain = this.#visit(node.source);
    const [channel] = channelsOf(chain.layout, [node.count]) as [number];
    return this.#append(chain, node, "UnnestOperator", (context) => new UnnestOperator(context, channel, node.ordinal !== undefined), [
      ...chain.layout,
      ...(node.ordinal === undefined ? [] : [node.ordinal]),
    ]);
  }

  #union(node: UnionNode): Chain {
    const exchange = new LocalExchange(node.sources.length);
    for (const [index, source] of node.sources.entries()) {
      this.#sinkInto(exchange, node, this.#visit(source), index, node.sourceVariables[index] ?? []);
    }
    const operator = new LocalExchangeSourceOperator(this.#context([], node.id, "LocalExchangeSourceOperator"), exchange);
    return { operators: [operator], layout: node.outputs, inputPipeline: false };
  }

  #assignUniqueId(node: AssignUniqueIdNode): Chain {
    const chain = this.#visit(node.source);
    const layout = [...chain.layout, node.idVariable];
    return this.#append(chain, node, "AssignUniqueIdOperator", (context) => new AssignUniqueIdOperator(context), layout);
  }

  #tableFunction(node: TableFunctionNode): Chain {
    const layout = outputsOf(node);
    const [only] = node.inputs;
    if (node.sources.length === 1 && only?.semantics === "ROWS") {
      const chain = this.#visit(node.sources[0] as PlanNode);
      const make = (context: OperatorContext): Operator => new RowsTableFunctionOperator({ context, node, layouts: [chain.layout] });
      return this.#append(chain, node, "TableFunctionOperator", make, layout);
    }
    const exchange = new LocalExchange(node.sources.length);
    const layouts = node.sources.map((source, index) => this.#sinkInto(exchange, node, this.#visit(source), index).layout);
    const operator = new TableFunctionOperator({ context: this.#context([], node.id, "TableFunctionOperator"), node, layouts }, exchange);
    return { operators: [operator], layout, inputPipeline: false };
  }

  /** Ends a pipeline with a sink of the exchange, with these columns or all. */
  #sinkInto(exchange: LocalExchange, node: PlanNode, chain: Chain, source: number, variables = chain.layout): Chain {
    const channels = channelsOf(chain.layout, variables);
    const make = (context: OperatorContext): Operator => new LocalExchangeSinkOperator(context, exchange, source, channels);
    this.#finishChain(this.#append(chain, node, "LocalExchangeSinkOperator", make), false);
    return chain;
  }

  #tableWriter(node: TableWriterNode): Chain {
    const chain = this.#visit(node.source);
    const inputChannels = channelsOf(chain.layout, node.inputs);
    return this.#append(
      chain,
      node,
      "TableWriterOperator",
      (context) => new TableWriterOperator({ context, target: node.target, inputChannels }),
      node.outputs,
    );
  }

  #tableFinish(node: TableFinishNode): Chain {
    const chain = this.#visit(node.source);
    const { onCommit } = this.#options;
    const make = (context: OperatorContext): Operator =>
      new TableFinishOperator({ context, target: node.target, rowCountChannel: 0, fragmentChannel: 1, onCommit });
    return this.#append(chain, node, "TableFinishOperator", make, node.outputs);
  }
}
