/**
 * All functions of the geospatial types, and their aggregates.
 */
import { GEOMETRY } from "../../../types/type.ts";
import type { AggregateDefinition, ScalarDefinition } from "../../registry/definition.ts";
import { type SketchImplementation, sketchAggregate } from "../../sketch/sketch-aggregate.ts";
import { geometryAccessors } from "./accessor-functions.ts";
import { bingDefinitions } from "./bing/bing-functions.ts";
import { geometryConstructors } from "./constructor-functions.ts";
import { bounded, withinBound } from "./effort.ts";
import type { Geometry } from "./geometry.ts";
import { geometryMeasures, geometryOperations, geometryRelations } from "./operation-functions.ts";
import { sphericalDefinitions } from "./spherical-functions.ts";
import { convexHull, union } from "./topology.ts";
import { readGeometry, writeWkb } from "./encoding/wkb.ts";

export const geometryDefinitions: readonly ScalarDefinition[] = [
  ...geometryConstructors,
  ...geometryAccessors,
  ...geometryRelations,
  ...geometryOperations,
  ...geometryMeasures,
  ...sphericalDefinitions,
  ...bingDefinitions,
].map((definition) => (definition.host === undefined ? definition : { ...definition, host: bounded(definition.host) }));

/** An aggregate that combines all geometries into one; the state is that geometry. */
function combining(name: string, combine: (geometries: readonly Geometry[]) => Geometry): SketchImplementation {
  const all = (values: readonly Uint8Array[]) => withinBound(() => writeWkb(combine(values.map(readGeometry))));
  return {
    name,
    returnType: GEOMETRY,
    rowTypes: [GEOMETRY],
    add: (state, rows) => {
      const added = rows.map(([value]) => value as Uint8Array);
      return all(state === undefined ? added : [state, ...added]);
    },
    merge: (state, other) => all([state, other]),
    result: (state) => state,
  };
}

const hullImplementation = combining("convex_hull_agg", (parts) => convexHull({ kind: "GeometryCollection", parts }));
const unionImplementation = combining("geometry_union_agg", union);

export const geometryAggregates: readonly AggregateDefinition[] = [
  {
    name: "convex_hull_agg",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Convex hull of all geometries",
    make: () => sketchAggregate(hullImplementation),
  },
  {
    name: "geometry_union_agg",
    args: ["Geometry"],
    returns: "Geometry",
    description: "Union of the geometries",
    make: () => sketchAggregate(unionImplementation),
  },
];
