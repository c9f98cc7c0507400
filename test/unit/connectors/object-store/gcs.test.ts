/** Buckets of Google against answers of a function: signatures, tokens, generations, and what opens them. */
import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { HttpRequest, HttpResponse } from "../../../../src/ports/network.ts";
import { decodeUtf8 } from "../../../../src/types/utf8.ts";
import { openStore, response } from "../../../support/stores/answered-store.ts";

const location = "gs://data/a/b";
const user = JSON.stringify({ type: "authorized_user", client_id: "C", client_secret: "hush", refresh_token: "R" });
const empty = response(200, "<ListBucketResult/>");

function listOf(content: string): HttpResponse {
  return response(200, `<ListBucketResult>${content}</ListBucketResult>`);
}

const withKeys = { "gcs.hmac-access-key": "GOOG1EXAMPLE", "gcs.hmac-secret-key": "s3cret" };

describe("requests", () => {
  it("are signed by HMAC keys with Google's words", async () => {
    const { storage, requests } = openStore(() => empty, withKeys, location);
    await storage.list("");
    const [{ url, headers }] = requests as [HttpRequest];
    expect(url).toMatch(/^https:\/\/storage\.googleapis\.com\/data\?/);
    const time = String(headers["x-goog-date"]);
    const hash = createHash("sha256").update("").digest("hex");
    const signed = `host:storage.googleapis.com\nx-goog-content-sha256:${hash}\nx-goog-date:${time}\n`;
    const names = "host;x-goog-content-sha256;x-goog-date";
    const canonical = ["GET", "/data", new URL(url).search.slice(1), signed, names, hash].join("\n");
    const scope = `${time.slice(0, 8)}/auto/storage/goog4_request`;
    const text = ["GOOG4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
    const key = scope.split("/").reduce<string | Buffer>((from, part) => createHmac("sha256", from).update(part).digest(), "GOOG4s3cret");
    const signature = createHmac("sha256", key).update(text).digest("hex");
    expect(headers["authorization"]).toBe(
      `GOOG4-HMAC-SHA256 Credential=GOOG1EXAMPLE/${scope}, SignedHeaders=${names}, Signature=${signature}`,
    );
  });

  it("have a token of the credentials of the host, of a file, or of a property", async () => {
    const asked = async (properties: Readonly<Record<string, string>>, settings: Readonly<Record<string, string>>) => {
      const { storage, requests } = openStore(
        ({ url }) => (url.endsWith("/token") ? response(200, '{"access_token":"t","expires_in":3600}') : empty),
        properties,
        location,
        settings,
      );
      await storage.list("");
      await storage.list("");
      return requests;
    };
    const file = { "gcs.json-key-file-path": "/etc/key.json" };
    for (const requests of [
      await asked({}, { GOOGLE: user }),
      await asked(file, { "/etc/key.json": user }),
      await asked({ "gcs.json-key": user }, {}),
    ]) {
      const [token, ...lists] = requests;
      expect(token?.url).toBe("https://oauth2.googleapis.com/token");
      expect(decodeUtf8(token?.body ?? new Uint8Array(0))).toBe("grant_type=refresh_token&client_id=C&client_secret=hush&refresh_token=R");
      expect(lists.map(({ headers }) => headers["authorization"])).toEqual(["Bearer t", "Bearer t"]);
    }
    const [plain] = await asked({ "gcs.auth-type": "NONE" }, { GOOGLE: user });
    expect(plain?.headers["authorization"]).toBeUndefined();
    await expect(asked({}, {})).rejects.toThrow("there are none: set property 'gcs.json-key-file-path'");
  });

  it.each([
    [{ "gcs.json-key": "{hush" }, "The credentials of Google are no file of a service account or of a user"],
    [{ "gcs.json-key": '{"type":"service_account","private_key":"hush"}' }, "The credentials of Google are no file of a service account"],
    [
      { "gcs.json-key": user, "gcs.json-key-file-path": "/x" },
      "Only one of the properties 'gcs.json-key' and 'gcs.json-key-file-path' can be set",
    ],
    [{ "gcs.hmac-secret-key": "hush" }, "Properties 'gcs.hmac-access-key' and 'gcs.hmac-secret-key' belong together"],
    [{ "gcs.auth-type": "APPLICATION" }, "Invalid value 'APPLICATION' for property 'gcs.auth-type'"],
    [{ "gcs.endpoint": "http://a:hush@host" }, "Invalid value 'http://host' for property 'gcs.endpoint'"],
  ])("are refused with %o, without a word of a secret", (properties, message) => {
    const failure = (): unknown => openStore(() => empty, properties, location);
    expect(failure).toThrow(message);
    expect(failure).not.toThrow("hush");
  });

  it("say that a private key is none", async () => {
    const key = JSON.stringify({ type: "service_account", client_email: "a@b", private_key: "hush" });
    const { storage } = openStore(() => empty, { "gcs.json-key": key }, location);
    await expect(storage.list("")).rejects.toThrow("the private key is no RSA key in PEM");
  });
});

describe("versions", () => {
  it("are generations in lists, ranges and conditions", async () => {
    const { storage, requests } = openStore(
      ({ method, headers, url }) => {
        if (url.includes("list-type")) {
          return listOf('<Contents><Key>a/b/f</Key><ETag>"e"</ETag><Generation>17</Generation><Size>3</Size></Contents>');
        }
        return method === "PUT"
          ? response(headers["x-goog-if-generation-match"] === "0" ? 412 : 200)
          : response(206, "abc", { etag: '"e"', "x-goog-generation": "17", "content-range": "bytes 0-2/3" });
      },
      withKeys,
      location,
    );
    const [entry] = await storage.list("");
    expect(entry?.version).toBe("17");
    const pinned = storage.pinned({ path: "f", sizeBytes: 3, version: "17" });
    expect(decodeUtf8(await pinned.read("f", 0, 3))).toBe("abc");
    expect(requests[1]?.headers["x-goog-if-generation-match"]).toBe("17");
    await expect(storage.pinned({ path: "f", sizeBytes: 3, version: "16" }).read("f", 0, 3)).rejects.toMatchObject({ kind: "CHANGED" });
    // A list without generations.
    expect(decodeUtf8(await storage.pinned({ path: "g", sizeBytes: 3, version: '"e"' }).read("g", 0, 3))).toBe("abc");
    expect(requests.at(-1)?.headers["if-match"]).toBe('"e"');
    expect(await storage.writer?.put("x", new Uint8Array(1), { kind: "absent" })).toBe(false);
    expect(await storage.writer?.put("x", new Uint8Array(1), { kind: "version", version: "17" })).toBe(true);
    expect(requests.at(-1)?.headers["x-goog-if-generation-match"]).toBe("17");
  });
});
