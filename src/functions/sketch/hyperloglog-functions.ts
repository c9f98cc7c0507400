/**
 * approx_set, merge and cardinality of HyperLogLog. Values are hashed as in Presto: the first 64 bits of the MurmurHash3 of their bytes.
 */
import { type CodeBuilder, type FunctionRef, i32, i64, type KernelBuilder, type Local } from "../../codegen/builder.ts";
import type { Expr } from "../../codegen/ir.ts";
import { lowBytes } from "../../codegen/library.ts";
import { BIGINT, HYPER_LOG_LOG } from "../../types/type.ts";
import type { AggregateDefinition, ScalarDefinition } from "../registry/definition.ts";
import {
  addHashes,
  defaultBits,
  estimate,
  type HyperLogLog,
  mergeLogs,
  newHyperLogLog,
  readHyperLogLog,
  writeHyperLogLog,
} from "./hyperloglog.ts";
import { mergeImplementation, type SketchForm, type SketchImplementation, sketchAggregate, sketchResult } from "./sketch-aggregate.ts";
import { part, type Value, valueOf } from "../runtime/value.ts";

const [c1, c2] = [i64.const(BigInt.asIntN(64, 0x87c37b91114253d5n)), i64.const(BigInt.asIntN(64, 0x4cf5ad432745937fn))];

function mix1(word: Expr): Expr {
  return i64.mul(i64.rotl(i64.mul(word, c1), i64.const(31n)), c2);
}

function mix2(word: Expr): Expr {
  return i64.mul(i64.rotl(i64.mul(word, c2), i64.const(33n)), c1);
}

function spread(b: CodeBuilder, hash: Expr): Expr {
  const shifted = (value: Expr) => b.temp(i64.xor(value, i64.shrU(value, i64.const(33n))));
  const first = shifted(b.temp(i64.mul(shifted(hash), i64.const(BigInt.asIntN(64, 0xff51afd7ed558ccdn)))));
  return shifted(b.temp(i64.mul(first, i64.const(BigInt.asIntN(64, 0xc4ceb9fe1a85ec53n)))));
}

/** Finalizes both halves with the length; all are i64. */
function emitEnd(b: CodeBuilder, h1: Expr, h2: Expr, length: Expr): Expr {
  const [one, two] = [b.temp(i64.xor(h1, length)), b.temp(i64.xor(h2, length))];
  const first = b.temp(i64.add(one, two));
  const second = b.temp(i64.add(two, first));
  return b.temp(i64.add(spread(b, first), spread(b, second)));
}

/** (address, bytes) -> i64. Reads up to 16 bytes past the end, which kernels may do. */
function murmur(kernel: KernelBuilder): FunctionRef {
  return kernel.function_("hyperloglog.murmur", { params: ["i32", "i32"], result: "i64" }, (b, params) => {
    const [address, bytes] = params as readonly [Local, Local];
    const length = b.temp(i64.extendI32U(bytes));
    const [h1, h2] = [b.local("i64", i64.const(0n)), b.local("i64", i64.const(0n))];
    b.while_(
      () => i32.geU(bytes, i32.const(16)),
      () => {
        const first = b.temp(i64.add(i64.rotl(i64.xor(h1, mix1(i64.load(address))), i64.const(27n)), h2));
        b.set(h1, i64.add(i64.mul(first, i64.const(5n)), i64.const(0x52dce729n)));
        const second = b.temp(i64.add(i64.rotl(i64.xor(h2, mix2(i64.load(address, 8))), i64.const(31n)), h1));
        b.set(h2, i64.add(i64.mul(second, i64.const(5n)), i64.const(0x38495ab5n)));
        b.set(address, i32.add(address, i32.const(16)));
        b.set(bytes, i32.sub(bytes, i32.const(16)));
      },
    );
    b.if_(i32.gtU(bytes, i32.const(8)), () => b.set(h2, i64.xor(h2, mix2(lowBytes(i64.load(address, 8), i32.sub(bytes, i32.const(8)))))));
    b.if_(bytes, () => {
      const word = b.local("i64", i64.load(address));
      b.if_(i32.ltU(bytes, i32.const(8)), () => b.set(word, lowBytes(word, bytes)));
      b.set(h1, i64.xor(h1, mix1(word)));
    });
    b.return_(emitEnd(b, h1, h2, length));
  });
}

/** First half of the 128-bit MurmurHash3 of a 64-bit number, a double or bytes. */
export function emitHash64(b: CodeBuilder, value: Value): Expr {
  switch (value.type.kind) {
    case "bigint":
      return emitEnd(b, mix1(part(value, 0)), i64.const(0n), i64.const(8n));
    case "double":
      return emitEnd(b, mix1(i64.reinterpretF64(part(value, 0))), i64.const(0n), i64.const(8n));
    default:
      return b.temp(b.call(murmur(b.kernel), part(value, 0), part(value, 1)));
  }
}

const form: SketchForm<HyperLogLog> = { read: readHyperLogLog, write: writeHyperLogLog, merge: mergeLogs };

const setImplementation: SketchImplementation = {
  ...sketchResult(HYPER_LOG_LOG, form),
  name: "approx_set",
  rowTypes: [BIGINT],
  prepare: ({ b }, args) => [valueOf(BIGINT, emitHash64(b, args[0] as Value))],
  add: (sketch, rows) => {
    const log = sketch === undefined ? newHyperLogLog(defaultBits) : readHyperLogLog(sketch);
    const hashes = rows.map(([hash]) => hash as bigint);
    return writeHyperLogLog(addHashes(log, hashes));
  },
};

export const hyperLogLogAggregates: readonly AggregateDefinition[] = [
  ...["bigint", "double", "varchar"].map(
    (type): AggregateDefinition => ({
      name: "approx_set",
      args: [type],
      returns: "HyperLogLog",
      description: "HyperLogLog sketch of the values",
      make: () => sketchAggregate(setImplementation),
    }),
  ),
  {
    name: "merge",
    args: ["HyperLogLog"],
    returns: "HyperLogLog",
    description: "Merged sketch",
    make: () => sketchAggregate(mergeImplementation(HYPER_LOG_LOG, form)),
  },
];

export const hyperLogLogDefinitions: readonly ScalarDefinition[] = [
  {
    name: "cardinality",
    args: ["HyperLogLog"],
    returns: "bigint",
    description: "Approximate number of distinct values in the HyperLogLog sketch",
    host: ([sketch]) => estimate(readHyperLogLog(sketch as Uint8Array)),
    example: { sql: "cardinality(CAST(X'020C020041000000810000C0' AS HyperLogLog))", result: "2" },
  },
  {
    name: "empty_approx_set",
    args: [],
    returns: "HyperLogLog",
    description: "Empty HyperLogLog sketch",
    host: () => writeHyperLogLog(newHyperLogLog(defaultBits)),
    example: { sql: "cardinality(empty_approx_set())", result: "0" },
  },
];
