/**
 * Analysis in pieces: the analysis of a statement with ten thousand columns takes a tenth of a second, in which the coordinator would serve
 * nobody else. Generators yield the columns, keys, rows or terms that they have looked at since the last time. The pieces depend on the
 * statement alone.
 */
export type InPieces<T> = Generator<number, T, void>;

/** Elements of a list between two yields. */
const elementsAtOnce = 256;
/** Elements between two turns: some milliseconds. */
const elementsOfTurn = 1_024;

/** Runs a generator to its end. */
export function atOnce<T>(pieces: Generator<unknown, T, void>): T {
  for (;;) {
    const next = pieces.next();
    if (next.done === true) {
      return next.value;
    }
  }
}

export async function inTurns<T>(pieces: InPieces<T>, turn: () => Promise<void>): Promise<T> {
  let elements = 0;
  for (;;) {
    const next = pieces.next();
    if (next.done === true) {
      return next.value;
    }
    elements += next.value;
    if (elements >= elementsOfTurn) {
      elements = 0;
      await turn();
    }
  }
}

/** Runs a generator with a turn at each of its yields. */
export async function withTurns<T>(steps: Generator<undefined, T, void>, turn: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const next = steps.next();
    if (next.done === true) {
      return next.value;
    }
    await turn();
  }
}

/** As Array.map. An item counts as `weight` elements, by default as one. */
export function* mapInPieces<T, R>(items: readonly T[], map: (item: T, index: number) => R, weight?: (item: T) => number): InPieces<R[]> {
  const result: R[] = [];
  let elements = 0;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as T;
    result.push(map(item, index));
    elements += weight?.(item) ?? 1;
    if (elements >= elementsAtOnce) {
      yield elements;
      elements = 0;
    }
  }
  return result;
}

/** Steps of a generator that yields between nodes of a plan. */
export type Steps<T> = Generator<undefined, T, void>;

/** A walk over a plan. Yields the walks of parts, whose results it gets, and undefined where it may be left for a turn. */
export type Walk<T> = Generator<Walk<unknown> | undefined, T, unknown>;

/** Runs a walk. Chains of a thousand nodes take no more of the stack than one node. */
export function* walked<T>(root: Walk<T>): Steps<T> {
  const open: Walk<unknown>[] = [];
  let current: Walk<unknown> = root;
  let result: unknown;
  for (;;) {
    const next = current.next(result);
    result = undefined;
    if (next.done === true) {
      const above = open.pop();
      if (above === undefined) {
        return next.value as T;
      }
      result = next.value;
      current = above;
    } else if (next.value === undefined) {
      yield;
    } else {
      open.push(current);
      current = next.value;
    }
  }
}

/** Columns and conditions of a rule between two yields: some milliseconds. */
const elementsOfRule = 16_384;

/** Counts what a rule looks at. */
export class RulePace {
  #elements = 0;

  /** Whether it is time to yield. */
  isDue(elements: number): boolean {
    this.#elements += elements;
    if (this.#elements < elementsOfRule) {
      return false;
    }
    this.#elements = 0;
    return true;
  }
}

/** Elements that were looked at since the last yield, by all generators that share the count. */
export interface Pace {
  elements: number;
}

/**
 * Yields the sums of many small pieces. A yield costs as much as the generator is deep: queries in FROM may be nested in hundreds of
 * levels, and be thousands.
 */
export function* gathered<T>(pieces: InPieces<T>, pace: Pace): InPieces<T> {
  for (;;) {
    const next = pieces.next();
    if (next.done === true) {
      return next.value;
    }
    pace.elements += next.value;
    if (pace.elements >= elementsAtOnce) {
      const { elements } = pace;
      pace.elements = 0;
      yield elements;
    }
  }
}

/** Levels of a syntax tree below which nothing is counted. */
const levelsCounted = 5;

/**
 * Elements of the longest list in a part of a syntax tree, at least one: the branches of a CASE, the values of an IN. Does not look into
 * long lists, nor deep.
 */
export function elementsIn(syntax: unknown, levels = levelsCounted): number {
  if (typeof syntax !== "object" || syntax === null || levels === 0) {
    return 1;
  }
  const parts: readonly unknown[] = Array.isArray(syntax) ? syntax : Object.values(syntax);
  return parts.length > elementsAtOnce
    ? parts.length
    : parts.reduce((sum: number, part) => (typeof part === "object" ? Math.max(sum, elementsIn(part, levels - 1)) : sum), 1);
}
