/**
 * Evaluates a path over one JSON value; each path node produces a sequence of items. Lax mode unwraps arrays, wraps non-arrays as the
 * standard requires, and ignores missing members. Strict mode reports errors instead.
 */
import { QueryError } from "../../../../protocol/errors.ts";
import { DATE, displayType, DOUBLE, INTEGER, type Type, varcharType } from "../../../../types/type.ts";
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from "../json-values.ts";
import { arithmetic, isNegative, negated, wholeNumber } from "./arithmetic.ts";
import { itemTypeError, PathError, structuralError } from "./errors.ts";
import { isSqlItem, type Item, type Items, kindOf, numberItem, scalarOf, SqlItem, textItem } from "./items.ts";
import type { JsonPath, PathMethod, PathNode, PathSubscript } from "./path.ts";
import { type InnerPaths, type PathSurroundings, PredicateEvaluator } from "./predicates.ts";
import { castScalar } from "./scalar-casts.ts";

/** Maximum number of items in a sequence: a short path can produce very many. */
const itemsMax = 1_000_000;

/** Maximum number of items that the filters of an evaluation read: one in another reads its items for each of the other's. */
const readItemsMax = 5_000_000;

/** Length of the longest type name. */
const typeNameType: Type = varcharType(27);

export class PathEvaluator implements InnerPaths {
  readonly isLax: boolean;
  readonly #root: PathNode;
  readonly #predicates: PredicateEvaluator;
  #input: Item = null;
  #parameters: ReadonlyMap<string, Items> = new Map();
  #objects = 0;
  #readItems = 0;

  constructor(path: JsonPath) {
    this.isLax = path.mode === "lax";
    this.#root = path.root;
    this.#predicates = new PredicateEvaluator(this);
  }

