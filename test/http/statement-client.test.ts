/**
 * The statement client with failures between it and a server: the rows are complete or the error is clear; no rows are lost or duplicated.
 */
import { describe, expect, it } from "vitest";
import { ClientError } from "../../src/client/requester.ts";
import { clientSession } from "../../src/client/session.ts";
import { StatementClient, type StatementRun } from "../../src/client/statement-client.ts";
import { ClientNetwork } from "../../src/client/http.ts";
import { stringifyJson } from "../../src/protocol/json.ts";
import { columnN, HastyClock, results } from "../unit/client/scripted.ts";
import {
  type Answer,
  type Arrived,
  answer,
  closeMsw,
  closeTransports,
  overMsw,
  overSockets,
  type Script,
  type Transport,
} from "./answers.ts";

closeTransports();
closeMsw();

const json = { "content-type": "application/json" };
const pages = [[[1], [2]], [[3]], [[4], [5], [6]]];
const rows = pages.flat();

/** A correct server: POST, then one page per token, FINISHED with the last. `uri` is known once the transport is. */
function wellBehaved(uri: () => string): (url: string) => Answer {
  const next = (token: number): string => `${uri()}/v1/statement/q1/${token}?slug=s`;
  return (url) => {
    const token = Number(/^\/v1\/statement\/q1\/(\d+)/.exec(url)?.[1] ?? 0);
    const document = results({
      columns: [columnN],
      ...(token === 0 ? {} : { data: pages[token - 1] ?? [] }),
      ...(token < pages.length ? { nextUri: next(token + 1) } : {}),
    });
    return answer(200, stringifyJson(document), json);
  };
}

interface Setup {
  readonly transport: Transport;
  readonly clock: HastyClock;
  readonly run: StatementRun;
}

type Open = (script: Script) => Promise<Transport>;

/** `fail` returns a replacement for the correct answer, or undefined. */
async function start(open: Open, fail: (arrived: Arrived, right: Answer) => Answer | undefined): Promise<Setup> {
  let uri = "";
  const right = wellBehaved(() => uri);
  const transport = await open((arrived) => fail(arrived, right(arrived.url)) ?? right(arrived.url));
  uri = transport.uri;
  const clock = new HastyClock();
  const client = new StatementClient({
    network: transport.network,
    clock,
    server: uri,
    session: clientSession("ada"),
    requestTimeoutMs: 20_000,
    submitTimeoutMs: 20_000,
    submitRetryMsMax: 2000,
    pollRetryMsMax: 300,
  });
  return { transport, clock, run: client.submit("SELECT n FROM t") };
}

async function outcome(run: StatementRun): Promise<unknown> {
  try {
    return await run.collect();
  } catch (error) {
    expect(error).toBeInstanceOf(ClientError);
    expect(run.state).toBe("FAILED");
    return error;
  }
}

const nodeHttp = (script: Script): Promise<Transport> => overSockets(script, () => new ClientNetwork());
const worlds: readonly (readonly [string, Open, readonly string[]])[] = [
  // msw cannot reset a connection.
  ["msw, Node's HTTP client", overMsw, ["reset"]],
  ["sockets, Node's HTTP client", nodeHttp, []],
  ["sockets, undici", (script) => overSockets(script), []],
];

const html = "<html><body><h1>502 Bad Gateway</h1></body></html>";

/** Transient failures: the request is repeated. */
const passing: Readonly<Record<string, (right: Answer) => Answer>> = {
  "503 with Retry-After": () => answer(503, "Server is overloaded, try again", { "content-type": "text/plain", "retry-after": "2" }),
  "503 without": () => answer(503),
  "429": () => answer(429, "slow down", { "retry-after": "1" }),
  "502 of a proxy": () => answer(502, html, { "content-type": "text/html" }),
  "504 of a proxy": () => answer(504, html, { "content-type": "text/html" }),
  reset: () => ({ kind: "reset" }),
  "a body cut short": (right) => ({ kind: "cut", headers: json, body: right.kind === "answer" ? right.body : "" }),
  "no answer within the deadline": () => ({ kind: "silence" }),
};

