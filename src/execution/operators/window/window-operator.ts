/** WindowOperator: outputs its input, sorted by partition and order keys, a page at a time with the functions' columns after its own. */
import { typesOf } from "../../task/columns.ts";
import { type EvaluatedRows, PartitionsOperator } from "../sort/partitions-operator.ts";
import { evaluationRowBytes, partitionCuts, WindowEvaluation, type WindowOptions } from "./window-evaluation.ts";

export class WindowOperator extends PartitionsOperator {
  readonly #options: WindowOptions;

  constructor(options: WindowOptions) {
    const { context, layout, node } = options;
    super({
      context,
      layout,
      partitionBy: node.partitionBy,
      orderBy: node.orderBy,
      outputTypes: typesOf([...layout, ...node.functions.map(({ output }) => output)]),
      evaluationRowBytes: evaluationRowBytes(node),
      cuts: partitionCuts(node),
    });
    this.#options = options;
    this.enableSpill();
  }

  protected evaluate(rows: EvaluatedRows): WindowEvaluation {
    return new WindowEvaluation({ ...this.#options, ...rows });
  }
}
