/** Sources whose requests to an object store end with them. */
import type { Page } from "../../../page/page.ts";
import { OpenLifetime } from "../../../ports/lifetime.ts";
import type { Storage } from "../../../ports/storage.ts";
import type { PageSource } from "../../spi.ts";
import { ObjectStorage } from "./object-storage.ts";

/** `open` reads by its storage alone. A disk answers by itself. */
export function endingSource(storage: Storage, open: (storage: Storage) => PageSource): PageSource {
  if (!(storage instanceof ObjectStorage)) {
    return open(storage);
  }
  const life = new OpenLifetime();
  return new EndingSource(open(storage.until(life)), life);
}

class EndingSource implements PageSource {
  readonly #source: PageSource;
  readonly #life: OpenLifetime;

  constructor(source: PageSource, life: OpenLifetime) {
    this.#source = source;
    this.#life = life;
  }

  nextPage(): Page | undefined {
    return this.#source.nextPage();
  }

  get finished(): boolean {
    return this.#source.finished;
  }

  blocked(): Promise<void> | undefined {
    return this.#source.blocked();
  }

  get completedBytes(): number {
    return this.#source.completedBytes;
  }

  close(): void {
    this.#source.close();
    this.#life.end();
  }
}
