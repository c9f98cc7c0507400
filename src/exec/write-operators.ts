/**
 * TableWriterOperator hands the rows of a task to the connector's sink; TableFinishOperator, on the coordinator, tells the connector that all sinks
 * are complete, so that the rows become visible at once.
 */
import type { Json, PageSink } from "../connectors/connector.ts";
import { PageBuilder } from "../page/builder.ts";
import { type Page, pageRowsMax } from "../page/page.ts";
import { readValue } from "../page/reader.ts";
import type { WriteTarget } from "../plan/node.ts";
import { assert, QueryError } from "../protocol/errors.ts";
import { BIGINT, type Type, VARBINARY } from "../types/type.ts";
import { decodeUtf8 } from "../types/utf8.ts";
import { BaseOperator, type OperatorContext } from "./operator.ts";
import { selectColumns } from "./pages.ts";

/** Something asynchronous that a driver waits for: begun once, its failure thrown where the operator runs. */
class Pending<T> {
  readonly #settled: Promise<void>;
  #value: { readonly value: T } | undefined;
  #error: { readonly error: unknown } | undefined;

  constructor(work: Promise<T>) {
    this.#settled = work.then(
      (value) => {
        this.#value = { value };
      },
      (error: unknown) => {
        this.#error = { error };
      },
    );
  }

  /** undefined while it is not there. */
  result(): { readonly value: T } | undefined {
    if (this.#error !== undefined) {
      throw this.#error.error;
    }
    return this.#value;
  }

  blocked(): Promise<void> | undefined {
    return this.#value === undefined && this.#error === undefined ? this.#settled : undefined;
  }
}

abstract class WriteOperator extends BaseOperator {
  readonly #builder: PageBuilder;
  protected rows = 0;
  protected done = false;

  constructor(context: OperatorContext, outputTypes: readonly Type[]) {
    super(context);
    this.#builder = new PageBuilder(outputTypes, context.memory, 1);
  }

  get isFinished(): boolean {
    return this.done;
  }

  protected row(fill: (builder: PageBuilder) => void): Page {
    this.done = true;
    fill(this.#builder);
    return this.#builder.build();
  }

  override close(): void {
    this.#builder.close();
  }
}

/** Counts the rows that a DELETE or UPDATE changes; what is deleted falls out of the page. */
class ChangedRows {
  readonly #context: OperatorContext;
  readonly #channel: number;
  readonly #drops: boolean;
  #selection = 0;
  /** Of the last page. */
  lastCount = 0;

  constructor(context: OperatorContext, channel: number, drops: boolean) {
    this.#context = context;
    this.#channel = channel;
    this.#drops = drops;
  }

