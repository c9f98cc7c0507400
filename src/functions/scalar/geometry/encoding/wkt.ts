/**
 * Well-known text as Presto reads and prints it.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { type Geometry, type LineString, nestingMax, type Point, type Polygon, polygonOf, type Position } from "../geometry.ts";

/** The shortest digits that give the same double, never with an exponent. */
export function formatCoordinate(value: number): string {
  const text = String(value === 0 ? 0 : value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) {
    return text;
  }
  const [, sign = "", first = "", rest = "", power = "0"] = match;
  const digits = first + rest;
  const point = 1 + Number(power);
  return point <= 0 ? `${sign}0.${"0".repeat(-point)}${digits}` : `${sign}${digits.padEnd(point, "0")}`;
}

function positionText([x, y]: Position): string {
  return `${formatCoordinate(x)} ${formatCoordinate(y)}`;
}

function pathText(path: readonly Position[]): string {
  return `(${path.map(positionText).join(", ")})`;
}

/** The text after the keyword: `EMPTY` or a list in parentheses. */
function bodyText(geometry: Geometry): string {
  switch (geometry.kind) {
    case "Point":
      return geometry.position === undefined ? "EMPTY" : pathText([geometry.position]);
    case "LineString":
      return geometry.positions.length === 0 ? "EMPTY" : pathText(geometry.positions);
    case "Polygon":
      return geometry.rings.length === 0 ? "EMPTY" : `(${geometry.rings.map(pathText).join(", ")})`;
    case "GeometryCollection":
      return geometry.parts.length === 0 ? "EMPTY" : `(${geometry.parts.map(formatWkt).join(", ")})`;
    default:
      return geometry.parts.length === 0 ? "EMPTY" : `(${(geometry.parts as readonly Geometry[]).map(bodyText).join(", ")})`;
  }
}

export function formatWkt(geometry: Geometry): string {
  return `${geometry.kind.toUpperCase()} ${bodyText(geometry)}`;
}

const tokenPattern = /\s*([A-Za-z]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[(),])/y;

/** Recursive descent parser over words, numbers and punctuation. */
class WktParser {
  readonly #text: string;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    tokenPattern.lastIndex = 0;
    let end = 0;
    for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
      this.#tokens.push(match[1] as string);
      end = tokenPattern.lastIndex;
    }
    if (text.slice(end).trim() !== "") {
      this.#fail();
    }
  }

  parse(): Geometry {
    const geometry = this.#tagged(0);
    return this.#at === this.#tokens.length ? geometry : this.#fail();
  }

  #fail(): never {
    return invalidArgument(`Invalid WKT: ${this.#text}`);
  }

  #takes(token: string): boolean {
    const found = this.#tokens[this.#at]?.toUpperCase() === token;
    this.#at += Number(found);
    return found;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) {
      this.#fail();
    }
  }

  #tagged(depth: number): Geometry {
    const word = this.#tokens[this.#at]?.toUpperCase();
    this.#at += 1;
    if (depth > nestingMax) {
      return this.#fail();
    }
    const more = this.#takes("ZM") ? 2 : Number(this.#takes("Z") || this.#takes("M"));
    switch (word) {
      case "POINT":
        return this.#point(more);
      case "LINESTRING":
        return this.#line(more);
      case "POLYGON":
        return this.#polygon(more);
      case "MULTIPOINT":
        return { kind: "MultiPoint", parts: this.#list(() => this.#bareOrPoint(more)) };
      case "MULTILINESTRING":
        return { kind: "MultiLineString", parts: this.#list(() => this.#line(more)) };
      case "MULTIPOLYGON":
        return { kind: "MultiPolygon", parts: this.#list(() => this.#polygon(more)) };
      case "GEOMETRYCOLLECTION":
        return { kind: "GeometryCollection", parts: this.#list(() => this.#tagged(depth + 1)) };
      default:
        return this.#fail();
    }
  }

  /** `EMPTY`, or at least one item in parentheses. */
  #list<Item>(item: () => Item): readonly Item[] {
    if (this.#takes("EMPTY")) {
      return [];
    }
    this.#expect("(");
    const items = [item()];
    while (this.#takes(",")) {
      items.push(item());
    }
    this.#expect(")");
    return items;
  }

  #number(): number {
    const token = this.#tokens[this.#at] ?? "";
    this.#at += 1;
    const value = Number(token);
    return /\d/.test(token) && Number.isFinite(value) ? value : this.#fail();
  }

  #position(more: number): Position {
    const position: Position = [this.#number(), this.#number()];
    for (let skipped = 0; skipped < more; skipped++) {
      this.#number();
    }
    return position;
  }

  #path(more: number): readonly Position[] {
    return this.#list(() => this.#position(more));
  }

  #point(more: number): Point {
    const [position, ...others] = this.#path(more);
    if (others.length > 0) {
      return this.#fail();
    }
    return position === undefined ? { kind: "Point" } : { kind: "Point", position };
  }

  /** Points of a MULTIPOINT may omit their parentheses. */
  #bareOrPoint(more: number): Point {
    const token = this.#tokens[this.#at];
    return token === "(" || token?.toUpperCase() === "EMPTY" ? this.#point(more) : { kind: "Point", position: this.#position(more) };
  }

  #line(more: number): LineString {
    return { kind: "LineString", positions: this.#path(more) };
  }

  #polygon(more: number): Polygon {
    return polygonOf(this.#list(() => this.#path(more)).filter((ring) => ring.length > 0));
  }
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function parseWkt(text: string): Geometry {
  return new WktParser(text).parse();
}
