/**
 * How the parser of a long text pauses. It is a recursive descent on the stack, so it pauses by an exception and goes on by beginning
 * again. What it had parsed it finds in frames: each list keeps its elements and the parser's place behind the last of them, and each
 * element under construction the frames of the lists in it. The parser asks for its lists in the same order each time, so that a list is
 * known by its number. What stands in no list is parsed again after each pause: its length does not grow with that of the text.
 */

/** Thrown out of the parser. It has taken a piece of the text, and goes on when it is called again. */
export class Pause extends Error {}

/** Tokens between two pauses: some milliseconds. */
const tokensOfPieceMin = 8_192;

/** Of one list, or of one value that is computed once. */
interface Frame<Place> {
  readonly elements: unknown[];
  /** Behind the last element. Undefined before the first. */
  place: Place | undefined;
  isDone: boolean;
  /** Of the lists in the element under construction, in their order. */
  readonly inner: Frame<Place>[];
  /** The number of the next list in the element under construction. */
  next: number;
}

export interface PausedList<T, Place> {
  /** Whether one more element follows the given number of them. Consumes what separates it from the last. */
  readonly more: (count: number) => boolean;
  /** Parses an element. Is given those before it. */
  readonly element: (before: readonly T[]) => T;
  readonly placeNow: () => Place;
  readonly goTo: (place: Place) => void;
  /** Whether the parser has gone on for long enough. */
  readonly isPiece: () => boolean;
}

export class Pauses<Place> {
  /** The parser pauses behind the first element that ends after so many tokens. */
  readonly tokensMin: number;
  readonly #pause = new Pause();
  readonly #root: Frame<Place> = emptyFrame();
  #open: Frame<Place> = this.#root;

  constructor(tokensMin: number = tokensOfPieceMin) {
    this.tokensMin = tokensMin;
  }

  /** The parser begins again. */
  restart(): void {
    this.#open = this.#root;
    this.#root.next = 0;
  }

  /** Throws `Pause`. */
  now(): void {
    throw this.#pause;
  }

  list<T>({ more, element, placeNow, goTo, isPiece }: PausedList<T, Place>): readonly T[] {
    const outer = this.#open;
    const frame = frameOf(outer);
    const elements = frame.elements as T[];
    if (frame.place !== undefined) {
      goTo(frame.place);
    }
    if (frame.isDone) {
      return elements;
    }
    this.#open = frame;
    while (more(elements.length)) {
      frame.next = 0;
      elements.push(element(elements));
      frame.inner.length = 0;
      frame.place = placeNow();
      if (isPiece()) {
        this.now();
      }
    }
    frame.place = placeNow();
    frame.isDone = true;
    this.#open = outer;
    return elements;
  }

  /** What `compute` returned the first time. */
  once<T>(compute: () => T): T {
    const { elements } = frameOf(this.#open);
    if (elements.length === 0) {
      elements.push(compute());
    }
    return elements[0] as T;
  }
}

function emptyFrame<Place>(): Frame<Place> {
  return { elements: [], place: undefined, isDone: false, inner: [], next: 0 };
}

/** The next of the frames in an element. */
function frameOf<Place>(outer: Frame<Place>): Frame<Place> {
  const frame = outer.inner[outer.next] ?? emptyFrame<Place>();
  outer.inner[outer.next] = frame;
  outer.next += 1;
  return frame;
}
