/**
 * A call of a function in TypeScript that may be left while its arguments are read, while it runs, if it runs in steps or calls lambdas,
 * and while its result is encoded (codegen/host-work.ts). Arguments and partly made results are kept until the call goes on.
 */
import type { Draws, HostWork, WorkWatch } from "../../../codegen/host-work.ts";
import type { Address, LinearMemory } from "../../../memory/memory.ts";
import { QueryError } from "../../../protocol/errors.ts";
import { isTooLarge, requireValueBytes, valueTooLargeMessage } from "../../../types/value-size.ts";
import { isNested, physicalType, type Type } from "../../../types/type.ts";
import type { HostValue } from "../../registry/definition.ts";
import { type InSteps, runSteps } from "../steps.ts";
import { bytesOfValue } from "../value-bytes.ts";
import { encodeInSteps, type MovingValue, readInSteps } from "./large-values.ts";

interface BytesArgument {
  readonly type: Type;
  readonly address: Address;
  readonly length: number;
}

export interface LargeCall {
  readonly work: HostWork;
  readonly linear: LinearMemory;
  readonly draws: Draws;
  readonly returnType: Type;
  readonly argumentCount: number;
  /** Reads an argument of fixed width or NULL; otherwise tells its type, and where its bytes are now. */
  readonly argument: (index: number) => { readonly value: HostValue } | BytesArgument;
  readonly run: (args: readonly HostValue[]) => HostValue;
  /** Alternative to `run`. */
  readonly steps: ((args: readonly HostValue[]) => InSteps<HostValue>) | undefined;
}

/** What is done of a call. */
interface Frame {
  readonly args: HostValue[];
  reading: { readonly from: MovingValue; readonly steps: InSteps<HostValue> } | undefined;
  working: InSteps<HostValue> | undefined;
  made: { readonly result: HostValue } | undefined;
  writing: InSteps<HostValue> | undefined;
  bytes: number;
}

export type Begun = Partial<Pick<Frame, "args" | "made" | "working">>;

/**
 * `begun`: what is done already. Within slices, returns the encoded bytes of a value of variable width. Throws QueryError, and no other row
 * errors.
 */
export function callInSteps(call: LargeCall, begun: Begun): HostValue {
  return call.work.call<Frame, HostValue>({
    begin: () => ({
      args: [],
      reading: undefined,
      working: undefined,
      made: undefined,
      writing: undefined,
      bytes: (begun.args ?? []).reduce((sum: number, arg) => sum + bytesOfValue(arg), 0),
      ...begun,
    }),
    run: (frame, watch) => {
      try {
        return advance(frame, call, watch);
      } catch (error) {
        throw isTooLarge(error) ? new QueryError("EXCEEDED_FUNCTION_MEMORY_LIMIT", valueTooLargeMessage) : error;
      }
    },
    draws: call.draws,
    bytesOfFrame: ({ bytes }) => bytes,
    bytesOf: bytesOfValue,
  });
}

function advance(frame: Frame, call: LargeCall, watch: WorkWatch): HostValue {
  const hold = (bytes: number): void => {
    frame.bytes += bytes;
    watch.hold(bytes);
  };
  if (frame.made === undefined) {
    if (frame.working === undefined) {
      readArguments(frame, call, { watch, hold });
    }
    frame.made = { result: makeResult(frame, call, watch) };
  }
  const { result } = frame.made;
  if (result === null || physicalType(call.returnType) !== "bytes" || !call.work.isSliced) {
    return result;
  }
  frame.writing ??= encodeInSteps(call.returnType, result, hold);
  return runSteps(frame.writing, watch);
}

interface Reports {
  readonly watch: WorkWatch;
  readonly hold: (bytes: number) => void;
}

function readArguments(frame: Frame, call: LargeCall, { watch, hold }: Reports): void {
  while (frame.args.length < call.argumentCount) {
    const index = frame.args.length;
    const given = call.argument(index);
    if ("value" in given) {
      frame.args.push(given.value);
      continue;
    }
    const { address, length, type } = given;
    if (frame.reading === undefined) {
      if (isNested(type)) {
        requireValueBytes(length);
      }
      const from = { source: call.linear, address };
      frame.reading = { from, steps: readInSteps(type, from, { offset: 0, length }, hold) };
    }
    frame.reading.from.address = address;
    frame.args.push(runSteps(frame.reading.steps, watch));
    frame.reading = undefined;
  }
}

function makeResult(frame: Frame, { run, steps }: LargeCall, watch: WorkWatch): HostValue {
  if (steps === undefined) {
    watch.step();
    return run(frame.args);
  }
  frame.working ??= steps(frame.args);
  return runSteps(frame.working, watch);
}
