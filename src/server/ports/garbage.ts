/**
 * Forces garbage collection. Unused WebAssembly memory returns to the operating system only when its object is collected, and an idle
 * process may not collect for hours, because it allocates nothing. Node exposes the collector behind a flag, which can be set at run time.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collector = (options: { readonly type: "major"; readonly execution: "async" }) => Promise<void>;

/** Collects the heap of the calling thread. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("typeof gc === 'function' ? gc : undefined") as Collector | undefined;
  return () => void collectTwice(collect);
}

/** Objects that the stack still references during the first collection are freed by the second. */
async function collectTwice(collect: Collector | undefined): Promise<void> {
  await collect?.({ type: "major", execution: "async" });
  await collect?.({ type: "major", execution: "async" });
}
