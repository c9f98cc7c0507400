/**
 * Runs an implementation that calls lambdas as a long call: it may be left at each call of a lambda. It then runs again from its beginning,
 * and gets the results that the lambdas have had.
 */
import type { HostLambda, HostSurroundings, HostValue, LambdaImplementation } from "../registry/definition.ts";
import { WrittenError } from "./host.ts";
import { bytesOfValue } from "./value-bytes.ts";

interface KeptResults {
  readonly results: HostValue[];
  bytes: number;
}

/** Bytes of the record of a result, beyond the value. */
const recordBytes = 8;

/** A lambda whose error is a QueryError: the error in the error block does not outlive the call. */
export function raising(lambda: HostLambda, { writtenError }: HostSurroundings): HostLambda {
  return (...args) => {
    try {
      return lambda(...args);
    } catch (error) {
      throw error instanceof WrittenError ? writtenError() : error;
    }
  };
}

export function withKeptResults(implementation: LambdaImplementation): LambdaImplementation {
  return (args, lambdas, call, surroundings) => {
    if (surroundings === undefined) {
      return implementation(args, lambdas, call);
    }
    const raised = lambdas.map((lambda) => raising(lambda, surroundings));
    return surroundings.work.call<KeptResults, HostValue>({
      begin: () => ({ results: [], bytes: 0 }),
      run: (kept, watch) => {
        let next = 0;
        const keeping = (lambda: HostLambda): HostLambda => {
          return (...given) => {
            if (next < kept.results.length) {
              return kept.results[next++] as HostValue;
            }
            watch.step();
            const result = lambda(...given);
            const bytes = recordBytes + bytesOfValue(result);
            watch.spend(bytes);
            watch.hold(bytes);
            kept.bytes += bytes;
            kept.results.push(result);
            next++;
            return result;
          };
        };
        return implementation(args, raised.map(keeping), call, surroundings);
      },
      draws: surroundings.draws,
      bytesOfFrame: ({ bytes }) => bytes,
      bytesOf: bytesOfValue,
    });
  };
}
