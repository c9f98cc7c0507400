/**
 * Folders in a store of S3 and on a web server whose responses are altered: rows, or an error that names the file, without a key, without a
 * request to another server, and after a bounded number of requests.
 */
import { unlikeMessage } from "../../../../messages/shape.ts";
import { filesConnectorFactory } from "../../../../../src/connectors/files/files.ts";
import { createNodeMemory } from "../../../../../src/memory/allocator.ts";
import { type HttpRequest, type HttpResponse, NetworkError } from "../../../../../src/ports/network.ts";
import type { OutboundOptions } from "../../../../../src/ports/outbound.ts";
import { readTable, World } from "../../../../unit/connectors/world.ts";
import type { Random } from "../../random.ts";
import { drawByteEdit, edited } from "../bytes.ts";
import { type FuzzTarget, leakIn, unexpected, type Verdict } from "../target.ts";
import { type AnswersInput, drawInput, EditScript, smallerInputs } from "./edits.ts";
import { oddValues } from "./odd-values.ts";

const accessKey = "AKIATHEKEYOFTHESTORE";
const secretKey = "wJalrXUtnFEMI-the-secret-of-the-store";
const origins = ["https://store.example", "https://web.example"] as const;
/** More than a listing of the folder and its repetitions take, if each page of a list is asked for up to its bound. */
const requestsMax = 25_000;
const restTurns = 10;
const encoder = new TextEncoder();

const files: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries({
    "t/a.csv": `id,name,price\n${Array.from({ length: 400 }, (_, index) => `${index},name ${index},${index / 4}`).join("\n")}\n`,
    "t/b.csv": 'id,name,price\n1000,"x,y",2.5\n',
    "j.json": Array.from({ length: 50 }, (_, index) => JSON.stringify({ k: index, tags: ["a", String(index)] })).join("\n"),
    "deep/er/u.csv": "a,b\n1,2\n",
    "odd name+%.csv": "q\n1\n",
  }).map(([path, text]) => [path, encoder.encode(text)]),
);

const statuses = [200, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 409, 410, 412, 416, 418, 429, 500, 503] as const;
const names = [
  "etag",
  "content-range",
  "content-length",
  "last-modified",
  "date",
  "location",
  "content-encoding",
  "x-amz-bucket-region",
] as const;
const values = [
  "",
  "0",
  "-1",
  "1e9",
  "1073741824",
  "99999999999999999999",
  '"other"',
  'W/"weak"',
  "bytes 0-0/1",
  "bytes */*",
  "bytes 9-1/5",
  "bytes 0-9999999/99999999999",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Sun, 31 Feb 2199 25:61:61 GMT",
  "https://elsewhere.example/t/a.csv",
  "file:///etc/passwd",
  "gzip",
  "eu-west-7",
  "x".repeat(100_000),
] as const;
const documents: readonly string[] = [
  "",
  "<",
  "<ListBucketResult/>",
  "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><ListBucketResult><CommonPrefixes><Prefix>&a;/</Prefix></CommonPrefixes></ListBucketResult>',
  `${"<a>".repeat(5000)}${"</a>".repeat(5000)}`,
  `<Error><Code>NoSuchKey</Code><AWSAccessKeyId>${accessKey}</AWSAccessKeyId><Message>${secretKey}</Message></Error>`,
  `<Error><Code>${secretKey}</Code></Error>`,
  "<Error><Code>RequestTimeTooSkewed</Code></Error>",
  listOf(["../../etc/passwd", "/etc/passwd", "t//a.csv", "t/./a.csv", "t/..", "", "\u00e9", "%2e%2e/x"].map((key) => [key, "1"])),
  listOf([["t/a.csv", "999999999999999"]]),
  listOf([["t/a.csv", "-1"]]),
  listOf([["t/a.csv", "1e3"]]),
  listOf(Array.from({ length: 5000 }, (_, index) => [`t/${index}.csv`, "0"])),
  "<a ".repeat(100_000),
  `<a href${" ".repeat(100_000)}`,
  '<a href="t/">t</a><a href="../x">x</a><a href="//elsewhere.example/y.csv">y</a><a href="https://elsewhere.example/z.csv">z</a>',
  '<a href="%00.csv">0</a><a href="%2e%2e/">up</a><a href="a%2fb.csv">b</a><a href="%zz">zz</a>',
];

