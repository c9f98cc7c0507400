/**
 * Functions that call lambdas, as generators: they yield the lambda calls that they need and get the results, or yield the steps since the
 * last time. They may be suspended at each of both, and are not run again.
 */
import type { HostCall, HostLambda, HostValue, LambdaImplementation } from "../../registry/definition.ts";
import { raising } from "../kept-results.ts";
import { bytesOfValue } from "../value-bytes.ts";

export interface Asked {
  readonly index: number;
  readonly args: readonly HostValue[];
}

/** `yield ask(value)` is the result of the lambda. */
export type AskLambda = (...args: readonly HostValue[]) => Asked;

export type LambdaSteps = Generator<number | Asked, HostValue, HostValue>;

/** A function has at least one lambda; others are there if its definition says so. */
type Asks = readonly [AskLambda, ...AskLambda[]];

export type InLambdaSteps = (args: readonly HostValue[], lambdas: Asks, call: HostCall) => LambdaSteps;

interface Frame {
  readonly steps: LambdaSteps;
  /** The call whose result the generator waits for. */
  asked: number | Asked;
  bytes: number;
}

/** Bytes of the record of a result, beyond the value. */
const recordBytes = 8;

/** The definition has `suspends`. */
export function lambdasInSteps(implementation: InLambdaSteps): LambdaImplementation {
  return (args, lambdas, call, surroundings) => {
    // The lambdas of each attempt have their own slots in memory, so that the generator only has their numbers.
    const asks = lambdas.map(
      (_lambda, index): AskLambda =>
        (...given) => ({ index, args: given }),
    ) as unknown as Asks;
    if (surroundings === undefined) {
      return finish(implementation(args, asks, call), lambdas);
    }
    const raised = lambdas.map((lambda) => raising(lambda, surroundings));
    return surroundings.work.call<Frame, HostValue>({
      begin: () => ({ steps: implementation(args, asks, call), asked: 0, bytes: 0 }),
      run: (frame, watch) => {
        for (;;) {
          watch.step();
          const { asked } = frame;
          let result: HostValue = null;
          if (typeof asked === "object") {
            result = (raised[asked.index] as HostLambda)(...asked.args);
            const bytes = recordBytes + bytesOfValue(result);
            watch.spend(bytes);
            watch.hold(bytes);
            frame.bytes += bytes;
          }
          const next = frame.steps.next(result);
          if (next.done === true) {
            return next.value;
          }
          frame.asked = next.value;
          if (typeof next.value === "number") {
            watch.work(next.value);
          }
        }
      },
      draws: surroundings.draws,
      bytesOfFrame: ({ bytes }) => bytes,
      bytesOf: bytesOfValue,
    });
  };
}

function finish(steps: LambdaSteps, lambdas: readonly HostLambda[]): HostValue {
  let result: HostValue = null;
  for (;;) {
    const next = steps.next(result);
    if (next.done === true) {
      return next.value;
    }
    const asked = next.value;
    result = typeof asked === "object" ? (lambdas[asked.index] as HostLambda)(...asked.args) : null;
  }
}

/** A function that calls its lambda once for each element. */
export interface LambdaLoop {
  readonly count: number;
  call(lambda: HostLambda, index: number): HostValue;
  /** Takes the result for an element. Returns whether the loop ends. */
  take(result: HostValue, index: number): boolean;
  result(): HostValue;
}

interface LoopFrame {
  readonly loop: LambdaLoop;
  next: number;
  bytes: number;
}

/** As lambdasInSteps, for the most frequent functions: it costs less for each element. */
export function lambdaLoop(begin: (args: readonly HostValue[]) => LambdaLoop): LambdaImplementation {
  return (args, [given], _call, surroundings) => {
    if (surroundings === undefined) {
      const loop = begin(args);
      for (let index = 0; index < loop.count; index++) {
        if (loop.take(loop.call(given as HostLambda, index), index)) {
          break;
        }
      }
      return loop.result();
    }
    const lambda = raising(given as HostLambda, surroundings);
    return surroundings.work.call<LoopFrame, HostValue>({
      begin: () => ({ loop: begin(args), next: 0, bytes: 0 }),
      run: (frame, watch) => {
        const { loop } = frame;
        while (frame.next < loop.count) {
          watch.step();
          const index = frame.next;
          const result = loop.call(lambda, index);
          const bytes = recordBytes + bytesOfValue(result);
          watch.spend(bytes);
          watch.hold(bytes);
          frame.bytes += bytes;
          frame.next = loop.take(result, index) ? loop.count : index + 1;
        }
        return loop.result();
      },
      draws: surroundings.draws,
      bytesOfFrame: ({ bytes }) => bytes,
      bytesOf: bytesOfValue,
    });
  };
}
