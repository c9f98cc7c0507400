/**
 * SampleOperator: TABLESAMPLE. Whether a row (BERNOULLI) or a page (SYSTEM) is kept is a function of its position in the task and of the
 * task's place in the query. The same task therefore selects the same rows when it runs again.
 */
import { type InputLayout, openInput } from "../expressions/columns.ts";
import { buildKernel, i32, i64 } from "../../codegen/builder.ts";
import type { Expr, Kernel } from "../../codegen/ir.ts";
import type { Address } from "../../memory/memory.ts";
import { type Page, pageRowsMax } from "../../page/page.ts";
import { KernelByLayout, PageArguments } from "./kernel-cache.ts";
import { BaseOperator, type OperatorContext, seedOf } from "./operator.ts";
import { selectColumns } from "./pages.ts";

/** Number of hash bits that are compared. */
const ratioBits = 48n;

export interface SampleOptions {
  readonly context: OperatorContext;
  readonly method: "BERNOULLI" | "SYSTEM";
  /** From 0 to 1. */
  readonly ratio: number;
}

export class SampleOperator extends BaseOperator {
  readonly #method: SampleOptions["method"];
  readonly #threshold: bigint;
  readonly #seed: bigint;
  readonly #selection: Address;
  readonly #arguments: PageArguments;
  readonly #kernels: KernelByLayout;
  /** Number of rows or pages so far. */
  #position = 0n;
  #pending: Page | undefined;

  constructor({ context, method, ratio }: SampleOptions) {
    super(context);
    this.#method = method;
    this.#threshold = BigInt(Math.round(ratio * Number(1n << ratioBits)));
    this.#seed = seedOf(context);
    this.#selection = context.memory.allocate(4 * pageRowsMax);
    this.#arguments = new PageArguments(context.memory, 0);
    this.#kernels = new KernelByLayout(context.services.runtime, "sample", sampleKernel);
  }

  get needsInput(): boolean {
    return this.#pending === undefined && !this.finishing;
  }

  get isFinished(): boolean {
    return this.#pending === undefined && this.finishing;
  }

  addInput(page: Page): void {
    if (this.#method === "SYSTEM") {
      this.#pending = sampleHash(this.#seed + this.#position) < this.#threshold ? page : undefined;
      this.#position += 1n;
      return;
    }
    const rows = selectColumns(page, []);
    const kernel = this.#kernels.for(rows);
    const first = BigInt.asIntN(64, this.#seed + this.#position);
    const count = Number(kernel(this.#arguments.write(rows), first, this.#threshold, this.#selection));
    this.#position += BigInt(page.positionCount);
    this.#pending = count === 0 ? undefined : { positionCount: count, selection: this.#selection, columns: page.columns };
  }

  getOutput(): Page | undefined {
    const page = this.#pending;
    this.#pending = undefined;
    return page;
  }
}

// The finalizer of splitmix64.
const firstFactor = 0xbf58476d1ce4e5b9n;
const secondFactor = 0x94d049bb133111ebn;

/** 48 bits of a number's hash. */
function sampleHash(value: bigint): bigint {
  let mixed = BigInt.asUintN(64, value);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * firstFactor);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * secondFactor);
  return (mixed ^ (mixed >> 31n)) >> (64n - ratioBits);
}

/** Parameters: page arguments, number of the first position, threshold, selection. Returns the number of positions selected. */
function sampleKernel(name: string, layout: InputLayout): Kernel {
  return buildKernel(name, (kernel) => {
    kernel.entry({ params: ["i32", "i64", "i64", "i32"], result: "i32" }, (b, params) => {
      const [pageArguments, first, threshold, selection] = params;
      const input = openInput(b, pageArguments, layout);
      const count = b.local("i32", i32.const(0));
      const mix = (value: Expr, shift: bigint): Expr => i64.xor(value, i64.shrU(value, i64.const(shift)));
      b.forRange(i32.const(0), input.positionCount, (position) => {
        const row = input.row(position);
        const start = b.temp(i64.add(first, i64.extendI32U(position)));
        const once = b.temp(i64.mul(mix(start, 30n), i64.const(firstFactor)));
        const twice = b.temp(i64.mul(mix(once, 27n), i64.const(secondFactor)));
        const hash = i64.shrU(mix(twice, 31n), i64.const(64n - ratioBits));
        b.store("i32.store", i32.add(selection, i32.shl(count, i32.const(2))), row);
        b.set(count, i32.add(count, i64.ltU(hash, threshold)));
      });
      b.return_(count);
    });
  });
}
