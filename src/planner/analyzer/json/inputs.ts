/**
 * Analyzes inputs of SQL/JSON functions (documents, PASSING arguments, elements, members) and the type and format of their outputs.
 */
import type { Format, PassingOption } from "../../../functions/scalar/json/path/options.ts";
import { canCast } from "../../../functions/registry/coercion.ts";
import type { JsonArgument, JsonFormat, JsonInput, JsonReturning, Location, TypeSyntax } from "../../../sql/ast/ast.ts";
import { displayType, isCharacter, isNumeric, JSON_TYPE, type Type, VARCHAR } from "../../../types/type.ts";
import type { RowExpression } from "../../plan/typed-expression.ts";
import { cast } from "../../plan/expression-tree.ts";
import type { Environment } from "../analysis.ts";
import { notSupported, semanticError, type Placed } from "../errors.ts";
import { analyzeExpression } from "../expression/analyze-expression.ts";
import { coerce } from "../expression/functions.ts";
import { resolveType } from "../scope/types.ts";
import type { ParameterTypes } from "./paths.ts";

export interface JsonValueInput {
  readonly expression: RowExpression;
  readonly format: Format;
}

function formatText(format: JsonFormat | undefined): string {
  return format?.encoding === undefined ? "JSON" : `JSON ENCODING ${format.encoding}`;
}

function isDocument(type: Type, format: JsonFormat | undefined): boolean {
  return type.kind === "varbinary" || ((isCharacter(type) || type.kind === "json") && format?.encoding === undefined);
}

/** Analyzes the JSON document that a function reads. */
export function analyzeDocument(input: JsonInput, env: Environment): JsonValueInput {
  return documentOf(knownText(analyzeExpression(input.value, env)), input.format, input.value);
}

/** Turns an untyped NULL into a varchar. */
function knownText(expression: RowExpression): RowExpression {
  return expression.type.kind === "unknown" ? coerce(expression, VARCHAR) : expression;
}

function documentOf(expression: RowExpression, format: JsonFormat | undefined, at: Placed): JsonValueInput {
  if (!isDocument(expression.type, format)) {
    const message = `Cannot read input of type ${displayType(expression.type)} as JSON using formatting ${formatText(format)}`;
    throw semanticError("TYPE_MISMATCH", at, message);
  }
  return { expression, format: format?.encoding ?? "JSON" };
}

/**
 * Analyzes an SQL value, or a JSON value if FORMAT or the producing function says so. `keepsMoments` keeps dates and times as such instead
 * of text.
 */
export function analyzeJsonValue(
  input: JsonInput,
  env: Environment,
  { what, keepsMoments, at }: { readonly what: string; readonly keepsMoments: boolean; readonly at: Placed },
): JsonValueInput {
  const { value, format } = input;
  const analyzed = knownText(analyzeExpression(value, env));
  if (format !== undefined) {
    return documentOf(analyzed, format, value);
  }
  if (value.kind === "JsonQuery" || value.kind === "JsonObject" || value.kind === "JsonArray") {
    return documentOf(analyzed, value.returning?.format, value);
  }
  const { type } = analyzed;
  if (type.kind === "json") {
    return { expression: analyzed, format: "JSON" };
  }
  const isPlain = type.kind === "boolean" || isNumeric(type) || isCharacter(type) || (keepsMoments && isMoment(type));
  if (isPlain) {
    return { expression: analyzed, format: "SQL" };
  }
  if (!canCast(type, VARCHAR)) {
    throw notSupported(at, `Unsupported type of ${what}: ${displayType(type)}`);
  }
  return { expression: cast(analyzed, VARCHAR), format: "SQL" };
}

export function isMoment({ kind }: Type): boolean {
  return kind === "date" || kind.startsWith("time");
}

export interface Passing {
  readonly expressions: readonly RowExpression[];
  readonly options: readonly PassingOption[];
  readonly types: ParameterTypes;
}

/** PASSING: unquoted parameter names are upper case. */
export function analyzePassing(passing: readonly JsonArgument[], env: Environment, at: Placed): Passing {
  const expressions: RowExpression[] = [];
  const options: PassingOption[] = [];
  const types = new Map<string, Type | undefined>();
  for (const { input, name: identifier } of passing) {
    const name = identifier.delimited ? identifier.value : identifier.value.toUpperCase();
    if (types.has(name)) {
      throw semanticError("DUPLICATE_PARAMETER_NAME", identifier, `${name} JSON path parameter is specified more than once`);
    }
    const { expression, format } = analyzeJsonValue(input, env, { what: "JSON path parameter", keepsMoments: true, at });
    expressions.push(expression);
    options.push({ name, format });
    types.set(name, format === "SQL" ? expression.type : undefined);
  }
  return { expressions, options, types };
}

/** Type and format of a function's JSON output. */
export function outputOf(returning: JsonReturning | undefined, input: Type | undefined, at: Placed): { type: Type; format: Format } {
  if (returning === undefined) {
    return { type: input?.kind === "json" ? JSON_TYPE : VARCHAR, format: "JSON" };
  }
  return checkedOutput(typeAt(returning.type, at), returning.format, at);
}

/** For an unknown type, the error has the location of the whole function. */
export function typeAt(type: TypeSyntax, { location }: { readonly location: Location }): Type {
  return resolveType({ ...type, location });
}

export function checkedOutput(
  type: Type,
  format: JsonFormat | undefined,
  at: { readonly location: Location },
): { type: Type; format: Format } {
  if (!isDocument(type, format)) {
    throw semanticError("TYPE_MISMATCH", at, `Cannot output JSON value as ${displayType(type)} using formatting ${formatText(format)}`);
  }
  return { type, format: format?.encoding ?? "JSON" };
}
