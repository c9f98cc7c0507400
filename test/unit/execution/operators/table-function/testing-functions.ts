/**
 * A connector with only table functions that behave like those of Trino's tests.
 */
import type { Connector, ConnectorFactory, Json, PageSource, PageSourceRequest, Split } from "../../../../../src/connectors/spi.ts";
import {
  descriptorArgument,
  type ProcessingAnalysis,
  type ProcessingTableFunction,
  type ProcessorRequest,
  type ProcessorStep,
  scalarArgument,
  type SourceTableFunction,
  type TableFunctionArguments,
  type TableFunctionProcessor,
  type TableParameter,
} from "../../../../../src/connectors/table-function.ts";
import { PageBuilder } from "../../../../../src/page/builder.ts";
import type { Page } from "../../../../../src/page/page.ts";
import { BIGINT, BOOLEAN, INTEGER, VARCHAR } from "../../../../../src/types/type.ts";

const used: ProcessorStep = { kind: "PROCESSED", usedInput: true };

function allColumns(args: TableFunctionArguments, name: string): readonly number[] {
  const argument = args.get(name);
  return argument?.kind === "TABLE" ? [...argument.columns.keys()] : [];
}

/** Reads all columns of its tables. */
function readsAll(names: readonly string[], args: TableFunctionArguments, handle: Json = null): ProcessingAnalysis {
  return { handle, required: Object.fromEntries(names.map((name) => [name, allColumns(args, name)])) };
}

const set = (name: string, more: Partial<TableParameter> = {}): TableParameter => ({ kind: "TABLE", name, semantics: "SET", ...more });
const rows = (name: string, more: Partial<TableParameter> = {}): TableParameter => ({ kind: "TABLE", name, semantics: "ROWS", ...more });

/** A processor that outputs pages of rows made by one builder. */
class Processor implements TableFunctionProcessor {
  readonly builder: PageBuilder;
  readonly #step: (processor: Processor, input: readonly (Page | undefined)[] | undefined) => ProcessorStep;
  ended = false;

  constructor(request: ProcessorRequest, step: Processor["step"]) {
    this.builder = new PageBuilder(request.types, request.memory);
    this.#step = step;
  }

  get step() {
    return this.#step;
  }

  process(input: readonly (Page | undefined)[] | undefined): ProcessorStep {
    this.builder.reset();
    return this.#step(this, input);
  }

  /** Returns the rows built so far, once; then the end. */
  last(): ProcessorStep {
    if (this.ended) {
      return { kind: "FINISHED" };
    }
    this.ended = true;
    return { kind: "PROCESSED", usedInput: false, page: this.builder.build() };
  }

  close(): void {
    this.builder.close();
  }
}

interface Definition extends Partial<Omit<ProcessingTableFunction, "kind" | "schema" | "createProcessor">> {
  readonly name: string;
  readonly parameters: ProcessingTableFunction["parameters"];
  readonly step: Processor["step"];
  /** Creates the state of each processor. */
  readonly state?: () => object;
}

function processing({ name, parameters, returns = "GENERIC", analyze, step }: Definition): ProcessingTableFunction {
  const tables = parameters.flatMap((parameter) => (parameter.kind === "TABLE" ? [parameter.name] : []));
  return {
    kind: "PROCESSING",
    schema: "system",
    name,
    parameters,
    returns,
    analyze: analyze ?? ((args) => readsAll(tables, args)),
    createProcessor: (request) => new Processor(request, step),
  };
}

/** Outputs the row numbers of an input, page by page. */
function indices(times: (request: TableFunctionProcessor) => number): Processor["step"] {
  const counts = new WeakMap<Processor, { first: number; round: number }>();
  return (processor, input) => {
    const page = input?.[0];
    if (page === undefined) {
      return { kind: "FINISHED" };
    }
    const state = counts.get(processor) ?? { first: 0, round: 0 };
    counts.set(processor, state);
    for (let row = 0; row < page.positionCount; row++) {
      processor.builder.appendInt(0, state.first + row);
    }
    state.round++;
    const usedInput = state.round >= times(processor);
    if (usedInput) {
      state.first += page.positionCount;
      state.round = 0;
    }
    return { kind: "PROCESSED", usedInput, page: processor.builder.build() };
  };
}

