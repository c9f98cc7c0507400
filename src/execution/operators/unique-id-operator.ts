/**
 * AssignUniqueIdOperator: adds a number that is unique in the query. The upper bits are the task's partition, the lower bits the row's
 * number in the task. Both follow from the plan and the rows alone, so a task that runs again assigns the same numbers.
 */
import { type Column, type Page, pageRowsMax } from "../../page/page.ts";
import { assert } from "../../protocol/errors.ts";
import { BIGINT } from "../../types/type.ts";
import { BaseOperator, type OperatorContext } from "./operator.ts";
import { physicalRowsOf } from "./pages.ts";

/** 2^40 rows a task, 2^23 tasks. */
const rowBits = 40;
const tasksMax = 2 ** 23;
const wordValues = 2 ** 32;

export class AssignUniqueIdOperator extends BaseOperator {
  readonly #taskBits: number;
  #values = 0;
  #rowsMax = 0;
  #next = 0;
  #page: Page | undefined;

  constructor(context: OperatorContext) {
    super(context);
    const { partition, taskId } = context;
    assert(Number.isInteger(partition) && partition >= 0 && partition < tasksMax, `task ${taskId} has a partition`);
    this.#taskBits = partition * 2 ** (rowBits - 32);
  }

  get needsInput(): boolean {
    return this.#page === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.#page === undefined && this.finishing;
  }

  addInput(page: Page): void {
    this.#page = page;
  }

  getOutput(): Page | undefined {
    const page = this.#page;
    this.#page = undefined;
    return page === undefined ? undefined : this.#numbered(page);
  }

  #numbered(page: Page): Page {
    const { linear } = this.context.memory;
    const length = physicalRowsOf(linear, page);
    this.#reserve(length);
    for (let position = 0; position < page.positionCount; position++) {
      const row = page.selection === 0 ? position : (linear.u32[(page.selection >>> 2) + position] as number);
      const word = (this.#values + 8 * row) >>> 2;
      linear.u32[word] = this.#next;
      linear.u32[word + 1] = this.#taskBits + Math.floor(this.#next / wordValues);
      this.#next++;
    }
    const ids: Column = { type: BIGINT, values: this.#values, nulls: 0, ids: 0, length };
    return { ...page, columns: [...page.columns, ids] };
  }

  #reserve(rows: number): void {
    if (rows > this.#rowsMax) {
      const { memory } = this.context;
      this.#rowsMax = Math.max(pageRowsMax, rows);
      this.#values = this.#values === 0 ? memory.allocate(8 * this.#rowsMax) : memory.reallocate(this.#values, 8 * this.#rowsMax);
    }
  }
}
