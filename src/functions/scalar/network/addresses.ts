/**
 * UUIDs and IP addresses: 16 bytes each, and their text. An IPv4 address is stored as its IPv4-mapped IPv6 address.
 */
import { QueryError } from "../../../protocol/errors.ts";
import type { Type } from "../../../types/type.ts";
import type { HostImplementation } from "../../registry/definition.ts";
import { formatHex, parseHex } from "../../runtime/formats.ts";

export const addressBytes = 16;
const mappedPrefix: readonly number[] = Object.freeze([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

const uuidText = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

export function parseUuid(text: string): Uint8Array | undefined {
  return uuidText.test(text) ? parseHex(text.replaceAll("-", "")) : undefined;
}

/** Lower case with hyphens. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = formatHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function parseV4(text: string): readonly number[] | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number);
  return parts === undefined || parts.some((value) => value > 255) ? undefined : parts;
}

/** Groups of hexadecimal digits separated by colons; the last one may be an IPv4 address. */
function parseGroups(text: string): readonly number[] | undefined {
  if (text === "") {
    return [];
  }
  const groups = text.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const v4 = index === groups.length - 1 ? parseV4(group) : undefined;
    if (v4 !== undefined) {
      bytes.push(...v4);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    } else {
      return undefined;
    }
  }
  return bytes;
}

/** IPv4 with dots, or IPv6 with at most one `::`; undefined if the text is not an address. */
export function parseIpAddress(text: string): Uint8Array | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) {
    return Uint8Array.from([...mappedPrefix, ...v4]);
  }
  const [head = "", tail, ...more] = text.split("::");
  const [first, last] = [parseGroups(head), parseGroups(tail ?? "")];
  if (first === undefined || last === undefined || more.length > 0 || !text.includes(":")) {
    return undefined;
  }
  const missing = addressBytes - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 2) {
    return undefined;
  }
  return Uint8Array.from([...first, ...Array.from({ length: missing }, () => 0), ...last]);
}

/** Whether the address is an IPv4 address. */
export function isV4(bytes: Uint8Array): boolean {
  return mappedPrefix.every((byte, index) => bytes[index] === byte);
}

/**
 * RFC 5952: lower case, with the longest run of at least two zero groups (the first of equal runs) as `::`; mapped addresses print as IPv4.
 */
export function formatIpAddress(bytes: Uint8Array): string {
  if (isV4(bytes)) {
    return bytes.subarray(mappedPrefix.length).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] as number) << 8) | (bytes[2 * index + 1] as number));
  let [start, length] = [-1, 1];
  for (let from = 0; from < groups.length; from++) {
    let end = from;
    while (groups[end] === 0) {
      end++;
    }
    if (end - from > length) {
      [start, length] = [from, end - from];
    }
  }
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  return start < 0 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** Casts between varbinary and the 16-byte types; varbinary of 4 bytes is an IPv4 address. */
export function bytesCast(to: Type): HostImplementation {
  return ([value]) => {
    const bytes = value as Uint8Array;
    if (to.kind === "ipaddress" && bytes.length === 4) {
      return Uint8Array.from([...mappedPrefix, ...bytes]);
    }
    if (to.kind === "varbinary" || bytes.length === addressBytes) {
      return bytes;
    }
    const what = to.kind === "uuid" ? "UUID" : "IP address";
    throw new QueryError("INVALID_CAST_ARGUMENT", `Invalid ${what} binary length: ${bytes.length}`);
  };
}
