/**
 * HashBuilderOperator and NestedLoopBuildOperator keep the build side; LookupJoinOperator and NestedLoopJoinOperator probe it. Output is in
 * probe order, with the matches of one probe row in build order. Build rows without a match (RIGHT, FULL) come last. Nothing is copied:
 * output columns are the columns of both sides read through row numbers.
 */
import { ByLayout, layoutKey, layoutOf } from "../../expressions/columns.ts";
import type { CompiledKernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import { BIGINT, type Type } from "../../../types/type.ts";
import { composeIdsKernel, joinControl, joinProbeKernel, unvisitedKernel } from "./join-kernel.ts";
import { domainOfKeys } from "../../dynamic-filter/build-keys.ts";
import type { DynamicFilter } from "../../dynamic-filter/dynamic-filter.ts";
import { type FilterDomain, filterOfKeys, filterOfRows } from "../../dynamic-filter/filter-domain.ts";
import { type JoinBridge, JoinTable, tableRowBytes } from "../../hash-table/join-table.ts";
import { PageArguments } from "../kernel-cache.ts";
import { KeyFilter } from "../../dynamic-filter/key-bitmap.ts";
import type { KeyDomain } from "../../dynamic-filter/key-domain.ts";
import { pageBytes } from "../../driver/stats.ts";
import { PartitionedRows } from "../../spill/partitioned-rows.ts";
import { RowNumbers } from "../../spill/row-numbers.ts";
import { type SpilledPartitions, SpillSpace, type Steps } from "../../spill/spill-runs.ts";
import { SpillingOperator } from "../../spill/spilling-operator.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { slicePage } from "../pages.ts";
import type { JoinProbeOptions, JoinType } from "./join-options.ts";
import { SpilledJoin, spilledKeys } from "./spilled-join.ts";

/** A candidate costs about a fourth of a row that passes through an operator. */
const candidatesPerWorkUnit = 4;

export interface JoinBuildOptions {
  readonly context: OperatorContext;
  readonly bridge: JoinBridge;
  readonly types: readonly Type[];
  /** Empty: a nested loop. */
  readonly keyChannels: readonly number[];
  readonly joinType: JoinType;
  /** Local dynamic filters of the build side, published when it is complete. */
  readonly dynamicFilters?: readonly LocalDynamicFilter[];
  /** Remote dynamic filters of the build side, for other tasks. */
  readonly remoteFilters?: readonly RemoteDynamicFilter[];
  /** Its probe can read a build side that was spilled. */
  readonly canSpill?: boolean;
}

export interface RemoteDynamicFilter {
  /** Channel of the build side. */
  readonly channel: number;
  readonly tell: (domain: FilterDomain) => void;
}

export interface LocalDynamicFilter {
  readonly filter: DynamicFilter;
  /** Channel of the build side. */
  readonly channel: number;
}

interface SpilledRows {
  readonly space: SpillSpace;
  readonly rows: PartitionedRows;
}

/**
 * Collects the whole build side and holds it until the probe is done. With remote dynamic filters it reads its input to the end even if the
 * probe needs no more rows: the published domains must not depend on which of the two comes first.
 */
export class JoinBuildOperator extends SpillingOperator {
  readonly #options: JoinBuildOptions;
  readonly #bridge: JoinBridge;
  readonly #table: JoinTable;
  readonly #dynamicFilters: readonly LocalDynamicFilter[];
  #remoteFilters: readonly RemoteDynamicFilter[];
  #spilled: SpilledRows | undefined;
  /** Number of rows spilled. */
  #spilledRows = 0;

  constructor(options: JoinBuildOptions) {
    super(options.context);
    const { services, memory } = options.context;
    this.#options = options;
    this.#bridge = options.bridge;
    this.#dynamicFilters = options.dynamicFilters ?? [];
    this.#remoteFilters = options.remoteFilters ?? [];
    this.#table = new JoinTable({
      runtime: services.runtime,
      memory,
      types: options.types,
      keyChannels: options.keyChannels,
      domainChannels: this.#dynamicFilters.map(({ channel }) => channel),
    });
    if (options.canSpill === true) {
      this.enableSpill();
    }
  }

  protected get canSpill(): boolean {
    return this.#spilled === undefined && this.#table.rows.rowCount > 0;
  }

  /** A table that the probe does not use yet. */
  protected override get canSpillResult(): boolean {
    return this.#options.canSpill === true && this.#bridge.table !== undefined && !this.#bridge.isProbed && this.#table.rowCount > 0;
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isFinished && !this.isBusy;
  }

  get isFinished(): boolean {
    return this.#bridge.isReleased && this.#remoteFilters.length === 0;
  }

  getOutput(): undefined {
    return undefined;
  }

  override finish(): void {
    super.finish();
    if (this.#spilled !== undefined || (this.canSpill && this.mustSpill(tableRowBytes * this.#table.rows.rowCount))) {
      this.begin(this.#finishSpilled());
      return;
    }
    this.#tell();
    if (this.#bridge.isReleased) {
      return;
    }
    const { joinType } = this.#options;
    this.#table.beginBuild({
      nullRow: joinType === "LEFT" || joinType === "FULL",
      tracksVisited: joinType === "RIGHT" || joinType === "FULL",
    });
  }

  override blocked(): Promise<void> | undefined {
    if (this.isBusy) {
      if (super.blocked() === undefined) {
        this.advance();
      }
      return super.blocked();
    }
    if (!this.finishing || this.#bridge.isReleased) {
      return undefined;
    }
    if (this.#bridge.built() !== undefined) {
      if (!this.#table.buildStep()) {
        return undefined;
      }
      for (const [index, { filter }] of this.#dynamicFilters.entries()) {
        filter.publish(this.#table.domains[index] as KeyDomain);
      }
      this.#bridge.setTable(this.#table);
    }
    return this.#bridge.released();
  }

  override close(): void {
    super.close();
    this.#table.close();
    this.#spilled?.rows.close();
    this.#spilled?.space.close();
  }

  protected growthBytes(page: Page): number {
    const { rows } = this.#table;
    const count = rows.rowCount + page.positionCount;
    return rows.growthBytes(page.positionCount) + pageBytes(this.context.memory.linear, page) + tableRowBytes * count;
  }

  protected keep(page: Page): void {
    this.#table.rows.append(page);
  }

  protected spillPage(page: Page): Steps<void> | undefined {
    return this.#spilled === undefined ? undefined : this.#write(this.#spilled.rows, page);
  }

  protected *spill(): Steps<void> {
    const { keyChannels, types } = this.#options;
    const space = new SpillSpace(this.context);
    const rows = new PartitionedRows({ space, types: [...types, BIGINT], keyChannels, level: 1 });
    this.#spilled = { space, rows };
    if (this.#bridge.table !== undefined) {
      yield* this.#spillTable(this.#spilled);
      return;
    }
    yield* this.#writeAll(rows, this.#table.page());
    this.#table.close();
  }

  /** The table is complete, and its filters are told. */
  *#spillTable({ space, rows }: SpilledRows): Steps<void> {
    this.#bridge.takeTable();
    // Without the row of NULLs.
    yield* this.#writeAll(rows, slicePage(this.#table.page(), 0, this.#table.rowCount));
    this.#table.free();
    this.#bridge.setSpilled({ space, runs: rows.finish() });
  }

  *#writeAll(rows: PartitionedRows, page: Page): Steps<void> {
    for (let from = 0; from < page.positionCount; from += pageRowsMax) {
      yield* this.#write(rows, slicePage(page, from, Math.min(pageRowsMax, page.positionCount - from)));
    }
  }

  *#write(rows: PartitionedRows, page: Page): Steps<void> {
    const numbers = new RowNumbers(this.context.memory);
    try {
      const column = numbers.ofPage(this.#spilledRows, page);
      this.#spilledRows += page.positionCount;
      yield* rows.write({ ...page, columns: [...page.columns, column] });
    } finally {
      numbers.close();
    }
  }

  /** Its driver waits for the probe, and not for the revocation. */
  protected override revocationFailed(error: unknown): void {
    if (this.finishing) {
      this.#bridge.fail(error);
    }
  }

  *#finishSpilled(): Steps<void> {
    if (this.#spilled === undefined) {
      yield* this.spill();
    }
    const { space, rows } = this.#spilled as SpilledRows;
    const runs = rows.finish();
    for (const { channel, tell } of this.#remoteFilters) {
      tell(yield* filterOfKeys(this.context, spilledKeys({ space, runs }, channel)));
    }
    this.#remoteFilters = [];
    const { memory, services } = this.context;
    for (const { filter, channel } of this.#dynamicFilters) {
      filter.publish(yield* domainOfKeys({ runtime: services.runtime, memory }, spilledKeys({ space, runs }, channel)));
    }
    this.#bridge.setSpilled({ space, runs });
  }

  #tell(): void {
    for (const { channel, tell } of this.#remoteFilters) {
      tell(filterOfRows(this.context, this.#table.rows, channel));
    }
    this.#remoteFilters = [];
  }
}

