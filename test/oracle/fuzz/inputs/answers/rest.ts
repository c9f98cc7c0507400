/**
 * Tables of an Iceberg REST catalog, in buckets of S3 and Google and in a container of Azure, where the catalog, what gives its tokens, and
 * the stores answer wrongly. The catalog gives the credentials of the files.
 */
import { icebergConnectorFactory } from "../../../../../src/connectors/files/lake/catalog/iceberg-connector.ts";
import type { HttpRequest, HttpResponse } from "../../../../../src/ports/network.ts";
import type { FuzzTarget } from "../target.ts";
import { icebergFiles } from "../targets/lake-files.ts";
import type { AnswersInput } from "./edits.ts";
import { AlteredWeb, response } from "./web/altered-web.ts";
import { type OpenedCatalog, openWebTarget, rowsOf } from "./web/catalog-target.ts";
import { azureAnswer, type Files, s3Answer, tokenAnswer } from "./web/sound-stores.ts";

const origins = {
  catalog: "https://catalog.example",
  s3: "https://store.example",
  google: "https://storage.googleapis.com",
  azure: "https://account.blob.core.windows.net",
};
const secrets = {
  credential: "the-secret-of-the-reader",
  token: "eyJ0.the-token-of-the-catalog",
  key: "AKIATHEKEYOFTHETABLE",
  secretKey: "wJalrXUtnFEMI-the-secret-of-the-table",
  session: "the-session-of-the-table",
  google: "ya29.the-token-of-the-table",
  signature: "AbCdEfTheSignatureOfTheTable",
};
const decoder = new TextDecoder();

interface FuzzedTable {
  readonly name: string;
  readonly location: string;
  readonly files: Files;
  readonly config: Readonly<Record<string, string>>;
}

async function tables(): Promise<readonly FuzzedTable[]> {
  const of = async (name: string, location: string, config: Readonly<Record<string, string>>): Promise<FuzzedTable> => ({
    name,
    location,
    files: (await icebergFiles(location)).files,
    config,
  });
  const account = "account.dfs.core.windows.net";
  return [
    await of("amazon", "s3://lake/t", {
      "s3.access-key-id": secrets.key,
      "s3.secret-access-key": secrets.secretKey,
      "s3.session-token": secrets.session,
    }),
    await of("google", "gs://lake/t", { "gcs.oauth2.token": secrets.google, "gcs.oauth2.token-expires-at": "1000000" }),
    await of("azure", `abfss://lake@${account}/t`, {
      [`adls.sas-token.${account}`]: `sv=2022-11-02&sp=rl&se=2199-01-01T00%3A00%3A00Z&sig=${secrets.signature}`,
      [`adls.sas-token-expires-at-ms.${account}`]: "1000000",
    }),
  ];
}

const documents: readonly string[] = [
  "",
  "{",
  "[]",
  "{}",
  '{"namespaces":[["a"],["b"],[]]}',
  '{"namespaces":[["a","b","c"]],"next-page-token":"x"}',
  '{"namespaces":"a","next-page-token":1}',
  `{"namespaces":${JSON.stringify(Array.from({ length: 20_000 }, (_, index) => [`n${index}`]))}}`,
  `{"identifiers":${JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ namespace: ["n"], name: `t${index}` })))}}`,
  '{"identifiers":[{"namespace":["n"],"name":"../../etc/passwd"},{"name":""},{"name":"\\ud800"}]}',
  '{"overrides":{"prefix":"a/../b","namespace-separator":"&x="}}',
  '{"defaults":{"prefix":"\\ud800"}}',
  `{"error":{"message":"Bearer ${secrets.token}","type":"${secrets.token}","code":500}}`,
  `{"error":{"message":"${secrets.credential}","type":"NoSuchTableException","code":404}}`,
  `{"error":"${secrets.credential}"}`,
  '{"access_token":"a\\r\\nx-injected: 1","expires_in":3600}',
  '{"access_token":"other","expires_in":-1}',
  '{"access_token":"other","expires_in":1e300}',
  '{"metadata":{"format-version":2,"location":"s3://elsewhere/t"},"config":{"s3.endpoint":"https://elsewhere.example"}}',
  '{"metadata":{"format-version":2,"location":"abfss://lake@other.dfs.core.windows.net/t"}}',
  '{"metadata":{"format-version":2,"location":"file:///etc/passwd"}}',
  `{"metadata":${"[".repeat(50_000)}`,
  "<html>",
];