  /** The rows to write; valid until the next call. */
  take(page: Page): Page {
    const { linear } = this.#context.memory;
    if (this.#drops && this.#selection === 0) {
      this.#selection = this.#context.memory.allocate(pageRowsMax * 4);
    }
    const column = page.columns[this.#channel];
    assert(column !== undefined, "the mark of changed rows is a column");
    let kept = 0;
    for (let position = 0; position < page.positionCount; position++) {
      const row = page.selection === 0 ? position : (linear.u32[(page.selection >>> 2) + position] as number);
      const place = column.ids === 0 ? row : (linear.u32[(column.ids >>> 2) + row] as number);
      const isNull = column.nulls !== 0 && linear.u8[column.nulls + place] === 1;
      if (isNull || linear.u8[column.values + place] === 0) {
        if (this.#drops) {
          linear.u32[(this.#selection >>> 2) + kept] = row;
        }
        kept++;
      }
    }
    this.lastCount = page.positionCount - kept;
    return this.#drops ? { positionCount: kept, selection: this.#selection, columns: page.columns } : page;
  }

  close(): void {
    if (this.#selection !== 0) {
      this.#context.memory.free(this.#selection);
      this.#selection = 0;
    }
  }
}

const finishers = Object.freeze({
  CREATE: "finishCreate",
  INSERT: "finishInsert",
  DELETE: "finishRewrite",
  UPDATE: "finishRewrite",
});

export interface TableWriterOptions {
  readonly context: OperatorContext;
  readonly target: WriteTarget;
  /** Column i of the sink takes channel inputChannels[i]; one channel more marks the rows that DELETE and UPDATE change. */
  readonly inputChannels: readonly number[];
}

export class TableWriterOperator extends WriteOperator {
  readonly #options: TableWriterOptions;
  readonly #sink: PageSink;
  /** Of DELETE and UPDATE. */
  readonly #changed: ChangedRows | undefined;
  #finishing: Pending<Json> | undefined;

  constructor(options: TableWriterOptions) {
    super(options.context, [BIGINT, VARBINARY]);
    const { context, inputChannels, target } = options;
    this.#options = options;
    const channel = inputChannels[target.columns.length];
    this.#changed = channel === undefined ? undefined : new ChangedRows(context, channel, target.kind === "DELETE");
    const connector = context.services.connector(target.catalog);
    if (connector.createPageSink === undefined) {
      throw new QueryError("NOT_SUPPORTED", `Catalog '${target.catalog}' does not support writes`);
    }
    const memory = context.memory.child("page sink");
    this.#sink = connector.createPageSink({ handle: target.handle, columns: target.columns, taskId: context.taskId, memory });
  }

  get needsInput(): boolean {
    return !this.finishing && this.#sink.blocked() === undefined;
  }

  addInput(page: Page): void {
    const { inputChannels, target } = this.#options;
    const kept = this.#changed?.take(page) ?? page;
    if (kept.positionCount > 0) {
      this.#sink.append(selectColumns(kept, inputChannels.slice(0, target.columns.length)));
    }
    this.rows += this.#changed === undefined ? page.positionCount : this.#changed.lastCount;
  }

  override finish(): void {
    super.finish();
    this.#finishing = new Pending(this.#sink.finish());
  }

  getOutput(): Page | undefined {
    const fragment = this.done ? undefined : this.#finishing?.result();
    if (fragment === undefined) {
      return undefined;
    }
    return this.row((builder) => {
      builder.appendInt(0, this.rows);
      builder.appendString(1, JSON.stringify(fragment.value));
    });
  }

  override blocked(): Promise<void> | undefined {
    return this.#finishing === undefined ? this.#sink.blocked() : this.#finishing.blocked();
  }

  override close(): void {
    if (!this.done) {
      this.done = true;
      this.#sink.abort();
    }
    this.#changed?.close();
    super.close();
  }
}

export interface TableFinishOptions {
  readonly context: OperatorContext;
  readonly target: WriteTarget;
  readonly rowCountChannel: number;
  readonly fragmentChannel: number;
}

export class TableFinishOperator extends WriteOperator {
  readonly #options: TableFinishOptions;
  readonly #fragments: Json[] = [];
  #finishing: Pending<void> | undefined;

  constructor(options: TableFinishOptions) {
    super(options.context, [BIGINT]);
    this.#options = options;
  }

  get needsInput(): boolean {
    return !this.finishing;
  }

  addInput(page: Page): void {
    const { linear } = this.context.memory;
    for (let position = 0; position < page.positionCount; position++) {
      this.rows += Number(readValue(linear, page, this.#options.rowCountChannel, position));
      const fragment = readValue(linear, page, this.#options.fragmentChannel, position);
      assert(fragment instanceof Uint8Array, "a table writer gives the sink's fragment");
      this.#fragments.push(JSON.parse(decodeUtf8(fragment)) as Json);
    }
  }

  override finish(): void {
    super.finish();
    const { target, context } = this.#options;
    const { metadata } = context.services.connector(target.catalog);
    const finish = metadata[finishers[target.kind]];
    if (finish === undefined) {
      throw new QueryError("NOT_SUPPORTED", `Catalog '${target.catalog}' does not support writes`);
    }
    this.#finishing = new Pending(finish.call(metadata, target.handle, this.#fragments));
  }

  getOutput(): Page | undefined {
    if (this.done || this.#finishing?.result() === undefined) {
      return undefined;
    }
    return this.row((builder) => builder.appendInt(0, this.rows));
  }

  override blocked(): Promise<void> | undefined {
    return this.#finishing?.blocked();
  }
}
