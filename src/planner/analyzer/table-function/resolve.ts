/**
 * Resolves table functions by name. Calls of functions without table arguments are analyzed by their connector before the statement, like
 * table metadata.
 */
import type {
  SourceAnalysis,
  SourceTableFunction,
  TableFunction,
  TableFunctionArgument,
  TableFunctionArguments,
} from "../../../connectors/table-function.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { lowerParts, type TableFunctionCall } from "../../../sql/ast/ast.ts";
import { requireExecution } from "../../access/execution.ts";
import type { PlanContext } from "../../context.ts";
import type { Analysis } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { bindArguments, constantArgument } from "./arguments.ts";

/** Catalog and schema of unqualified function names. */
const builtins = Object.freeze({ catalog: "system", schema: "builtin" });

export interface ResolvedTableFunction {
  readonly catalog: string;
  readonly function: TableFunction;
}

export function resolveTableFunction(call: TableFunctionCall, context: PlanContext): ResolvedTableFunction {
  const parts = lowerParts(call.name);
  const name = parts[parts.length - 1] as string;
  const { catalog, schema } =
    parts.length === 1 ? builtins : { catalog: parts.length === 2 ? context.session.catalog : parts[0], schema: parts[parts.length - 2] };
  const connector = catalog === undefined || parts.length > 3 ? undefined : context.catalogs.connector(catalog);
  const found = connector?.tableFunctions?.find((one) => one.schema === schema && one.name === name);
  if (catalog === undefined || found === undefined) {
    throw semanticError("FUNCTION_NOT_FOUND", call.name, `Table function ${parts.join(".")} not registered`);
  }
  requireExecution({ catalog, schema: found.schema, name }, context);
  return { catalog, function: found };
}

/** Evaluates the arguments of a function without table arguments. */
export function sourceArguments(call: TableFunctionCall, found: SourceTableFunction, analysis: Analysis): TableFunctionArguments {
  const bound = bindArguments(call, found.parameters);
  return new Map(
    found.parameters.map((parameter): [string, TableFunctionArgument] => [
      parameter.name,
      constantArgument(call, parameter, bound, analysis),
    ]),
  );
}

export function sourceKey({ catalog, function: found }: ResolvedTableFunction, args: TableFunctionArguments): string {
  return JSON.stringify([catalog, found.schema, found.name, ...args]);
}

/** Lets the connector analyze a call, once for each argument list. Errors in the call are ignored here and reported by the analyzer. */
export async function loadSource(
  call: TableFunctionCall,
  analysis: Analysis,
  lookups: Map<string, SourceAnalysis | QueryError>,
): Promise<void> {
  try {
    const resolved = resolveTableFunction(call, analysis.context);
    if (resolved.function.kind !== "SOURCE") {
      return;
    }
    const args = sourceArguments(call, resolved.function, analysis);
    const key = sourceKey(resolved, args);
    if (!lookups.has(key)) {
      lookups.set(key, await answerOf(resolved.function, args));
    }
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }
  }
}

async function answerOf(found: SourceTableFunction, args: TableFunctionArguments): Promise<SourceAnalysis | QueryError> {
  try {
    return await found.analyze(args);
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}
