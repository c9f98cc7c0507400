/**
 * Sets of Bing tiles: around a position, in a circle, and covering a geometry.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import {
  type BingTile,
  checkMapLatitude,
  checkMapLongitude,
  checkZoom,
  childrenOf,
  latitudeMax,
  latitudeOfY,
  longitudeMax,
  longitudeOfX,
  tileOfPosition,
  xOfLongitude,
  yOfLatitude,
} from "./bing-tiles.ts";
import { allPaths, type Bounds, boundsOf, type Geometry, isEmpty, partsOf } from "../geometry.ts";
import { areaOf } from "../measures.ts";
import { degrees, earthRadiusMetres, greatCircleKm, radians } from "../sphere.ts";
import { type Region, regionOf, relateTile } from "./tile-region.ts";

/** Maximum number of tiles of a rectangle or circle. */
const tilesMax = 1_000_000;
/** Maximum product of the tiles of the bounding rectangle and the positions of the geometry. */
const complexityMax = 25_000_000;
const radiusKmMax = 1000;

/** The tile of the position and its neighbors, column by column. */
export function tilesAround(latitude: number, longitude: number, zoom: number): readonly BingTile[] {
  const { x, y } = tileOfPosition(latitude, longitude, zoom);
  const size = 2 ** zoom;
  const near = (axis: number) => [axis - 1, axis, axis + 1].filter((value) => value >= 0 && value < size);
  return near(x).flatMap((column) => near(y).map((row) => ({ x: column, y: row, zoom })));
}

interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusKm: number;
}

/** Kilometers from the center to the nearest point of a tile. */
function distanceToTile({ x, y, zoom }: BingTile, { latitude, longitude }: Circle): number {
  const [south, north] = [latitudeOfY(y + 1, zoom), latitudeOfY(y, zoom)];
  const between = (value: number) => Math.min(north, Math.max(south, value));
  const [west, east] = [longitudeOfX(x, zoom), longitudeOfX(x + 1, zoom)];
  if (longitude >= west && longitude <= east) {
    return greatCircleKm([longitude, latitude], [longitude, between(latitude)]);
  }
  return Math.min(
    ...[west, east].map((edge) => {
      const turn = radians(edge - longitude);
      // The latitude at which the edge's meridian is nearest to the center.
      const nearest = degrees(Math.atan2(Math.sin(radians(latitude)), Math.cos(radians(latitude)) * Math.cos(turn)));
      const candidates = [south, north, between(nearest)];
      return Math.min(...candidates.map((candidate) => greatCircleKm([longitude, latitude], [edge, candidate])));
    }),
  );
}

/** Half the width of a circle in degrees of longitude; 180 if it contains a pole. */
function halfWidth({ latitude, radiusKm }: Circle): number {
  const angle = (radiusKm * 1000) / earthRadiusMetres;
  const ratio = Math.sin(angle) / Math.cos(radians(latitude));
  return Math.abs(latitude) + degrees(angle) >= 90 || ratio >= 1 ? 180 : degrees(Math.asin(ratio));
}

/** The columns between two longitudes, each once. The longitudes may lie beyond the edge of the map. */
function columnsBetween(west: number, east: number, zoom: number): { readonly first: number; readonly count: number } {
  const size = 2 ** zoom;
  const columnOf = (longitude: number) => Math.floor(((longitude + 180) / 360) * size);
  const first = columnOf(west);
  return { first, count: Math.min(size, columnOf(east) - first + 1) };
}

/** Tiles that intersect a circle, column by column from the west. */
export function tilesOfCircle(circle: Circle, zoom: number): readonly BingTile[] {
  const { latitude, longitude, radiusKm } = circle;
  checkMapLatitude(latitude);
  checkMapLongitude(longitude);
  checkZoom(zoom);
  if (!(radiusKm >= 0)) {
    return invalidArgument("Radius must be >= 0");
  }
  if (radiusKm > radiusKmMax) {
    return invalidArgument("Radius must be <= 1,000 km");
  }
  const height = degrees((radiusKm * 1000) / earthRadiusMetres);
  const top = yOfLatitude(Math.min(latitudeMax, latitude + height), zoom);
  const bottom = yOfLatitude(Math.max(-latitudeMax, latitude - height), zoom);
  const width = halfWidth(circle);
  const { first, count } = columnsBetween(longitude - width, longitude + width, zoom);
  const tiles = count * (bottom - top + 1);
  if (tiles > tilesMax) {
    return invalidArgument(
      `The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: ${tiles}. ` +
        `Radius: ${radiusKm.toFixed(1)} km. Zoom level: ${zoom}.`,
    );
  }
  const size = 2 ** zoom;
  const found: BingTile[] = [];
  for (let column = first; column < first + count; column++) {
    for (let y = top; y <= bottom; y++) {
      const tile = { x: ((column % size) + size) % size, y, zoom };
      if (distanceToTile(tile, circle) <= radiusKm) {
        found.push(tile);
      }
    }
  }
  return found;
}

