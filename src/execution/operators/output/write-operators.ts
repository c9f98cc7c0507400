/**
 * TableWriterOperator passes the rows of a task to the connector's sink. TableFinishOperator, on the coordinator, reports to the connector
 * that all sinks are complete, so that the rows become visible at once.
 */
import { type ConnectorMetadata, type Json, metadataFor, type PageSink } from "../../../connectors/spi.ts";
import { PageBuilder } from "../../../page/builder.ts";
import type { LinearMemory } from "../../../memory/memory.ts";
import { type Column, type Page, pageRowsMax } from "../../../page/page.ts";
import { readValue } from "../../../page/reader.ts";
import { isRewrite, type WriteTarget } from "../../../planner/plan/node.ts";
import { assert, QueryError } from "../../../protocol/errors.ts";
import { BIGINT, type Type, VARBINARY } from "../../../types/type.ts";
import { decodeUtf8 } from "../../../types/utf8.ts";
import { BaseOperator, type OperatorContext } from "../operator.ts";
import { selectColumns } from "../pages.ts";

/** An asynchronous operation that a driver waits for. It starts once, and its failure is thrown where the operator runs. */
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

  /** undefined until the result is available. */
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

/** Accessor of a boolean column, by row; NULL is false. */
function marked(linear: LinearMemory, page: Page, channel: number): (row: number) => boolean {
  const column = page.columns[channel];
  assert(column !== undefined, "a mark of the rows is a column");
  return (row) => {
    const place = column.ids === 0 ? row : (linear.u32[(column.ids >>> 2) + row] as number);
    const isNull = column.nulls !== 0 && linear.u8[column.nulls + place] === 1;
    return !isNull && linear.u8[column.values + place] === 1;
  };
}

interface RewriteMarks {
  /** Channel of the mark of rows that count as changed. */
  readonly changed: number;
  /** Channel of the mark of rows to delete from the page; absent if none is deleted. */
  readonly deleted?: number;
}

/** Counts the rows that a DELETE, UPDATE or MERGE changes, and removes deleted rows from the page. */
class ChangedRows {
  readonly #context: OperatorContext;
  readonly #marks: RewriteMarks;
  #selection = 0;
  /** Number of changed rows of the last page. */
  lastCount = 0;

  constructor(context: OperatorContext, marks: RewriteMarks) {
    this.#context = context;
    this.#marks = marks;
  }

