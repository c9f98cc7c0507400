/**
 * The checkers can fail: nodes misbehave between their handler and the network, one bug at a time, and a sweep of at most fifty seeds must
 * detect it through one of the expected checkers. The sources are not changed.
 */
import { describe, expect, it } from "vitest";
import { calmCluster, ms, reads, second, user } from "../../../scenarios/scenario.ts";
import type { Fault, RunPlan } from "../../../sim/plan.ts";
import { drawRun } from "../../../sim/draw/draw.ts";
import { calmLink } from "../../../sim/world/fates.ts";
import type { Sabotage } from "../../../sim/world/network.ts";
import { runPlan } from "../../../sim/run.ts";
import { SharedState } from "../../../sim/shared.ts";
import { splitFrames } from "../../../src/page/serde.ts";
import { joinFrames } from "../../support/frames.ts";
import type { HttpRequest, HttpResponse } from "../../../src/ports/network.ts";
import { decodeUtf8, encodeUtf8 } from "../../../src/types/utf8.ts";

const shared = new SharedState();
const seedsMax = 50;

interface Bug {
  readonly story: string;
  readonly sabotage: Sabotage;
  readonly oracles: readonly string[];
  readonly calm?: boolean;
  /** Runs every task again instead of a sample. */
  readonly everyTask?: boolean;
  /** Replaces the plan drawn from the seed. */
  readonly planned?: (seed: string) => RunPlan;
}

/** Statements throughout the run, and faults meanwhile. */
function withFaults(seed: string, ...faults: readonly Fault[]): RunPlan {
  const statements = Array.from({ length: 20 }, () => reads("SELECT count(*), sum(totalprice) FROM orders", 600 * ms));
  return calmCluster(seed, { users: [user("u1", statements)], faults, healNanos: 20 * second, nanosPerWorkUnit: 40 });
}

/** The checkers that reported violations in the first run with one. Without faults, an error counts as a violation, too. */
async function detectedBy({ sabotage, calm, everyTask, oracles, planned }: Bug): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let seed = 1; seed <= seedsMax; seed++) {
    const drawn = planned?.(String(seed)) ?? drawRun(String(seed));
    const plan = calm === true ? { ...drawn, faults: [], link: calmLink } : drawn;
    const stopAt = ({ oracle }: { readonly oracle: string }): boolean => oracles.includes(oracle);
    const { violations } = await runPlan(plan, { shared, sabotage, stopAt, ...(everyTask === true ? { oneTaskIn: 1 } : {}) });
    for (const { oracle } of violations) {
      found.add(oracle);
    }
    if (violations.some(stopAt)) {
      break;
    }
  }
  return [...found];
}

function answers(change: (request: HttpRequest, response: HttpResponse) => HttpResponse): Sabotage {
  return (handler) => async (request, context) => change(request, await handler(request, context));
}

/** Changes the JSON of successful responses whose address matches. */
function documents(pattern: RegExp, change: (document: Record<string, unknown>) => void): Sabotage {
  return answers((request, response) => {
    if (response.status !== 200 || request.method !== "GET" || !pattern.test(request.url)) {
      return response;
    }
    const document = JSON.parse(decodeUtf8(response.body)) as Record<string, unknown>;
    change(document);
    const body = encodeUtf8(JSON.stringify(document));
    return { ...response, headers: { ...response.headers, "content-length": String(body.length) }, body };
  });
}

const pages = /^\/v1\/task\/[^/]+\/results\/\d+\/\d+$/;
const statement = /^\/v1\/statement\//;

