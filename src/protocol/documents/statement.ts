/**
 * The query results document: the response of the statement resource (the interface, sections 2.2 and 2.3). Where the interface leaves
 * members open, they follow Presto.
 */
import * as z from "zod";
import { clientTypeText, type TypeTextOptions } from "../../types/type-text.ts";
import { type RowField, type Type, unboundedVarcharLength } from "../../types/type.ts";
import { checked } from "./checked.ts";
import type { HeaderFamily } from "../http/headers.ts";
import type { Schema } from "../http/http.ts";
import { type StatementCounters, statementShape } from "./counter-documents.ts";
import { address, count, errorLocation, errorOf, errorType, failure, type FailureFacts, failureDocument, int64 } from "./fields.ts";
import { spooledDataSchema } from "./spooling.ts";
import { warningSchema } from "./warnings.ts";

export const queryStates = [
  "QUEUED",
  "WAITING_FOR_RESOURCES",
  "PLANNING",
  "STARTING",
  "RUNNING",
  "FINISHING",
  "FINISHED",
  "FAILED",
] as const;
export const stageStates = ["PLANNED", "SCHEDULING", "SCHEDULED", "RUNNING", "FINISHED", "CANCELED", "ABORTED", "FAILED"] as const;
export type QueryState = (typeof queryStates)[number];
export type StageState = (typeof stageStates)[number];

const counters = { nodes: count, ...statementShape };

export interface StageStatsDocument extends StatementCounters {
  readonly stageId: string;
  readonly state: StageState;
  readonly done: boolean;
  readonly nodes: number;
  readonly subStages: readonly StageStatsDocument[];
}

const stageStatsSchema: z.ZodType<StageStatsDocument> = z.lazy(() =>
  z.object({ stageId: z.string(), state: z.enum(stageStates), done: z.boolean(), ...counters, subStages: z.array(stageStatsSchema) }),
);

const statementStatsSchema = z.object({
  state: z.enum(queryStates),
  queued: z.boolean().optional(),
  scheduled: z.boolean(),
  ...counters,
  queuedTimeMillis: int64.optional(),
  elapsedTimeMillis: int64.optional(),
  /** Bytes read by scans. */
  physicalInputBytes: int64.optional(),
  peakMemoryBytes: int64.optional(),
  spilledBytes: int64.optional(),
  progressPercentage: z.number().min(0).max(100).optional(),
  /** Absent until there is a plan, and for statements without a plan. */
  rootStage: stageStatsSchema.optional(),
});
export type StatementStats = z.infer<typeof statementStatsSchema>;

export interface TypeSignature {
  readonly rawType: string;
  readonly arguments: readonly { readonly kind: string; readonly value?: unknown }[];
}

const typeSignatureSchema = z.object({ rawType: z.string(), arguments: z.array(z.object({ kind: z.string(), value: z.unknown() })) });

const columnSchema = z.object({ name: z.string(), type: z.string(), typeSignature: typeSignatureSchema.optional() });
export type ColumnDocument = z.infer<typeof columnSchema>;

const statementErrorSchema = z.object({
  message: z.string(),
  sqlState: z.string().optional(),
  errorCode: z.int().nonnegative(),
  errorName: z.string(),
  errorType,
  errorLocation: errorLocation.optional(),
  failureInfo: failure.optional(),
});
export type StatementError = z.infer<typeof statementErrorSchema>;

export const queryResultsSchema = z.object({
  id: z.string(),
  infoUri: address,
  partialCancelUri: address.optional(),
  nextUri: address.optional(),
  columns: z.array(columnSchema).optional(),
  /** Never empty: absent if there are no rows. Integers beyond 53 bits are bigints. Segments if the client requested spooling. */
  data: z.union([z.array(z.array(z.unknown())).min(1), spooledDataSchema]).optional(),
  stats: statementStatsSchema,
  error: statementErrorSchema.optional(),
  warnings: z.array(warningSchema).optional(),
  updateType: z.string().optional(),
  updateCount: int64.optional(),
});
export type QueryResults = z.infer<typeof queryResultsSchema>;

/** Excludes the rows, because a schema would visit every cell. */
export const queryResultsReader: Schema<Omit<QueryResults, "data">> = checked(queryResultsSchema.omit({ data: true }));

/** The `error` member of a failed statement. */
export function statementError(facts: FailureFacts, family: HeaderFamily): StatementError {
  const { code, name, type } = errorOf(facts);
  const info = failureDocument(facts, family);
  return {
    message: info.message ?? "Internal error",
    errorCode: code,
    errorName: name,
    errorType: type,
    ...(facts.location === undefined ? {} : { errorLocation: facts.location }),
    failureInfo: info,
  };
}

export interface ColumnOptions {
  readonly family: HeaderFamily;
  readonly typeTexts: TypeTextOptions;
}