const repeats = new WeakMap<TableFunctionProcessor, number>();
const sawInput = new WeakMap<TableFunctionProcessor, boolean>();
const lastRows = new WeakMap<TableFunctionProcessor, [number, number]>();
const boolean = (name: string) => [{ name, type: BOOLEAN }];

const booleanOnce: Processor["step"] = (processor, input) => {
  if (input !== undefined) {
    return used;
  }
  if (!processor.ended) {
    processor.builder.appendBoolean(0, true);
  }
  return processor.last();
};

const processingFunctions: readonly ProcessingTableFunction[] = [
  processing({
    name: "identity_function",
    parameters: [set("INPUT")],
    analyze: (args) => {
      const input = args.get("INPUT");
      return { ...readsAll(["INPUT"], args), columns: input?.kind === "TABLE" ? input.columns : [] };
    },
    step: (_processor, input) => {
      const page = input?.[0];
      return page === undefined ? { kind: "FINISHED" } : { kind: "PROCESSED", usedInput: true, page };
    },
  }),
  processing({
    name: "identity_pass_through_function",
    parameters: [set("INPUT", { passesThrough: true })],
    returns: "PASS_THROUGH",
    step: indices(() => 1),
  }),
  {
    ...processing({
      name: "repeat",
      parameters: [set("INPUT", { passesThrough: true }), { kind: "SCALAR", name: "N", type: INTEGER, default: 2 }],
      returns: "PASS_THROUGH",
      analyze: (args) => readsAll(["INPUT"], args, scalarArgument(args, "N")),
      step: indices((processor) => repeats.get(processor) ?? 1),
    }),
    createProcessor: (request) => {
      const processor = new Processor(
        request,
        indices((one) => repeats.get(one) ?? 1),
      );
      repeats.set(processor, request.handle as number);
      return processor;
    },
  },
  processing({
    name: "empty_output",
    parameters: [set("INPUT")],
    returns: boolean("column"),
    step: (processor, input) => (input === undefined ? processor.last() : { ...used, page: processor.builder.build() }),
  }),
  processing({
    name: "empty_output_with_pass_through",
    parameters: [set("INPUT", { passesThrough: true })],
    returns: boolean("column"),
    step: (processor, input) => (input === undefined ? processor.last() : { ...used, page: processor.builder.build() }),
  }),
  processing({
    name: "test_inputs_function",
    parameters: [rows("INPUT_1"), set("INPUT_2"), set("INPUT_3"), set("INPUT_4")],
    returns: boolean("boolean_result"),
    step: booleanOnce,
  }),
  processing({
    name: "test_single_input_function",
    parameters: [rows("INPUT")],
    returns: boolean("boolean_result"),
    step: booleanOnce,
  }),
  processing({
    name: "test_input",
    parameters: [set("INPUT")],
    returns: boolean("got_input"),
    step: (processor, input) => {
      if (input !== undefined) {
        sawInput.set(processor, true);
        return used;
      }
      if (!processor.ended) {
        processor.builder.appendBoolean(0, sawInput.get(processor) === true);
      }
      return processor.last();
    },
  }),
  processing({
    name: "pass_through",
    parameters: [set("INPUT_1", { passesThrough: true }), set("INPUT_2", { passesThrough: true })],
    returns: [
      { name: "input_1_present", type: BOOLEAN },
      { name: "input_2_present", type: BOOLEAN },
    ],
    step: (processor, input) => {
      const counts = lastRows.get(processor) ?? [0, 0];
      lastRows.set(processor, counts);
      if (input !== undefined) {
        counts[0] += input[0]?.positionCount ?? 0;
        counts[1] += input[1]?.positionCount ?? 0;
        return used;
      }
      if (!processor.ended) {
        for (const [index, count] of counts.entries()) {
          processor.builder.appendBoolean(index, count > 0);
          if (count > 0) {
            processor.builder.appendInt(2 + index, count - 1);
          } else {
            processor.builder.appendNull(2 + index);
          }
        }
      }
      return processor.last();
    },
  }),
  // Outputs every second row of each page. The pass-through column refers to that row; a last row refers to none.
  processing({
    name: "even_rows",
    parameters: [rows("INPUT", { passesThrough: true })],
    returns: [{ name: "number", type: BIGINT }],
    step: (processor, input) => {
      const page = input?.[0];
      if (page === undefined) {
        return { kind: "FINISHED" };
      }
      for (let row = 0; row < page.positionCount; row += 2) {
        processor.builder.appendInt(0, row);
        processor.builder.appendInt(1, row);
      }
      processor.builder.appendInt(0, -1);
      processor.builder.appendNull(1);
      return { ...used, page: processor.builder.build() };
    },
  }),
  // Blocks before each page. If BEYOND is set, it passes through a row that does not exist.
  {
    ...processing({
      name: "late",
      parameters: [
        set("INPUT", { prunesWhenEmpty: true, passesThrough: true }),
        { kind: "SCALAR", name: "BEYOND", type: INTEGER, default: 0 },
      ],
      returns: boolean("was_late"),
      analyze: (args) => readsAll(["INPUT"], args, scalarArgument(args, "BEYOND")),
      step: () => used,
    }),
    createProcessor: (request) => {
      let waited = false;
      return new Processor(request, (processor, input) => {
        const page = input?.[0];
        if (page === undefined) {
          return { kind: "FINISHED" };
        }
        if (!waited) {
          waited = true;
          return { kind: "BLOCKED", until: Promise.resolve() };
        }
        waited = false;
        processor.builder.appendBoolean(0, true);
        processor.builder.appendInt(1, (request.handle as number) * page.positionCount);
        return { ...used, page: processor.builder.build() };
      });
    },
  },
  processing({
    name: "required_columns_function",
    parameters: [set("INPUT"), { kind: "SCALAR", name: "INDEX", type: INTEGER, default: 0 }],
    returns: boolean("column"),
    analyze: (args) => ({ handle: null, required: { INPUT: [Number(scalarArgument(args, "INDEX"))] } }),
    step: booleanOnce,
  }),
  processing({ name: "no_columns_function", parameters: [set("INPUT")], step: booleanOnce }),
  processing({
    name: "no_required_function",
    parameters: [set("INPUT")],
    returns: boolean("column"),
    analyze: () => ({ handle: null, required: {} }),
    step: booleanOnce,
  }),
  processing({
    name: "table_argument_function",
    parameters: [set("INPUT")],
    returns: boolean("column"),
    step: booleanOnce,
  }),
  processing({
    name: "table_argument_row_semantics_function",
    parameters: [rows("INPUT")],
    returns: boolean("column"),
    step: booleanOnce,
  }),
  processing({
    name: "two_table_arguments_function",
    parameters: [set("INPUT1"), set("INPUT2")],
    returns: boolean("column"),
    step: booleanOnce,
  }),
  processing({
    name: "two_columns_function",
    parameters: [set("INPUT")],
    returns: [
      { name: "a", type: BOOLEAN },
      { name: "b", type: BOOLEAN },
    ],
    step: booleanOnce,
  }),
];

