import type { MemoryContext } from "../../memory/memory.ts";
import type { Page } from "../../page/page.ts";
import type { PageSource } from "../spi.ts";

/** The pages of another source, changed one by one. Closing it closes the other and its own memory. */
export abstract class ChangedPages implements PageSource {
  readonly #source: PageSource;
  protected readonly memory: MemoryContext;
  #closed = false;

  constructor({ source, memory }: { readonly source: PageSource; readonly memory: MemoryContext }) {
    this.#source = source;
    this.memory = memory;
  }

  get finished(): boolean {
    return this.#source.finished;
  }

  get completedBytes(): number {
    return this.#source.completedBytes;
  }

  blocked(): Promise<void> | undefined {
    return this.#source.blocked();
  }

  nextPage(): Page | undefined {
    const page = this.#source.nextPage();
    return page === undefined ? undefined : this.changed(page);
  }

  close(): void {
    if (!this.#closed) {
      this.#closed = true;
      this.#source.close();
      this.memory.close();
    }
  }

  protected abstract changed(page: Page): Page;
}
