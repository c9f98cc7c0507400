import { it } from "vitest";
import { buildKernel, i32 } from "/work/main/src/kernel/builder.ts";
import { KernelRuntime } from "/work/main/src/kernel/runtime.ts";
import { createNodeMemory } from "/work/main/src/page/allocator.ts";
it("x", () => {
  for (const backend of ["wasm", "interpreter"] as const) {
    const memory = createNodeMemory({ sizeBytes: 65536 * 16 });
    const runtime = new KernelRuntime({ linear: memory.linear, backend });
    const a = memory.root.allocateZeroed(64);
    memory.linear.u32[a / 4] = 2;
    const k = runtime.load("k", () =>
      buildKernel("k", (kernel) =>
        kernel.entry({ params: ["i32", "i32"], result: "i32" }, (b, [p, n]) => {
          const buildRows = b.local("i32", i32.load(p!, 0));
          const cand = b.local("i32", i32.const(0));
          const count = b.local("i32", i32.const(0));
          b.set(cand, i32.ne(buildRows, i32.const(0)));
          b.while_(
            () => cand,
            () => {
              b.if_(i32.geU(count, i32.const(100)), () => {
                b.return_(count);
              });
              b.set(count, i32.add(count, i32.const(1)));
              b.if_(
                i32.ltU(cand, buildRows),
                () => b.set(cand, i32.add(cand, i32.const(1))),
                () => b.set(cand, i32.const(0)),
              );
            },
          );
          b.return_(count);
        }),
      ),
    );
    console.log(backend, k(a, 5));
    const k2 = runtime.load("k2", () =>
      buildKernel("k2", (kernel) =>
        kernel.entry({ params: ["i32", "i32"], result: "i32" }, (b, [p, n]) => {
          const s = b.local("i32", i32.const(0));
          b.forRange(i32.const(0), n!, (i) => {
            b.store("i32.store", i32.add(p!, i32.shl(i, i32.const(2))), i32.add(i, i32.const(7)));
          });
          b.forRange(i32.const(0), n!, (i) => {
            b.set(s, i32.add(s, i32.load(i32.add(p!, i32.shl(i, i32.const(2))))));
          });
          b.return_(s);
        }),
      ),
    );
    console.log(backend, k2(a, 5));
  }
});
