/**
 * URL functions with the rules of java.net.URI: an invalid URI gives NULL, a missing component gives the empty string.
 */
import { type Type, unboundedVarcharLength, varcharType } from "../../types/type.ts";
import { decodeUtf8, encodeUtf8 } from "../../types/utf8.ts";
import { textLength } from "../registry/coercion.ts";
import type { ScalarDefinition } from "../registry/definition.ts";
import { mapTextInSteps } from "../runtime/large/texts.ts";
import type { InSteps } from "../runtime/steps.ts";
import { invalid } from "./string/implementations.ts";

/** A character of four bytes is encoded in twelve characters. */
function encodedType(text: Type): Type {
  return varcharType(Math.min(unboundedVarcharLength, 12 * textLength(text)));
}

interface Address {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string;
}

/** RFC 2396 with Java's extension: non-ASCII characters are allowed unless they are controls or spaces. */
const unwantedCharacter = /[\p{Cc}\p{Z}"<>\\^`{|}]|%(?![0-9a-fA-F]{2})/u;
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/;
const authorityParts = /^(?:[^@]*@)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9.])?)(?::(\d*))?$/;

function parse(text: string): Address | undefined {
  const match = parts.exec(text);
  if (match === null || unwantedCharacter.test(text)) {
    return undefined;
  }
  const [, scheme, authority, path = "", query, fragment = ""] = match;
  const hasScheme = scheme !== undefined;
  if (
    (hasScheme && !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) ||
    (hasScheme && authority === undefined && path === "" && query === undefined)
  ) {
    return undefined;
  }
  // An opaque URI has a scheme and no slash after it (`mailto:`); it has no further components.
  const isOpaque = hasScheme && authority === undefined && !path.startsWith("/");
  const [, host = "", port = ""] = authorityParts.exec(authority ?? "") ?? [];
  return { scheme: scheme ?? "", host, port, path: isOpaque ? "" : path, query: isOpaque ? undefined : query, fragment };
}

/** Decodes `%41` to `A`; invalid UTF-8 becomes U+FFFD. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    decodeUtf8(Uint8Array.from(run.slice(1).split("%"), (hex) => Number.parseInt(hex, 16))),
  );
}

function decodeForm(text: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) {
    return invalid("URLDecoder: Illegal hex characters in escape (%) pattern");
  }
  return decodePercents(text.replaceAll("+", " "));
}

/** What each byte becomes. */
const encodedBytes = Array.from({ length: 256 }, (_value, byte) => {
  const letter = String.fromCharCode(byte);
  return /[A-Za-z0-9._*-]/.test(letter) ? letter : letter === " " ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
});

function encodeForm(text: string): InSteps<string> {
  return mapTextInSteps(text, (piece) => Array.from(encodeUtf8(piece), (byte) => encodedBytes[byte] as string).join(""));
}

function parameterOf(text: string, name: string): string | null {
  for (const argument of parse(text)?.query?.split("&") ?? []) {
    const equals = argument.indexOf("=");
    if ((equals < 0 ? argument : argument.slice(0, equals)) === name) {
      return equals < 0 ? "" : decodeForm(argument.slice(equals + 1));
    }
  }
  return null;
}

function portOf(text: string): bigint | null {
  const port = parse(text)?.port ?? "";
  return port === "" ? null : BigInt(port);
}

const sample = "http://user@example.com:8080/a%20b/c?k1=v1&k2=x%2By#end";

function part(name: string, description: string, read: (address: Address) => string, result: string): ScalarDefinition {
  return {
    name: `url_extract_${name}`,
    args: ["varchar(x)"],
    returns: "varchar(x)",
    description: `${description}, or NULL if it is invalid`,
    givesNull: true,
    host: ([text]) => {
      const address = parse(text as string);
      return address === undefined ? null : read(address);
    },
    example: { sql: `url_extract_${name}('${sample}')`, result },
  };
}

export const urlDefinitions: readonly ScalarDefinition[] = [
  part("protocol", "Protocol of the URL", ({ scheme }) => scheme, "http"),
  part("host", "Host of the URL", ({ host }) => host, "example.com"),
  part("path", "Decoded path of the URL", ({ path }) => decodePercents(path), "/a b/c"),
  part("query", "Decoded query of the URL", ({ query }) => decodePercents(query ?? ""), "k1=v1&k2=x+y"),
  part("fragment", "Decoded fragment of the URL", ({ fragment }) => decodePercents(fragment), "end"),
  {
    name: "url_extract_port",
    args: ["varchar"],
    returns: "bigint",
    description: "Port of the URL, or NULL",
    givesNull: true,
    host: ([text]) => portOf(text as string),
    example: { sql: `url_extract_port('${sample}')`, result: "8080" },
  },
  {
    name: "url_extract_parameter",
    args: ["varchar(x)", "varchar"],
    returns: "varchar(x)",
    description: "Decoded value of the first query parameter with the name in the URL, or NULL",
    givesNull: true,
    host: ([text, name]) => parameterOf(text as string, name as string),
    example: { sql: `url_extract_parameter('${sample}', 'k2')`, result: "x+y" },
  },
  {
    name: "url_encode",
    args: ["varchar"],
    returns: "varchar",
    description: "String encoded for use in a URL query",
    returnType: ([text]) => encodedType(text as Type),
    *steps([text]) {
      return yield* encodeForm(text as string);
    },
    example: { sql: "url_encode('a b&ü')", result: "a+b%26%C3%BC" },
  },
  {
    name: "url_decode",
    args: ["varchar(x)"],
    returns: "varchar(x)",
    description: "String decoded from its URL encoding",
    host: ([text]) => decodeForm(text as string),
    example: { sql: "url_decode('a+b%26%C3%BC')", result: "a b&ü" },
  },
];
