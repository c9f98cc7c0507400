import { expect, test } from "vitest";
import { nodeConfig } from "../../src/config.ts";
import { recordedConfig } from "../../sim/replay/recorded-config.ts";

test("a configuration of a former build gets the defaults of what that did not know, and keeps what it says", () => {
  const config = nodeConfig({ nodeId: "c", catalogs: [] }, { "query.max-run-time": "3s" });
  expect(recordedConfig({ config: JSON.parse(JSON.stringify(config)) })).toEqual(config);
  const { queryMaxExecutionTimeMs: _unknown, ...coordinator } = config.coordinator;
  const { shutdownGraceMs: _alsoUnknown, ...former } = config;
  const completed = recordedConfig({ config: JSON.parse(JSON.stringify({ ...former, coordinator })) });
  expect(completed).toEqual(config);
  expect(completed.coordinator.queryMaxRunTimeMs).toBe(3000);
});
