/**
 * Documents about a node itself, and the announcements by which cluster members find each other (Presto's discovery protocol).
 */
import * as z from "zod";
import { checked } from "./checked.ts";
import { address, count, duration } from "./fields.ts";
import type { Schema } from "../http/http.ts";

const nodeStates = ["ACTIVE", "INACTIVE", "SHUTTING_DOWN"] as const;
export type NodeState = (typeof nodeStates)[number];
export const nodeStateSchema = z.enum(nodeStates);

/**
 * Headers of every response to /v1/status: a heartbeat without a body. In a request that creates a task, the incarnation header names the
 * incarnation that the request is for. A node that refuses new tasks sends its state with the refusal.
 */
export const nodeStateHeader = "x-engine-node-state";
export const nodeIncarnationHeader = "x-engine-node-life";

/**
 * In a request that creates or updates a task: the incarnation of the coordinator that sent it. A client may give the same query id to two
 * coordinators.
 */
export const coordinatorIncarnationHeader = "x-engine-coordinator-life";

/** GET /v1/info */
export const serverInfoSchema = z.object({
  nodeVersion: z.object({ version: z.string() }),
  environment: z.string(),
  coordinator: z.boolean(),
  /** False while the node can answer queries. A coordinator that has lost its workers is starting again. */
  starting: z.boolean(),
  uptime: duration,
});
export type ServerInfo = z.infer<typeof serverInfoSchema>;

/** GET /v1/status */
export const serverStatusSchema = z.object({
  nodeId: z.string(),
  nodeVersion: z.object({ version: z.string() }),
  environment: z.string(),
  coordinator: z.boolean(),
  uptime: duration,
  externalAddress: z.string(),
  internalAddress: z.string(),
  memoryInfo: z.object({
    totalNodeMemory: z.string(),
    pools: z.record(z.string(), z.object({ maxBytes: count, reservedBytes: count, freeBytes: z.int() })),
  }),
  processors: count,
  processCpuLoad: z.number(),
  systemCpuLoad: z.number(),
  heapUsed: count,
  heapAvailable: count,
  nonHeapUsed: count,
});
export type ServerStatus = z.infer<typeof serverStatusSchema>;

/** Service type of the engine's announcements; Presto's and Trino's readers look for `presto` and `trino`. */
export const serviceType = "orrery";
export const serviceTypes: readonly string[] = [serviceType, "presto", "trino"];

const serviceSchema = z.object({
  id: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.string()),
});

/** Body of PUT /v1/announcement/{nodeId} */
export const announcementSchema = z.object({
  environment: z.string(),
  nodeId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, "expected letters, digits, '_', '.' and '-'"),
  pool: z.string().optional(),
  location: z.string().optional(),
  services: z.array(serviceSchema),
});
export type Announcement = z.infer<typeof announcementSchema>;

/** Properties of an `orrery` service. */
export const servicePropertiesSchema = z.object({
  http: address,
  node_version: z.string(),
  coordinator: z.enum(["true", "false"]),
  /** Names of its catalogs, separated by commas. */
  connectorIds: z.string().optional(),
  /** `name=version`, separated by commas: catalogs that were created at run time. Absent if there are none. */
  catalogVersions: z.string().optional(),
  /** Incarnation of the node, drawn once at its start; a changed value means that the node was restarted. */
  life: z.string().optional(),
  state: nodeStateSchema.optional(),
  /** Size of the node's memory, in bytes. Older builds do not announce it. */
  memory: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

/** GET /v1/service/{type} */
export const serviceListSchema = z.object({
  environment: z.string(),
  services: z.array(
    serviceSchema.extend({ nodeId: z.string(), pool: z.string(), location: z.string().optional(), state: nodeStateSchema.optional() }),
  ),
});
export type ServiceList = z.infer<typeof serviceListSchema>;
export const serviceListReader: Schema<ServiceList> = checked(serviceListSchema);

export const serverInfoExample: ServerInfo = {
  nodeVersion: { version: "0.1.0" },
  environment: "production",
  coordinator: true,
  starting: false,
  uptime: "1.32m",
};

export const serverStatusExample: ServerStatus = {
  nodeId: "coordinator",
  nodeVersion: { version: "0.1.0" },
  environment: "production",
  coordinator: true,
  uptime: "1.32m",
  externalAddress: "127.0.0.1",
  internalAddress: "127.0.0.1",
  memoryInfo: { totalNodeMemory: "2147483648B", pools: { general: { maxBytes: 2147483648, reservedBytes: 0, freeBytes: 2147483648 } } },
  processors: 1,
  processCpuLoad: 0,
  systemCpuLoad: 0,
  heapUsed: 0,
  heapAvailable: 2147483648,
  nonHeapUsed: 0,
};

export const announcementExample: Announcement = {
  environment: "production",
  nodeId: "worker-1",
  pool: "general",
  location: "/worker-1",
  services: [
    {
      id: "worker-1-orrery",
      type: serviceType,
      properties: {
        http: "http://127.0.0.1:8081",
        node_version: "0.1.0",
        coordinator: "false",
        connectorIds: "memory,system,tpch",
        life: "0123456789abcdef",
      },
    },
  ],
};

export const serviceListExample: ServiceList = {
  environment: "production",
  services: [
    {
      id: "worker-1-orrery",
      nodeId: "worker-1",
      type: serviceType,
      pool: "general",
      location: "/worker-1",
      state: "ACTIVE",
      properties: { http: "http://127.0.0.1:8081", node_version: "0.1.0", coordinator: "false" },
    },
  ],
};
