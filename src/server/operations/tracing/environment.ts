/**
 * Whether OpenTelemetry's environment variables ask for traces. The variables themselves are read by OpenTelemetry's libraries, which are
 * loaded only then.
 */
type Environment = Readonly<Record<string, string | undefined>>;

export function wantsTraces(environment: Environment): boolean {
  const exporters = environment["OTEL_TRACES_EXPORTER"]?.trim() ?? "";
  const endpoint = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] ?? environment["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  const isDisabled = environment["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";
  return !isDisabled && (exporters === "" ? endpoint.trim() !== "" : exporters.split(",").includes("otlp"));
}

/** Traces are sent as JSON over HTTP. Collectors take it at the address for `http/protobuf` too, but not at the one for `grpc`. */
export function unsupportedProtocol(environment: Environment): string | undefined {
  const protocol = environment["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] ?? environment["OTEL_EXPORTER_OTLP_PROTOCOL"] ?? "";
  return protocol === "" || protocol.startsWith("http/") ? undefined : protocol;
}
