/** The package has no declarations. */
declare module "parse-prometheus-text-format" {
  interface ParsedSeries {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value: string;
  }
  interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly ParsedSeries[];
  }
  export default function parse(text: string): readonly ParsedFamily[];
}
