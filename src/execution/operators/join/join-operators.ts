/**
 * HashBuilderOperator and NestedLoopBuildOperator keep the build side; LookupJoinOperator and NestedLoopJoinOperator probe it. Output is in
 * probe order, with the matches of one probe row in build order. Build rows without a match (RIGHT, FULL) come last. Nothing is copied:
 * output columns are the columns of both sides read through row numbers.
 */
import { layoutKey, layoutOf } from "../../expressions/columns.ts";
import type { CompiledKernel } from "../../../codegen/ir.ts";
import type { Address } from "../../../memory/memory.ts";
import type { Column, Page } from "../../../page/page.ts";
import type { Type } from "../../../types/type.ts";
import { composeIdsKernel, joinControl, type JoinFilterCode, joinProbeKernel, unvisitedKernel } from "./join-kernel.ts";
import type { DynamicFilter } from "../../dynamic-filter/dynamic-filter.ts";
import { type FilterDomain, filterOfRows } from "../../dynamic-filter/filter-domain.ts";
import { type JoinBridge, JoinTable } from "../../hash-table/join-table.ts";
import { PageArguments } from "../kernel-cache.ts";
import { KeyFilter } from "../../dynamic-filter/key-bitmap.ts";
import type { KeyDomain } from "../../dynamic-filter/key-domain.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";

/** A candidate costs about a fourth of a row that passes through an operator. */
const candidatesPerWorkUnit = 4;

export type JoinType = "INNER" | "LEFT" | "RIGHT" | "FULL";

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

/**
 * Collects the whole build side and holds it until the probe is done. With remote dynamic filters it reads its input to the end even if the
 * probe needs no more rows: the published domains must not depend on which of the two comes first.
 */
export class JoinBuildOperator extends BaseOperator {
  readonly #bridge: JoinBridge;
  readonly #table: JoinTable;
  readonly #joinType: JoinType;
  readonly #dynamicFilters: readonly LocalDynamicFilter[];
  #remoteFilters: readonly RemoteDynamicFilter[];

