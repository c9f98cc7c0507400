/**
 * Sends random requests to a real cluster in this process, and judges the answers: an answer within the time, no status 500, and nothing of
 * the program in it, such as a path of the machine or a stack. After some requests the cluster must still answer a statement.
 */
import { connect } from "node:net";
import { type LoopbackCluster, startLoopbackCluster } from "../../../support/loopback-cluster.ts";
import { Asker } from "../../../support/service.ts";
import { Random } from "../random.ts";
import { drawRequest, type FuzzedRequest, smallerRequests, textOf } from "./requests.ts";

/** Longer than any wait that a request may ask for. */
const answerMsMax = 10_000;
const checkedEvery = 100;
const smallerMax = 200;

/** A path of the machine, or a line of a stack. */
const leak = /(?:^|[\s"'(])\/(?:home|root|tmp|usr|var|work)\/\S|node_modules|\bat \S+ \(?\S+\.(?:ts|js):\d+/;

export interface HttpFailure {
  readonly number: number;
  readonly request: FuzzedRequest;
  readonly what: string;
}

export interface HttpFuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly from: number;
  readonly isOver?: () => boolean;
  readonly onProgress?: (requests: number) => void;
}

export interface HttpFuzzed {
  readonly requests: number;
  readonly failures: readonly HttpFailure[];
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<string, number>;
}

function answerTo(uri: string, text: string): Promise<string | undefined> {
  const { hostname, port } = new URL(uri);
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(undefined);
    }, answerMsMax);
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => {
      answer += part;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(answer);
    });
    socket.write(text, "latin1");
  });
}

/** What is wrong with an answer; undefined if nothing is. */
export function judge(answer: string | undefined): string | undefined {
  if (answer === undefined) {
    return `no answer within ${answerMsMax} ms`;
  }
  const status = statusOf(answer);
  if (status === "none") {
    return `not HTTP: ${JSON.stringify(answer.slice(0, 200))}`;
  }
  if (status === "500") {
    return `status 500: ${answer.slice(-200)}`;
  }
  if (answer.includes("GENERIC_INTERNAL_ERROR")) {
    return `an internal error: ${answer.slice(-400)}`;
  }
  const found = leak.exec(answer);
  return found === null ? undefined : `tells of the program: ${answer.slice(found.index, found.index + 200)}`;
}

function statusOf(answer: string): string {
  return /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? "none";
}

/** The smallest request found that fails as the given one. */
async function shrink(uri: string, given: HttpFailure): Promise<HttpFailure> {
  let smallest = given;
  for (let tried = 0; tried < smallerMax; ) {
    let next: HttpFailure | undefined;
    for (const request of smallerRequests(smallest.request)) {
      tried++;
      const what = judge(await answerTo(uri, textOf(request)));
      if (what !== undefined && what.slice(0, 12) === given.what.slice(0, 12)) {
        next = { ...given, request, what };
        break;
      }
    }
    if (next === undefined) {
      break;
    }
    smallest = next;
  }
  return smallest;
}

async function requireAnswers(cluster: LoopbackCluster): Promise<void> {
  const { rows } = await new Asker(cluster, { "x-engine-user": "fuzz" }).answer("SELECT count(*) FROM tpch.tiny.nation");
  if (rows[0]?.[0] !== 25) {
    throw new Error(`the cluster answers ${JSON.stringify(rows)}`);
  }
}

export async function fuzzHttp({ seed, requests, from, isOver, onProgress }: HttpFuzzOptions): Promise<HttpFuzzed> {
  const cluster = await startLoopbackCluster({ workers: 1 });
  const uri = cluster.httpUri as string;
  const failures: HttpFailure[] = [];
  const statuses = new Map<string, number>();
  let sent = 0;
  try {
    for (let number = from; number < from + requests && isOver?.() !== true; number++) {
      const request = drawRequest(new Random(seed, number));
      const answer = await answerTo(uri, textOf(request));
      const status = answer === undefined ? "none" : statusOf(answer);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const what = judge(answer);
      if (what !== undefined) {
        failures.push(await shrink(uri, { number, request, what }));
      }
      sent++;
      if (sent % checkedEvery === 0) {
        await requireAnswers(cluster);
        onProgress?.(sent);
      }
    }
    await requireAnswers(cluster);
  } finally {
    await cluster.stop();
  }
  return { requests: sent, failures, statuses };
}
