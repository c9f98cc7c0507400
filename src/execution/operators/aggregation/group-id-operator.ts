/**
 * GroupIdOperator: outputs each page once per grouping set. No row is copied: a column that a set lacks is one NULL that all rows refer to.
 */
import type { Address } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import { BIGINT, physicalType, physicalWidth, type Type } from "../../../types/type.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { physicalRowsOf } from "../pages.ts";

export interface GroupIdOptions {
  readonly context: OperatorContext;
  /** Channels of the grouping columns in the incoming pages, and their types. */
  readonly channels: readonly number[];
  readonly types: readonly Type[];
  /** Per set: which of the grouping columns it contains. */
  readonly sets: readonly (readonly boolean[])[];
}

export class GroupIdOperator extends BaseOperator {
  readonly #options: GroupIdOptions;
  /** A zero value wide enough for every type, followed by its null flag. */
  readonly #nullValue: Address;
  readonly #nullFlag: Address;
  /** The numbers of the sets, in sequence. */
  readonly #numbers: Address;
  /** Row ids that are all 0. */
  #zeros: Address = 0;
  #zeroRows = 0;
  #page: Page | undefined;
  #nextSet = 0;

  constructor(options: GroupIdOptions) {
    super(options.context);
    this.#options = options;
    const { memory } = options.context;
    const width = Math.max(8, ...options.types.map((type) => physicalWidth(physicalType(type))));
    this.#nullValue = memory.allocateZeroed(width);
    this.#nullFlag = memory.allocate(1);
    memory.linear.u8[this.#nullFlag] = 1;
    this.#numbers = memory.allocateZeroed(8 * options.sets.length);
    options.sets.forEach((_set, number) => {
      memory.linear.u32[(this.#numbers + 8 * number) >>> 2] = number;
    });
  }

  get needsInput(): boolean {
    return this.#page === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.#page === undefined && this.finishing;
  }

  addInput(page: Page): void {
    this.#reserve(physicalRowsOf(this.context.memory.linear, page));
    this.#page = page;
    this.#nextSet = 0;
  }

  getOutput(): Page | undefined {
    const page = this.#page;
    if (page === undefined) {
      return undefined;
    }
    const { channels, types, sets } = this.#options;
    const number = this.#nextSet;
    const set = sets[number] as readonly boolean[];
    this.#nextSet++;
    if (this.#nextSet === sets.length) {
      this.#page = undefined;
    }
    const ids = this.#zeros;
    const own = channels.map((channel, index): Column => {
      const type = types[index] as Type;
      return set[index] === true
        ? (page.columns[channel] as Column)
        : { type, values: this.#nullValue, nulls: this.#nullFlag, ids, length: 1 };
    });
    const groupId: Column = { type: BIGINT, values: this.#numbers + 8 * number, nulls: 0, ids, length: 1 };
    return { ...page, columns: [...page.columns, ...own, groupId] };
  }

  #reserve(rows: number): void {
    if (rows <= this.#zeroRows) {
      return;
    }
    const { memory } = this.context;
    if (this.#zeros !== 0) {
      memory.free(this.#zeros);
    }
    this.#zeroRows = Math.max(rows, pageRowsMax);
    this.#zeros = memory.allocateZeroed(4 * this.#zeroRows);
  }
}
