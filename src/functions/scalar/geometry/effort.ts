/**
 * Bounds the work of JSTS. Its operations cannot be left and continued, and some need the square of the number of vertices or more: a line
 * that crosses itself everywhere has as many intersections. So the operations that its inner loops consist of are counted, and a function
 * fails when its call exceeds the bound. The count depends on the geometries alone.
 */
import ArrayList from "jsts/java/util/ArrayList.js";
import Distance from "jsts/org/locationtech/jts/algorithm/Distance.js";
import Orientation from "jsts/org/locationtech/jts/algorithm/Orientation.js";
import RobustLineIntersector from "jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js";
import Coordinate from "jsts/org/locationtech/jts/geom/Coordinate.js";
import Envelope from "jsts/org/locationtech/jts/geom/Envelope.js";
import LineSegment from "jsts/org/locationtech/jts/geom/LineSegment.js";
import EdgeIntersectionList from "jsts/org/locationtech/jts/geomgraph/EdgeIntersectionList.js";
import SegmentNodeList from "jsts/org/locationtech/jts/noding/SegmentNodeList.js";
import OffsetSegmentString from "jsts/org/locationtech/jts/operation/buffer/OffsetSegmentString.js";
import SubgraphDepthLocater from "jsts/org/locationtech/jts/operation/buffer/SubgraphDepthLocater.js";
import IntArrayList from "jsts/org/locationtech/jts/util/IntArrayList.js";
import type { HostCall, HostImplementation, HostSteps } from "../../registry/definition.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";
import type { InSteps } from "../../runtime/steps.ts";

/** Operations of one call, or between two yields of one in steps. They take some tenths of a second. */
const operationsMax = 12_000_000;
/** Operations after which a call in steps yields: some milliseconds. */
const operationsAtOnce = 200_000;
/** Operations of all of a call in steps: some seconds. */
const operationsInAllMax = 300_000_000;
/** Positions that a call adds to the graphs of JSTS, which take some hundred bytes each. */
const addedMax = 300_000;
/** Operations that count as a step of a function. */
const operationsPerStep = 100;
/** Steps that are counted at once. */
const stepsAtOnce = 200;
const countedAtOnce = operationsPerStep * stepsAtOnce;

type Work = HostCall["work"];

/** What is left of the bounds of a call in steps that hold for all of it. */
export interface Whole {
  added: number;
  operations: number;
}

/** Operations of the current call. Nothing in a call waits, so that calls do not overlap. */
class Effort {
  #left = Number.POSITIVE_INFINITY;
  #whole: Whole = { added: Number.POSITIVE_INFINITY, operations: Number.POSITIVE_INFINITY };
  /** What is left when the next steps are counted. */
  #next = Number.NEGATIVE_INFINITY;
  #work: Work;

  /**
   * Fails with INVALID_FUNCTION_ARGUMENT if the call exceeds the bound, and earlier where `work` is limited. A call within another one has
   * a bound of its own.
   */
  run<Result>(work: Work, call: () => Result, whole: Whole = { added: addedMax, operations: operationsMax }): Result {
    const [left, next, outerWork, outerWhole] = [this.#left, this.#next, this.#work, this.#whole];
    this.#left = operationsMax;
    this.#next = operationsMax - countedAtOnce;
    this.#work = work ?? this.#work;
    this.#whole = whole;
    try {
      return call();
    } finally {
      this.#left = left;
      this.#next = next;
      this.#work = outerWork;
      this.#whole = outerWhole;
    }
  }

  count(operations: number): void {
    this.#left -= operations;
    if (this.#left <= this.#next) {
      this.#countSteps();
    }
  }

  add(positions: number): void {
    this.#whole.added -= positions;
    if (this.#whole.added < 0) {
      tooComplex();
    }
  }

  /** Whether a call in steps has done enough since it yielded. */
  get isPauseDue(): boolean {
    return operationsMax - this.#left >= operationsAtOnce;
  }

  #countSteps(): void {
    this.#whole.operations -= countedAtOnce;
    if (this.#left < 0 || this.#whole.operations < 0) {
      tooComplex();
    }
    this.#next -= countedAtOnce;
    this.#work?.count(stepsAtOnce);
  }
}

