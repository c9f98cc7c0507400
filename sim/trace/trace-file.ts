/** Traces in files. */
import { readFileSync } from "node:fs";
import { parseWholeTrace, type Trace } from "./trace.ts";

/** Throws with the file's name and the invalid line. */
export function readTrace(file: string): Trace {
  try {
    return parseWholeTrace(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`cannot read the trace ${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
