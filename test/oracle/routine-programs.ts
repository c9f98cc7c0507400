/**
 * Random bodies of SQL functions, as text and with a reference interpreter that uses neither plans nor kernels.
 */
import fc from "fast-check";

export type Value = bigint | null;

type Formula =
  | { readonly is: "constant"; readonly value: Value }
  | { readonly is: "variable"; readonly index: number }
  | { readonly is: "+" | "-" | "*" | "/"; readonly left: Formula; readonly right: Formula };

interface Condition {
  readonly operator: "<" | "<=" | "=" | "<>" | "IS DISTINCT FROM";
  readonly left: Formula;
  readonly right: Formula;
}

/** After the first statement of a labelled loop: LEAVE or ITERATE. */
interface Exit {
  readonly go: "leave" | "iterate";
  readonly condition: Condition;
}

interface LoopParts {
  readonly labelled: boolean;
  readonly exit: Exit | undefined;
  readonly body: readonly Step[];
}

type Step =
  | { readonly is: "set"; readonly index: number; readonly value: Formula }
  | { readonly is: "return"; readonly value: Formula }
  | { readonly is: "if"; readonly condition: Condition; readonly then: readonly Step[]; readonly otherwise: readonly Step[] }
  | {
      readonly is: "case";
      readonly operand: Formula;
      readonly when: Formula;
      readonly then: readonly Step[];
      readonly otherwise: readonly Step[];
    }
  | { readonly is: "block"; readonly first: Formula; readonly second: boolean; readonly body: readonly Step[] }
  | ({ readonly is: "while" | "repeat"; readonly condition: Condition } & LoopParts)
  | ({ readonly is: "loop" } & LoopParts)
  | ({
      readonly is: "for";
      readonly lower: Formula;
      readonly upper: Formula;
      readonly step: Formula | undefined;
    } & LoopParts)
  | { readonly is: "leave" | "iterate"; readonly index: number };

export type Program = readonly Step[];

const index = fc.nat({ max: 9 });
const arithmetic = ["+", "-", "*", "/"] as const;

const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.bigInt({ min: -4n, max: 4n }).map((value): Formula => ({ is: "constant", value })),
    index.map((of): Formula => ({ is: "variable", index: of })),
    { arbitrary: fc.constant<Formula>({ is: "constant", value: null }), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom(...arithmetic), tie("formula"), tie("formula"))
        .map(([is, left, right]): Formula => ({ is, left, right })),
      weight: 3,
    },
  ),
}));

const condition: fc.Arbitrary<Condition> = fc.record({
  operator: fc.constantFrom("<" as const, "<=" as const, "=" as const, "<>" as const, "IS DISTINCT FROM" as const),
  left: formula,
  right: formula,
});

const labelled = fc.constantFrom(true, true, false);
const exit = fc.option(fc.record({ go: fc.constantFrom("leave" as const, "iterate" as const), condition }), { nil: undefined });

const { steps } = fc.letrec<{ step: Step; steps: readonly Step[] }>((tie) => {
  const body = tie("steps");
  return {
    steps: fc.array(tie("step"), { minLength: 1, maxLength: 3, depthIdentifier: "body" }),
    step: fc.oneof(
      { depthSize: "small", depthIdentifier: "body", withCrossShrink: true },
      { arbitrary: fc.record({ is: fc.constant("set" as const), index, value: formula }), weight: 4 },
      { arbitrary: fc.record({ is: fc.constantFrom("leave" as const, "iterate" as const), index }), weight: 2 },
      fc.record({ is: fc.constant("return" as const), value: formula }),
      { arbitrary: fc.record({ is: fc.constant("if" as const), condition, then: body, otherwise: body }), weight: 3 },
      fc.record({ is: fc.constant("case" as const), operand: formula, when: formula, then: body, otherwise: body }),
      fc.record({ is: fc.constant("block" as const), first: formula, second: fc.boolean(), body }),
      { arbitrary: fc.record({ is: fc.constantFrom("while" as const, "repeat" as const), labelled, exit, condition, body }), weight: 3 },
      fc.record({ is: fc.constant("loop" as const), labelled: fc.constant(true), exit, body }),
      {
        arbitrary: fc.record({
          is: fc.constant("for" as const),
          labelled,
          exit,
          lower: formula,
          upper: formula,
          step: fc.option(formula, { nil: undefined }),
          body,
        }),
        weight: 2,
      },
    ),
  };
});

