/** Values in the text form of MySQL, under the settings of the connector's sessions. */
import { utcKey, zonedMoment } from "../../types/time/zones.ts";
import type { Type } from "../../types/type.ts";
import { appendValue, outOfRange, usualAppender } from "../shared/remote/appenders.ts";
import type { AppendValue } from "../shared/remote/dialect.ts";
import type { RemoteColumn } from "../shared/remote/remote-table.ts";
import { dateOf, decimalOf, hexBytesOf, integerOf, timeOf, timestampOf } from "../shared/remote/text-values.ts";
import { documentText } from "../shared/documents.ts";

/** The returned function throws JDBC_ERROR for a text that is no value of the type. */
export function appenderOf(column: RemoteColumn, channel: number): AppendValue {
  const { type } = column;
  switch (type.kind) {
    case "boolean":
      return (builder, text) => {
        if (text !== "0" && text !== "1") {
          throw outOfRange(column, text);
        }
        builder.appendBoolean(channel, text === "1");
        return 1;
      };
    default:
      return (
        usualAppender(column, channel) ??
        ((builder, text) => {
          const value = valueOf(type, text);
          if (value === undefined) {
            throw outOfRange(column, text);
          }
          appendValue(builder, { channel, type, value });
          return text.length;
        })
      );
  }
}

/** undefined if the text is no value of the type, such as the date `0000-00-00`. */
function valueOf(type: Type, text: string): number | bigint | string | Uint8Array | undefined {
  switch (type.kind) {
    case "bigint":
      return integerOf(text);
    case "decimal":
      return decimalOf(text, { precision: type.precision, scale: type.scale, rounding: "UNNECESSARY" });
    case "varbinary":
      return hexBytesOf(text);
    case "json":
      return documentText(text);
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
