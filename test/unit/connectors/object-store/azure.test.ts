/** Containers of Azure against answers of a function: strings to sign of Microsoft's documents, addresses, credentials, conditions. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseAzureLocation } from "../../../../src/connectors/shared/object-store/azure/location.ts";
import { stringToSign } from "../../../../src/connectors/shared/object-store/azure/shared-key.ts";
import type { ObjectStorage } from "../../../../src/connectors/shared/object-store/object-storage.ts";
import type { ObjectWriter } from "../../../../src/connectors/shared/object-store/object-store.ts";
import { type HttpResponse, NetworkError } from "../../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { type Answer, openStore, response } from "../../../support/stores/answered-store.ts";

const location = "abfss://data@lake.dfs.core.windows.net/a/b";
const key = Buffer.from("a key of an account").toString("base64");
const withKey = { "azure.access-key": key };
const empty = listOf("");

function listOf(blobs: string, marker = ""): HttpResponse {
  return response(
    200,
    `<?xml version="1.0"?><EnumerationResults><Blobs>${blobs}</Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`,
  );
}

function blob(name: string, properties = "<Etag>0x8D</Etag><Content-Length>3</Content-Length>", metadata = ""): string {
  return `<Blob><Name>${name}</Name><Properties>${properties}</Properties>${metadata}</Blob>`;
}

function failed(status: number, code: string): HttpResponse {
  return response(status, "", { "x-ms-error-code": code });
}

function writerOf(storage: ObjectStorage): ObjectWriter {
  const { writer } = storage;
  expect(writer).toBeDefined();
  return writer as ObjectWriter;
}

describe("strings to sign", () => {
  const dated = { "x-ms-date": "Fri, 26 Jun 2015 23:39:12 GMT", "x-ms-version": "2015-02-21" };

  it("are those of the examples in Microsoft's documents", () => {
    const metadata = [
      ["restype", "container"],
      ["comp", "metadata"],
      ["timeout", "20"],
    ] as const;
    expect(stringToSign({ method: "GET", path: "/mycontainer", query: metadata, headers: dated, bodyBytes: 0 }, "myaccount")).toBe(
      "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20",
    );
    const created = [
      ["restype", "container"],
      ["timeout", "30"],
    ] as const;
    expect(stringToSign({ method: "PUT", path: "/mycontainer", query: created, headers: dated, bodyBytes: 0 }, "myaccount")).toBe(
      "PUT\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\nrestype:container\ntimeout:30",
    );
  });

  it("have the values of a parameter in order, and every header in its place", () => {
    const query = ["snapshots", "metadata", "uncommittedblobs"].map((value) => ["include", value] as const);
    const list = {
      method: "GET",
      path: "/container",
      query: [["restype", "container"], ["comp", "list"], ...query],
      bodyBytes: 0,
    } as const;
    expect(stringToSign({ ...list, headers: {} }, "myaccount")).toMatch(
      /\n\/myaccount\/container\ncomp:list\ninclude:metadata,snapshots,uncommittedblobs\nrestype:container$/,
    );
    const names = ["content-encoding", "content-language", "content-md5", "content-type", "date", "if-modified-since", "if-match"];
    const headers = Object.fromEntries(
      [...names, "if-none-match", "if-unmodified-since", "range", "x-ms-b", "x-ms-a"].map((name) => [name, name]),
    );
    const text = stringToSign({ method: "PUT", path: "/c/b", query: [], headers, bodyBytes: 7 }, "me");
    const rest = ["if-none-match", "if-unmodified-since", "range", "x-ms-a:x-ms-a", "x-ms-b:x-ms-b", "/me/c/b"];
    expect(text.split("\n")).toEqual(["PUT", ...names.slice(0, 2), "7", ...names.slice(2), ...rest]);
  });

  it("are signed by the bytes of the key", async () => {
    const { storage, requests } = openStore(() => empty, withKey, location);
    await storage.list("");
    const [request] = requests;
    const { authorization, ...headers } = (request?.headers ?? {}) as Record<string, string>;
    const query = [...new URL(request?.url ?? "").searchParams];
    const text = stringToSign({ method: "GET", path: "/data", query, headers, bodyBytes: 0 }, "lake");
    const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
    expect(authorization).toBe(`SharedKey lake:${signature}`);
  });
});

describe("addresses", () => {
  it.each([
    ["abfss://data@lake.dfs.core.windows.net/a/b", { container: "data", path: "a/b", name: "lake", host: "lake.blob.core.windows.net" }],
    [
      "abfs://data@lake.dfs.core.usgovcloudapi.net",
      { container: "data", path: "", name: "lake", host: "lake.blob.core.usgovcloudapi.net" },
    ],
    ["wasbs://data@lake.blob.core.windows.net/", { container: "data", path: "", name: "lake", host: "lake.blob.core.windows.net" }],
    [
      "wasb://data@lake-secondary.blob.core.windows.net/x",
      { container: "data", path: "x", name: "lake", host: "lake-secondary.blob.core.windows.net" },
    ],
    [
      "abfss://data@lake.z12.dfs.storage.azure.net/x",
      { container: "data", path: "x", name: "lake", host: "lake.z12.blob.storage.azure.net" },
    ],
    ["az://data/a b", { container: "data", path: "a b" }],
    ["azure://data", { container: "data", path: "" }],
    ["AZ://lake.blob.core.windows.net/data/a/b", { container: "data", path: "a/b", name: "lake", host: "lake.blob.core.windows.net" }],
    ["abfss://lake.dfs.core.windows.net/data", { container: "data", path: "", name: "lake", host: "lake.blob.core.windows.net" }],
    ["az://Data/x", undefined],
    ["az://da--ta/x", undefined],
    ["abfss://data@lake/x", undefined],
    ["abfss://a:b@lake.dfs.core.windows.net/x", undefined],
    ["abfss:///x", undefined],
    ["az://lake.blob.core.windows.net/", undefined],
  ])("%s", (text, expected) => {
    expect(parseAzureLocation(text)).toEqual(expected);
  });

  const urlOf = async (properties: Readonly<Record<string, string>>, text = location, settings = {}) => {
    const { storage, requests } = openStore(() => empty, properties, text, settings);
    await storage.list("");
    return requests[0]?.url.replace(/\?.*/, "");
  };

  it("lead to the Blob Service of the account", async () => {
    expect(await urlOf({})).toBe("https://lake.blob.core.windows.net/data");
    expect(await urlOf({ "azure.account-name": "other" }, "az://data/x")).toBe("https://other.blob.core.windows.net/data");
    const suffix = { "azure.account-name": "other", "azure.endpoint": "core.chinacloudapi.cn" };
    expect(await urlOf(suffix, "az://data/x")).toBe("https://other.blob.core.chinacloudapi.cn/data");
    expect(await urlOf({ "azure.endpoint": "http://127.0.0.1:10000/lake/" })).toBe("http://127.0.0.1:10000/lake/data");
    const string = "BlobEndpoint=http://127.0.0.1:1/devaccount;SharedAccessSignature=?sv=1&sig=x";
    expect(await urlOf({ "azure.connection-string": string }, "az://data")).toBe("http://127.0.0.1:1/devaccount/data");
    const shown = `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${key};EndpointSuffix=core.windows.net`;
    expect(await urlOf({ "azure.connection-string": shown }, "az://data")).toBe("https://shop.blob.core.windows.net/data");
    expect(await urlOf({}, "az://data", { AZURE_STORAGE_ACCOUNT: "host" })).toBe("https://host.blob.core.windows.net/data");
    expect(await urlOf(withKey, "az://data", { AZURE_STORAGE_ACCOUNT: "host" })).toBe("https://host.blob.core.windows.net/data");
    await expect(urlOf({}, "az://data")).rejects.toThrow("The account of Azure is not known: set property 'azure.account-name'");
  });

  it.each([
    [{ "azure.access-key": "hush!" }, "Invalid value for property 'azure.access-key': it is not in base64"],
    [{ "azure.sas-token": "hush" }, "Invalid value for property 'azure.sas-token': it is no shared access signature"],
    [{ "azure.connection-string": "hush" }, "Invalid value for property 'azure.connection-string'"],
    [{ "azure.auth-type": "OAUTH", "azure.oauth.secret": "hush" }, "Property 'azure.oauth.tenant-id' is required"],
    [{ "azure.auth-type": "ACCESS_KEY" }, "Property 'azure.access-key' is required"],
    [{ "azure.auth-type": "KERBEROS" }, "Invalid value 'KERBEROS' for property 'azure.auth-type'"],
    [{ "azure.endpoint": "http://a:hush@host" }, "Invalid value 'http://host' for property 'azure.endpoint'"],
    [{ "azure.account-name": "A B" }, "Invalid value 'A B' for property 'azure.account-name'"],
  ])("refuse %o without a word of a secret", (properties, message) => {
    expect(() => openStore(() => empty, properties, location)).toThrow(message);
  });
});