  /** Returns the rows to write; valid until the next call. */
  take(page: Page): Page {
    const { linear } = this.#context.memory;
    const { changed, deleted } = this.#marks;
    const isChanged = marked(linear, page, changed);
    const isDeleted = deleted === undefined ? undefined : marked(linear, page, deleted);
    if (isDeleted !== undefined && this.#selection === 0) {
      this.#selection = this.#context.memory.allocate(pageRowsMax * 4);
    }
    let kept = 0;
    this.lastCount = 0;
    for (let position = 0; position < page.positionCount; position++) {
      const row = page.selection === 0 ? position : (linear.u32[(page.selection >>> 2) + position] as number);
      this.lastCount += isChanged(row) ? 1 : 0;
      if (isDeleted !== undefined && !isDeleted(row)) {
        linear.u32[(this.#selection >>> 2) + kept] = row;
        kept++;
      }
    }
    return isDeleted === undefined ? page : { positionCount: kept, selection: this.#selection, columns: page.columns };
  }

  close(): void {
    if (this.#selection !== 0) {
      this.#context.memory.free(this.#selection);
      this.#selection = 0;
    }
  }
}

/** Channels of the mark columns, which follow the columns of the table; undefined for writes without marks. */
function marksOf(target: WriteTarget, channels: readonly number[]): RewriteMarks | undefined {
  const [changed, deleted] = channels.slice(target.columns.length);
  if (!isRewrite(target) || changed === undefined) {
    return undefined;
  }
  const drops = target.kind === "DELETE" ? changed : deleted;
  return { changed, ...(drops !== undefined && { deleted: drops }) };
}

/** NOT NULL columns, by their index among the columns of the table. */
class RequiredColumns {
  readonly #context: OperatorContext;
  readonly #required: readonly (readonly [place: number, name: string])[];

  constructor(context: OperatorContext, { columns }: WriteTarget) {
    this.#context = context;
    this.#required = columns.flatMap(({ name, nullable }, place) => (nullable === false ? [[place, name] as const] : []));
  }

  /** `page` has the table's columns. */
  check(page: Page): void {
    for (const [place, name] of this.#required) {
      if (this.#hasNull(page, page.columns[place] as Column)) {
        throw new QueryError("CONSTRAINT_VIOLATION", `NULL value not allowed for NOT NULL column: ${name}`);
      }
    }
  }

  #hasNull(page: Page, { ids, nulls }: Column): boolean {
    const { linear } = this.#context.memory;
    if (nulls === 0) {
      return false;
    }
    for (let position = 0; position < page.positionCount; position++) {
      const row = page.selection === 0 ? position : (linear.u32[(page.selection >>> 2) + position] as number);
      const place = ids === 0 ? row : (linear.u32[(ids >>> 2) + row] as number);
      if (linear.u8[nulls + place] === 1) {
        return true;
      }
    }
    return false;
  }
}

const finishers = Object.freeze({
  CREATE: "finishCreate",
  INSERT: "finishInsert",
  DELETE: "finishRewrite",
  UPDATE: "finishRewrite",
  MERGE: "finishRewrite",
});

/** As the planner gives them to the statements. */
const updateTypes = Object.freeze({ CREATE: "CREATE TABLE", INSERT: "INSERT", DELETE: "DELETE", UPDATE: "UPDATE", MERGE: "MERGE" });

export interface TableWriterOptions {
  readonly context: OperatorContext;
  readonly target: WriteTarget;
  /** Column i of the sink reads channel inputChannels[i]. The channels after those mark the rows that a rewrite changes and deletes. */
  readonly inputChannels: readonly number[];
}

export class TableWriterOperator extends WriteOperator {
  readonly #options: TableWriterOptions;
  readonly #sink: PageSink;
  /** Present if the table is rewritten. */
  readonly #changed: ChangedRows | undefined;
  readonly #required: RequiredColumns;
  #finishing: Pending<Json> | undefined;

  constructor(options: TableWriterOptions) {
    super(options.context, [BIGINT, VARBINARY]);
    const { context, inputChannels, target } = options;
    this.#options = options;
    const marks = marksOf(target, inputChannels);
    this.#changed = marks === undefined ? undefined : new ChangedRows(context, marks);
    this.#required = new RequiredColumns(context, target);
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
      const written = selectColumns(kept, inputChannels.slice(0, target.columns.length));
      this.#required.check(written);
      this.#sink.append(written);
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
  /** Called before the connector makes the rows visible. */
  readonly onCommit: (() => void) | undefined;
}

export class TableFinishOperator extends WriteOperator {
  readonly #options: TableFinishOptions;
  readonly #fragments: Json[] = [];
  readonly #onClose: (() => void)[] = [];
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
    const all = metadataFor(context.services.connector(target.catalog), { onEnd: (callback) => this.#onClose.push(callback) });
    const queryId = context.taskId.slice(0, context.taskId.indexOf("."));
    const metadata = all.recordedStatements?.of({ queryId, updateType: updateTypes[target.kind], rows: this.rows }) ?? all;
    const finish = metadata[target.changes === undefined ? finishers[target.kind] : "finishChanges"];
    if (finish === undefined) {
      throw new QueryError("NOT_SUPPORTED", `Catalog '${target.catalog}' does not support writes`);
    }
    this.#options.onCommit?.();
    this.#finishing = new Pending(this.#commit(() => finish.call(metadata, target.handle, this.#fragments), metadata));
  }

  async #commit(finish: () => Promise<void>, metadata: ConnectorMetadata): Promise<void> {
    const { handle, ifNotExists } = this.#options.target;
    try {
      await finish();
    } catch (error) {
      if (ifNotExists !== true || !(error instanceof QueryError) || error.errorName !== "TABLE_ALREADY_EXISTS") {
        throw error;
      }
      this.rows = 0;
      await metadata.abortWrite?.(handle);
    }
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

  /** A commit that runs is stopped if it can be. */
  override close(): void {
    for (const callback of this.#onClose.splice(0)) {
      callback();
    }
    super.close();
  }
}
