/**
 * Results of SQL/JSON functions from the items of a path: SQL scalars, JSON text, and the ON EMPTY and ON ERROR behaviors.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { displayType, type Type } from "../../../../types/type.ts";
import type { HostLambda, HostValue } from "../../../registry/definition.ts";
import { JsonError, outputError, valueError } from "./errors.ts";
import { type Item, type Items, scalarOf, textItem } from "./items.ts";
import { isNestedItem, textOfItem, writeJson } from "./json-text.ts";
import type { QueryBehavior, QueryClauses, ValueBehaviors } from "./options.ts";
import { castScalar } from "./scalar-casts.ts";

/** The result of a computation, or the error for ON ERROR. */
export function attempt<T>(compute: () => T): T | JsonError {
  try {
    return compute();
  } catch (error) {
    if (error instanceof JsonError) {
      return error;
    }
    throw error;
  }
}

/** The DEFAULT lambdas in order: ON EMPTY, ON ERROR. */
export interface Defaults {
  readonly onEmpty: HostLambda | undefined;
  readonly onError: HostLambda | undefined;
}

export function defaultsOf({ onEmpty, onError }: ValueBehaviors, lambdas: readonly HostLambda[]): Defaults {
  const first = onEmpty === "DEFAULT" ? lambdas[0] : undefined;
  return { onEmpty: first, onError: onError === "DEFAULT" ? lambdas[first === undefined ? 0 : 1] : undefined };
}

function orError(behaviors: ValueBehaviors, defaults: Defaults, error: () => QueryError): HostValue {
  switch (behaviors.onError) {
    case "NULL":
      return null;
    case "DEFAULT":
      return (defaults.onError as HostLambda)();
    case "ERROR":
      throw error();
  }
}

/** The scalar that the path selects, as a value of `type`. */
export function valueOfItems(found: Items | JsonError, type: Type, behaviors: ValueBehaviors, defaults: Defaults): HostValue {
  if (!(found instanceof JsonError) && found.length === 0) {
    switch (behaviors.onEmpty) {
      case "NULL":
        return null;
      case "ERROR":
        throw valueError("JSON path found no items").toQueryError();
      case "DEFAULT": {
        const made = (defaults.onEmpty as HostLambda)() as readonly HostValue[] | null;
        // With ERROR ON ERROR the default raises its own error.
        return made === null
          ? orError(behaviors, defaults, () => valueError("JSON path found no items").toQueryError())
          : (made[0] ?? null);
      }
    }
  }
  const value = found instanceof JsonError ? found : attempt(() => scalarValue(found, type));
  return value instanceof JsonError ? orError(behaviors, defaults, () => value.toQueryError()) : value;
}

/** Throws JsonError. */
function scalarValue(found: Items, type: Type): HostValue {
  const [item] = found;
  if (found.length !== 1 || item === undefined) {
    throw valueError("JSON path found multiple items");
  }
  if (item === null) {
    return null;
  }
  const scalar = attempt(() => scalarOf(item));
  if (scalar === undefined || scalar instanceof JsonError) {
    throw valueError("JSON path found an item that cannot be converted to an SQL value");
  }
  try {
    return castScalar(scalar.value, scalar.type, type);
  } catch (error) {
    if (error instanceof QueryError) {
      const types = `${displayType(scalar.type)} to declared return type of function JSON_VALUE: ${displayType(type)}`;
      throw valueError(`Cannot cast value of type ${types}`);
    }
    throw error;
  }
}

const emptyTexts = Object.freeze({ "EMPTY ARRAY": "[]", "EMPTY OBJECT": "{}" });

/** The JSON that the path selects, as a value of `type`. */
export function queryOfItems(found: Items | JsonError, type: Type, clauses: QueryClauses): HostValue {
  const behave = (behavior: QueryBehavior, error: () => JsonError): HostValue => {
    switch (behavior) {
      case "NULL":
        return null;
      case "ERROR":
        throw error().toQueryError();
      default:
        return writeJson(emptyTexts[behavior], type, clauses.output);
    }
  };
  if (found instanceof JsonError) {
    return behave(clauses.onError, () => found);
  }
  if (found.length === 0) {
    return behave(clauses.onEmpty, () => outputError("JSON path found no items"));
  }
  const text = attempt(() => queryText(found, clauses));
  return text instanceof JsonError ? behave(clauses.onError, () => text) : writeJson(text, type, clauses.output);
}

/** Throws JsonError. */
function queryText(found: Items, { wrapper, quotes }: QueryClauses): string {
  const [first] = found as readonly [Item];
  const wraps = wrapper === "UNCONDITIONAL" || (wrapper === "CONDITIONAL" && !(found.length === 1 && isNestedItem(first)));
  const texts = found.map(textOfItem);
  if (wraps) {
    return `[${texts.join(",")}]`;
  }
  if (found.length > 1) {
    throw outputError("JSON path found multiple items");
  }
  return (quotes === "OMIT" ? textItem(first) : undefined) ?? (texts[0] as string);
}
