/**
 * The kernels of one operator, by the layout of the pages they read. The runtime caches kernels for the whole node; this cache avoids
 * building the long key for every page. Also the argument block that passes a page's addresses to a kernel.
 */
import { hasLayout, type InputLayout, layoutKey, layoutOf, pageArgumentsBytes, writePageArguments } from "../expressions/columns.ts";
import type { CompiledKernel, Kernel } from "../../codegen/ir.ts";
import type { KernelRuntime } from "../../codegen/runtime.ts";
import type { MemoryContext, Address } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";

/** Kernels for the pages of one operator. Consecutive pages mostly have the same layout and variant. */
export class KernelByLayout {
  readonly #runtime: KernelRuntime;
  readonly #name: string;
  readonly #build: (name: string, layout: InputLayout, variant: string) => Kernel;
  readonly #ensureHosts: (() => void) | undefined;
  #lastLayout: InputLayout | undefined;
  #lastVariant = "";
  #lastKernel: CompiledKernel | undefined;

  /**
   * `name` identifies everything that `build` depends on besides layout and variant. `ensureHosts` has the contract of KernelRuntime.load.
   */
  constructor(
    runtime: KernelRuntime,
    name: string,
    build: (name: string, layout: InputLayout, variant: string) => Kernel,
    ensureHosts?: () => void,
  ) {
    this.#runtime = runtime;
    this.#name = name;
    this.#build = build;
    this.#ensureHosts = ensureHosts;
  }

  for(page: Page, variant = ""): CompiledKernel {
    if (
      this.#lastKernel !== undefined &&
      variant === this.#lastVariant &&
      this.#lastLayout !== undefined &&
      hasLayout(page, this.#lastLayout)
    ) {
      return this.#lastKernel;
    }
    const layout = layoutOf(page);
    const key = `${this.#name}|${variant}|${layoutKey(layout)}`;
    const kernel = this.#runtime.load(key, () => this.#build(this.#name, layout, variant), this.#ensureHosts);
    this.#lastLayout = layout;
    this.#lastVariant = variant;
    this.#lastKernel = kernel;
    return kernel;
  }
}

/** A block for the addresses of pages with a fixed number of columns. */
export class PageArguments {
  readonly address: Address;
  readonly #memory: MemoryContext;

  constructor(memory: MemoryContext, columnCount: number) {
    this.#memory = memory;
    this.address = memory.allocate(
      pageArgumentsBytes({ columns: Array.from({ length: columnCount }), selected: false } as unknown as InputLayout),
    );
  }

  write(page: Page): Address {
    writePageArguments(this.#memory.linear, this.address, page);
    return this.address;
  }
}
