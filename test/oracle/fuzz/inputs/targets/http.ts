/**
 * Sends random requests to a real cluster in this process, and judges the answers: an answer within the time, no status 500, and nothing of
 * the program in it, such as a path of the machine or a stack. After some requests the cluster must still answer a statement.
 */
import { connect } from "node:net";
import { type LoopbackCluster, startLoopbackCluster } from "../../../../support/loopback-cluster.ts";
import { Asker } from "../../../../support/service.ts";
import { type Fault, type FuzzTarget, leakIn, type Verdict } from "../target.ts";
import { drawRequest, type FuzzedRequest, smallerRequests, textOf } from "./http-requests.ts";

/** Longer than any wait that a request may ask for. */
const answerMsMax = 10_000;

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
export function judge(answer: string | undefined): Fault | undefined {
  if (answer === undefined) {
    return { kind: "no answer", detail: `within ${answerMsMax} ms` };
  }
  const status = statusOf(answer);
  if (status === "none") {
    return { kind: "not HTTP", detail: JSON.stringify(answer.slice(0, 200)) };
  }
  if (status === "500") {
    return { kind: "status 500", detail: answer.slice(-200) };
  }
  if (answer.includes("GENERIC_INTERNAL_ERROR")) {
    return { kind: "an internal error", detail: answer.slice(-400) };
  }
  return leakIn(answer);
}

function statusOf(answer: string): string {
  return /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? "none";
}

class HttpTarget implements FuzzTarget<FuzzedRequest> {
  readonly #cluster: LoopbackCluster;

  constructor(cluster: LoopbackCluster) {
    this.#cluster = cluster;
  }

  readonly draw = drawRequest;
  readonly smaller = smallerRequests;
  readonly show = textOf;

  async run(request: FuzzedRequest): Promise<Verdict> {
    const answer = await answerTo(this.#cluster.httpUri as string, textOf(request));
    const fault = judge(answer);
    return { outcome: answer === undefined ? "none" : statusOf(answer), ...(fault !== undefined && { fault }) };
  }

  async check(): Promise<void> {
    const { rows } = await new Asker(this.#cluster, { "x-engine-user": "fuzz" }).answer("SELECT count(*) FROM tpch.tiny.nation");
    if (rows[0]?.[0] !== 25) {
      throw new Error(`the cluster answers ${JSON.stringify(rows)}`);
    }
  }

  close(): Promise<void> {
    return this.#cluster.stop();
  }
}

export async function openHttp(): Promise<FuzzTarget<FuzzedRequest>> {
  return new HttpTarget(await startLoopbackCluster({ workers: 1 }));
}