/** Rows of a small page. */
const fewRows = 64;

export class JoinProbeOperator extends BaseOperator {
  readonly #options: JoinProbeOptions;
  readonly #keepsProbe: boolean;
  readonly #tracksVisited: boolean;
  readonly #probeArguments: PageArguments;
  readonly #buildArguments: PageArguments;
  readonly #control: Address;
  readonly #pageRows: number;
  /** Maximum number of candidates that one call of the kernel filters. Such a call takes no longer than the same expression over a page. */
  readonly #candidatesPerCall: number;
  readonly #probeRows: Address;
  readonly #buildRows: Address;
  /** Composed ids of the current output page, by the ids they were made from. */
  readonly #composed = new Map<Address, Address>();
  readonly #composedFree: Address[] = [];
  /** Ids that each composed block holds. */
  #composedRows = 0;
  /** null: no key filter. */
  #keyFilter: KeyFilter | null | undefined;
  #page: Page | undefined;
  #kernel: CompiledKernel | undefined;
  readonly #kernels = new ByLayout<CompiledKernel>();
  #buildKey = "";
  #unvisitedFrom = 0;
  /** Number of candidates filtered and not yet reported as work. */
  #candidates = 0;
  #unmatched: readonly Column[] | undefined;
  #unmatchedRow: Page | undefined;
  /** Of a build side that does not fit in memory. */
  #spilled: SpilledJoin | undefined;

