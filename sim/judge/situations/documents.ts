/** Documents that the protocol allows and that few servers send, from a model server. */
import { counted, rowsOf, type Situation } from "../situation.ts";

type Script = NonNullable<Situation["script"]>;

const columns = [["x", "bigint"]] as const;
const sql = "SELECT x FROM t";

function allowed(name: string, rest: Pick<Situation, "story" | "script"> & Partial<Situation>): Situation {
  return { must: true, sql, expect: rowsOf(1n, 2n, 3n), ...rest, name, group: "documents" };
}

/** Answers by token; the last has no next address. */
function chain(answers: readonly Partial<ReturnType<Script>>[]): Script {
  return (_request, { token }) => ({ more: token < answers.length - 1, ...answers[Math.min(token, answers.length - 1)] });
}

const queued = { state: "QUEUED" } as const;

export const documentSituations: readonly Situation[] = [
  allowed("queued-for-long", {
    story: "The query is queued for two seconds, and the server answers each poll at once.",
    must: false,
    script: queuedFor(2000),
    extraRules: ["polls-without-pause"],
    patienceMs: 60_000,
  }),
  allowed("empty-pages", {
    story: "Answers without rows between those with rows: absent, null and empty.",
    script: chain([
      queued,
      { columns, data: "[[1]]" },
      { columns },
      { columns, data: "[]" },
      { columns, data: "[[2]]" },
      { columns, data: "[]" },
      { columns, data: "[[3]]" },
      { columns },
    ]),
  }),
  allowed("rows-in-first-answer", {
    story: "The answer to the submission has all rows.",
    script: chain([{ columns, data: "[[1],[2],[3]]" }]),
  }),
  allowed("rows-in-last-answer", {
    story: "The last answer has rows too.",
    script: chain([queued, { columns, data: "[[1],[2]]" }, { columns, data: "[[3]]" }]),
  }),
  allowed("finished-with-next", {
    story: "The state is FINISHED while answers follow: only a missing nextUri is the end.",
    script: chain([queued, { columns, data: "[[1],[2]]", state: "FINISHED" }, { columns, data: "[[3]]", state: "FINISHED" }, { columns }]),
  }),
  allowed("long-chain", {
    story: "500 answers of one row each.",
    script: chain([queued, ...counted(500).map((x) => ({ columns, data: `[[${x}]]` }))]),
    expect: rowsOf(...counted(500)),
    patienceMs: 90_000,
  }),
  allowed("unknown-members", {
    story: "Documents with members that the client does not know.",
    script: chain([
      { ...queued, others: '"future":{"deep":[1,null]}' },
      { columns, data: "[[1],[2],[3]]", others: '"another":null' },
    ]),
  }),
  allowed("other-host", {
    story: "The next address has another name of the host: it is followed as it is.",
    script: chain([
      { ...queued, moved: (uri) => uri.replace("127.0.0.1", "localhost") },
      { columns, data: "[[1],[2]]", moved: (uri) => uri.replace("127.0.0.1", "localhost") },
      { columns, data: "[[3]]" },
    ]),
  }),
  allowed("odd-address", {
    story: "The next address has a query with escapes, which are kept.",
    script: (request, { token }) =>
      token > 0 && !request.url.endsWith("?a=1%2F2&b=%C3%A4&c=+")
        ? { more: false, instead: { status: 404, headers: { "content-type": "text/plain" }, body: "No such token" } }
        : chain(
            [queued, { columns, data: "[[1],[2]]" }, { columns, data: "[[3]]" }].map((one) => ({
              ...one,
              moved: (uri: string) => `${uri}?a=1%2F2&b=%C3%A4&c=+`,
            })),
          )(request, { token }),
  }),
  allowed("slow-poll", {
    story: "A poll is answered after twelve seconds; the server waits for news.",
    script: chain([queued, { columns, data: "[[1],[2],[3]]", delayMs: 12_000 }]),
    patienceMs: 45_000,
  }),
];

/** The first poll that comes after this time sees rows. */
function queuedFor(waitMs: number): Script {
  let startMs: number | undefined;
  let lastQueued: number | undefined;
  return (_request, { token }) => {
    const nowMs = performance.now();
    if (token === 0) {
      startMs = nowMs;
      lastQueued = undefined;
    }
    if (lastQueued === undefined && nowMs - (startMs ?? nowMs) < waitMs) {
      return { more: true, ...queued };
    }
    lastQueued ??= token;
    return { more: false, columns, data: "[[1],[2],[3]]" };
  };
}
