import { describe, expect, it } from "vitest";
import { nodeConfig } from "../../../../src/config.ts";
import { unlimited } from "../../../../src/coordinator/context.ts";
import { queryLimits, sessionDefaults } from "../../../../src/coordinator/limits/query-limits.ts";
import { checkStageCount } from "../../../../src/coordinator/limits/stage-count.ts";

const config = (properties: Readonly<Record<string, string>>) => nodeConfig({ nodeId: "c", catalogs: [] }, properties).coordinator;

describe("limits of a query", () => {
  it("are Presto's by default", () => {
    expect(sessionDefaults(config({}))).toEqual({
      query_max_run_time: "100.00d",
      query_max_execution_time: "100.00d",
      query_max_cpu_time: "1000000000.00d",
      query_max_scan_physical_bytes: "",
      query_max_memory: "20GB",
      query_max_total_memory: "40GB",
      query_max_stage_count: "100",
      hash_partition_count: "100",
      min_input_rows_per_task: "600000",
      retry_policy: "TASK",
      spill_enabled: "true",
    });
    expect(queryLimits(config({}), {})).toMatchObject({
      runMs: 8.64e9,
      executionMs: 8.64e9,
      cpuMs: 8.64e16,
      scanBytes: unlimited,
      userMemoryBytes: 20 * 1024 ** 3,
      totalMemoryBytes: 40 * 1024 ** 3,
    });
  });

  it("give all memory of a query at least what its user memory may have", () => {
    expect(queryLimits(config({ "query.max-memory": "1GB" }), { query_max_memory: "2GB" })).toMatchObject({
      userMemoryBytes: 1024 ** 3,
      totalMemoryBytes: 2 * 1024 ** 3,
      texts: { userMemoryBytes: "1GB", totalMemoryBytes: "2GB" },
    });
    expect(() => config({ "query.max-memory": "2GB", "query.max-total-memory": "1GB" })).toThrow("at least query.max-memory");
  });

  it("are those of the configuration, narrowed by the session, in the user's spelling", () => {
    const set = config({
      "query.max-run-time": "90m",
      "query.max-cpu-time": "1.5h",
      "query.max-scan-physical-bytes": "1024MB",
      "query.max-stage-count": "7",
      "query.hash-partition-count": "12",
    });
    expect(sessionDefaults(set)).toMatchObject({
      query_max_run_time: "90.00m",
      query_max_cpu_time: "1.50h",
      query_max_scan_physical_bytes: "1024MB",
      query_max_stage_count: "7",
      hash_partition_count: "12",
    });
    const narrowed = queryLimits(set, { query_max_run_time: "3600s", query_max_cpu_time: "100d", query_max_scan_physical_bytes: "0.5GB" });
    expect(narrowed).toMatchObject({ runMs: 3_600_000, cpuMs: 5_400_000, scanBytes: 512 * 1024 ** 2 });
    expect(narrowed.texts).toMatchObject({ runMs: "3600.00s", executionMs: "100.00d", cpuMs: "1.50h", scanBytes: "0.50GB" });
  });

  it("count stages to the one", () => {
    const limits = { countMax: 10, warningThreshold: 5 };
    expect(checkStageCount(5, limits)).toBeUndefined();
    expect(checkStageCount(6, limits)).toMatchObject({ warningCode: { code: 1, name: "TOO_MANY_STAGES" } });
    expect(checkStageCount(10, limits)?.message).toMatch(/^Number of stages in the query \(10\) exceeds the soft limit \(5\)\. /);
    expect(() => checkStageCount(11, limits)).toThrow("Number of stages in the query (11) exceeds the allowed maximum (10). ");
  });
});
