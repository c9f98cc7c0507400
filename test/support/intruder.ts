/**
 * Requests that a stranger who reaches a node sends: every resource between nodes, each of which would read, change or end something.
 */
import type { HttpMethod } from "../../src/ports/network.ts";

export interface Intrusion {
  readonly method: HttpMethod;
  readonly path: string;
  readonly body?: string;
}

const announcement = (nodeId: string): string =>
  JSON.stringify({
    environment: "production",
    nodeId,
    pool: "general",
    location: `/${nodeId}`,
    services: [
      { id: "x", type: "orrery", properties: { http: "http://127.0.0.1:9", node_version: "0.1.0", coordinator: "false", worker: "true" } },
    ],
  });

export const intrusions: readonly Intrusion[] = [
  { method: "POST", path: "/v1/task/20200101_000000_00000_zzzzz.1.0", body: "{}" },
  { method: "DELETE", path: "/v1/task/20200101_000000_00000_zzzzz.1.0" },
  { method: "GET", path: "/v1/task/20200101_000000_00000_zzzzz.1.0/results/0/0" },
  { method: "HEAD", path: "/v1/task/20200101_000000_00000_zzzzz.1.0/results/0/0" },
  { method: "GET", path: "/v1/task/20200101_000000_00000_zzzzz.1.0/results/0/0/acknowledge" },
  { method: "DELETE", path: "/v1/task/20200101_000000_00000_zzzzz.1.0/results/0" },
  { method: "PUT", path: "/v1/announcement/worker-1", body: announcement("worker-1") },
  { method: "PUT", path: "/v1/announcement/intruder", body: announcement("intruder") },
  { method: "DELETE", path: "/v1/announcement/worker-1" },
  { method: "POST", path: "/v1/catalog/memory/call", body: '{"kind":"drop"}' },
  { method: "PUT", path: "/v1/catalog/evil", body: "{}" },
  { method: "PUT", path: "/v1/info/state", body: '"SHUTTING_DOWN"' },
];
