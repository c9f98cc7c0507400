/**
 * How the chain of results documents differs between the header families. X-Engine follows the published interface; Presto's and Trino's own clients
 * rely on what their servers do.
 */
import type { HeaderFamily } from "../../protocol/http/headers.ts";

export interface ChainRules {
  /**
   * POST and PUT answer at once with a query that is QUEUED. Columns and errors come with a GET: Presto's and Trino's clients look for `error` only in answers to
   * GET, or report an answer to POST without `nextUri` as broken.
   */
  readonly beginsQueued: boolean;
  /**
   * An answer with rows has a `nextUri`, and one without rows ends the chain. Trino's servers do so since 2022, and Trino's clients stop at the first answer
   * without `nextUri`. Otherwise the last rows are held back until the end is known, and come with it.
   */
  readonly endsEmpty: boolean;
}

const chainRules: Readonly<Record<HeaderFamily, ChainRules>> = {
  engine: { beginsQueued: false, endsEmpty: false },
  presto: { beginsQueued: true, endsEmpty: false },
  trino: { beginsQueued: true, endsEmpty: true },
};

export function chainRulesOf(family: HeaderFamily): ChainRules {
  return chainRules[family];
}
