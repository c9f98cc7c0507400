/**
 * Bing tiles: squares of a map in Mercator projection with 2^zoom tiles per side, counted from the upper left corner. As an integer
 * (visible through casts): x from bit 32 on, five bits of zoom level from bit 27 on, y below; the highest bits hold the encoding version,
 * 0.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { type Bounds, type Geometry, polygonOfBounds } from "../geometry.ts";

export interface BingTile {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const zoomMax = 23;
export const latitudeMax = 85.05112878;
export const longitudeMax = 180;
const tilePixels = 256;
const [xShift, zoomShift] = [32n, 27n];
const [axisMask, zoomMask] = [0x7f_ffffn, 0x1fn];

export function encodeTile({ x, y, zoom }: BingTile): bigint {
  return (BigInt(x) << xShift) | (BigInt(zoom) << zoomShift) | BigInt(y);
}

export function decodeTile(value: bigint): BingTile {
  return { x: Number((value >> xShift) & axisMask), y: Number(value & axisMask), zoom: Number((value >> zoomShift) & zoomMask) };
}

/** The tile of a user-supplied integer; undefined if the integer is not a valid tile. */
export function tileOfInteger(value: bigint): BingTile | undefined {
  const tile = decodeTile(value);
  const { x, y, zoom } = tile;
  return encodeTile(tile) === value && zoom <= zoomMax && x < 2 ** zoom && y < 2 ** zoom ? tile : undefined;
}

export function checkZoom(zoom: number): number {
  if (zoom < 0) {
    return invalidArgument("Zoom level must be >= 0");
  }
  return zoom > zoomMax ? invalidArgument(`Zoom level must be <= ${zoomMax}`) : zoom;
}

export function tileAt(x: number, y: number, zoom: number): BingTile {
  checkZoom(zoom);
  const size = 2 ** zoom;
  if (x < 0 || y < 0 || x >= size || y >= size) {
    return invalidArgument(`XY coordinates for a Bing tile at zoom level ${zoom} must be within [0, ${size}) range`);
  }
  return { x, y, zoom };
}

export function tileOfQuadKey(quadKey: string): BingTile {
  if (quadKey.length > zoomMax) {
    return invalidArgument(`QuadKey must be ${zoomMax} characters or less`);
  }
  let [x, y] = [0, 0];
  for (const digit of quadKey) {
    const value = "0123".indexOf(digit);
    if (value < 0) {
      return invalidArgument(`Invalid QuadKey digit sequence: ${quadKey}`);
    }
    x = 2 * x + (value & 1);
    y = 2 * y + (value >> 1);
  }
  return { x, y, zoom: quadKey.length };
}

export function quadKeyOf({ x, y, zoom }: BingTile): string {
  return Array.from({ length: zoom }, (_, index) => {
    const bit = zoom - 1 - index;
    return ((x >> bit) & 1) + 2 * ((y >> bit) & 1);
  }).join("");
}

function axisOf(share: number, zoom: number): number {
  const size = tilePixels * 2 ** zoom;
  return Math.floor(Math.trunc(Math.min(Math.max(share * size, 0), size - 1)) / tilePixels);
}

export function xOfLongitude(longitude: number, zoom: number): number {
  return axisOf((longitude + 180) / 360, zoom);
}

export function yOfLatitude(latitude: number, zoom: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return axisOf(0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI), zoom);
}

export function checkMapLatitude(latitude: number): void {
  if (!(latitude >= -latitudeMax && latitude <= latitudeMax)) {
    invalidArgument(`Latitude must be between -${latitudeMax} and ${latitudeMax}`);
  }
}

export function checkMapLongitude(longitude: number): void {
  if (!(longitude >= -longitudeMax && longitude <= longitudeMax)) {
    invalidArgument("Longitude must be between -180.0 and 180.0");
  }
}

export function tileOfPosition(latitude: number, longitude: number, zoom: number): BingTile {
  checkMapLatitude(latitude);
  checkMapLongitude(longitude);
  checkZoom(zoom);
  return { x: xOfLongitude(longitude, zoom), y: yOfLatitude(latitude, zoom), zoom };
}

/** Longitude of the tile's left edge. The index after the last tile gives the edge of the map. */
export function longitudeOfX(x: number, zoom: number): number {
  return 360 * (x / 2 ** zoom - 0.5);
}

/** Latitude of the tile's upper edge. */
export function latitudeOfY(y: number, zoom: number): number {
  return 90 - (360 * Math.atan(Math.exp(-(0.5 - y / 2 ** zoom) * 2 * Math.PI))) / Math.PI;
}

export function boundsOfTile({ x, y, zoom }: BingTile): Bounds {
  return { xMin: longitudeOfX(x, zoom), yMin: latitudeOfY(y + 1, zoom), xMax: longitudeOfX(x + 1, zoom), yMax: latitudeOfY(y, zoom) };
}

export function tilePolygon(tile: BingTile): Geometry {
  return polygonOfBounds(boundsOfTile(tile));
}

export function parentOf({ x, y, zoom }: BingTile, parentZoom: number): BingTile {
  const step = zoom - parentZoom;
  return { x: x >> step, y: y >> step, zoom: parentZoom };
}

/** The tiles of a higher zoom level inside a tile, in quadkey order. */
export function childrenOf(tile: BingTile, childZoom: number): readonly BingTile[] {
  let tiles: readonly BingTile[] = [tile];
  for (let zoom = tile.zoom + 1; zoom <= childZoom; zoom++) {
    const children: BingTile[] = [];
    for (const parent of tiles) {
      const [x, y] = [2 * parent.x, 2 * parent.y];
      children.push({ x, y, zoom }, { x: x + 1, y, zoom }, { x, y: y + 1, zoom }, { x: x + 1, y: y + 1, zoom });
    }
    tiles = children;
  }
  return tiles;
}
