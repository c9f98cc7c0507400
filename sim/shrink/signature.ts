/**
 * Defines when two failures are the same: equal kind, oracle, and sentence without the parts that differ between runs.
 */
import type { FailureKind, Violation } from "../checkers/violation.ts";

export interface Signature {
  readonly kind: FailureKind;
  readonly oracle: string;
  readonly shape: string;
}

/** Masks statements, quoted texts, rows and numbers, which shrinking changes; of a list, only its name remains. */
export function shapeOf(sentence: string): string {
  return (
    (sentence.split("\n")[0] ?? "")
      // A statement at the end, with or without its user.
      .replace(/: (\w+: )?(SELECT|WITH|VALUES|TABLE|CREATE|INSERT|DROP|DELETE|read|create|insert|drop)\b.*$/is, "")
      .replace(/, first difference at row .*$/s, "")
      .replace(/\bgot \d+ (of \d+ )?rows/, "got rows")
      .replace(/\bgot ([A-Z_]{5,}) "(?:[^"\\]|\\.)*"/, "got $1")
      .replace(/\bwhere .* is right/s, "where something else is right")
      .replace(/"(?:[^"\\]|\\.)*"/g, '"..."')
      .replace(/\{[^}]*\}|\[[^\]]*\]/g, "...")
      .replace(/(these are left|have not ended): .*$/s, "$1")
      .replace(/\b\d{8}_\d{6}_\d{5}_\w{5}\b/g, "QUERY")
      .replace(/\d+(\.\d+)?/g, "#")
  );
}

export function signatureOf({ kind, oracle, sentence }: Violation): Signature {
  return { kind, oracle, shape: shapeOf(sentence) };
}

export function isSame(signature: Signature, violation: Violation): boolean {
  return violation.kind === signature.kind && violation.oracle === signature.oracle && shapeOf(violation.sentence) === signature.shape;
}

/** The failure to explain: the first one, unless it only says that the run did too little. */
export function principal(violations: readonly Violation[]): Violation | undefined {
  return violations.find(({ kind }) => kind !== "vacuous") ?? violations[0];
}

/** Returns the violation if the run's first failure has this signature. */
export function failsTheSame(signature: Signature, violations: readonly Violation[]): Violation | undefined {
  const first = principal(violations);
  return first !== undefined && isSame(signature, first) ? first : undefined;
}
