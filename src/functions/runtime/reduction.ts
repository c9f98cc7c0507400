/**
 * Reduces elements to one value by a lambda, as a long call: only the last state is kept between slices.
 */
import type { HostLambda, HostSurroundings, HostValue } from "../registry/definition.ts";
import { raising } from "./kept-results.ts";
import { bytesOfValue } from "./value-bytes.ts";

interface Reduction {
  state: HostValue;
  bytes: number;
  next: number;
}

export interface ReductionLambdas {
  readonly step: HostLambda;
  /** Applied to the last state. */
  readonly finish?: HostLambda | undefined;
}

export function reduceValues(
  values: readonly HostValue[],
  initial: HostValue,
  lambdas: ReductionLambdas,
  surroundings: HostSurroundings | undefined,
): HostValue {
  if (surroundings === undefined) {
    const state = values.reduce<HostValue>((before, value) => lambdas.step(before, value), initial);
    return lambdas.finish === undefined ? state : lambdas.finish(state);
  }
  const step = raising(lambdas.step, surroundings);
  const finish = lambdas.finish === undefined ? undefined : raising(lambdas.finish, surroundings);
  return surroundings.work.call<Reduction, HostValue>({
    begin: () => ({ state: initial, bytes: bytesOfValue(initial), next: 0 }),
    run: (frame, watch) => {
      while (frame.next < values.length) {
        watch.step();
        const state = step(frame.state, values[frame.next] as HostValue);
        const bytes = bytesOfValue(state);
        watch.spend(bytes);
        watch.hold(bytes - frame.bytes);
        frame.state = state;
        frame.bytes = bytes;
        frame.next++;
      }
      watch.step();
      return finish === undefined ? frame.state : finish(frame.state);
    },
    draws: surroundings.draws,
    bytesOfFrame: ({ bytes }) => bytes,
    bytesOf: bytesOfValue,
  });
}