function listOf(entries: readonly (readonly string[])[], folders: readonly string[] = [], next?: string): string {
  const contents = entries.map(
    ([key = "", size = "0"]) =>
      `<Contents><Key>${encodeURIComponent(key)}</Key><Size>${size}</Size><ETag>"1"</ETag><LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents>`,
  );
  const prefixes = folders.map((folder) => `<CommonPrefixes><Prefix>${encodeURIComponent(folder)}</Prefix></CommonPrefixes>`);
  const more = next === undefined ? "false" : `true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken><IsTruncated>true`;
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${contents.join("")}${prefixes.join("")}</ListBucketResult>`;
}

function response(status: number, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers, body: typeof body === "string" ? encoder.encode(body) : body };
}

/** Keys directly below a folder, and the folders there. */
function below(prefix: string): { readonly keys: readonly string[]; readonly folders: readonly string[] } {
  const inside = [...files.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return {
    keys: inside.filter((name) => !name.includes("/")),
    folders: [...new Set(inside.filter((name) => name.includes("/")).map((name) => name.slice(0, name.indexOf("/") + 1)))],
  };
}

function soundResponse({ headers, method, url }: HttpRequest): HttpResponse {
  const { origin, pathname, searchParams } = new URL(url);
  const isWeb = origin === origins[1];
  const path = decodeURIComponent(pathname).replace(isWeb ? /^\/data\// : /^\/bucket\/?/, "");
  if (isWeb ? path === "" || path.endsWith("/") : searchParams.has("list-type")) {
    const prefix = isWeb ? path : (searchParams.get("prefix") ?? "");
    const { folders, keys } = below(prefix);
    if (isWeb) {
      return response(
        200,
        [...folders, ...keys].map((name) => `<a href="${encodeURIComponent(name).replace(/%2F$/, "/")}">x</a>`).join("\n"),
      );
    }
    // A page for each object, so that there are several.
    const at = Number(searchParams.get("continuation-token") ?? 0);
    const key = keys[at];
    const entries = key === undefined ? [] : [[prefix + key, String(files.get(prefix + key)?.length)]];
    return response(
      200,
      listOf(entries, at === 0 ? folders.map((folder) => prefix + folder) : [], at + 1 < keys.length ? String(at + 1) : undefined),
    );
  }
  const bytes = files.get(path);
  if (bytes === undefined) {
    return response(404, "<Error><Code>NoSuchKey</Code></Error>");
  }
  const common = { etag: '"1"', "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT", date: "Mon, 01 Jan 2024 00:00:00 GMT" };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["range"])) ?? [];
  if (method === "HEAD" || first === undefined) {
    return response(200, method === "HEAD" ? "" : bytes, { ...common, "content-length": String(bytes.length) });
  }
  const part = bytes.slice(Number(first), Number(last) + 1);
  return response(206, part, { ...common, "content-range": `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}` });
}

/** A store, and what is wrong with its responses. */
class AlteredStore {
  script = new EditScript([]);
  requests: HttpRequest[] = [];
  #endless = 0;

  begin(script: EditScript): void {
    this.script = script;
    this.requests = [];
    this.#endless = 0;
  }

  request(request: HttpRequest, { bodyBytesMax }: OutboundOptions): Promise<HttpResponse> {
    this.requests.push(request);
    if (this.requests.length > requestsMax) {
      return Promise.reject(new Error("more requests than any listing needs"));
    }
    const outcome = this.#answer(request);
    if (request.method === "HEAD" && !(outcome instanceof NetworkError)) {
      return Promise.resolve({ ...outcome, body: new Uint8Array(0) });
    }
    return outcome instanceof NetworkError
      ? Promise.reject(outcome)
      : outcome.body.length > bodyBytesMax
        ? Promise.reject(new NetworkError("PROTOCOL_ERROR", `the response is longer than ${bodyBytesMax} bytes`))
        : Promise.resolve(outcome);
  }

  #answer(request: HttpRequest): HttpResponse | NetworkError {
    const random = this.script.next();
    const sound = soundResponse(request);
    if (this.#endless > 0 && request.url.includes("list-type")) {
      return response(200, listOf([], [], String(1000 + this.#endless++)));
    }
    return random === undefined ? sound : this.#altered(random, sound);
  }

  #altered(random: Random, sound: HttpResponse): HttpResponse | NetworkError {
    const { body, headers, status } = sound;
    switch (random.below(12)) {
      case 0:
        return new NetworkError(
          random.pick(["TIMEOUT", "CONNECTION_RESET", "PROTOCOL_ERROR", "HOST_UNREACHABLE"]),
          "the connection failed",
        );
      case 1:
        this.#endless = 1;
        return sound;
      case 2:
      case 3:
        return { ...sound, status: random.pick(statuses) };
      case 4:
      case 5:
        return { ...sound, headers: { ...headers, [random.pick(names)]: random.pick(values) } };
      case 6: {
        const left = { ...headers };
        delete left[random.pick(Object.keys(headers).length === 0 ? names : Object.keys(headers))];
        return { status, headers: left, body };
      }
      case 7:
        return { ...sound, body: body.slice(0, random.below(body.length + 1)) };
      case 8:
        return { ...sound, body: Buffer.concat([body, random.pick(oddValues)]) };
      case 9:
        return {
          status: 200,
          headers: { ...headers, "content-length": "1073741824" },
          body: new Uint8Array(random.pick([0, 1000, 40_000_000])),
        };
      case 10:
        return response(random.pick([200, 200, 200, 206, 403, 404]), random.pick(documents), { ...(headers as Record<string, string>) });
      default:
        return body.length === 0 ? response(status, random.pick(documents)) : { ...sound, body: edited(body, drawByteEdit(random, body)) };
    }
  }
}

const refusals: ReadonlySet<string> = new Set([
  "FILE_BAD_DATA",
  "FILE_CANNOT_OPEN",
  "FILE_NOT_FOUND",
  "NOT_SUPPORTED",
  "NOT_FOUND",
  "TABLE_NOT_FOUND",
  "CONNECTOR_ERROR",
]);

/** `s3` and `web`, each with its listing and its tables. */
const catalogs = [
  {
    "files.directory": "s3://bucket",
    "s3.endpoint": origins[0],
    "s3.path-style-access": "true",
    "s3.aws-access-key": accessKey,
    "s3.aws-secret-key": secretKey,
  },
  { "files.directory": `${origins[1]}/data/` },
] as const;

class StoresTarget implements FuzzTarget<AnswersInput> {
  readonly #store = new AlteredStore();
  readonly #memory = createNodeMemory({ sizeBytes: 128 * 1024 * 1024 }).root;
  readonly #counts: number[] = [];
  #sound: string[] = [];

  async open(): Promise<this> {
    for (let index = 0; index < catalogs.length; index++) {
      this.#store.begin(new EditScript([]));
      this.#sound.push(await this.#read(index));
      this.#counts.push(this.#store.script.sent);
    }
    return this;
  }

  draw(random: Random): AnswersInput {
    return drawInput(random, this.#counts);
  }

  async run({ edits, statement }: AnswersInput): Promise<Verdict> {
    this.#store.begin(new EditScript(edits));
    const verdict = await this.#judged(statement);
    // Reads that ran beside the one that failed.
    for (let turn = 0; turn < restTurns; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const elsewhere = this.#store.requests.find(({ url }) => !origins.some((origin) => url.startsWith(`${origin}/`)));
    return elsewhere === undefined || verdict.fault !== undefined
      ? verdict
      : { ...verdict, fault: { kind: "request to another server", detail: elsewhere.url } };
  }

  readonly smaller = smallerInputs;

  show({ edits, statement }: AnswersInput): string {
    return `${catalogs[statement]?.["files.directory"] ?? ""} ${JSON.stringify(edits)}`;
  }

  async #judged(index: number): Promise<Verdict> {
    try {
      return { outcome: (await this.#read(index)) === this.#sound[index] ? "rows" : "other rows" };
    } catch (error) {
      const { errorName, message, name } = error as Error & { readonly errorName?: string };
      if (name === "MemoryLimitExceeded") {
        return { outcome: "more memory than the limit" };
      }
      if (errorName === undefined || !refusals.has(errorName)) {
        return unexpected(error);
      }
      const told = [accessKey, secretKey].find((secret) => message.includes(secret));
      const wrong = unlikeMessage(message.slice(0, 2000));
      const fault =
        told !== undefined
          ? { kind: "secret", detail: message.slice(0, 500) }
          : (leakIn(message) ?? (wrong === undefined ? undefined : { kind: "message", detail: `${wrong}: ${message.slice(0, 500)}` }));
      return { outcome: errorName, ...(fault !== undefined && { fault }) };
    }
  }

  /** All tables that are listed, with their rows. */
  async #read(index: number): Promise<string> {
    const world = new World({
      factory: filesConnectorFactory,
      properties: catalogs[index] as Readonly<Record<string, string>>,
      memory: this.#memory,
      outbound: {
        request: (request, options) => this.#store.request(request, options),
        accessKeys: () => Promise.resolve({ accessKey, secretKey }),
        azureSettings: () => Promise.resolve({}),
        googleCredentials: () => Promise.resolve(undefined),
        rsaSignature: () => Promise.reject(new Error("no key")),
      },
    });
    const node = world.start("n");
    const { metadata } = node.connector;
    const lines: string[] = [];
    try {
      for (const name of (await metadata.listTables("default")).slice(0, 20)) {
        const table = await metadata.getTable({ schema: "default", table: name });
        if (table !== undefined) {
          await metadata.getStatistics?.(table);
          const rows = await readTable(world, node, table);
          lines.push(name, ...rows.map((row) => row.map(String).join()));
        }
      }
    } finally {
      node.connector.close?.();
    }
    return lines.join("\n");
  }
}

export function openStores(): Promise<FuzzTarget<AnswersInput>> {
  return new StoresTarget().open();
}