/** Malformed answers: a retry would not help, or might hide a bug. */
const senseless: Readonly<Record<string, (right: Answer) => Answer>> = {
  "an empty 200": () => answer(200, "", json),
  "truncated JSON": (right) => answer(200, right.kind === "answer" ? String(right.body).slice(0, 60) : "", json),
  "a login page": () => answer(200, "<html>Please log in</html>", { "content-type": "text/html" }),
  "JSON of something else": () => answer(200, '{"status":"ok"}', json),
  "a list": () => answer(200, "[]", json),
  "rows that are none": (right) =>
    answer(200, right.kind === "answer" ? String(right.body).replace(/"data":\[\[.*?\]\]|"columns"/, '"data":"many"') : "", json),
  "204": () => answer(204),
  "404 of a proxy": () => answer(404, html, { "content-type": "text/html" }),
  "500": () => answer(500, "Internal error", { "content-type": "text/plain" }),
  "401": () => answer(401, "", { "www-authenticate": "Basic" }),
};

describe.each(worlds)("over %s", (_name, open, without) => {
  const positions = [1, 2, 3];
  const possible = Object.entries(passing).filter(([name]) => !without.includes(name));

  it.each(possible)("%s once, at any read: the rows are complete", async (_trouble, make) => {
    for (const position of positions) {
      const { run, transport } = await start(open, ({ index }, right) => (index === position ? make(right) : undefined));
      expect(await outcome(run)).toEqual(rows);
      expect(run.state).toBe("FINISHED");
      expect(transport.arrived.map(({ method }) => method).join(" ")).toMatch(/^POST( GET){4,}$/);
    }
  });

  it.each(possible)("%s at every read from the second on: a clear error, and no end of data", async (_trouble, make) => {
    const { run } = await start(open, ({ index }, right) => (index >= 2 ? make(right) : undefined));
    const error = await outcome(run);
    expect(error).toMatchObject({ kind: expect.stringMatching(/^(UNREACHABLE|REFUSED)$/), message: expect.stringMatching(/\w/) });
  });

  it.each(Object.entries(senseless))("%s at any point: a clear error", async (_trouble, make) => {
    for (const position of [0, ...positions]) {
      const { run } = await start(open, ({ index }, right) => (index === position ? make(right) : undefined));
      const error = await outcome(run);
      expect(error).toMatchObject({ kind: expect.stringMatching(/^(BAD_ANSWER|REFUSED)$/), message: expect.stringMatching(/\w{3}/) });
    }
  });

  it("waits as long as Retry-After says", async () => {
    const { run, clock } = await start(open, ({ index }) => (index === 1 ? passing["503 with Retry-After"]?.(answer(200)) : undefined));
    expect(await outcome(run)).toEqual(rows);
    expect(clock.pausesMs).toEqual([2000]);
  });

  it("a submission is repeated only when the server cannot have taken it", async () => {
    for (const [trouble, make] of possible) {
      const { run, transport } = await start(open, ({ index }, right) => (index === 0 ? make(right) : undefined));
      const got = await outcome(run);
      const posts = transport.arrived.filter(({ method }) => method === "POST").length;
      if (trouble.startsWith("503") || trouble === "429") {
        expect(got, trouble).toEqual(rows);
        expect(posts, trouble).toBe(2);
      } else {
        expect(got, trouble).toMatchObject({ name: "ClientError" });
        expect(posts, trouble).toBe(1);
      }
    }
  });

  it("an answer of an earlier token, given again, adds no rows", async () => {
    let earlier: Answer | undefined;
    const { run } = await start(open, ({ index }, right) => {
      if (index === 1) {
        earlier = right;
      }
      return index === 2 ? earlier : undefined;
    });
    const got = await outcome(run);
    if (Array.isArray(got)) {
      expect(got).toEqual(rows);
    } else {
      expect(got).toMatchObject({ kind: "BAD_ANSWER" });
    }
  });

  it("an answer that was lost is given again with the same bytes, and counts once", async () => {
    const seen = new Set<string>();
    const { run, transport } = await start(open, ({ method, url }, right) => {
      if (method === "GET" && !seen.has(url)) {
        seen.add(url);
        return { kind: "cut", headers: json, body: right.kind === "answer" ? right.body : "" };
      }
      return undefined;
    });
    expect(await outcome(run)).toEqual(rows);
    expect(transport.arrived.length).toBe(1 + 2 * pages.length);
  });
});
