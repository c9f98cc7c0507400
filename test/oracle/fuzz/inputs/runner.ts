/**
 * Draws inputs from a seed, gives them to a target, makes failing ones small, and measures the CPU time between turns of the event loop.
 */
import { Random } from "../random.ts";
import type { Fault, FuzzTarget, Verdict } from "./target.ts";

const checkedEvery = 100;
const smallerMax = 400;
const tickMs = 5;
/** The peak of the process may grow by this much for one input. */
const growthBytesMax = 768 * 1024 * 1024;

export interface InputFailure {
  readonly number: number;
  readonly fault: Fault;
  /** As small as it was found. */
  readonly input: string;
}

export interface InputsOptions {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  readonly shrink?: boolean;
  readonly failuresMax?: number;
  /** CPU time without a turn from which an input has failed. Absent: time is not judged. */
  readonly sliceMsMax?: number;
  readonly isOver?: () => boolean;
}

export interface InputsResult {
  readonly inputs: number;
  readonly failures: readonly InputFailure[];
  /** Failures like the first one of their kind, which alone is reported. */
  readonly repeated: number;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Milliseconds of CPU time. */
  readonly longestSliceMs: number;
  readonly longestSliceOf: number;
}

function cpuMs(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1000;
}

/** CPU time of the process between turns, as timers see them: at most some milliseconds more than the longest slice. */
class Slices {
  #last = 0;
  #longest = 0;
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  begin(): void {
    this.#longest = 0;
    this.#last = cpuMs();
  }

  end(): number {
    this.#tick();
    return this.#longest;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = cpuMs();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

class Runner<Input> {
  readonly #target: FuzzTarget<Input>;
  readonly #sliceMsMax: number;
  readonly #slices = new Slices();

  constructor(target: FuzzTarget<Input>, sliceMsMax: number) {
    this.#target = target;
    this.#sliceMsMax = sliceMsMax;
  }

  async run(input: Input): Promise<Verdict & { readonly sliceMs: number }> {
    const before = process.resourceUsage().maxRSS;
    this.#slices.begin();
    const verdict = await this.#target.run(input);
    const sliceMs = this.#slices.end();
    const grown = (process.resourceUsage().maxRSS - before) * 1024;
    return { ...verdict, sliceMs, ...this.#excess(sliceMs, grown, verdict) };
  }

  #excess(sliceMs: number, grownBytes: number, { fault }: Verdict): Pick<Verdict, "fault"> {
    if (fault !== undefined) {
      return {};
    }
    if (grownBytes > growthBytesMax) {
      return { fault: { kind: "memory", detail: `the process grew by ${Math.round(grownBytes / 1024 / 1024)} MB` } };
    }
    return sliceMs > this.#sliceMsMax ? { fault: { kind: "slow", detail: `${Math.round(sliceMs)} ms of CPU time without a turn` } } : {};
  }

  /** Time depends on the machine: a slow input counts if it is slow again. */
  async judged(input: Input): Promise<Verdict & { readonly sliceMs: number }> {
    const first = await this.run(input);
    return first.fault?.kind === "slow" ? this.run(input) : first;
  }

  /** The smallest input found that fails as the given one. */
  async shrink(input: Input, fault: Fault): Promise<{ readonly input: Input; readonly fault: Fault }> {
    let smallest = { input, fault };
    for (let tried = 0, found = true; found && tried < smallerMax; ) {
      found = false;
      for (const smaller of this.#target.smaller(smallest.input)) {
        tried++;
        const verdict = await this.run(smaller);
        if (verdict.fault?.kind === fault.kind) {
          smallest = { input: smaller, fault: verdict.fault };
          found = true;
          break;
        }
        if (tried >= smallerMax) {
          break;
        }
      }
    }
    return smallest;
  }

  close(): void {
    this.#slices.close();
  }
}

/** Failures with the same key are shown once. */
function keyOf({ kind, detail }: Fault): string {
  return `${kind} ${detail.replaceAll(/\d+|'[^']*'|"[^"]*"/g, "?").slice(0, 120)}`;
}

export async function fuzzInputs<Input>(target: FuzzTarget<Input>, options: InputsOptions): Promise<InputsResult> {
  const { seed, from, count, failuresMax = 20, sliceMsMax = Number.POSITIVE_INFINITY, shrink = true, isOver } = options;
  const runner = new Runner(target, sliceMsMax);
  const failures = new Map<string, InputFailure>();
  const outcomes = new Map<string, number>();
  const result = { inputs: 0, repeated: 0, longestSliceMs: 0, longestSliceOf: from };
  try {
    for (let number = from; number < from + count && failures.size < failuresMax && isOver?.() !== true; number++) {
      const input = target.draw(new Random(seed, number));
      const { outcome, fault, sliceMs } = await runner.judged(input);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (sliceMs > result.longestSliceMs) {
        Object.assign(result, { longestSliceMs: sliceMs, longestSliceOf: number });
      }
      if (fault !== undefined && failures.has(keyOf(fault))) {
        result.repeated++;
      } else if (fault !== undefined) {
        const smallest = shrink ? await runner.shrink(input, fault) : { input, fault };
        failures.set(keyOf(fault), { number, fault: smallest.fault, input: target.show(smallest.input) });
      }
      result.inputs++;
      if (result.inputs % checkedEvery === 0) {
        await target.check?.();
        // A target that never waits lets timers run here.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await target.check?.();
  } finally {
    runner.close();
  }
  return { ...result, failures: [...failures.values()], outcomes };
}
