/**
 * The places in the engine's sources that raise an error for a statement, and which of them a run reached. A place is a line that creates
 * an error, or calls a function that always throws or returns one. Places are identified by their text, so that lists of them survive
 * edits.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

export interface Place {
  /** `src/sql/parser/lexer.ts:274` */
  readonly at: string;
  /** `src/sql/parser/lexer.ts: throw refuse("..")`; stable when lines are inserted above. */
  readonly text: string;
}

/** Classes of errors that end a statement, or are converted to one that does. */
const errorClasses = "QueryError|UnknownTypeError|PathError|JsonError|PathSyntaxError|FormatError|NotCarried";
const declared = new RegExp(
  [
    String.raw`function (\w+)(?:<.*>)?\(.*\): (?:never|QueryError|Error|PathError)(?: \{| =>)`,
    String.raw`const (\w+) = (?:<.*>)?\(.*\): (?:never|QueryError|Error) =>`,
  ].join("|"),
  "g",
);
const declaredMethod = /^ {2}(#?\w+)\(.*\): (?:never|QueryError|Error) \{/gm;

interface Source {
  readonly file: string;
  readonly lines: readonly string[];
  readonly text: string;
}

function sourcesIn(folder: string): readonly Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry): readonly Source[] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return sourcesIn(path);
    }
    const text = readFileSync(join(root, path), "utf8");
    return [{ file: path, text, lines: text.split("\n") }];
  });
}

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match.slice(1).find((name) => name !== undefined) as string);

/** Names of functions that throw, as visible in a file: its own and those it imports. */
function raisersOf(source: Source, byFile: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const names = new Set(byFile.get(source.file));
  for (const [, list, from] of source.text.matchAll(/import (?:type )?\{([^}]*)\} from "(\.[^"]*)"/g)) {
    const others = byFile.get(join(dirname(source.file), from as string));
    for (const name of (list as string).split(",").map((part) => part.trim().replace(/^type |^\w+ as /, ""))) {
      if (others?.has(name) === true) {
        names.add(name);
      }
    }
  }
  return names;
}

export function placesIn(folders: readonly string[]): readonly Place[] {
  const sources = folders.flatMap(sourcesIn);
  const byFile = new Map(sources.map(({ file, text }) => [file, new Set(namesIn(text, declared))]));
  const methods = new Set(sources.flatMap(({ text }) => namesIn(text, declaredMethod)).filter((name) => name !== "raise"));
  const methodCall = new RegExp(`\\.(?:${[...methods].join("|")})\\(`);
  return sources.flatMap((source) => {
    const names = raisersOf(source, byFile);
    const call = names.size === 0 ? undefined : new RegExp(`(?<![.#\\w])(?:${[...names].join("|")})\\(`);
    const made = new RegExp(`new (?:${errorClasses})\\(`);
    return source.lines.flatMap((line, index): readonly Place[] => {
      const isComment = /^\s*(?:\*|\/\/|\/\*)/.test(line);
      const isDeclaration = /^\s*(?:export )?(?:function |const \w+ = \(.*\): \w+ =>(?!.*(?:new|invalid|fail)))/.test(line);
      const raises = made.test(line) || call?.test(line) === true || methodCall.test(line);
      return raises && !isComment && !isDeclaration ? [{ at: `${source.file}:${index + 1}`, text: `${source.file}: ${line.trim()}` }] : [];
    });
  });
}

/** Records the places where errors of these classes are created, until it is released. */
export class RaisedPlaces {
  readonly lines = new Set<string>();
  readonly #parents: readonly (readonly [object, object])[];

  constructor(classes: readonly (new (...args: never) => Error)[]) {
    const { lines } = this;
    this.#parents = classes.map((of) => [of, Object.getPrototypeOf(of) as object]);
    class Noted extends Error {
      constructor(...args: readonly unknown[]) {
        super(...(args as []));
        const { stackTraceLimit } = Error;
        Error.stackTraceLimit = 40;
        const { stack = "" } = new Error();
        Error.stackTraceLimit = stackTraceLimit;
        for (const [, path, line] of stack.matchAll(/([^\s(]*\/src\/[^\s)]*?):(\d+):\d+/g)) {
          lines.add(`${relative(root, (path as string).replace(/^file:\/\//, ""))}:${line}`);
        }
      }
    }
    for (const of of classes) {
      Object.setPrototypeOf(of, Noted);
    }
  }

  release(): void {
    for (const [of, parent] of this.#parents) {
      Object.setPrototypeOf(of, parent);
    }
  }
}
