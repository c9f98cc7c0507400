/**
 * Flags of V8 for the threads of a server, and for benchmarks of what runs in them. They hold for the whole process.
 */
import { setFlagsFromString } from "node:v8";

/**
 * How much larger than the last full collection left it the old generation may become before the next one, in percent. The heaps of a node
 * are small, because rows are in linear memory, and V8's own choice lets them grow by a third: then a few megabytes of frames, texts of
 * filters or rows of an answer bring a full collection each.
 */
const heapGrowthPercent = 300;

/**
 * The function of each file runs once. It is so long that V8's baseline compiler would compile it meanwhile, which took a twentieth of a
 * start and left 2 MB of code and 9 MB of malloc's heap with each thread.
 */
const notCompiled = "orreryProgram";

/**
 * Most bytecode of called functions that V8's optimising compiler copies into a function, all together and of one of them; by default it is
 * 920 and 460. The inner loops are kernels of WebAssembly, which this does not concern. What is left is code that runs once a page or a
 * request: there is much of it, each thread compiles its own, and calls cost it little.
 */
const inlinedBytecodeMax = { together: 400, ofOne: 200 };

export function setEngineFlags(): void {
  // Code is only used under the flags under which it was made. The server sets this one for the collector (src/server/ports/garbage.ts).
  setFlagsFromString("--expose-gc");
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlinedBytecodeMax.together}`);
  setFlagsFromString(`--max-inlined-bytecode-size=${inlinedBytecodeMax.ofOne}`);
  setFlagsFromString(`--sparkplug-filter=-${notCompiled}`);
}
