/**
 * The node object (the interface, section 2.6): the elements of GET /v1/node and GET /v1/node/failed.
 */
import * as z from "zod";
import { address, count, dataSize, duration, timestamp } from "./fields.ts";
import { nodeStateSchema } from "./info.ts";

const nodeFailureSchema = z.object({
  type: z.string(),
  message: z.string(),
  stack: z.array(z.string()),
  suppressed: z.array(z.unknown()),
});

/** Tasks that have not ended, and the memory that they reserve. */
const workShape = { runningTasks: count.optional(), memoryReservation: dataSize.optional() };

const nodeSchema = z.object({
  uri: address,
  recentRequests: z.number().nonnegative(),
  recentFailures: z.number().nonnegative(),
  recentSuccesses: z.number().nonnegative(),
  /** Absent until the first request. */
  lastRequestTime: timestamp.optional(),
  /** Absent until the first answer or failure. */
  lastResponseTime: timestamp.optional(),
  age: duration,
  recentFailureRatio: z.number().min(0).max(1),
  recentFailuresByType: z.record(z.string(), z.number().nonnegative()),
  lastFailureInfo: nodeFailureSchema.optional(),
  /** Members beyond the interface; older builds omit them. */
  nodeId: z.string().optional(),
  /** Absent, as `coordinator`, if the node is no longer announced. */
  nodeVersion: z.string().optional(),
  coordinator: z.boolean().optional(),
  state: nodeStateSchema.optional(),
  ...workShape,
  queries: z.array(z.object({ queryId: z.string(), ...workShape })).optional(),
});
export type NodeDocument = z.infer<typeof nodeSchema>;

export const nodeListSchema = z.array(nodeSchema);

export const nodeExample: NodeDocument = {
  uri: "http://10.209.57.157:8080",
  recentRequests: 115.99,
  recentFailures: 115.99,
  recentSuccesses: 0,
  lastRequestTime: "2014-01-31T18:21:18.117Z",
  lastResponseTime: "2014-01-31T18:21:18.118Z",
  age: "4.45m",
  recentFailureRatio: 1,
  recentFailuresByType: { CONNECTION_REFUSED: 115.99 },
  lastFailureInfo: { type: "CONNECTION_REFUSED", message: "connection refused by 10.209.57.157:8080", stack: [], suppressed: [] },
  nodeId: "worker-1",
  nodeVersion: "0.1.0",
  coordinator: false,
  state: "INACTIVE",
  runningTasks: 1,
  memoryReservation: "64kB",
  queries: [{ queryId: "20140115_170528_00004_dk5x2", runningTasks: 1, memoryReservation: "64kB" }],
};
