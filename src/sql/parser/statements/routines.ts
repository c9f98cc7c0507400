/**
 * Parses SQL functions: their head, CREATE FUNCTION and DROP FUNCTION. Bodies are parsed by statements/routine-control.ts.
 */
import { QueryError } from "../../../protocol/errors.ts";
import { lowerName } from "../../ast/ast.ts";
import type { Identifier, Location } from "../../ast/expression-nodes.ts";
import { parseType } from "../types.ts";
import type { TokenStream } from "../token-stream.ts";
import type {
  CreateFunction,
  DropFunction,
  FunctionSpecification,
  ParameterDeclaration,
  RoutineCharacteristic,
} from "../../ast/routines.ts";
import { parseControlStatement } from "./routine-control.ts";

/** `WITH FUNCTION f(...)`. FUNCTION may also be the name of a query: `WITH function AS (...)`, `WITH function (a) AS (...)`. */
export function startsFunctions(tokens: TokenStream): boolean {
  return tokens.looksAt("WITH") && tokens.looksAt("FUNCTION", 1) && tokens.looksAtIdentifier(2);
}

/** `WITH FUNCTION f(...) ..., FUNCTION g(...) ...` */
export function parseFunctions(tokens: TokenStream): readonly FunctionSpecification[] {
  tokens.expect("WITH");
  return tokens.list(() => parseFunctionSpecification(tokens));
}

export function parseFunctionSpecification(tokens: TokenStream): FunctionSpecification {
  return tokens.nested(() => {
    const location = tokens.location();
    tokens.expect("FUNCTION");
    const name = tokens.expectQualifiedName();
    const parameters = parseParameters(tokens);
    // Trino's grammar has the characteristics after RETURNS; examples in its documentation have them before.
    const before = parseCharacteristics(tokens);
    const returnsLocation = tokens.location();
    tokens.expect("RETURNS");
    const returns = { kind: "ReturnsClause", type: parseType(tokens), location: returnsLocation } as const;
    const characteristics = [...before, ...parseCharacteristics(tokens)];
    refuseOtherLanguage(tokens, characteristics);
    const statement = parseControlStatement(tokens);
    return { kind: "FunctionSpecification", name, parameters, returns, characteristics, statement, location };
  });
}

function parseParameters(tokens: TokenStream): readonly ParameterDeclaration[] {
  tokens.expect("(");
  if (tokens.accept(")")) {
    return [];
  }
  const parameters = tokens.list(() => parseParameter(tokens));
  tokens.expect(")");
  return parameters;
}

function parseParameter(tokens: TokenStream): ParameterDeclaration {
  const location = tokens.location();
  const name = startsNamed(tokens) ? { name: tokens.expectIdentifier() } : {};
  return { kind: "ParameterDeclaration", ...name, type: parseType(tokens), location };
}

/** Two words are a name and a type, unless they are a type of two words. */
function startsNamed(tokens: TokenStream): boolean {
  if (!tokens.looksAtIdentifier() || !tokens.looksAtIdentifier(1)) {
    return false;
  }
  const endsBehind = tokens.looksAt(",", 2) || tokens.looksAt(")", 2);
  if (tokens.looksAt("ARRAY", 1)) {
    return !endsBehind && !tokens.looksAt("[", 2);
  }
  if (tokens.looksAt("DOUBLE") && tokens.looksAt("PRECISION", 1)) {
    return !endsBehind;
  }
  if (tokens.looksAt("INTERVAL")) {
    return !tokens.looksAt("TO", 2);
  }
  return !((tokens.looksAt("TIME") || tokens.looksAt("TIMESTAMP")) && tokens.looksAt("WITHOUT", 1));
}

function parseCharacteristics(tokens: TokenStream): readonly RoutineCharacteristic[] {
  const characteristics: RoutineCharacteristic[] = [];
  for (let next = parseCharacteristic(tokens); next !== undefined; next = parseCharacteristic(tokens)) {
    characteristics.push(next);
  }
  return characteristics;
}

/** `LANGUAGE PYTHON WITH (handler = 'f') AS $$...$$`: only SQL is supported. */
function refuseOtherLanguage(tokens: TokenStream, characteristics: readonly RoutineCharacteristic[]): void {
  const other = characteristics.find((one) => one.kind === "LanguageCharacteristic" && lowerName(one.language) !== "sql");
  if (other?.kind === "LanguageCharacteristic" && (tokens.looksAt("AS") || tokens.looksAt("WITH"))) {
    throw new QueryError("NOT_SUPPORTED", unsupportedLanguage(other.language), other.language.location);
  }
}

export function unsupportedLanguage({ delimited, value }: Identifier): string {
  return `Unsupported function language: ${delimited ? value : value.toUpperCase()}`;
}

function parseCharacteristic(tokens: TokenStream): RoutineCharacteristic | undefined {
  const location = tokens.location();
  if (tokens.accept("LANGUAGE")) {
    return { kind: "LanguageCharacteristic", language: tokens.expectIdentifier(), location };
  }
  if (tokens.accept("DETERMINISTIC")) {
    return { kind: "DeterministicCharacteristic", deterministic: true, location };
  }
  if (tokens.acceptWords("NOT", "DETERMINISTIC")) {
    return { kind: "DeterministicCharacteristic", deterministic: false, location };
  }
  if (tokens.looksAt("NULL", 1) && tokens.acceptWords("RETURNS", "NULL", "ON", "NULL", "INPUT")) {
    return { kind: "NullInputCharacteristic", calledOnNull: false, location };
  }
  if (tokens.acceptWords("CALLED", "ON", "NULL", "INPUT")) {
    return { kind: "NullInputCharacteristic", calledOnNull: true, location };
  }
  if (tokens.accept("SECURITY")) {
    return { kind: "SecurityCharacteristic", security: tokens.expectOneOf(["DEFINER", "INVOKER"]), location };
  }
  return tokens.accept("COMMENT") ? { kind: "CommentCharacteristic", comment: tokens.expectString(), location } : undefined;
}

/** Parses the rest after `CREATE [OR REPLACE]`. */
export function parseCreateFunction(tokens: TokenStream, location: Location, replace: boolean): CreateFunction {
  return { kind: "CreateFunction", specification: parseFunctionSpecification(tokens), replace, location };
}

/** Parses the rest after `DROP FUNCTION [IF EXISTS]`. */
export function parseDropFunction(tokens: TokenStream, location: Location, ifExists: boolean): DropFunction {
  const name = tokens.expectQualifiedName();
  return { kind: "DropFunction", name, parameters: parseParameters(tokens), ifExists, location };
}