  /** Throws PathError. */
  evaluate(input: Item, parameters: ReadonlyMap<string, Items>): Items {
    this.#input = input;
    this.#parameters = parameters;
    this.#objects = 0;
    this.#readItems = 0;
    return this.sequence(this.#root, {});
  }

  sequence(node: PathNode, around: PathSurroundings): Items {
    const items = this.#sequence(node, around);
    if (around.current !== undefined) {
      this.#countRead(items.length);
    }
    return items;
  }

  #countRead(items: number): void {
    this.#readItems += 1 + items;
    if (this.#readItems > readItemsMax) {
      throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON path reads more than ${readItemsMax} items in filters`);
    }
  }

  #sequence(node: PathNode, around: PathSurroundings): Items {
    switch (node.kind) {
      case "literal":
        return [node.item];
      case "context":
        return [this.#input];
      case "variable":
        return this.#parameters.get(node.name) ?? [];
      case "last":
        return [lastOf(around)];
      case "current":
        return [currentOf(around)];
      case "sign":
        return this.#signed(node.sign, this.sequence(node.base, around));
      case "arithmetic":
        return [arithmetic(node.operator, this.#operand(node.left, around), this.#operand(node.right, around))];
      case "member":
        return this.#members(this.sequence(node.base, around), node.name);
      case "descendant":
        return descendants(this.sequence(node.base, around), node.name);
      case "elements":
        return this.#elements(this.sequence(node.base, around), node.subscripts, around);
      case "filter":
        return this.unwrapped(this.sequence(node.base, around)).filter(
          (item) => this.#predicates.evaluate(node.predicate, { ...around, current: { item } }) === true,
        );
      case "method":
        return this.#method(node.method, this.sequence(node.base, around));
    }
  }

  /** In lax mode, replaces arrays by their elements. */
  unwrapped(items: Items): Items {
    if (!this.isLax || !items.some(isArray)) {
      return items;
    }
    const found: Item[] = [];
    for (const item of items) {
      const elements: Items = isArray(item) ? item : [item];
      take(found, elements, 0, elements.length - 1);
    }
    return found;
  }

  #operand(node: PathNode, around: PathSurroundings): SqlItem {
    const items = this.unwrapped(this.sequence(node, around));
    const [only] = items;
    if (only === undefined || items.length !== 1) {
      throw new PathError("arithmetic binary expression requires singleton operands");
    }
    // A SQL value that is not a number is passed on: its type may support the operator.
    return isSqlItem(only) ? only : requireNumber(only);
  }

  #signed(sign: "+" | "-", items: Items): Items {
    const numbers = this.unwrapped(items).map(requireNumber);
    return sign === "+" ? numbers : numbers.map(negated);
  }

  #members(items: Items, name: string | undefined): Items {
    const found: Item[] = [];
    for (const item of this.unwrapped(items)) {
      if (!isObject(item)) {
        if (!this.isLax) {
          throw itemTypeError("OBJECT", nameOf(item));
        }
        continue;
      }
      if (name === undefined) {
        for (const value of item.values()) {
          found.push(value);
        }
        continue;
      }
      const value = item.get(name);
      if (value !== undefined) {
        found.push(value);
      } else if (!this.isLax) {
        throw structuralError(`missing member '${name}' in JSON object`);
      }
    }
    return found;
  }

  #elements(items: Items, subscripts: readonly PathSubscript[], around: PathSurroundings): Items {
    const found: Item[] = [];
    for (const item of items) {
      if (!isArray(item) && !this.isLax) {
        throw itemTypeError("ARRAY", nameOf(item));
      }
      const elements: Items = isArray(item) ? item : [item];
      if (subscripts.length === 0) {
        take(found, elements, 0, elements.length - 1);
        continue;
      }
      if (elements.length === 0) {
        if (!this.isLax) {
          throw structuralError("invalid array subscript for empty array");
        }
        continue;
      }
      for (const subscript of subscripts) {
        this.#subscript(found, elements, subscript, { ...around, last: elements.length - 1 });
      }
    }
    return found;
  }

  #subscript(found: Item[], elements: Items, { from, to }: PathSubscript, around: PathSurroundings): void {
    const first = indexOf(this.sequence(from, around), "from");
    const last = to === undefined ? first : indexOf(this.sequence(to, around), "to");
    const length = BigInt(elements.length);
    const isInside = (index: bigint): boolean => index >= 0n && index < length;
    if (!this.isLax && (!isInside(first) || !isInside(last) || first > last)) {
      throw structuralError(`invalid array subscript: [${first}, ${last}] for array of size ${length}`);
    }
    take(found, elements, Number(first < 0n ? 0n : first), Number(last < length ? last : length - 1n));
  }

  #method(method: PathMethod, items: Items): Items {
    switch (method) {
      case "type":
        return items.map((item) => new SqlItem(typeNameType, typeName(item)));
      case "size":
        return items.map((item) => {
          if (!isArray(item) && !this.isLax) {
            throw itemTypeError("ARRAY", nameOf(item));
          }
          return new SqlItem(INTEGER, isArray(item) ? item.length : 1);
        });
      case "double":
        return this.unwrapped(items).map(toDouble);
      case "ceiling":
      case "floor":
        return this.unwrapped(items).map((item) => wholeNumber(requireNumber(item), method));
      case "abs":
        return this.unwrapped(items).map((item) => {
          const number = requireNumber(item);
          return isNegative(number) ? negated(number) : number;
        });
      case "keyvalue":
        return this.unwrapped(items).flatMap((item) => this.#keyValues(item));
      case "datetime":
        return this.unwrapped(items).map(toDatetime);
    }
  }

  #keyValues(item: Item): Items {
    if (!isObject(item)) {
      throw itemTypeError("OBJECT", nameOf(item));
    }
    const id = new JsonNumber(String(this.#objects++));
    return [...item].map(
      ([name, value]) =>
        new Map<string, JsonValue>([
          ["name", name],
          ["value", value],
          ["id", id],
        ]),
    );
  }
}

function isArray(item: Item): item is readonly JsonValue[] {
  return !isSqlItem(item) && isJsonArray(item);
}

function isObject(item: Item): item is ReadonlyMap<string, JsonValue> {
  return !isSqlItem(item) && isJsonObject(item);
}

function nameOf(item: Item): string {
  return isSqlItem(item) ? displayType(item.type) : kindOf(item);
}

function requireNumber(item: Item): SqlItem {
  const number = numberItem(item);
  if (number === undefined) {
    throw itemTypeError("NUMBER", nameOf(item));
  }
  return number;
}

function lastOf({ last }: PathSurroundings): Item {
  if (last === undefined) {
    throw new PathError("accessing the last array index with no enclosing array");
  }
  return new SqlItem(INTEGER, last);
}

function currentOf({ current }: PathSurroundings): Item {
  if (current === undefined) {
    throw new PathError("accessing current filter item with no enclosing filter");
  }
  return current.item;
}

function take(target: Item[], elements: Items, first: number, last: number): void {
  if (target.length + last - first >= itemsMax) {
    throw new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", `JSON path gives a sequence of more than ${itemsMax} items`);
  }
  for (let index = first; index <= last; index++) {
    target.push(elements[index] as Item);
  }
}

function indexOf(items: Items, side: "from" | "to"): bigint {
  const [only] = items;
  if (only === undefined || items.length !== 1) {
    throw new PathError(`array subscript '${side}' value must be singleton numeric`);
  }
  const { type, value } = requireNumber(only);
  try {
    return castScalar(value, type, { kind: "bigint" }) as bigint;
  } catch (error) {
    throw error instanceof QueryError ? new PathError("") : error;
  }
}

/** The enclosing object comes before its descendants. */
function descendants(items: Items, name: string): Items {
  const found: Item[] = [];
  const visit = (item: JsonValue): void => {
    if (isJsonArray(item)) {
      for (const element of item) {
        visit(element);
      }
    } else if (isJsonObject(item)) {
      const value = item.get(name);
      if (value !== undefined) {
        take(found, [value], 0, 0);
      }
      for (const inner of item.values()) {
        visit(inner);
      }
    }
  };
  for (const item of items) {
    if (!isSqlItem(item)) {
      visit(item);
    }
  }
  return found;
}

const typeNames: Readonly<Record<string, string>> = Object.freeze({
  NULL: "null",
  NUMBER: "number",
  STRING: "string",
  BOOLEAN: "boolean",
  ARRAY: "array",
  OBJECT: "object",
});

function typeName(item: Item): string {
  if (!isSqlItem(item)) {
    return typeNames[kindOf(item)] as string;
  }
  const { type } = item;
  switch (type.kind) {
    case "varchar":
    case "char":
      return "string";
    case "boolean":
    case "date":
    case "time with time zone":
    case "timestamp with time zone":
      return type.kind;
    case "time":
    case "timestamp":
      return `${type.kind} without time zone`;
    default:
      return "number";
  }
}

function toDouble(item: Item): SqlItem {
  const text = textItem(item);
  const scalar = text === undefined ? numberItem(item) : scalarOf(item);
  if (scalar === undefined) {
    throw itemTypeError("NUMBER or TEXT", nameOf(item));
  }
  return cast(scalar, DOUBLE);
}

function cast({ type, value }: SqlItem, to: Type): SqlItem {
  try {
    const result = castScalar(value, type, to);
    if (result === null) {
      throw new PathError("");
    }
    return new SqlItem(to, result);
  } catch (error) {
    throw error instanceof QueryError ? new PathError("") : error;
  }
}

/** A date has no colon and a time has no space; the number of fraction digits determines the precision of the type. */
function toDatetime(item: Item): SqlItem {
  const text = textItem(item);
  if (text === undefined) {
    throw itemTypeError("TEXT", nameOf(item));
  }
  const precision = Math.min(12, /\.(\d+)/.exec(text)?.[1]?.length ?? 0);
  const isMoment = text.includes(" ");
  const clock = isMoment ? text.slice(text.indexOf(" ") + 1) : text;
  const isZoned = isMoment ? / |[+-]/.test(clock) : /[+-]/.test(text);
  const source = new SqlItem({ kind: "varchar" }, text);
  if (isMoment) {
    return cast(source, { kind: isZoned ? "timestamp with time zone" : "timestamp", precision });
  }
  return text.includes(":") ? cast(source, { kind: isZoned ? "time with time zone" : "time", precision }) : cast(source, DATE);
}
