/**
 * Networks that IANA's special-purpose address registries for IPv4 and IPv6 list as not globally reachable.
 */
import { isV4 } from "./addresses.ts";
import { addressNumber, holds, type Network, networkOf, parseIpPrefix } from "./prefixes.ts";

/** In registry order: RFC 1122, 1918, 6598, 3927, 6890, 5737, 3068, 2544 and 1112. */
const v4Prefixes = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "240.0.0.0/4",
];

/**
 * In registry order: RFC 4291, 6666, 8215, 2928, 3849, 9602 and 4193. 2001::/23 includes the benchmarking networks and others of the
 * registry.
 */
const v6Prefixes = ["::/128", "::1/128", "100::/64", "64:ff9b:1::/48", "2001::/23", "2001:db8::/32", "5f00::/16", "fe80::/10", "fc00::/7"];

function networksOf(prefixes: readonly string[]): readonly Network[] {
  return Object.freeze(prefixes.map((text) => networkOf(parseIpPrefix(text) as Uint8Array)));
}

const v4Networks = networksOf(v4Prefixes);
const v6Networks = networksOf(v6Prefixes);

export function isPrivate(address: Uint8Array): boolean {
  const number = addressNumber(address);
  return (isV4(address) ? v4Networks : v6Networks).some((network) => holds(network, number));
}
