/** Records what a cluster answers to another one's catalogs and routed statements: Orrery itself, in the words of Trino. */
import { createServer, request as httpRequest } from "node:http";
import { withCluster } from "../../../../../../src/testing/index.ts";
import { closeServer, listenOnLoopback } from "../../../../../support/stores/listening.ts";
import { clusterCatalogs, clusterRouting } from "../catalogs.ts";
import { type RecordedMessage, withoutDrawnNames, writeRecorded } from "../recorded.ts";
import { clusterSetup, clusterStatements } from "../statements.ts";
import { encodeAnswer, originPlaceholder, statementKey } from "./cluster-server.ts";

const hopHeaders: ReadonlySet<string> = new Set(["connection", "keep-alive", "date", "content-length", "transfer-encoding"]);

/** Returns how many statements of the cluster are recorded. */
export async function recordCluster(): Promise<number> {
  const memory = { "connector.name": "memory" };
  const far = await withCluster({ workers: 0, catalogs: { memory, lake: memory, tpch: { "connector.name": "tpch" } } });
  for (const sql of clusterSetup) {
    await far.query(sql);
  }
  const notes = new Map<string, RecordedMessage[]>();
  const keys = new Map<string, string>();
  let origin = "";
  const proxy = createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const { "accept-encoding": _, ...headers } = incoming.headers;
      const sql = Buffer.concat(parts).toString();
      const onward = httpRequest(`${far.uri}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
        const received: Buffer[] = [];
        answer.on("data", (part: Buffer) => received.push(part));
        answer.on("end", () => {
          const body = Buffer.concat(received);
          note(incoming.method ?? "", incoming.url ?? "", {
            key: withoutDrawnNames(statementKey(incoming.headers, sql)),
            status: answer.statusCode ?? 0,
            headers: answer.headers as Readonly<Record<string, string>>,
            body,
          });
          outgoing.writeHead(answer.statusCode ?? 0, answer.headers).end(body);
        });
      });
      onward.end(Buffer.concat(parts));
    });
  });
  const note = (
    method: string,
    url: string,
    answer: { readonly key: string; readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
  ): void => {
    const isDocument = answer.body[0] === "{".charCodeAt(0);
    const body = isDocument ? Buffer.from(answer.body.toString().replaceAll(origin, originPlaceholder)) : answer.body;
    const id = isDocument ? String((JSON.parse(body.toString()) as { id?: unknown }).id) : "";
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !hopHeaders.has(name)));
    const message = { type: method === "POST" ? `POST ${id}` : url, payload: encodeAnswer({ status: answer.status, headers, body }) };
    if (method === "POST") {
      if (!notes.has(answer.key)) {
        notes.set(answer.key, [message]);
        keys.set(id, answer.key);
      }
      return;
    }
    // Segments have no id of their query in their paths: they belong to the statement that was recorded last.
    const key = keys.get(id) ?? [...notes.keys()].at(-1);
    const messages = notes.get(key ?? "");
    const known = messages?.findIndex(({ type }) => type === url) ?? -1;
    if (method !== "GET" || messages === undefined || (isDocument && !keys.has(id))) {
      return;
    }
    messages.splice(known < 0 ? messages.length : known, known < 0 ? 0 : 1, message);
  };
  origin = await listenOnLoopback(proxy);
  const port = Number(new URL(origin).port);
  const near = await withCluster({
    workers: 0,
    http: false,
    catalogs: { ...clusterCatalogs(port), tpch: { "connector.name": "tpch" } },
    queryRouting: clusterRouting(port),
  });
  try {
    for (const sql of clusterStatements) {
      await near.query(sql);
    }
  } finally {
    await near.close();
    await closeServer(proxy);
    await far.close();
  }
  const recorded = [...notes].map(([statement, messages]) => ({ statement, messages }));
  writeRecorded("cluster", [{ statement: "", messages: [] }, ...recorded]);
  return notes.size;
}
