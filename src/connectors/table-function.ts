/**
 * Table functions of a connector: `SELECT * FROM TABLE(catalog.schema.name(...))`. Of two kinds. The rows of a SOURCE come from splits, as those of a table
 * do: what its analysis gives is a table, which the connector's own getSplits and createPageSource read. A PROCESSING function has table arguments, and
 * makes its rows of theirs on the workers.
 *
 * Names of parameters are in upper case, as the names of arguments are that stand without quotes. Handles are plain JSON. What a function refuses is a
 * QueryError (INVALID_FUNCTION_ARGUMENT), the texts of which go to the user as they are.
 */
import type { MemoryContext } from "../memory/memory.ts";
import type { Page } from "../page/page.ts";
import type { Type } from "../types/type.ts";
import type { Json, TableMetadata, TableStatistics } from "./table-metadata.ts";

/** Numbers and texts as they are; bigint, decimal and timestamp in digits, binary in hex. */
export type ScalarValue = null | boolean | number | string;

export interface ScalarParameter {
  readonly kind: "SCALAR";
  readonly name: string;
  readonly type: Type;
  /** The argument may be left out. */
  readonly default?: ScalarValue;
}

export interface DescriptorParameter {
  readonly kind: "DESCRIPTOR";
  readonly name: string;
  /** It may be left out: then it is null. */
  readonly optional?: true;
}

export interface TableParameter {
  readonly kind: "TABLE";
  readonly name: string;
  /** ROWS: each row is for itself, in whatever task it is. SET: a partition as a whole, in its order. Beside other tables all are sets. */
  readonly semantics: "ROWS" | "SET";
  /** Of a SET: unless the call says otherwise, the function does not run over a table without rows. ROWS never do. */
  readonly prunesWhenEmpty?: true;
  /** All columns of the table come out beside those of the function; otherwise the partition's keys alone. */
  readonly passesThrough?: true;
}

export interface DescriptorField {
  /** As written; unquoted ones in upper case. */
  readonly name: string;
  readonly type?: Type;
}

export type TableFunctionArgument =
  | { readonly kind: "SCALAR"; readonly value: ScalarValue }
  | { readonly kind: "DESCRIPTOR"; readonly fields: readonly DescriptorField[] | null }
  | { readonly kind: "TABLE"; readonly columns: readonly ReturnedColumn[]; readonly partitionBy: readonly string[] };

/** By name of the parameter: each has one. */
export type TableFunctionArguments = ReadonlyMap<string, TableFunctionArgument>;

/** A column may have no name, as those of a query. */
export interface ReturnedColumn {
  readonly name?: string;
  readonly type: Type;
}

export interface SourceTableFunction {
  readonly kind: "SOURCE";
  readonly schema: string;
  readonly name: string;
  readonly parameters: readonly (ScalarParameter | DescriptorParameter)[];
  /** Asked by the coordinator, once for the same arguments in a statement. The table's name is that of the function. */
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
  /** PASS_THROUGH: no columns but those of the arguments. GENERIC: the analysis says which. */
  readonly returns: "GENERIC" | "PASS_THROUGH" | readonly ReturnedColumn[];
  analyze(args: TableFunctionArguments): ProcessingAnalysis;
  /** On a worker: for each partition, or for the rows of a task where the only table argument has the semantics of rows. */
  createProcessor(request: ProcessorRequest): TableFunctionProcessor;
}

export interface ProcessingAnalysis {
  readonly handle: Json;
  /** Of a GENERIC function. */
  readonly columns?: readonly ReturnedColumn[];
  /** By table parameter: the columns that the function reads, at least one. */
  readonly required: Readonly<Record<string, readonly number[]>>;
  /** The columns of the function are those it reads of its only table, row for row: then there is nothing to run. */
  readonly isProjection?: true;
}

export interface ProcessorRequest {
  readonly handle: Json;
  /** Of the pages that it gives: its own columns, then for each table parameter that passes through a bigint, the number of the row that comes out beside. */
  readonly types: readonly Type[];
  /** Everything that the processor allocates is charged here. */
  readonly memory: MemoryContext;
}

/** Pull model: never blocks the node; what it does in one step is bounded. */
export interface TableFunctionProcessor {
  /**
   * Goes on. `input` has a page of each table argument in the order of the parameters, with the required columns and without a selection; undefined is a table whose
   * rows have been given, and the input itself is undefined once all have. A step that did not use its input is given it again. Pages are valid until the next step.
   */
  process(input: readonly (Page | undefined)[] | undefined): ProcessorStep;
  /** Frees what it holds. Idempotent, callable at any moment. */
  close(): void;
}

/**
 * Rows that are passed through are numbered from 0: those of a partition over all of its pages, those of an argument with the semantics of rows in the page
 * that was given last. NULL: NULLs come out. A page has no selection; it is valid until the next step.
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
