/**
 * Collects garbage at once. A memory that is no longer used goes back to the system when its object is collected, and an idle process may not collect for hours: it makes no
 * objects. Node offers the collector under a flag only, which may be set while it runs.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collector = (options: { readonly type: "major"; readonly execution: "async" }) => Promise<void>;

/** Of the thread that asks for it. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("typeof gc === 'function' ? gc : undefined") as Collector | undefined;
  return () => void collectTwice(collect);
}

/** What the stack still refers to during the first is found by the second. */
async function collectTwice(collect: Collector | undefined): Promise<void> {
  await collect?.({ type: "major", execution: "async" });
  await collect?.({ type: "major", execution: "async" });
}
