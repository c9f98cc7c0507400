/**
 * Filter predicates of a path: true, false or unknown, never an error. An error inside makes the predicate unknown. In lax mode the first
 * deciding pair of items determines the result; in strict mode an error in any pair takes precedence.
 */
import { CompiledRegexps, likeRegex } from "./like-regex.ts";
import { comparison } from "./arithmetic.ts";
import { PathError } from "./errors.ts";
import { isSqlItem, type Item, type Items, scalarOf, type SqlItem, textItem } from "./items.ts";
import type { PathComparison, PathNode, PathPredicate } from "./path.ts";

/** Values of `@` and `last`. */
export interface PathSurroundings {
  readonly current?: { readonly item: Item };
  readonly last?: number;
}

/** The paths that a predicate compares: the evaluator of the path that the predicate is a filter of. */
export interface InnerPaths {
  readonly isLax: boolean;
  /** Throws PathError. */
  sequence(path: PathNode, around: PathSurroundings): Items;
  /** In lax mode, replaces arrays by their elements. */
  unwrapped(items: Items): Items;
}

/** Undefined is unknown. */
export type Truth = boolean | undefined;

export class PredicateEvaluator {
  readonly #regexps = new CompiledRegexps();

  readonly #paths: InnerPaths;

  constructor(paths: InnerPaths) {
    this.#paths = paths;
  }

  evaluate(predicate: PathPredicate, around: PathSurroundings): Truth {
    switch (predicate.kind) {
      case "and":
      case "or":
        return this.#logical(predicate, around);
      case "not": {
        const inner = this.evaluate(predicate.predicate, around);
        return inner === undefined ? undefined : !inner;
      }
      case "unknown":
        return this.evaluate(predicate.predicate, around) === undefined;
      case "exists": {
        const items = this.#sequence(predicate.path, around);
        return items === undefined ? undefined : items.length > 0;
      }
      case "comparison":
        return this.#compare(predicate.operator, this.#sequence(predicate.left, around), () => this.#sequence(predicate.right, around));
      case "starts":
        return this.#startsWith(this.#sequence(predicate.value, around), () => this.#sequence(predicate.prefix, around));
      case "like":
        return this.#anyText(this.#sequence(predicate.value, around), (text) =>
          likeRegex(this.#regexps, text, predicate.pattern, predicate.flags),
        );
    }
  }

  #logical({ kind, left, right }: PathPredicate & { readonly kind: "and" | "or" }, around: PathSurroundings): Truth {
    const decides = kind === "or";
    const first = this.evaluate(left, around);
    if (first === decides) {
      return decides;
    }
    const second = this.evaluate(right, around);
    return second === decides ? decides : first === undefined || second === undefined ? undefined : !decides;
  }

  /** Undefined if the path fails. */
  #sequence(path: PathNode, around: PathSurroundings): Items | undefined {
    try {
      return this.#paths.sequence(path, around);
    } catch (error) {
      if (error instanceof PathError) {
        return undefined;
      }
      throw error;
    }
  }

  #compare(operator: PathComparison, leftItems: Items | undefined, right: () => Items | undefined): Truth {
    const rightItems = leftItems === undefined ? undefined : right();
    if (leftItems === undefined || rightItems === undefined) {
      return undefined;
    }
    const [left, others] = [new Sides(this.#paths.unwrapped(leftItems)), new Sides(this.#paths.unwrapped(rightItems))];
    if ((left.hasNested && (others.hasNested || others.hasScalar)) || (left.hasScalar && others.hasNested)) {
      return undefined;
    }
    const isFound =
      (operator === "==" && left.hasNull && others.hasNull) ||
      (operator === "<>" && ((left.hasNull && others.hasMore) || (others.hasNull && left.hasMore)));
    if (isFound && this.#paths.isLax) {
      return true;
    }
    if (!left.hasScalar || !others.hasScalar) {
      return isFound;
    }
    const found = this.#comparePairs(operator, left.scalars(), others.scalars());
    return found === undefined ? undefined : found || isFound;
  }

  #comparePairs(operator: PathComparison, left: readonly SqlItem[] | undefined, right: readonly SqlItem[] | undefined): Truth {
    if (left === undefined || right === undefined) {
      return undefined;
    }
    let found = false;
    for (const a of left) {
      for (const b of right) {
        const holds = comparison(operator, a, b);
        if (holds === undefined) {
          return undefined;
        }
        found ||= holds;
        if (found && this.#paths.isLax) {
          return true;
        }
      }
    }
    return found;
  }

  #startsWith(values: Items | undefined, prefixes: () => Items | undefined): Truth {
    const found = values === undefined ? undefined : prefixes();
    const [prefix] = found ?? [];
    const start = found?.length === 1 && prefix !== undefined ? textItem(prefix) : undefined;
    return start === undefined ? undefined : this.#anyText(values, (text) => text.startsWith(start));
  }

  /** Whether the predicate holds for any item; unknown if an item is not a string. */
  #anyText(items: Items | undefined, holds: (text: string) => boolean): Truth {
    if (items === undefined) {
      return undefined;
    }
    let found = false;
    for (const item of this.#paths.unwrapped(items)) {
      const text = textItem(item);
      if (text === undefined) {
        return undefined;
      }
      found ||= holds(text);
      if (found && this.#paths.isLax) {
        return true;
      }
    }
    return found;
  }
}

/** Kinds of the items on one side of a comparison. */
class Sides {
  readonly hasNull: boolean;
  readonly hasScalar: boolean;
  readonly hasNested: boolean;

  readonly #items: Items;

  constructor(items: Items) {
    this.#items = items;

    const kinds = new Set(items.map(kindOfSide));
    [this.hasNull, this.hasScalar, this.hasNested] = [kinds.has("null"), kinds.has("scalar"), kinds.has("nested")];
  }

  get hasMore(): boolean {
    return this.hasScalar || this.hasNested;
  }

  /** Undefined if a number is out of range for SQL. */
  scalars(): readonly SqlItem[] | undefined {
    try {
      return this.#items.flatMap((item) => scalarOf(item) ?? []);
    } catch (error) {
      if (error instanceof PathError) {
        return undefined;
      }
      throw error;
    }
  }
}

function kindOfSide(item: Item): "null" | "scalar" | "nested" {
  return item === null ? "null" : isSqlItem(item) || typeof item !== "object" || "isInteger" in item ? "scalar" : "nested";
}
