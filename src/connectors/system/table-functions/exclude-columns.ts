/**
 * `TABLE(exclude_columns(TABLE(t), DESCRIPTOR(a, b)))`: the columns of `t` except these.
 */
import { assert, QueryError } from "../../../protocol/errors.ts";
import {
  descriptorArgument,
  type ProcessingAnalysis,
  type ProcessingTableFunction,
  type TableFunctionArguments,
  type TableFunctionProcessor,
} from "../../table-function.ts";

function refuse(message: string): QueryError {
  return new QueryError("INVALID_FUNCTION_ARGUMENT", message);
}

function analyze(args: TableFunctionArguments): ProcessingAnalysis {
  const excluded = descriptorArgument(args, "COLUMNS");
  const input = args.get("INPUT");
  assert(input?.kind === "TABLE", "the argument is a table");
  if (excluded === null) {
    throw refuse("COLUMNS descriptor is null");
  }
  if (excluded.some(({ type }) => type !== undefined)) {
    throw refuse("COLUMNS descriptor contains types");
  }
  const names = new Set(excluded.map(({ name }) => name.toLowerCase()));
  const present = new Set(input.columns.map(({ name }) => name?.toLowerCase()));
  const missing = [...names].filter((name) => !present.has(name));
  if (missing.length > 0) {
    throw refuse(`Excluded columns: [${missing.join(", ")}] not present in the table`);
  }
  const required = [...input.columns.keys()].filter((index) => !names.has(input.columns[index]?.name?.toLowerCase() ?? ""));
  if (required.length === 0) {
    throw refuse("All columns are excluded");
  }
  const columns = input.columns.filter((_, index) => required.includes(index));
  return { handle: null, columns, required: { INPUT: required }, isProjection: true };
}

export const excludeColumnsFunction: ProcessingTableFunction = Object.freeze({
  kind: "PROCESSING",
  schema: "builtin",
  name: "exclude_columns",
  parameters: [
    { kind: "TABLE", name: "INPUT", semantics: "ROWS" },
    { kind: "DESCRIPTOR", name: "COLUMNS" },
  ],
  returns: "GENERIC",
  analyze,
  createProcessor: (): TableFunctionProcessor => {
    assert(false, "a projection is not run");
  },
} satisfies ProcessingTableFunction);
