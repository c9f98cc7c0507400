/** Values in the text form of MySQL, under the settings of the connector's sessions. */
import type { PageBuilder } from "../../page/builder.ts";
import { QueryError } from "../../protocol/errors.ts";
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import { displayType, type Type } from "../../types/type.ts";
import type { AppendValue } from "../shared/remote/dialect.ts";
import type { RemoteColumn } from "../shared/remote/remote-table.ts";
import { dateOf, decimalOf, doubleOf, hexBytesOf, integerOf, jsonOf, timeOf, timestampOf } from "../shared/remote/text-values.ts";

const shownLength = 100;

/** The returned function throws JDBC_ERROR for a text that is no value of the type. */
export function appenderOf({ remoteName, type }: RemoteColumn, channel: number): AppendValue {
  const fail = (text: string): never => {
    const shown = text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;
    throw new QueryError("JDBC_ERROR", `Value '${shown}' of column '${remoteName}' is out of range of type ${displayType(type)}`);
  };
  switch (type.kind) {
    case "boolean":
      return (builder, text) => {
        builder.appendBoolean(channel, text === "1");
        return 1;
      };
    case "tinyint":
    case "smallint":
    case "integer":
      return (builder, text) => {
        builder.appendInt(channel, Number(text));
        return 4;
      };
    case "varchar":
    case "char":
      return (builder, text) => {
        builder.appendString(channel, text);
        return text.length;
      };
    case "real":
    case "double":
      return (builder, text) => {
        builder.appendDouble(channel, doubleOf(text));
        return 8;
      };
    default:
      return (builder, text) => {
        append(builder, channel, valueOf(type, text) ?? fail(text));
        return text.length;
      };
  }
}

function append(builder: PageBuilder, channel: number, value: number | bigint | string | Uint8Array): void {
  if (typeof value === "number") {
    builder.appendInt(channel, value);
  } else if (typeof value === "bigint") {
    builder.appendBigint(channel, value);
  } else if (typeof value === "string") {
    builder.appendString(channel, value);
  } else {
    builder.appendBytes(channel, value);
  }
}

/** undefined if the text is no value of the type, such as the date `0000-00-00`. */
function valueOf(type: Type, text: string): number | bigint | string | Uint8Array | undefined {
  switch (type.kind) {
    case "bigint": {
      const value = integerOf(text);
      return typeof value === "bigint" && BigInt.asIntN(64, value) !== value ? undefined : value;
    }
    case "decimal":
      return decimalOf(text, { precision: type.precision, scale: type.scale, rounding: "UNNECESSARY" });
    case "varbinary":
      return hexBytesOf(text);
    case "json":
      return jsonOf(text);
    case "date":
      return dateOf(text);
    case "time":
      return timeOf(text);
    case "timestamp":
      return timestampOf(text);
    case "timestamp with time zone": {
      const micros = timestampOf(text);
      return micros === undefined ? undefined : zonedMoment(BigInt(micros), utcKey);
    }
    default:
      return undefined;
  }
}
