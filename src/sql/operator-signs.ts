/** Operators that stand between their arguments, by the names of their functions, as SQL writes them. */
export const operatorSigns: Readonly<Record<string, string>> = Object.freeze({
  $add: "+",
  $subtract: "-",
  $multiply: "*",
  $divide: "/",
  $modulus: "%",
  $eq: "=",
  $ne: "<>",
  $lt: "<",
  $le: "<=",
  $gt: ">",
  $ge: ">=",
  $distinct: "IS DISTINCT FROM",
});
