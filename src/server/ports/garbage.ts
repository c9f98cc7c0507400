/**
 * Forces garbage collection. Unused WebAssembly memory returns to the operating system only when its object is collected, and an idle
 * process may not collect for hours, because it allocates nothing. Node exposes the collector behind a flag, which can be set at run time.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collector = (options: { readonly type: "major"; readonly execution: "async" }) => Promise<void>;

export interface Garbage {
  /** Collects the heap of the calling thread. */
  readonly collect: () => void;
  /** Bytes of the thread's heap, and outside of it, beyond those that were left by the last collection, or were there at first. */
  readonly bytes: () => number;
}

export function garbageOfThread(): Garbage {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("typeof gc === 'function' ? gc : undefined") as Collector | undefined;
  let leftBytes = usedBytes();
  return {
    collect: () => {
      void collectTwice(collect).then(() => {
        leftBytes = usedBytes();
      });
    },
    bytes: () => usedBytes() - leftBytes,
  };
}

function usedBytes(): number {
  const { external_memory: external, used_heap_size: heap } = getHeapStatistics();
  return heap + external;
}

/** Objects that the stack still references during the first collection are freed by the second. */
async function collectTwice(collect: Collector | undefined): Promise<void> {
  await collect?.({ type: "major", execution: "async" });
  await collect?.({ type: "major", execution: "async" });
}
