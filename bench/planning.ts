/**
 * Time to parse, analyze and plan the TPC-H queries in a warm coordinator, by step, in this process. Shows CPU time beside wall time,
 * because wall time is unreliable on a busy machine.
 */
import { analyzeQuery, finishLogical, startAnalysis } from "../src/planner/plan-query.ts";
import { optimizerRules } from "../src/planner/optimizer/optimizer.ts";
import { joinOptions, rulesOff } from "../src/planner/session-properties.ts";
import { planWithSessionZone } from "../src/planner/session-zone.ts";
import { Estimator } from "../src/planner/optimizer/stats/stats-calculator.ts";
import { validatePlan } from "../src/planner/plan/validate.ts";
import type { OutputNode, PlanNode } from "../src/planner/plan/node.ts";
import { parseStatement } from "../src/sql/parser/parser.ts";
import { TestPlanner, tpchConnector } from "../test/support/planning.ts";
import { median, say, table } from "./figures.ts";
import { tpchQueries } from "./queries.ts";

const warmUpRuns = 20;
const runs = 30;

export async function measurePlanning(): Promise<void> {
  const planner = new TestPlanner({ tpch: tpchConnector() }, { catalog: "tpch", schema: "sf1" });
  const queries = [...tpchQueries()];
  const cpu = queries.map((): number[] => []);
  const wall = queries.map((): number[] => []);
  for (let run = -warmUpRuns; run < runs; run++) {
    for (const [index, [, sql]] of queries.entries()) {
      const [used, started] = [process.cpuUsage(), performance.now()];
      await planner.plan(sql);
      const elapsed = performance.now() - started;
      if (run < 0) {
        continue;
      }
      wall[index]?.push(elapsed);
      cpu[index]?.push(cpuMsSince(used));
    }
  }
  const rows = queries.map(([name], index) => {
    const [used, elapsed] = [cpu[index] ?? [], wall[index] ?? []];
    return [name, median(used).toFixed(2), median(elapsed).toFixed(2), Math.min(...elapsed).toFixed(2)];
  });
  say(table([["planning", "median CPU ms", "median ms", "best ms"], ...rows]));
  await measureSteps(planner, queries);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Sum of the medians over all queries, by step. */
async function measureSteps(planner: TestPlanner, queries: readonly (readonly [string, string])[]): Promise<void> {
  const steps = new Map<string, number[][]>();
  for (let run = 0; run < runs; run++) {
    for (const [index, [, sql]] of queries.entries()) {
      for (const [step, ms] of await stepsOf(planner, sql)) {
        const times = steps.get(step) ?? queries.map(() => []);
        times[index]?.push(ms);
        steps.set(step, times);
      }
    }
  }
  const sums = [...steps].map(([step, times]) => [step, times.reduce((sum, one) => sum + median(one), 0)] as const);
  const whole = sums.reduce((sum, [, ms]) => sum + ms, 0);
  const rows = sums.map(([step, ms]) => [step, ms.toFixed(2), `${((100 * ms) / whole).toFixed(0)}%`]);
  say(table([[`step, all ${queries.length} queries`, "median ms", "share"], ...rows]));
}

async function stepsOf({ context }: TestPlanner, sql: string): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  const timed = <T>(step: string, work: () => T): T => {
    const started = performance.now();
    const result = work();
    times.set(step, (times.get(step) ?? 0) + performance.now() - started);
    return result;
  };
  const statement = timed("parse", () => parseStatement(sql));
  if (statement.kind !== "Query") {
    throw new Error(`no query: ${sql}`);
  }
  const analysis = await startAnalysis(statement, context);
  const estimator = new Estimator((name) => analysis.tables.statisticsOf(name));
  const { evaluateConstant } = analysis.context;
  const { properties } = context.session;
  const options = { ids: analysis.ids, estimator, session: joinOptions(properties), rulesOff: rulesOff(properties), evaluateConstant };
  let plan: PlanNode = timed("analyse", () => planWithSessionZone(analyzeQuery(statement, analysis), context.session));
  timed("validate", () => validatePlan(plan, "analysis"));
  optimizerRules.forEach((rule, index) => {
    const next = timed(`${index + 1} ${rule.name}`, () => rule.apply(plan, options));
    if (next !== plan) {
      timed("validate", () => validatePlan(next, rule.name));
    }
    plan = next;
  });
  timed("distribute", () => finishLogical({ root: plan as OutputNode, shared: new Map(), estimator }, analysis));
  return times;
}
