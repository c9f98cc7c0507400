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

export function atOnce<T>(pieces: InPieces<T>): T {
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

/** As Array.map. */
export function* mapInPieces<T, R>(items: readonly T[], map: (item: T, index: number) => R): InPieces<R[]> {
  const result: R[] = [];
  for (let index = 0; index < items.length; index++) {
    result.push(map(items[index] as T, index));
    if (result.length % elementsAtOnce === 0) {
      yield elementsAtOnce;
    }
  }
  return result;
}
