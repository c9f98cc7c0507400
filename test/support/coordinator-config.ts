/** The configuration of a coordinator to which nothing was given, except that small tables have several tasks. */
import { nodeConfig } from "../../src/config.ts";
import type { CoordinatorConfig } from "../../src/coordinator/context.ts";

export const defaultCoordinatorConfig: CoordinatorConfig = nodeConfig(
  { nodeId: "coordinator", catalogs: [] },
  { "optimizer.min-input-rows-per-task": "1", "query.hash-partition-count": "3" },
).coordinator;
