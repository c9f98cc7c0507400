import { describe, expect, it } from "vitest";
import { createLog, isLogLevel, type LogLevel } from "../../../src/server/log.ts";

function linesOf(level: LogLevel, pretty: boolean): string[] {
  const lines: string[] = [];
  const log = createLog({ level, node: "worker-1", pretty, write: (line) => lines.push(line) });
  log.info("task-created", { task: "q.1.0", splits: 3 });
  log.warn("exchange-retry");
  log.error("task-failed", { reason: 'two\nlines "quoted"', fatal: true });
  return lines;
}

describe("the log", () => {
  it("is a JSON document a line", () => {
    const lines = linesOf("info", false);
    expect(lines.every((line) => line.endsWith("\n") && line.indexOf("\n") === line.length - 1)).toBe(true);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: expect.stringMatching(/^\d{4}-.*Z$/), level: "info", node: "worker-1", event: "task-created", task: "q.1.0", splits: 3 },
      { time: expect.anything(), level: "warn", node: "worker-1", event: "exchange-retry" },
      { time: expect.anything(), level: "error", node: "worker-1", event: "task-failed", reason: 'two\nlines "quoted"', fatal: true },
    ]);
  });

  it("is a line of text on a terminal, whatever a value holds", () => {
    expect(linesOf("warn", true).map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "WARN  worker-1 exchange-retry\n",
      'ERROR worker-1 task-failed reason=two lines "quoted" fatal=true\n',
    ]);
  });

  it("leaves out what is below its level", () => {
    expect((["info", "warn", "error", "silent"] as const).map((level) => linesOf(level, false).length)).toEqual([3, 2, 1, 0]);
    expect(isLogLevel("warn")).toBe(true);
    expect(isLogLevel("debug")).toBe(false);
    expect(isLogLevel("toString")).toBe(false);
  });
});
