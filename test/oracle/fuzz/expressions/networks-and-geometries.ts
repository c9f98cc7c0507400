/**
 * Functions of networks and geometries with results that follow from arithmetic: points return their coordinates, rectangles contain the
 * points between their sides, a prefix contains an address if both agree in its bits, a tile returns its column and row.
 */
import type { Text } from "../dialects.ts";
import { BIGINT, BOOLEAN, type Expression, make } from "./generated-expression.ts";
import type { ExpressionSource } from "./source.ts";

/** A number from 0 to below `size` for any expression; NULL stays NULL. */
function within(source: ExpressionSource, depth: number, size: number): Expression {
  const a = source.of("bigint", depth);
  return make({ engine: `(abs(${a.text.engine} % ${size}))`, duckdb: `(abs(${a.text.duckdb} % ${size}))` }, BIGINT, [a], size);
}

function engineOnly(engine: string, duckdb: string): Text {
  return { engine, duckdb };
}

/** Converts a point to another representation and returns a coordinate. */
export function numberOfPlace(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const [a, b] = [within(source, depth, 1000), within(source, depth, 1000)];
  const point = `ST_Point(CAST(${a.text.engine} AS double), CAST(${b.text.engine} AS double))`;
  const form = random.pick([
    point,
    `ST_GeometryFromText(ST_AsText(${point}))`,
    `ST_GeomFromBinary(ST_AsBinary(${point}))`,
    `ST_GeometryN(ST_MultiPoint(ARRAY[${point}]), 1)`,
    `ST_Centroid(${point})`,
    `ST_ConvexHull(${point})`,
    `geometry_from_geojson(geometry_as_geojson(${point}))`,
    `ST_Union(${point}, ${point})`,
    `geometry_union(ARRAY[${point}, ${point}])`,
  ]);
  const [axis, kept] = random.pick([
    ["ST_X", a],
    ["ST_YMax", b],
  ] as const);
  // Both are NULL if one is.
  const duckdb = `CASE WHEN ${a.text.duckdb} IS NOT NULL AND ${b.text.duckdb} IS NOT NULL THEN ${kept.text.duckdb} END`;
  return make(engineOnly(`CAST(${axis}(${form}) AS bigint)`, duckdb), BIGINT, [a, b], 1000);
}

/** Whether a square contains a point, in several equivalent forms. */
export function squareHolds(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const [a, b] = [within(source, depth, 20), within(source, depth, 20)];
  const [left, low, width] = [random.below(15), random.below(15), 1 + random.below(8)];
  const point = `ST_Point(CAST(${a.text.engine} AS double), CAST(${b.text.engine} AS double))`;
  const corners = [
    [left, low],
    [left + width, low],
    [left + width, low + width],
    [left, low + width],
  ];
  const square = `ST_Polygon('POLYGON ((${corners.map((corner) => corner.join(" ")).join(", ")}))')`;
  const [engine, below] = random.pick([
    [`ST_Contains(${square}, ${point})`, "<"],
    [`ST_Within(${point}, ${square})`, "<"],
    [`ST_Intersects(${square}, ${point})`, "<="],
    [`(NOT ST_Disjoint(${point}, ${square}))`, "<="],
    [`(ST_Distance(${square}, ${point}) = 0e0)`, "<="],
    [`ST_Relate(${square}, ${point}, 'T*****FF*')`, "<"],
  ] as const);
  const between = (value: Expression, from: number) =>
    `(${from} ${below} ${value.text.duckdb} AND ${value.text.duckdb} ${below} ${from + width})`;
  const duckdb = `CASE WHEN ${a.text.duckdb} IS NOT NULL AND ${b.text.duckdb} IS NOT NULL THEN ${between(a, left)} AND ${between(b, low)} END`;
  return make(engineOnly(engine, duckdb), BOOLEAN, [a, b]);
}

/** Whether a network contains an address: the third and fourth byte agree in the prefix. */
export function networkHolds(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const [a, b] = [within(source, depth, 256), within(source, depth, 256)];
  const bits = random.below(9);
  const mapped = random.chance(30) ? "::ffff:" : "";
  const addressOf = (byte: Expression) => `CAST('${mapped}10.0.' || CAST(${byte.text.engine} AS varchar) || '.1' AS ipaddress)`;
  const prefix = `ip_prefix(${addressOf(a)}, ${16 + bits})`;
  const engine = random.pick([
    `is_subnet_of(${prefix}, ${addressOf(b)})`,
    `is_subnet_of(${prefix}, CAST(${addressOf(b)} AS ipprefix))`,
    `(${prefix} = ip_prefix(${addressOf(b)}, ${16 + bits}))`,
    `(${addressOf(b)} BETWEEN ip_subnet_min(${prefix}) AND ip_subnet_max(${prefix}))`,
    `contains(CAST(${prefix} AS varchar), ${addressOf(b)})`,
    `(cardinality(ip_prefix_collapse(ARRAY[${prefix}, CAST(${addressOf(b)} AS ipprefix)])) = 1)`,
  ]);
  const shifted = (byte: Expression) => `(CAST(${byte.text.duckdb} AS integer) >> ${8 - bits})`;
  return make(engineOnly(engine, `(${shifted(a)} = ${shifted(b)})`), BOOLEAN, [a, b]);
}

/** A tile's column or row, through its representations. */
export function numberOfTile(source: ExpressionSource, depth: number): Expression {
  const { random } = source;
  const zoom = 1 + random.below(10);
  const [a, b] = [within(source, depth, 2 ** zoom), within(source, depth, 2 ** zoom)];
  const tile = `bing_tile(CAST(${a.text.engine} AS integer), CAST(${b.text.engine} AS integer), ${zoom})`;
  const form = random.pick([
    tile,
    `bing_tile(bing_tile_quadkey(${tile}))`,
    `CAST(CAST(${tile} AS bigint) AS BingTile)`,
    `bing_tile_parent(bing_tile_children(${tile})[3])`,
    `geometry_to_bing_tiles(ST_Centroid(bing_tile_polygon(${tile})), ${zoom})[1]`,
  ]);
  const [axis, kept] = random.pick([
    ["x", a],
    ["y", b],
  ] as const);
  const duckdb = `CASE WHEN ${a.text.duckdb} IS NOT NULL AND ${b.text.duckdb} IS NOT NULL THEN ${kept.text.duckdb} END`;
  return make(engineOnly(`CAST(bing_tile_coordinates(${form}).${axis} AS bigint)`, duckdb), BIGINT, [a, b], 2 ** zoom);
}
