import { expect, it } from "vitest";
import { RealOutbound } from "../../../src/server/ports/outbound.ts";

// Another server's answer may name it.
it("refuses an address that is none", async () => {
  const outbound = new RealOutbound({});
  const request = { method: "GET", url: "http://[", headers: {}, body: new Uint8Array(0) } as const;
  await expect(outbound.request(request, { label: "test", timeoutMs: 1000, bodyBytesMax: 1000 })).rejects.toMatchObject({
    name: "NetworkError",
    kind: "PROTOCOL_ERROR",
    message: "the address: Invalid URL",
  });
  await outbound.close();
});
