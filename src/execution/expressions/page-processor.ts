/**
 * Filter and projections over pages. One kernel writes the selection, another the computed columns. Columns that pass through are not
 * copied.
 */
import {
  clearError,
  drawStateOffset,
  errorBlockBytes,
  raiseKernelError,
  rowCursorOffset,
  rowDrawsOffset,
  rowKeptOffset,
  rowPositionOffset,
  sliceOverOffset,
} from "../../functions/runtime/errors.ts";
import { buildKernel, type CodeBuilder, i32, i64, type KernelBuilder, type Local } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import type { CompiledKernel, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import { type Arena, arenaCursorOffset } from "../../memory/arena.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Column, Page } from "../../page/page.ts";
import type { Constant, RowExpression, Variable } from "../../planner/plan/typed-expression.ts";
import { variablesOf } from "../../planner/plan/expression-tree.ts";
import { assert, QueryError } from "../../protocol/errors.ts";
import { physicalType, physicalWidth, type Type } from "../../types/type.ts";
import {
  ByLayout,
  type InputLayout,
  openInput,
  openOutput,
  outputArgumentsBytes,
  pageArgumentsBytes,
  writeOutputArguments,
  writePageArguments,
} from "./columns.ts";
import { EntryFilter } from "./entry-filter.ts";
import { ExpressionContext, isTrue } from "./expression-compiler.ts";
import { type FilterCondition, filterSteps } from "./filter-steps.ts";
import { mayBeNull } from "./inspect.ts";
import { drawsIn, type PreparedExpressions, prepareExpressions, writeConstants } from "./prepare.ts";
import { isShort, type Pace, paceOf } from "./pace.ts";
import { registerExpressionHosts } from "./register-hosts.ts";
import { part, type Value } from "../../functions/runtime/value.ts";
import { SlicedWork } from "./sliced-work.ts";
import { emitVectorFilter, vectorFilter } from "./vector-filter.ts";

export interface PageProcessorOptions {
  /** Variable i is column i of the pages. */
  readonly inputs: readonly Variable[];
  readonly filter?: RowExpression;
  readonly projections: readonly RowExpression[];
}

export interface PageProcessor {
  /** The result is valid until the next call or `close`, and no longer than the input. Throws QueryError. */
  process(page: Page): Page;
  /**
   * Like `process`, but in slices if functions of the page may run long. Returns undefined until the last slice. The caller passes the same
   * page until then.
   */
  advance(page: Page): Page | undefined;
  /** Work steps since the last call. */
  takeWorkSteps(): number;
  close(): void;
}

export interface CompiledPageProcessor {
  /** `drawSeed` is the seed of random functions. It is the same for a task that runs again. */
  create(memory: MemoryContext, drawSeed?: () => bigint): PageProcessor;
}

export function compilePageProcessor(runtime: KernelRuntime, options: PageProcessorOptions): CompiledPageProcessor {
  const { inputs, filter, projections } = options;
  const computed = projections.filter((projection) => projection.kind !== "variable");
  const filterCodes = filter === undefined ? [] : filterSteps(filter).map((step) => preparedFilter(step, inputs));
  const projectCode = computed.length === 0 ? undefined : prepareExpressions(computed, inputs);
  const projectPace = projectCode === undefined ? undefined : paceOf(projectCode);
  const passed = projections.map((projection) => (projection.kind === "variable" ? columnOf(inputs, projection) : -1));
  return {
    create: (memory, drawSeed) =>
      new Processor({
        ...(drawSeed !== undefined && { drawSeed }),
        runtime,
        memory,
        inputs,
        filterCodes,
        projectCode,
        projectPace,
        passed,
        types: computed.map(({ type }) => type),
      }),
  };
}

/** A step of a filter. `column` is the only column that it reads, if it may be evaluated for values that no row has; otherwise -1. */
interface PreparedFilter {
  readonly code: PreparedExpressions;
  readonly pace: Pace;
  readonly column: number;
}

function preparedFilter({ expression, column }: FilterCondition, inputs: readonly Variable[]): PreparedFilter {
  const code = prepareExpressions([expression], inputs);
  const pace = paceOf(code);
  const isRepeatable = column !== undefined && !pace.isLong && !drawsIn(code);
  return { code, pace, column: isRepeatable ? columnOf(inputs, column) : -1 };
}

function columnOf(inputs: readonly Variable[], variable: Variable): number {
  const index = inputs.findIndex((input) => input.name === variable.name);
  assert(index >= 0, `page processor has no input ${variable.name}`);
  return index;
}

interface ProcessorOptions {
  readonly runtime: KernelRuntime;
  readonly memory: MemoryContext;
  readonly drawSeed?: () => bigint;
  readonly inputs: readonly Variable[];
  /** Each filters the rows that the one before it keeps. */
  readonly filterCodes: readonly PreparedFilter[];
  readonly projectCode: PreparedExpressions | undefined;
  readonly projectPace: Pace | undefined;
  /** Per output: the input column that it passes through, or -1. */
  readonly passed: readonly number[];
  /** Types of the computed outputs. */
  readonly types: readonly Type[];
}

interface FilterStep extends PreparedFilter {
  readonly constants: Address;
  readonly kernels: ByLayout<CompiledKernel>;
}

/** More than a page has. */
const rowsOfStage = 2 ** 32;

/** A page of which not all is computed. */
interface UnfinishedPage {
  /** Filters that are done; after all of them, the projections are next. */
  filtersDone: number;
  /** Rows that these filters have kept. */
  selected: Page;
  /** A kernel has run over some of the rows. */
  isMidway: boolean;
}

interface ProjectKernel {
  readonly run: CompiledKernel;
  readonly nullable: readonly boolean[];
}

class Processor implements PageProcessor {
  readonly #options: ProcessorOptions;
  readonly #memory: MemoryContext;
  readonly #arena: Arena;
  readonly #errorBlock: Address;
  readonly #filters: readonly FilterStep[];
  readonly #projectPace: Pace | undefined;
  readonly #projectConstants: Address;
  readonly #outputArguments: Address;
  readonly #pageArguments: Address;
  readonly #projectKernels = new ByLayout<ProjectKernel>();
  #rowsMax = 0;
  #selection: Address = 0;
  #values: Address[] = [];
  #nulls: Address[] = [];
  #closed = false;
  #unfinished: UnfinishedPage | undefined;
  readonly #entries: EntryFilter;
  /** Rows of filters and of the projections are told apart. */
  readonly #rowOf = (): number =>
    rowsOfStage * (this.#unfinished?.filtersDone ?? 0) + (this.#memory.linear.u32[(this.#errorBlock + rowPositionOffset) >>> 2] as number);
  /** Undefined if no function may run long. */
  readonly #sliced: SlicedWork | undefined;

  constructor(options: ProcessorOptions) {
    this.#options = options;
    // A separate context, so that `close` releases everything at once.
    this.#memory = options.memory.child("page processor");
    this.#arena = options.runtime.arenas.create(this.#memory);
    this.#errorBlock = this.#memory.allocateZeroed(errorBlockBytes);
    this.#entries = new EntryFilter(options.runtime, this.#memory);
    const { work } = options.runtime;
    this.#projectPace = options.projectPace;
    const isLong = [this.#projectPace, ...options.filterCodes.map(({ pace }) => pace)].some((pace) => pace?.isLong === true);
    this.#sliced = isLong ? new SlicedWork({ work, memory: this.#memory, errorBlock: this.#errorBlock }) : undefined;
    for (const code of [...options.filterCodes.map((filter) => filter.code), options.projectCode]) {
      if (code !== undefined && options.drawSeed !== undefined && drawsIn(code)) {
        this.#memory.linear.i64[(this.#errorBlock + drawStateOffset) >>> 3] = BigInt.asIntN(64, options.drawSeed());
      }
    }
    this.#filters = options.filterCodes.map(({ code, pace, column }) => ({
      code,
      pace,
      column,
      constants: writeConstants(this.#memory, code.constants),
      kernels: new ByLayout(),
    }));
    this.#projectConstants = writeConstants(this.#memory, options.projectCode?.constants ?? []);
    this.#outputArguments = this.#memory.allocateZeroed(outputArgumentsBytes(options.types.length));
    this.#pageArguments = this.#memory.allocateZeroed(
      pageArgumentsBytes({ selected: false, columns: options.inputs.map(({ type }) => ({ type, nullable: false, indirect: false })) }),
    );
  }

  takeWorkSteps(): number {
    return this.#sliced?.takeSteps() ?? 0;
  }

  advance(page: Page): Page | undefined {
    return this.#sliced === undefined ? this.process(page) : this.#sliced.run(() => this.#continue(page), this.#rowOf);
  }

  process(page: Page): Page {
    for (;;) {
      const output = this.#continue(page);
      if (output !== undefined) {
        return output;
      }
    }
  }

  /** Goes on at the row where the last slice ended. Returns undefined at the end of a slice. */
  #continue(page: Page): Page | undefined {
    const unfinished = this.#unfinished ?? this.#begin(page);
    try {
      const output = this.#compute(page, unfinished);
      if (output !== undefined) {
        this.#unfinished = undefined;
      }
      return output;
    } catch (error) {
      if (error instanceof QueryError) {
        this.#unfinished = undefined;
      }
      throw error;
    }
  }

  #begin(page: Page): UnfinishedPage {
    this.#arena.reset();
    this.#reserve(rowsOf(this.#memory.linear.u32, page));
    const unfinished = { filtersDone: 0, selected: page, isMidway: false };
    if (this.#sliced !== undefined) {
      this.#unfinished = unfinished;
    }
    return unfinished;
  }

  #compute(page: Page, unfinished: UnfinishedPage): Page | undefined {
    const { passed } = this.#options;
    const filters = this.#filters.length > 2 ? this.#ordered(page) : this.#filters;
    while (unfinished.filtersDone < filters.length) {
      const step = filters[unfinished.filtersDone] as FilterStep;
      this.#openRows(unfinished, step.pace.isLong);
      const selected = this.#filter(unfinished.selected, step);
      if (selected === undefined) {
        return undefined;
      }
      unfinished.selected = selected;
      unfinished.filtersDone++;
      unfinished.isMidway = false;
    }
    const { selected } = unfinished;
    if (selected.positionCount === 0) {
      return { positionCount: 0, selection: 0, columns: this.#emptyColumns(page) };
    }
    this.#openRows(unfinished, this.#projectPace?.isLong === true);
    const computed = this.#project(selected, rowsOf(this.#memory.linear.u32, page));
    if (computed === undefined) {
      return undefined;
    }
    let next = 0;
    const columns = passed.map((index) => (index >= 0 ? (page.columns[index] as Column) : (computed[next++] as Column)));
    return { positionCount: selected.positionCount, selection: selected.selection, columns };
  }

  /** The steps in between are conditions on strings. Without a dictionary they cost more than the last step, so they follow it. */
  #ordered(page: Page): readonly FilterStep[] {
    const isCheap = ({ column }: FilterStep): boolean => {
      const read = page.columns[column];
      return read !== undefined && this.#entries.fits(read, page);
    };
    const [first, ...others] = this.#filters;
    const strings = others.slice(0, -1);
    return [first, ...strings.filter(isCheap), ...others.slice(-1), ...strings.filter((step) => !isCheap(step))] as readonly FilterStep[];
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#arena.close();
      this.#memory.close();
    }
  }

  /** Prepares the error block for a kernel that begins with the first row, or with the row that it has reached. */
  #openRows(unfinished: UnfinishedPage, isLong: boolean): void {
    const { linear } = this.#memory;
    const block = this.#errorBlock;
    clearError(linear, block);
    if (!isLong) {
      return;
    }
    const [u32, i64s] = [linear.u32, linear.i64];
    u32[(block + sliceOverOffset) >>> 2] = 0;
    if (unfinished.isMidway) {
      this.#arena.rewind(u32[(block + rowCursorOffset) >>> 2] as number);
      i64s[(block + drawStateOffset) >>> 3] = i64s[(block + rowDrawsOffset) >>> 3] as bigint;
      return;
    }
    unfinished.isMidway = true;
    u32[(block + rowPositionOffset) >>> 2] = 0;
    u32[(block + rowKeptOffset) >>> 2] = 0;
    u32[(block + rowCursorOffset) >>> 2] = u32[(this.#arena.controlBlock + arenaCursorOffset) >>> 2] as number;
    i64s[(block + rowDrawsOffset) >>> 3] = i64s[(block + drawStateOffset) >>> 3] as bigint;
  }

  /** Makes room for `rows` rows in every buffer. */
  #reserve(rows: number): void {
    if (rows <= this.#rowsMax) {
      return;
    }
    const memory = this.#memory;
    for (const address of [this.#selection, ...this.#values, ...this.#nulls]) {
      if (address !== 0) {
        memory.free(address);
      }
    }
    // Reset first, because an allocation below may fail.
    [this.#rowsMax, this.#selection, this.#values, this.#nulls] = [0, 0, [], []];
    if (this.#filters.length > 0) {
      this.#selection = memory.allocate(4 * rows);
    }
    for (const type of this.#options.types) {
      this.#values.push(memory.allocate(physicalWidth(physicalType(type)) * rows));
      this.#nulls.push(memory.allocate(rows));
    }
    this.#rowsMax = rows;
  }

  /** A step may read the selection that it writes: it never writes ahead of its reads. */
  #filter(page: Page, step: FilterStep): Page | undefined {
    if (page.positionCount === 0) {
      return page;
    }
    const column = page.columns[step.column];
    if (column !== undefined && this.#entries.fits(column, page)) {
      return this.#filterByEntry(page, column, step);
    }
    const count = this.#runFilter(page, step, this.#selection);
    if (count === statusSliceOver) {
      return undefined;
    }
    return count === page.positionCount ? page : { positionCount: count, selection: this.#selection, columns: page.columns };
  }

  /** Evaluates the condition once per entry of the dictionary, and keeps the rows whose entry passes. */
  #filterByEntry(page: Page, column: Column, step: FilterStep): Page {
    const columns = page.columns.map((one) => (one === column ? { ...column, ids: 0 } : one));
    const dictionary: Page = { positionCount: column.length, selection: 0, columns };
    const entries = this.#entries.reserve(column.length);
    const passing = this.#runFilter(dictionary, step, entries);
    if (passing === column.length) {
      return page;
    }
    const count = passing === 0 ? 0 : this.#entries.select(page, column, passing, this.#selection);
    return { positionCount: count, selection: this.#selection, columns: page.columns };
  }

  /** Returns the number of rows written to `selection`, or statusSliceOver. */
  #runFilter(page: Page, { code, constants, pace, kernels }: FilterStep, selection: Address): number {
    const { runtime, inputs } = this.#options;
    const kernel = kernels.for(page, (layout, key) =>
      runtime.load(
        `filter ${code.key} of ${key}`,
        () => filterKernel({ code, inputs, layout, pace }),
        () => registerExpressionHosts(runtime, code),
      ),
    );
    writePageArguments(this.#memory.linear, this.#pageArguments, page);
    const first = this.#position(pace);
    const count = kernel(this.#pageArguments, this.#errorBlock, this.#arena.controlBlock, constants, selection) as number;
    this.#countRows(pace, (count === statusSliceOver ? this.#position(pace) : page.positionCount) - first);
    if (count < 0 && count !== statusSliceOver) {
      raiseKernelError(this.#memory.linear, this.#errorBlock);
    }
    return count;
  }

  #project(page: Page, rows: number): readonly Column[] | undefined {
    const { projectCode, types } = this.#options;
    if (projectCode === undefined) {
      return [];
    }
    const kernel = this.#projectKernel(projectCode, page);
    const { linear } = this.#memory;
    const columns = types.map(
      (type, index): Column => ({
        type,
        values: this.#values[index] as Address,
        nulls: kernel.nullable[index] === true ? (this.#nulls[index] as Address) : 0,
        ids: 0,
        length: rows,
      }),
    );
    writePageArguments(linear, this.#pageArguments, page);
    writeOutputArguments(linear, this.#outputArguments, columns);
    const pace = this.#projectPace as Pace;
    const first = this.#position(pace);
    const status = kernel.run(
      this.#pageArguments,
      this.#errorBlock,
      this.#arena.controlBlock,
      this.#projectConstants,
      this.#outputArguments,
    );
    this.#countRows(pace, (status === statusSliceOver ? this.#position(pace) : page.positionCount) - first);
    if (status === statusSliceOver) {
      return undefined;
    }
    if (status !== 0) {
      raiseKernelError(linear, this.#errorBlock);
    }
    return columns;
  }

  /** Position of the next row of a kernel that returns after some rows. */
  #position({ rowsMax }: Pace): number {
    return rowsMax === undefined ? 0 : (this.#memory.linear.u32[(this.#errorBlock + rowPositionOffset) >>> 2] as number);
  }

  #countRows({ stepsPerRow }: Pace, rows: number): void {
    if (stepsPerRow > 0) {
      this.#options.runtime.work.count(Math.ceil(stepsPerRow * rows));
    }
  }

  #projectKernel(code: PreparedExpressions, page: Page): ProjectKernel {
    const { runtime, inputs } = this.#options;
    return this.#projectKernels.for(page, (layout, key) => {
      const nullable = code.expressions.map((expression) => mayBeNull(expression, inputs, layout));
      const run = runtime.load(
        `project ${code.key} of ${key}`,
        () => projectKernel({ code, inputs, layout, nullable, pace: this.#projectPace as Pace }),
        () => registerExpressionHosts(runtime, code),
      );
      return { run, nullable };
    });
  }

  #emptyColumns(page: Page): readonly Column[] {
    let next = 0;
    return this.#options.passed.map((index): Column => {
      if (index >= 0) {
        return page.columns[index] as Column;
      }
      return { type: this.#options.types[next++] as Type, values: this.#pageArguments, nulls: 0, ids: 0, length: 0 };
    });
  }
}

/** One past the last row that a position refers to. */
function rowsOf(u32: Uint32Array, page: Page): number {
  if (page.selection === 0 || page.positionCount === 0) {
    return page.positionCount;
  }
  return (u32[(page.selection >>> 2) + page.positionCount - 1] as number) + 1;
}

type KernelParams = readonly [Local, Local, Local, Local, Local];
const kernelParams = ["i32", "i32", "i32", "i32", "i32"] as const;

/** Status of a kernel that returns before its last row because the slice is over. */
const statusSliceOver = -2;

interface RowState {
  readonly errorBlock: Expr;
  readonly arena: Expr;
  /** Position of the next row. */
  readonly position: Expr;
  /** Rows that a filter has kept so far. */
  readonly kept?: Expr;
}

/** Writes where the kernel begins again if it does not come to the end of this row. */
function storeRowState(b: CodeBuilder, { errorBlock, arena, position, kept }: RowState): void {
  b.store("i32.store", errorBlock, position, rowPositionOffset);
  b.store("i32.store", errorBlock, i32.load(arena, arenaCursorOffset), rowCursorOffset);
  b.store("i64.store", errorBlock, i64.load(errorBlock, drawStateOffset), rowDrawsOffset);
  if (kept !== undefined) {
    b.store("i32.store", errorBlock, kept, rowKeptOffset);
  }
}

interface SliceEnd {
  /** Position of the first row of the slice. */
  readonly first: Expr;
  readonly rowsMax: number | undefined;
}

/** Returns from the kernel if the slice is over. */
function returnIfOver(b: CodeBuilder, { position, ...state }: RowState, { first, rowsMax }: SliceEnd): void {
  const ended = i32.load(state.errorBlock, sliceOverOffset);
  const isOver = rowsMax === undefined ? ended : i32.or(ended, i32.geU(i32.sub(position, first), i32.const(rowsMax - 1)));
  b.if_(isOver, () => {
    storeRowState(b, { ...state, position: i32.add(position, i32.const(1)) });
    b.return_(i32.const(statusSliceOver));
  });
}

interface FilterShape {
  readonly code: PreparedExpressions;
  readonly inputs: readonly Variable[];
  readonly layout: InputLayout;
  readonly pace: Pace;
}

/**
 * Parameters: page, error block, arena, constants, selection. Returns the number of rows selected, -1 after an error, or
 * `statusSliceOver`.
 */
function filterKernel({ code, inputs, layout, pace: { isLong, rowsMax } }: FilterShape): Kernel {
  return buildKernel("filter", (k: KernelBuilder) => {
    k.entry({ params: kernelParams, result: "i32" }, (b, params) => {
      const [page, errorBlock, arena, constants, selection] = params as KernelParams;
      const context = new ExpressionContext(b, code, { errorBlock, arena, constants });
      const input = openInput(b, page, layout, usedColumns(code.expressions, inputs));
      const predicate = code.expressions[0] as RowExpression;
      const first = isLong ? b.temp(i32.load(errorBlock, rowPositionOffset)) : i32.const(0);
      const next = b.local("i32", isLong ? i32.add(selection, i32.shl(i32.load(errorBlock, rowKeptOffset), i32.const(2))) : selection);
      const kept = () => i32.shrU(i32.sub(next, selection), i32.const(2));
      context.guarded(() => {
        const judge = (position: Expr): void => {
          if (isLong) {
            storeRowState(b, { errorBlock, arena, position, kept: kept() });
          }
          const row = input.row(position);
          context.newRow();
          const isKept = isTrue(
            context.emit(
              predicate,
              environmentOf(inputs, (column) => input.column(column, row)),
            ),
          );
          // The row is always written, and the cursor advances only if the condition is true: no branch to mispredict.
          b.store("i32.store", next, row);
          b.set(next, i32.add(next, i32.shl(isKept, i32.const(2))));
          if (isLong) {
            returnIfOver(b, { errorBlock, arena, position, kept: kept() }, { first, rowsMax });
          }
        };
        const vectors = isLong ? undefined : vectorFilter(predicate, inputs, layout);
        if (vectors !== undefined) {
          const constant = (one: Constant): Expr => part(context.emit(one, noInput), 0);
          const rest = emitVectorFilter(b, vectors, { page, positionCount: input.positionCount, inputs, next, constant });
          b.forRange(rest, input.positionCount, judge);
        } else if (!isLong && isShort(predicate)) {
          b.forRangeByFours(input.positionCount, judge);
        } else {
          b.forRange(first, input.positionCount, judge);
        }
        b.return_(kept());
      });
      b.return_(i32.const(-1));
    });
  });
}

interface ProjectShape extends FilterShape {
  readonly nullable: readonly boolean[];
}

/**
 * Parameters: page, error block, arena, constants, outputs. Returns 0, 1 after an error, or `statusSliceOver`. A value is written at its
 * row, not at its position.
 */
function projectKernel({ code, inputs, layout, nullable, pace: { isLong, rowsMax } }: ProjectShape): Kernel {
  return buildKernel("project", (k: KernelBuilder) => {
    k.entry({ params: kernelParams, result: "i32" }, (b, params) => {
      const [page, errorBlock, arena, constants, outputs] = params as KernelParams;
      const context = new ExpressionContext(b, code, { errorBlock, arena, constants });
      const input = openInput(b, page, layout, usedColumns(code.expressions, inputs));
      const output = openOutput(b, outputs, nullable);
      const first = isLong ? b.temp(i32.load(errorBlock, rowPositionOffset)) : i32.const(0);
      context.guarded(() => {
        b.forRange(first, input.positionCount, (position) => {
          if (isLong) {
            storeRowState(b, { errorBlock, arena, position });
          }
          const row = input.row(position);
          context.newRow();
          const environment = environmentOf(inputs, (column) => input.column(column, row));
          code.expressions.forEach((expression, index) => output.store(index, row, context.emit(expression, environment)));
          if (isLong) {
            returnIfOver(b, { errorBlock, arena, position }, { first, rowsMax });
          }
        });
        b.return_(i32.const(0));
      });
      b.return_(i32.const(1));
    });
  });
}

function usedColumns(expressions: readonly RowExpression[], inputs: readonly Variable[]): ReadonlySet<number> {
  return new Set(variablesOf(expressions).map((variable) => columnOf(inputs, variable)));
}

const noInput = (): Value => {
  throw new Error("a constant reads no column");
};

function environmentOf(inputs: readonly Variable[], column: (index: number) => Value): (variable: Variable) => Value {
  return (variable) => column(columnOf(inputs, variable));
}