  constructor(options: JoinBuildOptions) {
    super(options.context);
    const { services, memory } = options.context;
    this.#bridge = options.bridge;
    this.#joinType = options.joinType;
    this.#dynamicFilters = options.dynamicFilters ?? [];
    this.#remoteFilters = options.remoteFilters ?? [];
    this.#table = new JoinTable({
      runtime: services.runtime,
      memory,
      types: options.types,
      keyChannels: options.keyChannels,
      domainChannels: this.#dynamicFilters.map(({ channel }) => channel),
    });
  }

  get needsInput(): boolean {
    return !this.finishing && !this.isFinished;
  }

  get isFinished(): boolean {
    return this.#bridge.isReleased && this.#remoteFilters.length === 0;
  }

  addInput(page: Page): void {
    this.#table.rows.append(page);
  }

  getOutput(): undefined {
    return undefined;
  }

  override finish(): void {
    super.finish();
    this.#tell();
    if (this.#bridge.isReleased) {
      return;
    }
    this.#table.beginBuild({
      nullRow: this.#joinType === "LEFT" || this.#joinType === "FULL",
      tracksVisited: this.#joinType === "RIGHT" || this.#joinType === "FULL",
    });
  }

  override blocked(): Promise<void> | undefined {
    if (!this.finishing || this.#bridge.isReleased) {
      return undefined;
    }
    if (this.#bridge.table === undefined) {
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
    this.#table.close();
  }

  #tell(): void {
    for (const { channel, tell } of this.#remoteFilters) {
      tell(filterOfRows(this.context, this.#table.rows, channel));
    }
    this.#remoteFilters = [];
  }
}

/** The part of the ON condition beyond the keys, evaluated inside the probe kernel. */
export interface JoinFilter extends JoinFilterCode {
  /** Identifies its shape; constants are not part of it. */
  readonly key: string;
  /** Further arguments of the kernel, passed to `open`. */
  readonly args: readonly number[];
  /** Called before a kernel with the filter is loaded. */
  ensureHosts(): void;
  begin(): void;
  /** Throws the error of a failed evaluation. */
  check(): void;
  /** Returns undefined if a function ran long: the caller repeats the call with the same state. */
  inSlices<T>(attempt: () => T): T | undefined;
  takeWorkSteps(): number;
  close(): void;
}

export interface JoinProbeOptions {
  readonly context: OperatorContext;
  readonly bridge: JoinBridge;
  readonly joinType: JoinType;
  readonly keys: readonly { readonly probeChannel: number; readonly buildChannel: number }[];
  readonly probeTypes: readonly Type[];
  readonly buildTypes: readonly Type[];
  /** Output column i: a column of the probe side or of the build side. */
  readonly outputs: readonly { readonly side: "probe" | "build"; readonly channel: number }[];
  readonly filter?: JoinFilter;
  /** A dynamic filter has already dropped the rows that the bitmap of the table could drop. */
  readonly isFiltered?: boolean;
}

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
  /** null: no key filter. */
  #keyFilter: KeyFilter | null | undefined;
  #page: Page | undefined;
  #kernel: CompiledKernel | undefined;
  #kernelKey = "";
  #buildKey = "";
  #unvisitedFrom = 0;
  /** Number of candidates filtered and not yet reported as work. */
  #candidates = 0;
  #unmatched: readonly Column[] | undefined;
  #unmatchedRow: Page | undefined;

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
    this.#candidatesPerCall = memory.knobs.value("join-candidates");
    this.#probeRows = memory.allocate(4 * this.#pageRows);
    this.#buildRows = memory.allocate(4 * this.#pageRows);
  }

  get #table(): JoinTable | undefined {
    return this.#options.bridge.table;
  }

  get needsInput(): boolean {
    return this.#table !== undefined && this.#page === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    const table = this.#table;
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

  addInput(given: Page): void {
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
    return this.#options.bridge.built();
  }

  override close(): void {
    this.#options.filter?.close();
    this.#options.bridge.release();
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
    const columns = this.#options.outputs.map(({ side, channel }): Column => {
      if (side === "build") {
        return { ...table.rows.column(channel), ids: this.#buildRows };
      }
      const column = page.columns[channel] as Column;
      return { ...column, ids: column.ids === 0 ? this.#probeRows : this.#compose(column.ids, count) };
    });
    return { positionCount: count, selection: 0, columns };
  }

  #compose(ids: Address, count: number): Address {
    const known = this.#composed.get(ids);
    if (known !== undefined) {
      return known;
    }
    const target = this.#composedFree.pop() ?? this.context.memory.allocate(4 * this.#pageRows);
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
    const build = table.page();
    if (this.#buildKey === "") {
      this.#buildKey = layoutKey(layoutOf(build));
      this.#buildArguments.write(build);
      this.#writeTable(table);
    }
    const { keys, joinType, filter } = this.#options;
    const channels = keys.map((key) => `${key.probeChannel}=${key.buildChannel}`).join();
    const key = `join ${joinType} ${table.dense ? "dense " : ""}${channels} ${filter?.key ?? ""}|${layoutKey(layoutOf(page))}|${this.#buildKey}`;
    if (key !== this.#kernelKey) {
      this.#kernelKey = key;
      this.#kernel = this.context.services.runtime.load(
        key,
        () =>
          joinProbeKernel({
            name: "join",
            probe: layoutOf(page),
            build: layoutOf(build),
            keys,
            keepsProbe: this.#keepsProbe,
            dense: table.dense,
            tracksVisited: this.#tracksVisited,
            extraParams: filter?.args.length ?? 0,
            ...(filter === undefined ? {} : { filter }),
          }),
        () => filter?.ensureHosts(),
      );
    }
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
