/**
 * Matching in time linear in the text for every pattern.
 *
 * 1. A backward pass from the end of the text computes, for each position, the instructions from which a match is reachable. Texts of a
 *    column pass through the same few sets again and again, so a set remembers which one each ASCII character makes of it.
 * 2. A forward walk follows, at each choice, the first preferred alternative that is reachable.
 *
 * The walk never backtracks, so finding all matches costs as much as finding one. The result of the backward pass is kept for few blocks at
 * a time: for the others only the state at their ends is kept, and they are recomputed when the walk reaches them. Positions are UTF-16
 * code units of the text.
 */
import { isHighSurrogate, isLowSurrogate } from "../../../types/utf8.ts";
import { compileProgram, type Instruction, opAssert, opJump, opMatch, opSave, opSet, opSplit, type RegexpProgram } from "./program.ts";
import { isWord } from "./classes.ts";
import type { Assertion } from "./syntax.ts";

/** Size of a block: positions times instructions. */
const blockBytes = 1 << 18;

export interface RegexpMatch {
  readonly start: number;
  readonly end: number;
  /** Start and end of each group, group 0 first; -1 if a group did not participate. */
  readonly slots: Int32Array;
}

/** Most sets of a pattern that are remembered, and most instructions of a pattern whose sets are. */
const rememberedSetsMax = 64;
const rememberedInstructionsMax = 256;
const asciiPoints = 128;

/** Number of instructions examined for a match. */
export interface Effort {
  steps: number;
}

/** Instructions after which a search pauses. */
const pauseEffort = 32_768;

function unlessPaused<T>(steps: Generator<undefined, T, void>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) {
      return next.value;
    }
  }
}

export class Regexp {
  readonly program: RegexpProgram;
  readonly #predecessors: readonly (readonly number[])[];
  readonly #blockPositions: number;
  readonly #sets: ReachableSets;

  /** Throws INVALID_FUNCTION_ARGUMENT. */
  constructor(pattern: string) {
    this.program = compileProgram(pattern);
    this.#predecessors = predecessorsOf(this.program.instructions);
    this.#blockPositions = Math.max(16, Math.floor(blockBytes / this.program.instructions.length));
    this.#sets = new ReachableSets(this.program.instructions);
  }

  /** All non-overlapping matches from left to right, as in Java, starting at `from`. */
  *matches(text: string, from = 0, effort: Effort = { steps: 0 }): Generator<RegexpMatch> {
    for (const match of this.search(text, from, effort)) {
      if (match !== undefined) {
        yield match;
      }
    }
  }

  /** As `matches`, with pauses, which yield undefined. */
  *search(text: string, from: number, effort: Effort): Generator<RegexpMatch | undefined, void, void> {
    const reach = new Reach(this.program.instructions, this.#predecessors, this.#sets, this.#blockPositions, text, effort);
    yield* reach.prepare();
    const walk = new Walk(this.program, text, reach, effort);
    let pauseAt = effort.steps + pauseEffort;
    for (let at = from; at <= text.length; ) {
      effort.steps++;
      if (effort.steps >= pauseAt) {
        yield undefined;
        pauseAt = effort.steps + pauseEffort;
      }
      if (!reach.isAlive(at, 0)) {
        at += widthAt(text, at);
        continue;
      }
      const match = yield* walk.from(at);
      yield match;
      at = match.end > match.start ? match.end : match.end + widthAt(text, match.end);
    }
  }

  /** The leftmost match at or after `from`. */
  find(text: string, from = 0, effort?: Effort): RegexpMatch | undefined {
    for (const match of this.matches(text, from, effort)) {
      return match;
    }
    return undefined;
  }

  /** Whether there is a match anywhere: one forward pass that ends at the first match. */
  test(text: string, effort: Effort = { steps: 0 }): boolean {
    return unlessPaused(this.testing(text, effort));
  }

  /** As `test`, with pauses. */
  *testing(text: string, effort: Effort): Generator<undefined, boolean, void> {
    const { instructions } = this.program;
    let [current, next] = [new ThreadSet(instructions.length), new ThreadSet(instructions.length)];
    let pauseAt = effort.steps + pauseEffort;
    for (let at = 0; ; ) {
      if (effort.steps >= pauseAt) {
        yield undefined;
        pauseAt = effort.steps + pauseEffort;
      }
      current.push(0);
      // The set grows during the iteration: instructions that consume no character add their successors.
      for (let index = 0; index < current.count; index++) {
        const pc = current.list[index] as number;
        effort.steps++;
        const instruction = instructions[pc] as Instruction;
        switch (instruction.op) {
          case opMatch:
            return true;
          case opSplit:
            current.push(instruction.preferred);
            current.push(instruction.other);
            break;
          case opJump:
            current.push(instruction.target);
            break;
          case opSave:
            current.push(pc + 1);
            break;
          case opAssert:
            if (holds(instruction.assertion, text, at)) {
              current.push(pc + 1);
            }
            break;
          case opSet:
            if (at < text.length && instruction.set.has(text.codePointAt(at) as number)) {
              next.push(pc + 1);
            }
            break;
        }
      }
      if (at >= text.length) {
        return false;
      }
      at += widthAt(text, at);
      [current, next] = [next, current];
      next.clear();
    }
  }
}

/** A set of instructions in order of insertion. */
class ThreadSet {
  readonly list: Int32Array;
  count = 0;
  readonly #places: Int32Array;