describe("credentials", () => {
  const asked = async (properties: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>> = {}) => {
    const { storage, requests } = openStore(
      ({ url }) => (url.includes("token") ? response(200, '{"access_token":"t1","expires_in":3600}') : empty),
      properties,
      location,
      settings,
    );
    await storage.list("");
    await storage.list("");
    return requests;
  };
  const oauth = { "azure.oauth.tenant-id": "T", "azure.oauth.client-id": "C", "azure.oauth.secret": "s&c" };

  it("may be a shared access signature", async () => {
    const [request] = await asked({ "azure.sas-token": "?sv=2022-11-02&sp=rl&sig=a%2Fb%3D" });
    expect(request?.url).toMatch(/&sv=2022-11-02&sp=rl&sig=a%2Fb%3D$/);
    expect(request?.headers["authorization"]).toBeUndefined();
  });

  it("may be a client of OAuth, whose token is asked for once", async () => {
    const [token, ...lists] = await asked(oauth);
    expect(token?.url).toBe("https://login.microsoftonline.com/T/oauth2/v2.0/token");
    expect(decodeUtf8(token?.body ?? new Uint8Array(0))).toBe(
      "grant_type=client_credentials&client_id=C&client_secret=s%26c&scope=https%3A%2F%2Fstorage.azure.com%2F.default",
    );
    expect(lists.map(({ headers }) => headers["authorization"])).toEqual(["Bearer t1", "Bearer t1"]);
    const [other] = await asked({ ...oauth, "azure.oauth.endpoint": "http://127.0.0.1:1/mine/token" });
    expect(other?.url).toBe("http://127.0.0.1:1/mine/token");
  });

  it("are those of the host without properties", async () => {
    const [signed] = await asked({}, { AZURE_STORAGE_KEY: key });
    expect(signed?.headers["authorization"]).toMatch(/^SharedKey lake:/);
    const [shared] = await asked({}, { AZURE_STORAGE_SAS_TOKEN: "sv=1&sig=x" });
    expect(shared?.url).toMatch(/&sv=1&sig=x$/);
    const [token] = await asked(
      {},
      { AZURE_TENANT_ID: "T", AZURE_CLIENT_ID: "C", AZURE_CLIENT_SECRET: "S", AZURE_AUTHORITY_HOST: "http://idp/" },
    );
    expect(token?.url).toBe("http://idp/T/oauth2/v2.0/token");
    const [plain] = await asked({});
    expect(plain?.headers["authorization"]).toBeUndefined();
    const [unsigned] = await asked({ "azure.auth-type": "NONE" }, { AZURE_STORAGE_KEY: key });
    expect(unsigned?.headers["authorization"]).toBeUndefined();
  });

  it("are asked for anew when a token is refused, and not without end", async () => {
    let tokens = 0;
    const answer =
      (valid: number): Answer =>
      ({ url, headers }) =>
        url.includes("/token")
          ? response(200, `{"access_token":"t${++tokens}","expires_in":3600}`)
          : headers["authorization"] === `Bearer t${valid}`
            ? empty
            : failed(401, "InvalidAuthenticationInfo");
    const { storage } = openStore(answer(2), oauth, location);
    expect(await storage.list("")).toEqual([]);
    expect(tokens).toBe(2);
    const never = openStore(answer(-1), oauth, location);
    await expect(never.storage.list("")).rejects.toThrow("status 401 (InvalidAuthenticationInfo)");
    expect(tokens).toBe(5);
  });

  it("that no server gives are errors without a word of the secret", async () => {
    const { storage } = openStore(() => response(400, '{"error":"invalid_client","error_description":"s&c"}'), oauth, location);
    const failure = await storage.list("").catch(String);
    expect(failure).toContain("the server gave no token: status 400 (invalid_client)");
    expect(failure).not.toContain("s&c");
  });

  it("need no second place among the requests of a catalog", async () => {
    const { storage, counts } = openStore(
      ({ url }) => (url.includes("/token") ? response(200, '{"access_token":"t","expires_in":3600}') : empty),
      { ...oauth, "s3.max-connections": "1" },
      location,
    );
    await Promise.all([storage.list(""), storage.list("")]);
    expect(counts.runningMax).toBe(1);
  });
});

