/**
 * Thrift's compact protocol as a tree that can be altered and written again: for footers and page headers of Parquet files. Unlike the
 * engine's reader it keeps all that was there.
 */
export type ThriftNode =
  | { readonly kind: "boolean"; value: boolean }
  | { readonly kind: "integer"; readonly type: number; value: bigint }
  | { readonly kind: "bytes"; readonly type: number; value: Uint8Array }
  /** Written as it is. */
  | { readonly kind: "raw"; readonly type: number; readonly bytes: Uint8Array }
  | { readonly kind: "list"; element: number; items: ThriftNode[] }
  | { readonly kind: "struct"; fields: [id: number, node: ThriftNode][] };

const types = { true: 1, false: 2, byte: 3, double: 7, binary: 8, list: 9, struct: 12 } as const;

class TreeReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  struct(): ThriftNode {
    const fields: [number, ThriftNode][] = [];
    let id = 0;
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      const type = head & 15;
      fields.push([id, type <= types.false ? { kind: "boolean", value: type === types.true } : this.#value(type)]);
    }
    return { kind: "struct", fields };
  }

  #value(type: number): ThriftNode {
    switch (type) {
      case types.true:
      case types.false:
        return { kind: "boolean", value: this.#byte() === 1 };
      case types.byte:
        return { kind: "integer", type, value: BigInt(this.#byte()) };
      case types.double:
        return { kind: "bytes", type, value: this.#take(8) };
      case types.binary:
        return { kind: "bytes", type, value: this.#take(Number(this.#varint())) };
      case types.list: {
        const head = this.#byte();
        const count = head >> 4 === 15 ? Number(this.#varint()) : head >> 4;
        return { kind: "list", element: head & 15, items: Array.from({ length: count }, () => this.#value(head & 15)) };
      }
      case types.struct:
        return this.struct();
      default:
        return { kind: "integer", type, value: this.#zigzag() };
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) {
      throw new RangeError("the end");
    }
    return byte;
  }

  #take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.slice(this.at - length, this.at);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  }

  #zigzag(): bigint {
    const raw = this.#varint();
    return (raw >> 1n) ^ -(raw & 1n);
  }
}

/** Throws RangeError if there is no struct. */
export function parseThrift(bytes: Uint8Array, at = 0): { readonly node: ThriftNode; readonly end: number } {
  const reader = new TreeReader(bytes, at);
  const node = reader.struct();
  return { node, end: reader.at };
}

function typeOf(node: ThriftNode): number {
  switch (node.kind) {
    case "boolean":
      return node.value ? types.true : types.false;
    case "list":
      return types.list;
    case "struct":
      return types.struct;
    default:
      return node.type;
  }
}

export function encodeThrift(node: ThriftNode): Uint8Array {
  const out: number[] = [];
  put(node, out);
  return Uint8Array.from(out);
}

function putVarint(value: bigint, out: number[]): void {
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) {
    out.push(Number(rest & 0x7fn) | 0x80);
  }
  out.push(Number(rest));
}

function put(node: ThriftNode, out: number[]): void {
  switch (node.kind) {
    case "boolean":
      out.push(node.value ? 1 : 2);
      return;
    case "integer":
      if (node.type === types.byte) {
        out.push(Number(BigInt.asUintN(8, node.value)));
      } else {
        putVarint((node.value << 1n) ^ (node.value >> 63n), out);
      }
      return;
    case "bytes":
      if (node.type === types.binary) {
        putVarint(BigInt(node.value.length), out);
      }
      for (const byte of node.value) {
        out.push(byte);
      }
      return;
    case "raw":
      out.push(...node.bytes);
      return;
    case "list":
      out.push(0xf0 | node.element);
      putVarint(BigInt(node.items.length), out);
      for (const item of node.items) {
        put(item, out);
      }
      return;
    case "struct":
      for (const [id, field] of node.fields) {
        out.push(typeOf(field));
        putVarint(BigInt(id << 1), out);
        if (field.kind !== "boolean") {
          put(field, out);
        }
      }
      out.push(0);
  }
}

/** Lists of lists, or structs of structs. Written at once, because the tree of a deep one is too deep to be written. */
export function nestedThrift(depth: number, kind: "list" | "struct"): ThriftNode {
  const bytes = new Uint8Array(kind === "list" ? depth + 1 : 2 * depth + 1);
  // A list of one list, at last of one empty struct; a struct whose field 1 is a struct.
  bytes.fill(kind === "list" ? 0x19 : 0x1c, 0, depth);
  if (kind === "list") {
    bytes[depth - 1] = 0x1c;
  }
  return { kind: "raw", type: kind === "list" ? types.list : types.struct, bytes };
}

/** All nodes, each after the one that holds it. */
export function nodesOf(root: ThriftNode): readonly ThriftNode[] {
  const found = [root];
  for (const node of found) {
    if (node.kind === "list") {
      found.push(...node.items);
    } else if (node.kind === "struct") {
      found.push(...node.fields.map(([, field]) => field));
    }
  }
  return found;
}

export function fieldOf(node: ThriftNode | undefined, id: number): ThriftNode | undefined {
  return node?.kind === "struct" ? node.fields.find(([field]) => field === id)?.[1] : undefined;
}
