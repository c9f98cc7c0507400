/** How far the optimizer's row counts were from the truth. Pure. */
import { shortCountText } from "../../components/format.ts";
import type { EstimateDocument } from "./documents.ts";

export type Accuracy = "good" | "fair" | "bad" | "unknown";

export interface EstimateCheck {
  readonly estimatedRows: number;
  /** Rows that came out; undefined while they still may become more, or if the node has no count of its own. */
  readonly rows: number | undefined;
  /** Larger over smaller, at least 1; undefined without `rows`. Empty counts are taken as one row. */
  readonly factor: number | undefined;
  readonly accuracy: Accuracy;
  /** `2.5× more than estimated` */
  readonly words: string;
}

const fairFactor = 2;
const badFactor = 10;

/** `isFinal`: the stage has ended, so the count is the truth. */
export function checkEstimate(
  estimate: EstimateDocument | undefined,
  rows: number | undefined,
  isFinal: boolean,
): EstimateCheck | undefined {
  const estimatedRows = estimate?.outputRowCount;
  if (estimatedRows === undefined || !Number.isFinite(estimatedRows) || estimatedRows < 0) {
    return undefined;
  }
  if (rows === undefined || !Number.isFinite(rows)) {
    return { estimatedRows, rows: undefined, factor: undefined, accuracy: "unknown", words: "not counted" };
  }
  const [truth, guess] = [Math.max(1, rows), Math.max(1, estimatedRows)];
  if (!isFinal && rows <= estimatedRows) {
    return { estimatedRows, rows: undefined, factor: undefined, accuracy: "unknown", words: "not yet known" };
  }
  const factor = Math.max(truth, guess) / Math.min(truth, guess);
  const accuracy = factor < fairFactor ? "good" : factor < badFactor ? "fair" : "bad";
  return { estimatedRows, rows, factor, accuracy, words: wordsOf(factor, truth > guess) };
}

function wordsOf(factor: number, isMore: boolean): string {
  if (factor < 1.05) {
    return "as estimated";
  }
  const times = factor < 10 ? factor.toFixed(1) : shortCountText(Math.round(factor));
  return `${times}× ${isMore ? "more" : "fewer"} than estimated`;
}
