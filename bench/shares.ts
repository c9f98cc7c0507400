/**
 * Breakdown of a query's time from the query resource: parsing and admission, planning, each operator, and the rest, which is task
 * scheduling, requests in flight and threads that wait for each other.
 */

interface OperatorSummary {
  readonly operatorType: string;
  readonly addInputWall: string;
  readonly getOutputWall: string;
  readonly finishWall: string;
}

interface Stage {
  readonly tasks: readonly {
    readonly stats: { readonly pipelines: readonly { readonly operatorSummaries: readonly OperatorSummary[] }[] };
  }[];
  readonly subStages: readonly Stage[];
}

interface Details {
  readonly queryStats: { readonly elapsedTime: string; readonly queuedTime: string; readonly analysisTime: string };
  readonly outputStage?: Stage;
}

const unitsMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** "2.30ms" */
function milliseconds(duration: string): number {
  const [, value, unit = "ms"] = /^([\d.]+)(\w+)$/.exec(duration) ?? [];
  return Number(value ?? 0) * (unitsMs[unit] ?? 1);
}

export interface Share {
  /** `parse`, `plan`, `schedule and wait`, or an operator's name without the suffix. */
  readonly name: string;
  /** Fraction of the elapsed time. */
  readonly fraction: number;
}

/** Fractions add up to 1. Operator times are divided by `threads`. Operators come in descending order. */
export function sharesOf(details: unknown, threads: number): readonly Share[] {
  const { queryStats, outputStage } = details as Details;
  const sums = new Map<string, number>();
  const visit = (stage: Stage): void => {
    for (const task of stage.tasks) {
      for (const { operatorSummaries } of task.stats.pipelines) {
        for (const one of operatorSummaries) {
          const ms = milliseconds(one.addInputWall) + milliseconds(one.getOutputWall) + milliseconds(one.finishWall);
          const kind = one.operatorType.replace(/Operator$/, "");
          sums.set(kind, (sums.get(kind) ?? 0) + ms);
        }
      }
    }
    stage.subStages.forEach(visit);
  };
  if (outputStage !== undefined) {
    visit(outputStage);
  }
  const elapsed = Math.max(milliseconds(queryStats.elapsedTime), 1e-6);
  const parse = milliseconds(queryStats.queuedTime) / elapsed;
  const plan = milliseconds(queryStats.analysisTime) / elapsed;
  const left = Math.max(0, 1 - parse - plan);
  const inOperators = [...sums.values()].reduce((sum, ms) => sum + ms, 0) / threads / elapsed;
  // Coarse clocks may report slightly more than the elapsed time.
  const scale = inOperators > left ? left / inOperators : 1;
  const operators = [...sums]
    .map(([name, ms]) => ({ name, fraction: (ms / threads / elapsed) * scale }))
    .sort((a, b) => b.fraction - a.fraction);
  return [
    { name: "parse", fraction: parse },
    { name: "plan", fraction: plan },
    { name: "schedule and wait", fraction: left - inOperators * scale },
    ...operators,
  ];
}

/** `parse 1%, plan 12%, ...`; shares that round to 0 are omitted. */
export function describeShares(shares: readonly Share[]): string {
  return shares
    .map(({ name, fraction }) => [name, Math.round(100 * fraction)] as const)
    .filter(([, percent]) => percent > 0)
    .map(([name, percent]) => `${name} ${percent}%`)
    .join(", ");
}
