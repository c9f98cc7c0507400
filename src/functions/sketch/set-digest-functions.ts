/**
 * make_set_digest, merge_set_digest and the functions of setdigest.
 */
import { BIGINT, SET_DIGEST } from "../../types/type.ts";
import type { AggregateDefinition, HostValue, ScalarDefinition } from "../registry/definition.ts";
import { emitHash64 } from "./hyperloglog-functions.ts";
import { mergeImplementation, type SketchForm, type SketchImplementation, sketchAggregate, sketchResult } from "./sketch-aggregate.ts";
import { type Value, valueOf } from "../runtime/value.ts";
import {
  addToSetDigest,
  cardinalityOf,
  intersectionCardinality,
  jaccardIndex,
  mergeSetDigests,
  newSetDigest,
  readSetDigest,
  type SetDigest,
  writeSetDigest,
} from "./set-digest.ts";

const form: SketchForm<SetDigest> = { read: readSetDigest, write: writeSetDigest, merge: mergeSetDigests };

const makeImplementation: SketchImplementation = {
  ...sketchResult(SET_DIGEST, form),
  name: "make_set_digest",
  rowTypes: [BIGINT],
  prepare: ({ b }, args) => [valueOf(BIGINT, emitHash64(b, args[0] as Value))],
  add: (sketch, rows) => {
    const digest = sketch === undefined ? newSetDigest() : readSetDigest(sketch);
    const hashes = rows.map(([hash]) => hash as bigint);
    return writeSetDigest(addToSetDigest(digest, hashes));
  },
};

export const setDigestAggregates: readonly AggregateDefinition[] = [
  ...["bigint", "varchar", "varbinary", "uuid", "ipaddress"].map(
    (type): AggregateDefinition => ({
      name: "make_set_digest",
      args: [type],
      returns: "setdigest",
      description: "Set digest of the values",
      make: () => sketchAggregate(makeImplementation),
    }),
  ),
  {
    name: "merge_set_digest",
    args: ["setdigest"],
    returns: "setdigest",
    description: "Merged set digest",
    make: () => sketchAggregate(mergeImplementation(SET_DIGEST, form)),
  },
];

function read(value: HostValue | undefined): SetDigest {
  return readSetDigest(value as Uint8Array);
}

/** make_set_digest of the value 1. */
const onlyOne = "CAST(from_hex('0108000000020B010081B4400000200000010000004AC405FBB7034400' || '0100') AS setdigest)";

export const setDigestDefinitions: readonly ScalarDefinition[] = [
  {
    name: "cardinality",
    args: ["setdigest"],
    returns: "bigint",
    description: "Approximate number of distinct values in the set digest",
    host: ([digest]) => cardinalityOf(read(digest)),
    example: { sql: `cardinality(${onlyOne})`, result: "1" },
  },
  {
    name: "intersection_cardinality",
    args: ["setdigest", "setdigest"],
    returns: "bigint",
    description: "Approximate cardinality of the intersection of the set digests",
    host: ([one, other]) => intersectionCardinality(read(one), read(other)),
    example: { sql: `intersection_cardinality(${onlyOne}, ${onlyOne})`, result: "1" },
  },
  {
    name: "jaccard_index",
    args: ["setdigest", "setdigest"],
    returns: "double",
    description: "Approximate Jaccard index of the set digests",
    host: ([one, other]) => jaccardIndex(read(one), read(other)),
    example: { sql: `jaccard_index(${onlyOne}, ${onlyOne})`, result: "1.0" },
  },
  {
    name: "hash_counts",
    args: ["setdigest"],
    returns: "map(bigint,smallint)",
    description: "Map of the hashes in the set digest to their counts",
    host: ([digest]) => {
      const { hashes, counts } = read(digest);
      return Array.from(hashes, (hash, index) => [hash, counts[index] as number]);
    },
    example: { sql: `hash_counts(${onlyOne})`, result: "{19144387141682250=1}" },
  },
];