export const programs: fc.Arbitrary<Program> = steps;

/** Parameters, then variables of the body. Blocks and FOR add their own. */
const outermost = ["a", "b", "v", "w"] as const;
/** Iterations of all loops together; afterwards the function returns this value. */
const turnsMax = 30;
const outOfTurns = -999n;

interface Names {
  readonly variables: readonly string[];
  readonly labels: readonly string[];
  readonly depth: number;
}

function pick<T>(among: readonly T[], at: number): T {
  return among[at % among.length] as T;
}

function formulaText(formula: Formula, names: Names): string {
  switch (formula.is) {
    case "constant":
      return formula.value === null ? "CAST(NULL AS bigint)" : `BIGINT '${formula.value}'`;
    case "variable":
      return pick(names.variables, formula.index);
    default:
      return `((${formulaText(formula.left, names)} ${formula.is} ${formulaText(formula.right, names)}) % 100)`;
  }
}

function conditionText({ left, operator, right }: Condition, names: Names): string {
  return `${formulaText(left, names)} ${operator} ${formulaText(right, names)}`;
}

const turnText = `SET turns = turns - 1; IF turns < 0 THEN RETURN ${outOfTurns}; END IF;`;

function bodyText(body: readonly Step[], names: Names): string {
  return body.map((step) => `${stepText(step, names)};`).join(" ");
}

/** A labelled loop adds its label. */
function loopNames(labelled: boolean, names: Names): { readonly label: string; readonly inside: Names } {
  const depth = names.depth + 1;
  const label = `l${depth}`;
  return labelled
    ? { label: `${label}: `, inside: { ...names, depth, labels: [...names.labels, label] } }
    : { label: "", inside: { ...names, depth } };
}

function loopText({ body, exit, labelled }: LoopParts, names: Names): string {
  const [first, ...rest] = body.map((step) => `${stepText(step, names)};`);
  const out =
    exit === undefined || !labelled
      ? ""
      : `IF ${conditionText(exit.condition, names)} THEN ${exit.go.toUpperCase()} ${names.labels.at(-1) ?? ""}; END IF;`;
  return [turnText, first, out, ...rest].join(" ");
}

function stepText(step: Step, names: Names): string {
  switch (step.is) {
    case "set":
      return `SET ${pick(names.variables, step.index)} = ${formulaText(step.value, names)}`;
    case "return":
      return `RETURN coalesce(${formulaText(step.value, names)}, 0)`;
    case "leave":
    case "iterate":
      return names.labels.length === 0 ? "SET v = 1" : `${step.is.toUpperCase()} ${pick(names.labels, step.index)}`;
    case "if":
      return `IF ${conditionText(step.condition, names)} THEN ${bodyText(step.then, names)} ELSE ${bodyText(step.otherwise, names)} END IF`;
    case "case": {
      const [operand, when] = [formulaText(step.operand, names), formulaText(step.when, names)];
      return `CASE ${operand} WHEN ${when} THEN ${bodyText(step.then, names)} ELSE ${bodyText(step.otherwise, names)} END CASE`;
    }
    case "block": {
      const depth = names.depth + 1;
      const declared = [`x${depth}`, ...(step.second ? [`y${depth}`] : [])];
      const inside = { ...names, depth, variables: [...names.variables, ...declared] };
      return `BEGIN DECLARE ${declared.join(", ")} bigint DEFAULT ${formulaText(step.first, names)}; ${bodyText(step.body, inside)} END`;
    }
    case "loop": {
      const { inside, label } = loopNames(step.labelled, names);
      return `${label}LOOP ${loopText(step, inside)} END LOOP`;
    }
    case "while": {
      const { inside, label } = loopNames(step.labelled, names);
      return `${label}WHILE ${conditionText(step.condition, names)} DO ${loopText(step, inside)} END WHILE`;
    }
    case "repeat": {
      const { inside, label } = loopNames(step.labelled, names);
      return `${label}REPEAT ${loopText(step, inside)} UNTIL ${conditionText(step.condition, names)} END REPEAT`;
    }
    case "for": {
      const { inside, label } = loopNames(step.labelled, names);
      const counter = `i${inside.depth}`;
      const by = step.step === undefined ? "" : ` BY ${formulaText(step.step, names)}`;
      const range = `${formulaText(step.lower, names)} TO ${formulaText(step.upper, names)}${by}`;
      const body = loopText(step, { ...inside, variables: [...inside.variables, counter] });
      return `${label}FOR ${counter} IN ${range} DO ${body} END FOR`;
    }
  }
}

