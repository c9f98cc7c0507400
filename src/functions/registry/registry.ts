/**
 * The function registry: which functions exist, their signatures, and their implementations. Resolution by name and argument types serves
 * the analyzer; listings serve SHOW FUNCTIONS; implementations serve the expression compiler and the aggregation operators.
 */
import { displayType, type Type } from "../../types/type.ts";
import type { ResolvedAggregate } from "./aggregate.ts";
import { aggregateDefinitions } from "./aggregates.ts";
import { collectionSignatures } from "../aggregate/collections.ts";
import type { AggregateDefinition, ScalarDefinition, Signature } from "./definition.ts";
import { onMicros } from "../scalar/datetime/long-timestamps.ts";
import { resolveJsonForm } from "../scalar/json/path/forms.ts";
import { type OperatorName, operatorNames } from "../operator/operator-names.ts";
import { resolveOperator } from "../operator/operators.ts";
import {
  lambdaParameters,
  mismatchMessage,
  type ResolutionFailure,
  type ResolvedScalar,
  resolveOverload,
  unexpectedParameters,
} from "./resolution.ts";
import { resolveRoutine } from "../runtime/routine-program.ts";
import { scalarDefinitions } from "./scalars.ts";
import { resolveStructure } from "../operator/structures.ts";
import { type WindowDefinition, windowDefinitions } from "./windows.ts";

function byName<T extends { readonly name: string }>(definitions: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const map = new Map<string, T[]>();
  for (const definition of definitions) {
    const known = map.get(definition.name);
    if (known === undefined) {
      map.set(definition.name, [definition]);
    } else {
      known.push(definition);
    }
  }
  return map;
}

const scalars: ReadonlyMap<string, readonly ScalarDefinition[]> = byName(scalarDefinitions);
const aggregates: ReadonlyMap<string, readonly AggregateDefinition[]> = byName(aggregateDefinitions);
const windows: ReadonlyMap<string, readonly WindowDefinition[]> = byName(windowDefinitions);

function isOperator(name: string): name is OperatorName {
  return (operatorNames as readonly string[]).includes(name);
}

/** `name` in any case, or an operator (`$add`). Resolution is idempotent: the result's argTypes resolve to themselves. */
export function resolveScalar(name: string, argTypes: readonly Type[]): ResolvedScalar | ResolutionFailure {
  if (isOperator(name)) {
    return resolveOperator(name, argTypes);
  }
  const structure = name.startsWith("$")
    ? (resolveStructure(name, argTypes) ?? resolveJsonForm(name, argTypes) ?? resolveRoutine(name, argTypes))
    : undefined;
  if (structure !== undefined) {
    return { name, deterministic: true, ...structure };
  }
  const lowerName = name.toLowerCase();
  const candidates = scalars.get(lowerName);
  if (candidates === undefined) {
    return { error: "NOT_FOUND" };
  }
  const found = resolveOverload(candidates, argTypes);
  if (found === undefined) {
    return { error: "MISMATCH", message: mismatchMessage(lowerName, candidates, argTypes) };
  }
  const { definition, returnType } = found;
  const deterministic = definition.deterministic ?? true;
  return { name: lowerName, argTypes: found.argTypes, returnType, deterministic, definition: forLong(definition, found) };
}

/** Adapts an implementation for microseconds to arguments of type timestamp with more than six digits. */
function forLong(
  definition: ScalarDefinition,
  { argTypes, returnType }: Pick<ResolvedScalar, "argTypes" | "returnType">,
): ScalarDefinition {
  const takesMoments = definition.args.some((pattern) => pattern.startsWith("timestamp(p)"));
  return takesMoments && definition.seesPicos !== true
    ? onMicros(definition, { argTypes, returnType, keepsPicos: definition.keepsPicos === true })
    : definition;
}

