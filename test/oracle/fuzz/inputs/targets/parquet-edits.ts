/** Edits of Parquet files that keep most of their structure: of a value in the footer, of a page header, of the start of a page's body. */
import type { Random } from "../../random.ts";
import { type ByteEdit, edited } from "../bytes.ts";
import { encodeThrift, fieldOf, nestedThrift, nodesOf, parseThrift, type ThriftNode } from "./thrift-tree.ts";

const tailBytes = 8;
const numbers = [
  0n,
  1n,
  -1n,
  2n,
  255n,
  65536n,
  (1n << 31n) - 1n,
  1n << 31n,
  -(1n << 31n),
  (1n << 32n) - 1n,
  1n << 40n,
  (1n << 53n) + 1n,
  (1n << 63n) - 1n,
  -(1n << 63n),
] as const;
const copiesMax = 3000;
const depths = [5, 40, 2000, 30_000] as const;

interface Chunk {
  readonly meta: ThriftNode;
  readonly start: number;
  readonly end: number;
}

interface Layout {
  readonly footer: ThriftNode;
  readonly footerAt: number;
}

/** Undefined if earlier edits left no footer. */
function layoutOf(bytes: Uint8Array): Layout | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const footerAt = bytes.length < 12 ? -1 : bytes.length - tailBytes - view.getUint32(bytes.length - tailBytes, true);
  if (footerAt < 0) {
    return undefined;
  }
  try {
    return { footer: parseThrift(bytes.subarray(0, bytes.length - tailBytes), footerAt).node, footerAt };
  } catch {
    return undefined;
  }
}

function withFooter(bytes: Uint8Array, footerAt: number, footer: ThriftNode): Uint8Array {
  const encoded = encodeThrift(footer);
  const out = new Uint8Array(footerAt + encoded.length + tailBytes);
  out.set(bytes.subarray(0, footerAt));
  out.set(encoded, footerAt);
  new DataView(out.buffer).setUint32(footerAt + encoded.length, encoded.length, true);
  out.set(bytes.subarray(bytes.length - 4), out.length - 4);
  return out;
}

function integerOf(node: ThriftNode | undefined): number | undefined {
  return node?.kind === "integer" ? Number(node.value) : undefined;
}

function listOf(node: ThriftNode | undefined): readonly ThriftNode[] {
  return node?.kind === "list" ? node.items : [];
}

function chunksOf(footer: ThriftNode): readonly Chunk[] {
  return listOf(fieldOf(footer, 4)).flatMap((group) =>
    listOf(fieldOf(group, 1)).flatMap((column) => {
      const meta = fieldOf(column, 3);
      const data = integerOf(fieldOf(meta, 9));
      const size = integerOf(fieldOf(meta, 7));
      const start = integerOf(fieldOf(meta, 11)) || data;
      return meta === undefined || start === undefined || size === undefined ? [] : [{ meta, start, end: start + size }];
    }),
  );
}

interface StoredHeader {
  readonly at: number;
  readonly end: number;
  readonly node: ThriftNode;
  readonly bodyBytes: number;
}

function headersOf(bytes: Uint8Array, { end, start }: Chunk): readonly StoredHeader[] {
  const headers: StoredHeader[] = [];
  try {
    for (let at = start; at < end && headers.length < 20; ) {
      const { node, end: bodyAt } = parseThrift(bytes, at);
      const bodyBytes = integerOf(fieldOf(node, 3)) ?? 0;
      headers.push({ at, end: bodyAt, node, bodyBytes });
      at = bodyAt + Math.max(1, bodyBytes);
    }
  } catch {
    // An earlier edit damaged the chunk.
  }
  return headers;
}

/** Changes one node of a tree. */
function alter(random: Random, root: ThriftNode): void {
  const nodes = nodesOf(root);
  const integers = nodes.filter(({ kind }) => kind === "integer");
  const node = random.chance(60) && integers.length > 0 ? random.pick(integers) : random.pick(nodes);
  switch (node.kind) {
    case "boolean":
      node.value = !node.value;
      return;
    case "integer":
      node.value = random.chance(50) ? random.pick(numbers) : BigInt.asIntN(64, node.value + BigInt(random.below(17) - 8));
      return;
    case "bytes":
      node.value = random.chance(30)
        ? new Uint8Array(random.pick([0, 1, 100_000])).fill(0x41)
        : node.value.map((byte) => (random.chance(20) ? byte ^ (1 << random.below(8)) : byte));
      return;
    case "raw":
      return;
    case "list":
      alterList(random, node);
      return;
    case "struct":
      alterStruct(random, node);
  }
}

