/**
 * Plans statements as a coordinator does, without a cluster: over real connectors, with the engine's constant folding.
 */
import { sessionDefaults } from "../../src/coordinator/limits/query-limits.ts";
import { displayType } from "../../src/types/type.ts";
import { evaluateConstant } from "../../src/execution/expressions/evaluate.ts";
import type { Connector } from "../../src/connectors/spi.ts";
import { tpchConnectorFactory } from "../../src/connectors/tpch/tpch.ts";
import { KernelRuntime } from "../../src/codegen/runtime.ts";
import { createNodeMemory } from "../../src/memory/allocator.ts";
import type { PlanContext, PlanSession } from "../../src/planner/context.ts";
import { planStatement } from "../../src/planner/plan-statement.ts";
import type { PlannedQuery } from "../../src/planner/planned.ts";
import { parseStatement } from "../../src/sql/parser/parser.ts";
import { defaultCoordinatorConfig } from "./coordinator-config.ts";

export class TestPlanner {
  readonly context: PlanContext;

  constructor(catalogs: Readonly<Record<string, Connector>>, session: Partial<PlanSession> = {}) {
    const { linear, root } = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 });
    const runtime = new KernelRuntime({ linear, backend: "wasm" });
    const memory = root.child("planning");
    this.context = {
      catalogs: {
        names: () => Object.keys(catalogs).toSorted(),
        connector: (name) => (Object.hasOwn(catalogs, name) ? catalogs[name] : undefined),
      },
      session: { user: "test", timeZone: "UTC", startMillis: 1_700_000_000_000, properties: {}, ...session },
      evaluateConstant: (expression) => evaluateConstant(runtime, memory, expression),
      nodeVersion: "test",
      sessionDefaults: sessionDefaults(defaultCoordinatorConfig),
      typeText: displayType,
      drawSeed: () => 42n,
    };
  }

  async plan(sql: string): Promise<PlannedQuery> {
    const planned = await planStatement(parseStatement(sql), this.context);
    if (planned.kind !== "query") {
      throw new Error(`no query: ${sql}`);
    }
    return planned;
  }

  /** The text of distributed EXPLAIN. */
  async explain(sql: string): Promise<string> {
    const { plan } = await this.plan(`EXPLAIN ${sql}`);
    const output = plan.fragments[0]?.root;
    const values = output?.kind === "Output" ? output.source : undefined;
    const cell = values?.kind === "Values" ? values.rows[0]?.[0] : undefined;
    if (cell?.kind !== "constant") {
      throw new Error("EXPLAIN gives one text");
    }
    return String(cell.value);
  }
}

/** The tpch connector with the specification's column names and decimal money columns. */
export function tpchConnector(): Connector {
  const { root, linear } = createNodeMemory({ sizeBytes: 64 * 1024 * 1024 });
  return tpchConnectorFactory.create(
    { "tpch.column-naming": "STANDARD", "tpch.double-type-mapping": "DECIMAL" },
    {
      catalog: "tpch",
      nodeId: "test",
      ports: undefined as never,
      memory: root,
      runtime: new KernelRuntime({ linear, backend: "wasm" }),
      callNode: () => Promise.reject(new Error("no other node")),
      readNode: () => Promise.reject(new Error("no other node")),
      workerNodes: () => [],
      incarnation: "1",
      incarnationOf: () => undefined,
      onNodesChange: () => () => undefined,
    },
  );
}
