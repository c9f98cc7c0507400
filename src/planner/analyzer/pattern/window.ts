/**
 * Windows with a row pattern: analysis of their clauses, and the node that finds the match of each row.
 */
import type { WindowFrame as FrameSyntax, WindowPattern } from "../../../sql/ast/ast.ts";
import type { Variable } from "../../plan/typed-expression.ts";
import type { PlanIds } from "../../plan/ids.ts";
import type { Ordering, PlanNode, WindowFrame } from "../../plan/node.ts";
import type { PatternFrame } from "../../plan/pattern-nodes.ts";
import { BIGINT } from "../../../types/type.ts";
import type { Environment } from "../analysis.ts";
import { semanticError } from "../errors.ts";
import { offsetConstant } from "../window/window-frames.ts";
import type { AnalyzedFrame, WindowInput } from "../window/specification.ts";
import type { AnalyzedMeasure, AnalyzedWindowPattern } from "./context.ts";
import { holdsPattern, requireNoWindows } from "./labels.ts";
import { analyzePattern, planDefinitions, planMeasure } from "./recognition.ts";

/** `recognition` holds the pattern clauses after the frame, and the MEASURES before it. */
export function analyzeWindowPattern(frame: FrameSyntax, recognition: WindowPattern, env: Environment): AnalyzedWindowPattern {
  const { pattern } = recognition;
  if (pattern === undefined) {
    throw withoutPattern(frame, recognition);
  }
  if (recognition.definitions.length === 0) {
    throw semanticError("MISSING_VARIABLE_DEFINITIONS", frame, "Pattern recognition requires DEFINE clause");
  }
  if (frame.type !== "ROWS") {
    throw semanticError("INVALID_WINDOW_FRAME", frame, "Pattern recognition requires ROWS frame type");
  }
  if (frame.start.type !== "CURRENT ROW" || frame.end === undefined) {
    throw semanticError("INVALID_WINDOW_FRAME", frame, "Pattern recognition requires frame specified as BETWEEN CURRENT ROW AND ...");
  }
  requireNoWindows([...recognition.measures, ...recognition.definitions], "window specification");
  const analyzed = analyzePattern({ ...recognition, pattern }, env, true);
  const anchor = holdsPattern(pattern, ["PatternStart", "PatternEnd"]);
  if (anchor !== undefined) {
    throw semanticError("INVALID_ROW_PATTERN", anchor, "Anchor pattern syntax is not allowed in window");
  }
  return { ...analyzed, initial: recognition.searchMode?.mode !== "SEEK" };
}

function withoutPattern(frame: FrameSyntax, { measures, afterMatch, searchMode, subsets, definitions }: WindowPattern): Error {
  const clauses = [
    { at: measures.length > 0 ? frame : undefined, text: "Row pattern measures require" },
    { at: afterMatch, text: "AFTER MATCH SKIP clause requires" },
    { at: searchMode, text: `${searchMode?.mode} modifier requires` },
    { at: subsets[0], text: "Union variable definitions require" },
    { at: definitions[0], text: "Primary pattern variable definitions require" },
  ];
  const { at, text } = clauses.find((clause) => clause.at !== undefined) as (typeof clauses)[number];
  return semanticError("MISSING_ROW_PATTERN", at as NonNullable<typeof at>, `${text} PATTERN clause`);
}

export interface PlannedWindowPattern {
  readonly node: PlanNode;
  /** Frame of the window's functions: the rows of the match. */
  readonly frame?: WindowFrame;
}

export interface WindowPatternOptions {
  readonly ids: PlanIds;
  readonly source: PlanNode;
  readonly partitionBy: readonly Variable[];
  readonly orderBy: readonly Ordering[];
  readonly frame: AnalyzedFrame;
  readonly recognition: AnalyzedWindowPattern;
  /** Only measures that the query uses. */
  readonly measures: readonly { readonly measure: AnalyzedMeasure; readonly output: Variable }[];
  /** Whether window functions are computed over the rows of the match. */
  readonly hasFunctions: boolean;
}

/**
 * Works in two steps: the input columns are requested with `column` before the source that provides them exists. The returned function adds
 * the node to that source.
 */
export function prepareWindowPattern(
  { frame, ids, measures, recognition, hasFunctions }: Omit<WindowPatternOptions, "source" | "partitionBy" | "orderBy">,
  column: (input: WindowInput, hint: string) => Variable,
): (over: Pick<WindowPatternOptions, "source" | "partitionBy" | "orderBy">) => PlannedWindowPattern {
  const { end } = frame;
  const offset = end.offset === undefined ? undefined : (offsetConstant(end.offset.expression) ?? column(end.offset, "offset"));
  const bounds = hasFunctions ? { start: ids.variable("match_start", BIGINT), stop: ids.variable("match_stop", BIGINT) } : undefined;
  const patternFrame: PatternFrame = {
    end: end.type === "FOLLOWING" || end.type === "CURRENT_ROW" ? end.type : "UNBOUNDED_FOLLOWING",
    ...(offset !== undefined && { offset }),
    initial: recognition.initial,
    ...bounds,
  };
  const planned = {
    rows: "WINDOW" as const,
    frame: patternFrame,
    skip: recognition.skip,
    labels: recognition.labels,
    pattern: recognition.pattern,
    definitions: planDefinitions(recognition, column),
    measures: measures.map(({ measure, output }) => planMeasure(measure, output, column)),
  };
  return (over) => ({
    node: { kind: "PatternRecognition", id: ids.node(), ...over, ...planned },
    ...(bounds !== undefined && {
      frame: {
        type: "ROWS",
        start: { type: "FOLLOWING", offset: bounds.start },
        end: { type: "FOLLOWING", offset: bounds.stop },
      },
    }),
  });
}
