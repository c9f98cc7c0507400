/**
 * The node object (the interface, section 2.6): the elements of GET /v1/node and GET /v1/node/failed.
 */
import * as z from "zod";
import { address, duration, timestamp } from "./fields.ts";

const nodeFailureSchema = z.object({
  type: z.string(),
  message: z.string(),
  stack: z.array(z.string()),
  suppressed: z.array(z.unknown()),
});

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
};
