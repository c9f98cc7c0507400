/**
 * Warnings of a query: the query continues and the user is informed. Codes and names are Presto's.
 */
import * as z from "zod";

export const warningSchema = z.object({ warningCode: z.object({ code: z.int(), name: z.string() }), message: z.string() });
export type Warning = z.infer<typeof warningSchema>;

/** Presto's standard warnings that the engine issues, with their codes. */
const warningCodes = { TOO_MANY_STAGES: 1, PARTIAL_RESULT_WARNING: 6 } as const;
export type WarningName = keyof typeof warningCodes;

/** Maximum number of warnings of a query; more of them would not tell the user anything new. */
const warningsMax = 100;

export function queryWarning(name: WarningName, message: string): Warning {
  return { warningCode: { code: warningCodes[name], name }, message };
}

/** The result lacks rows that could not be read. */
export function partialResultWarning(message: string): Warning {
  return queryWarning("PARTIAL_RESULT_WARNING", message);
}

/** Adds the new warnings without duplicates; returns the same list if nothing is added. */
export function addWarnings(warnings: readonly Warning[], added: readonly Warning[]): readonly Warning[] {
  return added.reduce((all, warning) => {
    const isKnown = all.some(({ message, warningCode }) => message === warning.message && warningCode.code === warning.warningCode.code);
    return isKnown || all.length >= warningsMax ? all : [...all, warning];
  }, warnings);
}
