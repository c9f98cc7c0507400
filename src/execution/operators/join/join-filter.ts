/**
 * The filter of a join as code inside the probe kernel. Its variables are columns of either side at the candidate pair.
 */
import { isTrue } from "../../expressions/expression-compiler.ts";
import { candidatesOf } from "../../expressions/pace.ts";
import type { RowExpression, Variable } from "../../../planner/plan/typed-expression.ts";
import { assert } from "../../../protocol/errors.ts";
import type { JoinFilter } from "./join-options.ts";
import { KernelExpressions } from "../kernel-expressions.ts";
import { type OperatorContext, seedOf } from "../operator.ts";

export function compileJoinFilter(
  context: OperatorContext,
  filter: RowExpression,
  probe: readonly Variable[],
  build: readonly Variable[],
): JoinFilter {
  const expressions = new KernelExpressions(context.services.runtime, context.memory, [filter], [...probe, ...build], () =>
    seedOf(context),
  );
  const { prepared } = expressions;
  return {
    key: `where ${probe.length} ${prepared.key}`,
    args: expressions.args,
    ensureHosts: () => expressions.ensureHosts(),
    open: (b, params) => {
      const code = expressions.open(b, params as never);
      return {
        guarded: (body) => code.guarded(body),
        emit: (pair) => {
          code.newRow();
          const value = code.emit(prepared.expressions[0] as RowExpression, (variable) => {
            const probeChannel = probe.findIndex(({ name }) => name === variable.name);
            if (probeChannel >= 0) {
              return pair.probe.column(probeChannel, pair.probeRow);
            }
            const buildChannel = build.findIndex(({ name }) => name === variable.name);
            assert(buildChannel >= 0, `join filter reads ${variable.name}, which neither side has`);
            return pair.build.column(buildChannel, pair.buildRow);
          });
          return isTrue(value);
        },
      };
    },
    candidates: (most) => candidatesOf(filter, most),
    begin: () => expressions.begin(),
    check: () => expressions.check(),
    inSlices: (attempt) => expressions.inSlices(attempt),
    takeWorkSteps: () => expressions.takeWorkSteps(),
    close: () => expressions.close(),
  };
}
