/**
 * The other nodes as a worker knows them: the list of services from the last accepted announcement, or from a later request.
 */
import type { ConnectorContext } from "../connectors/spi.ts";
import type { ServiceList } from "../protocol/documents/info.ts";

export class ServiceDirectory {
  #addresses: ReadonlyMap<string, string> = new Map();
  #workers: readonly string[] = [];

  /** Drops the list, because it may be out of date. */
  forget(): void {
    this.#addresses = new Map();
    this.#workers = [];
  }

  update(list: ServiceList): void {
    const addresses = new Map<string, string>();
    const workers: string[] = [];
    for (const service of list.services) {
      const uri = service.properties["http"];
      if (uri !== undefined) {
        addresses.set(service.nodeId, uri);
      }
      if (service.state === "ACTIVE" && service.properties["worker"] === "true") {
        workers.push(service.nodeId);
      }
    }
    this.#addresses = addresses;
    this.#workers = workers.toSorted();
  }

  address(nodeId: string): string | undefined {
    return this.#addresses.get(nodeId);
  }

  /** Sorted node ids. */
  activeWorkers(): readonly string[] {
    return this.#workers;
  }
}

/** What a catalog is told about the nodes of the cluster. */
export type CatalogNodes = Pick<ConnectorContext, "incarnation" | "incarnationOf" | "onNodesChange" | "workerNodes">;

/** `cluster` is the coordinator's view; a worker knows the workers of its directory. */
export function catalogNodes(
  incarnation: string,
  cluster: (Pick<CatalogNodes, "incarnationOf"> & ClusterView) | undefined,
  directory: ServiceDirectory,
): CatalogNodes {
  return {
    incarnation,
    workerNodes: () => cluster?.activeWorkers().map(({ nodeId }) => nodeId) ?? directory.activeWorkers(),
    incarnationOf: (nodeId) => cluster?.incarnationOf(nodeId),
    onNodesChange: (callback) => cluster?.onChange(callback) ?? (() => undefined),
  };
}

interface ClusterView {
  activeWorkers(): readonly { readonly nodeId: string }[];
  onChange(callback: () => void): () => void;
}
