/** Trino's own client with a password over HTTPS. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BasicAuth, Trino } from "trino-client";
import { Authentication, PasswordAuthenticator } from "../../src/server/security/authentication.ts";
import type { PasswordFile, PasswordLogin } from "../../src/server/security/password-file.ts";
import { WebSessions } from "../../src/server/security/web-sessions.ts";
import { certificate, tlsOf } from "../support/certificates/certificates.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  const file = {
    isValid: ({ user, password }: PasswordLogin) => Promise.resolve(user === "alice" && password === "secret"),
  } as PasswordFile;
  cluster = await startLoopbackCluster({
    workers: 1,
    access: "default",
    security: (role) => ({
      https: { tls: tlsOf(), port: 0, servesHttp: true, isInternal: false },
      authentication:
        role === "worker"
          ? "nodes-only"
          : new Authentication({
              authenticators: [new PasswordAuthenticator(file, (principal) => principal)],
              allowsInsecureOverHttp: false,
              sessions: new WebSessions(60_000),
            }),
    }),
  });
});

afterAll(() => cluster.stop());

async function rowsOf(sql: string, password: string, ca: string): Promise<readonly unknown[]> {
  const trino = Trino.create({ server: cluster.httpsUri ?? "", auth: new BasicAuth("alice", password), ssl: { ca } });
  const rows: unknown[] = [];
  for await (const { data = [], error } of await trino.query(sql)) {
    if (error !== undefined) {
      throw new Error(error.message);
    }
    rows.push(...data);
  }
  return rows;
}

it("runs statements as the user of the password, to the last row", async () => {
  expect(await rowsOf("SELECT current_user", "secret", certificate("ca"))).toEqual([["alice"]]);
  expect(await rowsOf("SELECT orderkey FROM tpch.tiny.orders", "secret", certificate("ca"))).toHaveLength(15_000);
});

it("is refused with a wrong password, and does not trust another server", async () => {
  await expect(rowsOf("SELECT 1", "wrong", certificate("ca"))).rejects.toThrow("401");
  await expect(rowsOf("SELECT 1", "secret", certificate("stranger"))).rejects.toThrow(/certificate/i);
});
