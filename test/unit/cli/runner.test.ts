import { describe, expect, it } from "vitest";
import { runBatch } from "../../../src/cli/batch.ts";
import { Connection } from "../../../src/cli/connection.ts";
import type { OutputFormat } from "../../../src/cli/formats/formats.ts";
import { caret, Runner } from "../../../src/cli/runner.ts";
import { countText, progressLine, sizeText } from "../../../src/cli/progress/status.ts";
import { clientSession } from "../../../src/client/session.ts";
import { NetworkError } from "../../../src/ports/network.ts";
import { columnN, failure, HastyClock, json, nextUri, results, ScriptedNetwork } from "../client/scripted.ts";
import { MemoryOutput } from "./memory-output.ts";

interface SetUp {
  readonly interactive?: boolean;
  readonly debug?: boolean;
  readonly terminal?: boolean;
}

function setUp(answers: ConstructorParameters<typeof ScriptedNetwork>[0], options: SetUp = {}) {
  const network = new ScriptedNetwork(answers);
  const clock = new HastyClock();
  const stdout = new MemoryOutput();
  const stderr = new MemoryOutput({ isTerminal: options.terminal ?? false });
  const server = "http://server";
  const connection = new Connection({ server, network }, clientSession("alice"), { clock, submitRetryMsMax: 0 });
  const { interactive = false, debug = false } = options;
  const runner = new Runner({ connection, clock, stdout, stderr, interactive, progress: "on", debug });
  const batch = (script: string, ignoreErrors = false, format: OutputFormat = "CSV") => runBatch(runner, script, { format, ignoreErrors });
  return { network, stdout, stderr, runner, batch };
}

const failed = json(results({ error: failure, stats: { ...results().stats, state: "FAILED" } }));
const three = json(results({ columns: [columnN], data: [[3]] }));

describe("a batch", () => {
  it("prints rows and nothing else on standard output", async () => {
    const { stdout, stderr, batch } = setUp([json(results({ nextUri: nextUri(1), columns: [columnN] })), three, three]);
    expect(await batch("select n; select n\\G")).toBe(0);
    expect(stdout.text).toBe('"3"\n-[ RECORD 1 ]\nn | 3\n');
    expect(stderr.text).toBe("");
  });

  it("tells the warnings of a query on standard error, behind its rows", async () => {
    const warnings = [{ warningCode: { code: 6, name: "PARTIAL_RESULT_WARNING" }, message: "Table 'a.b.c' cannot be read: broken" }];
    const { stdout, stderr, batch } = setUp([json(results({ columns: [columnN], data: [[3]], warnings }))]);
    expect(await batch("select n")).toBe(0);
    expect(stdout.text).toBe('"3"\n');
    expect(stderr.text).toBe("WARNING: Table 'a.b.c' cannot be read: broken\n");
  });

  it("ends at the first failure with exit code 1, told on standard error", async () => {
    const { stdout, stderr, network, batch } = setUp([failed]);
    expect(await batch("select x; select n")).toBe(1);
    expect(stdout.text).toBe("");
    expect(stderr.text).toBe("Query q1 failed: line 1:8: Column 'x' cannot be resolved\n");
    expect(network.requests).toHaveLength(1);
  });

  it("goes on with --ignore-errors, and still ends with 1", async () => {
    const { stdout, batch } = setUp([failed, three]);
    expect(await batch("select x; select n", true)).toBe(1);
    expect(stdout.text).toBe('"3"\n');
  });

  it("says in one line that the server is not there, and what to do", async () => {
    const { stderr, batch } = setUp(() => new NetworkError("CONNECTION_REFUSED", "http://server: connect ECONNREFUSED 127.0.0.1:8080"));
    expect(await batch("select 1; select 2", true)).toBe(1);
    expect(stderr.text).toBe(
      "Cannot reach the server at http://server (connect ECONNREFUSED 127.0.0.1:8080): start one with 'npm start', or name another with --server\n",
    );
  });

  it("tells the update and keeps it out of the rows", async () => {
    const { stdout, stderr, batch } = setUp([json(results({ columns: [columnN], data: [[5]], updateType: "INSERT", updateCount: 5 }))]);
    expect(await batch("insert into t values 1")).toBe(0);
    expect(stdout.text).toBe("");
    expect(stderr.text).toBe("INSERT: 5 rows\n");
  });

  it("with --debug adds the failure's name and stack", async () => {
    const { stderr, batch } = setUp([failed], { debug: true });
    await batch("select x");
    expect(stderr.text).toContain("COLUMN_NOT_FOUND (47, USER_ERROR)\n");
  });
});

