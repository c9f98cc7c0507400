/**
 * HashSemiJoinOperator adds a boolean column and leaves the rows unchanged: three-valued IN over the set of a SetBuilderOperator.
 */
import { type InputLayout, layoutOf, openInput } from "../../expressions/columns.ts";
import { emitEquals } from "../../../functions/runtime/operations.ts";
import { buildKernel, i32, select } from "../../../codegen/builder.ts";
import type { Kernel } from "../../../codegen/ir.ts";
import type { MemoryContext } from "../../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../../page/page.ts";
import { BOOLEAN, type Type } from "../../../types/type.ts";
import { emitLookUp, type JoinBridge, type JoinTable, type JoinTableKind } from "../../hash-table/join-table.ts";
import { KernelByLayout, PageArguments } from "../kernel-cache.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { selectColumns } from "../pages.ts";
import type { BuildKeys } from "../../dynamic-filter/build-keys.ts";
import type { SpilledPartitions, Steps } from "../../spill/spill-runs.ts";
import { MarkerColumn } from "../marker-column.ts";
import { arrangeMarked } from "../../spill/numbered-rows.ts";
import { SpilledJoin, spilledKeys } from "./spilled-join.ts";

abstract class MarkingOperator extends BaseOperator {
  protected readonly marker: MarkerColumn;
  protected pending: Page | undefined;

  constructor(context: OperatorContext) {
    super(context);
    this.marker = new MarkerColumn(context.memory);
  }

  get needsInput(): boolean {
    return this.pending === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.pending === undefined && this.finishing;
  }

  getOutput(): Page | undefined {
    const page = this.pending;
    this.pending = undefined;
    return page;
  }
}

/** Looks values up in the set of a SetBuilderOperator. It waits until the set is built and releases it at its end. */
export abstract class SemiJoinOperator extends MarkingOperator {
  protected readonly bridge: JoinBridge;
  protected readonly keyChannel: number;
  protected readonly arguments: PageArguments;
  protected readonly setArguments: PageArguments;

  constructor(context: OperatorContext, bridge: JoinBridge, keyChannel: number) {
    super(context);
    this.bridge = bridge;
    this.keyChannel = keyChannel;
    this.arguments = new PageArguments(context.memory, 1);
    this.setArguments = new PageArguments(context.memory, 1);
  }

  override get needsInput(): boolean {
    return this.bridge.built() === undefined && super.needsInput;
  }

  override blocked(): Promise<void> | undefined {
    return this.bridge.built();
  }

  override close(): void {
    this.bridge.release();
  }

  protected keyOf(page: Page): Page {
    return selectColumns(page, [this.keyChannel]);
  }
}

export interface HashSemiJoinOptions {
  readonly context: OperatorContext;
  readonly bridge: JoinBridge;
  readonly keyChannel: number;
  /** Of the source. */
  readonly types: readonly Type[];
  /** Its table is a part of the set, of which these are facts. */
  readonly set?: SetFacts;
}

interface SetFacts {
  readonly isEmpty: boolean;
  readonly hasNull: boolean;
}

export class HashSemiJoinOperator extends SemiJoinOperator {
  readonly #options: HashSemiJoinOptions;
  #kernels: KernelByLayout | undefined;
  #set: SetFacts | undefined;
  /** With a set that does not fit in memory. */
  #spilled: SpilledJoin | undefined;

  constructor(options: HashSemiJoinOptions) {
    super(options.context, options.bridge, options.keyChannel);
    this.#options = options;
    this.#set = options.set;
  }

  override get needsInput(): boolean {
    return super.needsInput && this.#spilled?.isBusy !== true;
  }

  override get isFinished(): boolean {
    return super.isFinished && this.#spilled?.isBusy !== true;
  }

  override getOutput(): Page | undefined {
    return this.#spilled === undefined ? super.getOutput() : this.#spilled.getOutput();
  }

  override blocked(): Promise<void> | undefined {
    return super.blocked() ?? this.#spilled?.blocked();
  }

  override finish(): void {
    super.finish();
    if (this.bridge.spilled !== undefined) {
      this.#openSpilled(this.bridge.spilled).finish();
    }
  }

  override close(): void {
    this.#spilled?.close();
    super.close();
  }

