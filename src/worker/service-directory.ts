/** What a worker knows of the other nodes: the list of services that its coordinator sent with the last announcement, or that it asked for since then. */
import type { ServiceList } from "../protocol/documents/info.ts";

export class ServiceDirectory {
  #addresses: ReadonlyMap<string, string> = new Map();
  #workers: readonly string[] = [];

  /** What was known is no longer relied on. */
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