  constructor(size: number) {
    this.list = new Int32Array(size);
    this.#places = new Int32Array(size);
  }

  push(pc: number): void {
    const place = this.#places[pc] as number;
    if (place < this.count && this.list[place] === pc) {
      return;
    }
    this.#places[pc] = this.count;
    this.list[this.count++] = pc;
  }

  clear(): void {
    this.count = 0;
  }
}

/** For each instruction, those that lead to it without consuming a character. */
function predecessorsOf(instructions: readonly Instruction[]): readonly (readonly number[])[] {
  const predecessors: number[][] = instructions.map(() => []);
  instructions.forEach((instruction, pc) => {
    switch (instruction.op) {
      case opSplit:
        predecessors[instruction.preferred]?.push(pc);
        predecessors[instruction.other]?.push(pc);
        break;
      case opJump:
        predecessors[instruction.target]?.push(pc);
        break;
      case opSave:
      case opAssert:
        predecessors[pc + 1]?.push(pc);
        break;
      default:
    }
  });
  return predecessors;
}

/** Code units of the character at a position; 1 at the end. */
function widthAt(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
}

function isInsideCharacter(text: string, at: number): boolean {
  return at > 0 && isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
}

const newline = 10;

function holds(assertion: Assertion, text: string, at: number): boolean {
  const { length } = text;
  switch (assertion) {
    case "text start":
      return at === 0;
    case "text end":
      return at === length;
    case "text end or last newline":
      return at === length || (at === length - 1 && text.charCodeAt(at) === newline);
    case "line start":
      // As in Java, there is no line start after a newline at the end of the text.
      return at === 0 || (at < length && text.charCodeAt(at - 1) === newline);
    case "line end":
      return at === length || text.charCodeAt(at) === newline;
    case "word edge":
      return isWordEdge(text, at);
    case "no word edge":
      return !isWordEdge(text, at);
  }
}

function isWordEdge(text: string, at: number): boolean {
  const before = at > 0 && isWord(text.charCodeAt(at - 1));
  const behind = at < text.length && isWord(text.charCodeAt(at));
  return before !== behind;
}

/** Instructions from which a match is reachable at a position. */
interface ReachableSet {
  /** 1 for each such instruction. */
  readonly alive: Uint8Array;
  /** The set one position before, by the character there and what precedes it; undefined if the set is not remembered. */
  readonly before: (ReachableSet | undefined)[] | undefined;
}

/** The sets of a pattern that its texts share. */
class ReachableSets {
  /** Behind the end of a text. Only the set at the end is made of it. */
  readonly end: ReachableSet;
  readonly #byContent = new Map<string, ReachableSet>();
  readonly #remembers: boolean;
  /** Whether a set depends on the character before its position too. */
  readonly #looksBack: boolean;

