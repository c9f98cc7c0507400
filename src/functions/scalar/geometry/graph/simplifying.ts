/**
 * Simplification that keeps rings valid: TopologyPreservingSimplifier of JSTS, with its loops in steps (graph/graphs.ts) and without its
 * recursion.
 */
import HashMap from "jsts/java/util/HashMap.js";
import LineSegment from "jsts/org/locationtech/jts/geom/LineSegment.js";
import LineSegmentIndex from "jsts/org/locationtech/jts/simplify/LineSegmentIndex.js";
import TaggedLineStringSimplifier from "jsts/org/locationtech/jts/simplify/TaggedLineStringSimplifier.js";
import TopologyPreservingSimplifier from "jsts/org/locationtech/jts/simplify/TopologyPreservingSimplifier.js";
import type { InSteps } from "../../../runtime/steps.ts";
import { countOperations, isPauseDue } from "../effort.ts";
import type { JavaIterable } from "./graphs.ts";

interface Line {
  getSegments(): readonly unknown[];
  getSegment(index: number): unknown;
  addToResult(segment: unknown): void;
  getResultSize(): number;
  getMinimumSize(): number;
  getParentCoordinates(): readonly unknown[];
}

interface LineSimplifier {
  _line: Line;
  _linePts: readonly unknown[];
  findFurthestPoint(points: readonly unknown[], from: number, to: number, distance: number[]): number;
  readonly _inputIndex: Index;
  readonly _outputIndex: Index;
  hasInteriorIntersection(segment: unknown, candidate: unknown): boolean;
  flatten(from: number, to: number): unknown;
}

interface Index {
  query(near: unknown): JavaIterable<unknown>;
  add(segment: unknown): void;
}

const operationsPerSegment = 10;

/** `geometry` is of JSTS, and not empty. */
export function* simplifyInSteps<Geometry>(geometry: unknown, tolerance: number): InSteps<Geometry> {
  const lines = new HashMap() as unknown as { values(): JavaIterable<Line> };
  const filter = new TopologyPreservingSimplifier.LineStringMapBuilderFilter({ _linestringMap: lines });
  (geometry as { apply(filter: unknown): void }).apply(filter);
  const [input, output] = [new LineSegmentIndex(), new LineSegmentIndex()] as unknown as readonly [Index, Index];
  for (const rest = lines.values().iterator(); rest.hasNext(); ) {
    for (const segment of rest.next().getSegments()) {
      input.add(segment);
      countOperations(operationsPerSegment);
      if (isPauseDue()) {
        yield 1;
      }
    }
  }
  for (const rest = lines.values().iterator(); rest.hasNext(); ) {
    yield* simplifyLine(new TaggedLineStringSimplifier(input, output) as unknown as LineSimplifier, rest.next(), tolerance);
  }
  return new TopologyPreservingSimplifier.LineStringTransformer(lines).transform(geometry) as Geometry;
}

interface Section {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
}

function* simplifyLine(simplifier: LineSimplifier, line: Line, tolerance: number): InSteps<void> {
  const points = line.getParentCoordinates();
  simplifier._line = line;
  simplifier._linePts = points;
  const sections: Section[] = [{ from: 0, to: points.length - 1, depth: 1 }];
  for (let section = sections.pop(); section !== undefined; section = sections.pop()) {
    const { depth, from, to } = section;
    countOperations(operationsPerSegment);
    if (isPauseDue()) {
      yield 1;
    }
    if (from + 1 === to) {
      line.addToResult(line.getSegment(from));
      continue;
    }
    const least = line.getMinimumSize();
    const distance = [0];
    const furthest = simplifier.findFurthestPoint(points, from, to, distance);
    const isLongEnough = line.getResultSize() >= least || depth + 1 >= least;
    const isNear = isLongEnough && (distance[0] as number) <= tolerance;
    if (isNear && !(yield* isCrossed(simplifier, line, section, new LineSegment(points[from], points[to])))) {
      line.addToResult(simplifier.flatten(from, to));
      continue;
    }
    sections.push({ from: furthest, to, depth: depth + 1 }, { from, to: furthest, depth: depth + 1 });
  }
}

/** Whether a segment that would replace a section crosses another one: of the result, or of the lines apart from the section. */
function* isCrossed(simplifier: LineSimplifier, line: Line, { from, to }: Section, candidate: unknown): InSteps<boolean> {
  for (const [isInput, index] of [simplifier._outputIndex, simplifier._inputIndex].entries()) {
    for (const near = index.query(candidate).iterator(); near.hasNext(); ) {
      const segment = near.next();
      countOperations(1);
      if (isPauseDue()) {
        yield 1;
      }
      if (simplifier.hasInteriorIntersection(segment, candidate)) {
        const isReplaced = isInput === 1 && (TaggedLineStringSimplifier.isInLineSection(line, [from, to], segment) as boolean);
        if (!isReplaced) {
          return true;
        }
      }
    }
  }
  return false;
}
