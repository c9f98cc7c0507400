/**
 * Overload resolution: an exact match, else the most specific match with coercions (Presto's FunctionResolver).
 */
import {
  BIGINT,
  BING_TILE,
  BOOLEAN,
  charLengthMax,
  charType,
  COLOR,
  DATE,
  decimalType,
  displayType,
  DOUBLE,
  GEOMETRY,
  HYPER_LOG_LOG,
  INTEGER,
  INTERVAL_DAY_TO_SECOND,
  INTERVAL_YEAR_TO_MONTH,
  IPADDRESS,
  IPPREFIX,
  JSON_TYPE,
  isComparable,
  isOrderable,
  P4_HYPER_LOG_LOG,
  REAL,
  REGRESSOR,
  sameType,
  SET_DIGEST,
  SMALLINT,
  SPHERICAL_GEOGRAPHY,
  TDIGEST,
  TIMESTAMP,
  TINYINT,
  type Type,
  UNKNOWN,
  UUID,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../types/type.ts";
import { canCoerce, decimalOf } from "./coercion.ts";
import type { ScalarDefinition, Signature } from "./definition.ts";
import { bind, type Binding, parsePattern, substitutePattern, type TypePattern } from "./type-patterns.ts";

/** A call of a scalar function or an operator after resolution. */
export interface ResolvedScalar {
  readonly name: string;
  /** Types after coercion; a plan casts the arguments to exactly these. */
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  readonly deterministic: boolean;
  readonly definition: Pick<
    ScalarDefinition,
    "emit" | "givesNull" | "host" | "makeHost" | "makeWithLambdas" | "math" | "nulls" | "total" | "withLambdas"
  >;
}

/** A call whose types its own rules decide, as no pattern of a signature can say them: row constructors, fields, keys. */
export type ResolvedStructure = Pick<ResolvedScalar, "argTypes" | "definition" | "returnType">;

export type ResolutionFailure =
  /** FUNCTION_NOT_FOUND `Function 'f' not registered` */
  | { readonly error: "NOT_FOUND" }
  /** FUNCTION_NOT_FOUND for functions, TYPE_MISMATCH for operators. */
  | { readonly error: "MISMATCH"; readonly message: string };

const namedTypes: Readonly<Record<string, Type>> = Object.freeze({
  boolean: BOOLEAN,
  tinyint: TINYINT,
  smallint: SMALLINT,
  integer: INTEGER,
  bigint: BIGINT,
  real: REAL,
  double: DOUBLE,
  varchar: VARCHAR,
  varbinary: VARBINARY,
  date: DATE,
  unknown: UNKNOWN,
  json: JSON_TYPE,
  uuid: UUID,
  ipaddress: IPADDRESS,
  ipprefix: IPPREFIX,
  color: COLOR,
  HyperLogLog: HYPER_LOG_LOG,
  P4HyperLogLog: P4_HYPER_LOG_LOG,
  tdigest: TDIGEST,
  setdigest: SET_DIGEST,
  Geometry: GEOMETRY,
  SphericalGeography: SPHERICAL_GEOGRAPHY,
  BingTile: BING_TILE,
  Regressor: REGRESSOR,
  "interval day to second": INTERVAL_DAY_TO_SECOND,
  "interval year to month": INTERVAL_YEAR_TO_MONTH,
});

/** Coercions allowed in one round; a round is tried if the previous one finds no overload. */
interface Round {
  readonly coerce: boolean;
  /** In Presto, a function of varchar takes char(n) only through an explicit cast. Here the cast is implicit, with the same padding. */
  readonly charToVarchar: boolean;
}

const rounds: readonly Round[] = Object.freeze([
  { coerce: false, charToVarchar: false },
  { coerce: true, charToVarchar: false },
  { coerce: true, charToVarchar: true },
]);

function coercesForFunction(from: Type, to: Type, { charToVarchar }: Round): boolean {
  return canCoerce(from, to) || (charToVarchar && from.kind === "char" && to.kind === "varchar");
}

/** Argument type after coercion to a pattern without type variables; undefined if the argument does not match. */
function matchPattern(pattern: string, type: Type, round: Round): Type | undefined {
  const { coerce, charToVarchar } = round;
  switch (pattern) {
    case "any":
      return type.kind === "function" ? undefined : type;
    case "varchar":
    case "varchar(x)":
      if (type.kind === "varchar") {
        return type;
      }
      if (type.kind === "char") {
        return charToVarchar ? varcharType(type.length) : undefined;
      }
      return coerce && type.kind === "unknown" ? VARCHAR : undefined;
    case "char(x)":
      if (type.kind === "char") {
        return type;
      }
      if (coerce && type.kind === "varchar" && type.length !== undefined && type.length <= charLengthMax) {
        return charType(type.length);
      }
      return coerce && type.kind === "unknown" ? charType(1) : undefined;
    case "decimal(p,s)":
      if (type.kind === "decimal") {
        return type;
      }
      return coerce
        ? type.kind === "unknown"
          ? decimalType(1, 0)
          : canCoerce(type, decimalOf(type))
            ? decimalOf(type)
            : undefined
        : undefined;
    case "timestamp(p)":
      if (type.kind === "timestamp") {
        return type;
      }
      if (coerce && type.kind === "date") {
        return { kind: "timestamp", precision: 0 };
      }
      return coerce && type.kind === "unknown" ? TIMESTAMP : undefined;
    case "timestamp(p) with time zone":
    case "time(p)":
    case "time(p) with time zone":
      return matchZoned(pattern, type, coerce);
    default: {
      const wanted = namedTypes[pattern];
      if (wanted === undefined) {
        throw new Error(`no such type pattern: ${pattern}`);
      }
      return type.kind === wanted.kind ? type : coerce && coercesForFunction(type, wanted, round) ? wanted : undefined;
    }
  }
}

function matchZoned(pattern: string, type: Type, coerce: boolean): Type | undefined {
  const kind = pattern.replace("(p)", "") as "timestamp with time zone" | "time" | "time with time zone";
  if (type.kind === kind) {
    return type;
  }
  if (!coerce) {
    return undefined;
  }
  const precision = type.kind === "timestamp" || type.kind === "time" ? type.precision : type.kind === "date" ? 0 : 3;
  const wanted: Type = { kind, precision };
  return type.kind === "unknown" || canCoerce(type, wanted) ? wanted : undefined;
}

function patternsFor(signature: Signature, count: number): readonly string[] | undefined {
  const { args } = signature;
  if (signature.variadic !== true) {
    return args.length === count ? args : undefined;
  }
  if (count < args.length) {
    return undefined;
  }
  const last = args[args.length - 1] as string;
  return [...args, ...Array.from({ length: count - args.length }, () => last)];
}

interface Match {
  readonly argTypes: readonly Type[];
  readonly binding: Binding;
}

function matchSignature(signature: Signature, types: readonly Type[], round: Round): Match | undefined {
  const { coerce } = round;
  const patterns = patternsFor(signature, types.length)?.map(parsePattern);
  const binding: Binding = new Map();
  if (patterns === undefined || !patterns.every((pattern, index) => bind(pattern, types[index] as Type, coerce, binding))) {
    return undefined;
  }
  if (![...binding].every(([variable, type]) => satisfies(signature, variable, type))) {
    return undefined;
  }
  const matched: Type[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const given = types[index] as Type;
    const type = substitutePattern(pattern, given, binding, (leaf, inner) => matchPattern(leaf, inner, round));
    if (type === undefined || (pattern.inner.length > 0 && !fits(given, type, coerce))) {
      return undefined;
    }
    matched.push(type);
  }
  return { argTypes: matched, binding };
}

/** Whether the types bound to the signature's variables satisfy its constraint. */
export function satisfiesConstraint(signature: Signature, types: readonly Type[]): boolean {
  const binding: Binding = new Map();
  const fit = signature.args.every((pattern, index) => {
    const type = types[index];
    return type === undefined || bind(parsePattern(pattern), type, true, binding);
  });
  return fit && [...binding].every(([variable, type]) => satisfies(signature, variable, type));
}

function satisfies({ constraint, constrained }: Signature, variable: string, type: Type): boolean {
  if (constraint === undefined || constrained?.includes(variable) === false) {
    return true;
  }
  return constraint === "orderable" ? isOrderable(type) : isComparable(type);
}

function fits(given: Type, wanted: Type, coerce: boolean): boolean {
  if (given.kind === "function" && wanted.kind === "function") {
    return given.args.every((type, index) => sameType(type, wanted.args[index] as Type)) && fits(given.result, wanted.result, true);
  }
  return coerce ? canCoerce(given, wanted) : sameType(given, wanted);
}

function returnTypeOf(signature: Signature, patterns: readonly string[], { argTypes, binding }: Match): Type {
  if (signature.returnType !== undefined) {
    return signature.returnType(argTypes);
  }
  const index = patterns.indexOf(signature.returns);
  if (index >= 0 && (signature.returns === "T" || signature.returns.includes("("))) {
    return argTypes[index] as Type;
  }
  const type = substitutePattern(parsePattern(signature.returns), UNKNOWN, binding, (leaf) => namedTypes[leaf]);
  if (type === undefined) {
    throw new Error(`function ${signature.name} does not say what ${signature.returns} is`);
  }
  return type;
}

/** Parameter types of the lambda at `index`, as far as the other arguments determine them; undefined if the parameter is not a function. */
export function lambdaParameters(signature: Signature, types: readonly (Type | undefined)[], index: number): readonly Type[] | undefined {
  const patterns = patternsFor(signature, types.length)?.map(parsePattern);
  const pattern = patterns?.[index];
  if (patterns === undefined || pattern?.kind !== "function") {
    return undefined;
  }
  const binding: Binding = new Map();
  for (const [position, other] of patterns.entries()) {
    const type = types[position];
    if ((type === undefined) !== (other.kind === "function") && (type === undefined || type.kind !== "function")) {
      return undefined;
    }
    if (type !== undefined && !bind(other, type, true, binding)) {
      return undefined;
    }
  }
  const leafType = (leaf: string) => namedTypes[leaf];
  const found = pattern.inner.slice(0, -1).map((part) => substitutePattern(part, UNKNOWN, binding, leafType));
  return found.every((type) => type !== undefined) ? found : undefined;
}

export interface Resolution<S extends Signature> {
  readonly definition: S;
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
}

/** The overload for the argument types, or undefined. `candidates` share a name; on a tie the earlier one wins. */
export function resolveOverload<S extends Signature>(candidates: readonly S[], types: readonly Type[]): Resolution<S> | undefined {
  for (const round of rounds) {
    const matches = candidates.flatMap((definition) => {
      const match = matchSignature(definition, types, round);
      return match === undefined ? [] : [{ definition, match, argTypes: match.argTypes }];
    });
    const best =
      matches.find((match) => matches.every((other) => other === match || isMoreSpecific(match.argTypes, other.argTypes))) ?? matches[0];
    if (best !== undefined) {
      const { definition, match, argTypes } = best;
      const patterns = patternsFor(definition, types.length) as readonly string[];
      return { definition, argTypes, returnType: returnTypeOf(definition, patterns, match) };
    }
  }
  return undefined;
}

function isMoreSpecific(a: readonly Type[], b: readonly Type[]): boolean {
  return a.every((type, index) => canCoerce(type, b[index] as Type));
}

/** `Unexpected parameters (integer, varchar(1)) for function f. Expected: f(double) , f(T) T:orderable` */
export function mismatchMessage(name: string, candidates: readonly Signature[], types: readonly Type[]): string {
  return unexpectedParameters(name, candidates, types.map(displayType));
}

/** `given` lists the arguments as the message shows them: type names, and a placeholder for lambdas. */
export function unexpectedParameters(name: string, candidates: readonly Signature[], given: readonly string[]): string {
  const expected = candidates.map((candidate) => {
    const args = candidate.variadic === true ? [...candidate.args.slice(0, -1), `${candidate.args.at(-1)}...`] : candidate.args;
    return `${name}(${args.join(", ")}) ${constraintsOf(candidate)}`;
  });
  return `Unexpected parameters (${given.join(", ")}) for function ${name}. Expected: ${expected.join(", ")}`;
}

/** The type variables of a signature in Presto's form: `K:orderable, V`. Constrained variables come first. */
function constraintsOf({ args, returns, constraint, constrained }: Signature): string {
  const variables = new Set([...args, returns].flatMap((pattern) => variablesOf(parsePattern(pattern))));
  const isConstrained = (variable: string) => constraint !== undefined && (constrained?.includes(variable) ?? true);
  const names = [...variables];
  return [
    ...names.filter(isConstrained).map((variable) => `${variable}:${constraint}`),
    ...names.filter((variable) => !isConstrained(variable)),
  ].join(", ");
}

function variablesOf({ kind, text, inner }: TypePattern): readonly string[] {
  return kind === "variable" ? [text] : inner.flatMap(variablesOf);
}
