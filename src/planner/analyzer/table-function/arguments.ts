/**
 * Binds the arguments of a table function call to parameters, and evaluates them.
 */
import type {
  DescriptorField,
  DescriptorParameter,
  ScalarParameter,
  ScalarValue,
  TableFunction,
  TableFunctionArgument,
  TableParameter,
} from "../../../connectors/table-function.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import type {
  DescriptorArgument,
  Expression,
  TableArgument,
  TableFunctionArgument as ArgumentSyntax,
  TableFunctionCall,
} from "../../../sql/ast/ast.ts";
import { isBareName } from "../../../sql/ast/ast.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { displayType } from "../../../types/type.ts";
import type { Analysis } from "../analysis.ts";
import { notSupported, type Placed, semanticError } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";
import { canonicalName } from "../pattern/labels.ts";
import { resolveType } from "../scope/types.ts";

type Parameter = TableFunction["parameters"][number];
/** By parameter name; omitted arguments are absent. */
export type BoundArguments = ReadonlyMap<string, ArgumentSyntax>;

/** Location for errors about the argument list as a whole. */
function placeOf(call: TableFunctionCall): Placed {
  return call.arguments[0] ?? call.name;
}

export function bindArguments(call: TableFunctionCall, parameters: readonly Parameter[]): BoundArguments {
  const { arguments: args } = call;
  const at = placeOf(call);
  if (args.length > parameters.length) {
    const message = `Too many arguments. Expected at most ${parameters.length} arguments, got ${args.length} arguments`;
    throw semanticError("INVALID_ARGUMENTS", at, message);
  }
  const named = args.filter(({ name }) => name !== undefined).length;
  if (named !== 0 && named !== args.length) {
    throw semanticError("INVALID_ARGUMENTS", at, "All arguments must be passed by name or all must be passed positionally");
  }
  const bound = new Map<string, ArgumentSyntax>();
  for (const [index, argument] of args.entries()) {
    const name = argument.name === undefined ? (parameters[index] as Parameter).name : canonicalName(argument.name);
    if (bound.has(name)) {
      throw semanticError("INVALID_FUNCTION_ARGUMENT", argument, `Duplicate argument name: ${name}`);
    }
    if (!parameters.some((parameter) => parameter.name === name)) {
      throw semanticError("INVALID_FUNCTION_ARGUMENT", argument, `Unexpected argument name: ${name}`);
    }
    bound.set(name, argument);
  }
  return bound;
}

function describe({ value }: ArgumentSyntax): "table" | "descriptor" | "expression" {
  return value.kind === "TableArgument" ? "table" : value.kind === "DescriptorArgument" ? "descriptor" : "expression";
}

function missing(call: TableFunctionCall, { name }: Parameter): Error {
  return semanticError("MISSING_ARGUMENT", placeOf(call), `Missing argument: ${name}`);
}

function unexpected(argument: ArgumentSyntax, { name }: Parameter, expected: string): Error {
  const message = `Invalid argument ${name}. Expected ${expected}, got ${describe(argument)}`;
  return semanticError("INVALID_FUNCTION_ARGUMENT", argument, message);
}

function isCallOfDescriptor({ value }: ArgumentSyntax): boolean {
  return value.kind === "FunctionCall" && isBareName(value.name, "descriptor");
}

/** Returns the syntax of a table argument; table parameters have no default. */
export function tableArgument(call: TableFunctionCall, parameter: TableParameter, bound: BoundArguments): TableArgument {
  const argument = bound.get(parameter.name);
  if (argument === undefined) {
    throw missing(call, parameter);
  }
  const { value } = argument;
  const isCall = value.kind === "FunctionCall" && !isCallOfDescriptor(argument);
  if (isCall || (value.kind === "TableArgument" && value.relation.kind === "TableFunctionCall")) {
    const message = `Invalid table argument ${parameter.name}. Table functions are not allowed as table function arguments`;
    throw notSupported(argument, message);
  }
  if (value.kind !== "TableArgument") {
    throw unexpected(argument, parameter, "table");
  }
  return value;
}

/** Evaluates an argument that is not a table: a constant expression or a descriptor. */
export function constantArgument(
  call: TableFunctionCall,
  parameter: ScalarParameter | DescriptorParameter,
  bound: BoundArguments,
  analysis: Analysis,
): TableFunctionArgument {
  const argument = bound.get(parameter.name);
  if (argument !== undefined) {
    return parameter.kind === "SCALAR"
      ? { kind: "SCALAR", value: scalarValue(argument, parameter, analysis) }
      : { kind: "DESCRIPTOR", fields: descriptorFields(argument, parameter) };
  }
  if (parameter.kind === "SCALAR" && parameter.default !== undefined) {
    return { kind: "SCALAR", value: parameter.default };
  }
  if (parameter.kind === "DESCRIPTOR" && parameter.optional === true) {
    return { kind: "DESCRIPTOR", fields: null };
  }
  throw missing(call, parameter);
}

function descriptorFields(argument: ArgumentSyntax, parameter: DescriptorParameter): readonly DescriptorField[] | null {
  const { value } = argument;
  if (isCallOfDescriptor(argument)) {
    const format = "Descriptors should be formatted as 'DESCRIPTOR(name [type], ...)'";
    throw semanticError("INVALID_FUNCTION_ARGUMENT", argument, `Invalid descriptor argument ${parameter.name}. ${format}`);
  }
  if (value.kind !== "DescriptorArgument") {
    throw unexpected(argument, parameter, "descriptor");
  }
  return (value as DescriptorArgument).fields?.map(fieldOf) ?? null;
}

function fieldOf({ name, type }: NonNullable<DescriptorArgument["fields"]>[number]): DescriptorField {
  return { name: canonicalName(name), ...(type === undefined ? {} : { type: resolveType(type) }) };
}

function scalarValue(argument: ArgumentSyntax, parameter: ScalarParameter, analysis: Analysis): ScalarValue {
  if (isCallOfDescriptor(argument)) {
    throw semanticError("INVALID_FUNCTION_ARGUMENT", argument, "'descriptor' function is not allowed as a table function argument");
  }
  if (argument.value.kind === "TableArgument" || argument.value.kind === "DescriptorArgument") {
    throw unexpected(argument, parameter, "expression");
  }
  return constantValue(argument.value, parameter, analysis);
}

function constantValue(value: Expression, { type }: ScalarParameter, analysis: Analysis): ScalarValue {
  visitSyntax(value, (node) => {
    if (node["kind"] === "Query") {
      throw semanticError("EXPRESSION_NOT_CONSTANT", value, "Constant expression cannot contain a subquery");
    }
  });
  const scope = { fields: [], queryBoundary: true };
  const expression = analyzeExpression(value, { analysis, scope, queries: { named: new Map() }, clause: "Table function argument" });
  if (!canCoerce(expression.type, type)) {
    throw semanticError("TYPE_MISMATCH", value, `Cannot cast type ${displayType(expression.type)} to ${displayType(type)}`);
  }
  return analysis.context.evaluateConstant(coerce(expression, type));
}
