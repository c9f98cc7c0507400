/**
 * Functions of ipprefix and of CIDR text.
 */
import { addressBytes, isV4, parseIpAddress } from "./addresses.ts";
import type { HostImplementation, HostSteps, HostValue, ScalarDefinition } from "../../registry/definition.ts";
import { invalidArgument, type List } from "../../runtime/nested-values.ts";
import { fail } from "../../cast/text-casts.ts";
import { fromInSteps, someInSteps } from "../../runtime/large/loops.ts";
import {
  addressNumber,
  addressOfNumber,
  bitsOfV6,
  collapse,
  holds,
  lastAddress,
  lengthMax,
  type Network,
  networkAround,
  networkOf,
  prefixOf,
} from "./prefixes.ts";
import { isPrivate } from "./private-networks.ts";

/** Work of converting between the bytes of a prefix and its network, relative to a number's: a bigint for each byte. */
const nodesOfPrefix = 64;

/** Presto has no such bound, but its result would not fit in memory. */
const subnetsMax = 1_000_000;

function checkedPrefix(address: Uint8Array, bits: bigint): Uint8Array {
  const most = lengthMax(address);
  return bits >= 0n && bits <= BigInt(most)
    ? prefixOf(networkAround(address, Number(bits)))
    : invalidArgument(`IPv${isV4(address) ? 4 : 6} subnet size must be in range [0, ${most}]`);
}

function firstOf(prefix: HostValue): Uint8Array {
  return (prefix as Uint8Array).slice(0, addressBytes);
}

function lastOf(prefix: HostValue): Uint8Array {
  return addressOfNumber(lastAddress(networkOf(prefix as Uint8Array)));
}

const isSubnetOf: HostImplementation = ([prefix, other]) => {
  const bytes = other as Uint8Array;
  const bits = bytes.length === addressBytes ? bitsOfV6 : networkOf(bytes).bits;
  // An IPv6 network that spans the mapped addresses does not contain IPv4 addresses: the versions differ.
  return isV4(prefix as Uint8Array) === isV4(bytes) && holds(networkOf(prefix as Uint8Array), addressNumber(bytes), bits);
};

const collapsePrefixes: HostSteps = function* ([list]) {
  const values = list as List;
  if (values.includes(null)) {
    return invalidArgument("ip_prefix_collapse does not support null elements");
  }
  const prefixes = values as readonly Uint8Array[];
  const [first] = prefixes;
  if (first !== undefined) {
    const version = isV4(first);
    if (yield* someInSteps(prefixes, (prefix) => isV4(prefix) !== version)) {
      return invalidArgument("All IPPREFIX elements must be the same IP version.");
    }
  }
  const networks = yield* fromInSteps(prefixes.length, (index) => networkOf(prefixes[index] as Uint8Array), nodesOfPrefix);
  const collapsed = yield* collapse(networks);
  return yield* fromInSteps(collapsed.length, (index) => prefixOf(collapsed[index] as Network), nodesOfPrefix);
};

const subnets: HostSteps = function* ([prefix, length]) {
  const bytes = prefix as Uint8Array;
  const [address, wanted] = [firstOf(bytes), length as bigint];
  const most = lengthMax(address);
  if (wanted < 0n || wanted > BigInt(most)) {
    return invalidArgument(`Invalid prefix length for IPv${isV4(address) ? 4 : 6}: ${wanted}`);
  }
  const { first, bits } = networkOf(bytes);
  const step = Number(wanted) + bitsOfV6 - most - bits;
  if (step < 0) {
    return [];
  }
  const count = 2 ** step;
  if (count > subnetsMax) {
    return invalidArgument(`result of ip_prefix_subnets must not have more than ${subnetsMax} entries`);
  }
  const size = 1n << BigInt(bitsOfV6 - bits - step);
  return yield* fromInSteps(count, (index) => prefixOf({ first: first + BigInt(index) * size, bits: bits + step }), nodesOfPrefix);
};

/** CIDR text as Trino's contains accepts it: the host bits of an IPv4 address must be zero. */
function cidrOf(text: string): Network {
  const separator = text.indexOf("/");
  if (separator < 0) {
    return invalidArgument("Invalid CIDR");
  }
  const addressText = text.slice(0, separator);
  const address = parseIpAddress(addressText) ?? invalidArgument("Invalid network IP address");
  const lengthText = text.slice(separator + 1);
  // A mapped address written in IPv6 form has an IPv6 prefix length.
  const isPlainV4 = !addressText.includes(":");
  if (!/^\+?\d{1,9}$/.test(lengthText)) {
    return invalidArgument("Invalid prefix length");
  }
  const length = Number(lengthText);
  if (length > (isPlainV4 ? 32 : bitsOfV6)) {
    return invalidArgument("Prefix length exceeds address length");
  }
  if (!isPlainV4) {
    const shift = BigInt(bitsOfV6 - length);
    return { first: (addressNumber(address) >> shift) << shift, bits: length };
  }
  const network = networkAround(address, length);
  return network.first === addressNumber(address) ? network : invalidArgument("Invalid CIDR");
}

