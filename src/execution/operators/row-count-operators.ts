/**
 * Operators that only count rows: LimitOperator, OffsetOperator, EnforceSingleRowOperator.
 */
import { type Page } from "../../page/page.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import type { Type } from "../../types/type.ts";
import { BaseOperator, type OperatorContext } from "./operator.ts";
import { slicePage } from "./pages.ts";
import { RowStore } from "../hash-table/row-store.ts";

/** Passes each page on, sliced if necessary. */
abstract class PassingOperator extends BaseOperator {
  protected pending: Page | undefined;

  get needsInput(): boolean {
    return this.pending === undefined && !this.isFinished && !this.finishing;
  }

  abstract override get isFinished(): boolean;

  getOutput(): Page | undefined {
    const page = this.pending;
    this.pending = undefined;
    return page;
  }
}

export class LimitOperator extends PassingOperator {
  #remaining: number;

  constructor(context: OperatorContext, count: number) {
    super(context);
    this.#remaining = count;
  }

  get isFinished(): boolean {
    return this.pending === undefined && (this.#remaining === 0 || this.finishing);
  }

  addInput(page: Page): void {
    const count = Math.min(this.#remaining, page.positionCount);
    this.#remaining -= count;
    this.pending = count === page.positionCount ? page : slicePage(page, 0, count);
  }
}

export class OffsetOperator extends PassingOperator {
  #remaining: number;

  constructor(context: OperatorContext, count: number) {
    super(context);
    this.#remaining = count;
  }

  get isFinished(): boolean {
    return this.pending === undefined && this.finishing;
  }

  addInput(page: Page): void {
    const skipped = Math.min(this.#remaining, page.positionCount);
    this.#remaining -= skipped;
    if (skipped < page.positionCount) {
      this.pending = skipped === 0 ? page : slicePage(page, skipped, page.positionCount - skipped);
    }
  }
}

/** Outputs exactly one row: NULLs if the input is empty. */
export class EnforceSingleRowOperator extends BaseOperator {
  readonly #row: RowStore;
  #given = false;

  constructor(context: OperatorContext, types: readonly Type[]) {
    super(context);
    this.#row = new RowStore({ runtime: context.services.runtime, memory: context.memory, types });
  }

  get needsInput(): boolean {
    return !this.finishing;
  }

  get isFinished(): boolean {
    return this.#given;
  }

  addInput(page: Page): void {
    if (this.#row.rowCount + page.positionCount > 1) {
      throw new QueryError("SUBQUERY_MULTIPLE_ROWS", "Scalar sub-query has returned multiple rows");
    }
    this.#row.append(page);
  }

  getOutput(): Page | undefined {
    if (!this.finishing || this.#given) {
      return undefined;
    }
    if (this.#row.rowCount === 0) {
      this.#row.appendNulls();
    }
    assert(this.#row.rowCount === 1, "one row");
    this.#given = true;
    return this.#row.page();
  }

  override close(): void {
    this.#row.close();
  }
}
