/**
 * A node's memory and kernel runtime for tests, on either backend.
 */
import type { ExecutionServices, SessionFacts } from "../../../src/execution/task/api.ts";
import type { OperatorContext } from "../../../src/execution/operators/operator.ts";
import { type KernelBackend, KernelRuntime } from "../../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../../src/memory/allocator.ts";
import type { MemoryContext } from "../../../src/memory/memory.ts";
import { knobsOf, type KnobValues } from "../../../src/ports/knobs.ts";
import type { Operator } from "../../../src/execution/operators/operator.ts";
import type { Page } from "../../../src/page/page.ts";
import { MemoryStorage } from "../../../src/testing/memory-storage.ts";
import { type Cell, readRows } from "./rows.ts";
import { refused, ScriptedNetwork, TestClock, testPorts } from "./world.ts";

export const backends: readonly KernelBackend[] = ["wasm", "interpreter"];

export const session: SessionFacts = { user: "test", timeZone: "UTC", startMillis: 0, properties: {} };

export interface Bench {
  readonly root: MemoryContext;
  readonly services: ExecutionServices;
}

export function makeBench(backend: KernelBackend, values: KnobValues = {}, sizeBytes = 65536 * 512): Bench {
  const memory = createNodeMemory({ sizeBytes, knobs: knobsOf(values) });
  const clock = new TestClock();
  const services: ExecutionServices = {
    ports: testPorts(clock, new ScriptedNetwork(() => Promise.resolve(refused())), new MemoryStorage()),
    runtime: new KernelRuntime({ linear: memory.linear, backend, knobs: knobsOf(values) }),
    connector: () => {
      throw new Error("no connector here");
    },
    limits: {
      outputBufferBytesMax: 1 << 20,
      exchangeBufferBytesMax: 1 << 20,
      exchangeResponseBytesMax: 1 << 20,
      exchangeErrorDurationMs: 1000,
      sliceNanosMax: 1e6,
      sliceWorkUnitsMax: 10_000,
    },
  };
  return { root: memory.root, services };
}

export function operatorContext(bench: Bench, memory: MemoryContext, operatorType = "TestOperator"): OperatorContext {
  return { services: bench.services, session, taskId: "q.0.0", partition: 0, operatorId: 0, planNodeId: "1", operatorType, memory };
}

/** Runs an operator over pages as a driver does and returns its output rows. */
export function runOperator(memory: MemoryContext, operator: Operator, pages: readonly Page[]): Cell[][] {
  const rows: Cell[][] = [];
  const take = (): void => {
    for (
      let page = operator.getOutput();
      page !== undefined || (!operator.needsInput && !operator.isFinished);
      page = operator.getOutput()
    ) {
      if (page !== undefined) {
        rows.push(...readRows(memory, page));
      }
      if (page === undefined && operator.blocked() !== undefined) {
        throw new Error("it waits");
      }
    }
  };
  for (const page of pages) {
    if (page.positionCount > 0 && operator.needsInput) {
      operator.addInput(page);
      take();
    }
  }
  if (!operator.isFinished) {
    operator.finish();
    take();
  }
  return rows;
}

/** Runs `body` with its own memory and checks that the operator releases everything. */
export function withMemory<T>(bench: Bench, body: (memory: MemoryContext) => T): T {
  const memory = bench.root.child("test");
  let result: T;
  try {
    result = body(memory);
  } finally {
    memory.close();
  }
  if (bench.root.reservedBytes !== 0) {
    throw new Error(`${bench.root.reservedBytes} bytes are left`);
  }
  return result;
}

/** Runs an operator over pages as a driver does, and waits where it waits. Returns the rows of its output pages. */
export async function runWaiting(memory: MemoryContext, operator: Operator, pages: readonly Page[]): Promise<Cell[][][]> {
  const given: Cell[][][] = [];
  const take = async (): Promise<void> => {
    while (!operator.isFinished && !(operator.needsInput && !operator.blocked())) {
      const page = operator.getOutput();
      if (page !== undefined) {
        given.push(readRows(memory, page));
      } else if (!operator.needsInput) {
        await operator.blocked();
      }
    }
  };
  for (const page of pages.filter(({ positionCount }) => positionCount > 0)) {
    await take();
    if (operator.isFinished) {
      break;
    }
    operator.addInput(page);
  }
  await take();
  if (!operator.isFinished) {
    operator.finish();
    await take();
  }
  return given;
}