/** `f(a bigint, b bigint)`. `work` adds iterations of a loop at its beginning. */
export function functionText(program: Program, work: number): string {
  const names: Names = { variables: outermost, labels: [], depth: 0 };
  const busy = work === 0 ? "" : `FOR z IN 1 TO ${work} DO SET v = z % 5; END FOR; SET v = NULL;`;
  const variables = `DECLARE turns bigint DEFAULT ${turnsMax}; DECLARE v, w bigint;`;
  const result = outermost.map((name, place) => `coalesce(${name}, 7) * ${1000 ** place}`).join(" + ");
  return `FUNCTION f(a bigint, b bigint) RETURNS bigint BEGIN ${variables} ${busy} ${bodyText(program, names)} RETURN ${result}; END`;
}

class Returned extends Error {
  readonly value: bigint;
  constructor(value: bigint) {
    super("returned");
    this.value = value;
  }
}

/** LEAVE or ITERATE of an enclosing loop. */
type Way = "on" | { readonly go: "leave" | "iterate"; readonly label: number };

interface Machine {
  /** As `Names.variables`. */
  readonly variables: Value[];
  turns: number;
}

class DivisionByZero extends Error {}

function formulaValue(formula: Formula, variables: readonly Value[]): Value {
  switch (formula.is) {
    case "constant":
      return formula.value;
    case "variable":
      return pick(variables, formula.index);
    default: {
      const [left, right] = [formulaValue(formula.left, variables), formulaValue(formula.right, variables)];
      if (left === null || right === null) {
        return null;
      }
      if (formula.is === "/" && right === 0n) {
        throw new DivisionByZero();
      }
      const results = { "+": left + right, "-": left - right, "*": left * right, "/": right === 0n ? 0n : left / right };
      return results[formula.is] % 100n;
    }
  }
}

/** NULL is not true. */
function isTrue({ left, operator, right }: Condition, variables: readonly Value[]): boolean {
  const [a, b] = [formulaValue(left, variables), formulaValue(right, variables)];
  if (operator === "IS DISTINCT FROM") {
    return a !== b;
  }
  if (a === null || b === null) {
    return false;
  }
  return { "<": a < b, "<=": a <= b, "=": a === b, "<>": a !== b }[operator];
}

function takeTurn(machine: Machine): void {
  machine.turns--;
  if (machine.turns < 0) {
    throw new Returned(outOfTurns);
  }
}

function runAll(body: readonly Step[], machine: Machine, labels: number): Way {
  for (const step of body) {
    const way = run(step, machine, labels);
    if (way !== "on") {
      return way;
    }
  }
  return "on";
}

function runBody({ body, exit, labelled }: LoopParts, machine: Machine, outside: number): Way {
  takeTurn(machine);
  const labels = outside + (labelled ? 1 : 0);
  for (const [place, step] of body.entries()) {
    const way = run(step, machine, labels);
    if (way !== "on") {
      return way;
    }
    if (place === 0 && labelled && exit !== undefined && isTrue(exit.condition, machine.variables)) {
      return { go: exit.go, label: outside };
    }
  }
  return "on";
}

