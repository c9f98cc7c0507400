/** Warnings of a query: it goes on, and its user is told. Codes and names are Presto's. */
import { z } from "zod";

export const warningSchema = z.object({ warningCode: z.object({ code: z.int(), name: z.string() }), message: z.string() });
export type Warning = z.infer<typeof warningSchema>;

/** Names and codes of Presto's standard warnings that we give. */
const warningCodes = { TOO_MANY_STAGES: 1, PARTIAL_RESULT_WARNING: 6 } as const;
export type WarningName = keyof typeof warningCodes;

/** Of one query. Who has more than these in a catalog knows what is wrong with it. */
const warningsMax = 100;

export function queryWarning(name: WarningName, message: string): Warning {
  return { warningCode: { code: warningCodes[name], name }, message };
}

/** The rows leave something out that could not be read. */
export function partialResultWarning(message: string): Warning {
  return queryWarning("PARTIAL_RESULT_WARNING", message);
}

/** Each warning once; the same list where nothing is added. */
export function addWarnings(warnings: readonly Warning[], added: readonly Warning[]): readonly Warning[] {
  return added.reduce((all, warning) => {
    const isKnown = all.some(({ message, warningCode }) => message === warning.message && warningCode.code === warning.warningCode.code);
    return isKnown || all.length >= warningsMax ? all : [...all, warning];
  }, warnings);
}
