/**
 * Limits the number of stages of a query, because each stage has its own tasks, buffers and exchanges on every worker.
 */
import { QueryError } from "../../protocol/errors.ts";
import { queryWarning, type Warning } from "../../protocol/documents/warnings.ts";

const advice =
  "If the query contains multiple CTEs that are referenced more than once, please create temporary table(s) for one or more of the CTEs.";

export interface StageCountLimits {
  /** query.max-stage-count, or the session property. */
  readonly countMax: number;
  /** query.stage-count-warning-threshold */
  readonly warningThreshold: number;
}

/** Throws QUERY_HAS_TOO_MANY_STAGES. Returns a warning if the count is above the warning threshold. */
export function checkStageCount(count: number, limits: StageCountLimits): Warning | undefined {
  const { countMax, warningThreshold } = limits;
  if (count > countMax) {
    throw new QueryError(
      "QUERY_HAS_TOO_MANY_STAGES",
      `Number of stages in the query (${count}) exceeds the allowed maximum (${countMax}). ${advice}`,
    );
  }
  return count > warningThreshold
    ? queryWarning("TOO_MANY_STAGES", `Number of stages in the query (${count}) exceeds the soft limit (${warningThreshold}). ${advice}`)
    : undefined;
}
