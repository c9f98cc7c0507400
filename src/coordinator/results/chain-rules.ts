/**
 * Differences between header families in the chain of result documents. X-Engine follows the published interface; the other families follow
 * Presto's and Trino's servers, because their own clients depend on it.
 */
import type { HeaderFamily } from "../../protocol/http/headers.ts";

export interface ChainRules {
  /**
   * POST and PUT return a QUEUED query at once; columns and errors come with a GET. Presto's and Trino's clients look for `error` only in
   * answers to GET, or report an answer to POST without `nextUri` as broken.
   */
  readonly beginsQueued: boolean;
  /**
   * Every answer with rows has a `nextUri`, and an answer without rows ends the chain. Trino's servers do so since 2022, and Trino's
   * clients stop at the first answer without `nextUri`. If false, the last rows are held back until the end is known and come with the last
   * answer.
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
