import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { externalHostOf, isLoop, isOutOfReach } from "../../../src/server/transport/addresses.ts";

function address(text: string, internal: boolean, family: "IPv4" | "IPv6" = "IPv4"): NetworkInterfaceInfo {
  return {
    address: text,
    internal,
    family,
    netmask: "",
    mac: "",
    cidr: null,
    ...(family === "IPv6" ? { scopeid: 0 } : {}),
  } as NetworkInterfaceInfo;
}

const interfaces = {
  lo: [address("127.0.0.1", true), address("::1", true, "IPv6")],
  eth0: [address("fe80::1", false, "IPv6"), address("10.1.2.3", false)],
};

describe("the name of a worker node", () => {
  it("is the configured one, else the machine's address when it listens everywhere", () => {
    expect(externalHostOf({ host: "0.0.0.0", externalHost: "w1.example" }, interfaces)).toBe("w1.example");
    expect(externalHostOf({ host: "0.0.0.0", externalHost: undefined }, interfaces)).toBe("10.1.2.3");
    expect(externalHostOf({ host: "::", externalHost: undefined }, interfaces)).toBe("10.1.2.3");
    expect(externalHostOf({ host: "127.0.0.1", externalHost: undefined }, interfaces)).toBeUndefined();
    expect(externalHostOf({ host: "0.0.0.0", externalHost: undefined }, { lo: interfaces.lo })).toBeUndefined();
  });

  it("is a loop for every spelling of it", () => {
    expect(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"].every(isLoop)).toBe(true);
    expect(["0.0.0.0", "::", "10.0.0.1", "fe80::1", "example"].some(isLoop)).toBe(false);
  });

  it("is out of reach when it is a loop and the coordinator is elsewhere", () => {
    expect(isOutOfReach("http://127.0.0.1:9", "http://10.0.0.1:8080")).toBe(true);
    expect(isOutOfReach("http://127.0.0.1:9", "http://localhost:8080/")).toBe(false);
    expect(isOutOfReach("http://127.0.0.1:9", "http://[::1]:8080")).toBe(false);
    expect(isOutOfReach("http://10.0.0.2:9", "http://10.0.0.1:8080")).toBe(false);
  });
});
