/**
 * Unions of many geometries as a tree: neighbours first, then unions of unions. JSTS does the same, but at once; here a caller may be left
 * between two unions. Parts of a union that no part of the other one comes near are not united again.
 */
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";
import { eachWithinBound } from "./effort.ts";
import { type Bounds, boundsOf, type Geometry, isEmpty, pathsOf, type Single, singlesOf } from "./geometry.ts";
import { gather, union } from "./topology.ts";

/** Vertices that are united at once. */
const verticesAtOnce = 1_000;
const stepsOfUnion = 100;

interface Placed {
  readonly single: Single;
  readonly bounds: Bounds;
  readonly vertices: number;
}

function placed(single: Single): Placed {
  return { single, bounds: boundsOf(single) as Bounds, vertices: verticesOf(single) };
}

function verticesOf(geometry: Geometry): number {
  return singlesOf(geometry).reduce((sum, single) => sum + pathsOf(single).reduce((more, path) => more + path.length, 0), 0);
}

const byX = (a: Placed, b: Placed): number => a.bounds.xMin + a.bounds.xMax - b.bounds.xMin - b.bounds.xMax;
const byY = (a: Placed, b: Placed): number => a.bounds.yMin + a.bounds.yMax - b.bounds.yMin - b.bounds.yMax;

/** Groups of neighbours: strips of x, cut by y (sort-tile-recursive packing). */
function* neighbours(parts: readonly Placed[]): InSteps<readonly (readonly Placed[])[]> {
  const vertices = parts.reduce((sum, part) => sum + part.vertices, 0);
  const strips = Math.ceil(Math.sqrt(vertices / verticesAtOnce));
  const groups: Placed[][] = [];
  for (const strip of cut(yield* sortInSteps(parts, byX), vertices / strips)) {
    groups.push(...cut(yield* sortInSteps(strip, byY), verticesAtOnce));
  }
  return groups;
}

/** Consecutive parts of about so many vertices. */
function cut(parts: readonly Placed[], vertices: number): Placed[][] {
  const groups: Placed[][] = [];
  let left = 0;
  for (const part of parts) {
    if (left <= 0) {
      groups.push([]);
      left = vertices;
    }
    (groups.at(-1) as Placed[]).push(part);
    left -= part.vertices;
  }
  return groups;
}

function meet(a: Bounds, b: Bounds): boolean {
  return a.xMin <= b.xMax && b.xMin <= a.xMax && a.yMin <= b.yMax && b.yMin <= a.yMax;
}

function boundsOfAll(parts: readonly Placed[]): Bounds | undefined {
  return parts.reduce<Bounds | undefined>(
    (all, { bounds }) =>
      all === undefined
        ? bounds
        : {
            xMin: Math.min(all.xMin, bounds.xMin),
            yMin: Math.min(all.yMin, bounds.yMin),
            xMax: Math.max(all.xMax, bounds.xMax),
            yMax: Math.max(all.yMax, bounds.yMax),
          },
    undefined,
  );
}

/** The parts that come near the others, and those that do not. */
function split(parts: readonly Placed[], others: readonly Placed[]): readonly [near: readonly Placed[], away: readonly Placed[]] {
  const all = boundsOfAll(others);
  const isNear = ({ bounds }: Placed): boolean => all !== undefined && meet(bounds, all);
  return [parts.filter(isNear), parts.filter((part) => !isNear(part))];
}

function* unite(one: readonly Placed[], other: readonly Placed[]): InSteps<readonly Placed[]> {
  const [ones, awayOfOne] = split(one, other);
  const [others, awayOfOther] = split(other, ones);
  const united = ones.length === 0 || others.length === 0 ? [...ones, ...others] : yield* unionOf([...ones, ...others]);
  return [...united, ...awayOfOne, ...awayOfOther];
}

function* unionOf(parts: readonly Placed[]): InSteps<readonly Placed[]> {
  return singlesOf(yield* united(parts.map(({ single }) => single))).map(placed);
}

/** Each union has the bounds of a call. */
function united(geometries: readonly Geometry[]): InSteps<Geometry> {
  return eachWithinBound(undefined, union(geometries));
}

/** Union of all geometries; if all are empty, the first one. Yields the steps since the last time. */
export function* unionInSteps(geometries: readonly Geometry[]): InSteps<Geometry> {
  const parts: Placed[] = [];
  for (const geometry of geometries) {
    parts.push(
      ...singlesOf(geometry)
        .filter((single) => !isEmpty(single))
        .map(placed),
    );
    if (parts.length % verticesAtOnce === 0) {
      yield stepsOfUnion;
    }
  }
  if (parts.reduce((sum, { vertices }) => sum + vertices, 0) <= verticesAtOnce) {
    return yield* united(geometries);
  }
  let level: (readonly Placed[])[] = [];
  for (const group of yield* neighbours(parts)) {
    level.push(yield* unionOf(group));
    yield stepsOfUnion;
  }
  while (level.length > 1) {
    const next: (readonly Placed[])[] = [];
    for (let index = 0; index < level.length; index += 2) {
      next.push(yield* unite(level[index] as readonly Placed[], level[index + 1] ?? []));
      yield stepsOfUnion;
    }
    level = next;
  }
  return gather((level[0] as readonly Placed[]).map(({ single }) => single));
}
