/** SIGSTOP of a worker process: its tasks run twice (speculative execution), or elsewhere, and the query ends while it is still stopped. */
import { expect, it } from "vitest";
import { Processes } from "../../bench/kills/processes.ts";
import { run, statementsOf } from "../../bench/kills/statements.ts";

it("a statement ends with all rows while a worker that has a part of them is stopped", { timeout: 120_000 }, async () => {
  const environment = {
    ORRERY_SPECULATIVE_EXECUTION_ENABLED: "true",
    ORRERY_OPTIMIZER_MIN_INPUT_ROWS_PER_TASK: "1000",
    ORRERY_LOG_LEVEL: "info",
    // Nothing else finds the stopped worker, and none is left out because the machine is busy.
    ORRERY_FAILURE_DETECTOR_HEARTBEAT_TIMEOUT: "2m",
    ORRERY_DISCOVERY_MAX_AGE: "10m",
  };
  const processes = await Processes.start({ policy: "TASK", journal: false, standby: false, environment });
  try {
    const stream = statementsOf("0.01").find(({ name }) => name === "stream");
    const sql = stream?.sql("") ?? [];
    const undisturbed = await run(processes.uri, sql);
    expect(undisturbed).toMatchObject({ error: undefined, digest: expect.stringMatching(/^60\d{3} /) as string });
    expect(processes.log).not.toContain("task-runs-again");
    // The coordinator has not noticed it when it places the tasks. Nobody lets the worker go on.
    processes.signalWorker("worker-2", "SIGSTOP");
    const { digest, error } = await run(processes.uri, sql);
    expect([error, digest]).toEqual([undefined, undisturbed.digest]);
    expect(processes.log).toContain("task-replaced");
  } finally {
    await processes.stop();
  }
});

it("tasks that read others leave a worker that is stopped, and nothing of it comes back", { timeout: 120_000 }, async () => {
  const environment = {
    ORRERY_OPTIMIZER_MIN_INPUT_ROWS_PER_TASK: "1000",
    ORRERY_LOG_LEVEL: "info",
    ORRERY_TASK_RETRY_UNRESPONSIVE_TIMEOUT: "2s",
    ORRERY_DISCOVERY_MAX_AGE: "10m",
  };
  const processes = await Processes.start({ policy: "TASK", journal: false, standby: false, environment });
  try {
    const sql =
      statementsOf("0.01")
        .find(({ name }) => name === "join")
        ?.sql("") ?? [];
    const undisturbed = await run(processes.uri, sql);
    expect(undisturbed.error).toBeUndefined();
    processes.signalWorker("worker-2", "SIGSTOP");
    const left = await run(processes.uri, sql);
    expect([left.error, left.digest]).toEqual([undefined, undisturbed.digest]);
    expect(processes.log).toMatch(/node-unresponsive.*worker-2/);
    // Its old tasks go on for a moment, beside a query that has new ones there.
    processes.signalWorker("worker-2", "SIGCONT");
    await processes.complete();
    const again = await run(processes.uri, sql);
    expect([again.error, again.digest]).toEqual([undefined, undisturbed.digest]);
  } finally {
    await processes.stop();
  }
});
