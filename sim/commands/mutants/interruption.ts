/**
 * Ctrl-C ends a measurement after the seeds in progress; a second one ends the program at once.
 */
export interface Interruption {
  readonly isStopped: () => boolean;
  close(): void;
}

export function listenForInterruption(): Interruption {
  let stopped = false;
  const stop = (): void => {
    if (stopped) {
      process.exit(130);
    }
    stopped = true;
    process.stderr.write("\nstopping after the seeds in progress; press Ctrl-C again to stop at once\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    isStopped: () => stopped,
    close: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
