/**
 * IP prefixes: the first address of a network and the prefix length, in IPv4 bits for IPv4 networks. The encoding is the 16 bytes of
 * ipaddress, then one byte of length, so byte order is Presto's order of prefixes.
 */
import { addressBytes, formatIpAddress, isV4, parseIpAddress } from "./addresses.ts";
import type { HostImplementation } from "../../registry/definition.ts";
import { fromInSteps } from "../../runtime/large/loops.ts";
import { type InSteps, sortInSteps } from "../../runtime/steps.ts";

const bitsOfV4 = 32;
export const bitsOfV6 = 128;
/** Bits of an IPv4-mapped address before the IPv4 address. */
const bitsBeforeV4 = bitsOfV6 - bitsOfV4;

/** Work of a network where a loop looks at it, relative to a number's: its words are bigints. */
const nodesOfNetwork = 8;

/** A range of addresses: those that share the first `bits` of 128 bits with `first`. */
export interface Network {
  readonly first: bigint;
  readonly bits: number;
}

export function addressNumber(bytes: Uint8Array): bigint {
  return bytes.subarray(0, addressBytes).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

export function addressOfNumber(value: bigint): Uint8Array {
  return Uint8Array.from({ length: addressBytes }, (_, index) => Number((value >> BigInt(8 * (addressBytes - 1 - index))) & 0xffn));
}

/** Number of bits of the address in its own version. */
export function lengthMax(address: Uint8Array): number {
  return isV4(address) ? bitsOfV4 : bitsOfV6;
}

/** The prefix length in 128-bit form. */
function wholeLength(address: Uint8Array, length: number): number {
  return isV4(address) ? length + bitsBeforeV4 : length;
}

function sizeOf(bits: number): bigint {
  return 1n << BigInt(bitsOfV6 - bits);
}

export function lastAddress({ first, bits }: Network): bigint {
  return first + sizeOf(bits) - 1n;
}

export function networkOf(prefix: Uint8Array): Network {
  return { first: addressNumber(prefix), bits: wholeLength(prefix, prefix[addressBytes] as number) };
}

/** The network of `length` bits that contains the address; `length` is at most lengthMax(address). */
export function networkAround(address: Uint8Array, length: number): Network {
  const bits = wholeLength(address, length);
  const size = sizeOf(bits);
  return { first: (addressNumber(address) / size) * size, bits };
}

export function prefixOf({ first, bits }: Network): Uint8Array {
  const address = addressOfNumber(first);
  return Uint8Array.from([...address, isV4(address) ? bits - bitsBeforeV4 : bits]);
}

/** Whether the network contains the address. With `bitsInside`, whether it contains the whole subnet that starts at the address. */
export function holds({ first, bits }: Network, address: bigint, bitsInside: number = bitsOfV6): boolean {
  return bits <= bitsInside && address >> BigInt(bitsOfV6 - bits) === first >> BigInt(bitsOfV6 - bits);
}

/** Parses an address, `/` and a length; host bits may be set. Undefined if the text is not a prefix. */
export function parseIpPrefix(text: string): Uint8Array | undefined {
  const [addressText = "", lengthText = "", ...more] = text.split("/");
  const address = parseIpAddress(addressText);
  if (address === undefined || more.length > 0 || !/^\d{1,3}$/.test(lengthText) || Number(lengthText) > lengthMax(address)) {
    return undefined;
  }
  return prefixOf(networkAround(address, Number(lengthText)));
}

export function formatIpPrefix(prefix: Uint8Array): string {
  return `${formatIpAddress(prefix.subarray(0, addressBytes))}/${prefix[addressBytes]}`;
}

/** The minimal set of networks that covers exactly the given ones, in order. */
export function* collapse(networks: readonly Network[]): InSteps<readonly Network[]> {
  const sorted = yield* sortInSteps(
    networks,
    (a, b) => (a.first === b.first ? a.bits - b.bits : a.first < b.first ? -1 : 1),
    () => nodesOfNetwork,
  );
  const result: Network[] = [];
  yield* fromInSteps(
    sorted.length,
    (index) => {
      const network = sorted[index] as Network;
      const last = result.at(-1);
      if (last === undefined || !holds(last, network.first, network.bits)) {
        result.push(network);
        mergeLast(result);
      }
    },
    nodesOfNetwork,
  );
  return result;
}

/** Merges two sibling halves at the end of the list into their parent, repeatedly. */
function mergeLast(networks: Network[]): void {
  for (;;) {
    const [low, high] = networks.slice(-2);
    const isPair = low !== undefined && high !== undefined && low.bits === high.bits && low.bits > 0;
    if (!isPair || (low.first ^ high.first) !== sizeOf(low.bits)) {
      return;
    }
    networks.splice(-2, 2, { first: low.first, bits: low.bits - 1 });
  }
}

/** CAST(ipaddress AS ipprefix): the network that contains only the address. */
export const prefixOfAddress: HostImplementation = ([address]) => {
  const bytes = address as Uint8Array;
  return prefixOf(networkAround(bytes, lengthMax(bytes)));
};

/** CAST(ipprefix AS ipaddress): the first address. */
export const addressOfPrefix: HostImplementation = ([prefix]) => (prefix as Uint8Array).slice(0, addressBytes);