describe("lists", () => {
  it("have all pages, names of any characters, and no marks of folders", async () => {
    const mark = "<Metadata><hdi_isfolder>true</hdi_isfolder></Metadata>";
    const directory = "<Etag>1</Etag><Content-Length>0</Content-Length><ResourceType>directory</ResourceType>";
    const encoded =
      '<Blob><Name Encoded="true">a/b/odd%EF%BF%BE+</Name><Properties><Etag>"1"</Etag><Content-Length>1</Content-Length></Properties></Blob>';
    const { storage, requests } = openStore(
      ({ url }) =>
        url.includes("marker=to%2Bken")
          ? listOf(blob("a/b/c&amp;d") + encoded + blob("a/b/old", undefined, mark) + blob("a/b/dir", directory))
          : listOf(`${blob("a/b/a")}<BlobPrefix><Name>a/b/sub/</Name></BlobPrefix>`, "to+ken"),
      withKey,
      location,
    );
    expect((await storage.list("")).map(({ name, directory: isFolder, version }) => `${name} ${isFolder} ${version}`)).toEqual([
      'a false "0x8D"',
      'c&d false "0x8D"',
      'odd\uFFFE+ false "1"',
      "sub true ",
    ]);
    expect(requests[0]?.url).toContain("prefix=a%2Fb%2F");
  });

  it("are errors if the server repeats a page, sends something else, or has no such container", async () => {
    const of = (answer: Answer) => openStore(answer, withKey, location).storage.list("");
    await expect(of(() => listOf("", "x"))).rejects.toThrow("repeats a page");
    await expect(of(() => response(200, "<html/>"))).rejects.toThrow("did not answer with a list");
    await expect(of(() => response(200, "no"))).rejects.toThrow("damaged list (11 attempts)");
    await expect(of(() => failed(404, "ContainerNotFound"))).rejects.toThrow("status 404 (ContainerNotFound)");
  });
});

