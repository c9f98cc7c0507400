/** State of a query, stage, task or node: a word beside a sign, so that color is never the only difference. */
import type { JSX } from "preact";

export type Tone = "good" | "busy" | "wait" | "warn" | "bad" | "neutral";

const tones: Readonly<Record<string, Tone>> = {
  QUEUED: "wait",
  WAITING_FOR_RESOURCES: "wait",
  DISPATCHING: "wait",
  PLANNING: "busy",
  PLANNED: "wait",
  STARTING: "busy",
  SCHEDULING: "busy",
  SCHEDULED: "busy",
  RUNNING: "busy",
  FLUSHING: "busy",
  FINISHING: "busy",
  FINISHED: "good",
  ACTIVE: "good",
  FAILED: "bad",
  INACTIVE: "bad",
  CANCELED: "neutral",
  ABORTED: "neutral",
  SHUTTING_DOWN: "neutral",
};

export function toneOf(state: string): Tone {
  return tones[state] ?? "neutral";
}

const words: Readonly<Record<string, string>> = { WAITING_FOR_RESOURCES: "Waiting", SHUTTING_DOWN: "Shutting down" };

/** `Running` for RUNNING. */
export function stateText(state: string): string {
  return words[state] ?? `${state.slice(0, 1)}${state.slice(1).toLowerCase().replaceAll("_", " ")}`;
}

interface BadgeProps {
  readonly state: string;
  /** Instead of the state's word. */
  readonly text?: string;
  /** Instead of the state's tone. */
  readonly tone?: Tone;
  readonly title?: string;
}

export function StateBadge({ state, text, tone = toneOf(state), title }: BadgeProps): JSX.Element {
  return (
    <span class="badge" data-tone={tone} title={title}>
      <i aria-hidden="true" />
      {text ?? stateText(state)}
    </span>
  );
}
