/** The page that a source builds of rows that come in batches: one that is not full waits for the next batch. */
import type { MemoryContext } from "../../memory/memory.ts";
import { PageBuilder } from "../../page/builder.ts";
import type { Page } from "../../page/page.ts";
import type { Type } from "../../types/type.ts";

/** Bytes of values after which a page ends. */
const pageBytes = 4_194_304;

export class OpenPage {
  readonly #types: readonly Type[];
  readonly #memory: MemoryContext;
  readonly #rowsMax: number;
  #builder: PageBuilder | undefined;
  /** True while the builder has the rows of the page that was given out last. */
  #isBuilt = false;
  /** Bytes of the values in the page that is being built. */
  bytes = 0;

  constructor(types: readonly Type[], memory: MemoryContext, rowsMax: number) {
    this.#types = types;
    this.#memory = memory;
    this.#rowsMax = rowsMax;
  }

  /** The builder for the next rows, after those that wait in it. The page that was given out last is not valid any more. */
  start(): PageBuilder {
    this.#builder ??= new PageBuilder(this.#types, this.#memory, this.#rowsMax);
    if (this.#isBuilt) {
      this.#builder.reset();
      this.bytes = 0;
      this.#isBuilt = false;
    }
    return this.#builder;
  }

  get isFull(): boolean {
    return this.#builder?.isFull === true || this.bytes >= pageBytes;
  }

  /** Some rows are in a page that waits for more. */
  get hasRows(): boolean {
    return !this.#isBuilt && (this.#builder?.rowCount ?? 0) > 0;
  }

  build(): Page {
    this.#isBuilt = true;
    return (this.#builder as PageBuilder).build();
  }

  close(): void {
    this.#builder?.close();
  }
}
