/**
 * Plans of a statement with optimizer rules switched off: only those that differ from the default plan are worth running.
 */
import type { SqlPlannerOptions } from "../../../../src/coordinator/query/sql-planner.ts";
import { evaluateConstant } from "../../../../src/execution/expressions/evaluate.ts";
import { KernelRuntime } from "../../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../../src/memory/allocator.ts";
import type { PlanContext } from "../../../../src/planner/context.ts";
import { ruleTable } from "../../../../src/planner/optimizer/rule-table.ts";
import { planStatement } from "../../../../src/planner/plan-statement.ts";
import { visitPlan } from "../../../../src/planner/plan/plan-tree.ts";
import type { PlannedQuery } from "../../../../src/planner/planned.ts";
import { type Knobs, knobsOf, type KnobValues } from "../../../../src/ports/knobs.ts";
import { QueryError } from "../../../../src/protocol/errors.ts";
import { parseStatement } from "../../../../src/sql/parser/parser.ts";
import { displayType } from "../../../../src/types/type.ts";

const planningBytes = 64 * 1024 * 1024;
/** A time in 2023, in epoch milliseconds. */
const startMillis = 1_700_000_000_000;

/** Plans whose joins are estimated to return more rows are not run: without pushed predicates, every join is a cross join. */
const joinedRowsMax = 300_000;

/** The rules that a session can switch off. */
export const switchableRules: readonly string[] = ruleTable.flatMap(({ name, required }) => (required === undefined ? [name] : []));
export const everySwitch: readonly string[] = [...switchableRules, "all"];
/** `prune_splits` acts after planning, and `push_into_connectors` on databases: their plans never differ here. */
const afterPlanning: ReadonlySet<string> = new Set(["prune_splits", "push_into_connectors"]);
/** Rules for larger tables than the fuzzer's. Knobs make them act in the simulator, and `npm run bench` holds their answers to DuckDB's. */
export const rulesOfLargeTables: ReadonlySet<string> = new Set(["large_remote_filters"]);

export interface Differing {
  readonly fired: readonly string[];
  readonly settings: readonly string[];
}

type Properties = Readonly<Record<string, string>>;

interface Switches {
  readonly sql: string;
  readonly session: Properties;
  readonly knobs: KnobValues;
  readonly rules: readonly string[];
}

export class RulePlans {
  readonly #catalogs: SqlPlannerOptions["catalogs"];
  readonly #evaluate: PlanContext["evaluateConstant"];

  constructor({ catalogs }: SqlPlannerOptions) {
    this.#catalogs = catalogs;
    const { linear, root } = createNodeMemory({ sizeBytes: planningBytes });
    const runtime = new KernelRuntime({ linear, backend: "interpreter" });
    const memory = root.child("planning");
    this.#evaluate = (expression) => evaluateConstant(runtime, memory, expression);
  }

  /**
   * Values of `optimizer_rules` whose plans differ from the plan with all rules and from each other. `fired` names every rule that acts.
   * `session` holds other properties; the knobs are those of the world that runs the plans.
   */
  async differing({ sql, session, knobs, rules }: Switches): Promise<Differing> {
    const bounds = knobsOf(knobs);
    const usual = rules.length === 0 ? undefined : await this.#plan(sql, session, bounds);
    if (usual === undefined) {
      return { fired: [], settings: [] };
    }
    const known = new Set([shapeOf(usual)]);
    const fired: string[] = [];
    const settings: string[] = [];
    for (const setting of rules.map((name) => `-${name}`)) {
      const planned = await this.#plan(sql, { ...session, optimizer_rules: setting }, bounds);
      if (planned === undefined) {
        continue;
      }
      const shape = shapeOf(planned);
      const acts = shape !== shapeOf(usual) || afterPlanning.has(setting.slice(1));
      if (acts) {
        fired.push(setting.slice(1));
      }
      if (!acts || (known.has(shape) && !afterPlanning.has(setting.slice(1))) || joinedRows(planned) > joinedRowsMax) {
        continue;
      }
      known.add(shape);
      settings.push(setting);
    }
    return { fired, settings };
  }

  async #plan(sql: string, properties: Properties, knobs: Knobs): Promise<PlannedQuery | undefined> {
    try {
      const planned = await planStatement(parseStatement(sql), this.#context(properties, knobs));
      return planned.kind === "query" ? planned : undefined;
    } catch (error) {
      if (error instanceof QueryError) {
        return undefined;
      }
      throw error;
    }
  }

  #context(properties: Properties, knobs: Knobs): PlanContext {
    const catalogs = this.#catalogs;
    return {
      catalogs: {
        names: () => catalogs.names,
        connector: (name) => (catalogs.names.includes(name) ? catalogs.connector(name) : undefined),
      },
      session: {
        user: "fuzz",
        catalog: "memory",
        schema: "default",
        timeZone: "UTC",
        startMillis,
        properties,
      },
      evaluateConstant: this.#evaluate,
      knobs,
      nodeVersion: "fuzz",
      typeText: displayType,
      drawSeed: () => 1n,
    };
  }
}

/** The plan as text with its names numbered in order, so that plans that differ only in names are equal. */
function shapeOf({ plan }: PlannedQuery): string {
  const numbers = new Map<string, string>();
  return JSON.stringify(plan.fragments).replace(/"([a-z0-9_]+?)_(\d+)"/g, (name, base: string) => {
    const known = numbers.get(name) ?? `"${base}#${numbers.size}"`;
    numbers.set(name, known);
    return known;
  });
}

function joinedRows({ plan, estimates }: PlannedQuery): number {
  let most = 0;
  for (const { root } of plan.fragments) {
    visitPlan(root, (node) => {
      if (node.kind === "Join") {
        most = Math.max(most, estimates?.get(node.id)?.outputRowCount ?? 0);
      }
    });
  }
  return most;
}
