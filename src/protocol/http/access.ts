/**
 * Who may use a resource. The transport checks it before the node sees the request, and before the body is received.
 */
import type { HttpMethod, HttpRequest } from "../../ports/network.ts";
import { matchesPattern, parsePath } from "./http.ts";

/**
 * `public`: health probes and facts about the node itself. `internal`: between nodes only; the request must be signed. `user`: everything
 * else, also addresses that do not exist.
 */
export type Access = "public" | "user" | "internal";

export type NodeRole = "coordinator" | "worker";

interface Rule {
  readonly method: HttpMethod;
  readonly pattern: string;
  readonly access: Access;
  /** Absent if the rule is the same on all nodes. */
  readonly role?: NodeRole;
}

const table: readonly Rule[] = [
  { method: "GET", pattern: "/livez", access: "public" },
  { method: "GET", pattern: "/readyz", access: "public" },
  { method: "GET", pattern: "/v1/info", access: "public" },
  { method: "GET", pattern: "/v1/info/state", access: "public" },
  { method: "GET", pattern: "/v1/info/coordinator", access: "public" },
  { method: "GET", pattern: "/v1/status", access: "public" },
  // The server answers these before the node, if it has users.
  { method: "POST", pattern: "/ui/login", access: "public" },
  { method: "POST", pattern: "/ui/logout", access: "public" },
  { method: "PUT", pattern: "/v1/info/state", access: "internal" },
  { method: "PUT", pattern: "/v1/announcement/{nodeId}", access: "internal" },
  { method: "GET", pattern: "/v1/announcement/{nodeId}", access: "internal" },
  { method: "DELETE", pattern: "/v1/announcement/{nodeId}", access: "internal" },
  { method: "POST", pattern: "/v1/task/{taskId}", access: "internal" },
  { method: "DELETE", pattern: "/v1/task/{taskId}", access: "internal" },
  { method: "GET", pattern: "/v1/task/{taskId}/results/{bufferId}/{token}", access: "internal" },
  { method: "GET", pattern: "/v1/task/{taskId}/results/{bufferId}/{token}/acknowledge", access: "internal" },
  { method: "DELETE", pattern: "/v1/task/{taskId}/results/{bufferId}", access: "internal" },
  { method: "POST", pattern: "/v1/catalog/{catalog}/call", access: "internal" },
  // A coordinator assigns its catalogs to workers. On the coordinator itself, DELETE is DROP CATALOG.
  { method: "PUT", pattern: "/v1/catalog/{catalog}", access: "internal" },
  { method: "DELETE", pattern: "/v1/catalog/{catalog}", access: "internal", role: "worker" },
];

const rules = table.map((rule) => ({ ...rule, parts: rule.pattern.split("/").slice(1) }));

/** HEAD is a GET without the body, so it needs the same right. */
export function accessOf({ method, url }: Pick<HttpRequest, "method" | "url">, role: NodeRole): Access {
  const { parts } = parsePath(url);
  const read = method === "HEAD" ? "GET" : method;
  const rule = rules.find((one) => one.method === read && (one.role ?? role) === role && matchesPattern(one.parts, parts));
  return rule?.access ?? "user";
}
