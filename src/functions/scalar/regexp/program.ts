/**
 * Compiles a regular expression tree to automaton instructions. Each choice lists its preferred alternative first. Bounded repetition is
 * expanded, within a limit.
 */
import type { CharacterSet } from "./classes.ts";
import { type Assertion, invalidRegexp, parseRegexp, type RegexpNode } from "./syntax.ts";

export const opSet = 0;
export const opSplit = 1;
export const opJump = 2;
export const opSave = 3;
export const opAssert = 4;
export const opMatch = 5;

export type Instruction =
  /** Consumes one character of the set and continues with the next instruction. */
  | { readonly op: typeof opSet; readonly set: CharacterSet }
  | { readonly op: typeof opSplit; preferred: number; other: number }
  | { readonly op: typeof opJump; target: number }
  /** Slot 2g is the start of group g, slot 2g + 1 its end. Group 0 is the whole match and is not saved here. */
  | { readonly op: typeof opSave; readonly slot: number }
  | { readonly op: typeof opAssert; readonly assertion: Assertion }
  | { readonly op: typeof opMatch };

export interface RegexpProgram {
  readonly instructions: readonly Instruction[];
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}

/** Bound on the work per character of the text. */
const instructionsMax = 4000;

/** Throws INVALID_FUNCTION_ARGUMENT. */
export function compileProgram(pattern: string): RegexpProgram {
  const { node, groupCount, groupNames } = parseRegexp(pattern);
  const instructions: Instruction[] = [];
  emitNode(instructions, node);
  add(instructions, { op: opMatch });
  return { instructions, groupCount, groupNames };
}

function add<T extends Instruction>(instructions: Instruction[], instruction: T): T {
  if (instructions.push(instruction) > instructionsMax) {
    invalidRegexp("regular expression is too large");
  }
  return instruction;
}

function canBeEmpty(node: RegexpNode): boolean {
  switch (node.kind) {
    case "empty":
    case "assertion":
      return true;
    case "set":
      return false;
    case "sequence":
      return node.nodes.every(canBeEmpty);
    case "choice":
      return node.nodes.some(canBeEmpty);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.node);
    case "group":
      return canBeEmpty(node.node);
  }
}

function emitNode(instructions: Instruction[], node: RegexpNode): void {
  switch (node.kind) {
    case "empty":
      return;
    case "set":
      add(instructions, { op: opSet, set: node.set });
      return;
    case "assertion":
      add(instructions, { op: opAssert, assertion: node.assertion });
      return;
    case "sequence":
      return node.nodes.forEach((each) => emitNode(instructions, each));
    case "choice":
      return emitChoice(instructions, node.nodes);
    case "repeat":
      return emitRepeat(instructions, node);
    case "group":
      add(instructions, { op: opSave, slot: 2 * node.index });
      emitNode(instructions, node.node);
      add(instructions, { op: opSave, slot: 2 * node.index + 1 });
  }
}

function emitChoice(instructions: Instruction[], nodes: readonly RegexpNode[]): void {
  const jumps = nodes.slice(0, -1).map((node) => {
    const split = add(instructions, { op: opSplit, preferred: instructions.length + 1, other: 0 });
    emitNode(instructions, node);
    const jump = add(instructions, { op: opJump, target: 0 });
    split.other = instructions.length;
    return jump;
  });
  emitNode(instructions, nodes.at(-1) as RegexpNode);
  for (const jump of jumps) {
    jump.target = instructions.length;
  }
}

type Repeat = RegexpNode & { readonly kind: "repeat" };

function emitRepeat(instructions: Instruction[], { node, min, max, lazy }: Repeat): void {
  if (max === undefined) {
    // A body that can be empty is compiled as `(x+)?` instead of `x*`, so that an empty iteration ends the loop, as in Java.
    const asPlus = min > 0 || canBeEmpty(node);
    for (let count = 1; count < min; count++) {
      emitNode(instructions, node);
    }
    const around = min === 0 ? openOptional(instructions) : undefined;
    const start = instructions.length;
    emitNode(instructions, node);
    if (asPlus) {
      closeOptional(add(instructions, { op: opSplit, preferred: start, other: start }), instructions.length, lazy);
    } else {
      add(instructions, { op: opJump, target: start - 1 });
    }
    if (around !== undefined) {
      closeOptional(around, instructions.length, lazy);
    }
    return;
  }
  for (let count = 0; count < min; count++) {
    emitNode(instructions, node);
  }
  const optional = Array.from({ length: max - min }, () => {
    const split = openOptional(instructions);
    emitNode(instructions, node);
    return split;
  });
  for (const split of optional) {
    closeOptional(split, instructions.length, lazy);
  }
}

type Split = Instruction & { readonly op: typeof opSplit };

/** Begins a choice between the following instructions and the target that `closeOptional` sets. */
function openOptional(instructions: Instruction[]): Split {
  const inside = instructions.length + 1;
  return add(instructions, { op: opSplit, preferred: inside, other: inside });
}

function closeOptional(split: Split, behind: number, lazy: boolean): void {
  if (lazy) {
    split.preferred = behind;
  } else {
    split.other = behind;
  }
}
