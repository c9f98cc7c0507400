/**
 * The pages of one output buffer that a former run of the task has given to the buffer's reader. The task makes them again; they are
 * compared by their digest, and dropped. A mixture of two results is never given out.
 */
import type { Frame } from "../../page/frame.ts";
import { PagesDigest } from "../../page/pages-digest.ts";

export class FormerPages {
  readonly #digest = new PagesDigest();
  /** Of the first page, the first two pages, and so on; until a reader has said how many it has. */
  readonly #digests: (string | undefined)[] = [];
  #wanted: { readonly count: number; readonly digest: string | undefined } | undefined;
  #isSettled = false;

  /** The number of pages that the reader has, while it is not known whether they are the same. */
  get owed(): number {
    return this.#isSettled ? 0 : (this.#wanted?.count ?? 0);
  }

  /** The next page of the buffer, with its checksum. */
  add(frame: Frame): void {
    if (!this.#isSettled) {
      this.#digest.add(frame);
      this.#digests.push(this.#digest.text);
    }
  }

  /** The first request of the reader says which pages it has; repetitions of it say the same. */
  ask(count: number, digest: string | undefined): void {
    if (!this.#isSettled) {
      this.#wanted ??= { count, digest };
    }
  }

  /** No page was given out before, or the reader has left. */
  settle(): void {
    this.#isSettled = true;
    this.#digests.length = 0;
  }

  /** Whether the pages are those of the reader, once all of them are made; true from then on. `isLast`: there will be no more. */
  isSame(isLast: boolean): boolean | undefined {
    if (this.#isSettled || this.#wanted === undefined) {
      return true;
    }
    const { count, digest } = this.#wanted;
    if (this.#digests.length < count) {
      return isLast ? false : undefined;
    }
    const isSame = count === 0 || (digest !== undefined && this.#digests[count - 1] === digest);
    if (isSame) {
      this.settle();
    }
    return isSame;
  }
}
