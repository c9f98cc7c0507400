/**
 * The document of query routing: other clusters, and the rules by which statements are sent to them. Unknown members are an error, because
 * a rule with a misspelled condition would send more than it should.
 */
import * as z from "zod";
import { isPattern } from "../patterns.ts";
import { dataSizePattern, durationPattern, parseDataSize } from "../units.ts";
import { parsedFile, type QueryType, queryTypeSchema } from "./resource-groups.ts";

const pattern = z.string().refine(isPattern, "expected a regular expression").optional();
const size = z.string().regex(dataSizePattern, "expected a data size such as 100GB").optional();

export interface RoutedClusterDocument {
  readonly name: string;
  /** As of the connectors `trino` and `presto`: `jdbc:trino://host:port?SSL=true`. */
  readonly "connection-url": string;
  /** The principal, whose rights let it run queries of other users. */
  readonly "connection-user"?: string | undefined;
  readonly "connection-password"?: string | undefined;
  /** How long a cluster that cannot be reached is asked again. */
  readonly "max-error-duration"?: string | undefined;
}

/** All conditions must hold. Texts are regular expressions. */
export interface RoutingRuleDocument {
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly clientTags?: readonly string[] | undefined;
  readonly queryType?: QueryType | undefined;
  readonly queryText?: string | undefined;
  /** Of all catalogs that the statement names, at least one. */
  readonly catalog?: string | undefined;
  /** Sum of the optimizer's estimates of what the scans return. A plan without an estimate fits no range. */
  readonly inputDataSize?: { readonly min?: string | undefined; readonly max?: string | undefined } | undefined;
  /** The statement runs on this cluster if absent. */
  readonly cluster?: string | undefined;
}

export interface QueryRoutingDocument {
  readonly clusters: readonly RoutedClusterDocument[];
  /** The first that fits decides. */
  readonly rules: readonly RoutingRuleDocument[];
}

const cluster = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, "expected letters, digits, '_', '.' and '-'"),
  "connection-url": z.string().min(1),
  "connection-user": z.string().min(1).optional(),
  "connection-password": z.string().min(1).optional(),
  "max-error-duration": z.string().regex(durationPattern, "expected a duration such as 1m").optional(),
});

const rule = z.strictObject({
  user: pattern,
  source: pattern,
  clientTags: z.array(z.string()).optional(),
  queryType: queryTypeSchema.optional(),
  queryText: pattern,
  catalog: pattern,
  inputDataSize: z
    .strictObject({ min: size, max: size })
    .refine(({ min, max }) => min !== undefined || max !== undefined, "expected min, max or both")
    .refine(({ min, max }) => bytesOf(min, 0) <= bytesOf(max, Number.POSITIVE_INFINITY), "min is greater than max")
    .optional(),
  cluster: z.string().optional(),
});

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

function bytesOf(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (parseDataSize(text) ?? otherwise);
}

/** Throws an error with a one-line message that names the place in the document. */
export function parseQueryRouting(document: unknown): QueryRoutingDocument {
  return parsedFile(queryRoutingSchema, document, "query routing");
}
