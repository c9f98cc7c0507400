/** The command `operators` of `npm run fuzz`. */
import { StatusLine } from "../../sim/status-line.ts";
import { Random } from "../oracle/fuzz/random.ts";
import { planKinds } from "./draw.ts";
import { checkExchange, exchangeKinds } from "./exchanges.ts";
import { checkLogicalPlan } from "./logical.ts";
import { checkMemory, memoryKinds } from "./memory.ts";
import { checkOperator } from "./run.ts";

export interface OperatorsProgramOptions {
  readonly seed: number;
  /** Cases of each kind. */
  readonly cases: number;
  readonly from: number;
  /** Only this kind. */
  readonly kind?: string;
}

const logicalKind = "logical plan";

export const allKinds: readonly string[] = [...planKinds, ...Object.keys(exchangeKinds), logicalKind, ...memoryKinds.keys()];

/** Returns the difference, or undefined. A seed and a number determine the case. */
export async function checkKind(kind: string, seed: number, number: number): Promise<string | undefined> {
  const random = new Random(seed, allKinds.indexOf(kind) * 1_000_000 + number);
  try {
    if (kind === logicalKind) {
      return await checkLogicalPlan(random);
    }
    const held = memoryKinds.get(kind);
    if (held !== undefined) {
      return await checkMemory(held, random);
    }
    return planKinds.includes(kind) ? await checkOperator(kind, random) : await checkExchange(kind, random);
  } catch (error) {
    return `${kind}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

export async function runOperators({ seed, cases, from, kind }: OperatorsProgramOptions): Promise<"clean" | "wrong" | "interrupted"> {
  const status = new StatusLine();
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.on("SIGINT", interrupt);
  let [run, failures] = [0, 0];
  try {
    const kinds = kind === undefined ? allKinds : [kind];
    for (let number = from; number < from + cases; number++) {
      for (const one of kinds) {
        if (interruption.signal.aborted) {
          return "interrupted";
        }
        const wrong = await checkKind(one, seed, number);
        run++;
        if (wrong !== undefined) {
          failures++;
          status.clear();
          process.stdout.write(
            `${wrong}\n  again: npm run fuzz -- operators --seed ${seed} --from ${number} --cases 1 --kind '${one}'\n\n`,
          );
        }
        status.show(() => `${run} cases, ${failures} failures, ${(run / status.seconds).toFixed(1)} a second`);
      }
    }
    status.clear();
    process.stdout.write(`seed ${seed}: ${run} cases of ${kinds.length} kinds of operators, ${failures} failures\n`);
    return failures === 0 ? "clean" : "wrong";
  } finally {
    process.off("SIGINT", interrupt);
  }
}
