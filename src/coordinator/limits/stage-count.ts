/** The number of stages of a query: each has tasks, buffers and exchanges of its own on every worker. */
import { QueryError } from "../../protocol/errors.ts";
import { queryWarning, type Warning } from "../../protocol/documents/warnings.ts";

const advice =
  "If the query contains multiple CTEs that are referenced more than once, please create temporary table(s) for one or more of the CTEs.";

export interface StageCountLimits {
  /** query.max-stage-count, or the session's */
  readonly countMax: number;
  /** query.stage-count-warning-threshold */
  readonly warningThreshold: number;
}

/** Throws QUERY_HAS_TOO_MANY_STAGES; a warning where there are nearly too many. */
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