/** Rows of a source: one value repeated, in splits of at most this many rows. */
interface ConstantRows {
  readonly constant: number | null;
  readonly count: number;
}

const splitRows = 1000;

const sourceFunctions: readonly SourceTableFunction[] = [
  {
    kind: "SOURCE",
    schema: "system",
    name: "constant",
    parameters: [
      { kind: "SCALAR", name: "VALUE", type: INTEGER },
      { kind: "SCALAR", name: "N", type: INTEGER, default: 1 },
    ],
    analyze: async (args) => ({
      table: {
        name: { schema: "system", table: "constant" },
        columns: [{ name: "constant_column", type: INTEGER }],
        handle: { constant: scalarArgument(args, "VALUE") as number | null, count: scalarArgument(args, "N") as number },
      },
    }),
  },
  {
    kind: "SOURCE",
    schema: "system",
    name: "simple_table_function",
    parameters: [
      { kind: "SCALAR", name: "COLUMN", type: VARCHAR, default: "col" },
      { kind: "SCALAR", name: "IGNORED", type: BIGINT, default: "0" },
    ],
    analyze: async (args) => ({
      table: {
        name: { schema: "system", table: "simple" },
        columns: [{ name: scalarArgument(args, "COLUMN") as string, type: BOOLEAN }],
        handle: { constant: null, count: 0 },
      },
    }),
  },
  {
    kind: "SOURCE",
    schema: "system",
    name: "two_arguments_function",
    parameters: [
      { kind: "SCALAR", name: "TEXT", type: VARCHAR },
      { kind: "SCALAR", name: "NUMBER", type: BIGINT, default: null },
    ],
    analyze: async () => ({
      table: {
        name: { schema: "system", table: "two" },
        columns: [{ name: "column", type: BOOLEAN }],
        handle: { constant: null, count: 0 },
      },
    }),
  },
  {
    kind: "SOURCE",
    schema: "system",
    name: "descriptor_argument_function",
    parameters: [{ kind: "DESCRIPTOR", name: "SCHEMA", optional: true }],
    analyze: async (args) => ({
      table: {
        name: { schema: "system", table: "described" },
        columns: (descriptorArgument(args, "SCHEMA") ?? [{ name: "NOTHING" }]).map(({ name, type }) => ({ name, type: type ?? INTEGER })),
        handle: { constant: 7, count: 1 },
      },
    }),
  },
];

