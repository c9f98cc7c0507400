/**
 * The CLI's HTTP network against a server on loopback: the contract of the Network port.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AuthorizedNetwork, basicCredentials } from "../../../src/cli/authorization.ts";
import { ClientNetwork } from "../../../src/client/http.ts";
import { bareRequest, responseText } from "../../../src/protocol/http/http.ts";
import { hasProgram } from "../../support/terminal/real-terminal.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

let stop: () => Promise<void> = () => Promise.resolve();
const network = new ClientNetwork();
const options = { timeoutMs: 10_000, label: "test" };

async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  await stop();
  const listening = createServer({}, handler as never);
  stop = () =>
    new Promise((resolve) => {
      listening.closeAllConnections();
      listening.close(() => resolve());
    });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

afterEach(() => stop());

describe("requests", () => {
  it("carry method, headers and body, and bring all of the answer back", async () => {
    const uri = await listen((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        response.setHeader("X-Twice", ["a", "b"]);
        response.end(`${request.method} ${request.url} ${request.headers["x-engine-user"]} ${body}`);
      });
    });
    const answer = await network.request(
      { method: "POST", url: `${uri}/v1/statement?a=b`, headers: { "x-engine-user": "alice" }, body: encodeUtf8("select '\u00e9'") },
      options,
    );
    expect(answer.status).toBe(200);
    expect(responseText(answer)).toBe("POST /v1/statement?a=b alice select '\u00e9'");
    expect(answer.headers["x-twice"]).toEqual(["a", "b"]);
  });

  it("take no more of an answer than the network allows", async () => {
    const uri = await listen((request, response) => response.end("x".repeat(request.url === "/long" ? 101 : 100)));
    const small = new ClientNetwork({ answerBytesMax: 100 });
    expect((await small.request(bareRequest("GET", `${uri}/`), options)).body).toHaveLength(100);
    await expect(small.request(bareRequest("GET", `${uri}/long`), options)).rejects.toMatchObject({
      kind: "PROTOCOL_ERROR",
      message: `${uri}: the answer has more than 100 bytes`,
    });
  });

  it("fail with the kind that says whether they may have been carried out", async () => {
    const uri = await listen((_request, response) => response.destroy());
    await expect(network.request(bareRequest("GET", `${uri}/`), options)).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
    const refused = await listen(() => undefined);
    await stop();
    await expect(network.request(bareRequest("GET", refused), options)).rejects.toMatchObject({ kind: "CONNECTION_REFUSED" });
    await expect(network.request(bareRequest("GET", "http://no-such-host.invalid/"), options)).rejects.toMatchObject({
      kind: "HOST_UNREACHABLE",
    });
  });

  it("end when they are aborted, or take too long, or break off half way", async () => {
    const uri = await listen((request, response) => {
      if (request.url === "/half") {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      }
    });
    const aborted = network.request(bareRequest("GET", `${uri}/`), { ...options, onAbortable: (abort) => setImmediate(abort) });
    await expect(aborted).rejects.toMatchObject({ kind: "ABORTED" });
    await expect(network.request(bareRequest("GET", `${uri}/`), { ...options, timeoutMs: 20 })).rejects.toMatchObject({ kind: "TIMEOUT" });
    await expect(network.request(bareRequest("GET", `${uri}/half`), options)).rejects.toMatchObject({ kind: "CONNECTION_RESET" });
  });
});

/** A certificate of openssl's, signed by itself. */
function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "orrery-tls-"));
  try {
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name)) as [string, string];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"], {
      stdio: "ignore",
    });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.runIf(hasProgram("openssl"))("https", () => {
  it("refuses a certificate that nobody vouches for, unless --insecure says otherwise", async () => {
    const seen: (string | undefined)[] = [];
    const server = createSecureServer(certificate(), (request, response) => {
      seen.push(request.headers.authorization);
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const uri = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const insecure = new ClientNetwork({ insecure: true });
    try {
      await expect(network.request(bareRequest("GET", `${uri}/`), options)).rejects.toThrow("self-signed certificate");
      expect(seen).toEqual([]);
      const authorized = new AuthorizedNetwork(insecure, { server: uri, credentials: basicCredentials("alice", "secret") });
      expect((await authorized.request(bareRequest("GET", `${uri}/v1/info`), options)).status).toBe(200);
      expect(seen).toEqual([`Basic ${Buffer.from("alice:secret").toString("base64")}`]);
    } finally {
      await insecure.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
