import { describe, expect, it } from "vitest";
import type { HttpMethod, HttpResponse, RequestContext } from "../../../src/ports/network.ts";
import { QueryError } from "../../../src/protocol/errors.ts";
import {
  HttpError,
  bareRequest,
  createRouter,
  emptyResponse,
  jsonResponse,
  responseText,
  route,
  textResponse,
} from "../../../src/protocol/http/http.ts";

const context: RequestContext = {
  remoteAddress: "127.0.0.1:1",
  baseUri: "http://node:1",
  isAborted: () => false,
  onAbort: () => undefined,
};

function router(unexpected: unknown[] = []) {
  return createRouter(
    [
      route("GET", "/v1/task", () => jsonResponse(200, [])),
      route("GET", "/v1/task/{taskId}", (request) =>
        jsonResponse(200, { ...request.parameters, query: request.query }, { pretty: request.pretty }),
      ),
      route("DELETE", "/v1/task/{taskId}", () => emptyResponse(204)),
      route("GET", "/v1/task/{taskId}/results/{bufferId}/{token}", (request) => jsonResponse(200, request.parameters)),
      route("GET", "/refused", () => {
        throw new HttpError(409, "Query already exists", { "retry-after": "1" });
      }),
      route("GET", "/missing", () => {
        throw new QueryError("NOT_FOUND", "No such buffer");
      }),
      route("GET", "/bug", async () => {
        throw new Error("boom");
      }),
    ],
    { onUnexpected: (error) => unexpected.push(error) },
  );
}

function ask(method: HttpMethod, url: string, unexpected: unknown[] = []): Promise<HttpResponse> {
  return router(unexpected).handle(bareRequest(method, url), context);
}

describe("router", () => {
  it("binds and decodes the names of a pattern and the query parameters", async () => {
    expect(JSON.parse(responseText(await ask("GET", "/v1/task/q.1.2/results/3/4")))).toEqual({
      taskId: "q.1.2",
      bufferId: "3",
      token: "4",
    });
    const decoded = await ask("GET", "/v1/task/a%20b%2Fc?x=1+2&x=9&y=%C3%A9&flag");
    expect(JSON.parse(responseText(decoded))).toEqual({ taskId: "a b/c", query: { x: "1 2", y: "é", flag: "" } });
  });

  it("accepts the absolute form of a request target and a trailing slash", async () => {
    expect((await ask("GET", "http://127.0.0.1:8080/v1/task/t?x=1")).status).toBe(200);
    expect((await ask("DELETE", "http://127.0.0.1:8080/v1/task/t")).status).toBe(204);
    expect(responseText(await ask("GET", "/v1/task/"))).toBe("[]");
  });

  it("answers JSON with exactly application/json, indented on ?pretty", async () => {
    const answer = await ask("GET", "/v1/task/t?pretty");
    expect(answer.headers).toEqual({ "content-type": "application/json", "x-content-type-options": "nosniff" });
    expect(responseText(answer)).toContain('\n  "taskId": "t"');
  });

  it("says in plain text what is wrong with a path or a method", async () => {
    const missing = await ask("GET", "/v1/nothing");
    expect([missing.status, missing.headers["content-type"], responseText(missing)]).toEqual([
      404,
      "text/plain",
      "No resource at /v1/nothing",
    ]);
    const wrong = await ask("PUT", "/v1/task/t");
    expect([wrong.status, wrong.headers["allow"]]).toEqual([405, "GET, DELETE"]);
    expect((await ask("GET", "/v1/task/%zz")).status).toBe(400);
  });

  it("answers HEAD where GET is known, without a body", async () => {
    const answer = await ask("HEAD", "/v1/task");
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  it("turns declared errors into their status and a bug into a 500 that someone hears of", async () => {
    const refused = await ask("GET", "/refused");
    expect([refused.status, responseText(refused), refused.headers["retry-after"]]).toEqual([409, "Query already exists", "1"]);
    expect((await ask("GET", "/missing")).status).toBe(404);
    const unexpected: unknown[] = [];
    expect((await ask("GET", "/bug", unexpected)).status).toBe(500);
    expect(unexpected).toHaveLength(1);
  });

  it("keeps text/plain without a charset", () => {
    expect(textResponse(400, "é").headers["content-type"]).toBe("text/plain");
  });
});
