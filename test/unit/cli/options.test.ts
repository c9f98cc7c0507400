import { describe, expect, it } from "vitest";
import { NoRun, parseOptions } from "../../../src/cli/options/options.ts";
import { serverAddress } from "../../../src/cli/options/server-address.ts";

function parse(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  let errors = "";
  const options = () =>
    parseOptions(argv, {
      user: "alice",
      timezone: "UTC",
      version: "1",
      environment,
      writeOut: () => undefined,
      writeError: (text) => {
        errors += text;
      },
    });
  return { options, errors: () => errors };
}

function refused(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  const { options, errors } = parse(argv, environment);
  expect(options).toThrow(NoRun);
  return errors();
}

describe("the address", () => {
  it.each([
    [[], {}, "http://127.0.0.1:8080", undefined, undefined],
    [["--server", "example:81"], {}, "http://example:81", undefined, undefined],
    [["--server", "https://example/"], {}, "https://example", undefined, undefined],
    [["http://example:81/tpch/tiny"], {}, "http://example:81", "tpch", "tiny"],
    [["example:81/tpch"], {}, "http://example:81", "tpch", undefined],
    [["--ssl", "example:81/tpch"], {}, "https://example:81", "tpch", undefined],
    [["--ssl"], {}, "https://127.0.0.1:8080", undefined, undefined],
    [["http://example:81/tpch/tiny", "--schema", "sf1"], {}, "http://example:81", "tpch", "sf1"],
    [[], { ORRERY_SERVER: "http://other:82/tpch/tiny" }, "http://other:82", "tpch", "tiny"],
    [["example"], { ORRERY_SERVER: "http://other:82" }, "http://example", undefined, undefined],
    [["[::1]:81"], {}, "http://[::1]:81", undefined, undefined],
    [["http://e/with%20blank/a%2Fb"], {}, "http://e", "with blank", "a/b"],
  ])("%j %j", (argv, environment, server, catalog, schema) => {
    const { server: found, catalog: inCatalog, schema: inSchema } = parse(argv, environment).options();
    expect([found, inCatalog, inSchema]).toEqual([server, catalog, schema]);
  });

  it.each(["select 1", "ftp://example", "http://", "http://a/b/c/d", "http://user:secret@a", "http://a?b=c", "a b", "", "/path"])(
    "'%s' is none",
    (text) => {
      expect(serverAddress(text)).toBeUndefined();
    },
  );

  it("says what is wrong", () => {
    expect(refused(["select 1"])).toContain(
      "'select 1' is not an address; expected http://host:port/catalog/schema; SQL is given with --execute",
    );
    expect(refused([], { ORRERY_SERVER: "a b" })).toContain("ORRERY_SERVER: 'a b' is not an address");
    expect(refused(["a", "--server", "b"])).toContain("given twice");
    expect(refused(["--ssl", "http://a"])).toContain("--ssl contradicts http://a");
    expect(refused(["--schema", "s"])).toContain("--schema needs --catalog");
  });
});

describe("flags", () => {
  it("a password needs https, as in Trino, or --insecure", () => {
    expect(refused(["--password"])).toContain("Authentication using username/password requires HTTPS to be enabled");
    expect(parse(["--password", "--insecure"]).options()).toMatchObject({ password: true, insecure: true });
    expect(parse(["--password", "https://a"]).options()).toMatchObject({ password: true, insecure: false });
  });

  it("repeated assignments are collected", () => {
    const { options } = parse([
      ..."--session a=1 --session c.b=x=y --resource-estimate CPU_TIME=5m --extra-credential token=s".split(" "),
      ..."--client-tags a,,b --trace-token t --client-info i".split(" "),
    ]);
    expect(options()).toMatchObject({
      session: { a: "1", "c.b": "x=y" },
      resourceEstimates: { CPU_TIME: "5m" },
      extraCredentials: { token: "s" },
      clientTags: ["a", "b"],
      traceToken: "t",
      clientInfo: "i",
    });
    expect(refused(["--session", "a"])).toContain("Expected property=value.");
  });

  it("progress, pager and rc can be set and switched off", () => {
    expect(parse([]).options()).not.toHaveProperty("progress");
    expect(parse([]).options()).not.toHaveProperty("pager");
    expect(parse([]).options()).not.toHaveProperty("rc");
    expect(parse(["--progress", "--pager", "more", "--rc", "f"]).options()).toMatchObject({ progress: true, pager: "more", rc: "f" });
    expect(parse(["--no-progress", "--no-pager", "--no-rc"]).options()).toMatchObject({ progress: false, pager: "", rc: false });
  });

  it("formats in any case, and no others", () => {
    expect(parse(["--output-format", "json", "--output-format-interactive", "vertical"]).options()).toMatchObject({
      outputFormat: "JSON",
      outputFormatInteractive: "VERTICAL",
    });
    expect(refused(["--output-format", "xml"])).toContain("Allowed choices are ALIGNED,");
  });
});