interface TileRange {
  readonly zoom: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Tiles of a rectangle. A side on the boundary of two tiles belongs to the inner tile, unless the rectangle has no extent in that
 * direction.
 */
function rangeOf({ xMin, yMin, xMax, yMax }: Bounds, zoom: number): TileRange {
  const [left, right] = [xOfLongitude(xMin, zoom), xOfLongitude(xMax, zoom)];
  const [top, bottom] = [yOfLatitude(yMax, zoom), yOfLatitude(yMin, zoom)];
  return {
    zoom,
    // Rounding may assign an upper or left edge to the tile before it.
    left: left < right && longitudeOfX(left + 1, zoom) === xMin ? left + 1 : left,
    top: top < bottom && latitudeOfY(top + 1, zoom) === yMax ? top + 1 : top,
    right: right > left && longitudeOfX(right, zoom) === xMax ? right - 1 : right,
    bottom: bottom > top && latitudeOfY(bottom, zoom) === yMin ? bottom - 1 : bottom,
  };
}

function checkSpan({ xMin, yMin, xMax, yMax }: Bounds): void {
  if (xMin < -longitudeMax || xMax > longitudeMax) {
    invalidArgument("Longitude span for the geometry must be in [-180.00, 180.00] range");
  }
  if (yMin < -latitudeMax || yMax > latitudeMax) {
    invalidArgument("Latitude span for the geometry must be in [-85.05, 85.05] range");
  }
}

function isPointOrRectangle(geometry: Geometry, { xMin, yMin, xMax, yMax }: Bounds): boolean {
  return geometry.kind === "Point" || (geometry.kind === "Polygon" && areaOf(geometry) === (xMax - xMin) * (yMax - yMin));
}

function checkSize(geometry: Geometry, bounds: Bounds, { zoom, left, top, right, bottom }: TileRange): void {
  const tiles = (right - left + 1) * (bottom - top + 1);
  if (isPointOrRectangle(geometry, bounds)) {
    if (tiles > tilesMax) {
      const { xMin, yMin, xMax, yMax } = bounds;
      const corners = `xMin=${xMin.toFixed(2)}, yMin=${yMin.toFixed(2)}, xMax=${xMax.toFixed(2)}, yMax=${yMax.toFixed(2)}`;
      invalidArgument(
        `The number of tiles covering input rectangle exceeds the limit of 1M. Number of tiles: ${tiles}. Rectangle: ${corners}. Zoom level: ${zoom}.`,
      );
    }
    return;
  }
  if (tiles > 2_147_483_647) {
    invalidArgument("The zoom level is too high to compute a set of covering Bing tiles.");
  }
  const positions = allPaths(geometry).reduce((sum, path) => sum + path.length, 0);
  if (tiles * positions > complexityMax) {
    invalidArgument(
      "The zoom level is too high or the geometry is too complex to compute a set of covering Bing tiles. " +
        "Please use a lower zoom level or convert the geometry to its bounding box using the ST_Envelope function.",
    );
  }
}

/** Tiles of a region inside a tile; `undefined` means the whole tile. Four complete children are replaced by their parent. */
function cover(around: Region | undefined, tile: BingTile, range: TileRange): readonly BingTile[] {
  const step = range.zoom - tile.zoom;
  const [left, right, top, bottom] = [range.left, range.right, range.top, range.bottom].map((axis) => axis >> step) as [
    number,
    number,
    number,
    number,
  ];
  if (tile.x < left || tile.x > right || tile.y < top || tile.y > bottom) {
    return [];
  }
  const found = around === undefined ? undefined : relateTile(tile, around);
  if (found?.relation === "apart") {
    return [];
  }
  if (step === 0) {
    return [tile];
  }
  const region = found?.relation === "inside" ? undefined : found?.region;
  const children = childrenOf(tile, tile.zoom + 1);
  const covered = children.map((child) => cover(region, child, range));
  const isWhole = covered.every((tiles, index) => tiles.length === 1 && tiles[0] === children[index]);
  return isWhole ? [tile] : covered.flat();
}

const wholeMap: BingTile = Object.freeze({ x: 0, y: 0, zoom: 0 });

function coverPart(geometry: Geometry, zoom: number): readonly BingTile[] {
  const bounds = boundsOf(geometry);
  if (bounds === undefined) {
    return [];
  }
  checkSpan(bounds);
  const range = rangeOf(bounds, zoom);
  checkSize(geometry, bounds, range);
  return cover(isPointOrRectangle(geometry, bounds) ? undefined : regionOf(geometry), wholeMap, range);
}

function compareTiles(a: BingTile, b: BingTile): number {
  return a.x - b.x || a.y - b.y;
}

function unique(tiles: readonly BingTile[]): readonly BingTile[] {
  return tiles.filter((tile, index) => index === 0 || compareTiles(tile, tiles[index - 1] as BingTile) !== 0);
}

/** The minimal set of tiles of one zoom level that covers the geometry, column by column. */
export function tilesOfGeometry(geometry: Geometry, zoom: number): readonly BingTile[] {
  checkZoom(zoom);
  const parts = geometry.kind === "GeometryCollection" ? partsOf(geometry) : [geometry];
  const tiles = parts.filter((part) => !isEmpty(part)).flatMap((part) => coverPart(part, zoom));
  return unique(tiles.flatMap((tile) => childrenOf(tile, zoom)).sort(compareTiles));
}

/** The same set, with every four sibling tiles replaced by their parent. */
export function dissolvedTiles(geometry: Geometry, zoom: number): readonly BingTile[] {
  let level: readonly BingTile[] = tilesOfGeometry(geometry, zoom);
  const done: BingTile[] = [];
  for (let at = zoom; at > 0 && level.length > 0; at--) {
    const byParent = new Map<string, BingTile[]>();
    for (const tile of level) {
      const key = `${tile.x >> 1} ${tile.y >> 1}`;
      byParent.set(key, [...(byParent.get(key) ?? []), tile]);
    }
    const parents: BingTile[] = [];
    for (const children of byParent.values()) {
      const [first] = children as [BingTile];
      if (children.length === 4) {
        parents.push({ x: first.x >> 1, y: first.y >> 1, zoom: at - 1 });
      } else {
        done.push(...children);
      }
    }
    level = parents;
  }
  return [...level, ...done];
}