interface Checks {
  readonly before: () => boolean;
  readonly after: () => boolean;
  readonly next: () => void;
}

/** `outside` is the number of labels around the loop. */
function runLoop(loop: LoopParts, machine: Machine, outside: number, { after, before, next }: Checks): Way {
  while (before()) {
    const way = runBody(loop, machine, outside);
    const isOwn = way !== "on" && loop.labelled && way.label === outside;
    if (way !== "on" && !isOwn) {
      return way;
    }
    if (way !== "on" && way.go === "leave") {
      return "on";
    }
    // ITERATE restarts the loop without the check at the end; FOR advances in both cases.
    if (way === "on" && after()) {
      return "on";
    }
    next();
  }
  return "on";
}

const never = (): boolean => false;
const always = (): boolean => true;
const nothing = (): void => undefined;

function runFor(step: Step & { readonly is: "for" }, machine: Machine, outside: number): Way {
  const { variables } = machine;
  const by = (): Value => (step.step === undefined ? 1n : formulaValue(step.step, variables));
  const [lower, upper, increment] = [formulaValue(step.lower, variables), formulaValue(step.upper, variables), by()];
  const place = variables.push(lower) - 1;
  const isIn = (): boolean => {
    const counter = variables[place] as Value;
    if (counter === null || upper === null || increment === null) {
      return false;
    }
    return (increment > 0n && counter <= upper) || (increment < 0n && counter >= upper);
  };
  const next = (): void => {
    const counter = variables[place] as Value;
    variables[place] = counter === null || increment === null ? null : counter + increment;
  };
  const way = runLoop(step, machine, outside, { before: isIn, after: never, next });
  variables.length = place;
  return way;
}

function run(step: Step, machine: Machine, labels: number): Way {
  const { variables } = machine;
  switch (step.is) {
    case "set":
      variables[step.index % variables.length] = formulaValue(step.value, variables);
      return "on";
    case "return":
      throw new Returned(formulaValue(step.value, variables) ?? 0n);
    case "leave":
    case "iterate":
      if (labels === 0) {
        variables[outermost.indexOf("v")] = 1n;
        return "on";
      }
      return { go: step.is, label: step.index % labels };
    case "if":
      return runAll(isTrue(step.condition, variables) ? step.then : step.otherwise, machine, labels);
    case "case": {
      const [operand, when] = [formulaValue(step.operand, variables), formulaValue(step.when, variables)];
      return runAll(operand !== null && operand === when ? step.then : step.otherwise, machine, labels);
    }
    case "block": {
      const { length } = variables;
      const first = formulaValue(step.first, variables);
      variables.push(first, ...(step.second ? [first] : []));
      const way = runAll(step.body, machine, labels);
      variables.length = length;
      return way;
    }
    case "loop":
      return runLoop(step, machine, labels, { before: always, after: never, next: nothing });
    case "while": {
      const before = (): boolean => isTrue(step.condition, variables);
      return runLoop(step, machine, labels, { before, after: never, next: nothing });
    }
    case "repeat": {
      const after = (): boolean => isTrue(step.condition, variables);
      return runLoop(step, machine, labels, { before: always, after, next: nothing });
    }
    case "for":
      return runFor(step, machine, labels);
  }
}

/** NULL stands for a division by zero, as with TRY. */
export function evaluateProgram(program: Program, a: Value, b: Value): Value {
  const machine: Machine = { variables: [a, b, null, null], turns: turnsMax };
  try {
    runAll(program, machine, 0);
  } catch (error) {
    if (error instanceof Returned) {
      return error.value;
    }
    if (error instanceof DivisionByZero) {
      return null;
    }
    throw error;
  }
  return machine.variables.reduce((sum: bigint, value, place) => sum + (value ?? 7n) * 1000n ** BigInt(place), 0n);
}