describe("in the shell", () => {
  it("rows are counted and a summary of three lines follows", async () => {
    const stats = { ...results().stats, nodes: 2, totalSplits: 8, completedSplits: 8, processedRows: 60175, processedBytes: 1572864 };
    const { stdout, runner } = setUp([json(results({ columns: [columnN], data: [[3]], stats }))], { interactive: true });
    expect(await runner.run("select n", { format: "ALIGNED" })).toBe("FINISHED");
    expect(stdout.text).toBe(
      " n \n---\n 3 \n(1 row)\n\nQuery q1, FINISHED, 2 nodes\nSplits: 8 total, 8 done (100.00%)\n0:00 [60.2K rows, 1.5MB] [60.2M rows/s, 1.46GB/s]\n\n",
    );
  });

  it("an error in the text is shown under it", async () => {
    const { stderr, runner } = setUp([failed], { interactive: true });
    await runner.run("select x\nfrom t", { format: "ALIGNED" });
    expect(stderr.text).toBe("Query q1 failed: line 1:8: Column 'x' cannot be resolved\nselect x\n       ^\n\n");
    expect(caret("select\n\tx y", { lineNumber: 2, columnNumber: 4 })).toBe("\tx y\n\t  ^\n");
    expect(caret("select", { lineNumber: 7, columnNumber: 1 })).toBe("");
  });

  it("progress is drawn on a terminal and wiped before anything else", async () => {
    const stats = { ...results().stats, state: "RUNNING" as const, totalSplits: 4, completedSplits: 1 };
    const { stdout, stderr, runner } = setUp([json(results({ nextUri: nextUri(1), columns: [columnN], stats })), three], {
      terminal: true,
    });
    await runner.run("select n", { format: "CSV" });
    expect(stdout.text).toBe('"3"\n');
    expect(stderr.text).toBe(`\r\u001b[K0:00 RUNNING  [=====>${" ".repeat(14)}]  25%  0 rows  0B  0 rows/s  0 nodes\r\u001b[K`);
  });

  it("a cancelled statement is told, and the next one runs", async () => {
    const { stderr, runner, network } = setUp((request, index) => {
      if (request.method === "DELETE") {
        return { status: 204, headers: {}, body: new Uint8Array(0) };
      }
      return index === 0
        ? json(results({ nextUri: nextUri(1), columns: [columnN] }))
        : request.method === "POST"
          ? three
          : new Promise(() => undefined);
    });
    const running = runner.run("select n", { format: "CSV" });
    while (network.requests.length < 2) {
      await Promise.resolve();
    }
    expect(runner.isRunning).toBe(true);
    runner.cancel();
    expect(await running).toBe("CANCELED");
    expect(stderr.text).toBe("Query q1 was canceled\n");
    expect(await runner.run("select n", { format: "CSV" })).toBe("FINISHED");
  });
});

describe("figures", () => {
  it.each([
    [0, "0", "0B"],
    [999, "999", "999B"],
    [1000, "1K", "1000B"],
    [1536, "1.54K", "1.5kB"],
    [75_300, "75.3K", "73.5kB"],
    [1_200_000_000, "1.2B", "1.12GB"],
  ])("%d is %s rows, %s", (value, count, size) => {
    expect(countText(value)).toBe(count);
    expect(sizeText(value)).toBe(size);
  });

  it("a line of progress is never as wide as the terminal", () => {
    for (const width of [20, 40, 80, 200]) {
      expect(progressLine(results({ nextUri: nextUri(1) }), 61_000, width).length).toBeLessThan(width);
    }
  });
});
