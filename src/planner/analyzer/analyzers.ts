/**
 * Fills in the entry points for expressions, queries and relations.
 */
import type { Analyzers } from "./analysis.ts";
import { analyzeExpressionByKind } from "./expression/expression-analyzer.ts";
import { planBodyInPieces, planInnerQuery, planQuery, planQueryBody } from "./query/query.ts";
import { planRelation } from "./relation/relations.ts";

export const analyzers: Analyzers = Object.freeze({
  expression: analyzeExpressionByKind,
  query: planQuery,
  queryInPieces: planInnerQuery,
  queryBody: planQueryBody,
  bodyInPieces: planBodyInPieces,
  relation: planRelation,
});
