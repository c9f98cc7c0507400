/**
 * The functions of BingTile.
 */
import { INTEGER, rowType } from "../../../../types/type.ts";
import type { HostImplementation, HostValue, ScalarDefinition } from "../../../registry/definition.ts";
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { fail } from "../../../cast/text-casts.ts";
import {
  type BingTile,
  childrenOf,
  decodeTile,
  encodeTile,
  parentOf,
  quadKeyOf,
  tileAt,
  tileOfInteger,
  tileOfPosition,
  tileOfQuadKey,
  tilePolygon,
  zoomMax,
} from "./bing-tiles.ts";
import { bytesOf, geometryOf } from "../call.ts";
import { dissolvedTiles, tilesAround, tilesOfCircle, tilesOfGeometry } from "./tile-coverings.ts";

/** CAST(bigint AS BingTile) */
export const integerToTile: HostImplementation = ([value]) => {
  const integer = value as bigint;
  return tileOfInteger(integer) === undefined ? fail(`Invalid bigint tile encoding: ${integer}`) : integer;
};

function tileOf(value: HostValue | undefined): BingTile {
  return decodeTile(value as bigint);
}

function listOf(tiles: readonly BingTile[]): HostValue {
  return tiles.map(encodeTile);
}

/** Maximum number of tiles that bing_tile_children returns. */
const childrenMax = 1_048_576;

function children(tile: BingTile, zoom: number): HostValue {
  if (zoom > zoomMax) {
    return invalidArgument(`newZoom must be less than or equal to ${zoomMax}: ${zoom}`);
  }
  if (zoom < tile.zoom) {
    return invalidArgument(`newZoom must be greater than or equal to current zoom ${tile.zoom}: ${zoom}`);
  }
  const count = 4 ** (zoom - tile.zoom);
  return count > childrenMax
    ? invalidArgument(`result of bing_tile_children must not have more than ${childrenMax} entries`)
    : listOf(childrenOf(tile, zoom));
}

function parent(tile: BingTile, zoom: number): HostValue {
  if (zoom < 0) {
    return invalidArgument(`newZoom must be greater than or equal to 0: ${zoom}`);
  }
  return zoom > tile.zoom
    ? invalidArgument(`newZoom must be less than or equal to current zoom ${tile.zoom}: ${zoom}`)
    : encodeTile(parentOf(tile, zoom));
}

const coordinatesType = rowType([
  { name: "x", type: INTEGER },
  { name: "y", type: INTEGER },
]);

const quadKeys = (sql: string) => `transform(${sql}, t -> bing_tile_quadkey(t))`;
const triangle = "ST_GeometryFromText('POLYGON ((0 0, 0 10, 10 10, 0 0))')";

const tileMakers: readonly ScalarDefinition[] = [
  {
    name: "bing_tile",
    args: ["integer", "integer", "integer"],
    returns: "BingTile",
    description: "Bing tile from x, y and zoom level",
    host: ([x, y, zoom]) => encodeTile(tileAt(x as number, y as number, zoom as number)),
    example: { sql: "bing_tile_quadkey(bing_tile(3, 5, 3))", result: "213" },
  },
  {
    name: "bing_tile",
    args: ["varchar"],
    returns: "BingTile",
    description: "Bing tile from a quadkey",
    host: ([text]) => encodeTile(tileOfQuadKey(text as string)),
    example: { sql: "CAST(bing_tile('213') AS bigint)", result: "13287555077" },
  },
  {
    name: "bing_tile_at",
    args: ["double", "double", "integer"],
    returns: "BingTile",
    description: "Bing tile at a latitude, longitude and zoom level",
    host: ([latitude, longitude, zoom]) => encodeTile(tileOfPosition(latitude as number, longitude as number, zoom as number)),
    example: { sql: "bing_tile_quadkey(bing_tile_at(30.12, 60, 15))", result: "123030123010121" },
  },
  {
    name: "bing_tiles_around",
    args: ["double", "double", "integer"],
    returns: "array(BingTile)",
    description: "Bing tile at a latitude, longitude and zoom level, and its neighbors",
    host: ([latitude, longitude, zoom]) => listOf(tilesAround(latitude as number, longitude as number, zoom as number)),
    example: { sql: quadKeys("bing_tiles_around(30.12, 60, 1)"), result: "[0, 2, 1, 3]" },
  },
  {
    name: "bing_tiles_around",
    args: ["double", "double", "integer", "double"],
    returns: "array(BingTile)",
    description: "Bing tiles that intersect a circle around a latitude and longitude, with a radius in kilometers",
    host: ([latitude, longitude, zoom, radiusKm]) =>
      listOf(tilesOfCircle({ latitude: latitude as number, longitude: longitude as number, radiusKm: radiusKm as number }, zoom as number)),
    example: { sql: quadKeys("bing_tiles_around(30.12, 60, 1, 1000)"), result: "[1]" },
  },
  {
    name: "geometry_to_bing_tiles",
    args: ["Geometry", "integer"],
    returns: "array(BingTile)",
    description: "Minimum set of Bing tiles of a zoom level that covers the geometry",
    host: ([value, zoom]) => listOf(tilesOfGeometry(geometryOf(value), zoom as number)),
    example: { sql: quadKeys(`geometry_to_bing_tiles(${triangle}, 6)`), result: "[122220, 122222, 122221]" },
  },
  {
    name: "geometry_to_dissolved_bing_tiles",
    args: ["Geometry", "integer"],
    returns: "array(BingTile)",
    description: "Minimum set of Bing tiles that covers the geometry, with sibling tiles replaced by their parent",
    host: ([value, zoom]) => listOf(dissolvedTiles(geometryOf(value), zoom as number)),
    example: { sql: quadKeys("geometry_to_dissolved_bing_tiles(bing_tile_polygon(bing_tile('12')), 4)"), result: "[12]" },
  },
];

