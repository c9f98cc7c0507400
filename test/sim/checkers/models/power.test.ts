/**
 * The models speak in whole runs: nodes misbehave between their handler and the network, one bug at a time, and the model whose contract is
 * broken reports it within a few seeds.
 */
import { describe, expect, it } from "vitest";
import { drawRun } from "../../../../sim/draw/draw.ts";
import { runPlan } from "../../../../sim/run.ts";
import { SharedState } from "../../../../sim/shared.ts";
import { calmLink } from "../../../../sim/world/fates.ts";
import type { Sabotage } from "../../../../sim/world/network.ts";
import type { Headers, HttpRequest, HttpResponse } from "../../../../src/ports/network.ts";
import { decodeUtf8, encodeUtf8 } from "../../../../src/types/utf8.ts";

const shared = new SharedState();
const seedsMax = 12;

function answers(change: (request: HttpRequest, response: HttpResponse) => HttpResponse): Sabotage {
  return (handler) => async (request, context) => change(request, await handler(request, context));
}

function isStatement({ url }: HttpRequest): boolean {
  return url.startsWith("/v1/statement/");
}

function withHeaders(response: HttpResponse, more: Headers): HttpResponse {
  return { ...response, headers: { ...response.headers, ...more } };
}

function withText(response: HttpResponse, change: (text: string) => string): HttpResponse {
  return { ...response, body: encodeUtf8(change(decodeUtf8(response.body))) };
}

/** The coordinator takes every slug for the right one. */
const anySlug: Sabotage = (handler) => {
  const slugs = new Map<string, string>();
  return async (request, context) => {
    const id = request.url.split(/[/?]/)[3] ?? "";
    const slug = slugs.get(id);
    const changed = slug === undefined ? request : { ...request, url: request.url.replace(/slug=[^&]+/, `slug=${slug}`) };
    const response = await handler(changed, context);
    const [, of = "", told = ""] = /\/v1\/statement\/([^/]+)\/\d+\?slug=(\w+)/.exec(decodeUtf8(response.body)) ?? [];
    slugs.set(of, told);
    return response;
  };
};

/** A worker answers every poll of a task's status at once. */
const impatient: Sabotage = (handler) => (request, context) => {
  const { "x-engine-max-wait": _, ...headers } = request.headers;
  return handler(request.url.endsWith("/status") ? { ...request, headers } : request, context);
};

const bugs: readonly (readonly [string, string, Sabotage])[] = [
  ["statement-tokens", "any slug is good", anySlug],
  [
    "statement-tokens",
    "a cancel is answered with 200",
    answers((request, response) => (request.method === "DELETE" && isStatement(request) ? { ...response, status: 200 } : response)),
  ],
  [
    "statement-documents",
    "an empty data array is sent",
    answers((request, response) =>
      isStatement(request) && response.status === 200
        ? withText(response, (text) => (text.includes('"data"') ? text : text.replace(/\}$/, ',"data":[]}')))
        : response,
    ),
  ],
  [
    "statement-documents",
    "the content type has a charset",
    answers((request, response) =>
      isStatement(request) && response.status === 200
        ? withHeaders(response, { "content-type": "application/json; charset=utf-8" })
        : response,
    ),
  ],
  [
    "session-headers",
    "another user's prepared statement comes along",
    answers((request, response) =>
      isStatement(request) && response.status === 200 ? withHeaders(response, { "x-engine-added-prepare": "q9=SELECT+9" }) : response,
    ),
  ],
  ["long-polls", "a task's status is answered at once", impatient],
  [
    "rights",
    "the query list tells slugs",
    (handler) => {
      let slug = "";
      return async (request, context) => {
        const response = await handler(request, context);
        slug = /slug=(\w+)/.exec(decodeUtf8(response.body))?.[1] ?? slug;
        return request.url === "/v1/query"
          ? withText(response, (text) => text.replace('"queryId"', `"slug":"${slug}","queryId"`))
          : response;
      };
    },
  ],
];

describe("the models in whole runs", () => {
  it.each(bugs)("%s: %s", async (model, _, sabotage) => {
    const spoke = new Set<string>();
    for (let seed = 1; seed <= seedsMax && !spoke.has(model); seed++) {
      const plan = { ...drawRun(String(seed)), faults: [], link: calmLink, points: {} };
      const stopAt = ({ oracle }: { readonly oracle: string }): boolean => oracle === model;
      for (const { oracle } of (await runPlan(plan, { shared, sabotage, stopAt })).violations) {
        spoke.add(oracle);
      }
    }
    expect([...spoke]).toContain(model);
  });
});