  constructor(instructions: readonly Instruction[]) {
    this.#remembers = instructions.length <= rememberedInstructionsMax;
    this.end = { alive: new Uint8Array(instructions.length), before: this.#remembers ? [] : undefined };
    this.#looksBack = instructions.some((instruction) => instruction.op === opAssert && !instruction.assertion.startsWith("text"));
  }

  /** The remembered set with this content, or a new one. */
  of(alive: Uint8Array): ReachableSet {
    if (!this.#remembers) {
      return { alive, before: undefined };
    }
    const content = String.fromCharCode(...alive);
    let set = this.#byContent.get(content);
    if (set === undefined) {
      const isFull = this.#byContent.size >= rememberedSetsMax;
      set = { alive, before: isFull ? undefined : [] };
      if (!isFull) {
        this.#byContent.set(content, set);
      }
    }
    return set;
  }

  /** Key of the set at a position, within the set behind it; -1 if it is not remembered. Assertions see the end one position before it. */
  keyAt(text: string, at: number): number {
    const unit = at === text.length ? 0 : text.charCodeAt(at);
    if (at === 0 || unit >= asciiPoints) {
      return -1;
    }
    const isLast = at === text.length - 1 ? 1 : 0;
    const previous = this.#looksBack ? text.charCodeAt(at - 1) : 0;
    const context = previous === newline ? 1 : isWord(previous) ? 2 : 0;
    return unit + asciiPoints * (2 * context + isLast);
  }
}

/** The sets of a text by position. Successive requests may go back by at most one position. */
class Reach {
  readonly #size: number;
  readonly #blockPositions: number;
  /** For each block, the set at the position after its last one. */
  readonly #behind: ReachableSet[] = [];
  /** The two most recently computed blocks. */
  readonly #blocks = new Map<number, readonly ReachableSet[]>();
  #current: readonly ReachableSet[] = [];
  #currentNumber = -1;
  readonly #stack: Int32Array;

  constructor(
    readonly instructions: readonly Instruction[],
    readonly predecessors: readonly (readonly number[])[],
    readonly sets: ReachableSets,
    blockPositions: number,
    readonly text: string,
    readonly effort: Effort,
  ) {
    this.#size = instructions.length;
    this.#blockPositions = Math.min(blockPositions, text.length + 1);
    this.#stack = new Int32Array(this.#size);
  }

