/**
 * Functions of Presto's ml plugin: features, learn_classifier and its variants, classify, regress, evaluate_classifier_predictions.
 */
import { decodeNested, encodeNested, nestedSource } from "../../types/nested/nested.ts";
import { BIGINT, DOUBLE, mapType, type RowType, tupleType, type Type, VARCHAR } from "../../types/type.ts";
import type { AggregateDefinition, HostSteps, HostValue, ScalarDefinition } from "../registry/definition.ts";
import { invalidArgument } from "../runtime/nested-values.ts";
import type { InSteps } from "../runtime/steps.ts";
import { type SketchImplementation, sketchAggregate } from "../sketch/sketch-aggregate.ts";
import {
  classify,
  type Features,
  featuresOf,
  learnClassifier,
  learnRegressor,
  type Model,
  readModel,
  regress,
  type TrainingSet,
  trainingRowsMax,
  writeModel,
} from "./models.ts";

const featuresType = mapType(BIGINT, DOUBLE);
const featuresPattern = "map(bigint,double)";
const lengthBytes = 4;

type Row = readonly HostValue[];

/** Appends the encoded rows, each preceded by its length. */
function appendRows(state: Uint8Array, rows: readonly Row[], type: RowType): Uint8Array {
  const pieces = rows.map((row) => encodeNested(type, row));
  const result = new Uint8Array(pieces.reduce((sum, piece) => sum + lengthBytes + piece.length, state.length));
  const view = new DataView(result.buffer);
  result.set(state);
  let at = state.length;
  for (const piece of pieces) {
    view.setUint32(at, piece.length, true);
    result.set(piece, at + lengthBytes);
    at += lengthBytes + piece.length;
  }
  return result;
}

/** Bytes of models that are compared in a step. */
const bytesPerComparison = 1_000;

/** Bytes of rows that are read in a step, and from which on the reader yields. */
const bytesPerStep = 32;
const bytesAtOnce = 65_536;

function* readRows(state: Uint8Array, type: RowType): InSteps<readonly Row[]> {
  const view = new DataView(state.buffer, state.byteOffset, state.byteLength);
  const rows: Row[] = [];
  let yielded = 0;
  for (let at = 0; at < state.length; ) {
    const end = at + lengthBytes + view.getUint32(at, true);
    rows.push(decodeNested(type, nestedSource(state.slice(at + lengthBytes, end))) as Row);
    at = end;
    if (at - yielded >= bytesAtOnce) {
      yield Math.floor((at - yielded) / bytesPerStep);
      yielded = at;
    }
  }
  return rows;
}

function both(one: Uint8Array, other: Uint8Array): Uint8Array {
  const result = new Uint8Array(one.length + other.length);
  result.set(one);
  result.set(other, one.length);
  return result;
}

/** The state is the whole training set, because training needs every row. */
function learning(
  name: string,
  [label, , parameters]: readonly Type[],
  returnType: Type,
  learn: (set: TrainingSet<HostValue>) => InSteps<Model>,
): SketchImplementation {
  const rowTypes = [label as Type, featuresType, ...(parameters === undefined ? [] : [VARCHAR])];
  const type = tupleType(rowTypes);
  return {
    name: `${name} ${rowTypes.map(({ kind }) => kind).join(" ")}`,
    returnType,
    rowTypes,
    add: (state, rows) => appendRows(state ?? new Uint8Array(0), rows, type),
    merge: both,
    *result(state) {
      const rows = yield* readRows(state, type);
      if (rows.length > trainingRowsMax) {
        return invalidArgument(`${name} must not have more than ${trainingRowsMax} rows`);
      }
      return yield* writeModel(
        yield* learn({
          rows: rows.map(([, features]) => featuresOf(features)),
          labels: rows.map(([value]) => value as HostValue),
          // As in Presto, the parameters of the last row are used.
          parameters: (rows.at(-1)?.[2] as string | undefined) ?? "",
        }),
      );
    },
  };
}

function labelText(label: HostValue): string {
  return typeof label === "number" && !Number.isFinite(label) ? invalidArgument("Labels must be finite numbers") : String(label);
}

function classifierOf(set: TrainingSet<HostValue>): InSteps<Model> {
  return learnClassifier({ ...set, labels: set.labels.map(labelText) });
}

function regressorOf(set: TrainingSet<HostValue>): InSteps<Model> {
  return learnRegressor({ ...set, labels: set.labels.map(Number) });
}