function alterList(random: Random, node: Extract<ThriftNode, { kind: "list" }>): void {
  const { items } = node;
  const at = random.below(items.length + 1);
  switch (random.below(4)) {
    case 0:
      node.items = items.filter((_, index) => index !== at);
      return;
    case 1: {
      const copied = items[at];
      const times = random.chance(20) ? copiesMax : 2;
      node.items =
        copied === undefined ? [] : items.flatMap((item, index) => (index === at ? Array.from({ length: times }, () => copied) : item));
      return;
    }
    case 2:
      node.items = random.shuffle(items.slice(0, 50));
      return;
    default:
      node.element = random.below(16);
  }
}

function alterStruct(random: Random, node: Extract<ThriftNode, { kind: "struct" }>): void {
  const { fields } = node;
  if (fields.length === 0) {
    return;
  }
  const at = random.below(fields.length);
  const [id, field] = fields[at] as [number, ThriftNode];
  switch (random.below(5)) {
    case 0:
      node.fields = fields.filter((_, index) => index !== at);
      return;
    case 1:
      fields[at] = [random.below(15), field];
      return;
    case 2:
      fields[at] = [id, (fields[random.below(fields.length)] as [number, ThriftNode])[1]];
      return;
    case 3:
      fields[at] = [random.chance(50) ? id : 99, nestedThrift(random.pick(depths), random.chance(50) ? "list" : "struct")];
      return;
    default:
      fields.push([id, field]);
  }
}

function withPage(random: Random, bytes: Uint8Array, { footer, footerAt }: Layout): Uint8Array {
  const chunks = chunksOf(footer);
  const chunk = chunks.length === 0 ? undefined : random.pick(chunks);
  const headers = chunk === undefined ? [] : headersOf(bytes, chunk);
  if (chunk === undefined || headers.length === 0) {
    return bytes;
  }
  const header = random.pick(headers);
  if (random.chance(40)) {
    const at = Math.min(header.end + random.below(Math.max(1, Math.min(header.bodyBytes, 24))), footerAt - 1);
    const put = Uint8Array.of(random.pick([0, 1, 2, 3, 7, 8, 31, 32, 33, 0x7f, 0x80, 0xff]));
    return edited(bytes, { at, end: at + 1, bytes: put });
  }
  alter(random, header.node);
  const encoded = encodeThrift(header.node);
  const edit: ByteEdit = { at: header.at, end: header.end, bytes: encoded };
  const delta = BigInt(encoded.length - (header.end - header.at));
  shiftChunks(chunks, chunk, { after: header.at, delta });
  return withFooter(edited(bytes.subarray(0, footerAt), edit), footerAt + Number(delta), footer);
}

/** The places of all pages after an edit. */
function shiftChunks(chunks: readonly Chunk[], edited: Chunk, { after, delta }: { readonly after: number; readonly delta: bigint }): void {
  for (const { meta } of chunks) {
    for (const id of [9, 10, 11]) {
      const offset = fieldOf(meta, id);
      if (offset?.kind === "integer" && Number(offset.value) > after) {
        offset.value += delta;
      }
    }
  }
  const size = fieldOf(edited.meta, 7);
  if (size?.kind === "integer") {
    size.value += delta;
  }
}

/** A valid file becomes one with a single fault in its structure; bytes without a footer stay as they are. */
export function editParquet(random: Random, bytes: Uint8Array): Uint8Array {
  const layout = layoutOf(bytes);
  if (layout === undefined) {
    return bytes;
  }
  if (random.chance(50)) {
    return withPage(random, bytes, layout);
  }
  alter(random, layout.footer);
  return withFooter(bytes, layout.footerAt, layout.footer);
}
