/**
 * The kernel runtime: caches, host functions, arenas, traps, v128, and errors of the validator.
 */
import { describe, expect, test } from "vitest";
import { emitArenaAllocate } from "../../../src/codegen/arena.ts";
import { buildKernel, i32, i64, type Local } from "../../../src/codegen/builder.ts";
import type { Expr, Kernel, Stmt } from "../../../src/codegen/ir.ts";
import { KernelInstances, KernelModuleCache, KernelRuntime } from "../../../src/codegen/runtime.ts";
import { validateKernel } from "../../../src/codegen/validate.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import { MemoryLimitExceeded } from "../../../src/memory/memory.ts";
import { backends, newRuntime } from "./run.ts";

function identityKernel(): Kernel {
  return buildKernel("identity", (k) => k.entry({ params: ["i32"], result: "i32" }, (b, [x]) => b.return_(x)));
}

describe.each(backends)("on %s", (backend) => {
  test("a kernel is built once a runtime", () => {
    const { runtime } = newRuntime(backend);
    let built = 0;
    const build = () => {
      built++;
      return identityKernel();
    };
    expect(runtime.load("identity", build)).toBe(runtime.load("identity", build));
    expect(built).toBe(1);
  });

  test("i32 results are signed, addresses above 2 GiB wrap", () => {
    const { runtime } = newRuntime(backend);
    expect(runtime.load("identity", identityKernel)(0xffff_fff0)).toBe(-16);
  });

  test("what a host function throws passes through the kernel", () => {
    const { runtime } = newRuntime(backend);
    const signature = { params: ["i32"] } as const;
    runtime.registerHost("test.fail", signature, () => {
      throw new MemoryLimitExceeded("query", 1, 2);
    });
    const kernel = runtime.load("fail", () =>
      buildKernel("fail", (k) => k.entry(signature, (b, [x]) => b.do_(k.host("test.fail", signature), x as Local))),
    );
    expect(() => kernel(1)).toThrow(MemoryLimitExceeded);
  });

  test("a kernel with an unregistered import is rejected", () => {
    const { runtime } = newRuntime(backend);
    const build = () => buildKernel("lost", (k) => k.entry({ params: [] }, (b) => b.do_(k.host("test.lost", { params: [] }))));
    expect(() => runtime.load("lost", build)).toThrow("test.lost, which is not registered");
  });

  test("host functions that were forgotten are registered again before a kernel is loaded, more than the bound too", () => {
    const { runtime } = newRuntime(backend);
    const signature = { params: [], result: "i32" } as const;
    const ensure = (name: string): void => {
      if (!runtime.hasHost(name)) {
        runtime.registerHost(name, signature, () => 7);
      }
    };
    const kernelOf = (names: readonly string[]) => () =>
      buildKernel("sum", (k) =>
        k.entry(signature, (b) =>
          b.return_(names.reduce<Expr>((sum, name) => i32.add(sum, b.temp(b.call(k.host(name, signature)))), i32.const(0))),
        ),
      );
    const many = Array.from({ length: 9000 }, (_, index) => `test.many.${index}`);
    ensure("test.early");
    many.forEach(ensure);
    expect(runtime.load("late", kernelOf(["test.early"]), () => ensure("test.early"))()).toBe(7);
    expect(runtime.hasHost("test.many.0")).toBe(false);
    // A kernel with more functions than the cache keeps.
    const all = runtime.load("many", kernelOf(many), () => many.forEach(ensure));
    expect(all()).toBe(63_000);
  });

  test("falling off the end of a function with a result traps", () => {
    const { runtime } = newRuntime(backend);
    const kernel = runtime.load("end", () => buildKernel("end", (k) => k.entry({ params: [], result: "i32" }, () => undefined)));
    expect(() => kernel()).toThrow(expect.objectContaining({ kind: "UNREACHABLE" }));
  });

  test("v128 moves through locals, loads and stores", () => {
    const { runtime, linear, root } = newRuntime(backend);
    const from = root.allocate(32);
    const to = root.allocate(32);
    linear.u8.set([...Array(16).keys()], from + 1);
    const kernel = runtime.load("move", () =>
      buildKernel("move", (k) =>
        k.entry({ params: ["i32", "i32"] }, (b, [source, target]) => {
          const word = b.local("v128", { kind: "load", type: "v128", op: "v128.load", address: source as Local, offset: 1 });
          b.store("v128.store", target as Local, word, 2);
        }),
      ),
    );
    kernel(from, to);
    expect([...linear.u8.subarray(to + 2, to + 18)]).toEqual([...Array(16).keys()]);
  });

  test("kernels allocate from an arena until its chunks are full, then the host gives more", () => {
    const { runtime, linear, root } = newRuntime(backend);
    const context = root.child("task");
    const arena = runtime.arenas.create(context, 256);
    const kernel = runtime.load("fill", () =>
      buildKernel("fill", (k) =>
        k.entry({ params: ["i32", "i32", "i32"] }, (b, [control, out, count]) => {
          b.forRange(i32.const(0), count as Local, (i) => {
            const address = emitArenaAllocate(b, control as Local, i32.add(i, i32.const(1)));
            b.fillBytes(address, i, i32.add(i, i32.const(1)));
            b.store("i32.store", i32.add(out as Local, i32.mul(i, i32.const(4))), address);
          });
        }),
      ),
    );
    const out = context.allocate(4 * 200);
    kernel(arena.controlBlock, out, 200);
    const again = arena.allocate(5);
    for (let i = 0; i < 200; i++) {
      const address = linear.u32[out / 4 + i] as number;
      expect(address % 8).toBe(0);
      expect(linear.u8.subarray(address, address + i + 1).every((byte) => byte === i)).toBe(true);
      expect(again < address || again >= address + i + 1).toBe(true);
    }
    arena.reset();
    expect(arena.allocate(8)).toBe(linear.u32[out / 4]);
    arena.close();
    arena.close();
    context.free(out);
    expect(context.reservedBytes).toBe(0);
  });
});

