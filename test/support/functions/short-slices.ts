/** A world for expressions whose slices are short, so that values need not be large to be left in between. */
import { KernelRuntime } from "../../../src/codegen/runtime.ts";
import { knobs } from "../../../src/ports/knobs.ts";
import { createWorld, type World } from "../../unit/execution/expressions/world.ts";

const worldBytes = 512 << 20;

export function makeShortSlices(sliceSteps: number): World {
  const world = createWorld(worldBytes);
  const values = { value: (name: keyof typeof knobs) => (name === "function-slice-steps" ? sliceSteps : knobs[name].default) };
  return { ...world, wasm: new KernelRuntime({ linear: world.memory.linear, backend: "wasm", knobs: values as never }) };
}
