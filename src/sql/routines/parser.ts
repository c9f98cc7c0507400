/** Functions written in SQL: their head and CREATE and DROP FUNCTION. The statements of their bodies are in parser-control.ts. */
import type { Location } from "../expressions.ts";
import { parseType } from "../parser-types.ts";
import type { TokenStream } from "../token-stream.ts";
import type { CreateFunction, DropFunction, FunctionSpecification, ParameterDeclaration, RoutineCharacteristic } from "./nodes.ts";
import { parseControlStatement } from "./parser-control.ts";

/** `WITH FUNCTION f(...)`. The word may also name a query: `WITH function AS (...)`, `WITH function (a) AS (...)`. */
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
    const returnsLocation = tokens.location();
    tokens.expect("RETURNS");
    const returns = { kind: "ReturnsClause", type: parseType(tokens), location: returnsLocation } as const;
    const characteristics: RoutineCharacteristic[] = [];
    for (let next = parseCharacteristic(tokens); next !== undefined; next = parseCharacteristic(tokens)) {
      characteristics.push(next);
    }
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

/** Two words are a name and a type, except where they are a type of two words. */
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
  if (tokens.acceptWords("RETURNS", "NULL", "ON", "NULL", "INPUT")) {
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

/** Behind `CREATE [OR REPLACE]`. */
export function parseCreateFunction(tokens: TokenStream, location: Location, replace: boolean): CreateFunction {
  return { kind: "CreateFunction", specification: parseFunctionSpecification(tokens), replace, location };
}

/** Behind `DROP FUNCTION [IF EXISTS]`. */
export function parseDropFunction(tokens: TokenStream, location: Location, ifExists: boolean): DropFunction {
  const name = tokens.expectQualifiedName();
  return { kind: "DropFunction", name, parameters: parseParameters(tokens), ifExists, location };
}
