/**
 * Rights on what a relation reads that is described or stored, and not run.
 */
import type { Analysis } from "../analyzer/analysis.ts";
import type { RelationPlan } from "../analyzer/scope/scope.ts";
import type { Assignment } from "../plan/node.ts";
import { projectNode } from "../plan/plan-tree.ts";

/** Throws PERMISSION_DENIED. */
export function requireReads({ fields, node }: RelationPlan, { ids, reads }: Analysis): void {
  const visible = fields.filter(({ hidden }) => !hidden);
  const assignments = visible.map(({ expression }): Assignment => ({ output: ids.variable("column", expression.type), expression }));
  reads?.checked(projectNode(ids, node, assignments), ids);
}
