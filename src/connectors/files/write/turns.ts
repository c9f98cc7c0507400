/** Changes of one folder by this process, one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work after all that came before it, whether or not that has failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
