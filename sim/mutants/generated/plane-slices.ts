/**
 * The slices by which a mutant of the data plane is measured, cheapest first: operators alone, statements that must fail, statements
 * without each rule, statements with known rows, and then as many generated statements as were asked for.
 */

export type PlaneSlice =
  /** Cases of each kind, or of one. */
  | { readonly kind: "operators"; readonly only?: string; readonly from: number; readonly cases: number }
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

/** The slices before the generated statements. */
export const firstSlices: readonly PlaneSlice[] = [
  { kind: "operators", from: 0, cases: 1 },
  ...known("errors", errorParts, errorParts),
  { kind: "operators", only: "logical plan", from: 100, cases: 60 },
  { kind: "operators", from: 1, cases: 3 },
  { kind: "statements", seed: 1, from: 0, count: 15, everyRule: true },
  ...known("rows", rowParts, askedRowParts, 1),
  { kind: "operators", from: 4, cases: 4 },
];

/** Generated statements of a later slice. */
export const statementsPerSlice = 50;