  constructor(options: JoinProbeOptions) {
    super(options.context);
    const { memory } = options.context;
    this.#options = options;
    this.#keepsProbe = options.joinType === "LEFT" || options.joinType === "FULL";
    this.#tracksVisited = options.joinType === "RIGHT" || options.joinType === "FULL";
    this.#probeArguments = new PageArguments(memory, options.probeTypes.length);
    this.#buildArguments = new PageArguments(memory, options.buildTypes.length);
    this.#control = memory.allocateZeroed(joinControl.bytes);
    this.#pageRows = memory.knobs.value("page-rows");
    const candidates = memory.knobs.value("join-candidates");
    this.#candidatesPerCall = options.filter?.candidates(candidates) ?? candidates;
    this.#probeRows = memory.allocate(4 * this.#pageRows);
    this.#buildRows = memory.allocate(4 * this.#pageRows);
  }

  get #table(): JoinTable | undefined {
    return this.#options.bridge.table;
  }

  get needsInput(): boolean {
    const { bridge } = this.#options;
    return bridge.built() === undefined && this.#page === undefined && this.#spilled?.isBusy !== true && !this.finishing;
  }

  get isFinished(): boolean {
    const table = this.#table;
    if (this.#options.bridge.spilled !== undefined) {
      return this.finishing && this.#spilled?.isBusy !== true;
    }
    if (table === undefined || this.#page !== undefined) {
      return false;
    }
    if (table.rowCount === 0 && !this.#keepsProbe) {
      // Nothing can match, so the probe side need not be read.
      return true;
    }
    if (!this.finishing) {
      return false;
    }
    return !this.#tracksVisited || this.#unvisitedFrom >= table.rowCount;
  }

  override finish(): void {
    super.finish();
    if (this.#options.bridge.spilled !== undefined) {
      this.#openSpilled(this.#options.bridge.spilled).finish();
    } else if (this.#table !== undefined) {
      this.#options.bridge.probe();
    }
  }

  addInput(given: Page): void {
    if (this.#options.bridge.spilled !== undefined) {
      this.#openSpilled(this.#options.bridge.spilled).addInput(given);
      return;
    }
    this.#options.bridge.probe();
    if (this.#keyFilter === undefined) {
      this.#keyFilter = this.#openKeyFilter();
    }
    const page = this.#keyFilter?.apply(given) ?? given;
    if (page.positionCount === 0) {
      return;
    }
    this.#page = page;
    const { u32 } = this.context.memory.linear;
    u32[(this.#control + joinControl.position) >>> 2] = 0;
    u32[(this.#control + joinControl.candidate) >>> 2] = 0;
    u32[(this.#control + joinControl.begun) >>> 2] = 0;
    u32[(this.#control + joinControl.pairs) >>> 2] = 0;
    this.#probeArguments.write(page);
    this.#chooseKernel(page);
  }

  getOutput(): Page | undefined {
    const table = this.#table;
    if (this.#spilled !== undefined) {
      return this.#spilled.getOutput();
    }
    if (table === undefined) {
      return undefined;
    }
    if (this.#page !== undefined) {
      return this.#probe(this.#page, table);
    }
    if (this.finishing && this.#tracksVisited) {
      return this.#nextUnvisited(table);
    }
    return undefined;
  }

  override blocked(): Promise<void> | undefined {
    return this.#options.bridge.built() ?? this.#spilled?.blocked();
  }

  override close(): void {
    this.#spilled?.close();
    this.#options.filter?.close();
    this.#options.bridge.release();
  }

  #openSpilled(build: SpilledPartitions): SpilledJoin {
    const { context, filter, keys, outputs, probeTypes, buildTypes } = this.#options;
    this.#spilled ??= new SpilledJoin({
      context,
      build,
      probeTypes,
      buildTypes,
      keys,
      outputTypes: outputs.map(({ side, channel }) => (side === "probe" ? probeTypes : buildTypes)[channel] as Type),
      keepsProbe: this.#keepsProbe,
      tracksVisited: this.#tracksVisited,
      rowsMax: this.#pageRows,
      isCutByProbe: true,
      newProbe: (partition) =>
        new JoinProbeOperator({
          ...this.#options,
          ...partition,
          outputs: [...outputs, { side: "probe", channel: probeTypes.length }, { side: "build", channel: buildTypes.length }],
          isFiltered: false,
          // The filter serves all partitions.
          ...(filter === undefined ? {} : { filter: { ...filter, takeWorkSteps: () => filter.takeWorkSteps(), close: () => undefined } }),
        }),
      arrange: (page) => page,
    });
    return this.#spilled;
  }

  /** Only where probe rows without a match are dropped. */
  #openKeyFilter(): KeyFilter | null {
    const { memory, services } = this.context;
    const bitmap = this.#table?.bitmap;
    const [key] = this.#options.keys;
    return bitmap === undefined || key === undefined || this.#keepsProbe || this.#options.isFiltered === true
      ? null
      : new KeyFilter(bitmap, { runtime: services.runtime, memory, keyChannel: key.probeChannel });
  }

  #probe(page: Page, table: JoinTable): Page | undefined {
    const { u32 } = this.context.memory.linear;
    const { filter } = this.#options;
    const kernel = this.#kernel as CompiledKernel;
    const word = this.#control >>> 2;
    u32[word + joinControl.candidatesLeft / 4] = this.#candidatesPerCall;
    const attempt = (): number => {
      filter?.begin();
      const pairs = Number(kernel(this.#probeArguments.address, this.#buildArguments.address, this.#control, ...(filter?.args ?? [])));
      filter?.check();
      return pairs;
    };
    // The kernel writes its resume state at its end. If it is left before, it restarts from the same place.
    const count = filter === undefined ? attempt() : filter.inSlices(attempt);
    if (count === undefined) {
      return undefined;
    }
    this.#candidates += this.#candidatesPerCall - (u32[word + joinControl.candidatesLeft / 4] as number);
    if ((u32[word + joinControl.position / 4] as number) >= page.positionCount) {
      this.#page = undefined;
    } else if (count < this.#pageRows) {
      // The kernel has reached its bound of candidates: the pairs so far wait for the next ones.
      return undefined;
    }
    u32[word + joinControl.pairs / 4] = 0;
    return count === 0 ? undefined : this.#pairsPage(page, table, count);
  }

  takeWorkUnits(): number {
    const units = Math.floor(this.#candidates / candidatesPerWorkUnit);
    this.#candidates -= units * candidatesPerWorkUnit;
    return units + (this.#options.filter?.takeWorkSteps() ?? 0);
  }

  #pairsPage(page: Page, table: JoinTable, count: number): Page {
    for (const address of this.#composed.values()) {
      this.#composedFree.push(address);
    }
    this.#composed.clear();
    this.#growComposed(count);
    const columns = this.#options.outputs.map(({ side, channel }): Column => {
      if (side === "build") {
        return { ...table.rows.column(channel), ids: this.#buildRows };
      }
      const column = page.columns[channel] as Column;
      return { ...column, ids: column.ids === 0 ? this.#probeRows : this.#compose(column.ids, count) };
    });
    return { positionCount: count, selection: 0, columns };
  }

  /**
   * A first page of few rows has blocks of their size: after hundreds of joins with one row each, a page has as many ids, and full blocks
   * of all joins would take gigabytes.
   */
  #growComposed(count: number): void {
    if (count <= this.#composedRows) {
      return;
    }
    for (const block of this.#composedFree.splice(0)) {
      this.context.memory.free(block);
    }
    this.#composedRows = this.#composedRows === 0 && count <= fewRows ? fewRows : this.#pageRows;
  }

  #compose(ids: Address, count: number): Address {
    const known = this.#composed.get(ids);
    if (known !== undefined) {
      return known;
    }
    const target = this.#composedFree.pop() ?? this.context.memory.allocate(4 * this.#composedRows);
    this.context.services.runtime.load("compose-ids", composeIdsKernel)(ids, this.#probeRows, count, target);
    this.#composed.set(ids, target);
    return target;
  }

  /** Build rows that no probe row matched, with NULLs on the probe side. */
  #nextUnvisited(table: JoinTable): Page | undefined {
    const end = Math.min(table.rowCount, this.#unvisitedFrom + this.#pageRows);
    const kernel = this.context.services.runtime.load("unvisited", unvisitedKernel);
    const count = Number(kernel(table.visited, this.#unvisitedFrom, end, this.#buildRows));
    this.#unvisitedFrom = end;
    if (count === 0) {
      return undefined;
    }
    const { u32, u8 } = this.context.memory.linear;
    u32.fill(0, this.#probeRows >>> 2, (this.#probeRows >>> 2) + count);
    this.#unmatched ??= this.#options.probeTypes.map((type) => {
      const nulls = this.context.memory.allocateZeroed(16);
      u8[nulls] = 1;
      return { type, values: this.context.memory.allocateZeroed(16), nulls, ids: 0, length: 1 };
    });
    this.#unmatchedRow ??= { positionCount: 1, selection: 0, columns: this.#unmatched };
    return this.#pairsPage(this.#unmatchedRow, table, count);
  }

  #chooseKernel(page: Page): void {
    const table = this.#table as JoinTable;
    if (this.#buildKey === "") {
      const build = table.page();
      this.#buildKey = layoutKey(layoutOf(build));
      this.#buildArguments.write(build);
      this.#writeTable(table);
    }
    // Of the page alone: neither the table nor the filter changes between pages.
    this.#kernel = this.#kernels.for(page, (layout, layoutName) => {
      const { keys, joinType, filter } = this.#options;
      const channels = keys.map((key) => `${key.probeChannel}=${key.buildChannel}`).join();
      const key = `join ${joinType} ${table.kind} ${channels} ${filter?.key ?? ""}|${layoutName}|${this.#buildKey}`;
      return this.context.services.runtime.load(
        key,
        () =>
          joinProbeKernel({
            name: "join",
            probe: layout,
            build: layoutOf(table.page()),
            keys,
            keepsProbe: this.#keepsProbe,
            table: table.kind,
            tracksVisited: this.#tracksVisited,
            extraParams: filter?.args.length ?? 0,
            ...(filter === undefined ? {} : { filter }),
          }),
        () => filter?.ensureHosts(),
      );
    });
  }

  #writeTable(table: JoinTable): void {
    const { u32 } = this.context.memory.linear;
    const word = this.#control >>> 2;
    u32[word + joinControl.slots / 4] = table.slots;
    u32[word + joinControl.mask / 4] = table.mask;
    u32[word + joinControl.next / 4] = table.next;
    u32[word + joinControl.visited / 4] = table.visited;
    u32[word + joinControl.buildRows / 4] = table.rowCount;
    u32[word + joinControl.probeOut / 4] = this.#probeRows;
    u32[word + joinControl.buildOut / 4] = this.#buildRows;
    u32[word + joinControl.capacity / 4] = this.#pageRows;
    this.context.memory.linear.i64[(this.#control + joinControl.keyMin) >>> 3] = table.keyMin;
  }
}
