/**
 * SQL functions with mismatched heads, bodies and arguments: a family of statements.ts.
 */
import { sqlTypeText } from "../../../src/types/type.ts";
import type { Random } from "../../oracle/fuzz/random.ts";
import { anyType, hostileText, quoted, valueOf } from "./values.ts";

function anyValue(random: Random): string {
  return valueOf(anyType(random), random);
}

function typeText(random: Random): string {
  return random.chance(85)
    ? sqlTypeText(anyType(random))
    : random.pick(["nosuch", "__proto__", "varchar(-1)", "decimal(99)", "row()", "unknown"]);
}

const names = ["f", "abs", "sum", "if", "constructor", '"__proto__"', '"a$b"', "a.b", "memory.default.f", '""'];
const variables = ["p", "v", "n", "toString", '"__proto__"'];

function value(random: Random): string {
  switch (random.below(8)) {
    case 0:
    case 1:
      return anyValue(random);
    case 2:
      return `1 / (${random.pick(variables)} - 1)`;
    case 3:
      return `CAST(${random.pick(variables)} AS ${typeText(random)})`;
    case 4:
      return random.pick(["random()", "now()", "(SELECT 1)", "sum(p)", "f(p)", "?", "p.q", "x -> x", "rank() OVER ()", "p IN (SELECT 1)"]);
    case 5:
      return `${random.pick(variables)} || ${anyValue(random)}`;
    default:
      return random.pick(variables);
  }
}

const labels = ["a", "b", '"__proto__"', "constructor"];

function statement(random: Random, depth: number): string {
  const inside = (): string => Array.from({ length: 1 + random.below(2) }, () => `${statement(random, depth - 1)};`).join(" ");
  const label = random.chance(40) ? `${random.pick(labels)}: ` : "";
  switch (depth <= 0 ? random.below(4) : random.below(11)) {
    case 0:
      return `SET ${random.pick(variables)} = ${value(random)}`;
    case 1:
      return `${random.pick(["ITERATE", "LEAVE"])} ${random.pick(labels)}`;
    case 2:
    case 3:
      return `RETURN ${value(random)}`;
    case 4:
      return `IF ${value(random)} THEN ${inside()} ELSEIF ${value(random)} THEN ${inside()} ELSE ${inside()} END IF`;
    case 5:
      return `CASE ${random.chance(50) ? value(random) : ""} WHEN ${value(random)} THEN ${inside()} WHEN ${value(random)} THEN ${inside()} END CASE`;
    case 6:
      return `${label}LOOP ${inside()} RETURN ${value(random)}; END LOOP`;
    case 7:
      return `${label}WHILE ${value(random)} DO ${inside()} LEAVE ${random.pick(labels)}; END WHILE`;
    case 8:
      return `${label}REPEAT ${inside()} UNTIL true END REPEAT`;
    case 9: {
      const step = random.chance(50) ? ` BY ${value(random)}` : "";
      const range = `${value(random)} TO ${value(random)}${step}`;
      return `${label}FOR ${random.pick(variables)} IN ${range} DO ${inside()} LEAVE ${random.pick(labels)}; END FOR`;
    }
    default:
      return block(random, depth - 1);
  }
}

function block(random: Random, depth: number): string {
  const declared = Array.from({ length: random.below(3) }, () => {
    const otherwise = random.chance(50) ? ` DEFAULT ${value(random)}` : "";
    return `DECLARE ${random.pick(variables)}${random.chance(20) ? ", n" : ""} ${typeText(random)}${otherwise};`;
  });
  const statements = Array.from({ length: random.below(3) }, () => `${statement(random, depth)};`);
  return `BEGIN ${declared.join(" ")} ${statements.join(" ")} RETURN ${value(random)}; END`;
}

function characteristics(random: Random): string {
  const some = [
    "LANGUAGE SQL",
    'LANGUAGE "__proto__"',
    "DETERMINISTIC",
    "NOT DETERMINISTIC",
    "CALLED ON NULL INPUT",
    "RETURNS NULL ON NULL INPUT",
    "SECURITY INVOKER",
    `COMMENT ${quoted(hostileText(random))}`,
  ];
  return Array.from({ length: random.pick([0, 0, 1, 2]) }, () => random.pick(some)).join(" ");
}

function declaration(random: Random): string {
  const parameters = random.pick([
    `p ${typeText(random)}`,
    `p ${typeText(random)}`,
    `p ${typeText(random)}, n bigint`,
    "bigint",
    "p",
    "p int, p int",
  ]);
  const body = random.chance(30) ? `RETURN ${value(random)}` : block(random, 2);
  return `FUNCTION ${random.pick(names)}(${parameters}) RETURNS ${typeText(random)} ${characteristics(random)} ${body}`;
}

function call(random: Random): string {
  return `${random.pick(names)}(${Array.from({ length: random.pick([1, 1, 1, 2, 0]) }, () => anyValue(random)).join(", ")})`;
}

export const routineMakers: readonly ((random: Random) => string)[] = [
  (random) => `WITH ${declaration(random)} SELECT ${call(random)}`,
  (random) => `WITH ${declaration(random)}, ${declaration(random)} SELECT TRY(${call(random)}), ${call(random)}`,
  (random) => `WITH FUNCTION f(p ${typeText(random)}) RETURNS ${typeText(random)} ${block(random, 2)} SELECT f(${anyValue(random)})`,
  (random) => {
    const type = anyType(random);
    const text = sqlTypeText(type);
    return `WITH FUNCTION f(p ${text}) RETURNS ${text} BEGIN DECLARE v ${text}; SET v = p; RETURN v; END SELECT f(${valueOf(type, random)})`;
  },
  (random) => `CREATE OR REPLACE ${declaration(random)}`,
  (random) => `DROP FUNCTION ${random.pick(["IF EXISTS ", ""])}${random.pick(names)}(${typeText(random)})`,
  (random) => `SHOW FUNCTIONS FROM ${random.pick(names)}`,
  (random) => `SHOW CREATE FUNCTION ${random.pick(names)}`,
  (random) => `SELECT ${call(random)}`,
];
