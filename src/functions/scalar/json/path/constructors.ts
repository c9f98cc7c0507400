/**
 * JSON_OBJECT and JSON_ARRAY.
 */
import { type Type, VARCHAR } from "../../../../types/type.ts";
import type { HostImplementation, HostValue } from "../../../registry/definition.ts";
import { quoteJson } from "../json-values.ts";
import { invalidArgument } from "../../../runtime/nested-values.ts";
import { JsonReader, textOfValue, writeJson } from "./json-text.ts";
import { type ConstructorOptions, KnownOptions } from "./options.ts";
import { castScalar } from "./scalar-casts.ts";

/**
 * Arguments after the options and the type NULL. Row arguments are expanded into their fields, because the number of arguments of a call is
 * limited.
 */
function* spread(args: readonly HostValue[], types: readonly Type[]): Generator<readonly [value: HostValue, type: Type]> {
  for (const [index, value] of args.entries()) {
    const type = types[index] as Type;
    if (index < 2) {
      continue;
    }
    if (type.kind === "row" && value !== null) {
      const fields = value as readonly HostValue[];
      for (const [place, field] of type.fields.entries()) {
        yield [fields[place] ?? null, field.type];
      }
    } else {
      yield [value, type];
    }
  }
}

export function makeArray(): HostImplementation {
  const reader = new JsonReader();
  const known = new KnownOptions<ConstructorOptions, ConstructorOptions>((options) => options);
  return (args, { argTypes, returnType }) => {
    const options = known.get(args[0]);
    const texts: string[] = [];
    for (const [index, [value, type]] of [...spread(args, argTypes)].entries()) {
      if (value !== null) {
        texts.push(textOfValue(reader, value, type, options.formats[index] ?? "SQL"));
      } else if (options.nulls === "NULL") {
        texts.push("null");
      }
    }
    return writeJson(`[${texts.join(",")}]`, returnType, options.output);
  };
}

export function makeObject(): HostImplementation {
  const reader = new JsonReader();
  const known = new KnownOptions<ConstructorOptions, ConstructorOptions>((options) => options);
  return (args, { argTypes, returnType }) => {
    const options = known.get(args[0]);
    const parts = [...spread(args, argTypes)];
    const keys = new Set<string>();
    const texts: string[] = [];
    for (let index = 0; index < parts.length; index += 2) {
      const [[name, nameType], [value, type]] = [parts[index], parts[index + 1]] as [
        readonly [HostValue, Type],
        readonly [HostValue, Type],
      ];
      if (name === null) {
        return invalidArgument("null value passed for JSON object key to JSON_OBJECT function");
      }
      const key = castScalar(name, nameType, VARCHAR) as string;
      if (value === null && options.nulls === "ABSENT") {
        continue;
      }
      if (options.uniqueKeys === true && keys.has(key)) {
        return invalidArgument("duplicate key passed to JSON_OBJECT function");
      }
      keys.add(key);
      texts.push(`${quoteJson(key)}:${value === null ? "null" : textOfValue(reader, value, type, options.formats[index / 2] ?? "SQL")}`);
    }
    return writeJson(`{${texts.join(",")}}`, returnType, options.output);
  };
}
