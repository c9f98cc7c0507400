/**
 * The slices by which a mutant of the data plane is measured, cheapest first: operators alone, statements that must fail, statements
 * without each rule, statements with known rows, and then as many generated statements as were asked for.
 */

export type PlaneSlice =
  | { readonly kind: "operators"; readonly from: number; readonly cases: number }
  /** Each `parts`-th file or statement. Bounds are the defaults without a seed. */
  | {
      readonly kind: "known";
      readonly files: "errors" | "rows";
      readonly part: number;
      readonly parts: number;
      readonly seed: number | undefined;
    }
  | { readonly kind: "statements"; readonly seed: number; readonly from: number; readonly count: number; readonly everyRule: boolean };

const errorParts = 3;
/** Of these parts of the statements with known rows, as many are asked as are quick. */
const rowParts = 24;
const askedRowParts = 6;

function known(files: "errors" | "rows", parts: number, asked: number, seed?: number): readonly PlaneSlice[] {
  return Array.from({ length: asked }, (_, part) => ({ kind: "known", files, part, parts, seed }));
}

const first: readonly PlaneSlice[] = [
  { kind: "operators", from: 0, cases: 1 },
  ...known("errors", errorParts, errorParts),
  { kind: "operators", from: 1, cases: 3 },
  { kind: "statements", seed: 1, from: 0, count: 15, everyRule: true },
  ...known("rows", rowParts, askedRowParts, 1),
  { kind: "operators", from: 4, cases: 4 },
];

/** Number of slices before the generated statements. */
export const firstSlices = first.length;

/** Statements of a later slice. */
export const statementsPerSlice = 50;
/** Slices with the same tables take longest with the first; a seed of its own draws other tables for each. */
const slicesPerSeed = 2;

/** The slice with this number, from 1. */
export function planeSlice(number: number): PlaneSlice {
  const known = first[number - 1];
  if (known !== undefined) {
    return known;
  }
  const place = number - first.length - 1;
  const from = (place % slicesPerSeed) * statementsPerSlice;
  return { kind: "statements", seed: Math.floor(place / slicesPerSeed) + 1, from, count: statementsPerSlice, everyRule: false };
}
