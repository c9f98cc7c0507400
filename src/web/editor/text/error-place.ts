/** Where the error of a statement stands in the text of its tab, which may have changed since. */
import type { Diagnostic } from "@codemirror/lint";
import { markedRange, offsetOf } from "../sql/statements.ts";

export interface FailedStatement {
  /** As sent, with the prefix. */
  readonly sql: string;
  readonly prefixLength: number;
  readonly statement: { readonly sql: string; readonly offset: number };
  readonly error:
    | { readonly message: string; readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number } | undefined }
    | undefined;
}

/** Undefined if the error has no place, or if the statement is no longer in the text. */
export function errorDiagnostic({ sql, prefixLength, statement, error }: FailedStatement, text: string): Diagnostic | undefined {
  if (error?.errorLocation === undefined) {
    return undefined;
  }
  const start = statementStart(statement, text);
  if (start === undefined) {
    return undefined;
  }
  const offset = Math.max(0, offsetOf(sql, error.errorLocation) - prefixLength);
  const { from, to } = markedRange(statement.sql, offset);
  return { from: start + from, to: start + to, severity: "error", message: error.message };
}

/** Where it was, or where it is now if the text has it once. */
function statementStart({ sql, offset }: FailedStatement["statement"], text: string): number | undefined {
  if (text.startsWith(sql, offset)) {
    return offset;
  }
  const found = text.indexOf(sql);
  return found >= 0 && text.indexOf(sql, found + 1) < 0 ? found : undefined;
}
