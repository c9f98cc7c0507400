/**
 * The catalog of errors that a client can receive. Names, codes and types are Presto's (StandardErrorCode).
 */

export type ErrorType = "USER_ERROR" | "INTERNAL_ERROR" | "INSUFFICIENT_RESOURCES" | "EXTERNAL";

interface ErrorEntry {
  readonly code: number;
  readonly type: ErrorType;
}

const catalogue = {
  GENERIC_USER_ERROR: { code: 0, type: "USER_ERROR" },
  SYNTAX_ERROR: { code: 1, type: "USER_ERROR" },
  ABANDONED_QUERY: { code: 2, type: "USER_ERROR" },
  USER_CANCELED: { code: 3, type: "USER_ERROR" },
  PERMISSION_DENIED: { code: 4, type: "USER_ERROR" },
  NOT_FOUND: { code: 5, type: "USER_ERROR" },
  FUNCTION_NOT_FOUND: { code: 6, type: "USER_ERROR" },
  INVALID_FUNCTION_ARGUMENT: { code: 7, type: "USER_ERROR" },
  DIVISION_BY_ZERO: { code: 8, type: "USER_ERROR" },
  INVALID_CAST_ARGUMENT: { code: 9, type: "USER_ERROR" },
  OPERATOR_NOT_FOUND: { code: 10, type: "USER_ERROR" },
  INVALID_VIEW: { code: 11, type: "USER_ERROR" },
  ALREADY_EXISTS: { code: 12, type: "USER_ERROR" },
  NOT_SUPPORTED: { code: 13, type: "USER_ERROR" },
  INVALID_SESSION_PROPERTY: { code: 14, type: "USER_ERROR" },
  INVALID_WINDOW_FRAME: { code: 15, type: "USER_ERROR" },
  CONSTRAINT_VIOLATION: { code: 16, type: "USER_ERROR" },
  TRANSACTION_CONFLICT: { code: 17, type: "USER_ERROR" },
  INVALID_TABLE_PROPERTY: { code: 18, type: "USER_ERROR" },
  NUMERIC_VALUE_OUT_OF_RANGE: { code: 19, type: "USER_ERROR" },
  UNKNOWN_TRANSACTION: { code: 20, type: "USER_ERROR" },
  NOT_IN_TRANSACTION: { code: 21, type: "USER_ERROR" },
  TRANSACTION_ALREADY_ABORTED: { code: 22, type: "USER_ERROR" },
  READ_ONLY_VIOLATION: { code: 23, type: "USER_ERROR" },
  MULTI_CATALOG_WRITE_CONFLICT: { code: 24, type: "USER_ERROR" },
  AUTOCOMMIT_WRITE_CONFLICT: { code: 25, type: "USER_ERROR" },
  UNSUPPORTED_ISOLATION_LEVEL: { code: 26, type: "USER_ERROR" },
  INCOMPATIBLE_CLIENT: { code: 27, type: "USER_ERROR" },
  SUBQUERY_MULTIPLE_ROWS: { code: 28, type: "USER_ERROR" },
  PROCEDURE_NOT_FOUND: { code: 29, type: "USER_ERROR" },
  INVALID_PROCEDURE_ARGUMENT: { code: 30, type: "USER_ERROR" },
  QUERY_REJECTED: { code: 31, type: "USER_ERROR" },
  AMBIGUOUS_FUNCTION_CALL: { code: 32, type: "USER_ERROR" },
  INVALID_SCHEMA_PROPERTY: { code: 33, type: "USER_ERROR" },
  SCHEMA_NOT_EMPTY: { code: 34, type: "USER_ERROR" },
  QUERY_TEXT_TOO_LARGE: { code: 35, type: "USER_ERROR" },
  UNSUPPORTED_SUBQUERY: { code: 36, type: "USER_ERROR" },
  EXCEEDED_FUNCTION_MEMORY_LIMIT: { code: 37, type: "USER_ERROR" },
  ADMINISTRATIVELY_KILLED: { code: 38, type: "USER_ERROR" },
  INVALID_COLUMN_PROPERTY: { code: 39, type: "USER_ERROR" },
  QUERY_HAS_TOO_MANY_STAGES: { code: 40, type: "USER_ERROR" },
  INVALID_SPATIAL_PARTITIONING: { code: 41, type: "USER_ERROR" },
  INVALID_ANALYZE_PROPERTY: { code: 42, type: "USER_ERROR" },
  TYPE_NOT_FOUND: { code: 43, type: "USER_ERROR" },
  CATALOG_NOT_FOUND: { code: 44, type: "USER_ERROR" },
  SCHEMA_NOT_FOUND: { code: 45, type: "USER_ERROR" },
  TABLE_NOT_FOUND: { code: 46, type: "USER_ERROR" },
  COLUMN_NOT_FOUND: { code: 47, type: "USER_ERROR" },
  ROLE_NOT_FOUND: { code: 48, type: "USER_ERROR" },
  SCHEMA_ALREADY_EXISTS: { code: 49, type: "USER_ERROR" },
  TABLE_ALREADY_EXISTS: { code: 50, type: "USER_ERROR" },
  COLUMN_ALREADY_EXISTS: { code: 51, type: "USER_ERROR" },
  ROLE_ALREADY_EXISTS: { code: 52, type: "USER_ERROR" },
  DUPLICATE_NAMED_QUERY: { code: 53, type: "USER_ERROR" },
  DUPLICATE_COLUMN_NAME: { code: 54, type: "USER_ERROR" },
  MISSING_COLUMN_NAME: { code: 55, type: "USER_ERROR" },
  MISSING_CATALOG_NAME: { code: 56, type: "USER_ERROR" },
  MISSING_SCHEMA_NAME: { code: 57, type: "USER_ERROR" },
  TYPE_MISMATCH: { code: 58, type: "USER_ERROR" },
  INVALID_LITERAL: { code: 59, type: "USER_ERROR" },
  COLUMN_TYPE_UNKNOWN: { code: 60, type: "USER_ERROR" },
  MISMATCHED_COLUMN_ALIASES: { code: 61, type: "USER_ERROR" },
  AMBIGUOUS_NAME: { code: 62, type: "USER_ERROR" },
  INVALID_COLUMN_REFERENCE: { code: 63, type: "USER_ERROR" },
  MISSING_GROUP_BY: { code: 64, type: "USER_ERROR" },
  MISSING_ORDER_BY: { code: 65, type: "USER_ERROR" },
  MISSING_OVER: { code: 66, type: "USER_ERROR" },
  NESTED_AGGREGATION: { code: 67, type: "USER_ERROR" },
  NESTED_WINDOW: { code: 68, type: "USER_ERROR" },
  EXPRESSION_NOT_IN_DISTINCT: { code: 69, type: "USER_ERROR" },
  TOO_MANY_GROUPING_SETS: { code: 70, type: "USER_ERROR" },
  FUNCTION_NOT_WINDOW: { code: 71, type: "USER_ERROR" },
  FUNCTION_NOT_AGGREGATE: { code: 72, type: "USER_ERROR" },
  EXPRESSION_NOT_AGGREGATE: { code: 73, type: "USER_ERROR" },
  EXPRESSION_NOT_SCALAR: { code: 74, type: "USER_ERROR" },
  EXPRESSION_NOT_CONSTANT: { code: 75, type: "USER_ERROR" },
  INVALID_ARGUMENTS: { code: 76, type: "USER_ERROR" },
  TOO_MANY_ARGUMENTS: { code: 77, type: "USER_ERROR" },
  INVALID_PRIVILEGE: { code: 78, type: "USER_ERROR" },
  DUPLICATE_PROPERTY: { code: 79, type: "USER_ERROR" },
  INVALID_PARAMETER_USAGE: { code: 80, type: "USER_ERROR" },
  VIEW_IS_STALE: { code: 81, type: "USER_ERROR" },
  VIEW_IS_RECURSIVE: { code: 82, type: "USER_ERROR" },
  NULL_TREATMENT_NOT_ALLOWED: { code: 83, type: "USER_ERROR" },
  INVALID_ROW_FILTER: { code: 84, type: "USER_ERROR" },
  INVALID_COLUMN_MASK: { code: 85, type: "USER_ERROR" },
  MISSING_TABLE: { code: 86, type: "USER_ERROR" },
  INVALID_RECURSIVE_REFERENCE: { code: 87, type: "USER_ERROR" },
  MISSING_COLUMN_ALIASES: { code: 88, type: "USER_ERROR" },
  NESTED_RECURSIVE: { code: 89, type: "USER_ERROR" },
  INVALID_LIMIT_CLAUSE: { code: 90, type: "USER_ERROR" },
  INVALID_ORDER_BY: { code: 91, type: "USER_ERROR" },
  DUPLICATE_WINDOW_NAME: { code: 92, type: "USER_ERROR" },
  INVALID_WINDOW_REFERENCE: { code: 93, type: "USER_ERROR" },
  INVALID_PARTITION_BY: { code: 94, type: "USER_ERROR" },
  /** From here on names and codes are Trino's. */
  INVALID_LABEL: { code: 96, type: "USER_ERROR" },
  INVALID_PROCESSING_MODE: { code: 97, type: "USER_ERROR" },
  INVALID_NAVIGATION_NESTING: { code: 98, type: "USER_ERROR" },
  INVALID_ROW_PATTERN: { code: 99, type: "USER_ERROR" },
  NESTED_ROW_PATTERN_RECOGNITION: { code: 100, type: "USER_ERROR" },
  TABLE_HAS_NO_COLUMNS: { code: 101, type: "USER_ERROR" },
  INVALID_RANGE: { code: 102, type: "USER_ERROR" },
  INVALID_PATTERN_RECOGNITION_FUNCTION: { code: 103, type: "USER_ERROR" },
  MISSING_VARIABLE_DEFINITIONS: { code: 105, type: "USER_ERROR" },
  MISSING_ROW_PATTERN: { code: 106, type: "USER_ERROR" },
  INVALID_WINDOW_MEASURE: { code: 107, type: "USER_ERROR" },
  MISSING_ARGUMENT: { code: 111, type: "USER_ERROR" },
  DUPLICATE_PARAMETER_NAME: { code: 112, type: "USER_ERROR" },
  INVALID_PATH: { code: 113, type: "USER_ERROR" },
  JSON_INPUT_CONVERSION_ERROR: { code: 114, type: "USER_ERROR" },
  JSON_OUTPUT_CONVERSION_ERROR: { code: 115, type: "USER_ERROR" },
  PATH_EVALUATION_ERROR: { code: 116, type: "USER_ERROR" },
  JSON_VALUE_RESULT_ERROR: { code: 118, type: "USER_ERROR" },
  MERGE_TARGET_ROW_MULTIPLE_MATCHES: { code: 119, type: "USER_ERROR" },
  INVALID_COPARTITIONING: { code: 120, type: "USER_ERROR" },
  INVALID_TABLE_FUNCTION_INVOCATION: { code: 121, type: "USER_ERROR" },
  DUPLICATE_RANGE_VARIABLE: { code: 122, type: "USER_ERROR" },
  INVALID_CATALOG_PROPERTY: { code: 124, type: "USER_ERROR" },
  MISSING_RETURN: { code: 126, type: "USER_ERROR" },
  DUPLICATE_COLUMN_OR_PATH_NAME: { code: 127, type: "USER_ERROR" },
  MISSING_PATH_NAME: { code: 128, type: "USER_ERROR" },
  INVALID_PLAN: { code: 129, type: "USER_ERROR" },
  GENERIC_INTERNAL_ERROR: { code: 65536, type: "INTERNAL_ERROR" },
  TOO_MANY_REQUESTS_FAILED: { code: 65537, type: "INTERNAL_ERROR" },
  PAGE_TOO_LARGE: { code: 65538, type: "INTERNAL_ERROR" },
  PAGE_TRANSPORT_ERROR: { code: 65539, type: "INTERNAL_ERROR" },
  PAGE_TRANSPORT_TIMEOUT: { code: 65540, type: "INTERNAL_ERROR" },
  NO_NODES_AVAILABLE: { code: 65541, type: "INTERNAL_ERROR" },
  REMOTE_TASK_ERROR: { code: 65542, type: "INTERNAL_ERROR" },
  COMPILER_ERROR: { code: 65543, type: "INTERNAL_ERROR" },
  REMOTE_TASK_MISMATCH: { code: 65544, type: "INTERNAL_ERROR" },
  SERVER_SHUTTING_DOWN: { code: 65545, type: "INTERNAL_ERROR" },
  FUNCTION_IMPLEMENTATION_MISSING: { code: 65546, type: "INTERNAL_ERROR" },
  REMOTE_BUFFER_CLOSE_FAILED: { code: 65547, type: "INTERNAL_ERROR" },
  SERVER_STARTING_UP: { code: 65548, type: "INTERNAL_ERROR" },
  FUNCTION_IMPLEMENTATION_ERROR: { code: 65549, type: "INTERNAL_ERROR" },
  INVALID_PROCEDURE_DEFINITION: { code: 65550, type: "INTERNAL_ERROR" },
  PROCEDURE_CALL_FAILED: { code: 65551, type: "INTERNAL_ERROR" },
  AMBIGUOUS_FUNCTION_IMPLEMENTATION: { code: 65552, type: "INTERNAL_ERROR" },
  ABANDONED_TASK: { code: 65553, type: "INTERNAL_ERROR" },
  CORRUPT_SERIALIZED_IDENTITY: { code: 65554, type: "INTERNAL_ERROR" },
  CORRUPT_PAGE: { code: 65555, type: "INTERNAL_ERROR" },
  OPTIMIZER_TIMEOUT: { code: 65556, type: "INTERNAL_ERROR" },
  OUT_OF_SPILL_SPACE: { code: 65557, type: "INTERNAL_ERROR" },
  REMOTE_HOST_GONE: { code: 65558, type: "INTERNAL_ERROR" },
  CONFIGURATION_INVALID: { code: 65559, type: "INTERNAL_ERROR" },
  CONFIGURATION_UNAVAILABLE: { code: 65560, type: "INTERNAL_ERROR" },
  INVALID_RESOURCE_GROUP: { code: 65561, type: "INTERNAL_ERROR" },
  SERIALIZATION_ERROR: { code: 65562, type: "INTERNAL_ERROR" },
  GENERIC_INSUFFICIENT_RESOURCES: { code: 131072, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_GLOBAL_MEMORY_LIMIT: { code: 131073, type: "INSUFFICIENT_RESOURCES" },
  QUERY_QUEUE_FULL: { code: 131074, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_TIME_LIMIT: { code: 131075, type: "INSUFFICIENT_RESOURCES" },
  CLUSTER_OUT_OF_MEMORY: { code: 131076, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_CPU_LIMIT: { code: 131077, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_SPILL_LIMIT: { code: 131078, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_LOCAL_MEMORY_LIMIT: { code: 131079, type: "INSUFFICIENT_RESOURCES" },
  ADMINISTRATIVELY_PREEMPTED: { code: 131080, type: "INSUFFICIENT_RESOURCES" },
  EXCEEDED_SCAN_LIMIT: { code: 131081, type: "INSUFFICIENT_RESOURCES" },
  /** Connector errors start at 0x100_0000. */
  CONNECTOR_ERROR: { code: 16777216, type: "EXTERNAL" },
  FILE_BAD_DATA: { code: 16777217, type: "EXTERNAL" },
  FILE_NOT_FOUND: { code: 16777218, type: "EXTERNAL" },
  TABLE_DATA_LOST: { code: 16777219, type: "EXTERNAL" },
  /** The code is that of Trino's connectors for JDBC. */
  JDBC_ERROR: { code: 67108864, type: "EXTERNAL" },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorName = keyof typeof catalogue;

export const errorCatalogue: Readonly<Record<ErrorName, ErrorEntry>> = catalogue;

/** Errors that TRY and TRY_CAST turn into NULL, as in Presto. */
export const errorsThatTrySwallows: readonly ErrorName[] = [
  "INVALID_FUNCTION_ARGUMENT",
  "DIVISION_BY_ZERO",
  "INVALID_CAST_ARGUMENT",
  "NUMERIC_VALUE_OUT_OF_RANGE",
];

/** Position in the statement's text, from 1. */
export interface ErrorLocation {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/**
 * Code units of a message. A message may quote a value of megabytes, and is kept with the query and sent in each of its documents. In UTF-8
 * it fits in the error block of kernels.
 */
const messageUnitsMax = 1_300;
const messageHeadUnits = 1_000;
const messageTailUnits = 200;

/** Long messages without their middle: values stand there, and what was wrong with them stands around. Returns short ones unchanged. */
function shortMessage(message: string): string {
  if (message.length <= messageUnitsMax) {
    return message;
  }
  const head = message.slice(0, messageHeadUnits).replace(/[\uD800-\uDBFF]$/, "");
  const tail = message.slice(-messageTailUnits).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}... (${message.length - head.length - tail.length} characters left out) ...${tail}`;
}

/**
 * Ends a query. The message has Presto's wording without the `line l:c: ` prefix, which is added if there is a location. Long messages are
 * shortened.
 */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly errorCode: number;
  readonly errorType: ErrorType;
  constructor(
    readonly errorName: ErrorName,
    message: string,
    readonly location?: ErrorLocation,
    options?: { readonly cause: unknown },
  ) {
    super(shortMessage(location === undefined ? message : `line ${location.lineNumber}:${location.columnNumber}: ${message}`), options);
    this.errorCode = errorCatalogue[errorName].code;
    this.errorType = errorCatalogue[errorName].type;
  }
}

/** A broken invariant: a bug in the engine, never a user error. Assertions are enabled in production. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) {
    throw new AssertionError(message);
  }
}

export function unreachable(value: never): never {
  throw new AssertionError(`unexpected ${JSON.stringify(value)}`);
}

const platformErrors: ReadonlySet<string> = new Set([
  "AggregateError",
  "CompileError",
  "EvalError",
  "InternalError",
  "LinkError",
  "RangeError",
  "ReferenceError",
  "RuntimeError",
  "SyntaxError",
  "TypeError",
  "URIError",
  "ZodError",
]);

/**
 * Message of a bug for clients: the text of the engine's own assertion. Messages of the platform go to the log only, because they differ
 * between platforms.
 */
export function internalErrorText(error: unknown): string {
  return error instanceof Error && !platformErrors.has(error.name) && error.message !== "" ? shortMessage(error.message) : "Internal error";
}

/** Message for a stack overflow. */
export const statementTooLarge = "Statement is too large (stack overflow)";

/** Whether the error is a stack overflow, which only statements with very deep trees cause. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Text for a log of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** With the stack, for a log. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
