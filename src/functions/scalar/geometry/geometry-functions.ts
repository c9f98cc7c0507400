/**
 * All functions of the geospatial types, and their aggregates.
 */
import type { AggregateDefinition, ScalarDefinition } from "../../registry/definition.ts";
import { sketchAggregate } from "../../sketch/sketch-aggregate.ts";
import { geometryAccessors } from "./accessor-functions.ts";
import { bingDefinitions } from "./bing/bing-functions.ts";
import { geometryConstructors } from "./constructor-functions.ts";
import { bounded, boundedSteps } from "./effort.ts";
import { hullSketch, unionSketch } from "./combined-sketches.ts";
import { geometryMeasures, geometryOperations, geometryRelations } from "./operation-functions.ts";
import { sphericalDefinitions } from "./spherical-functions.ts";

export const geometryDefinitions: readonly ScalarDefinition[] = [
  ...geometryConstructors,
  ...geometryAccessors,
  ...geometryRelations,
  ...geometryOperations,
  ...geometryMeasures,
  ...sphericalDefinitions,
  ...bingDefinitions,
].map((definition) => ({
  ...definition,
  ...(definition.host !== undefined && { host: bounded(definition.host) }),
  ...(definition.steps !== undefined && { steps: boundedSteps(definition.steps) }),
}));

export const geometryAggregates: readonly AggregateDefinition[] = [
  {
    name: "convex_hull_agg",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Convex hull of all geometries",
    make: () => sketchAggregate(hullSketch),
  },
  {
    name: "geometry_union_agg",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Union of the geometries",
    make: () => sketchAggregate(unionSketch),
  },
];