class ConstantSource implements PageSource {
  readonly completedBytes = 0;
  readonly #builder: PageBuilder;
  readonly #rows: ConstantRows;
  finished = false;

  constructor({ columns, memory, split }: PageSourceRequest) {
    this.#rows = split as unknown as ConstantRows;
    this.#builder = new PageBuilder(
      columns.map(({ type }) => type),
      memory,
    );
    for (let row = 0; row < this.#rows.count; row++) {
      if (columns.length === 0) {
        this.#builder.appendRows(1);
      }
      for (const column of columns.keys()) {
        if (this.#rows.constant === null) {
          this.#builder.appendNull(column);
        } else {
          this.#builder.appendInt(column, this.#rows.constant);
        }
      }
    }
  }

  blocked(): undefined {
    return undefined;
  }

  nextPage(): Page | undefined {
    if (this.finished) {
      return undefined;
    }
    this.finished = true;
    return this.#builder.build();
  }

  close(): void {
    this.finished = true;
    this.#builder.close();
  }
}

/** `connector.name=testing`. */
export const testingConnectorFactory: ConnectorFactory = {
  name: "testing",
  properties: [],
  create: (): Connector => ({
    metadata: { listSchemas: async () => ["system"], listTables: async () => [], getTable: async () => undefined },
    tableFunctions: [...processingFunctions, ...sourceFunctions],
    getSplits: async ({ handle }): Promise<readonly Split[]> => {
      const { constant, count } = handle as unknown as ConstantRows;
      const splits = Math.ceil(count / splitRows);
      return Array.from({ length: splits }, (_, index) => ({
        payload: { constant, count: Math.min(splitRows, count - index * splitRows) },
      }));
    },
    createPageSource: (request) => new ConstantSource(request),
  }),
};
