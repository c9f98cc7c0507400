/** A page source without rows. */
import type { PageSource } from "../spi.ts";

export class NoRows implements PageSource {
  readonly finished = true;
  readonly completedBytes = 0;

  nextPage(): undefined {
    return undefined;
  }

  blocked(): undefined {
    return undefined;
  }

  close(): void {
    // It holds nothing.
  }
}
