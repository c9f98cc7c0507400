/**
 * Vectors as arrays of doubles: products, distances, angles. As in Trino, a NULL element gives NULL, and different lengths are an error.
 */
import type { HostImplementation, ScalarDefinition } from "../../registry/definition.ts";
import { invalidArgument } from "../../runtime/nested-values.ts";

type Vector = readonly number[];

function dot(p: Vector, q: Vector): number {
  return p.reduce((sum, value, index) => sum + value * (q[index] as number), 0);
}

function cosine(p: Vector, q: Vector): number {
  const [left, right] = [Math.sqrt(dot(p, p)), Math.sqrt(dot(q, q))];
  return left === 0 || right === 0 ? invalidArgument("Vector magnitude cannot be zero") : dot(p, q) / (left * right);
}

function ofTwo(implementation: (p: Vector, q: Vector) => number): HostImplementation {
  return ([left, right]) => {
    const [p, q] = [left as readonly (number | null)[], right as readonly (number | null)[]];
    if (p.length !== q.length) {
      return invalidArgument("The arguments must have the same length");
    }
    return p.includes(null) || q.includes(null) ? null : implementation(p as Vector, q as Vector);
  };
}

function define(name: string, description: string, implementation: (p: Vector, q: Vector) => number, result: string): ScalarDefinition {
  return {
    name,
    args: ["array(double)", "array(double)"],
    returns: "double",
    givesNull: true,
    description,
    host: ofTwo(implementation),
    example: { sql: `${name}(ARRAY[0, 3], ARRAY[4, 0])`, result },
  };
}

export const vectorDefinitions: readonly ScalarDefinition[] = [
  define("dot_product", "Dot product of the vectors", dot, "0.0"),
  define(
    "euclidean_distance",
    "Euclidean distance of the vectors",
    (p, q) => Math.sqrt(p.reduce((sum, value, index) => sum + (value - (q[index] as number)) ** 2, 0)),
    "5.0",
  ),
  define("cosine_similarity", "Cosine similarity of the vectors", cosine, "0.0"),
  define("cosine_distance", "Cosine distance of the vectors", (p, q) => 1 - cosine(p, q), "1.0"),
];
