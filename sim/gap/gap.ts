/**
 * Runs every situation over both transports and reports the differences.
 */
import { type Situation, situations } from "./situations.ts";

export interface Comparison {
  readonly situation: Situation;
  /** Observation over real sockets. */
  readonly real: string;
  /** Observation in the simulated world, if it can bring the situation about; undefined if it has no equivalent. */
  readonly simulated: string | undefined;
}

export function isAlike({ real, simulated }: Comparison): boolean {
  return real === simulated;
}

export async function compare(onProgress: (done: number, of: number) => void = () => undefined): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const situation of situations) {
    comparisons.push({ situation, real: await situation.real(), simulated: await situation.simulated?.() });
    onProgress(comparisons.length, situations.length);
  }
  return comparisons;
}

export function describeComparisons(comparisons: readonly Comparison[]): string {
  const alike = comparisons.filter(isAlike);
  const different = comparisons.filter((one) => !isAlike(one) && one.simulated !== undefined);
  const missing = comparisons.filter((one) => one.simulated === undefined);
  return [
    "Equal over real sockets and in the simulated world:",
    ...alike.map(({ situation, real }) => `  ${situation.name}: ${real}`),
    "",
    "Different:",
    ...none(
      different.map(
        ({ situation, real, simulated }) => `  ${situation.name}\n    real:      ${real}\n    simulated: ${simulated}${why(situation)}`,
      ),
    ),
    "",
    "Observed over real sockets only; the simulated world cannot produce it:",
    ...none(missing.map(({ situation, real }) => `  ${situation.name}: ${real}${why(situation)}`)),
    "",
    `${comparisons.length} situations: ${alike.length} equal, ${different.length} different, ${missing.length} that the simulated world cannot produce`,
  ].join("\n");
}

function none(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ["  nothing"] : lines;
}

function why({ remark }: Situation): string {
  return remark === undefined ? "" : `\n    ${remark}`;
}
