/** The sums of a judged client. */
import type { Judgement } from "./judge.ts";

export interface Score {
  readonly passed: number;
  readonly failed: number;
  readonly cannot: number;
  /** Failed situations that a client must pass. */
  readonly failedMust: number;
  /** Passed situations, in percent of those that the client can do. */
  readonly percent: number;
}

export function scoreOf(judgements: readonly Judgement[]): Score {
  const count = (verdict: Judgement["verdict"]): number => judgements.filter((one) => one.verdict === verdict).length;
  const passed = count("pass");
  const failed = count("fail");
  return {
    passed,
    failed,
    cannot: count("cannot"),
    failedMust: judgements.filter(({ situation, verdict }) => verdict === "fail" && situation.must).length,
    percent: passed + failed === 0 ? 0 : Math.floor((passed * 100) / (passed + failed)),
  };
}

export function describeScore({ cannot, failed, failedMust, passed, percent }: Score): string {
  const missing = cannot === 0 ? "" : `, ${cannot} that the client cannot do`;
  return `${percent} %: ${passed} passed, ${failed} failed (${failedMust} of them must pass)${missing}`;
}
