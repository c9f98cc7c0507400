/**
 * A connector with table functions only. No catalog of the engine has functions that process the rows of tables, but connectors of users
 * may. What they output depends on the rows of a partition, never on the pages in which these arrive.
 */
import type { Connector, ConnectorFactory } from "../../../src/connectors/spi.ts";
import {
  type ProcessingTableFunction,
  type ProcessorRequest,
  type ProcessorStep,
  scalarArgument,
  type TableFunctionArguments,
  type TableFunctionProcessor,
} from "../../../src/connectors/table-function.ts";
import { PageBuilder } from "../../../src/page/builder.ts";
import type { Page } from "../../../src/page/page.ts";
import { BIGINT, INTEGER } from "../../../src/types/type.ts";

type Input = readonly (Page | undefined)[] | undefined;
type Step = (builder: PageBuilder, input: Input) => ProcessorStep;

function processor({ types, memory }: ProcessorRequest, step: Step): TableFunctionProcessor {
  const builder = new PageBuilder(types, memory);
  return {
    process: (input) => {
      builder.reset();
      return step(builder, input);
    },
    close: () => builder.close(),
  };
}

function columnsOf(args: TableFunctionArguments, name: string): readonly number[] {
  const argument = args.get(name);
  return argument?.kind === "TABLE" ? [...argument.columns.keys()] : [];
}

/** Every row of a partition, `times` times, and with `beyond` a row that is not there. It blocks before its first page. */
const repeated: ProcessingTableFunction = {
  kind: "PROCESSING",
  schema: "testing",
  name: "repeated",
  parameters: [
    { kind: "TABLE", name: "INPUT", semantics: "SET", passesThrough: true, prunesWhenEmpty: true },
    { kind: "SCALAR", name: "TIMES", type: INTEGER, default: 2 },
    { kind: "SCALAR", name: "BEYOND", type: INTEGER, default: 0 },
  ],
  returns: "PASS_THROUGH",
  analyze: (args) => ({
    handle: [Number(scalarArgument(args, "TIMES")), Number(scalarArgument(args, "BEYOND"))],
    required: { INPUT: columnsOf(args, "INPUT") },
  }),
  createProcessor: (request) => {
    const [times, beyond] = request.handle as unknown as readonly [number, number];
    let [first, round, hasWaited] = [0, 0, false];
    return processor(request, (builder, input) => {
      const page = input?.[0];
      if (page === undefined) {
        return { kind: "FINISHED" };
      }
      if (!hasWaited) {
        hasWaited = true;
        return { kind: "BLOCKED", until: Promise.resolve() };
      }
      for (let row = 0; row < page.positionCount; row++) {
        builder.appendInt(0, first + row + beyond * 1_000_000);
      }
      round++;
      const usedInput = round >= times;
      if (usedInput) {
        first += page.positionCount;
        round = 0;
      }
      return { kind: "PROCESSED", usedInput, page: builder.build() };
    });
  },
};

/** One row for each partition of two tables: their counts, and of each table the last row, or NULLs. */
function sizes(name: string, prunes: boolean): ProcessingTableFunction {
  const prunesWhenEmpty = prunes ? ({ prunesWhenEmpty: true } as const) : {};
  return {
    kind: "PROCESSING",
    schema: "testing",
    name,
    parameters: [
      { kind: "TABLE", name: "A", semantics: "SET", passesThrough: true, ...prunesWhenEmpty },
      { kind: "TABLE", name: "B", semantics: "SET" },
    ],
    returns: [
      { name: "count_a", type: BIGINT },
      { name: "count_b", type: BIGINT },
    ],
    analyze: (args) => ({ handle: null, required: { A: columnsOf(args, "A"), B: columnsOf(args, "B") } }),
    createProcessor: (request) => {
      const counts: [number, number] = [0, 0];
      let isDone = false;
      return processor(request, (builder, input) => {
        if (input !== undefined) {
          counts[0] += input[0]?.positionCount ?? 0;
          counts[1] += input[1]?.positionCount ?? 0;
          return { kind: "PROCESSED", usedInput: true };
        }
        if (isDone) {
          return { kind: "FINISHED" };
        }
        isDone = true;
        builder.appendInt(0, counts[0]);
        builder.appendInt(1, counts[1]);
        if (counts[0] > 0) {
          builder.appendInt(2, counts[0] - 1);
        } else {
          builder.appendNull(2);
        }
        return { kind: "PROCESSED", usedInput: false, page: builder.build() };
      });
    },
  };
}

/** Every row as often as its first column says, beside the row's number of repetitions; without pass-through only the numbers. */
function rowwise(name: string, passesThrough: boolean): ProcessingTableFunction {
  return {
    kind: "PROCESSING",
    schema: "testing",
    name,
    parameters: [{ kind: "TABLE", name: "INPUT", semantics: "ROWS", ...(passesThrough ? { passesThrough } : {}) }],
    returns: [{ name: "number", type: BIGINT }],
    analyze: (args) => ({ handle: null, required: { INPUT: columnsOf(args, "INPUT") } }),
    createProcessor: (request) => {
      let round = 0;
      return processor(request, (builder, input) => {
        const page = input?.[0];
        if (page === undefined) {
          return { kind: "FINISHED" };
        }
        if (round === 0) {
          round = 1;
          return { kind: "BLOCKED", until: Promise.resolve() };
        }
        for (let row = 0; row < page.positionCount; row++) {
          builder.appendInt(0, round);
          if (passesThrough && round === 1) {
            builder.appendInt(1, row);
          } else if (passesThrough) {
            builder.appendNull(1);
          }
        }
        round = round === 1 ? 2 : 0;
        return { kind: "PROCESSED", usedInput: round === 0, page: builder.build() };
      });
    },
  };
}

const functions: readonly ProcessingTableFunction[] = [
  repeated,
  sizes("sizes", false),
  sizes("pruned_sizes", true),
  rowwise("numbered", true),
  rowwise("numbers", false),
];

export const testingCatalog = { name: "testing", properties: { "connector.name": "testing" } } as const;

export const testingConnectorFactory: ConnectorFactory = {
  name: "testing",
  properties: [],
  create: (): Connector => ({
    metadata: {
      listSchemas: () => Promise.resolve([]),
      listTables: () => Promise.resolve([]),
      getTable: () => Promise.resolve(undefined),
    },
    tableFunctions: functions,
    getSplits: () => Promise.reject(new Error("the connector has no tables")),
    createPageSource: () => {
      throw new Error("the connector has no tables");
    },
  }),
};
