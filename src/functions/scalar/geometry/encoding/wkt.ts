/**
 * Well-known text as Presto reads and prints it.
 */
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { allSteps, type InSteps } from "../../../runtime/steps.ts";
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

/** Positions, or rings and parts, between two yields, and the steps that they are. */
const itemsAtOnce = 1_024;
const itemsPerStep = 1;

/** Texts of the items in parentheses; `EMPTY` if there are none. */
function* listText<Item>(items: readonly Item[], textOf: (item: Item) => string | InSteps<string>): InSteps<string> {
  const texts: string[] = [];
  for (const item of items) {
    const text = textOf(item);
    texts.push(typeof text === "string" ? text : yield* text);
    if (texts.length % itemsAtOnce === 0) {
      yield itemsAtOnce / itemsPerStep;
    }
  }
  return texts.length === 0 ? "EMPTY" : `(${texts.join(", ")})`;
}

function pathText(path: readonly Position[]): string | InSteps<string> {
  return path.length > 0 && path.length < itemsAtOnce ? `(${path.map(positionText).join(", ")})` : listText(path, positionText);
}

/** The text after the keyword: `EMPTY` or a list in parentheses. */
function* bodyText(geometry: Geometry): InSteps<string> {
  switch (geometry.kind) {
    case "Point":
      return geometry.position === undefined ? "EMPTY" : `(${positionText(geometry.position)})`;
    case "LineString":
      return yield* listText(geometry.positions, positionText);
    case "Polygon":
      return yield* listText(geometry.rings, pathText);
    case "GeometryCollection":
      return yield* listText(geometry.parts, wktInSteps);
    default:
      return yield* listText<Geometry>(geometry.parts, bodyText);
  }
}

export function* wktInSteps(geometry: Geometry): InSteps<string> {
  return `${geometry.kind.toUpperCase()} ${yield* bodyText(geometry)}`;
}

export function formatWkt(geometry: Geometry): string {
  return allSteps(wktInSteps(geometry));
}

const tokenPattern = /\s*([A-Za-z]+|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[(),])/y;

/**
 * Recursive descent parser over words, numbers and punctuation. Tokens are cut when they are needed: those of a long text would take many
 * times its memory.
 */
class WktParser {
  readonly #text: string;
  /** The current token; empty at the end of the text, and where no token begins. */
  #token = "";
  #end = 0;

  constructor(text: string) {
    this.#text = text;
    this.#advance();
  }

  *parse(): InSteps<Geometry> {
    const geometry = yield* this.#tagged(0);
    return this.#token === "" && this.#text.slice(this.#end).trim() === "" ? geometry : this.#fail();
  }

  #fail(): never {
    return invalidArgument(`Invalid WKT: ${this.#text}`);
  }

  /** Returns the current token. */
  #advance(): string {
    const token = this.#token;
    tokenPattern.lastIndex = this.#end;
    const match = tokenPattern.exec(this.#text);
    this.#token = match?.[1] ?? "";
    this.#end += match?.[0].length ?? 0;
    return token;
  }

  #takes(token: string): boolean {
    const found = this.#token === token || this.#token.toUpperCase() === token;
    if (found) {
      this.#advance();
    }
    return found;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) {
      this.#fail();
    }
  }

  *#tagged(depth: number): InSteps<Geometry> {
    const word = this.#advance().toUpperCase();
    if (depth > nestingMax) {
      return this.#fail();
    }
    const more = this.#takes("ZM") ? 2 : Number(this.#takes("Z") || this.#takes("M"));
    switch (word) {
      case "POINT":
        return this.#point(more);
      case "LINESTRING":
        return yield* this.#line(more);
      case "POLYGON":
        return yield* this.#polygon(more);
      case "MULTIPOINT":
        return { kind: "MultiPoint", parts: yield* this.#list(() => this.#bareOrPoint(more)) };
      case "MULTILINESTRING":
        return { kind: "MultiLineString", parts: yield* this.#list(() => this.#line(more)) };
      case "MULTIPOLYGON":
        return { kind: "MultiPolygon", parts: yield* this.#list(() => this.#polygon(more)) };
      case "GEOMETRYCOLLECTION":
        return { kind: "GeometryCollection", parts: yield* this.#list(() => this.#tagged(depth + 1)) };
      default:
        return this.#fail();
    }
  }

  /** `EMPTY`, or at least one item in parentheses; each is a piece of its own, or short. */
  *#list<Item extends object>(item: () => Item | InSteps<Item>): InSteps<readonly Item[]> {
    if (this.#takes("EMPTY")) {
      return [];
    }
    this.#expect("(");
    const items: Item[] = [];
    do {
      const one = item();
      items.push("next" in one ? yield* one : one);
      if (items.length % itemsAtOnce === 0) {
        yield itemsAtOnce / itemsPerStep;
      }
    } while (this.#takes(","));
    this.#expect(")");
    return items;
  }

  #number(): number {
    const token = this.#advance();
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

  #path(more: number): InSteps<readonly Position[]> {
    return this.#list(() => this.#position(more));
  }

  #point(more: number): Point {
    if (this.#takes("EMPTY")) {
      return { kind: "Point" };
    }
    this.#expect("(");
    const position = this.#position(more);
    this.#expect(")");
    return { kind: "Point", position };
  }

  /** Points of a MULTIPOINT may omit their parentheses. */
  #bareOrPoint(more: number): Point {
    return this.#token === "(" || this.#token.toUpperCase() === "EMPTY"
      ? this.#point(more)
      : { kind: "Point", position: this.#position(more) };
  }

  *#line(more: number): InSteps<LineString> {
    return { kind: "LineString", positions: yield* this.#path(more) };
  }

  *#polygon(more: number): InSteps<Polygon> {
    const rings = yield* this.#list(() => this.#path(more));
    return polygonOf(rings.filter((ring) => ring.length > 0));
  }
}

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function parseWkt(text: string): InSteps<Geometry> {
  return new WktParser(text).parse();
}
