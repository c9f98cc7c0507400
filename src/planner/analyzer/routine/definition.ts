/**
 * The definition of an SQL function: its head, checked with Trino's messages and order of checks. Bodies are analyzed at each call
 * (call.ts).
 */
import type { StoredFunction } from "../../../connectors/spi.ts";
import { displayType, type Type } from "../../../types/type.ts";
import {
  type FunctionSpecification,
  lowerName,
  type ReturnsClause,
  type RoutineCharacteristic,
  type TypeSyntax,
} from "../../../sql/ast/ast.ts";
import { printExpression } from "../../../sql/printer/printer.ts";
import { unsupportedLanguage } from "../../../sql/parser/statements/routines.ts";
import { notSupported, semanticError, type Placed } from "../errors.ts";
import { resolveType, UnknownTypeError } from "../scope/types.ts";

export interface RoutineParameter {
  readonly name: string;
  readonly type: Type;
}

export interface Routine {
  /** Last part of the name, in lower case. */
  readonly name: string;
  readonly specification: FunctionSpecification;
  readonly parameters: readonly RoutineParameter[];
  readonly returnType: Type;
  /** False for RETURNS NULL ON NULL INPUT: the result is NULL if an argument is NULL, without evaluating the body. */
  readonly calledOnNull: boolean;
  readonly deterministic: boolean;
  readonly comment?: string;
  /** Catalog and schema that store the function; absent for WITH FUNCTION. */
  readonly stored?: { readonly catalog: string; readonly schema: string; readonly definition: StoredFunction };
  /** For WITH FUNCTION: functions declared earlier. */
  readonly visible: InlineFunctions;
}

export type InlineFunctions = ReadonlyMap<string, readonly Routine[]>;

export function noInlineFunctions(): InlineFunctions {
  return new Map();
}

/** Resolves the characteristics and types of a function's head. */
export function defineRoutine(specification: FunctionSpecification, rest: Pick<Routine, "stored" | "visible">): Routine {
  const language = only(specification, "LanguageCharacteristic", "Multiple language clauses specified")?.language;
  if (language !== undefined && lowerName(language) !== "sql") {
    throw notSupported(language, unsupportedLanguage(language));
  }
  requireReturn(specification);
  const name = lowerName(specification.name.parts.at(-1) as FunctionSpecification["name"]["parts"][number]);
  if (/[@$]/.test(name)) {
    throw notSupported(specification, "Function name cannot contain '@' or '$'");
  }
  const returnType = typeOf(specification.returns.type, specification.returns);
  const parameters = routineParameters(specification);
  const comment = only(specification, "CommentCharacteristic", "Multiple comment clauses specified")?.comment;
  only(specification, "SecurityCharacteristic", "Multiple security clauses specified");
  return {
    name,
    specification,
    parameters,
    returnType,
    calledOnNull: only(specification, "NullInputCharacteristic", "Multiple null-call clauses specified")?.calledOnNull ?? true,
    deterministic: only(specification, "DeterministicCharacteristic", "Multiple deterministic clauses specified")?.deterministic ?? true,
    ...(comment === undefined || comment.trim() === "" ? {} : { comment }),
    ...rest,
  };
}

function only<K extends RoutineCharacteristic["kind"]>(
  specification: FunctionSpecification,
  kind: K,
  message: string,
): Extract<RoutineCharacteristic, { readonly kind: K }> | undefined {
  const found = specification.characteristics.filter(
    (one): one is Extract<RoutineCharacteristic, { readonly kind: K }> => one.kind === kind,
  );
  const [first, second] = found;
  if (second !== undefined) {
    throw semanticError("SYNTAX_ERROR", specification, message);
  }
  return first;
}

/** Returns undefined if SECURITY is not specified. */
export function securityOf(
  specification: FunctionSpecification,
): Extract<RoutineCharacteristic, { kind: "SecurityCharacteristic" }> | undefined {
  return only(specification, "SecurityCharacteristic", "Multiple security clauses specified");
}

/** The outermost block must end with RETURN, so that no path through the body ends without a value. */
function requireReturn({ statement }: FunctionSpecification): void {
  const last = statement.kind === "CompoundStatement" ? statement.statements.at(-1) : statement;
  if (last?.kind !== "ReturnStatement") {
    throw semanticError("MISSING_RETURN", statement, "Function must end in a RETURN statement");
  }
}

function routineParameters({ parameters }: FunctionSpecification): readonly RoutineParameter[] {
  const names = new Set<string>();
  return parameters.map((parameter) => {
    if (parameter.name === undefined) {
      throw semanticError("INVALID_ARGUMENTS", parameter, "Function parameters must have a name");
    }
    const name = lowerName(parameter.name);
    if (names.has(name)) {
      throw semanticError("INVALID_ARGUMENTS", parameter, `Duplicate function parameter name: ${printExpression(parameter.name)}`);
    }
    names.add(name);
    return { name, type: typeOf(parameter.type, parameter) };
  });
}

/** As in Trino, the error location is that of the parameter, variable or RETURNS clause. */
export function typeOf(syntax: TypeSyntax, at: ReturnsClause | Placed): Type {
  try {
    return resolveType(syntax);
  } catch (error) {
    if (!(error instanceof UnknownTypeError)) {
      throw error;
    }
    throw new UnknownTypeError(at, error.typeText);
  }
}

/** `f(bigint, varchar):bigint` */
export function signatureText({ name, parameters, returnType }: Routine): string {
  return `${name}(${parameters.map(({ type }) => displayType(type)).join(",")}):${displayType(returnType)}`;
}

/** Identifies an overload within a catalog. */
export function signatureToken(types: readonly Type[]): string {
  return `(${types.map(displayType).join(",")})`;
}