function catalogAnswer(all: readonly FuzzedTable[], { url }: HttpRequest): HttpResponse {
  const { pathname, searchParams } = new URL(url);
  const names = pathname.split("/").slice(2).map(decodeURIComponent);
  const json = (value: unknown): HttpResponse => response(200, JSON.stringify(value), { "content-type": "application/json" });
  if (names[0] === "oauth") {
    return tokenAnswer(secrets.token);
  }
  if (names[0] === "config") {
    return json({ defaults: { prefix: "p" }, overrides: {} });
  }
  const [, , namespace, , name] = names;
  // A page for each name.
  const page = (member: string, list: readonly unknown[]): HttpResponse => {
    const at = Number(searchParams.get("pageToken") ?? "");
    return json({ [member]: list.slice(at, at + 1), "next-page-token": at + 1 < list.length ? String(at + 1) : null });
  };
  if (namespace === undefined) {
    return page("namespaces", searchParams.has("parent") ? [] : [["n"], ["m"]]);
  }
  if (names.length === 3) {
    return json({ namespace: [namespace], properties: {} });
  }
  if (name === undefined) {
    return page(
      "identifiers",
      all.map((one) => ({ namespace: [namespace], name: one.name })),
    );
  }
  const found = all.find((one) => one.name === name);
  if (found === undefined) {
    return response(404, '{"error":{"type":"NoSuchTableException","code":404}}');
  }
  const metadata = JSON.parse(decoder.decode(found.files.get("t/metadata/v1.metadata.json"))) as unknown;
  const credentials = [{ prefix: found.location, config: found.config }];
  return json({ "metadata-location": `${found.location}/metadata/v1`, metadata, config: {}, "storage-credentials": credentials });
}

/** Whether the request has the credentials that the catalog gave for its store. */
function isAllowed({ url, headers }: HttpRequest): boolean {
  const authorization = String(headers["authorization"]);
  switch (new URL(url).origin) {
    case origins.catalog:
      return url.includes("/oauth/") || authorization === `Bearer ${secrets.token}`;
    case origins.azure:
      return url.includes(`sig=${secrets.signature}`);
    case origins.google:
      return authorization === `Bearer ${secrets.google}`;
    default:
      return authorization.includes(`Credential=${secrets.key}/`) && headers["x-amz-security-token"] === secrets.session;
  }
}

function soundAnswers(all: readonly FuzzedTable[]): (request: HttpRequest) => HttpResponse {
  const filesOf = (name: string): Files => all.find((one) => one.name === name)?.files ?? new Map();
  return (request) => {
    if (!isAllowed(request)) {
      return response(401, "{}");
    }
    switch (new URL(request.url).origin) {
      case origins.catalog:
        return catalogAnswer(all, request);
      case origins.azure:
        return azureAnswer(filesOf("azure"), request);
      default:
        return s3Answer(filesOf(request.url.startsWith(origins.google) ? "google" : "amazon"), request);
    }
  };
}

function morePages({ url }: HttpRequest, number: number): HttpResponse | undefined {
  return url.startsWith(origins.catalog) && url.includes("pageToken") ? response(200, `{"next-page-token":"x${number}"}`) : undefined;
}

const properties = {
  "iceberg.catalog.type": "rest",
  "iceberg.rest-catalog.uri": origins.catalog,
  "iceberg.rest-catalog.security": "OAUTH2",
  "iceberg.rest-catalog.oauth2.credential": `reader:${secrets.credential}`,
  "iceberg.rest-catalog.vended-credentials-enabled": "true",
  "s3.endpoint": origins.s3,
  "s3.path-style-access": "true",
};

export async function openRest(): Promise<FuzzTarget<AnswersInput>> {
  const all = await tables();
  const lists = {
    name: "lists",
    properties: { ...properties, "iceberg.rest-catalog.nested-namespace-enabled": "true" },
    read: async ({ node }: OpenedCatalog): Promise<readonly string[]> => {
      const { metadata } = node.connector;
      const schemas = await metadata.listSchemas();
      return [...schemas, String(await metadata.hasSchema?.("n")), ...(await metadata.listTables("n"))];
    },
  };
  const reads = all.map(({ name }) => ({
    name,
    properties,
    read: async (opened: OpenedCatalog): Promise<readonly string[]> => {
      const rows = await rowsOf(opened, { schema: "n", table: name });
      const files = await rowsOf(opened, { schema: "n", table: `${name}$files` });
      return [...(rows ?? ["no table"]), ...(files ?? ["no table"])];
    },
  }));
  return openWebTarget({
    web: new AlteredWeb({ sound: soundAnswers(all), documents, morePages }),
    factory: icebergConnectorFactory,
    catalogs: [lists, ...reads],
    origins: Object.values(origins),
    secrets: Object.values(secrets),
  });
}
