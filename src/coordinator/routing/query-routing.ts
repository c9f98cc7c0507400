/**
 * The rules by which statements are sent to other clusters (protocol/documents/query-routing.ts). The first rule decides whose conditions
 * all hold.
 */
import { clusterAddress } from "../../connectors/trino/address.ts";
import type { DatabaseAddress } from "../../ports/databases.ts";
import type { QueryRoutingDocument, RoutedClusterDocument, RoutingRuleDocument } from "../../protocol/documents/query-routing.ts";
import type { QueryType } from "../../protocol/documents/resource-groups.ts";
import { QueryError } from "../../protocol/errors.ts";
import { compilePattern } from "../../protocol/patterns.ts";
import { parseDataSize, parseDurationMs } from "../../protocol/units.ts";

export interface RoutedCluster {
  readonly name: string;
  readonly address: DatabaseAddress;
  /** How long it is asked again when it cannot be reached, in milliseconds. */
  readonly errorDurationMs: number;
}

/** What rules look at. */
export interface RoutingFacts {
  readonly user: string;
  readonly source: string;
  readonly clientTags: readonly string[];
  readonly queryType: QueryType | undefined;
  readonly sql: string;
  /** Names of the catalogs that the statement names, in lower case. */
  readonly catalogs: () => ReadonlySet<string>;
  /** What its scans return by the optimizer's estimates; undefined if that is unknown. */
  readonly inputBytes: number | undefined | "unplanned";
}

/** A cluster, this one, or a decision that needs the plan's estimates. */
export type Route = RoutedCluster | "here" | "by plan";

type Rule = (facts: RoutingFacts) => Route | undefined;

const errorDurationDefault = "1m";

export class QueryRouting {
  readonly #clusters: ReadonlyMap<string, RoutedCluster>;
  readonly #rules: readonly Rule[];

  /** Throws CONFIGURATION_INVALID, whose message has no password. */
  constructor(document: QueryRoutingDocument) {
    const clusters = new Map(document.clusters.map((cluster) => [cluster.name, clusterOf(cluster)]));
    this.#clusters = clusters;
    this.#rules = document.rules.map((rule) => ruleOf(rule, rule.cluster === undefined ? "here" : (clusters.get(rule.cluster) ?? "here")));
  }

  cluster(name: string): RoutedCluster | undefined {
    return this.#clusters.get(name);
  }

  route(facts: RoutingFacts): Route {
    for (const rule of this.#rules) {
      const route = rule(facts);
      if (route !== undefined) {
        return route;
      }
    }
    return "here";
  }
}

function clusterOf(document: RoutedClusterDocument): RoutedCluster {
  const address = clusterAddress({ ...document } as Readonly<Record<string, string>>);
  if (address.encoding !== undefined) {
    throw new QueryError(
      "CONFIGURATION_INVALID",
      "Rows of routed queries have no encoding of their own: parameter 'encoding' is not supported",
    );
  }
  return {
    name: document.name,
    address,
    errorDurationMs: parseDurationMs(document["max-error-duration"] ?? errorDurationDefault) ?? 0,
  };
}

function ruleOf(document: RoutingRuleDocument, target: RoutedCluster | "here"): Rule {
  const has = (pattern: string | undefined): RegExp | undefined => (pattern === undefined ? undefined : compilePattern(pattern));
  const { clientTags = [], inputDataSize, queryType } = document;
  const [user, source, text, catalog] = [has(document.user), has(document.source), has(document.queryText), has(document.catalog)];
  return (facts) => {
    const fits =
      (user?.test(facts.user) ?? true) &&
      (source?.test(facts.source) ?? true) &&
      (text?.test(facts.sql) ?? true) &&
      (queryType === undefined || queryType === facts.queryType) &&
      clientTags.every((tag) => facts.clientTags.includes(tag)) &&
      (catalog === undefined || fitsAll(catalog, facts.catalogs()));
    if (!fits || inputDataSize === undefined) {
      return fits ? target : undefined;
    }
    const { inputBytes } = facts;
    if (inputBytes === undefined || inputBytes === "unplanned") {
      return inputBytes === undefined ? undefined : "by plan";
    }
    const low = parseDataSize(inputDataSize.min ?? "") ?? 0;
    const high = parseDataSize(inputDataSize.max ?? "") ?? inputBytes;
    return inputBytes >= low && inputBytes <= high ? target : undefined;
  };
}

/** A cluster has to have all catalogs of its statements. */
function fitsAll(pattern: RegExp, names: ReadonlySet<string>): boolean {
  return names.size > 0 && [...names].every((name) => pattern.test(name));
}
