/**
 * JSON_EXISTS, JSON_VALUE, JSON_QUERY, JSON_OBJECT, JSON_ARRAY and JSON_TABLE as functions in plans: `$json_value(input, path, options,
 * NULL, passed ..., lambdas ...)`. The type of the NULL argument is the returned type. A NULL input returns NULL.
 */
import type { Type } from "../../../../types/type.ts";
import type { HostCall, HostImplementation, HostValue, LambdaImplementation, ScalarDefinition } from "../../../registry/definition.ts";
import { makeArray, makeObject } from "./constructors.ts";
import { JsonError } from "./errors.ts";
import { PathEvaluator } from "./evaluate.ts";
import { type Items, SqlItem } from "./items.ts";
import { JsonReader } from "./json-text.ts";
import {
  type ExistsOptions,
  KnownOptions,
  type PassingOption,
  type PathOptions,
  type QueryOptions,
  type TableOptions,
  type ValueOptions,
} from "./options.ts";
import { knownPath } from "./parse.ts";
import { attempt, defaultsOf, queryOfItems, valueOfItems } from "./results.ts";
import { JsonTable } from "./table.ts";

type FormDefinition = Pick<ScalarDefinition, "givesNull" | "makeHost" | "makeWithLambdas" | "nulls">;

/** Index of the first PASSING argument, by function. */
const passedFrom = Object.freeze({ exists: 3, value: 4, query: 4, table: 3 });

/** A function's path and options, parsed. */
class Compiled<T extends PathOptions> {
  readonly evaluator: PathEvaluator;

  constructor(
    path: string,
    readonly options: T,
  ) {
    this.evaluator = new PathEvaluator(knownPath(path));
  }
}

interface Passed {
  readonly args: readonly HostValue[];
  readonly types: readonly Type[];
  readonly from: number;
}

/** Throws JsonError. A NULL passed as JSON is an empty sequence; a SQL NULL is the JSON null. */
function parametersOf(reader: JsonReader, passing: readonly PassingOption[], { args, types, from }: Passed): ReadonlyMap<string, Items> {
  return new Map(
    passing.map(({ name, format }, index): [string, Items] => {
      const value = args[from + index] as HostValue;
      if (format !== "SQL") {
        return [name, value === null ? [] : [reader.read(value, format)]];
      }
      return [name, [value === null ? null : new SqlItem(types[from + index] as Type, value)]];
    }),
  );
}

interface Following<T extends PathOptions> {
  readonly args: readonly HostValue[];
  readonly call: HostCall;
  readonly compiled: Compiled<T>;
  readonly from: number;
}

/** Reads the documents for the calls of one function and evaluates its path. */
class Follower {
  readonly #input = new JsonReader();
  readonly #passed = new JsonReader();

  /** Throws JsonError. */
  follow<T extends PathOptions>({ args, call, compiled, from }: Following<T>): Items {
    const { evaluator, options } = compiled;
    const input = this.#input.read(args[0] as Exclude<HostValue, null>, options.input);
    return evaluator.evaluate(input, parametersOf(this.#passed, options.passing, { args, types: call.argTypes, from }));
  }
}

function compiledBy<T extends PathOptions>(): (args: readonly HostValue[]) => Compiled<T> {
  const byPath = new Map<string, KnownOptions<T, Compiled<T>>>();
  return ([, pathText, options]) => {
    const path = pathText as string;
    let known = byPath.get(path);
    if (known === undefined) {
      if (byPath.size >= pathsMax) {
        byPath.clear();
      }
      known = new KnownOptions<T, Compiled<T>>((read) => new Compiled(path, read));
      byPath.set(path, known);
    }
    return known.get(options);
  };
}

const pathsMax = 64;

const truths = Object.freeze({ TRUE: true, FALSE: false, UNKNOWN: null });

function makeExists(): HostImplementation {
  const follower = new Follower();
  const compile = compiledBy<ExistsOptions>();
  return (args, call) => {
    if (args[0] === null) {
      return null;
    }
    const compiled = compile(args);
    const found = attempt(() => follower.follow({ args, call, compiled, from: passedFrom.exists }));
    if (!(found instanceof JsonError)) {
      return found.length > 0;
    }
    const { onError } = compiled.options;
    if (onError === "ERROR") {
      throw found.toQueryError();
    }
    return truths[onError];
  };
}

function makeValue(): LambdaImplementation {
  const follower = new Follower();
  const compile = compiledBy<ValueOptions>();
  return (args, lambdas, call) => {
    if (args[0] === null) {
      return null;
    }
    const compiled = compile(args);
    const found = attempt(() => follower.follow({ args, call, compiled, from: passedFrom.value }));
    return valueOfItems(found, call.returnType, compiled.options, defaultsOf(compiled.options, lambdas));
  };
}

function makeQuery(): HostImplementation {
  const follower = new Follower();
  const compile = compiledBy<QueryOptions>();
  return (args, call) => {
    if (args[0] === null) {
      return null;
    }
    const compiled = compile(args);
    const found = attempt(() => follower.follow({ args, call, compiled, from: passedFrom.query }));
    return queryOfItems(found, call.returnType, compiled.options);
  };
}

function makeTable(): LambdaImplementation {
  const [input, passed] = [new JsonReader(), new JsonReader()];
  const known = new KnownOptions<TableOptions, JsonTable>((options) => new JsonTable(options));
  return (args, lambdas, { argTypes, returnType }) => {
    if (args[0] === null) {
      return null;
    }
    const table = known.get(args[1]);
    const { options } = table;
    const read = attempt(() => ({
      item: input.read(args[0] as Exclude<HostValue, null>, options.input),
      parameters: parametersOf(passed, options.passing, { args, types: argTypes, from: passedFrom.table }),
    }));
    if (!(read instanceof JsonError)) {
      return table.rows(read.item, read.parameters, { returnType, lambdas });
    }
    if (options.onError === "ERROR") {
      throw read.toQueryError();
    }
    return [];
  };
}

const forms: Readonly<Record<string, { readonly place: number; readonly definition: FormDefinition }>> = Object.freeze({
  $json_value: { place: 3, definition: { nulls: "seen", makeWithLambdas: makeValue, makeHost: withoutLambdas(makeValue) } },
  $json_query: { place: 3, definition: { nulls: "seen", makeHost: makeQuery } },
  $json_object: { place: 1, definition: { nulls: "seen", makeHost: makeObject } },
  $json_array: { place: 1, definition: { nulls: "seen", makeHost: makeArray } },
  $json_table: { place: 2, definition: { nulls: "seen", makeWithLambdas: makeTable, makeHost: withoutLambdas(makeTable) } },
});

function withoutLambdas(make: () => LambdaImplementation): () => HostImplementation {
  return () => {
    const implementation = make();
    return (args, call) => implementation(args, [], call);
  };
}

const existsDefinition: FormDefinition = Object.freeze({ nulls: "seen", makeHost: makeExists });

/** The returned type is that of the NULL argument. Undefined for other names. */
export function resolveJsonForm(
  name: string,
  argTypes: readonly Type[],
): { readonly argTypes: readonly Type[]; readonly returnType: Type; readonly definition: FormDefinition } | undefined {
  if (name === "$json_exists") {
    return { argTypes, returnType: { kind: "boolean" }, definition: existsDefinition };
  }
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  const returnType = form === undefined ? undefined : argTypes[form.place];
  return form === undefined || returnType === undefined ? undefined : { argTypes, returnType, definition: form.definition };
}
