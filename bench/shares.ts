/** Where the time of a query went, from the query resource: parsing and planning, then the time of its operators by kind. */

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
  readonly queryStats: { readonly elapsedTime: string; readonly analysisTime: string };
  readonly outputStage?: Stage;
}

const unitsMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** "2.30ms" */
function milliseconds(duration: string): number {
  const [, value, unit = "ms"] = /^([\d.]+)(\w+)$/.exec(duration) ?? [];
  return Number(value ?? 0) * (unitsMs[unit] ?? 1);
}

export interface Shares {
  readonly elapsedMs: number;
  readonly planMs: number;
  /** Milliseconds over all tasks, the greatest first. */
  readonly operators: readonly (readonly [kind: string, ms: number])[];
}

export function sharesOf(details: unknown): Shares {
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
  if (outputStage !== undefined) visit(outputStage);
  return {
    elapsedMs: milliseconds(queryStats.elapsedTime),
    planMs: milliseconds(queryStats.analysisTime),
    operators: [...sums].sort((a, b) => b[1] - a[1]),
  };
}

/** `plan 12%, scan and filter 60% ...` of what the query took: operators share what planning left. */
export function describeShares({ elapsedMs, planMs, operators }: Shares): string {
  const total = operators.reduce((sum, [, ms]) => sum + ms, 0);
  const shown = operators.slice(0, 5).filter(([, ms]) => ms > 0.02 * total);
  const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(whole, 1e-9))}%`;
  return [`plan ${percent(planMs, elapsedMs)} of elapsed`, ...shown.map(([kind, ms]) => `${kind} ${percent(ms, total)}`)].join(", ");
}
