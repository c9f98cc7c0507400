/**
 * Resolves calls of SQL functions: functions of WITH FUNCTION by name, catalog functions by qualified name or by the session's path.
 */
import type { StoredFunction } from "../../../connectors/spi.ts";
import { canCoerce } from "../../../functions/registry/coercion.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { type FunctionCall, lowerName, lowerParts, type QualifiedName } from "../../../sql/ast/ast.ts";
import { parseFunctionSpecification, parsePath } from "../../../sql/parser/parser.ts";
import { visitSyntax } from "../../../sql/ast/walk.ts";
import { sameType, type Type } from "../../../types/type.ts";
import type { PlanContext, PlanSession } from "../../context.ts";
import { defineRoutine, noInlineFunctions, type Routine } from "./definition.ts";

export interface FunctionName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** Catalog functions that a statement references, each loaded once. An error represents a stored function that cannot be read. */
export type FunctionLookups = Map<string, readonly (Routine | QueryError)[]>;

/** Catalogs and schemas of a path in SET PATH syntax. Unreadable paths are empty, and elements without a catalog are skipped. */
export function pathOf({ catalog, path }: PlanSession): readonly Omit<FunctionName, "name">[] {
  if (path === undefined || path === "") {
    return [];
  }
  return readPath(path).flatMap((parts) => {
    const [first, second] = parts.map(lowerName);
    if (first === undefined) {
      return [];
    }
    if (second !== undefined) {
      return [{ catalog: first, schema: second }];
    }
    return catalog === undefined ? [] : [{ catalog, schema: first }];
  });
}

function readPath(path: string): readonly QualifiedName["parts"][] {
  try {
    return parsePath(path).map(({ parts }) => parts);
  } catch (error) {
    if (error instanceof QueryError) {
      return [];
    }
    throw error;
  }
}

/** Candidate names in lookup order. A name of two parts belongs to the session's catalog. */
export function functionNames(name: QualifiedName, session: PlanSession): readonly FunctionName[] {
  const [first, second, third, ...more] = lowerParts(name);
  if (first === undefined || more.length > 0) {
    return [];
  }
  if (second === undefined) {
    return pathOf(session).map((place) => ({ ...place, name: first }));
  }
  if (third !== undefined) {
    return [{ catalog: first, schema: second, name: third }];
  }
  return session.catalog === undefined ? [] : [{ catalog: session.catalog, schema: first, name: second }];
}

export function functionKey({ catalog, schema, name }: FunctionName): string {
  return JSON.stringify([catalog, schema, name]);
}

/** Names of all functions called in a syntax tree. */
export function calledFunctions(root: object): readonly QualifiedName[] {
  const names: QualifiedName[] = [];
  visitSyntax(root, (node) => {
    if (node["kind"] === "FunctionCall") {
      names.push((node as unknown as FunctionCall).name);
    }
  });
  return names;
}

export async function lookUpFunctions(name: FunctionName, context: PlanContext): Promise<readonly (Routine | QueryError)[]> {
  const metadata = context.catalogs.connector(name.catalog)?.metadata;
  const definitions = (await metadata?.getFunctions?.({ schema: name.schema, name: name.name })) ?? [];
  return definitions.map((definition) => readFunction(name, definition));
}

export function readFunction({ catalog, schema, name }: FunctionName, definition: StoredFunction): Routine | QueryError {
  try {
    const specification = parseFunctionSpecification(definition.sql);
    return { ...defineRoutine(specification, { stored: { catalog, schema, definition }, visible: noInlineFunctions() }), name };
  } catch (error) {
    if (error instanceof QueryError) {
      return error;
    }
    throw error;
  }
}

/** Session in which the body of a catalog function is analyzed: with the stored path and owner. */
export function routineSession({ stored }: Routine, session: PlanSession): PlanSession {
  if (stored === undefined) {
    return session;
  }
  const { path: _path, ...rest } = session;
  const { owner, path } = stored.definition;
  return { ...rest, user: owner ?? session.user, ...(path === undefined ? {} : { path }) };
}

/**
 * Returns the overloads that accept the argument types, exactly or by coercion: none, the most specific one, or several of which none is
 * the most specific. Of equal overloads, the first wins.
 */
export function matchRoutine(candidates: readonly Routine[], types: readonly Type[]): readonly Routine[] {
  const fits = (accepts: (from: Type, to: Type) => boolean) =>
    candidates.filter(
      ({ parameters }) => parameters.length === types.length && parameters.every(({ type }, index) => accepts(types[index] as Type, type)),
    );
  const [exact] = fits(sameType);
  if (exact !== undefined) {
    return [exact];
  }
  const nearly = fits((from, to) => from.kind === "unknown" || sameType(from, to));
  const coercible = nearly.length === 0 ? fits(canCoerce) : nearly;
  const most = coercible.find((one) => coercible.every((other) => isMoreSpecific(one, other)));
  return most === undefined ? coercible : [most];
}

/** Searches the schemas of the path in order; the first with a match wins. */
export function matchInPath(candidates: readonly Routine[], types: readonly Type[]): readonly Routine[] {
  const places = new Map<string, Routine[]>();
  for (const routine of candidates) {
    const place = JSON.stringify([routine.stored?.catalog, routine.stored?.schema]);
    places.set(place, [...(places.get(place) ?? []), routine]);
  }
  for (const routines of places.values()) {
    const found = matchRoutine(routines, types);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function isMoreSpecific(one: Routine, other: Routine): boolean {
  return one.parameters.every(({ type }, index) => canCoerce(type, (other.parameters[index] as Routine["parameters"][number]).type));
}
