/** A plan node as drawn: title, rows, time, wait, memory, skew, estimate. Texts are cut to the card; the details have them whole. */
import { memo } from "preact/compat";
import type { JSX } from "preact";
import { durationText, shortCountText, shortSizeText } from "../../components/format.ts";
import type { GraphNode } from "../model/plan-graph.ts";
import type { Box } from "./layout.ts";

/** Characters of about 6.1 pixels that fit into a line. */
const lineChars = 35;

function cut(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

interface CardProps {
  readonly node: GraphNode;
  readonly box: Box;
  /** Largest time of a node of the plan. */
  readonly wallNanosMax: number;
  readonly isSelected: boolean;
  readonly isCollapsed: boolean;
  /** In the tab order: one node is. */
  readonly isCurrent: boolean;
  readonly hiddenCount: number;
}

export const NodeCard = memo(Card, isSameCard);

function isSameCard(a: CardProps, b: CardProps): boolean {
  return (
    a.node === b.node &&
    a.box === b.box &&
    a.wallNanosMax === b.wallNanosMax &&
    a.isSelected === b.isSelected &&
    a.isCollapsed === b.isCollapsed &&
    a.isCurrent === b.isCurrent &&
    a.hiddenCount === b.hiddenCount
  );
}

function Card({ node, box, wallNanosMax, isSelected, isCollapsed, isCurrent, hiddenCount }: CardProps): JSX.Element {
  const { text, measures, fusedText } = node;
  const share = measures === undefined ? 0 : measures.total.wallNanos / wallNanosMax;
  const hasChildren = node.children.length > 0;
  return (
    <g
      class={`node ${isSelected ? "selected" : ""} ${fusedText === "" ? "" : "fused"}`}
      transform={`translate(${box.x} ${box.y})`}
      data-category={text.category}
    >
      <g role="button" tabindex={isCurrent ? 0 : -1} data-node={node.id} aria-pressed={isSelected}>
        <rect class="card" width={box.width} height={box.height} rx="7" />
        <rect class="stripe" width="4" height={box.height - 12} x="0" y="6" rx="2" />
        <text class="title" x="14" y="19">
          {`${text.title} `}
          <tspan class="id" dx="4">
            {`${node.id} `}
          </tspan>
        </text>
        <g class="near">
          <text class="line" x="14" y="35">
            {`${cut(fusedText === "" ? text.line : fusedText, lineChars)} `}
          </text>
          {fusedText === "" && node.document.kind !== "Output" && <Numbers node={node} />}
          {fusedText !== "" && node.rowsOut !== undefined && <EstimateMark node={node} />}
          {share > 0.005 && (
            <rect class="share" x="14" y={box.height - 6} width={Math.max(2, share * (box.width - 28))} height="3" rx="1.5" />
          )}
        </g>
      </g>
      {hasChildren && <Toggle box={box} node={node} isCollapsed={isCollapsed} hiddenCount={hiddenCount} />}
    </g>
  );
}

function Numbers({ node }: { readonly node: GraphNode }): JSX.Element {
  const { measures, rowsOut, rowSkew, estimate } = node;
  if (measures === undefined) {
    return (
      <text class="line" x="14" y="56">
        {node.missingText}
      </text>
    );
  }
  const { total } = measures;
  const build = total.buildRows > 0 ? ` + ${shortCountText(total.buildRows)} build` : "";
  const skewed = rowSkew !== undefined && measures.tasks.length > 1;
  return (
    <>
      <text class="number" x="14" y="52">
        {`${shortCountText(total.rowsIn)}${build} → ${rowsOut === undefined ? "?" : shortCountText(rowsOut)} rows `}
      </text>
      <text class="number" x="14" y="68">
        <tspan class="key">time </tspan>
        {`${durationText(total.wallNanos)} `}
        <tspan class="key" dx="8">
          wait{" "}
        </tspan>
        {`${durationText(total.blockedNanos)} `}
      </text>
      <text class="number" x="14" y="84">
        <tspan class="key">mem </tspan>
        {`${shortSizeText(total.memoryBytes)} `}
        {skewed && (
          <tspan class="key" dx="8">
            skew{" "}
          </tspan>
        )}
        {skewed && <tspan data-accuracy={skewAccuracy(rowSkew)}>{`${rowSkew.toFixed(1)}×`}</tspan>}
      </text>
      {estimate !== undefined && (
        <text class="number estimate" x="214" y="84" text-anchor="end" data-accuracy={estimate.accuracy}>
          {estimateMark(estimate)}
        </text>
      )}
    </>
  );
}

/** A share of at least three times the average is worth a look, unless there are few tasks. */
export function skewAccuracy(skew: number): "good" | "fair" | "bad" {
  return skew < 1.5 ? "good" : skew < 3 ? "fair" : "bad";
}

function estimateMark({ factor, estimatedRows, rows }: NonNullable<GraphNode["estimate"]>): string {
  if (factor === undefined || rows === undefined) {
    return `est ${shortCountText(estimatedRows)}`;
  }
  return factor < 1.05 ? "est ✓" : `est ${rows > estimatedRows ? "↑" : "↓"} ${shortCountText(factor)}×`;
}

function EstimateMark({ node: { estimate, rowsOut } }: { readonly node: GraphNode }): JSX.Element {
  return (
    <text class="number" x="214" y="19" text-anchor="end">
      {`${shortCountText(rowsOut)} rows`}
      {estimate !== undefined && (
        <tspan class="estimate" dx="6" data-accuracy={estimate.accuracy}>
          {estimateMark(estimate)}
        </tspan>
      )}
    </text>
  );
}

interface ToggleProps {
  readonly box: Box;
  readonly node: GraphNode;
  readonly isCollapsed: boolean;
  readonly hiddenCount: number;
}

/** Keys collapse too, so the sign needs no place in the tab order. */
function Toggle({ box, node, isCollapsed, hiddenCount }: ToggleProps): JSX.Element {
  const text = isCollapsed ? `+${hiddenCount}` : "−";
  const width = isCollapsed ? 14 + 7 * text.length : 16;
  return (
    <g class="toggle" data-toggle={node.id} aria-hidden="true" transform={`translate(${box.width / 2 - width / 2} ${box.height - 8})`}>
      <title>{isCollapsed ? "Show what is below" : "Hide what is below"}</title>
      <rect class="hit" x="-4" y="-4" width={width + 8} height="24" />
      <rect class="sign" width={width} height="16" rx="8" />
      <text x={width / 2} y="12" text-anchor="middle">
        {text}
      </text>
    </g>
  );
}
