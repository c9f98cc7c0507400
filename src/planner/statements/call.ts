/**
 * CALL: resolves the procedure and binds its arguments. The coordinator runs it.
 */
import type { Procedure, ProcedureArgument } from "../../connectors/spi.ts";
import { type Call, type CallArgument, lowerName } from "../../sql/ast/ast.ts";
import { semanticError } from "../analyzer/errors.ts";
import { analyzeExpression } from "../analyzer/expression/analyze-expression.ts";
import { coerceTo } from "../analyzer/expression/functions.ts";
import { qualifyTable, requireConnector } from "../analyzer/metadata.ts";
import type { PlanContext } from "../context.ts";
import type { ConstantValue } from "../plan/typed-expression.ts";
import { startAnalysis } from "../plan-query.ts";
import type { PlannedDataDefinition } from "../planned.ts";

export async function planCall(statement: Call, context: PlanContext): Promise<PlannedDataDefinition> {
  const { catalog, procedure } = findProcedure(statement, context);
  const given = argumentsByName(statement, procedure);
  const missing = procedure.arguments.find(({ name, optional }) => optional !== true && !given.has(name));
  if (missing !== undefined) {
    throw semanticError("INVALID_ARGUMENTS", statement, `Required procedure argument '${missing.name}' is missing`);
  }
  const analysis = await startAnalysis(statement, context);
  const valueOf = ({ name, type }: ProcedureArgument): ConstantValue => {
    const argument = given.get(name);
    if (argument === undefined) {
      return null;
    }
    const { value } = argument;
    const scope = { fields: [], queryBoundary: true };
    const expression = analyzeExpression(value, { analysis, scope, queries: { named: new Map() }, clause: "CALL" });
    return context.evaluateConstant(coerceTo(expression, type, `Procedure argument '${name}'`, value));
  };
  const values = procedure.arguments.map(valueOf);
  return {
    kind: "dataDefinition",
    updateType: "CALL",
    definition: {
      action: "CALL",
      ...(procedure.writes === true && { catalog }),
      run: (query) => procedure.call(values, { user: context.session.user, query }),
    },
  };
}

function findProcedure(statement: Call, context: PlanContext): { readonly catalog: string; readonly procedure: Procedure } {
  const { catalog, schema, table: name } = qualifyTable(statement.name, context.session);
  const { procedures = [] } = requireConnector(context, catalog, statement);
  const found = procedures.find((one) => one.schema === schema && one.name === name);
  if (found === undefined) {
    throw semanticError("PROCEDURE_NOT_FOUND", statement, `Procedure not registered: ${schema}.${name}`);
  }
  return { catalog, procedure: found };
}

/** Either all arguments are named or none is. */
function argumentsByName(statement: Call, procedure: Procedure): ReadonlyMap<string, CallArgument> {
  const args = statement.arguments;
  if (args.some(({ name }) => name !== undefined) && args.some(({ name }) => name === undefined)) {
    throw semanticError("INVALID_ARGUMENTS", statement, "Named and positional arguments cannot be mixed");
  }
  const given = new Map<string, CallArgument>();
  for (const [index, argument] of args.entries()) {
    const declared = procedure.arguments[index];
    const name = argument.name === undefined ? declared?.name : lowerName(argument.name);
    if (name === undefined) {
      throw semanticError("INVALID_ARGUMENTS", statement, "Too many arguments for procedure");
    }
    if (given.has(name)) {
      throw semanticError("INVALID_ARGUMENTS", argument, `Duplicate procedure argument: ${name}`);
    }
    if (!procedure.arguments.some((one) => one.name === name)) {
      throw semanticError("INVALID_ARGUMENTS", argument, `Unknown argument name: ${name}`);
    }
    given.set(name, argument);
  }
  return given;
}
