/** Types of MySQL and MariaDB as types of the engine, as Trino's connectors map them. */
import {
  BIGINT,
  BOOLEAN,
  charLengthMax,
  charType,
  DATE,
  decimalPrecisionMax,
  decimalType,
  DOUBLE,
  INTEGER,
  JSON_TYPE,
  REAL,
  SMALLINT,
  TINYINT,
  type Type,
  VARBINARY,
  VARCHAR,
  varcharType,
} from "../../types/type.ts";

import { soundType } from "../shared/remote/answers.ts";

export interface RemoteType {
  /** In lower case, such as `int unsigned`. */
  readonly name: string;
  readonly parameters: readonly number[];
}

const digitsOfBigintUnsigned = 20;

const plainTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["tinyint", TINYINT],
  ["tinyint unsigned", SMALLINT],
  ["smallint", SMALLINT],
  ["smallint unsigned", INTEGER],
  ["mediumint", INTEGER],
  ["mediumint unsigned", INTEGER],
  ["int", INTEGER],
  ["int unsigned", BIGINT],
  ["bigint", BIGINT],
  ["bigint unsigned", decimalType(digitsOfBigintUnsigned, 0)],
  ["float", REAL],
  ["float unsigned", REAL],
  ["double", DOUBLE],
  ["double unsigned", DOUBLE],
  ["tinytext", varcharType(255)],
  ["text", varcharType(65_535)],
  ["mediumtext", varcharType(16_777_215)],
  ["longtext", VARCHAR],
  ["binary", VARBINARY],
  ["varbinary", VARBINARY],
  ["tinyblob", VARBINARY],
  ["blob", VARBINARY],
  ["mediumblob", VARBINARY],
  ["longblob", VARBINARY],
  ["json", JSON_TYPE],
  ["date", DATE],
]);

/** `decimal(10,2) unsigned`, `enum('a','b')`: a display width and the values of an enumeration are left out. */
export function remoteTypeOf(text: string): RemoteType {
  const [base = ""] = /^[a-z]+/.exec(text.toLowerCase()) ?? [];
  const inner = /^[a-z]+\(([\d, ]+)\)/.exec(text.toLowerCase())?.[1] ?? "";
  const isUnsigned = /\) unsigned|^[a-z]+ unsigned/.test(text.toLowerCase());
  return {
    name: isUnsigned ? `${base} unsigned` : base,
    parameters: inner === "" ? [] : inner.split(",").map(Number),
  };
}

/** undefined if the column cannot be read. `length` is that of texts, in characters. */
export function typeOf(remote: RemoteType, length: number | undefined): Type | undefined {
  return soundType(mappedType(remote, length));
}

function mappedType({ name, parameters: [first, second] }: RemoteType, length: number | undefined): Type | undefined {
  switch (name) {
    case "bit":
      return (first ?? 1) === 1 ? BOOLEAN : undefined;
    case "decimal":
    case "decimal unsigned":
      return (first ?? 10) > decimalPrecisionMax ? undefined : decimalType(first ?? 10, second ?? 0);
    case "char":
    case "enum":
    case "set":
      return (length ?? 1) > charLengthMax ? VARCHAR : charType(length ?? first ?? 1);
    case "varchar":
      return length === undefined && first === undefined ? VARCHAR : varcharType(length ?? first ?? 0);
    case "time":
      return { kind: "time", precision: first ?? 0 };
    case "datetime":
      return { kind: "timestamp", precision: first ?? 0 };
    case "timestamp":
      return { kind: "timestamp with time zone", precision: first ?? 0 };
    default:
      return plainTypes.get(name);
  }
}
