/**
 * A semi-join whose build side is the source: SourceSemiJoinOperator reads the keys of the filtering side, marks the rows of the source
 * that have one of them, and then outputs all rows of the source in the order of their arrival, with the marks as a boolean column. A row
 * with a NULL key is not marked.
 */
import { type InputLayout, layoutKey, layoutOf, openInput } from "../../expressions/columns.ts";
import { emitEquals } from "../../../functions/runtime/operations.ts";
import { buildKernel, i32 } from "../../../codegen/builder.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import type { Page } from "../../../page/page.ts";
import { BOOLEAN, type Type } from "../../../types/type.ts";
import { KeyFilter } from "../../dynamic-filter/key-bitmap.ts";
import { emitLookUp, type JoinBridge, type JoinTable, type JoinTableKind } from "../../hash-table/join-table.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { selectColumns, slicePage } from "../pages.ts";
import type { SpilledPartitions } from "../../spill/spill-runs.ts";
import { arrangeMarked } from "../../spill/numbered-rows.ts";
import { SpilledJoin } from "./spilled-join.ts";

export interface SourceSemiJoinOptions {
  readonly context: OperatorContext;
  /** The table tracks which of its rows were visited. */
  readonly bridge: JoinBridge;
  /** Channel of the filtering side. */
  readonly keyChannel: number;
  readonly types: readonly Type[];
  /** Of the source. */
  readonly sourceKeyChannel: number;
  readonly sourceTypes: readonly Type[];
  /** A dynamic filter has already dropped the keys that the bitmap of the table could drop. */
  readonly isFiltered: boolean;
}

export class SourceSemiJoinOperator extends BaseOperator {
  readonly #options: SourceSemiJoinOptions;
  readonly #keyArguments: PageArguments;
  readonly #rowArguments: PageArguments;
  readonly #pageRows: number;
  #kernels: KernelByLayout | undefined;
  /** null: no key filter. */
  #keyFilter: KeyFilter | null = null;
  #next = 0;
  /** With a source that does not fit in memory. */
  #spilled: SpilledJoin | undefined;

  constructor(options: SourceSemiJoinOptions) {
    super(options.context);
    const { memory } = options.context;
    this.#options = options;
    this.#keyArguments = new PageArguments(memory, 1);
    this.#rowArguments = new PageArguments(memory, 1);
    this.#pageRows = memory.knobs.value("page-rows");
  }

  get #table(): JoinTable | undefined {
    return this.#options.bridge.table;
  }

  get needsInput(): boolean {
    return this.#options.bridge.built() === undefined && this.#spilled?.isBusy !== true && !this.finishing;
  }

  get isFinished(): boolean {
    const table = this.#table;
    if (this.#options.bridge.spilled !== undefined) {
      return this.finishing && this.#spilled?.isBusy !== true;
    }
    // Without rows to mark, the filtering side need not be read.
    return table !== undefined && (table.rowCount === 0 || (this.finishing && this.#next >= table.rowCount));
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
    const table = this.#options.bridge.probe();
    this.#kernels ??= this.#open(table);
    const page = this.#keyFilter?.apply(given) ?? given;
    if (page.positionCount > 0) {
      const keys = selectColumns(page, [this.#options.keyChannel]);
      const kernel = this.#kernels.for(keys, table.kind);
      const { slots, mask, keyMin, next, visited } = table;
      kernel(this.#keyArguments.write(keys), this.#rowArguments.address, slots, mask, keyMin, next, visited);
    }
  }

  getOutput(): Page | undefined {
    if (this.#spilled !== undefined) {
      return this.#spilled.getOutput();
    }
    const table = this.#table;
    if (table === undefined || !this.finishing || this.#next >= table.rowCount) {
      return undefined;
    }
    const first = this.#next;
    const count = Math.min(this.#pageRows, table.rowCount - first);
    this.#next += count;
    const marks = { type: BOOLEAN, values: table.visited + first, nulls: 0, ids: 0, length: count };
    const page = slicePage(table.page(), first, count);
    return { ...page, columns: [...page.columns, marks] };
  }

  override blocked(): Promise<void> | undefined {
    return this.#options.bridge.built() ?? this.#spilled?.blocked();
  }

  override close(): void {
    this.#spilled?.close();
    this.#options.bridge.release();
  }

  #openSpilled(build: SpilledPartitions): SpilledJoin {
    const { context, keyChannel, sourceKeyChannel, sourceTypes, types } = this.#options;
    this.#spilled ??= new SpilledJoin({
      context,
      build,
      probeTypes: types,
      buildTypes: sourceTypes,
      keys: [{ probeChannel: keyChannel, buildChannel: sourceKeyChannel }],
      outputTypes: [...sourceTypes, BOOLEAN],
      keepsProbe: false,
      tracksVisited: true,
      rowsMax: this.#pageRows,
      isCutByProbe: false,
      newProbe: (partition) => new SourceSemiJoinOperator({ ...this.#options, ...partition, isFiltered: false }),
      arrange: arrangeMarked,
    });
    return this.#spilled;
  }

  #open(table: JoinTable): KernelByLayout {
    const { context, keyChannel, isFiltered } = this.#options;
    const { runtime } = context.services;
    if (table.bitmap !== undefined && !isFiltered) {
      this.#keyFilter = new KeyFilter(table.bitmap, { runtime, memory: context.memory, keyChannel });
    }
    const rows = selectColumns(table.page(), table.keyChannels);
    this.#rowArguments.write(rows);
    const rowLayout = layoutOf(rows);
    return new KernelByLayout(runtime, `source semi-join ${layoutKey(rowLayout)}`, (name, layout, variant) =>
      markKernel(name, layout, rowLayout, variant as JoinTableKind),
    );
  }
}

/**
 * Parameters: page arguments of the key and of the table's key column; slots, mask, smallest key, next rows, marks. Rows with equal keys
 * are marked together, so a chain is walked once.
 */
function markKernel(name: string, layout: InputLayout, rowLayout: InputLayout, kind: JoinTableKind): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i64", "i32", "i32"] }, (b, params) => {
      const [keyArguments, rowArguments, slots, mask, keyMin, nextRows, marks] = params;
      const input = openInput(b, keyArguments, layout);
      const rows = openInput(b, rowArguments, rowLayout);
      const candidate = b.local("i32", i32.const(0));
      b.forRange(i32.const(0), input.positionCount, (position, skip) => {
        const value = input.column(0, input.row(position));
        if (value.isNull !== undefined) {
          b.break_(skip, value.isNull);
        }
        const known = { ...value, isNull: undefined };
        b.set(candidate, i32.const(0));
        emitLookUp(b, {
          table: { kind, slots, mask, keyMin },
          keys: [known],
          isSame: (row) => emitEquals(b, known, { ...rows.column(0, row), isNull: undefined }),
          found: (row) => b.set(candidate, row),
          missing: () => undefined,
        });
        b.break_(skip, i32.eqz(candidate));
        b.break_(skip, i32.load8u(i32.add(marks, i32.sub(candidate, i32.const(1)))));
        b.while_(
          () => candidate,
          () => {
            const row = b.temp(i32.sub(candidate, i32.const(1)));
            b.store("i32.store8", i32.add(marks, row), i32.const(1));
            b.set(candidate, i32.load(i32.add(nextRows, i32.shl(row, i32.const(2)))));
          },
        );
      });
    });
  });
}
