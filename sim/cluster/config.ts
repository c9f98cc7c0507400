/** The configuration of each node of a simulated cluster. */
import { nodeConfig, type NodeConfig } from "../../src/config.ts";
import type { CatalogConfig } from "../../src/worker/catalogs.ts";
import type { RunPlan } from "../plan.ts";
import { commonProperties } from "../properties.ts";
import { nodeMemoryBytes } from "../shared.ts";
import { testingCatalog } from "../workload/features/testing-functions.ts";
import { SimulatedNetwork } from "../world/network.ts";

/** `remote` is a whole other cluster in one node, to which the coordinator sends statements by rule. */
export type PlaceRole = "coordinator" | "worker" | "remote";

export interface ConfigOptions {
  readonly plan: RunPlan;
  readonly place: { readonly name: string; readonly role: PlaceRole };
  readonly nodeVersion: string | undefined;
  /** Besides those of every cluster. */
  readonly catalogs: readonly CatalogConfig[];
  readonly doubles: "DOUBLE" | "DECIMAL";
}

export function configOf({ catalogs, doubles, nodeVersion, place, plan }: ConfigOptions): NodeConfig {
  const { name, role } = place;
  const { replication } = plan;
  const isCoordinator = role === "coordinator";
  return nodeConfig(
    {
      nodeId: name,
      ...(nodeVersion === undefined ? {} : { nodeVersion }),
      role: role === "remote" ? "both" : role,
      discoveryUri: SimulatedNetwork.uriOf(role === "remote" ? name : plan.coordinator.name),
      ...(isCoordinator && plan.access !== undefined && { access: plan.access }),
      ...(isCoordinator && plan.userGroups !== undefined && { userGroups: plan.userGroups }),
      ...(isCoordinator && plan.resourceGroups !== undefined && { resourceGroups: plan.resourceGroups }),
      ...(isCoordinator && plan.remote !== undefined && { queryRouting: routingOf(plan.remote) }),
      catalogs: [
        {
          name: "memory",
          properties: { "connector.name": "memory", ...(replication !== undefined && { "memory.replication": String(replication) }) },
        },
        testingCatalog,
        ...catalogs,
        {
          name: "tpch",
          properties: {
            "connector.name": "tpch",
            "tpch.double-type-mapping": doubles,
            "tpch.splits-per-node": String(plan.splitsPerNode),
          },
        },
      ],
    },
    { ...commonProperties, "node.memory": `${nodeMemoryBytes}B`, ...plan.properties },
  );
}

function routingOf({ errorDuration, name, rules }: NonNullable<RunPlan["remote"]>): NonNullable<NodeConfig["queryRouting"]> {
  const url = SimulatedNetwork.uriOf(name).replace("http:", "jdbc:trino:");
  return { clusters: [{ name, "connection-url": url, "max-error-duration": errorDuration }], rules: [...rules] };
}
