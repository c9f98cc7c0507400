/** The frame of a stage in the plan, or the whole stage when it is collapsed. */
import type { JSX } from "preact";
import { durationText, pluralText, shortCountText } from "../../components/format.ts";
import { stateText, toneOf } from "../../components/state-badge.tsx";
import type { ShownStage } from "../model/plan-graph.ts";
import type { Box } from "./layout.ts";

export function StageFrame({ shown, box }: { readonly shown: ShownStage; readonly box: Box }): JSX.Element {
  const { stage, isCollapsed } = shown;
  const { number, document, output, cpuNanos, nodes } = stage;
  const { totalTasks } = document.stageStats;
  const state = stateText(document.state);
  const title = `Stage ${number}`;
  return (
    <g class={`stage ${isCollapsed ? "collapsed" : ""}`} transform={`translate(${box.x} ${box.y})`} data-tone={toneOf(document.state)}>
      <rect class="frame" width={box.width} height={box.height} rx="10" />
      <circle class="state" cx="16" cy="16" r="4" />
      <text class="title" x="27" y="20">
        {title}
        <tspan class="line near" dx="8">
          {`${state} · ${pluralText(totalTasks, "task")}${box.width > 300 ? ` · ${stage.partitioning.toLowerCase()} · CPU ${durationText(cpuNanos)}` : ""}`}
        </tspan>
      </text>
      {isCollapsed && (
        <>
          <text class="line" x="16" y="42">
            {`${pluralText(nodes.length, "node")} · CPU ${durationText(cpuNanos)}`}
          </text>
          <text class="line" x="16" y="60">
            {output === undefined ? "not started" : `${shortCountText(output.rowsOut)} rows out`}
          </text>
        </>
      )}
      {stage.root !== undefined && (
        <g
          class="toggle"
          role="button"
          tabindex={0}
          data-stage={number}
          aria-expanded={!isCollapsed}
          aria-label={`${title}, ${state.toLowerCase()}, ${pluralText(nodes.length, "node")}`}
          transform={`translate(${box.width - 28} 8)`}
        >
          <rect class="hit" x="-4" y="-4" width="24" height="24" />
          <rect class="sign" width="16" height="16" rx="8" />
          <text x="8" y="12" text-anchor="middle">
            {isCollapsed ? "+" : "−"}
          </text>
        </g>
      )}
    </g>
  );
}
