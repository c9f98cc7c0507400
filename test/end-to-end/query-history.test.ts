/**
 * The history of queries over the end of a server: one that was killed shows, after its restart, the queries that had ended.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type RunningServer, runProgram, startServer } from "../support/programs/server-process.ts";

const folder = mkdtempSync(join(tmpdir(), "orrery-history-"));
const environment = { ORRERY_QUERY_HISTORY_ENABLED: "true", ORRERY_QUERY_HISTORY_DIRECTORY: folder };

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Listed {
  readonly queryId: string;
  readonly state: string;
  readonly query: string;
  readonly errorCode?: { readonly name: string };
}

/** What the index files on the disk hold. */
function written(): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".index"));
  return files.map((name) => readFileSync(join(folder, name), "latin1")).join("");
}

async function listed(server: RunningServer): Promise<readonly Listed[]> {
  const response = await fetch(`${server.uri}/v1/query?limit=10&sort=createTime&source=orrery-cli`);
  // Addresses are of the server that answers.
  return ((await response.json()) as (Listed & { readonly self: string })[]).map(({ self, ...query }) => {
    expect(self).toBe(`${server.uri}/v1/query/${query.queryId}`);
    return query;
  });
}

it("has the queries that ended before the process was killed, with their errors", async () => {
  const first = await startServer(["--workers", "1"], { environment });
  await runProgram("cli", ["--server", first.uri, "--execute", "SELECT 41 + 1 AS answer"]);
  await runProgram("cli", ["--server", first.uri, "--execute", "SELECT nosuch"]);
  await expect
    .poll(async () => (await fetch(`${first.uri}/v1/query?limit=10`)).headers.get("x-total-count"), { timeout: 60_000 })
    .toBe("2");
  const before = await listed(first);
  await expect.poll(() => before.every(({ queryId }) => written().includes(queryId)), { timeout: 60_000 }).toBe(true);
  first.kill("SIGKILL");
  await first.ended;
  const second = await startServer(["--workers", "1"], { environment });
  try {
    await expect.poll(() => listed(second), { timeout: 60_000 }).toEqual(before);
    expect(before.map(({ query, state, errorCode }) => [query, state, errorCode?.name])).toEqual([
      ["SELECT 41 + 1 AS answer", "FINISHED", undefined],
      ["SELECT nosuch", "FAILED", "COLUMN_NOT_FOUND"],
    ]);
    const detail = (await (await fetch(`${second.uri}/v1/query/${before[0]?.queryId}`)).json()) as {
      readonly fieldNames: readonly string[];
    };
    expect(detail.fieldNames).toEqual(["answer"]);
    const counted = "SELECT count(*) FROM system.runtime.queries WHERE source = 'orrery-cli' AND state <> 'RUNNING'";
    const { output } = await runProgram("cli", ["--server", second.uri, "--execute", counted]);
    expect(output.trim()).toBe('"2"');
  } finally {
    second.kill("SIGKILL");
    await second.ended;
  }
});