/** Overloads without and with LIBSVM parameters. */
function learners(suffix: "classifier" | "regressor", label: string, returns: string): readonly AggregateDefinition[] {
  return (["learn_", "learn_libsvm_"] as const).map((prefix) => {
    const name = `${prefix}${suffix}`;
    return {
      name,
      args: prefix === "learn_" ? [label, featuresPattern] : [label, featuresPattern, "varchar"],
      returns,
      description: `${suffix === "classifier" ? "Classifier" : "Regressor"} trained on labels and features${prefix === "learn_" ? "" : ", with LIBSVM parameters"}`,
      make: (argTypes, returnType) =>
        sketchAggregate(learning(name, argTypes, returnType, suffix === "classifier" ? classifierOf : regressorOf)),
    };
  });
}

const counted = ["truePositives", "falsePositives", "trueNegatives", "falseNegatives"] as const;

function share(part: number, whole: number): string {
  return `${part}/${whole} (${whole === 0 ? "NaN" : ((100 * part) / whole).toFixed(2)}%)`;
}

/** State: four 64-bit counts, in the order of `counted`. */
const evaluation: SketchImplementation = {
  name: "evaluate_classifier_predictions",
  returnType: VARCHAR,
  rowTypes: [BIGINT, BIGINT],
  add: (state, rows) => {
    const counts = countsOf(state);
    for (const row of rows) {
      const [truth, prediction] = row.map((value) =>
        value === 0n || value === 1n ? Number(value) : invalidArgument("evaluate_predictions only supports binary classifiers"),
      ) as [number, number];
      const index = prediction === 1 ? 1 - truth : 2 + truth;
      counts[index] = (counts[index] as number) + 1;
    }
    return new Uint8Array(counts.buffer);
  },
  merge: (one, other) => {
    const added = countsOf(other);
    return new Uint8Array(countsOf(one).map((count, index) => count + (added[index] as number)).buffer);
  },
  result: (state) => {
    const [truePositives, falsePositives, trueNegatives, falseNegatives] = countsOf(state) as unknown as [number, number, number, number];
    const total = truePositives + falsePositives + trueNegatives + falseNegatives;
    return [
      `Accuracy: ${share(truePositives + trueNegatives, total)}`,
      `Precision: ${share(truePositives, truePositives + falsePositives)}`,
      `Recall: ${share(truePositives, truePositives + falseNegatives)}`,
    ].join("\n");
  },
};

function countsOf(state: Uint8Array | undefined): Float64Array {
  return state === undefined ? new Float64Array(counted.length) : new Float64Array(state.slice().buffer);
}

export const learningAggregates: readonly AggregateDefinition[] = [
  ...learners("classifier", "bigint", "Classifier(bigint)"),
  ...learners("classifier", "double", "Classifier(bigint)"),
  ...learners("classifier", "varchar", "Classifier(varchar)"),
  ...learners("regressor", "double", "Regressor"),
  {
    name: "evaluate_classifier_predictions",
    args: ["bigint", "bigint"],
    returns: "varchar",
    description: "Accuracy, precision and recall of a binary classifier",
    make: () => sketchAggregate(evaluation),
  },
];

/** Makes an implementation per node that caches the model it decoded last. */
function withModel(predict: (model: Model, features: Features) => InSteps<HostValue>): () => HostSteps {
  return () => {
    let last: { readonly bytes: Uint8Array; readonly model: Model } | undefined;
    return function* ([features, value]) {
      const bytes = value as Uint8Array;
      yield Math.ceil(bytes.length / bytesPerComparison);
      if (last === undefined || last.bytes.length !== bytes.length || last.bytes.some((byte, index) => byte !== bytes[index])) {
        last = { bytes: bytes.slice(), model: yield* readModel(bytes) };
      }
      return yield* predict(last.model, featuresOf(features));
    };
  };
}

/** As in Presto, a double label loses its fraction. */
function bigintLabel(label: string): bigint {
  return /^-?\d+$/.test(label) ? BigInt(label) : BigInt.asIntN(64, BigInt(Math.trunc(Number(label))));
}

export const learningDefinitions: readonly ScalarDefinition[] = [
  {
    name: "features",
    args: ["double"],
    variadic: true,
    returns: featuresPattern,
    returnType: () => featuresType,
    description: "Features numbered by position",
    host: (values) => values.map((value, index) => [BigInt(index), value as number]),
    example: { sql: "features(1.0, 2.0, 3.0)", result: "{0=1.0, 1=2.0, 2=3.0}" },
  },
  {
    name: "classify",
    args: [featuresPattern, "Classifier(bigint)"],
    returns: "bigint",
    description: "Predicted class of the features",
    makeSteps: withModel(function* (model, features) {
      return bigintLabel(yield* classify(model, features));
    }),
  },
  {
    name: "classify",
    args: [featuresPattern, "Classifier(varchar)"],
    returns: "varchar",
    description: "Predicted class of the features",
    makeSteps: withModel(classify),
  },
  {
    name: "regress",
    args: [featuresPattern, "Regressor"],
    returns: "double",
    description: "Predicted value for the features",
    makeSteps: withModel(regress),
  },
];
