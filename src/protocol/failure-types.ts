/**
 * `failureInfo.type` is the name of an exception class in Presto and Trino; clients display it or map it to their own exceptions. The
 * engine has no Java exceptions, so this table gives the class that Presto or Trino would use.
 */
import { type ErrorName, errorCatalogue } from "./errors.ts";
import type { HeaderFamily } from "./http/headers.ts";

/** Errors with a class of their own, relative to the family's package. */
const classes: Readonly<Partial<Record<ErrorName, Readonly<Record<"presto" | "trino", string>>>>> = {
  SYNTAX_ERROR: { presto: "sql.parser.ParsingException", trino: "sql.parser.ParsingException" },
  EXCEEDED_LOCAL_MEMORY_LIMIT: { presto: "ExceededMemoryLimitException", trino: "ExceededMemoryLimitException" },
  EXCEEDED_GLOBAL_MEMORY_LIMIT: { presto: "ExceededMemoryLimitException", trino: "ExceededMemoryLimitException" },
  PAGE_TRANSPORT_ERROR: { presto: "operator.PageTransportErrorException", trino: "operator.PageTransportErrorException" },
  PAGE_TRANSPORT_TIMEOUT: { presto: "operator.PageTransportTimeoutException", trino: "operator.PageTransportTimeoutException" },
};

const packages = { presto: "com.facebook.presto", trino: "io.trino" } as const;
const usualClasses = { presto: "spi.PrestoException", trino: "spi.TrinoException" } as const;

/** For X-Engine clients, whose interface leaves the type open, it is the error name. */
export function failureType(errorName: ErrorName, family: HeaderFamily, isLocated: boolean): string {
  if (family === "engine") {
    return errorName;
  }
  if (errorName === "GENERIC_INTERNAL_ERROR") {
    return "java.lang.RuntimeException";
  }
  const own = classes[errorName]?.[family];
  // Presto's analyzer has its own exception class; Trino's no longer has one.
  const isSemantic = family === "presto" && isLocated && errorCatalogue[errorName].type === "USER_ERROR";
  return `${packages[family]}.${own ?? (isSemantic ? "sql.analyzer.SemanticException" : usualClasses[family])}`;
}