  /** The backward pass, with pauses. */
  *prepare(): Generator<undefined, void, void> {
    const last = Math.floor(this.text.length / this.#blockPositions);
    this.#behind[last] = this.sets.end;
    for (let block = last; block > 0; block--) {
      this.#behind[block - 1] = this.#compute(block)[0] as ReachableSet;
      yield undefined;
    }
  }

  isAlive(at: number, pc: number): boolean {
    return this.aliveAt(at)[pc] === 1;
  }

  /** 1 for each instruction from which a match is reachable. */
  aliveAt(at: number): Uint8Array {
    const number = Math.floor(at / this.#blockPositions);
    if (number !== this.#currentNumber) {
      let block = this.#blocks.get(number);
      if (block === undefined) {
        this.#blocks.delete(number - 2);
        block = this.#compute(number);
        this.#blocks.set(number, block);
      }
      this.#current = block;
      this.#currentNumber = number;
    }
    return (this.#current[at - number * this.#blockPositions] as ReachableSet).alive;
  }

  /** Two blocks alternate: the walk reads its current block and at most the next one. */
  #compute(number: number): readonly ReachableSet[] {
    const first = number * this.#blockPositions;
    const last = Math.min(first + this.#blockPositions - 1, this.text.length);
    const block: ReachableSet[] = [];
    // After the last position of this block comes the next block or the end of the text. A character across the boundary reaches two
    // positions ahead.
    let behind = this.#behind[number] as ReachableSet;
    for (let at = last; at >= first; at--) {
      // For a position inside a surrogate pair, keeps the set that the pair's start needs. The position itself is never queried.
      if (!isInsideCharacter(this.text, at)) {
        behind = this.#before(behind, at);
      }
      block.push(behind);
    }
    return block.reverse();
  }

  #before(behind: ReachableSet, at: number): ReachableSet {
    const key = behind.before === undefined ? -1 : this.sets.keyAt(this.text, at);
    const known = key < 0 ? undefined : behind.before?.[key];
    if (known !== undefined) {
      this.effort.steps++;
      return known;
    }
    const alive = new Uint8Array(this.#size);
    this.#fill(alive, at, behind.alive);
    // The set at the start is the last one that is made.
    const set = at === 0 ? { alive, before: undefined } : this.sets.of(alive);
    if (key >= 0 && behind.before !== undefined && set.before !== undefined) {
      behind.before[key] = set;
    }
    return set;
  }

  #fill(here: Uint8Array, at: number, behind: Uint8Array): void {
    const { instructions, predecessors, text, effort } = this;
    const stack = this.#stack;
    let depth = 0;
    const match = instructions.length - 1;
    here[match] = 1;
    stack[depth++] = match;
    if (at < text.length) {
      const point = text.codePointAt(at) as number;
      for (let pc = 0; pc < match; pc++) {
        const instruction = instructions[pc] as Instruction;
        if (behind[pc + 1] === 1 && instruction.op === opSet && instruction.set.has(point)) {
          here[pc] = 1;
          stack[depth++] = pc;
        }
      }
    }
    effort.steps += match + 1;
    while (depth > 0) {
      const pc = stack[--depth] as number;
      for (const before of predecessors[pc] as readonly number[]) {
        effort.steps++;
        const instruction = instructions[before] as Instruction;
        if (here[before] === 0 && (instruction.op !== opAssert || holds(instruction.assertion, text, at))) {
          here[before] = 1;
          stack[depth++] = before;
        }
      }
    }
  }
}

/** Finds the preferred match at a position, if there is one. */
class Walk {
  readonly #visited: Int32Array;
  #round = 0;
  /** Instructions still to try at this position, in reverse order. A negative entry -1 - n restores slot n from the entry below it. */
  readonly #stack: number[] = [];

  constructor(
    readonly program: RegexpProgram,
    readonly text: string,
    readonly reach: Reach,
    readonly effort: Effort,
  ) {
    this.#visited = new Int32Array(program.instructions.length);
  }

  *from(start: number): Generator<undefined, RegexpMatch, void> {
    const slots = new Int32Array(2 * (this.program.groupCount + 1)).fill(-1);
    slots[0] = start;
    let pc = 0;
    let pauseAt = this.effort.steps + pauseEffort;
    for (let at = start; ; at += widthAt(this.text, at)) {
      if (this.effort.steps >= pauseAt) {
        yield undefined;
        pauseAt = this.effort.steps + pauseEffort;
      }
      const taken = this.#choose(at, pc, slots);
      if (taken < 0) {
        slots[1] = at;
        return { start, end: at, slots };
      }
      pc = taken + 1;
    }
  }

  /** The instruction that consumes the character here, or -1 at the end of the match. */
  #choose(at: number, from: number, slots: Int32Array): number {
    const { instructions } = this.program;
    const stack = this.#stack;
    const alive = this.reach.aliveAt(at);
    stack.length = 0;
    stack.push(from);
    this.#round++;
    for (;;) {
      this.effort.steps++;
      const pc = stack.pop();
      if (pc === undefined) {
        throw new Error("a regular expression's walk has left the ways that lead to a match");
      }
      if (pc < 0) {
        slots[-1 - pc] = stack.pop() as number;
        continue;
      }
      if (this.#visited[pc] === this.#round || alive[pc] !== 1) {
        continue;
      }
      this.#visited[pc] = this.#round;
      const instruction = instructions[pc] as Instruction;
      switch (instruction.op) {
        case opMatch:
          return -1;
        case opSet:
          return pc;
        case opSplit:
          stack.push(instruction.other, instruction.preferred);
          break;
        case opJump:
          stack.push(instruction.target);
          break;
        case opSave:
          // The pushed entry restores the slot if this alternative leads only to visited instructions.
          stack.push(slots[instruction.slot] as number, -1 - instruction.slot, pc + 1);
          slots[instruction.slot] = at;
          break;
        case opAssert:
          stack.push(pc + 1);
      }
    }
  }
}