describe("requests", () => {
  it("are repeated while the server is busy", async () => {
    const { storage, requests } = openStore(() => failed(503, "ServerBusy"), { ...withKey, "s3.max-error-retries": "4" }, location);
    await expect(storage.stat("x")).rejects.toThrow("the server answered with status 503 (5 attempts)");
    expect(requests).toHaveLength(5);
  });

  it("are signed with the time of a server whose clock is ahead, unless the key is wrong", async () => {
    const at = async (date: string) => {
      const times: string[] = [];
      const { storage } = openStore(
        ({ headers }) => {
          times.push(String(headers["x-ms-date"]));
          return times.length === 1 ? response(403, "", { date, "x-ms-error-code": "AuthenticationFailed" }) : empty;
        },
        withKey,
        location,
      );
      return [times, await storage.list("").catch(String)] as const;
    };
    expect((await at("Sat, 31 Jan 2026 12:00:00 GMT"))[0][1]).toBe("Sat, 31 Jan 2026 12:00:00 GMT");
    const [times, failure] = await at("Tue, 13 May 2014 16:55:00 GMT");
    expect(times).toHaveLength(1);
    expect(failure).toContain("status 403 (AuthenticationFailed)");
  });

  it("read one version of a blob, in ranges", async () => {
    const file = { path: "f", sizeBytes: 9, version: '"1"' };
    const { storage, requests } = openStore(
      ({ headers }) => {
        const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(String(headers["x-ms-range"])) ?? [];
        return response(206, "012345678".slice(Number(first), Number(last) + 1), {
          etag: '"1"',
          "content-range": `bytes ${first}-${last}/9`,
        });
      },
      withKey,
      location,
    );
    expect(decodeUtf8(await storage.pinned(file).read("f", 2, 4))).toBe("2345");
    expect(requests[0]?.headers["if-match"]).toBe('"1"');
    for (const answer of [failed(412, "ConditionNotMet"), failed(416, "InvalidRange")]) {
      const changed = openStore(() => answer, withKey, location).storage;
      await expect(changed.pinned(file).read("f", 0, 3)).rejects.toMatchObject({ kind: "CHANGED" });
    }
    const folder = openStore(
      () => response(200, "", { "content-length": "0", etag: "1", "x-ms-meta-hdi_isfolder": "true" }),
      withKey,
      location,
    );
    await expect(folder.storage.stat("f")).rejects.toMatchObject({ kind: "NOT_FOUND" });
  });
});

