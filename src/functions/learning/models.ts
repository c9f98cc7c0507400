/**
 * Models as values: the scale of each feature in the training set, support vectors over the scaled features, and the class labels. The
 * encoding is JSON, which keeps every double exactly. Only the learn functions create models.
 */
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import type { HostValue } from "../registry/definition.ts";
import { invalidArgument } from "../runtime/nested-values.ts";
import type { InSteps } from "../runtime/steps.ts";
import { requireVectors, TrainingEffort } from "./effort.ts";
import {
  decide,
  type Decision,
  kernelOf,
  parseParameters,
  type SvmParameters,
  trainClassifier,
  type Training,
  trainRegressor,
  type Vector,
  vote,
} from "./svm.ts";

/** Feature values by feature number. */
export type Features = ReadonlyMap<bigint, number>;

/** Range of a feature that varies in the training set. */
interface Scale {
  readonly feature: string;
  readonly least: number;
  readonly most: number;
}

export interface Model {
  readonly scales: readonly Scale[];
  readonly parameters: SvmParameters;
  readonly decisions: readonly Decision[];
  /** Class labels as text; empty for a regressor. */
  readonly labels: readonly string[];
}

/** Limit on training rows: a larger set would keep a node busy for minutes. */
export const trainingRowsMax = 10_000;

/** Entries of a map(bigint,double); NULL values are left out. */
export function featuresOf(value: HostValue | undefined): Features {
  const features = new Map<bigint, number>();
  for (const [key, feature] of value as readonly (readonly [bigint, number | null])[]) {
    if (feature !== null) {
      features.set(key, Number.isFinite(feature) ? feature : invalidArgument("Features must be finite numbers"));
    }
  }
  return features;
}

/** To look up a feature takes as long as reading this many numbers. */
const numbersPerFeature = 20;

/** Features with a single value carry no information and are left out. */
function* scalesOf(rows: readonly Features[], effort: TrainingEffort): InSteps<readonly Scale[]> {
  const ranges = new Map<bigint, { least: number; most: number }>();
  for (const row of rows) {
    for (const [feature, value] of row) {
      const range = ranges.get(feature);
      if (range === undefined) {
        ranges.set(feature, { least: value, most: value });
      } else {
        range.least = Math.min(range.least, value);
        range.most = Math.max(range.most, value);
      }
    }
    effort.count(numbersPerFeature * row.size);
    yield* effort.pause();
  }
  return [...ranges]
    .filter(([, { least, most }]) => least < most)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([feature, { least, most }]) => ({ feature: feature.toString(), least, most }));
}

/** Features scaled to 0..1. A missing feature is 0; a value outside the training range is clamped. */
function scaled(features: Features, scales: readonly Scale[]): Vector {
  return Float64Array.from(scales, ({ feature, least, most }) => {
    const value = features.get(BigInt(feature));
    // Both terms are halved, so that the range between the largest doubles does not overflow.
    return value === undefined ? 0 : Math.min(1, Math.max(0, (value / 2 - least / 2) / (most / 2 - least / 2)));
  });
}

export interface TrainingSet<Label> {
  readonly rows: readonly Features[];
  readonly labels: readonly Label[];
  /** Parameter text as learn_libsvm_classifier takes it. */
  readonly parameters: string;
}

interface Prepared {
  readonly scales: readonly Scale[];
  readonly vectors: readonly Vector[];
  readonly training: Training;
}

function* prepare({ rows, parameters: text }: TrainingSet<unknown>): InSteps<Prepared> {
  const parameters = parseParameters(text);
  const effort = new TrainingEffort();
  const scales = yield* scalesOf(rows, effort);
  requireVectors(rows.length, scales.length);
  const training: Training = { parameters, kernel: kernelOf(parameters, scales.length), effort };
  const vectors: Vector[] = [];
  for (const row of rows) {
    vectors.push(scaled(row, scales));
    effort.count(numbersPerFeature * scales.length);
    yield* effort.pause();
  }
  return { scales, vectors, training };
}

/** Classes are numbered in order of first occurrence. Yields steps, as `learnRegressor`. */
export function* learnClassifier(set: TrainingSet<string>): InSteps<Model> {
  const { scales, vectors, training } = yield* prepare(set);
  const classes = new Map<string, Vector[]>();
  for (const [index, vector] of vectors.entries()) {
    const label = set.labels[index] as string;
    const known = classes.get(label);
    if (known === undefined) {
      classes.set(label, [vector]);
    } else {
      known.push(vector);
    }
  }
  const decisions = yield* trainClassifier([...classes.values()], training);
  return { scales, parameters: training.parameters, decisions, labels: [...classes.keys()] };
}

export function* learnRegressor(set: TrainingSet<number>): InSteps<Model> {
  if (!set.labels.every(Number.isFinite)) {
    return invalidArgument("Labels must be finite numbers");
  }
  const { scales, vectors, training } = yield* prepare(set);
  const decision = yield* trainRegressor(vectors, set.labels, training);
  return { scales, parameters: training.parameters, decisions: [decision], labels: [] };
}

export function classify({ scales, parameters, decisions, labels }: Model, features: Features): string {
  return labels[vote(decisions, labels.length, kernelOf(parameters, scales.length), scaled(features, scales))] as string;
}

export function regress({ scales, parameters, decisions }: Model, features: Features): number {
  return decide(decisions[0] as Decision, kernelOf(parameters, scales.length), scaled(features, scales));
}

export function writeModel(model: Model): Uint8Array {
  const decisions = model.decisions.map(({ vectors, weights, rho }) => ({ vectors: vectors.map((vector) => [...vector]), weights, rho }));
  return encodeUtf8(JSON.stringify({ ...model, decisions }));
}

export function readModel(bytes: Uint8Array): Model {
  const model = JSON.parse(decodeUtf8(bytes)) as Model;
  return {
    ...model,
    decisions: model.decisions.map((decision) => ({ ...decision, vectors: decision.vectors.map((vector) => Float64Array.from(vector)) })),
  };
}
