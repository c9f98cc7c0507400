/**
 * The document of query routing: other clusters, and the rules by which statements are sent to them. Unknown members are an error, because
 * a rule with a misspelled condition would send more than it should.
 */
import * as z from "zod";
import { isPattern } from "../patterns.ts";
import { dataSizePattern, durationPattern, parseDataSize } from "../units.ts";
import { parsedFile, queryTypeSchema } from "./resource-groups.ts";

const pattern = z.string().refine(isPattern, "expected a regular expression").optional();
const size = z.string().regex(dataSizePattern, "expected a data size such as 100GB").optional();

const cluster = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, "expected letters, digits, '_', '.' and '-'"),
  /** As of the connectors `trino` and `presto`: `jdbc:trino://host:port?SSL=true`. */
  "connection-url": z.string().min(1),
  /** The principal, whose rights let it run queries of other users. */
  "connection-user": z.string().min(1).optional(),
  "connection-password": z.string().min(1).optional(),
  /** How long a cluster that cannot be reached is asked again. */
  "max-error-duration": z.string().regex(durationPattern, "expected a duration such as 1m").optional(),
});

/** All conditions must hold. */
const rule = z.strictObject({
  user: pattern,
  source: pattern,
  clientTags: z.array(z.string()).optional(),
  queryType: queryTypeSchema.optional(),
  queryText: pattern,
  /** Of all catalogs that the statement names, at least one. */
  catalog: pattern,
  /** Sum of the optimizer's estimates of what the scans return. A plan without an estimate fits no range. */
  inputDataSize: z
    .strictObject({ min: size, max: size })
    .refine(({ min, max }) => min !== undefined || max !== undefined, "expected min, max or both")
    .refine(({ min, max }) => bytesOf(min, 0) <= bytesOf(max, Number.POSITIVE_INFINITY), "min is greater than max")
    .optional(),
  /** The statement runs on this cluster if absent. */
  cluster: z.string().optional(),
});
export type RoutingRuleDocument = z.infer<typeof rule>;

const queryRoutingSchema = z.strictObject({ clusters: z.array(cluster).min(1), rules: z.array(rule) }).superRefine((document, context) => {
  const names = document.clusters.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) {
      context.addIssue({ code: "custom", message: `Duplicated cluster: ${name}`, path: ["clusters", index, "name"] });
    }
  }
  for (const [index, { cluster: target }] of document.rules.entries()) {
    if (target !== undefined && !names.includes(target)) {
      context.addIssue({ code: "custom", message: `Rule refers to nonexistent cluster: ${target}`, path: ["rules", index, "cluster"] });
    }
  }
});
export type QueryRoutingDocument = z.infer<typeof queryRoutingSchema>;
export type RoutedClusterDocument = QueryRoutingDocument["clusters"][number];

function bytesOf(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (parseDataSize(text) ?? otherwise);
}

/** Throws an error with a one-line message that names the place in the document. */
export function parseQueryRouting(document: unknown): QueryRoutingDocument {
  return parsedFile(queryRoutingSchema, document, "query routing");
}
