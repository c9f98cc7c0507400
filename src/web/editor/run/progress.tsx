/** A running statement: state, progress, rows and bytes, and its stages as bars. */
import type { JSX } from "preact";
import type { StageStatsDocument, StatementStats } from "../../../protocol/documents/statement.ts";
import { countText, dataSizeText, spanText } from "../../components/format.ts";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import type { Execution } from "./execution.ts";

export function Progress({ execution }: { readonly execution: Execution }): JSX.Element {
  void execution.version.value;
  const stats = execution.results?.stats;
  if (stats === undefined) {
    return (
      <div class="sql-progress" role="status">
        <p>{execution.state === "waiting" ? "Waits for the statements before" : "Sending the statement…"}</p>
      </div>
    );
  }
  const ratio = stats.progressPercentage === undefined ? undefined : stats.progressPercentage / 100;
  return (
    <div class="sql-progress">
      <p class="number">
        {spanText(Math.floor(execution.elapsedMs / 1000))}, {countText(stats.processedRows)} rows,{" "}
        {dataSizeText(Number(stats.processedBytes))} processed, {countText(execution.rows.length)} rows fetched
      </p>
      <ProgressBar ratio={ratio} label="Progress of the query" />
      <Stages stats={stats} />
    </div>
  );
}

function Stages({ stats }: { readonly stats: StatementStats }): JSX.Element | null {
  const stages = stats.rootStage === undefined ? [] : flattened(stats.rootStage, 0);
  return stages.length === 0 ? null : (
    <ul class="sql-stages" aria-label="Stages">
      {stages.map(({ stage, depth }) => (
        <li key={stage.stageId} style={{ paddingLeft: `${Math.min(depth, 8) * 14}px` }}>
          <span class="number">{stage.stageId}</span>
          <StateBadge state={stage.state} />
          <ProgressBar
            ratio={stage.done ? 1 : stage.totalSplits === 0 ? 0 : stage.completedSplits / stage.totalSplits}
            label={`Stage ${stage.stageId}`}
            showText={false}
            tone={stage.state === "FAILED" ? "bad" : stage.done ? "good" : "busy"}
          />
          <span class="number muted">
            {countText(stage.completedSplits)} of {countText(stage.totalSplits)} splits, {countText(stage.processedRows)} rows
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Stages shown at most: more do not fit a screen. */
const stagesMax = 60;

function flattened(stage: StageStatsDocument, depth: number): readonly { readonly stage: StageStatsDocument; readonly depth: number }[] {
  return [{ stage, depth }, ...stage.subStages.flatMap((one) => flattened(one, depth + 1))].slice(0, stagesMax);
}
