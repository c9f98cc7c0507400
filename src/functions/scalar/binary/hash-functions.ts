/**
 * The hash functions of varbinary.
 */
import type { ScalarDefinition } from "../../registry/definition.ts";
import { eachBytesPiece } from "../../runtime/large/texts.ts";
import type { InSteps } from "../../runtime/steps.ts";
import { crc32, type Hash, hmac, md5, murmurInSteps, sha1, sha256, sha512, xxHashInSteps } from "./hashes.ts";
import { spookyInSteps } from "./spooky-hash.ts";

/** A hash that takes its input in pieces. */
interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Bytes that are hashed in the time of a step. */
const bytesPerStep = 32;

function* digestOf(digest: Digest, bytes: Uint8Array): InSteps<Uint8Array> {
  yield* eachBytesPiece(bytes, bytesPerStep, (piece) => void digest.update(piece));
  return digest.digest();
}

function hashFunction(name: string, label: string, hash: (bytes: Uint8Array) => InSteps<Uint8Array>, result: string): ScalarDefinition {
  return {
    name,
    args: ["varbinary"],
    returns: "varbinary",
    description: `${label} hash of the binary`,
    steps: ([bytes]) => hash(bytes as Uint8Array),
    example: { sql: `to_hex(${name}(to_utf8('hashme')))`, result },
  };
}

function digestFunction(name: string, label: string, hash: Hash & { create(): Digest }, result: string): ScalarDefinition {
  return hashFunction(name, label, (bytes) => digestOf(hash.create(), bytes), result);
}

function keyed(name: string, label: string, hash: Parameters<typeof hmac>[0], result: string): ScalarDefinition {
  return {
    name,
    args: ["varbinary", "varbinary"],
    returns: "varbinary",
    description: `${label} of the binary with a key`,
    *steps([bytes, given]) {
      // A key that is longer than a block stands for its hash.
      const key = given as Uint8Array;
      const short = key.length > hash.blockLen ? yield* digestOf(hash.create(), key) : key;
      return yield* digestOf(hmac.create(hash, short), bytes as Uint8Array);
    },
    example: { sql: `substr(to_hex(${name}(to_utf8('hashme'), to_utf8('key'))), 1, 16)`, result },
  };
}

const bigEndian64 = (value: bigint): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value);
  return new Uint8Array(view.buffer);
};

function map64(hash: (bytes: Uint8Array) => InSteps<bigint>, map: (hash: bigint) => Uint8Array) {
  return function* (bytes: Uint8Array): InSteps<Uint8Array> {
    return map(yield* hash(bytes));
  };
}

export const hashDefinitions: readonly ScalarDefinition[] = [
  {
    name: "crc32",
    args: ["varbinary"],
    returns: "bigint",
    description: "CRC-32 of the binary",
    *steps([bytes]) {
      let crc = 0;
      yield* eachBytesPiece(bytes as Uint8Array, bytesPerStep, (piece) => void (crc = crc32(piece, crc)));
      return BigInt(crc);
    },
    example: { sql: "crc32(to_utf8('CRC me!'))", result: "38028046" },
  },
  digestFunction("md5", "MD5", md5, "533F6357E0210E67D91F651BC49E1278"),
  digestFunction("sha1", "SHA-1", sha1, "FB78992E561929A6967D5328F49413FA99048D06"),
  digestFunction("sha256", "SHA-256", sha256, "02208B9403A87DF9F4ED6B2EE2657EFAA589026B4CCE9ACCC8E8A5BF3D693C86"),
  digestFunction(
    "sha512",
    "SHA-512",
    sha512,
    "8A4B59FB9188D09B989FF596AC9CEFBF2ED91DED8DCD9498E8BF2236814A92B23BE6867E7FC340880E514F8FDF97E1F147EA4B0FD6C2DA3557D0CF1C0B58A204",
  ),
  hashFunction(
    "xxhash64",
    "64-bit xxHash",
    map64(xxHashInSteps, (hash) => bigEndian64(hash)),
    "F9D96E0E1165E892",
  ),
  hashFunction("murmur3", "128-bit MurmurHash3", murmurInSteps, "93192FE805BE23041C8318F67EC4F2BC"),
  hashFunction(
    "spooky_hash_v2_32",
    "32-bit SpookyHash V2",
    map64(spookyInSteps, (hash) => bigEndian64(hash).slice(4)),
    "2BA05291",
  ),
  hashFunction(
    "spooky_hash_v2_64",
    "64-bit SpookyHash V2",
    map64(spookyInSteps, (hash) => bigEndian64(hash)),
    "EC588E792BA05291",
  ),
  keyed("hmac_md5", "HMAC with MD5", md5, "0A26EBEB0E7B65F5"),
  keyed("hmac_sha1", "HMAC with SHA-1", sha1, "2E7C4C6AEFA7E69F"),
  keyed("hmac_sha256", "HMAC with SHA-256", sha256, "D3D72F9FACDE059D"),
  keyed("hmac_sha512", "HMAC with SHA-512", sha512, "FEFA712B67DED871"),
];
