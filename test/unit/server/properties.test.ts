import { describe, expect, it } from "vitest";
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

  it("suggests the nearest name only when it is near", () => {
    expect(nearestName("htp-server.port", ["http-server.http.port", "http-server.port"])).toBe("http-server.port");
    expect(nearestName("zzz", ["http-server.http.port"])).toBeUndefined();
    expect(environmentName("http-server.http.port")).toBe("ORRERY_HTTP_SERVER_HTTP_PORT");
  });
});
