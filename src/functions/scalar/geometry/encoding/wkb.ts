/**
 * Well-known binary, which is also the page encoding of Geometry values: little-endian, with NaN coordinates for an empty point.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import {
  type Geometry,
  type GeometryKind,
  geometryKinds,
  type LineString,
  nestingMax,
  type Point,
  type Polygon,
  polygonOf,
  type Position,
} from "../geometry.ts";

const headBytes = 5;
const countBytes = 4;
const coordinateBytes = 8;
const positionBytes = 2 * coordinateBytes;

/** Flags of the PostGIS extension (EWKB). */
const [flagZ, flagM, flagSrid] = [0x8000_0000, 0x4000_0000, 0x2000_0000];

function sizeOf(geometry: Geometry): number {
  switch (geometry.kind) {
    case "Point":
      return headBytes + positionBytes;
    case "LineString":
      return headBytes + countBytes + positionBytes * geometry.positions.length;
    case "Polygon":
      return geometry.rings.reduce((sum, ring) => sum + countBytes + positionBytes * ring.length, headBytes + countBytes);
    default:
      return (geometry.parts as readonly Geometry[]).reduce((sum, part) => sum + sizeOf(part), headBytes + countBytes);
  }
}

class WkbWriter {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: number) {
    this.#view = new DataView(new ArrayBuffer(bytes));
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer);
  }

  write(geometry: Geometry): void {
    this.#view.setUint8(this.#at, 1);
    this.#at += 1;
    this.#count(geometryKinds.indexOf(geometry.kind) + 1);
    switch (geometry.kind) {
      case "Point":
        this.#positions([geometry.position ?? [Number.NaN, Number.NaN]]);
        return;
      case "LineString":
        this.#count(geometry.positions.length);
        this.#positions(geometry.positions);
        return;
      case "Polygon":
        this.#count(geometry.rings.length);
        for (const ring of geometry.rings) {
          this.#count(ring.length);
          this.#positions(ring);
        }
        return;
      default:
        this.#count(geometry.parts.length);
        geometry.parts.forEach((part: Geometry) => this.write(part));
    }
  }

  #count(value: number): void {
    this.#view.setUint32(this.#at, value, true);
    this.#at += countBytes;
  }

  #positions(positions: readonly Position[]): void {
    for (const [x, y] of positions) {
      this.#view.setFloat64(this.#at, x, true);
      this.#view.setFloat64(this.#at + coordinateBytes, y, true);
      this.#at += positionBytes;
    }
  }
}

export function writeWkb(geometry: Geometry): Uint8Array {
  const writer = new WkbWriter(sizeOf(geometry));
  writer.write(geometry);
  return writer.bytes;
}

function broken(): never {
  return invalidArgument("Invalid WKB");
}

interface Head {
  readonly kind: GeometryKind;
  readonly littleEndian: boolean;
  /** Ordinates per position; those after the second are skipped. */
  readonly ordinates: number;
}

class WkbReader {
  readonly #view: DataView;
  /** True if the bytes were written by writeWkb, so rings are already closed and oriented. */
  readonly #isOwn: boolean;
  #at = 0;

  constructor(bytes: Uint8Array, isOwn: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isOwn = isOwn;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#view.byteLength;
  }

  read(depth = 0): Geometry {
    if (depth > nestingMax) {
      return broken();
    }
    const head = this.#head();
    switch (head.kind) {
      case "Point": {
        const [position] = this.#positions(head, 1);
        return position === undefined || position.some(Number.isNaN) ? { kind: "Point" } : { kind: "Point", position };
      }
      case "LineString":
        return { kind: "LineString", positions: this.#positions(head, this.#count(head)) };
      case "Polygon": {
        const rings = Array.from({ length: this.#countOf(head, countBytes) }, () => this.#positions(head, this.#count(head)));
        return this.#isOwn ? { kind: head.kind, rings } : polygonOf(rings.filter((ring) => ring.length > 0));
      }
      case "MultiPoint":
        return { kind: head.kind, parts: this.#parts<Point>(head, "Point", depth) };
      case "MultiLineString":
        return { kind: head.kind, parts: this.#parts<LineString>(head, "LineString", depth) };
      case "MultiPolygon":
        return { kind: head.kind, parts: this.#parts<Polygon>(head, "Polygon", depth) };
      case "GeometryCollection":
        return { kind: head.kind, parts: this.#parts<Geometry>(head, undefined, depth) };
    }
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#view.byteLength) {
      broken();
    }
  }

  #head(): Head {
    this.#need(headBytes);
    const order = this.#view.getUint8(this.#at);
    const littleEndian = order === 1;
    const code = this.#view.getUint32(this.#at + 1, littleEndian);
    this.#at += headBytes;
    const [plain, iso] = [(code & 0x0fff_ffff) % 1000, Math.floor((code & 0x0fff_ffff) / 1000)];
    const kind = geometryKinds[plain - 1];
    if (order > 1 || kind === undefined || iso > 3) {
      return broken();
    }
    if ((code & flagSrid) !== 0) {
      this.#need(countBytes);
      this.#at += countBytes;
    }
    const more = Number((code & flagZ) !== 0) + Number((code & flagM) !== 0) + (iso === 3 ? 2 : Math.min(iso, 1));
    return { kind, littleEndian, ordinates: 2 + Math.min(more, 2) };
  }

  #countOf({ littleEndian }: Head, leastBytes: number): number {
    this.#need(countBytes);
    const count = this.#view.getUint32(this.#at, littleEndian);
    this.#at += countBytes;
    this.#need(count * leastBytes);
    return count;
  }

  #count(head: Head): number {
    return this.#countOf(head, coordinateBytes * head.ordinates);
  }

  #positions({ littleEndian, ordinates }: Head, count: number): readonly Position[] {
    const width = coordinateBytes * ordinates;
    this.#need(count * width);
    const start = this.#at;
    this.#at += count * width;
    return Array.from({ length: count }, (_, index): Position => {
      const at = start + width * index;
      return [this.#view.getFloat64(at, littleEndian), this.#view.getFloat64(at + coordinateBytes, littleEndian)];
    });
  }

  #parts<Part extends Geometry>(head: Head, kind: Part["kind"] | undefined, depth: number): readonly Part[] {
    return Array.from({ length: this.#countOf(head, headBytes) }, () => {
      const part = this.read(depth + 1);
      return kind === undefined || part.kind === kind ? (part as Part) : broken();
    });
  }
}

function readAll(reader: WkbReader): Geometry {
  const geometry = reader.read();
  return reader.isAtEnd ? geometry : broken();
}

/** Decodes user-supplied bytes. Throws INVALID_FUNCTION_ARGUMENT. */
export function readWkb(bytes: Uint8Array): Geometry {
  return readAll(new WkbReader(bytes, false));
}

/** Decodes a value of Geometry or SphericalGeography, written by writeWkb. */
export function readGeometry(bytes: Uint8Array): Geometry {
  return readAll(new WkbReader(bytes, true));
}