/** Parameter types of the lambda at `index`, one entry for each overload that accepts lambdas where `types` has gaps. */
export function lambdaCandidates(name: string, types: readonly (Type | undefined)[], index: number): readonly (readonly Type[])[] {
  const candidates = scalars.get(name.toLowerCase()) ?? [];
  return candidates.flatMap((candidate) => {
    const parameters = lambdaParameters(candidate, types, index);
    return parameters === undefined ? [] : [parameters];
  });
}

/** Message for a call that matches no overload of a scalar function; `given` as in unexpectedParameters. */
export function scalarMismatch(name: string, given: readonly string[]): string {
  const lowerName = name.toLowerCase();
  const candidates = scalars.get(lowerName);
  return candidates === undefined ? `Function '${lowerName}' not registered` : unexpectedParameters(lowerName, candidates, given);
}

/** count(*) is `count` without arguments. */
export function resolveAggregate(name: string, argTypes: readonly Type[]): ResolvedAggregate | ResolutionFailure {
  const lowerName = name.toLowerCase();
  const candidates = aggregates.get(lowerName);
  if (candidates === undefined) {
    return { error: "NOT_FOUND" };
  }
  const found = resolveOverload(candidates, argTypes);
  if (found === undefined) {
    return { error: "MISMATCH", message: mismatchMessage(lowerName, candidates, argTypes) };
  }
  const implementation = found.definition.make(found.argTypes, found.returnType);
  return {
    name: lowerName,
    argTypes: found.argTypes,
    returnType: found.returnType,
    intermediateTypes: implementation.intermediateTypes,
    deterministic: true,
    implementation,
  };
}

export interface ResolvedWindow {
  readonly name: string;
  readonly argTypes: readonly Type[];
  readonly returnType: Type;
  readonly definition: WindowDefinition;
}

/** Resolves a window function that is not an aggregate. */
export function resolveWindow(name: string, argTypes: readonly Type[]): ResolvedWindow | ResolutionFailure {
  const lowerName = name.toLowerCase();
  const candidates = windows.get(lowerName);
  if (candidates === undefined) {
    return { error: "NOT_FOUND" };
  }
  const found = resolveOverload(candidates, argTypes);
  if (found === undefined) {
    return { error: "MISMATCH", message: mismatchMessage(lowerName, candidates, argTypes) };
  }
  return { name: lowerName, argTypes: found.argTypes, returnType: found.returnType, definition: found.definition };
}

export function isWindow(name: string): boolean {
  return windows.has(name.toLowerCase());
}

export function isScalar(name: string): boolean {
  return scalars.has(name.toLowerCase());
}

export function isAggregate(name: string): boolean {
  return aggregates.has(name.toLowerCase());
}

/** A row of SHOW FUNCTIONS. */
export interface FunctionListing {
  readonly name: string;
  readonly returnType: string;
  readonly argumentTypes: string;
  readonly kind: "scalar" | "aggregate" | "window";
  readonly deterministic: boolean;
  readonly description: string;
}

/** Sorted by name, then in order of declaration. */
export function listFunctions(): readonly FunctionListing[] {
  const rows: FunctionListing[] = [];
  for (const definition of scalarDefinitions.filter(({ name }) => !name.startsWith("$"))) {
    rows.push(listing(definition, "scalar", definition.deterministic ?? true));
  }
  for (const definition of aggregateDefinitions) {
    rows.push(listing(definition, "aggregate", true));
  }
  for (const signature of collectionSignatures) {
    rows.push(listing(signature, "aggregate", true));
  }
  for (const definition of windowDefinitions) {
    rows.push(listing(definition, "window", true));
  }
  return rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function listing(definition: Signature, kind: FunctionListing["kind"], deterministic: boolean): FunctionListing {
  const { name, returns, args, description } = definition;
  return { name, returnType: returns, argumentTypes: args.join(", "), kind, deterministic, description };
}

/** Text of a resolved overload: `substr(varchar(3), bigint)`. */
export function describeCall(name: string, argTypes: readonly Type[]): string {
  return `${name}(${argTypes.map(displayType).join(", ")})`;
}
