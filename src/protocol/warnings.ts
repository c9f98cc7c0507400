/** What a query tells its client beside its rows, by Presto's codes. */
import type { z } from "zod";
import type { warningSchema } from "./statement.ts";

/** Names and codes of the standard warnings (P21 StandardWarningCode). */
const warningCodes = {
  TOO_MANY_STAGES: 1,
  REDUNDANT_ORDER_BY: 2,
  DEPRECATED_FUNCTION: 3,
} as const;

export type WarningName = keyof typeof warningCodes;
export type QueryWarning = z.infer<typeof warningSchema>;

export function queryWarning(name: WarningName, message: string): QueryWarning {
  return { warningCode: { code: warningCodes[name], name }, message };
}
