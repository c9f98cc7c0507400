/** Trino's own client with a password over HTTPS. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { BasicAuth, Trino } from "trino-client";
import { certificate } from "../support/certificates/certificates.ts";
import { passwordSecurity } from "../support/certificates/password-users.ts";
import { type LoopbackCluster, startLoopbackCluster } from "../support/loopback-cluster.ts";

let cluster: LoopbackCluster;

beforeAll(async () => {
  cluster = await startLoopbackCluster({
    workers: 1,
    access: "default",
    security: passwordSecurity(({ user, password }) => user === "alice" && password === "secret"),
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
