/** The exit code of a process that a SIGPIPE ends. */
const closedPipe = 141;

/** A reader of standard output that has seen enough (`| head`) ends the program quietly. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") {
      throw error;
    }
    process.exit(closedPipe);
  });
}
