/**
 * `failureInfo.type` is the class of an exception at Presto and Trino, and clients show it or choose an exception of their own by it. The engine has no exceptions of Java;
 * this table says which of theirs a failure would be.
 */
import { type ErrorName, errorCatalogue } from "./errors.ts";
import type { HeaderFamily } from "./http/headers.ts";

/** Of failures that have a class of their own there, below the package of the family. */
const classes: Readonly<Partial<Record<ErrorName, Readonly<Record<"presto" | "trino", string>>>>> = {
  SYNTAX_ERROR: { presto: "sql.parser.ParsingException", trino: "sql.parser.ParsingException" },
  EXCEEDED_LOCAL_MEMORY_LIMIT: { presto: "ExceededMemoryLimitException", trino: "ExceededMemoryLimitException" },
  EXCEEDED_GLOBAL_MEMORY_LIMIT: { presto: "ExceededMemoryLimitException", trino: "ExceededMemoryLimitException" },
  PAGE_TRANSPORT_ERROR: { presto: "operator.PageTransportErrorException", trino: "operator.PageTransportErrorException" },
  PAGE_TRANSPORT_TIMEOUT: { presto: "operator.PageTransportTimeoutException", trino: "operator.PageTransportTimeoutException" },
};

const packages = { presto: "com.facebook.presto", trino: "io.trino" } as const;
const usualClasses = { presto: "spi.PrestoException", trino: "spi.TrinoException" } as const;

/** To clients of X-Engine, whose interface leaves it open, the name of the error. */
export function failureType(errorName: ErrorName, family: HeaderFamily, isLocated: boolean): string {
  if (family === "engine") {
    return errorName;
  }
  if (errorName === "GENERIC_INTERNAL_ERROR") {
    return "java.lang.RuntimeException";
  }
  const own = classes[errorName]?.[family];
  // Presto's analyzer has a class for what it finds; Trino's has none any more.
  const isSemantic = family === "presto" && isLocated && errorCatalogue[errorName].type === "USER_ERROR";
  return `${packages[family]}.${own ?? (isSemantic ? "sql.analyzer.SemanticException" : usualClasses[family])}`;
}
