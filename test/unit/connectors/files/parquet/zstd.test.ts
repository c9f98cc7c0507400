/**
 * The kernel for Zstandard, in both backends, against fzstd: frames that the program zstd wrote, at several levels, and the same with
 * changed or missing bytes. The bytes after the output must stay as they were.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { decompress } from "fzstd";
import { describe, expect, test } from "vitest";
import { ParquetKernels } from "../../../../../src/connectors/files/parquet/kernels/kernels.ts";
import { zstdScratchBytes } from "../../../../../src/connectors/files/parquet/kernels/zstd-scratch.ts";
import { backends, newRuntime } from "../../../codegen/run.ts";

const guard = 0xa5;
const guardBytes = 64;
const folder = join(import.meta.dirname, "zstd-frames");
const frames = new Map(readdirSync(folder).map((name) => [name.replace(/\.zst$/, ""), new Uint8Array(readFileSync(join(folder, name)))]));
const contents = new Map(
  [...frames].map(([name, bytes]) => [name, name === "several" ? text(`${"first ".repeat(9)}second`) : decompress(bytes)]),
);

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

const worlds = backends.map((backend) => {
  const { root, runtime } = newRuntime(backend);
  const scratch = root.allocate(zstdScratchBytes);
  return { backend, memory: root, kernels: new ParquetKernels(runtime), scratch };
});

/** undefined if the kernel refuses the input. */
function decode({ memory, kernels, scratch }: (typeof worlds)[number], input: Uint8Array, outBytes: number): Uint8Array | undefined {
  const { u8 } = memory.linear;
  const at = memory.allocate(input.length + 1);
  const output = memory.allocate(outBytes + guardBytes);
  u8.set(input, at);
  u8.fill(guard, output, output + outBytes + guardBytes);
  const isWhole = kernels.decompressZstd(
    { at, end: at + input.length },
    { at: output, end: output + outBytes },
    { linear: memory.linear, scratch },
  );
  expect(u8.subarray(output + outBytes, output + outBytes + guardBytes).every((byte) => byte === guard)).toBe(true);
  const found = isWhole ? u8.slice(output, output + outBytes) : undefined;
  memory.free(at);
  memory.free(output);
  return found;
}

describe.each(worlds)("$backend", (world) => {
  test.each([...frames.keys()])("%s", (name) => {
    const input = frames.get(name) as Uint8Array;
    const content = contents.get(name) as Uint8Array;
    const found = decode(world, input, content.length);
    expect(found !== undefined && Buffer.compare(found, content)).toBe(0);
    expect(decode(world, input, content.length + 1)).toBe(undefined);
    expect(decode(world, input.subarray(0, -1), content.length)).toBe(undefined);
    expect(content.length === 0 || decode(world, input, content.length - 1) === undefined).toBe(true);
  });
});

test("damaged frames: both backends agree, and with fzstd where both find the content", () => {
  const names = [...frames.keys()].filter((name) => (contents.get(name) as Uint8Array).length < 10_000);
  const cases = fc.record({
    name: fc.constantFrom(...names),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 3 }),
    cut: fc.constantFrom(0, 0, 1, 5),
  });
  let refused = 0;
  let changed = 0;
  fc.assert(
    fc.property(cases, ({ name, changes, cut }) => {
      const whole = frames.get(name) as Uint8Array;
      const input = whole.slice(0, Math.max(0, whole.length - cut));
      for (const [place, byte] of changes) {
        input[place % Math.max(1, input.length)] = byte;
      }
      const { length } = contents.get(name) as Uint8Array;
      const [first, second] = worlds.map((world) => decode(world, input, length));
      expect(first === undefined ? undefined : Buffer.from(first)).toEqual(second === undefined ? undefined : Buffer.from(second));
      if (first === undefined) {
        refused++;
        return;
      }
      changed++;
      const theirs = attempt(() => decompress(input));
      expect(theirs === undefined || name === "several" || theirs.length !== length || Buffer.compare(theirs, first) === 0).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(refused).toBeGreaterThan(20);
  expect(changed).toBeGreaterThan(5);
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
