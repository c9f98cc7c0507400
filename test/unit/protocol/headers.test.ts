import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHeaderText, encodeHeaderText, isHeaderText } from "../../../src/protocol/http/header-text.ts";
import { HttpError } from "../../../src/protocol/http/http.ts";
import { detectFamily, encodeHeaderValue, parseSessionRequest, responseHeader } from "../../../src/protocol/http/headers.ts";

describe("header families", () => {
  it("are chosen by the User header, else by any known one, else X-Engine-", () => {
    expect(detectFamily({})).toBe("engine");
    expect(detectFamily({ "x-trino-user": "ada" })).toBe("trino");
    expect(detectFamily({ "x-presto-source": "lento" })).toBe("presto");
    expect(detectFamily({ "x-presto-user": "ada", "x-engine-source": "x" })).toBe("presto");
    expect(detectFamily({ "x-presto-user": "ada", "x-trino-user": "ada" })).toBe("presto");
    expect(detectFamily({ "x-trino-unknown": "x" })).toBe("engine");
    expect(responseHeader("trino", "set-session")).toBe("x-trino-set-session");
  });

  it("are refused when two of them name different users", () => {
    expect(refusal({ "x-presto-user": "ada", "x-trino-user": "bob" })).toEqual([
      400,
      "X-Presto-User and X-Trino-User name different users",
    ]);
  });
});

describe("the session of a request", () => {
  it("needs no header at all", () => {
    expect(parseSessionRequest({})).toMatchObject({ family: "engine", user: "anonymous", properties: {}, clientTransactionSupport: false });
  });

  it("reads the four headers of the interface", () => {
    const headers = { "x-engine-user": " ada ", "x-engine-source": "cli", "x-engine-catalog": "tpch", "x-engine-schema": "tiny" };
    expect(parseSessionRequest(headers)).toMatchObject({ user: "ada", source: "cli", catalog: "tpch", schema: "tiny" });
  });

  it("accepts empty headers and transaction NONE, as the Python client sends them", () => {
    const session = parseSessionRequest({ "x-trino-user": "ada", "x-trino-session": "", "x-trino-transaction-id": "NONE" });
    expect(session.properties).toEqual({});
    expect(session.clientTransactionSupport).toBe(true);
    expect(session.transactionId).toBeUndefined();
    expect("catalog" in session).toBe(false);
  });

  it("decodes lists over several lines", () => {
    const session = parseSessionRequest({
      "x-presto-user": "ada",
      "x-presto-session": ["a=1, b.c = x%2Cy+z", "d=p%3Dq"],
      "x-presto-prepared-statement": "q%20x=SELECT+1%2C2",
      "x-presto-client-tags": "a,b,a",
      "x-presto-role": "hive=ROLE%7Badmin%7D",
      "x-presto-resource-estimate": "CPU_TIME=5m,peak_memory=16MB",
    });
    expect(session.properties).toEqual({ a: "1", "b.c": "x,y z", d: "p=q" });
    expect(session.preparedStatements).toEqual({ "q x": "SELECT 1,2" });
    expect(session.clientTags).toEqual(["a", "b"]);
    expect(session.roles).toEqual({ hive: "ROLE{admin}" });
  });

  it("accepts the user of Basic credentials and rejects passwords, because nothing verifies them", () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
    expect(parseSessionRequest(basic("bob:")).user).toBe("bob");
    expect(refusal(basic("bob:secret"))).toEqual([401, "Password not allowed for insecure authentication"]);
  });

  it("is refused in plain words", () => {
    expect(refusal({ "x-engine-schema": "tiny" })).toEqual([400, "Schema is set but catalog is not"]);
    expect(refusal({ "x-engine-session": "novalue" })).toEqual([400, "Invalid X-Engine-Session header"]);
    expect(refusal({ "x-engine-session": "a.b.c=1" })).toEqual([400, "Invalid X-Engine-Session header"]);
    expect(refusal({ "x-trino-session": "a=%zz" })[0]).toBe(400);
    expect(refusal({ "x-trino-transaction-id": "17" })[0]).toBe(400);
    expect(refusal({ "x-trino-role": "hive=admin" })[0]).toBe(400);
    expect(refusal({ "x-trino-resource-estimate": "LUCK=1" })).toEqual([400, "Unsupported resource name LUCK"]);
    expect(refusal({ "x-trino-resource-estimate": "CPU_TIME=often" })[0]).toBe(400);
  });

  it("survives what receivers do to values", () => {
    expect(decodeURIComponent(encodeHeaderValue("a, b=c"))).toBe("a, b=c");
    expect(encodeHeaderValue("a, b")).not.toContain(",");
  });
});

function refusal(headers: Record<string, string | string[]>): [number, string] {
  try {
    parseSessionRequest(headers);
  } catch (error) {
    if (error instanceof HttpError) {
      return [error.status, error.message];
    }
    throw error;
  }
  throw new Error("was not refused");
}

describe("names in headers", () => {
  it("go out as bytes and come back, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const value = encodeHeaderText(text);
        expect(/^[\0-\u00ff]*$/.test(value)).toBe(true);
        expect(decodeHeaderText(value)).toBe(text);
      }),
    );
  });

  it("are Latin-1 where the bytes are no UTF-8, and text where the network carries text", () => {
    expect(["\u00e9", "a\u00ffb", "\u0416", "plain"].map(decodeHeaderText)).toEqual(["\u00e9", "a\u00ffb", "\u0416", "plain"]);
    expect(parseSessionRequest({ "x-trino-user": "\u00c3\u00a0" }).user).toBe("\u00e0");
  });

  it("hold no control characters", () => {
    expect(["a\nb", "\0", "a\u0085", "a b", "\u0416"].map(isHeaderText)).toEqual([false, false, false, true, true]);
  });
});