function tooComplex(): never {
  return invalidArgument("Geometry is too complex for this operation");
}

const effort = new Effort();

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** `owner` is a class with static methods, or a prototype. */
function count(owner: unknown, names: readonly string[], operations: number): void {
  const methods = owner as Record<string, Method>;
  for (const name of names) {
    const original = methods[name] as Method;
    methods[name] = function (...args) {
      effort.count(operations);
      return original.apply(this, args);
    };
  }
}

// The numbers are proportions of measured times.
count(Coordinate.prototype, ["compareTo", "equals2D"], 1);
count(Envelope, ["intersects"], 1);
count(Envelope.prototype, ["intersects"], 1);
count(ArrayList.prototype, ["get"], 1);
count(LineSegment.prototype, ["isHorizontal"], 1);
count(Orientation, ["index"], 1);
count(Distance, ["pointToSegment", "segmentToSegment"], 2);
count(RobustLineIntersector.prototype, ["computeIntersect"], 5);
count(RobustLineIntersector.prototype, ["intersection"], 60);
count(SubgraphDepthLocater.prototype, ["findStabbedSegments"], 5);
count(EdgeIntersectionList.prototype, ["add"], 40);
count(SegmentNodeList.prototype, ["add"], 40);
count(OffsetSegmentString.prototype, ["addPt"], 40);

/** Positions by their place on an edge. */
interface PositionList {
  readonly _nodeMap: { size(): number };
}

for (const list of [EdgeIntersectionList, SegmentNodeList]) {
  const methods = list.prototype as unknown as Record<string, Method>;
  const original = methods["add"] as Method;
  methods["add"] = function (...args) {
    const { _nodeMap: known } = this as PositionList;
    const before = known.size();
    const position = original.apply(this, args);
    if (known.size() > before) {
      effort.add(1);
    }
    return position;
  };
}

/** A point of a curve around a line becomes the ends of two edges. */
const addCurvePoint = (OffsetSegmentString.prototype as unknown as Record<string, Method>)["addPt"] as Method;
(OffsetSegmentString.prototype as unknown as Record<string, Method>)["addPt"] = function (...args) {
  effort.add(2);
  return addCurvePoint.apply(this, args);
};

/** In Java an array of integers is lengthened to twice its length. In JSTS the copy is not longer, so that every `add` copied the array. */
IntArrayList.prototype.ensureCapacity = (): void => undefined;

const operationsPerVertex = 10;

/** Counts the vertices that JSTS is given. */
export function countVertices(vertices: number): void {
  effort.count(operationsPerVertex * vertices);
}

/** Counts work of own code that replaces a loop of JSTS. */
export function countOperations(operations: number): void {
  effort.count(operations);
}

/** Whether a call in steps should yield, within `eachWithinBound`. Its operations are counted for the slice already. */
export function isPauseDue(): boolean {
  return effort.isPauseDue;
}

/** Runs a generator, with the bound of operations of a call for each of its steps, and with bounds for all of them. */
export function* eachWithinBound<Result>(
  work: Work,
  running: InSteps<Result>,
  whole: Whole = { added: addedMax, operations: operationsInAllMax },
): InSteps<Result> {
  for (;;) {
    const next = effort.run(work, () => running.next(), whole);
    if (next.done === true) {
      return next.value;
    }
    yield next.value;
  }
}

/** As `bounded`, of a function in steps: the bound is that of each step. */
export function boundedSteps(steps: HostSteps): HostSteps {
  return (args, call) => eachWithinBound(call.work, steps(args, call));
}

/** A function with this bound. Its work counts for the slice. */
export function bounded(implementation: HostImplementation): HostImplementation {
  return (args, call) => effort.run(call.work, () => implementation(args, call));
}