export const bingDefinitions: readonly ScalarDefinition[] = [
  ...tileMakers,
  {
    name: "bing_tile_coordinates",
    args: ["BingTile"],
    returns: "row(x integer,y integer)",
    returnType: () => coordinatesType,
    description: "X and y coordinates of the Bing tile",
    host: ([value]) => {
      const { x, y } = tileOf(value);
      return [x, y];
    },
    example: { sql: "bing_tile_coordinates(bing_tile('213')).y", result: "5" },
  },
  {
    name: "bing_tile_zoom_level",
    args: ["BingTile"],
    returns: "tinyint",
    description: "Zoom level of the Bing tile",
    host: ([value]) => tileOf(value).zoom,
    example: { sql: "bing_tile_zoom_level(bing_tile('213'))", result: "3" },
  },
  {
    name: "bing_tile_quadkey",
    args: ["BingTile"],
    returns: "varchar",
    description: "Quadkey of the Bing tile",
    host: ([value]) => quadKeyOf(tileOf(value)),
    example: { sql: "bing_tile_quadkey(bing_tile(21845, 13506, 15))", result: "123030123010121" },
  },
  {
    name: "bing_tile_polygon",
    args: ["BingTile"],
    returns: "Geometry",
    description: "Polygon of the Bing tile",
    host: ([value]) => bytesOf(tilePolygon(tileOf(value))),
    example: { sql: "ST_XMax(bing_tile_polygon(bing_tile('123030123010121')))", result: "60.00732421875" },
  },
  {
    name: "bing_tile_parent",
    args: ["BingTile"],
    returns: "BingTile",
    description: "Parent of the Bing tile",
    host: ([value]) => {
      const tile = tileOf(value);
      return tile.zoom === 0 ? invalidArgument("Cannot call bing_tile_parent on root tile") : parent(tile, tile.zoom - 1);
    },
    example: { sql: "bing_tile_quadkey(bing_tile_parent(bing_tile('213')))", result: "21" },
  },
  {
    name: "bing_tile_parent",
    args: ["BingTile", "integer"],
    returns: "BingTile",
    description: "Ancestor of the Bing tile at a zoom level",
    host: ([value, zoom]) => parent(tileOf(value), zoom as number),
    example: { sql: "bing_tile_quadkey(bing_tile_parent(bing_tile('213'), 1))", result: "2" },
  },
  {
    name: "bing_tile_children",
    args: ["BingTile"],
    returns: "array(BingTile)",
    description: "Children of the Bing tile",
    host: ([value]) => {
      const tile = tileOf(value);
      return tile.zoom === zoomMax
        ? invalidArgument("Cannot call bing_tile_children on tile with max zoom level")
        : children(tile, tile.zoom + 1);
    },
    example: { sql: quadKeys("bing_tile_children(bing_tile('21'))"), result: "[210, 211, 212, 213]" },
  },
  {
    name: "bing_tile_children",
    args: ["BingTile", "integer"],
    returns: "array(BingTile)",
    description: "Descendants of the Bing tile at a zoom level",
    host: ([value, zoom]) => children(tileOf(value), zoom as number),
    example: { sql: "cardinality(bing_tile_children(bing_tile('21'), 5))", result: "64" },
  },
];
