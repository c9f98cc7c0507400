import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, it } from "vitest";
import { certificate, certificatePath, tlsOf } from "../../../support/certificates/certificates.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-tls-"));
  path = join(folder, "keystore.pem");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function subjectOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", ca: certificate("ca") }, () => {
      resolve(socket.getPeerX509Certificate()?.subject ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

it("serves a new certificate when its file changes, and keeps the former one when the new file is broken", async () => {
  copyFileSync(certificatePath("server"), path);
  const complaints: string[] = [];
  const tls = tlsOf({ keystorePath: path, refreshMs: 0 }, (message) => complaints.push(message));
  const server = createServer(tls.context);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(tls.refresh()).toBe(false);
  expect(await subjectOf(port)).toBe("CN=localhost");
  copyFileSync(certificatePath("renewed"), path);
  expect(tls.refresh()).toBe(true);
  server.setSecureContext(tls.context);
  expect(await subjectOf(port)).toBe("CN=localhost\nO=Renewed");
  writeFileSync(path, certificate("server").slice(0, 300));
  expect(tls.refresh()).toBe(false);
  expect(tls.refresh()).toBe(false);
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).not.toContain("BEGIN");
  server.setSecureContext(tls.context);
  expect(await subjectOf(port)).toBe("CN=localhost\nO=Renewed");
  server.close();
  server.closeAllConnections();
});

it("reads an encrypted key with its password only", () => {
  const keystorePath = certificatePath("encrypted");
  expect(() => tlsOf({ keystorePath })).toThrow(/HTTPS cannot be enabled with .*encrypted\.pem/);
  expect(() => tlsOf({ keystorePath, keystoreKey: "wrong" })).toThrow(/http-server\.https\.keystore\.key/);
  expect(tlsOf({ keystorePath, keystoreKey: "secret" }).context.cert).toContain("BEGIN CERTIFICATE");
});

it("says which file cannot be read", () => {
  expect(() => tlsOf({ keystorePath: join(folder, "none") })).toThrow(/property 'http-server\.https\.keystore\.path'/);
  expect(() => tlsOf({ truststorePath: join(folder, "none") })).toThrow(/property 'http-server\.https\.truststore\.path'/);
  expect(() => tlsOf({ keystorePath: certificatePath("ca") })).toThrow(/HTTPS cannot be enabled/);
});
