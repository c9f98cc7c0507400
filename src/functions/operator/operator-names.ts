/** The names under which plans and the analyzer call the operators of SQL. */
export const operatorNames = [
  "$add",
  "$subtract",
  "$multiply",
  "$divide",
  "$modulus",
  "$negate",
  "$not",
  "$eq",
  "$ne",
  "$lt",
  "$le",
  "$gt",
  "$ge",
  "$distinct",
] as const;

export type OperatorName = (typeof operatorNames)[number];
export type ArithmeticName = "$add" | "$subtract" | "$multiply" | "$divide" | "$modulus";
export type ComparisonName = "$eq" | "$ne" | "$lt" | "$le" | "$gt" | "$ge";