test("modules are shared between runtimes, memories are not", () => {
  const modules = new KernelModuleCache();
  const nodes = [1, 2].map((value) => {
    const { linear, root } = createNodeMemory({ sizeBytes: 65536 });
    const address = root.allocate(8);
    linear.i32[address / 4] = value;
    return { runtime: new KernelRuntime({ linear, backend: "wasm", modules }), address };
  });
  let built = 0;
  const results = nodes.map(({ runtime, address }) =>
    runtime.load("load", () => {
      built++;
      return buildKernel("load", (k) => k.entry({ params: ["i32"], result: "i32" }, (b, [x]) => b.return_(i32.load(x as Local))));
    })(address),
  );
  expect(results).toEqual([1, 2]);
  expect(built).toBe(1);
});

describe("instances over one memory", () => {
  const nodesOf = (instances: KernelInstances, count: number): readonly KernelRuntime[] => {
    const { linear } = createNodeMemory({ sizeBytes: 65536 });
    return Array.from({ length: count }, () => new KernelRuntime({ linear, backend: "wasm", instances }));
  };

  test("are shared by the nodes that use it, and dropped when a node moves to another memory", () => {
    let built = 0;
    const load = (runtime: KernelRuntime): unknown =>
      runtime.load("twice", () => {
        built++;
        return buildKernel("twice", (k) =>
          k.entry({ params: ["i32"], result: "i32" }, (b, [x]) => b.return_(i32.add(x as Local, x as Local))),
        );
      });
    const [first, second, third] = nodesOf(new KernelInstances(8), 3) as [KernelRuntime, KernelRuntime, KernelRuntime];
    const kernel = load(first);
    expect(load(second)).toBe(kernel);
    expect(built).toBe(1);
    third.memoryRenewed();
    expect(load(third)).not.toBe(kernel);
  });

  test("are not shared if they call host functions, which belong to a node", () => {
    const runtimes = nodesOf(new KernelInstances(8), 2);
    const results = runtimes.map((runtime, index) => {
      const signature = { params: [], result: "i32" } as const;
      runtime.registerHost("number", signature, () => index + 1);
      return runtime.load("ask", () =>
        buildKernel("ask", (k) => k.entry(signature, (b) => b.return_(b.temp(b.call(k.host("number", signature)))))),
      )();
    });
    expect(results).toEqual([1, 2]);
  });
});

describe("the validator refuses", () => {
  const kernelOfBody = (body: readonly Stmt[], result?: "i32"): Kernel => ({
    name: "bad",
    imports: [],
    functions: [{ name: "run", params: ["i32", "i64"], ...(result === undefined ? {} : { result }), locals: ["v128"], body }],
  });
  const x: Expr = { kind: "local", type: "i32", index: 0 };
  const y: Expr = { kind: "local", type: "i64", index: 1 };
  const cases: readonly (readonly [string, Kernel, string])[] = [
    ["operands of the wrong type", kernelOfBody([{ kind: "set", index: 0, value: i32.add(x, y) }]), "i32.add needs i32, not i64"],
    ["a wrong mark", kernelOfBody([{ kind: "set", index: 0, value: { ...y, type: "i32" } as Expr }]), "local is i64, marked i32"],
    ["an unknown local", kernelOfBody([{ kind: "set", index: 9, value: x }]), "local 9 does not exist"],
    ["a stray break", kernelOfBody([{ kind: "break", label: 3 }]), "break of label 3 from outside it"],
    ["continue of a block", kernelOfBody([{ kind: "block", label: 0, body: [{ kind: "continue", label: 0 }] }]), "continue of a block"],
    ["a result of the wrong type", kernelOfBody([{ kind: "return", value: i64.const(1n) }], "i32"), "return needs i32, not i64"],
    ["a result where none is", kernelOfBody([{ kind: "return", value: x }]), "return i32 from a function of undefined"],
    ["a missing function", kernelOfBody([{ kind: "call", target: { function: 4 }, args: [] }]), "function 4 does not exist"],
    ["too few arguments", kernelOfBody([{ kind: "call", target: { function: 0 }, args: [x] }]), "takes 2 arguments, not 1"],
    [
      "select of two types",
      kernelOfBody([{ kind: "set", index: 0, value: { kind: "select", type: "i32", condition: x, then: x, otherwise: y } }]),
      "select needs i32, not i64",
    ],
    ["a fractional offset", kernelOfBody([{ kind: "set", index: 0, value: i32.load(x, 0.5) }]), "offset 0.5 is no u32"],
  ];
  test.each(cases)("%s", (_, kernel, message) => {
    expect(() => validateKernel(kernel)).toThrow(message);
  });
});
