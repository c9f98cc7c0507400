/**
 * Folders in stores of S3, Google and Azure and on a web server whose responses are altered: rows, or an error that names the file, without
 * a key, without a request to another server, and after a bounded number of requests.
 */
import { filesConnectorFactory } from "../../../../../src/connectors/files/files.ts";
import type { HttpRequest, HttpResponse } from "../../../../../src/ports/network.ts";
import type { FuzzTarget } from "../target.ts";
import type { AnswersInput } from "./edits.ts";
import { type OpenedCatalog, openWebTarget, rowsOf } from "./web/catalog-target.ts";
import { AlteredWeb, response } from "./web/altered-web.ts";
import { azureAnswer, type Files, listOfAzure, listOfS3, s3Answer, tokenAnswer, webAnswer } from "./web/sound-stores.ts";

const accessKey = "AKIATHEKEYOFTHESTORE";
const secretKey = "wJalrXUtnFEMI-the-secret-of-the-store";
const tokens = { google: "ya29.the-token-of-google", azure: "eyJ0.the-token-of-azure" };
const clientSecret = "hush~the-secret-of-the-client";
const origins = {
  s3: "https://store.example",
  web: "https://web.example",
  google: "https://storage.googleapis.com",
  googleTokens: "https://tokens.example",
  azure: "https://account.blob.core.windows.net",
  azureTokens: "https://login.example",
};
const encoder = new TextEncoder();

const files: Files = new Map(
  Object.entries({
    "t/a.csv": `id,name,price\n${Array.from({ length: 400 }, (_, index) => `${index},name ${index},${index / 4}`).join("\n")}\n`,
    "t/b.csv": 'id,name,price\n1000,"x,y",2.5\n',
    "j.json": Array.from({ length: 50 }, (_, index) => JSON.stringify({ k: index, tags: ["a", String(index)] })).join("\n"),
    "deep/er/u.csv": "a,b\n1,2\n",
    "odd name+%.csv": "q\n1\n",
  }).map(([path, text]) => [path, encoder.encode(text)]),
);

const oddKeys = ["../../etc/passwd", "/etc/passwd", "t//a.csv", "t/./a.csv", "t/..", "", "\u00e9", "%2e%2e/x"].map((key) => [key, "1"]);
const manyKeys = Array.from({ length: 5000 }, (_, index) => [`t/${index}.csv`, "0"]);
const documents: readonly string[] = [
  "",
  "<",
  "<ListBucketResult/>",
  "<EnumerationResults/>",
  "<EnumerationResults><Blobs/><NextMarker>1</NextMarker></EnumerationResults>",
  "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><ListBucketResult><Contents><Key>&b;</Key></Contents></ListBucketResult>',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><ListBucketResult><CommonPrefixes><Prefix>&a;/</Prefix></CommonPrefixes></ListBucketResult>',
  `${"<a>".repeat(5000)}${"</a>".repeat(5000)}`,
  `<Error><Code>NoSuchKey</Code><AWSAccessKeyId>${accessKey}</AWSAccessKeyId><Message>${secretKey}</Message></Error>`,
  `<Error><Code>${secretKey}</Code></Error>`,
  "<Error><Code>RequestTimeTooSkewed</Code></Error>",
  "<Error><Code>AuthenticationFailed</Code></Error>",
  ...[listOfS3, listOfAzure].flatMap((list) => [
    list(oddKeys),
    list([["t/a.csv", "999999999999999"]]),
    list([["t/a.csv", "-1"]]),
    list([["t/a.csv", "1e3"]]),
    list(manyKeys),
    list([], ["", "/", "../", "t//", "x"]),
  ]),
  '<EnumerationResults><Blobs><Blob><Name Encoded="true">%zz%2e%2e%2f</Name><Properties/></Blob></Blobs></EnumerationResults>',
  "<a ".repeat(100_000),
  `<a href${" ".repeat(100_000)}`,
  '<a href="t/">t</a><a href="../x">x</a><a href="//elsewhere.example/y.csv">y</a><a href="https://elsewhere.example/z.csv">z</a>',
  '<a href="%00.csv">0</a><a href="%2e%2e/">up</a><a href="a%2fb.csv">b</a><a href="%zz">zz</a>',
  `{"error":"invalid_client","error_description":"${clientSecret}"}`,
  `{"error":"${clientSecret}"}`,
  '{"access_token":"a\\r\\nx-injected: 1","expires_in":3600}',
  '{"access_token":"other","expires_in":-1}',
  '{"access_token":"other","expires_in":1e300}',
];

function sound(request: HttpRequest): HttpResponse {
  switch (new URL(request.url).origin) {
    case origins.web:
      return webAnswer(files, request, "/data/");
    case origins.azure:
      return azureAnswer(files, request);
    case origins.googleTokens:
      return tokenAnswer(tokens.google);
    case origins.azureTokens:
      return tokenAnswer(tokens.azure);
    default:
      return s3Answer(files, request);
  }
}

function morePages({ url }: HttpRequest, number: number): HttpResponse | undefined {
  const next = String(1000 + number);
  return url.includes("list-type")
    ? response(200, listOfS3([], [], next))
    : url.includes("comp=list")
      ? response(200, listOfAzure([], [], next))
      : undefined;
}

const googleKey = JSON.stringify({
  type: "service_account",
  client_email: "a@b.example",
  private_key: `-----BEGIN PRIVATE KEY-----${secretKey}`,
  token_uri: `${origins.googleTokens}/token`,
});

const catalogs: readonly Readonly<Record<string, string>>[] = [
  {
    "files.directory": "s3://bucket",
    "s3.endpoint": origins.s3,
    "s3.path-style-access": "true",
    "s3.aws-access-key": accessKey,
    "s3.aws-secret-key": secretKey,
  },
  { "files.directory": `${origins.web}/data/` },
  { "files.directory": "gs://bucket", "gcs.json-key": googleKey },
  {
    "files.directory": "abfss://lake@account.dfs.core.windows.net",
    "azure.oauth.endpoint": origins.azureTokens,
    "azure.oauth.tenant-id": "tenant",
    "azure.oauth.client-id": "client",
    "azure.oauth.secret": clientSecret,
  },
];

/** All tables that are listed, with their rows. */
async function read({ node, world }: OpenedCatalog): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const table of (await node.connector.metadata.listTables("default")).slice(0, 20)) {
    const rows = await rowsOf({ node, world }, { schema: "default", table });
    lines.push(...(rows === undefined ? [] : [table, ...rows]));
  }
  return lines;
}

export function openStores(): Promise<FuzzTarget<AnswersInput>> {
  return openWebTarget({
    web: new AlteredWeb({ sound, documents, morePages }),
    factory: filesConnectorFactory,
    catalogs: catalogs.map((properties) => ({ name: properties["files.directory"] ?? "", properties, read })),
    origins: Object.values(origins),
    secrets: [accessKey, secretKey, clientSecret, ...Object.values(tokens)],
  });
}
