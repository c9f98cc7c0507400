/**
 * Detects functions that the platform's compilers cannot handle. Their work and memory grow with the number of locals times the number of
 * exits from loops and blocks, and beyond their bounds V8 ends the process. The runtime interprets such kernels instead.
 */
import type { Kernel, KernelFunction, Stmt } from "./ir.ts";

/** WebAssembly engines allow 50,000. */
const localsMax = 20_000;
/** V8's optimizing compiler creates a value per local at each exit of a loop, up to 2^24. */
const valuesMax = 4_000_000;

export function isTooLargeToCompile(kernel: Kernel): boolean {
  return kernel.functions.some(isTooLarge);
}

function isTooLarge({ params, locals, body }: KernelFunction): boolean {
  const count = params.length + locals.length;
  return count > localsMax || count * jumpsIn(body) > valuesMax;
}

function jumpsIn(body: readonly Stmt[]): number {
  let jumps = 0;
  for (const stmt of body) {
    switch (stmt.kind) {
      case "if":
        jumps += jumpsIn(stmt.then) + jumpsIn(stmt.otherwise);
        break;
      case "block":
        jumps += jumpsIn(stmt.body);
        break;
      case "loop":
        jumps += 1 + jumpsIn(stmt.body);
        break;
      case "break":
      case "continue":
      case "return":
        jumps += 1;
        break;
      default:
    }
  }
  return jumps;
}
