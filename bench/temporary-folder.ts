import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder, which is removed when the process exits, after Ctrl-C too. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