const bugs: readonly Bug[] = [
  {
    story: "a task's output seems empty and complete now and then",
    planned: withFaults,
    sabotage: (handler) => {
      let count = 0;
      return answers((request, response) => {
        const { headers } = response;
        return pages.test(request.url) && response.status === 200 && ++count % 5 === 0
          ? {
              status: 204,
              headers: {
                "x-engine-task-instance-id": headers["x-engine-task-instance-id"] ?? "",
                "x-engine-page-sequence-id": headers["x-engine-page-sequence-id"] ?? "",
                "x-engine-page-end-sequence-id": headers["x-engine-page-sequence-id"] ?? "",
                "x-engine-buffer-complete": "true",
              },
              body: new Uint8Array(0),
            }
          : response;
      })(handler, "");
    },
    oracles: ["results", "tables"],
  },
  {
    story: "a page is skipped now and then: the answer's last token is one too high",
    planned: withFaults,
    sabotage: (handler) => {
      let count = 0;
      return answers((request, response) => {
        const end = Number(response.headers["x-engine-page-end-sequence-id"]);
        return pages.test(request.url) && response.status === 200 && ++count % 5 === 0
          ? { ...response, headers: { ...response.headers, "x-engine-page-end-sequence-id": String(end + 1) } }
          : response;
      })(handler, "");
    },
    oracles: ["results", "tables", "delivery"],
  },
  {
    story: "the last row of a result is lost",
    sabotage: documents(statement, (document) => {
      if (Array.isArray(document["data"]) && document["data"].length > 1) {
        document["data"].pop();
      }
    }),
    oracles: ["results", "tables"],
  },
  {
    story: "a row of a result is doubled",
    sabotage: documents(statement, (document) => {
      if (Array.isArray(document["data"])) {
        document["data"].push(document["data"][0]);
      }
    }),
    oracles: ["results", "tables"],
  },
  {
    story: "a token is skipped in the nextUri chain",
    sabotage: documents(statement, (document) => {
      const { nextUri } = document;
      if (typeof nextUri === "string") {
        document["nextUri"] = nextUri.replace(/\/(\d+)\?/, (_, token: string) => `/${Number(token) + 1}?`);
      }
    }),
    oracles: ["statement-chain"],
  },
  {
    story: "the same token answers with other bytes the second time",
    sabotage: (handler) => {
      let count = 0;
      return documents(statement, (document) => {
        document["warnings"] = [];
        document["infoUri"] = `${String(document["infoUri"])}?again=${count++}`;
      })(handler, "");
    },
    oracles: ["statement-chain", "statement-documents", "statement-tokens"],
  },
  {
    story: "a FINISHED answer has a nextUri",
    sabotage: documents(statement, (document) => {
      document["nextUri"] ??= "http://c:8080/v1/statement/20260101_000000_00000_aaaaa/9?slug=x";
    }),
    oracles: ["statement-chain"],
  },
  {
    story: "a DELETE of a task is answered and forgotten",
    planned: withFaults,
    sabotage: (handler) => (request, context) => {
      const isDelete = request.method === "DELETE" && /^\/v1\/task\/[^/]+(\?.*)?$/.test(request.url);
      return handler(isDelete ? { ...request, method: "GET" } : request, context);
    },
    oracles: ["deleted-tasks"],
  },
  {
    story: "counters fade as if by half a minute",
    sabotage: documents(/^\/v1\/node$/, (nodes) => {
      for (const node of Object.values(nodes) as { recentRequests: number; recentSuccesses: number }[]) {
        node.recentRequests *= 0.6;
        node.recentSuccesses *= 0.6;
      }
    }),
    oracles: ["decay", "node-monitor"],
  },
  {
    story: "announcements of a restarted worker are ignored",
    sabotage: (handler, place) => {
      const incarnations = new Map<string, string>();
      return (request, context) => {
        if (place !== "c" || request.method !== "PUT" || !request.url.startsWith("/v1/announcement/")) {
          return handler(request, context);
        }
        const incarnation = /"life":"([^"]*)"/.exec(decodeUtf8(request.body))?.[1] ?? "";
        const known = incarnations.get(request.url) ?? incarnation;
        incarnations.set(request.url, known);
        return known === incarnation
          ? handler(request, context)
          : handler({ ...request, method: "GET", url: "/v1/service/presto" }, context);
      };
    },
    oracles: ["convergence"],
  },
  {
    story: "a document lacks a member",
    sabotage: documents(/^\/v1\/task\/[^/]+\/status$/, (document) => {
      delete document["state"];
    }),
    oracles: ["documents", "results", "tables"],
  },
  {
    story: "a worker answers 500 now and then",
    sabotage: (handler) => {
      let count = 0;
      return answers((request, response) =>
        pages.test(request.url) && ++count % 7 === 0 ? { status: 500, headers: {}, body: new Uint8Array(0) } : response,
      )(handler, "");
    },
    oracles: ["answers"],
  },
  {
    calm: true,
    everyTask: true,
    story: "the pages of an answer change places",
    sabotage: answers((request, response) => {
      const frames = pages.test(request.url) && response.status === 200 ? splitFrames(response.body) : [];
      return frames.length < 2 ? response : { ...response, body: joinFrames(frames.toReversed()) };
    }),
    oracles: ["data-plane", "results"],
  },
  {
    calm: true,
    story: "an answer with pages bears another task's instance id now and then",
    sabotage: (handler) => {
      let count = 0;
      return answers((request, response) =>
        pages.test(request.url) && ++count % 9 === 0
          ? { ...response, headers: { ...response.headers, "x-engine-task-instance-id": "0123456789abcdef" } }
          : response,
      )(handler, "");
    },
    oracles: ["delivery"],
  },
  {
    calm: true,
    story: "a task says that it gave fewer rows than before",
    sabotage: (handler) => {
      let count = 0;
      return documents(/^\/v1\/task\/[^/]+\/status$/, (document) => {
        document["outputPositions"] = Math.max(0, Number(document["outputPositions"]) - count++);
      })(handler, "");
    },
    oracles: ["statistics", "task-life"],
  },
  {
    calm: true,
    story: "a split is forgotten in what clients are told",
    sabotage: documents(statement, (document) => {
      const stats = document["stats"] as { totalSplits: number };
      stats.totalSplits += 1;
    }),
    oracles: ["statistics"],
  },
  {
    calm: true,
    story: "a query fails of a node that is well",
    sabotage: documents(statement, (document) => {
      const stats = document["stats"] as { state: string };
      if (stats.state === "FINISHED") {
        stats.state = "FAILED";
        delete document["data"];
        const message = "The node may have crashed or be unreachable: http://w1:8080";
        document["error"] = { message, errorName: "REMOTE_HOST_GONE", errorCode: 65558, errorType: "INTERNAL_ERROR" };
      }
    }),
    oracles: ["results"],
  },
  {
    calm: true,
    story: "a column has another type",
    sabotage: documents(statement, (document) => {
      const [column] = (document["columns"] ?? []) as { type: string }[];
      if (column !== undefined) {
        column.type = "varchar";
      }
    }),
    oracles: ["results"],
  },
  {
    story: "nobody is ever listed as failed",
    planned: (seed) => withFaults(seed, { kind: "partition", nodes: ["w2"], atNanos: 2 * second, untilNanos: 16 * second }),
    sabotage: answers((request, response) =>
      request.url === "/v1/node/failed" && response.status === 200 ? { ...response, body: encodeUtf8("[]") } : response,
    ),
    oracles: ["membership"],
  },
  {
    story: "the coordinator does not hear that a worker leaves",
    planned: (seed) => withFaults(seed, { kind: "shutdown", node: "w2", atNanos: 2 * second, untilNanos: 16 * second }),
    sabotage: (handler) => async (request, context) => {
      const isDeaf = request.method === "PUT" && request.url.startsWith("/v1/announcement/");
      const body = isDeaf ? encodeUtf8(decodeUtf8(request.body).replace("SHUTTING_DOWN", "ACTIVE")) : request.body;
      const response = await handler({ ...request, body }, context);
      return "x-engine-node-state" in response.headers
        ? { ...response, headers: { ...response.headers, "x-engine-node-state": "ACTIVE" } }
        : response;
    },
    oracles: ["membership"],
  },
  {
    calm: true,
    story: "a node that has started says that it is starting",
    sabotage: documents(/^\/v1\/info$/, (document) => {
      document["starting"] = true;
    }),
    oracles: ["ready"],
  },
];

describe("planted misbehaviour is found within fifty seeds", () => {
  it.each(bugs.map((bug) => [bug.story, bug] as const))("%s", async (_, bug) => {
    const { oracles } = bug;
    const found = await detectedBy(bug);
    expect(
      found.some((oracle) => oracles.includes(oracle)),
      `found by: ${found.join(", ")}`,
    ).toBe(true);
  });

  it("and without any, nothing is found", async () => {
    expect(await runPlan(drawRun("1"), { shared })).toMatchObject({ violations: [] });
  });
});
