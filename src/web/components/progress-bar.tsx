/** A bar with its percentage. */
import type { JSX } from "preact";
import { percentText } from "./format.ts";

interface ProgressProps {
  /** Between 0 and 1; undefined if it cannot be known. */
  readonly ratio: number | undefined;
  /** What progresses, for screen readers. */
  readonly label: string;
  readonly tone?: "busy" | "good" | "bad" | "neutral";
  /** Whether the percentage stands beside the bar. */
  readonly showText?: boolean;
}

export function ProgressBar({ ratio, label, tone = "busy", showText = true }: ProgressProps): JSX.Element {
  const known = ratio === undefined ? undefined : Math.min(1, Math.max(0, ratio));
  const text = known === undefined ? "not known" : percentText(known);
  return (
    <span class="progress" data-tone={tone}>
      <span
        class="bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={known === undefined ? undefined : Math.round(known * 100)}
        aria-valuetext={text}
      >
        <span class={known === undefined ? "fill unknown" : "fill"} style={{ transform: `scaleX(${known ?? 0})` }} />
      </span>
      {showText && <span class="percent">{known === undefined ? "" : text}</span>}
    </span>
  );
}
