/**
 * The SVM solver against the conditions of its optimum, and models on data with known results.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TrainingEffort } from "../../../../src/functions/learning/effort.ts";
import {
  classify as classifySteps,
  type Features,
  learnClassifier as classifierSteps,
  type Model,
  type TrainingSet,
  learnRegressor as regressorSteps,
  readModel,
  regress as regressSteps,
  writeModel,
} from "../../../../src/functions/learning/models.ts";
import { allSteps } from "../../../../src/functions/runtime/steps.ts";
import { solve } from "../../../../src/functions/learning/solver.ts";
import { kernelOf, parseParameters } from "../../../../src/functions/learning/svm.ts";

const learnClassifier = (set: TrainingSet<string>): Model => allSteps(classifierSteps(set));
const classify = (model: Model, features: Features): string => allSteps(classifySteps(model, features));
const regress = (model: Model, features: Features): number => allSteps(regressSteps(model, features));
const learnRegressor = (set: TrainingSet<number>): Model => allSteps(regressorSteps(set));

const vectors = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.boolean()), {
  minLength: 2,
  maxLength: 25,
});

test("the solution keeps the constraints and violates no condition of the optimum by more than the tolerance", () => {
  fc.assert(
    fc.property(
      vectors,
      fc.constantFrom("linear", "rbf", "poly"),
      fc.constantFrom(0.1, 1, 50),
      fc.boolean(),
      (data, kernelName, bound, equalSums) => {
        const tolerance = 1e-4;
        const kernel = kernelOf(parseParameters(`kernel=${kernelName},gamma=0.1,coef0=1,degree=2`), 2);
        const size = data.length;
        const points = data.map(([x, y]) => Float64Array.of(x / 9, y / 9));
        const signs = Int8Array.from(data, ([, , positive]) => (positive ? 1 : -1));
        const q = points.map((a, i) => Float64Array.from(points, (b, j) => (signs[i] as number) * (signs[j] as number) * kernel(a, b)));
        const start = equalSums ? bound / 4 : 0;
        const alpha = new Float64Array(size).fill(start);
        const linear = Float64Array.from(data, ([x, y]) => (equalSums ? x - y : -1));
        const sums = () =>
          [1, -1].map((sign) => alpha.reduce((sum, value, index) => sum + (signs[index] === sign ? value : 0), 0)) as [number, number];
        const before = sums();
        const rho = allSteps(
          solve({
            size,
            signs,
            linear,
            alpha,
            bound,
            row: (index) => q[index] as Float64Array,
            effort: new TrainingEffort(),
            diagonal: Float64Array.from(q, (row, index) => row[index] as number),
            tolerance,
            equalSums,
          }),
        );
        const after = sums();
        expect(after[0] - after[1]).toBeCloseTo(before[0] - before[1], 6);
        if (equalSums) {
          expect(after[0]).toBeCloseTo(before[0], 6);
        }
        expect(alpha.every((value) => value >= 0 && value <= bound)).toBe(true);
        // No pair of variables can be changed for a better objective.
        const gradient = points.map(
          (_, i) => (linear[i] as number) + alpha.reduce((sum, value, j) => sum + value * ((q[i] as Float64Array)[j] as number), 0),
        );
        for (const group of equalSums ? [1, -1] : [0]) {
          const members = points.map((_, index) => index).filter((index) => group === 0 || signs[index] === group);
          const score = (index: number) => -(signs[index] as number) * (gradient[index] as number);
          const up = members
            .filter((index) => (signs[index] === 1 ? (alpha[index] as number) < bound : (alpha[index] as number) > 0))
            .map(score);
          const down = members
            .filter((index) => (signs[index] === 1 ? (alpha[index] as number) > 0 : (alpha[index] as number) < bound))
            .map(score);
          if (up.length > 0 && down.length > 0) {
            expect(Math.max(...up) - Math.min(...down)).toBeLessThan(tolerance + 1e-6);
          }
        }
        expect(Number.isFinite(rho)).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

function rowsOf(points: readonly (readonly number[])[]): readonly Features[] {
  return points.map((point) => new Map(point.map((value, index) => [BigInt(index), value])));
}

test("two points are parted in the middle", () => {
  const model = learnClassifier({ rows: rowsOf([[0], [10]]), labels: ["a", "b"], parameters: "C=100,eps=0.000001" });
  expect([0, 4.9, 5.1, 10, -99, 99].map((x) => classify(model, rowsOf([[x]])[0] as Features))).toEqual(["a", "a", "b", "b", "a", "b"]);
  // The weight of a margin between 0 and 1: 2 / distance squared.
  expect(model.decisions[0]?.weights.map((weight) => Math.round(weight * 1e6) / 1e6)).toEqual([2, -2]);
});

test("separable classes are learnt, whatever the order of the rows", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(
        Array.from({ length: 30 }, (_, index) => index),
        { minLength: 30, maxLength: 30 },
      ),
      (order) => {
        const points = order.map((index) => [(index % 3) * 10 + Math.floor(index / 3) / 10, index % 7]);
        const labels = order.map((index) => `class ${index % 3}`);
        const model = learnClassifier({ rows: rowsOf(points), labels, parameters: "C=1000,eps=0.001" });
        expect(rowsOf(points).map((row) => classify(model, row))).toEqual(labels);
      },
    ),
    { numRuns: 20 },
  );
});

test("a model is the same after it was written", () => {
  const points = Array.from({ length: 20 }, (_, index) => [index, (index * index) % 7]);
  const values = points.map(([x = 0, y = 0]) => x * 0.3 - y);
  const model = learnRegressor({ rows: rowsOf(points), labels: values, parameters: "kernel=rbf,C=10" });
  const again = allSteps(readModel(allSteps(writeModel(model))));
  for (const row of rowsOf([...points, [3.3, -1], [100, 100]])) {
    expect(regress(again, row)).toBe(regress(model, row));
  }
});

test("a line is learnt from its points", () => {
  fc.assert(
    fc.property(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }), (slope, start) => {
      const points = Array.from({ length: 15 }, (_, index) => [index]);
      const model = learnRegressor({
        rows: rowsOf(points),
        labels: points.map(([x = 0]) => slope * x + start),
        parameters: "C=1000,eps=0.00001",
      });
      for (const [index, row] of rowsOf(points).entries()) {
        expect(regress(model, row)).toBeCloseTo(slope * index + start, 2);
      }
    }),
    { numRuns: 30 },
  );
});

test("a training that would take minutes fails, and so does one that would take gigabytes", () => {
  // Labels that the features say nothing about, and a cost that never lets go.
  const random = (index: number): number => ((index * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
  const rows = Array.from(
    { length: 4_000 },
    (_, index) =>
      new Map([
        [1n, random(index)],
        [2n, random(index + 7)],
      ]),
  );
  const labels = (classes: number): string[] => rows.map((_, index) => String(Math.floor(random(index * 31 + 5) * classes)));
  expect(() => learnClassifier({ rows, labels: labels(2), parameters: "C=1e9,gamma=1e5,eps=1e-9" })).toThrow("Training takes too long");
  expect(() => learnClassifier({ rows, labels: rows.map((_, index) => String(index)), parameters: "" })).toThrow("Training takes too long");
  const wide = rows.map(
    (_, index) =>
      new Map([
        [BigInt(index), 1],
        [BigInt(index + 1), 0],
      ]),
  );
  expect(() => learnRegressor({ rows: wide, labels: wide.map(() => 1), parameters: "" })).toThrow(
    "Training set must not have more than 8000000 values, and has 4000 rows with 3999 features",
  );
});
