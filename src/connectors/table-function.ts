/**
 * Table functions of a connector: `SELECT * FROM TABLE(catalog.schema.name(...))`. There are two kinds:
 *
 * - SOURCE: the rows come from splits, like those of a table. Its analysis returns a table, which the connector's own getSplits and
 *   createPageSource read.
 * - PROCESSING: it has table arguments, and computes its rows from theirs on the workers.
 *
 * Names of parameters are in upper case, like unquoted names of arguments. Handles are plain JSON. A function rejects arguments with a
 * QueryError (INVALID_FUNCTION_ARGUMENT); the user sees its message unchanged.
 */
import type { MemoryContext } from "../memory/memory.ts";
import type { Page } from "../page/page.ts";
import type { Type } from "../types/type.ts";
import type { Json, TableMetadata, TableStatistics } from "./table-metadata.ts";

/** Numbers and texts unchanged; bigint, decimal and timestamp as digits, binary in hex. */
export type ScalarValue = null | boolean | number | string;

export interface ScalarParameter {
  readonly kind: "SCALAR";
  readonly name: string;
  readonly type: Type;
  /** Present if the argument may be omitted. */
  readonly default?: ScalarValue;
}

export interface DescriptorParameter {
  readonly kind: "DESCRIPTOR";
  readonly name: string;
  /** The argument may be omitted; it is then null. */
  readonly optional?: true;
}

export interface TableParameter {
  readonly kind: "TABLE";
  readonly name: string;
  /**
   * ROWS: rows are independent, in any task. SET: a partition is processed as a whole, in its order. With several table arguments all must
   * be SET.
   */
  readonly semantics: "ROWS" | "SET";
  /** For SET: by default the function does not run over a table without rows (PRUNE WHEN EMPTY). With ROWS it never does. */
  readonly prunesWhenEmpty?: true;
  /** All columns of the table are output beside those of the function; otherwise only the partition keys. */
  readonly passesThrough?: true;
}

export interface DescriptorField {
  /** As written; unquoted names in upper case. */
  readonly name: string;
  readonly type?: Type;
}

export type TableFunctionArgument =
  | { readonly kind: "SCALAR"; readonly value: ScalarValue }
  | { readonly kind: "DESCRIPTOR"; readonly fields: readonly DescriptorField[] | null }
  | { readonly kind: "TABLE"; readonly columns: readonly ReturnedColumn[]; readonly partitionBy: readonly string[] };

/** By name of the parameter; every parameter has an entry. */
export type TableFunctionArguments = ReadonlyMap<string, TableFunctionArgument>;

/** A column may have no name, as in a query. */
export interface ReturnedColumn {
  readonly name?: string;
  readonly type: Type;
}

export interface SourceTableFunction {
  readonly kind: "SOURCE";
  readonly schema: string;
  readonly name: string;
  readonly parameters: readonly (ScalarParameter | DescriptorParameter)[];
  /** Runs on the coordinator, once for the same arguments in a statement. The table's name is that of the function. */
  analyze(args: TableFunctionArguments): Promise<SourceAnalysis>;
}

export interface SourceAnalysis {
  readonly table: TableMetadata;
  readonly statistics?: TableStatistics;
}

export interface ProcessingTableFunction {
  readonly kind: "PROCESSING";
  readonly schema: string;
  readonly name: string;
  /** At least one is a table. */
  readonly parameters: readonly (ScalarParameter | DescriptorParameter | TableParameter)[];
  /** PASS_THROUGH: no columns besides those of the arguments. GENERIC: the analysis returns them. */
  readonly returns: "GENERIC" | "PASS_THROUGH" | readonly ReturnedColumn[];
  analyze(args: TableFunctionArguments): ProcessingAnalysis;
  /** On a worker: one processor per partition, or per task if the only table argument has ROWS semantics. */
  createProcessor(request: ProcessorRequest): TableFunctionProcessor;
}

export interface ProcessingAnalysis {
  readonly handle: Json;
  /** For a GENERIC function. */
  readonly columns?: readonly ReturnedColumn[];
  /** By table parameter: the columns that the function reads, at least one. */
  readonly required: Readonly<Record<string, readonly number[]>>;
  /** The output is the required columns of its only table, row by row: no processor is needed. */
  readonly isProjection?: true;
}

export interface ProcessorRequest {
  readonly handle: Json;
  /**
   * Types of its pages: its own columns, then for each table parameter that passes through a bigint with the number of the row to output
   * beside.
   */
  readonly types: readonly Type[];
  /** All memory of the processor is charged here. */
  readonly memory: MemoryContext;
}

/** Pull model: it never blocks the node, and the work of one step is bounded. */
export interface TableFunctionProcessor {
  /**
   * Runs one step. `input` has one page per table argument in the order of the parameters, with the required columns and without a
   * selection. An argument is undefined once all rows of its table were given, and `input` is undefined once all tables are at their end. A
   * step that did not use its input gets it again. Pages are valid until the next step.
   */
  process(input: readonly (Page | undefined)[] | undefined): ProcessorStep;
  /** Frees all resources. Idempotent; may be called at any moment. */
  close(): void;
}

/**
 * Pass-through rows are numbered from 0: with SET over all pages of the partition, with ROWS in the last page given. NULL outputs NULLs. A
 * page has no selection and is valid until the next step.
 */
export type ProcessorStep =
  | { readonly kind: "PROCESSED"; readonly usedInput: boolean; readonly page?: Page }
  | { readonly kind: "BLOCKED"; readonly until: Promise<void> }
  | { readonly kind: "FINISHED" };

export type TableFunction = SourceTableFunction | ProcessingTableFunction;

export function scalarArgument(args: TableFunctionArguments, name: string): ScalarValue {
  const argument = args.get(name);
  return argument?.kind === "SCALAR" ? argument.value : null;
}

export function descriptorArgument(args: TableFunctionArguments, name: string): readonly DescriptorField[] | null {
  const argument = args.get(name);
  return argument?.kind === "DESCRIPTOR" ? argument.fields : null;
}
