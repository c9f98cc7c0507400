/**
 * The vocabulary of faults means the same at the door of a simulated cluster and of a real server: the same tests run against both, over
 * real connections.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, type ChaosWorld, type Seen, worlds } from "./worlds.ts";

interface Document {
  readonly id: string;
  readonly nextUri?: string;
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly errorName: string };
}

interface ChaosDocument {
  readonly seed: string;
  /** Time of the cluster. */
  readonly seconds: number;
  readonly workers: readonly string[];
  readonly rules: readonly {
    readonly id: string;
    readonly fault: string;
    readonly hits: number;
    readonly matches: number;
    readonly over: boolean;
  }[];
  readonly landed: readonly {
    readonly rule: string;
    readonly fault: string;
    readonly path: string;
    readonly queryId?: string;
    readonly node?: string;
  }[];
}

const twentyFive = "SELECT nationkey FROM tpch.tiny.nation ORDER BY 1";
const manyRows = "SELECT * FROM tpch.tiny.lineitem";

describe.each(worlds)("chaos, $name", ({ start }) => {
  let world: ChaosWorld;

  beforeAll(async () => {
    world = await start();
  });

  afterAll(() => world.stop());

  afterEach(async () => {
    await ask(`${world.uri}/v1/chaos`, { method: "DELETE" });
  });

  const chaos = async (...rules: readonly object[]): Promise<void> => {
    const answer = await ask(`${world.uri}/v1/chaos`, { body: JSON.stringify(rules) });
    expect(answer).toMatchObject({ kind: "answer", status: 200 });
  };
  const state = async (): Promise<ChaosDocument> => documentOf(await ask(`${world.uri}/v1/chaos`)) as unknown as ChaosDocument;
  const submit = (sql = twentyFive, headers: Record<string, string> = {}, patienceMs?: number): Promise<Seen> =>
    ask(`${world.uri}/v1/statement`, { body: sql, headers, ...(patienceMs === undefined ? {} : { patienceMs }) });

  /** Follows a statement like a client that repeats what fails on the way. */
  const read = async (first: Seen): Promise<{ readonly rows: number; readonly pages: number; readonly error: string | undefined }> => {
    let rows = 0;
    let pages = 0;
    if (first.kind !== "answer") {
      return { rows, pages, error: first.kind };
    }
    let document = documentOf(first);
    for (;;) {
      rows += document.data?.length ?? 0;
      pages += (document.data?.length ?? 0) > 0 ? 1 : 0;
      if (document.nextUri === undefined) {
        return { rows, pages, error: document.error?.errorName };
      }
      const next = document.nextUri;
      let answer = await ask(next);
      while (answer.kind !== "answer" || answer.status >= 500) {
        answer = await ask(next);
      }
      if (answer.status !== 200) {
        return { rows, pages, error: String(answer.status) };
      }
      document = documentOf(answer);
    }
  };

  it("answers with a status of the rule's choice, and the cluster never sees the request", async () => {
    await chaos({ fault: "status", status: 429, retryAfterSeconds: 3, body: "slow down", on: "submit", times: 2 });
    for (let index = 0; index < 2; index++) {
      const answer = await submit();
      expect(answer).toMatchObject({ kind: "answer", status: 429, text: "slow down", headers: { "retry-after": "3" } });
    }
    expect(await read(await submit())).toMatchObject({ rows: 25, error: undefined });
    expect((await state()).rules).toMatchObject([{ fault: "status", hits: 2, matches: 2, over: true }]);
  });

  it("answers 503 with Retry-After, and 410 to a poll", async () => {
    await chaos({ fault: "overloaded", on: "submit", nth: 1 });
    expect(await submit()).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    const first = await submit();
    await chaos({ fault: "gone", times: 1 });
    expect(await ask(documentOf(first).nextUri ?? "")).toMatchObject({ status: 410 });
    expect(await read(first)).toMatchObject({ rows: 25, error: undefined });
  });

  it("delays a request, and its answer", async () => {
    await chaos(
      { fault: "delay", delayMs: 400, on: "submit", nth: 1 },
      { fault: "delay", delayMs: 400, part: "answer", on: "submit", nth: 2 },
    );
    for (let index = 0; index < 2; index++) {
      const before = (await state()).seconds;
      expect(await submit()).toMatchObject({ status: 200 });
      expect((await state()).seconds - before).toBeGreaterThanOrEqual(0.39);
    }
  });

  it("resets a connection before the request, after it, and in the middle of the body", async () => {
    await chaos(
      { fault: "reset", part: "request", on: "submit", nth: 1 },
      { fault: "reset", part: "answer", on: "submit", nth: 2 },
      { fault: "reset", on: "submit", nth: 3 },
    );
    const user = { "x-trino-user": "resets" };
    expect(await submit("SELECT 1", user)).toEqual({ kind: "broken", bytes: 0, length: undefined });
    expect(await submit("SELECT 2", user)).toEqual({ kind: "broken", bytes: 0, length: undefined });
    expect(await submit("SELECT 3", user)).toMatchObject({ kind: "broken" });
    // The cluster has executed the last two.
    const { text } = (await ask(`${world.uri}/v1/query?user=resets`)) as Extract<Seen, { kind: "answer" }>;
    expect(["SELECT 1", "SELECT 2", "SELECT 3"].filter((sql) => text.includes(`"${sql}"`))).toEqual(["SELECT 2", "SELECT 3"]);
  });

  it("cuts the JSON of a complete message", async () => {
    await chaos({ fault: "truncated", on: "submit", nth: 1 });
    const answer = await submit();
    expect(answer).toMatchObject({ kind: "answer", status: 200 });
    expect(() => documentOf(answer)).toThrow(SyntaxError);
  });

  it("leaves a connection silent", async () => {
    await chaos({ fault: "never-answered", on: "submit", nth: 1 });
    expect(await submit(twentyFive, {}, 150)).toEqual({ kind: "silent" });
    expect(await read(await submit())).toMatchObject({ rows: 25 });
  });

  it("executes a request twice, or sends its answer twice", async () => {
    await chaos({ fault: "duplicated", on: "submit", nth: 1 }, { fault: "duplicated", part: "answer", on: "submit", nth: 2 });
    const user = { "x-trino-user": "twice" };
    const first = await submit("SELECT 'executed twice'", user);
    expect(first).toMatchObject({ status: 200 });
    const { text } = (await ask(`${world.uri}/v1/query?user=twice`)) as Extract<Seen, { kind: "answer" }>;
    expect(text.split(`"SELECT 'executed twice'"`).length - 1).toBe(2);
    // The first copy is a whole answer; what follows it is no business of its reader.
    expect((await submit("SELECT 'sent twice'", user)).kind).toMatch(/answer|broken/);
  });

  it("kills a worker when the third page of a query has been sent", async () => {
    const worker = world.workers[1] as string;
    await chaos({ fault: "worker-killed", worker, page: 3, times: 1 });
    const { pages, error, rows } = await read(await submit(manyRows));
    const { landed } = await state();
    expect(landed.at(-1)).toMatchObject({ fault: "worker-killed", node: worker, path: "page 3" });
    expect(pages).toBeGreaterThanOrEqual(3);
    // What the worker had produced may have left it before.
    expect(error ?? rows).toSatisfy((end) => end === 60_175 || /REMOTE_|NO_NODES|PAGE_TRANSPORT/.test(String(end)));
    await ask(`${world.uri}/v1/chaos`, { method: "DELETE" });
    expect(await untilGood(async () => read(await submit()))).toMatchObject({ rows: 25 });
  });

  it("kills a worker that the seed draws, the same each time", async () => {
    await chaos({ fault: "worker-killed", now: true });
    const { landed, seed } = await state();
    expect(seed).toBe("7");
    expect(world.workers).toContain(landed.at(-1)?.node);
    expect(await untilGood(async () => read(await submit()))).toMatchObject({ rows: 25 });
  });

  it("restarts the coordinator, which forgets its queries", async () => {
    await chaos({ fault: "coordinator-restarted", page: 1, times: 1 });
    expect(await read(await submit(manyRows))).toMatchObject({ error: "404" });
    expect((await state()).landed.at(-1)).toMatchObject({ fault: "coordinator-restarted", path: "page 1" });
    expect(await untilGood(async () => read(await submit()))).toMatchObject({ rows: 25 });
    await chaos({ fault: "coordinator-restarted", on: "submit", nth: 1 });
    expect(await submit()).toMatchObject({ kind: "broken" });
    expect(await untilGood(async () => read(await submit()))).toMatchObject({ rows: 25 });
  });

  it("matches by user, source, method and query, also polls that do not name their user", async () => {
    await chaos({ fault: "status", status: 502, user: "alice", source: "dbt", on: "poll", times: 1 });
    const other = await submit(twentyFive, { "x-trino-user": "alice", "x-trino-source": "other" });
    expect(await ask(documentOf(other).nextUri ?? "")).toMatchObject({ status: 200 });
    const hers = await submit(twentyFive, { "x-trino-user": "alice", "x-trino-source": "dbt" });
    expect(await ask(documentOf(hers).nextUri ?? "")).toMatchObject({ status: 502 });
    const third = documentOf(await submit());
    await chaos({ fault: "status", status: 418, queryId: third.id, method: "DELETE" });
    expect(await ask(third.nextUri ?? "")).toMatchObject({ status: 200 });
    expect(await ask(third.nextUri ?? "", { method: "DELETE" })).toMatchObject({ status: 418 });
  });

  it("draws a share of the requests from the seed: the same rules hit the same requests", async () => {
    const patternOf = async (): Promise<string> => {
      const marks: string[] = [];
      for (let index = 0; index < 24; index++) {
        marks.push((await ask(`${world.uri}/v1/statement/none/1`)).kind === "answer" ? "." : "x");
      }
      return marks.join("");
    };
    const rule = { fault: "reset", part: "request", on: "poll", percent: 50 };
    await chaos(rule);
    const pattern = await patternOf();
    expect(pattern).toMatch(/x/);
    expect(pattern).toMatch(/\./);
    const { rules } = await state();
    expect(rules.at(-1)?.hits).toBe(pattern.split("x").length - 1);
  });

  it("takes rules from a header, for the query of the request alone, across its retries", async () => {
    const headers = { "x-orrery-chaos": "overloaded;on=submit;times=2, status;status=504;on=poll;nth=1" };
    expect(await submit(twentyFive, headers)).toMatchObject({ status: 503 });
    expect(await submit(twentyFive, headers)).toMatchObject({ status: 503 });
    const first = await submit(twentyFive, headers);
    expect(first).toMatchObject({ status: 200 });
    expect(await ask(documentOf(first).nextUri ?? "")).toMatchObject({ status: 504 });
    expect(await read(first)).toMatchObject({ rows: 25 });
    expect(await read(await submit())).toMatchObject({ rows: 25 });
    expect(await submit(twentyFive, { "x-orrery-chaos": "slow" })).toMatchObject({
      status: 400,
      text: expect.stringContaining("Fault 'slow' is not known; one of: status,") as string,
    });
  });

  it("ends a rule after its time", async () => {
    await chaos({ fault: "status", status: 500, expiresSeconds: 0.001, on: "submit" });
    await chaos({ fault: "delay", delayMs: 50, on: "other", method: "HEAD" });
    await ask(`${world.uri}/v1/info`, { method: "HEAD" });
    expect(await submit()).toMatchObject({ status: 200 });
    expect((await state()).rules[0]).toMatchObject({ hits: 0, over: true });
  });

  it.each([
    [{ fault: "nothing" }, "Fault 'nothing' is not known; one of: status, overloaded,"],
    [{}, "A rule needs a 'fault'"],
    [{ fault: "status", status: 99 }, "status: 'status'"],
    [{ fault: "status", status: 500, sometimes: true }, "sometimes"],
    [{ fault: "delay" }, "delay: 'delayMs'"],
    [{ fault: "reset", percent: 101 }, "reset: 'percent'"],
    [{ fault: "worker-killed", worker: "nobody" }, "no worker of this process is called 'nobody'; one of: "],
    [{ fault: "worker-killed", page: 1, now: true }, "give either 'page' or 'now'"],
  ])("refuses the rule %j", async (rule, message) => {
    const answer = await ask(`${world.uri}/v1/chaos`, { body: JSON.stringify(rule) });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(message) as string });
  });

  it("removes one rule, and all", async () => {
    await chaos({ fault: "overloaded", on: "submit" }, { fault: "gone", user: "nobody" });
    const { rules } = await state();
    expect(await ask(`${world.uri}/v1/chaos/${rules[0]?.id ?? ""}`, { method: "DELETE" })).toMatchObject({ status: 204 });
    expect(await ask(`${world.uri}/v1/chaos/${rules[0]?.id ?? ""}`, { method: "DELETE" })).toMatchObject({ status: 404 });
    expect((await state()).rules).toHaveLength(1);
    expect(await submit()).toMatchObject({ status: 200 });
    expect(await ask(`${world.uri}/v1/chaos`, { method: "PUT", body: "{}" })).toMatchObject({ status: 405 });
    await ask(`${world.uri}/v1/chaos`, { method: "DELETE" });
    expect((await state()).rules).toEqual([]);
  });

  it("advances the time of a simulated cluster only", async () => {
    const answer = await ask(`${world.uri}/v1/chaos/advance`, { body: '{"seconds": 5}' });
    if (world.isReal) {
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("Only the time of a simulated cluster") as string });
    } else {
      expect(documentOf(answer)).toMatchObject({ open: 0 });
    }
  });
});

function documentOf(seen: Seen): Document {
  if (seen.kind !== "answer") {
    throw new Error(`no answer: ${seen.kind}`);
  }
  return JSON.parse(seen.text) as Document;
}

/** Repeats a statement while the cluster recovers. */
async function untilGood<T extends { readonly error: string | undefined }>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await run();
    if (result.error === undefined) {
      return result;
    }
  }
}
