/**
 * Models as values: the scale of each feature in the training set, support vectors over the scaled features, and the class labels. The
 * encoding is a head in JSON, which keeps every double exactly, followed by the weights and vectors of each decision as doubles: ten
 * thousand vectors as text would be read in one piece, of a second. Only the learn functions create models.
 */
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import type { HostValue } from "../registry/definition.ts";
import { invalidArgument } from "../runtime/nested-values.ts";
import type { InSteps } from "../runtime/steps.ts";
import { numbersPerStep, requireVectors, TrainingEffort } from "./effort.ts";
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

const spaceByte = 0x20;

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

/** Numbers of a model that are read or written between two yields. */
const numbersAtOnce = 100_000;

/** Yields steps. */
export function* classify({ scales, parameters, decisions, labels }: Model, features: Features): InSteps<string> {
  return labels[yield* vote(decisions, labels.length, kernelOf(parameters, scales.length), scaled(features, scales))] as string;
}

/** Yields steps. */
export function* regress({ scales, parameters, decisions }: Model, features: Features): InSteps<number> {
  return yield* decide(decisions[0] as Decision, kernelOf(parameters, scales.length), scaled(features, scales));
}

interface Head {
  readonly scales: readonly Scale[];
  readonly parameters: SvmParameters;
  readonly labels: readonly string[];
  readonly decisions: readonly { readonly count: number; readonly rho: number }[];
}

const headLengthBytes = 8;
const doubleBytes = 8;

/** Yields steps. */
export function* writeModel({ scales, parameters, labels, decisions }: Model): InSteps<Uint8Array> {
  const head: Head = { scales, parameters, labels, decisions: decisions.map(({ vectors, rho }) => ({ count: vectors.length, rho })) };
  const text = encodeUtf8(JSON.stringify(head));
  // Spaces keep the numbers on addresses of doubles.
  const headBytes = Math.ceil(text.length / doubleBytes) * doubleBytes;
  const count = decisions.reduce((sum, { vectors }) => sum + vectors.length * (scales.length + 1), 0);
  const bytes = new Uint8Array(headLengthBytes + headBytes + count * doubleBytes).fill(
    spaceByte,
    headLengthBytes,
    headLengthBytes + headBytes,
  );
  new DataView(bytes.buffer).setUint32(0, headBytes, true);
  bytes.set(text, headLengthBytes);
  const numbers = new Float64Array(bytes.buffer, headLengthBytes + headBytes, count);
  let [at, yielded] = [0, 0];
  for (const { vectors, weights } of decisions) {
    numbers.set(weights, at);
    at += weights.length;
    for (const vector of vectors) {
      numbers.set(vector, at);
      at += vector.length;
      if (at - yielded >= numbersAtOnce) {
        yield Math.floor((at - yielded) / numbersPerStep);
        yielded = at;
      }
    }
  }
  return bytes;
}

/** Yields steps. */
export function* readModel(bytes: Uint8Array): InSteps<Model> {
  const headBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const firstNumber = headLengthBytes + headBytes;
  const { decisions: written, ...head } = JSON.parse(decodeUtf8(bytes.subarray(headLengthBytes, firstNumber))) as Head;
  const numbers = new Float64Array(bytes.slice(firstNumber).buffer);
  const dimensions = head.scales.length;
  const decisions: Decision[] = [];
  let [at, yielded] = [0, 0];
  for (const { count, rho } of written) {
    const weights = [...numbers.subarray(at, at + count)];
    at += count;
    const vectors: Vector[] = [];
    for (let index = 0; index < count; index++) {
      vectors.push(numbers.subarray(at, at + dimensions));
      at += dimensions;
      if (at - yielded >= numbersAtOnce) {
        yield Math.floor((at - yielded) / numbersPerStep);
        yielded = at;
      }
    }
    decisions.push({ vectors, weights, rho });
  }
  return { ...head, decisions };
}
