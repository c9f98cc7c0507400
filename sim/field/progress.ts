/** A line of progress on a terminal's standard error; nothing elsewhere. */

export function showProgress(what: string): (done: number, total: number) => void {
  return (done, total) => {
    if (process.stderr.isTTY) {
      process.stderr.write(`\r${done.toLocaleString("en-US")}/${total.toLocaleString("en-US")} ${what} \u001b[K`);
    }
  };
}

export function clearProgress(): void {
  if (process.stderr.isTTY) {
    process.stderr.write("\r\u001b[K");
  }
}
