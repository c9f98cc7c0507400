/**
 * Trino's spooled protocol in both worlds, read by an independent reader.
 */
import { describe, expect, it } from "vitest";
import { type Asker, clientOf, type Fields, type Service, textOf } from "../support/service.ts";
import { readSpooled, type SpooledData } from "../support/spooled-reader.ts";

const longStatement = "SELECT orderkey, linenumber, comment FROM tpch.tiny.lineitem";

export function defineSpooling(service: () => Service): void {
  describe("rows as segments (Trino's spooled protocol)", () => {
    const client = (encodings: string, family = "trino"): Asker => clientOf(service(), family, { "query-data-encoding": encodings });
    const get = (uri: string) => service().request("GET", uri);
    const segmentsOf = (chain: readonly Fields[]) =>
      chain.flatMap(({ data }) => (data === undefined ? [] : (data as unknown as SpooledData).segments));

    const read = async (asker: Asker, sql: string): Promise<{ readonly rows: unknown[][]; readonly chain: Fields[] }> => {
      const rows: unknown[][] = [];
      const chain: Fields[] = [];
      let document = await asker.object("POST", "/v1/statement", sql);
      for (;;) {
        chain.push(document);
        if (document["data"] !== undefined) {
          rows.push(...(await readSpooled(document["data"] as unknown as SpooledData, get, rows.length)));
        }
        if (document["nextUri"] === undefined) {
          return { rows, chain };
        }
        document = await asker.object("GET", textOf(document["nextUri"]));
      }
    };

    it.each(["json", "json+lz4"])("puts few rows into the answer, encoded as %s", async (encoding) => {
      const { rows, chain } = await read(client(encoding), "SELECT nationkey, name, comment FROM nation ORDER BY nationkey");
      expect(rows.length).toBe(25);
      expect(rows[24]?.slice(0, 2)).toEqual([24, "UNITED STATES"]);
      const segments = segmentsOf(chain);
      expect(segments.map(({ type }) => type)).toEqual(["inline"]);
      expect(segments[0]?.metadata.uncompressedSize === undefined).toBe(encoding === "json");
      expect(chain.at(-1)?.["data"]).toBeUndefined();
      // Too small to be compressed.
      expect(segmentsOf((await read(client(encoding), "SELECT 1")).chain)[0]?.metadata).toEqual({
        rowOffset: 0,
        rowsCount: 1,
        segmentSize: 5,
      });
    });

    it.each(["json", "json+lz4"])("puts many rows to where the client fetches them, encoded as %s", async (encoding) => {
      const plain = await client("").rows(longStatement);
      const { rows, chain } = await read(client(encoding), longStatement);
      const sorted = (all: readonly unknown[][]) => all.map((row) => JSON.stringify(row)).sort();
      expect(sorted(rows)).toEqual(sorted(plain));
      const segments = segmentsOf(chain);
      expect(segments.filter(({ type }) => type === "spooled").length).toBeGreaterThan(1);
      for (const { type, uri, ackUri, metadata } of segments) {
        if (type === "spooled") {
          expect(uri).toMatch(/\/v1\/spooled\/download\/[0-9a-f]{32}$/);
          expect(ackUri).toMatch(/\/v1\/spooled\/ack\/[0-9a-f]{32}$/);
          expect(metadata.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT/);
          expect((metadata.uncompressedSize ?? 0) > metadata.segmentSize).toBe(encoding !== "json");
        }
      }
    });

    it("gives a segment again until it is acknowledged, which may be said twice", async () => {
      let document = await client("json").object("POST", "/v1/statement", longStatement);
      while (document["data"] === undefined) {
        document = await client("json").object("GET", textOf(document["nextUri"]));
      }
      const segment = (document["data"] as unknown as SpooledData).segments[0];
      const once = await get(segment?.uri ?? "");
      expect([once.status, once.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
      expect(Buffer.from((await get(segment?.uri ?? "")).body).equals(Buffer.from(once.body))).toBe(true);
      expect((await get(segment?.ackUri ?? "")).status).toBe(200);
      expect((await get(segment?.ackUri ?? "")).status).toBe(200);
      expect((await get(segment?.uri ?? "")).status).toBe(404);
      // A client that cancels does not need the other segments either.
      const other = (document["data"] as unknown as SpooledData).segments[1]?.uri;
      expect((await client("json").ask("DELETE", textOf(document["nextUri"]))).status).toBe(204);
      expect(other === undefined ? 404 : (await get(other)).status).toBe(404);
      expect((await get(`${service().uri}/v1/spooled/download/${"0".repeat(32)}`)).status).toBe(404);
    });

    it("uses the first supported encoding, and plain rows if there is none or none is requested", async () => {
      const encodingOf = async (asker: Asker): Promise<unknown> => {
        const data = (await asker.chain("SELECT 1")).find((document) => document["data"] !== undefined)?.["data"];
        return Array.isArray(data) ? "direct" : (data as Fields)["encoding"];
      };
      expect(await encodingOf(client("json+lz4,json"))).toBe("json+lz4");
      expect(await encodingOf(client("arrow, json"))).toBe("json");
      expect(["json+zstd", "json+lz4"]).toContain(await encodingOf(client("json+zstd,json+lz4,json")));
      for (const asker of [client("arrow"), client(""), client("json", "engine"), client("json", "presto")]) {
        expect(await encodingOf(asker)).toBe("direct");
      }
    });

    it("reports update counts and failures in the chain as usual", async () => {
      const created = await read(client("json+lz4"), "CREATE TABLE memory.default.spooled AS SELECT * FROM region");
      expect(created.rows).toEqual([[5]]);
      expect(created.chain.at(-1)).toMatchObject({ updateType: "CREATE TABLE", updateCount: 5 });
      expect((await read(client("json"), "DROP TABLE memory.default.spooled")).rows).toEqual([[true]]);
      expect((await read(client("json"), "SELECT 1 / (nationkey - 3) FROM nation")).chain.at(-1)?.["error"]).toMatchObject({
        errorName: "DIVISION_BY_ZERO",
      });
    });

    it("takes HEAD of the next address for a sign of life, and for nothing else", async () => {
      const first = await client("json").object("POST", "/v1/statement", longStatement);
      const next = textOf(first["nextUri"]);
      for (let turn = 0; turn < 3; turn++) {
        const { status, text } = await client("json").ask("HEAD", next);
        expect([status, text]).toEqual([200, ""]);
      }
      // HEAD produced no document: the submission may still be repeated.
      expect((await client("json").ask("HEAD", next.replace(/slug=\w/, "slug=y"))).status).toBe(404);
      expect((await client("json").ask("GET", next)).status).toBe(200);
      expect((await client("json").ask("DELETE", next)).status).toBe(204);
    });
  });
}
