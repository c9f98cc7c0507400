/** The audit log of a cluster with users and rules: who did what, who was refused, and nothing that is secret. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rules } from "../access/rules.ts";
import { basic, SecureClient } from "../support/certificates/certificates.ts";
import { passwordSecurity } from "../support/certificates/password-users.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

let folder: string;
let cluster: LoopbackCluster;
const client = new SecureClient();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "orrery-audit-"));
  cluster = await startLoopbackCluster({
    workers: 1,
    access: rules,
    events: { auditLog: { path: join(folder, "audit.jsonl"), sizeBytesMax: 1e6, filesMax: 2 } },
    security: passwordSecurity(({ password }) => password === "s3cret"),
  });
});

afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

it("has a line for each statement that begins and ends, and for each refusal", async () => {
  const uri = cluster.httpsUri ?? "";
  await client.rows(uri, "SELECT 'hidden literal'", { ...basic("ann", "s3cret"), "x-trino-source": "test" });
  await client.rows(uri, "SELECT ssn FROM memory.hr.people", basic("eve", "s3cret"));
  await client.rows(uri, "SELECT 1", basic("ann", "wr0ng"));
  await client.rows(uri, "SELECT 1", { ...basic("ann", "s3cret"), "x-trino-user": "bob" });
  await client.ask(`${uri}/v1/node`, { headers: basic("ann", "s3cret") });
  await client.ask(`${uri}/ui/login`, { method: "POST", body: "username=ann&password=wr0ng" });
  await client.ask(`${uri}/v1/statement/x/0?slug=s3cret`, { headers: basic("ann", "wr0ng") });
  await cluster.stop();
  const text = readFileSync(join(folder, "audit.jsonl"), "utf8");
  expect(text).not.toMatch(/s3cret|wr0ng|Basic|hidden literal/);
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const began = (user: string) => expect.objectContaining({ event: "statement-began", user, principal: user }) as unknown;
  const refused = (fields: object) =>
    expect.objectContaining({ event: "request-refused", remoteAddress: "127.0.0.1", ...fields }) as unknown;
  expect(lines).toEqual(
    expect.arrayContaining([
      began("ann"),
      expect.objectContaining({ event: "statement-ended", user: "ann", source: "test", outcome: "FINISHED", remoteAddress: "127.0.0.1" }),
      began("eve"),
      expect.objectContaining({
        event: "statement-ended",
        user: "eve",
        outcome: expect.stringMatching(/NOT_FOUND|PERMISSION_DENIED/) as string,
      }),
      refused({ status: 401, method: "POST", path: "/v1/statement", reason: "Access Denied: Invalid credentials" }),
      refused({ status: 403, user: "ann", reason: "Access Denied: User ann cannot impersonate user bob" }),
      refused({ status: 403, user: "ann", path: "/v1/node", reason: "Access Denied: Cannot read system information" }),
      refused({ status: 401, path: "/ui/login" }),
      refused({ status: 401, method: "GET", path: "/v1/statement/x/0" }),
    ]),
  );
  expect(lines).toHaveLength(4 + 5);
});