  addInput(page: Page): void {
    if (this.bridge.spilled !== undefined) {
      this.#openSpilled(this.bridge.spilled).addInput(page);
      return;
    }
    const table = this.bridge.probe();
    this.#kernels ??= this.#open(table);
    this.marker.reserve(page);
    const key = this.keyOf(page);
    const { hasNull, isEmpty } = this.#set as SetFacts;
    const nullable = !isEmpty && (hasNull || (key.columns[0]?.nulls ?? 0) !== 0);
    const variant = isEmpty ? "empty" : `${table.kind} ${hasNull ? "null" : ""}${nullable ? "?" : ""}`;
    const kernel = this.#kernels.for(key, variant);
    kernel(
      this.arguments.write(key),
      this.setArguments.address,
      table.slots,
      table.mask,
      table.keyMin,
      this.marker.values,
      this.marker.nulls,
    );
    this.pending = this.marker.addTo(page, nullable);
  }

  /** Rows come back in their order, in pages that end with those of the source. */
  #openSpilled(build: SpilledPartitions): SpilledJoin {
    const { context, keyChannel, types } = this.#options;
    const keys = spilledKeys(build, 0, this.context.memory);
    this.#spilled ??= new SpilledJoin({
      context,
      build,
      probeTypes: types,
      buildTypes: [keys.type],
      keys: [{ probeChannel: keyChannel, buildChannel: 0 }],
      outputTypes: [...types, BOOLEAN],
      keepsProbe: true,
      tracksVisited: false,
      rowsMax: pageRowsMax,
      isCutByProbe: true,
      prepare: () => this.#inspect(keys),
      newProbe: (partition) => new HashSemiJoinOperator({ ...this.#options, ...partition, set: this.#set as SetFacts }),
      arrange: arrangeMarked,
    });
    return this.#spilled;
  }

  *#inspect(keys: BuildKeys): Steps<void> {
    let isNullFound = false;
    yield* keys.forEach((page) => {
      isNullFound ||= hasNull(this.context.memory, page);
    });
    this.#set = { isEmpty: keys.rowCount === 0, hasNull: isNullFound };
  }

  #open(table: JoinTable): KernelByLayout {
    const set = selectColumns(table.page(), table.keyChannels);
    this.#set ??= { isEmpty: table.rowCount === 0, hasNull: hasNull(this.context.memory, set) };
    this.setArguments.write(set);
    const setLayout = layoutOf(set);
    const name = `semi-join ${setLayout.columns[0]?.nullable === true ? "?" : ""}`;
    return new KernelByLayout(this.context.services.runtime, name, (kernelName, layout, variant) =>
      semiJoinKernel(kernelName, layout, setLayout, variant),
    );
  }
}

/** Whether the first column of a flat page has a NULL. */
function hasNull(memory: MemoryContext, page: Page): boolean {
  const { nulls, length } = page.columns[0] ?? { nulls: 0, length: 0 };
  return nulls !== 0 && memory.linear.u8.subarray(nulls, nulls + length).includes(1);
}

/** Parameters: page arguments of the key and of the set; slots, mask, smallest key; addresses for values and nulls of the marker. */
function semiJoinKernel(name: string, layout: InputLayout, setLayout: InputLayout, variant: string): Kernel {
  const isEmpty = variant === "empty";
  const setHasNull = variant.includes("null");
  const nullable = variant.endsWith("?");
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i32", "i32", "i32", "i64", "i32", "i32"] }, (b, params) => {
      const [pageArguments, setArguments, slots, mask, keyMin, values, nulls] = params;
      const input = openInput(b, pageArguments, layout);
      const set = openInput(b, setArguments, setLayout);
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const found = b.local("i32", i32.const(0));
        const unknown = b.local("i32", i32.const(0));
        if (!isEmpty) {
          const value = input.column(0, row);
          const known = { ...value, isNull: undefined };
          const lookUp = (): void => {
            emitLookUp(b, {
              table: { kind: variant.split(" ")[0] as JoinTableKind, slots, mask, keyMin },
              keys: [known],
              isSame: (other) => emitEquals(b, known, { ...set.column(0, other), isNull: undefined }),
              found: () => b.set(found, i32.const(1)),
              missing: () => b.set(unknown, i32.const(setHasNull ? 1 : 0)),
            });
          };
          if (value.isNull === undefined) {
            lookUp();
          } else {
            b.if_(value.isNull, () => b.set(unknown, i32.const(1)), lookUp);
          }
        }
        b.store("i32.store8", i32.add(values, row), select(unknown, i32.const(0), found));
        if (nullable) {
          b.store("i32.store8", i32.add(nulls, row), unknown);
        }
      });
    });
  });
}
