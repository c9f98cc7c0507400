/** The configuration of a coordinator to which nothing was given. */
import { nodeConfig } from "../../src/config.ts";
import type { CoordinatorConfig } from "../../src/coordinator/context.ts";

export const defaultCoordinatorConfig: CoordinatorConfig = nodeConfig({ nodeId: "coordinator", catalogs: [] }).coordinator;
