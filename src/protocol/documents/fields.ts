/**
 * Schemas of the formats shared by all documents (the interface, section 2.1), and the failure object. Internal to protocol/.
 */
import * as z from "zod";
import { type ErrorName, errorCatalogue } from "../errors.ts";
import { failureType } from "../failure-types.ts";
import type { HeaderFamily } from "../http/headers.ts";
import { dataSizePattern, durationPattern } from "../units.ts";
import { timestampPattern } from "../timestamp.ts";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

export const timestamp = z.string().regex(timestampPattern, "expected an ISO 8601 timestamp with milliseconds");
export const duration = z.string().regex(durationPattern, "expected a duration such as 1.32ms");
export const dataSize = z.string().regex(dataSizePattern, "expected a data size such as 174.76kB");
/** A counter within 53 bits: rows, calls, drivers. */
export const count = z.int().nonnegative();
/** The whole signed 64-bit range; a bigint beyond 53 bits. */
export const int64 = z.union([z.int(), z.bigint().min(int64Min).max(int64Max)]);
export const address = z.string().regex(/^https?:\/\/\S+$/, "expected an address");

export const errorLocation = z.object({ lineNumber: z.int().positive(), columnNumber: z.int().positive() });
export const errorType = z.enum(["USER_ERROR", "INTERNAL_ERROR", "INSUFFICIENT_RESOURCES", "EXTERNAL"]);
export const errorCode = z.object({ code: z.int().nonnegative(), name: z.string(), type: errorType });

export interface FailureDocument {
  readonly type: string;
  readonly message?: string | undefined;
  readonly cause?: FailureDocument | undefined;
  readonly suppressed: readonly FailureDocument[];
  readonly stack: readonly string[];
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number } | undefined;
  readonly errorCode?: { readonly code: number; readonly name: string; readonly type: z.infer<typeof errorType> } | undefined;
  readonly remoteHost?: string | undefined;
}

export const failure: z.ZodType<FailureDocument> = z.lazy(() =>
  z.object({
    type: z.string(),
    message: z.string().optional(),
    cause: failure.optional(),
    suppressed: z.array(failure),
    stack: z.array(z.string()),
    errorLocation: errorLocation.optional(),
    errorCode: errorCode.optional(),
    remoteHost: z.string().optional(),
  }),
);

/** A failure in the engine's own terms; same shape as FailureInfo of the execution. */
export interface FailureFacts {
  readonly errorName: ErrorName;
  /** Includes the `line l:c: ` prefix if there is a location. */
  readonly message: string;
  readonly location?: { readonly lineNumber: number; readonly columnNumber: number };
  readonly remoteHost?: string;
  readonly foreign?: ForeignError;
}

/** An error that the catalogue does not have. */
export type ForeignError = z.infer<typeof errorCode>;

/** The error as documents name it. */
export function errorOf({ errorName, foreign }: Pick<FailureFacts, "errorName" | "foreign">): ForeignError {
  const { code, type } = errorCatalogue[errorName];
  return foreign ?? { code, name: errorName, type };
}

/** `family` is that of the client that reads the document; nodes ignore the type. */
export function failureDocument(facts: FailureFacts, family: HeaderFamily = "engine"): FailureDocument {
  return {
    type: failureType(facts.errorName, family, facts.location !== undefined),
    message: facts.message === "" ? "Internal error" : facts.message,
    suppressed: [],
    stack: [],
    ...(facts.location === undefined ? {} : { errorLocation: facts.location }),
    errorCode: errorOf(facts),
    ...(facts.remoteHost === undefined ? {} : { remoteHost: facts.remoteHost }),
  };
}

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(errorCatalogue, name);
}

/** Decodes a failure document; an unknown error code becomes an internal error. */
export function failureFacts(document: FailureDocument): FailureFacts {
  const name = document.errorCode?.name ?? "";
  return {
    errorName: isErrorName(name) ? name : "GENERIC_INTERNAL_ERROR",
    message: document.message ?? "Internal error",
    ...(document.errorLocation === undefined ? {} : { location: document.errorLocation }),
    ...(document.remoteHost === undefined ? {} : { remoteHost: document.remoteHost }),
  };
}
