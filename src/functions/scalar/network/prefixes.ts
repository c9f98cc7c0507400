/**
 * IP prefixes: the first address of a network and the length of its prefix, in bits of IPv4 for IPv4 networks. In bytes the 16 of the address as ipaddress has them, then
 * one of the length, so that the order of the bytes is Presto's order of prefixes.
 */
import { addressBytes, formatIpAddress, isV4, parseIpAddress } from "./addresses.ts";
import type { HostImplementation } from "../../registry/definition.ts";

const bitsOfV4 = 32;
export const bitsOfV6 = 128;
/** An IPv4 address is the last part of the IPv6 address that stands for it. */
const bitsBeforeV4 = bitsOfV6 - bitsOfV4;

/** A range of addresses: all that agree with `first` in its first `bits` of 128. */
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

/** How many bits the address has in its own version. */
export function lengthMax(address: Uint8Array): number {
  return isV4(address) ? bitsOfV4 : bitsOfV6;
}

/** As many bits of 128 as have to agree. */
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

/** The network of `length` bits that the address lies in; `length` is at most lengthMax(address). */
export function networkAround(address: Uint8Array, length: number): Network {
  const bits = wholeLength(address, length);
  const size = sizeOf(bits);
  return { first: (addressNumber(address) / size) * size, bits };
}

export function prefixOf({ first, bits }: Network): Uint8Array {
  const address = addressOfNumber(first);
  return Uint8Array.from([...address, isV4(address) ? bits - bitsBeforeV4 : bits]);
}

/** Whether the network holds the address or, when `bits` is given, the whole smaller network that begins there. */
export function holds({ first, bits }: Network, address: bigint, bitsInside: number = bitsOfV6): boolean {
  return bits <= bitsInside && address >> BigInt(bitsOfV6 - bits) === first >> BigInt(bitsOfV6 - bits);
}

/** An address, `/` and a length; bits behind the prefix may be set. Undefined when it is no prefix. */
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

/** The least networks that together have the addresses of all given, in order. */
export function collapse(networks: readonly Network[]): readonly Network[] {
  const sorted = [...networks].sort((a, b) => (a.first === b.first ? a.bits - b.bits : a.first < b.first ? -1 : 1));
  const result: Network[] = [];
  for (const network of sorted) {
    const last = result.at(-1);
    if (last !== undefined && holds(last, network.first, network.bits)) {
      continue;
    }
    result.push(network);
    mergeLast(result);
  }
  return result;
}

/** Two halves of a network at the end become that network, which may be a half again. */
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

/** CAST(ipaddress AS ipprefix): the network of that address alone. */
export const prefixOfAddress: HostImplementation = ([address]) => {
  const bytes = address as Uint8Array;
  return prefixOf(networkAround(bytes, lengthMax(bytes)));
};

/** CAST(ipprefix AS ipaddress): the first address. */
export const addressOfPrefix: HostImplementation = ([prefix]) => (prefix as Uint8Array).slice(0, addressBytes);