export const networkDefinitions: readonly ScalarDefinition[] = [
  {
    name: "ip_prefix",
    args: ["ipaddress", "bigint"],
    returns: "ipprefix",
    description: "IP prefix of an address and a prefix length",
    host: ([address, bits]) => checkedPrefix(address as Uint8Array, bits as bigint),
    example: { sql: "ip_prefix(IPADDRESS '192.168.255.255', 9)", result: "192.128.0.0/9" },
  },
  {
    name: "ip_prefix",
    args: ["varchar", "bigint"],
    returns: "ipprefix",
    description: "IP prefix of an address and a prefix length",
    host: ([text, bits]) =>
      checkedPrefix(parseIpAddress(text as string) ?? fail(`Cannot cast value to IPADDRESS: ${text as string}`), bits as bigint),
    example: { sql: "ip_prefix('2001:0db8:85a3:0001:0001:8a2e:0370:7334', 48)", result: "2001:db8:85a3::/48" },
  },
  {
    name: "ip_subnet_min",
    args: ["ipprefix"],
    returns: "ipaddress",
    description: "First address of the IP prefix",
    host: ([prefix]) => firstOf(prefix as HostValue),
    example: { sql: "ip_subnet_min(IPPREFIX '192.168.255.255/9')", result: "192.128.0.0" },
  },
  {
    name: "ip_subnet_max",
    args: ["ipprefix"],
    returns: "ipaddress",
    description: "Last address of the IP prefix",
    host: ([prefix]) => lastOf(prefix as HostValue),
    example: { sql: "ip_subnet_max(IPPREFIX '192.64.0.0/9')", result: "192.127.255.255" },
  },
  {
    name: "ip_subnet_range",
    args: ["ipprefix"],
    returns: "array(ipaddress)",
    description: "Array of the first and last address of the IP prefix",
    host: ([prefix]) => [firstOf(prefix as HostValue), lastOf(prefix as HostValue)],
    example: { sql: "ip_subnet_range(IPPREFIX '1.2.3.160/24')", result: "[1.2.3.0, 1.2.3.255]" },
  },
  {
    name: "is_subnet_of",
    args: ["ipprefix", "ipaddress"],
    returns: "boolean",
    description: "Whether the address is in the IP prefix",
    host: isSubnetOf,
    example: { sql: "is_subnet_of(IPPREFIX '1.2.3.128/26', IPADDRESS '1.2.3.129')", result: "true" },
  },
  {
    name: "is_subnet_of",
    args: ["ipprefix", "ipprefix"],
    returns: "boolean",
    description: "Whether the second IP prefix is a subnet of the first",
    host: isSubnetOf,
    example: { sql: "is_subnet_of(IPPREFIX '192.168.3.131/26', IPPREFIX '192.168.3.144/30')", result: "true" },
  },
  {
    name: "ip_prefix_collapse",
    args: ["array(ipprefix)"],
    returns: "array(ipprefix)",
    description: "Minimal set of IP prefixes that covers the given ones",
    steps: collapsePrefixes,
    example: { sql: "ip_prefix_collapse(ARRAY[IPPREFIX '192.168.0.0/24', IPPREFIX '192.168.1.0/24'])", result: "[192.168.0.0/23]" },
  },
  {
    name: "ip_prefix_subnets",
    args: ["ipprefix", "bigint"],
    returns: "array(ipprefix)",
    description: "Subnets of the IP prefix with a prefix length",
    steps: subnets,
    example: { sql: "ip_prefix_subnets(IPPREFIX '192.168.1.0/24', 25)", result: "[192.168.1.0/25, 192.168.1.128/25]" },
  },
  {
    name: "is_private_ip",
    args: ["ipaddress"],
    returns: "boolean",
    description: "Whether the address is not globally reachable",
    host: ([address]) => isPrivate(address as Uint8Array),
    example: { sql: "is_private_ip(IPADDRESS '10.0.0.1')", result: "true" },
  },
  {
    name: "contains",
    args: ["varchar", "ipaddress"],
    returns: "boolean",
    description: "Whether the address is in the network in CIDR notation",
    host: ([network, address]) => holds(cidrOf(network as string), addressNumber(address as Uint8Array)),
    example: { sql: "contains('10.0.0.0/8', IPADDRESS '10.255.255.255')", result: "true" },
  },
];