describe("writes", () => {
  it("tell whether their condition holds", async () => {
    const put = async (answer: HttpResponse, condition: Parameters<ObjectWriter["put"]>[2]) => {
      const { storage, requests } = openStore(() => answer, withKey, location);
      return [await writerOf(storage).put("x", new Uint8Array(3), condition), requests[0]?.headers] as const;
    };
    const [made, headers] = await put(response(201), { kind: "absent" });
    expect([made, headers?.["if-none-match"], headers?.["x-ms-blob-type"]]).toEqual([true, "*", "BlockBlob"]);
    expect((await put(failed(409, "BlobAlreadyExists"), { kind: "absent" }))[0]).toBe(false);
    const [changed, conditions] = await put(failed(412, "ConditionNotMet"), { kind: "version", version: '"1"' });
    expect([changed, conditions?.["if-match"]]).toEqual([false, '"1"']);
    await expect(put(failed(409, "BlobImmutableDueToPolicy"), { kind: "absent" })).rejects.toThrow("status 409 (BlobImmutableDueToPolicy)");
  });

  it("become a blob by the list of their blocks, also if the answer to it was lost", async () => {
    let lists = 0;
    const { storage, requests } = openStore(
      ({ method, url }) => {
        if (method === "HEAD") {
          return response(200, "", { "content-length": "5", etag: "1" });
        }
        return url.includes("comp=blocklist")
          ? ++lists === 1
            ? new NetworkError("CONNECTION_RESET", "reset")
            : failed(409, "BlobAlreadyExists")
          : response(201);
      },
      withKey,
      location,
    );
    const writer = writerOf(storage);
    const upload = await writer.begin("x");
    const tags = [await writer.part(upload, 1, new Uint8Array(3)), await writer.part(upload, 2, new Uint8Array(2))];
    await writer.complete(upload, tags, 5);
    const [block] = tags as [string];
    expect(Buffer.from(block, "base64").toString()).toBe("aaaaaaaa-000001");
    expect(requests.map(({ url }) => url.replace(/^.*\?/, "")).slice(0, 2)).toEqual(
      tags.map((tag) => `blockid=${encodeURIComponent(tag)}&comp=block`),
    );
    expect(decodeUtf8(requests[2]?.body ?? new Uint8Array(0))).toBe(
      `<BlockList>${tags.map((tag) => `<Latest>${tag}</Latest>`).join("")}</BlockList>`,
    );
    await expect(writer.complete(upload, tags, 6)).rejects.toThrow("status 409 (BlobAlreadyExists)");
  });

  it("that are given up leave nothing, and never remove a blob that is complete", async () => {
    const { storage, requests } = openStore(() => response(201, "", { etag: '"7"' }), withKey, location);
    const writer = writerOf(storage);
    await writer.abandon(await writer.begin("x"));
    expect(requests.map(({ method, headers }) => [method, headers["if-none-match"], headers["if-match"]])).toEqual([
      ["PUT", "*", undefined],
      ["DELETE", undefined, '"7"'],
    ]);
    const complete = openStore(() => failed(409, "BlobAlreadyExists"), withKey, location);
    const other = writerOf(complete.storage);
    await other.abandon(await other.begin("x"));
    expect(complete.requests.map(({ method }) => method)).toEqual(["PUT"]);
  });
});
