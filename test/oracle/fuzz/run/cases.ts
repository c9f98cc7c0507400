/**
 * A statement with all its variants: equivalent forms, session properties, the second world.
 */
import { drawChanges } from "../changes.ts";
import { withParameters } from "../grammar/parameters.ts";
import { type Query, Queries } from "../queries.ts";
import type { Random } from "../random.ts";
import { drawRefusal } from "../refusals.ts";
import { drawRuleShape } from "../rule-shapes.ts";
import { declared } from "../expressions/routines.ts";
import type { Table } from "../tables.ts";
import { everySwitch, switchableRules } from "./rule-plans.ts";
import type { FuzzCase } from "./worlds.ts";

const settings: Readonly<Record<string, readonly string[]>> = {
  join_distribution_type: ["PARTITIONED", "BROADCAST"],
  join_reordering_strategy: ["NONE", "ELIMINATE_CROSS_JOINS"],
  enable_dynamic_filtering: ["false"],
  share_common_subplans: ["false"],
};

/** With `everyRule` the query runs without each rule, and half of the statements have the shapes that rare rules look for. */
export function drawCase(random: Random, tables: readonly Table[], { everyRule = false } = {}): FuzzCase {
  if (everyRule) {
    return { ...drawStatement(random, tables, 50), withoutRules: everySwitch };
  }
  const made = drawStatement(random, tables, 8);
  const withoutRules = random.chance(rulesPercent) ? Array.from({ length: rulesPerQuery }, () => random.pick(switchableRules)) : [];
  const rules = random.chance(20) ? random.pick(ruleLists)(random) : "";
  return { ...made, withoutRules, ...(rules !== "" && { session: { ...made.session, optimizer_rules: rules } }) };
}

/** Percentage of queries that run without rules, and the number of rules that are tried one by one. */
const rulesPercent = 6;
const rulesPerQuery = 5;

/** Percentage of statements that the engine must refuse. */
const refusalsPercent = 8;

const anyRule = (random: Random): string => `-${random.pick(switchableRules)}`;
/** Plans without many rules cost much, because they join before they filter. */
const ruleLists: readonly ((random: Random) => string)[] = [
  anyRule,
  (random) => `${anyRule(random)},${anyRule(random)},${anyRule(random)}`,
  (random) => `-all,+push_predicates,${anyRule(random).replace("-", "+")}`,
];

function drawStatement(random: Random, tables: readonly Table[], shapesPercent: number): Omit<FuzzCase, "withoutRules"> {
  const far = random.chance(35);
  const session: Record<string, string> = {};
  for (const [name, values] of Object.entries(settings)) {
    if (random.chance(40)) {
      session[name] = random.pick(values);
    }
  }
  if (random.chance(6)) {
    random.declaresFunctions = false;
    return { ...drawChanges(random, tables), same: [], session, far };
  }
  if (random.chance(refusalsPercent)) {
    random.declaresFunctions = false;
    const { error, sql } = drawRefusal(random, () => new Queries(random, tables).statement(random.below(2)).text.engine);
    return { changes: [], query: { text: { engine: sql, duckdb: sql }, ordered: false }, same: [], session, far, refused: error };
  }
  if (random.chance(shapesPercent)) {
    random.declaresFunctions = false;
    return { changes: [], query: drawRuleShape(random), same: [], session, far };
  }
  const queries = new Queries(random, tables);
  if (random.chance(18)) {
    return { changes: [], ...withFunctions(queries.nested(), []), session, far };
  }
  // A deep statement costs as much as ten flat ones, and flat ones find most of the bugs.
  const depth = random.pick([0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 3]);
  const { query, same } = random.chance(25) ? queries.partitioned(depth) : { query: queries.statement(depth) as Query, same: [] };
  const named = withFunctions(query, same);
  return { changes: [], ...named, same: same.length === 0 ? drawRewording(random, named.query) : named.same, session, far };
}

/** The same statement with parameters or with its own settings; mostly neither. */
function drawRewording(random: Random, { text: { engine } }: Query): FuzzCase["same"] {
  if (random.chance(3)) {
    const [name, values] = random.pick(Object.entries(settings));
    const value = random.pick(values);
    return [{ name: "WITH SESSION", sql: `WITH SESSION ${name} = ${value === "false" ? value : `'${value}'`} ${engine}` }];
  }
  const asked = random.chance(8) ? withParameters(random, engine) : undefined;
  return asked === undefined ? [] : [{ name: "parameters", sql: asked }];
}

function withFunctions(query: Query, same: FuzzCase["same"]): Pick<FuzzCase, "query" | "same"> {
  const { duckdb, engine } = query.text;
  return {
    query: { ...query, text: { engine: declared(engine), duckdb } },
    same: same.map(({ name, sql }) => ({ name, sql: declared(sql) })),
  };
}
