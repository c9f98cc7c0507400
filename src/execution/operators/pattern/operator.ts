/** PatternRecognitionOperator: sorts its input by partition and order keys, and looks for matches of the row pattern in each partition. */
import { isDeterministic } from "../../../planner/plan/expression-tree.ts";
import { type PatternRecognitionNode, patternOutputs } from "../../../planner/plan/node.ts";
import { typesOf } from "../../task/columns.ts";
import { type EvaluatedRows, PartitionsOperator } from "../sort/partitions-operator.ts";
import { OutputPage } from "./measures.ts";
import { type PatternRecognitionOptions, PatternSearch } from "./search.ts";

export class PatternRecognitionOperator extends PartitionsOperator {
  readonly #options: PatternRecognitionOptions;
  readonly #outputPage: OutputPage;

  constructor(options: PatternRecognitionOptions) {
    const { context, layout, node } = options;
    const kept = node.rows === "ONE" ? node.partitionBy : layout;
    super({
      context,
      layout,
      partitionBy: node.partitionBy,
      orderBy: node.orderBy,
      outputTypes: typesOf([...kept, ...patternOutputs(node)]),
      evaluationRowBytes: evaluationRowBytes(node),
    });
    this.#options = options;
    this.#outputPage = new OutputPage();
    if (canSpillPattern(node)) {
      this.enableSpill();
    }
  }

  protected evaluate(rows: EvaluatedRows): PatternSearch {
    return new PatternSearch({ ...this.#options, ...rows, outputPage: this.#outputPage });
  }
}

/** Random numbers are drawn by the number of rows that an expression has seen, in all partitions. */
export function canSpillPattern({ definitions, measures }: PatternRecognitionNode): boolean {
  const expressions = [...definitions, ...measures].flatMap(({ aggregates, expression }) => [
    expression,
    ...aggregates.flatMap(({ args, mask }) => (mask === undefined ? args : [...args, mask])),
  ]);
  return expressions.every(isDeterministic);
}

/** Bytes that the search needs for each row: of the path with its labels, results of conditions, lists of aggregates, and failed steps. */
function evaluationRowBytes({ definitions, labels, measures }: PatternRecognitionNode): number {
  const aggregates = [...definitions, ...measures].flatMap((one) => one.aggregates).length;
  return 8 + definitions.length + aggregates * 4 * (1 + labels.length) + labels.length;
}
