import { describe, expect, it } from "vitest";
import { readBody } from "../../../sim/checkers/protocol/bodies.ts";
import { encodeUtf8 } from "../../../src/types/utf8.ts";

describe("a body that oracles read", () => {
  it("is parsed once, however many ask", () => {
    const bytes = encodeUtf8('{"id":"é","rows":[[1]]}');
    expect(readBody(bytes).json()).toEqual({ id: "é", rows: [[1]] });
    expect(readBody(bytes).json()).toBe(readBody(bytes).json());
    expect(readBody(bytes).exactJson()).toBe(readBody(bytes).json());
  });

  it("has wide numbers exactly where they are asked for", () => {
    const body = readBody(encodeUtf8('{"count":9007199254740993}'));
    expect(body.exactJson()).toEqual({ count: 9007199254740993n });
    expect(body.json()).toEqual({ count: 9007199254740992 });
  });

  it("is told apart from others with the same bytes, and read again when it is long forgotten", () => {
    const bytes = encodeUtf8("[1]");
    const first = readBody(bytes).json();
    expect(readBody(encodeUtf8("[1]")).json()).not.toBe(first);
    for (let index = 0; index < 100; index++) {
      readBody(encodeUtf8(String(index)));
    }
    expect(readBody(bytes).json()).toEqual(first);
  });

  it("that is not JSON is still text", () => {
    const body = readBody(encodeUtf8("No resource at /x"));
    expect(body.text()).toBe("No resource at /x");
    expect(() => body.json()).toThrow(SyntaxError);
  });
});