/** Type spelling of a client generation. `precisions`: the client sent PARAMETRIC_DATETIME, so it understands `timestamp(6)`. */
export function typeTextsOf(family: HeaderFamily, precisions: boolean): TypeTextOptions {
  return { comma: family === "presto" ? "," : ", ", precisions, intervals: family === "trino" ? "upper" : "lower" };
}

/** A column with its type in the spelling of the client's generation. */
export function columnDocument(name: string, type: Type, options: ColumnOptions): ColumnDocument {
  const signature = typeSignature(type, options);
  return {
    name,
    type: clientTypeText(type, options.typeTexts),
    typeSignature: { rawType: signature.rawType, arguments: [...signature.arguments] as never },
  };
}

/** varchar always has one argument, even if unbounded, because a client indexes it. */
function typeSignature(type: Type, options: ColumnOptions): TypeSignature {
  const isPresto = options.family === "presto";
  const longs = (...values: readonly number[]): TypeSignature => ({
    rawType: type.kind,
    arguments: values.map((value) => ({ kind: isPresto ? "LONG_LITERAL" : "LONG", value })),
  });
  const types = (...inner: readonly Type[]): TypeSignature => ({
    rawType: type.kind,
    arguments: inner.map((value) => ({ kind: isPresto ? "TYPE_SIGNATURE" : "TYPE", value: typeSignature(value, options) })),
  });
  switch (type.kind) {
    case "decimal":
      return longs(type.precision, type.scale);
    case "varchar":
      return longs(type.length ?? unboundedVarcharLength);
    case "char":
      return longs(type.length);
    case "time":
    case "timestamp":
    case "time with time zone":
    case "timestamp with time zone":
      return options.typeTexts.precisions ? longs(type.precision) : longs();
    case "array":
    case "qdigest":
      return types(type.element);
    case "map":
      return types(type.key, type.value);
    case "row":
      return { rawType: type.kind, arguments: type.fields.map((field) => fieldSignature(field, options)) };
    default:
      return longs();
  }
}

/** Client generations differ: Presto's clients read the type of a field as text, Trino's as a signature. */
function fieldSignature(field: RowField, options: ColumnOptions): TypeSignature["arguments"][number] {
  const isPresto = options.family === "presto";
  const name = field.name === undefined ? {} : { fieldName: { name: field.name, ...(isPresto ? { delimited: false } : {}) } };
  return {
    kind: isPresto ? "NAMED_TYPE_SIGNATURE" : "NAMED_TYPE",
    value: { ...name, typeSignature: isPresto ? clientTypeText(field.type, options.typeTexts) : typeSignature(field.type, options) },
  };
}

const zeroCounters = {
  nodes: 0,
  totalSplits: 0,
  queuedSplits: 0,
  runningSplits: 0,
  completedSplits: 0,
  cpuTimeMillis: 0,
  wallTimeMillis: 0,
  processedRows: 0,
  processedBytes: 0,
};

/** Response to a POST. */
export const initialQueryResultsExample: QueryResults = {
  id: "20140108_110629_00011_dk5x2",
  infoUri: "http://localhost:8080/v1/query/20140108_110629_00011_dk5x2",
  partialCancelUri: "http://localhost:8080/v1/stage/20140108_110629_00011_dk5x2.1",
  nextUri: "http://localhost:8080/v1/statement/20140108_110629_00011_dk5x2/1?slug=x0123456789abcdef0123456789abcdef",
  columns: [{ name: "name", type: "varchar(25)", typeSignature: { rawType: "varchar", arguments: [{ kind: "LONG", value: 25 }] } }],
  stats: {
    state: "RUNNING",
    scheduled: false,
    ...zeroCounters,
    rootStage: {
      stageId: "0",
      state: "SCHEDULED",
      done: false,
      ...zeroCounters,
      subStages: [{ stageId: "1", state: "SCHEDULED", done: false, ...zeroCounters, subStages: [] }],
    },
  },
};

export const queryResultsExample: QueryResults = {
  id: "20140108_110629_00011_dk5x2",
  infoUri: "http://localhost:8080/v1/query/20140108_110629_00011_dk5x2",
  columns: [{ name: "n", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } }],
  data: [[9223372036854775807n], [null], [2]],
  stats: {
    state: "FINISHED",
    queued: false,
    scheduled: true,
    ...zeroCounters,
    nodes: 2,
    totalSplits: 7,
    completedSplits: 7,
    queuedTimeMillis: 0,
    elapsedTimeMillis: 12,
    peakMemoryBytes: 65536,
    progressPercentage: 100,
    rootStage: {
      stageId: "0",
      state: "FINISHED",
      done: true,
      ...zeroCounters,
      nodes: 1,
      totalSplits: 1,
      completedSplits: 1,
      subStages: [],
    },
  },
  warnings: [],
};
