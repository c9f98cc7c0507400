import { describe, expect, it } from "vitest";
import { shownName, shownValue } from "../../../src/protocol/shown-value.ts";
import { environmentName, nearestName, parseProperties } from "../../../src/server/properties.ts";

const options = { source: "etc/config.properties", environment: { SECRET: "s3" } };

describe("property files", () => {
  it("reads names and values, skipping comments and blank lines", () => {
    expect([...parseProperties("# a\n\n a = 1 \nb=x=y\r\n", options)]).toEqual([
      ["a", "1"],
      ["b", "x=y"],
    ]);
  });

  it("replaces ${ENV:NAME} and names what is missing", () => {
    expect(parseProperties("k=<${ENV:SECRET}>", options).get("k")).toBe("<s3>");
    expect(() => parseProperties("\nk=${ENV:NOPE}", options)).toThrow("etc/config.properties:2: environment variable 'NOPE' is not set");
  });

  it("refuses lines that are no property, and repeats", () => {
    expect(() => parseProperties("nonsense", options)).toThrow(/^etc\/config.properties:1: expected 'name=value'$/);
    expect(() => parseProperties("a=1\na=2", options)).toThrow("etc/config.properties:2: property 'a' is set twice");
  });

  it("shows no value whose name was forgotten", () => {
    for (const line of ["shared-secret: Zm9v=", "Zm9v YmFy=", "Zm9v+YmFy/c2Vj=", "=Zm9v"]) {
      expect(() => parseProperties(line, options)).toThrow(/^etc\/config.properties:1: expected 'name=value'$/);
    }
    expect(() => parseProperties("Zm9vYmFyc2VjcmV0MTIzNDU=1\nZm9vYmFyc2VjcmV0MTIzNDU=", options)).toThrow(
      "property 'Zm9vYm...' is set twice",
    );
  });

  it("shows short values and paths whole, of others the beginning, in one line", () => {
    const shown = ["3 days", "/etc/orrery/keystore-of-a-node.pem", "Zm9vYmFyc2VjcmV0MTIzNDU2", `/${"x".repeat(400)}`, "a\u0000b\u2028"];
    expect(shown.map(shownValue)).toEqual(["3 days", "/etc/orrery/keystore-of-a-node.pem", "Zm9vYm...", "/xxxxx...", "a?b?"]);
    const names = ["http-server.http.port", "failure-detector.heartbeat-interval", "deadbeefdeadbeefdeadbeefdeadbeef"];
    expect(names.map(shownName)).toEqual(["http-server.http.port", "failure-detector.heartbeat-interval", "deadbe..."]);
  });

  it("suggests the nearest name only when it is near", () => {
    expect(nearestName("htp-server.port", ["http-server.http.port", "http-server.port"])).toBe("http-server.port");
    expect(nearestName("zzz", ["http-server.http.port"])).toBeUndefined();
    expect(environmentName("http-server.http.port")).toBe("ORRERY_HTTP_SERVER_HTTP_PORT");
  });
});
