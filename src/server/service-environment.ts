/**
 * Environment variables that Kubernetes injects for every Service of a namespace (and Docker for links). A Service named `orrery` gives
 * `ORRERY_PORT=tcp://10.0.0.1:8080` and `ORRERY_SERVICE_HOST`, which look like variables of this server.
 */

const address = /^(?:tcp|udp|sctp):\/\//;
const portVariable = /_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/;
const portPart = /_PORT_\d+_(?:TCP|UDP|SCTP)_(?:PROTO|PORT|ADDR)$/;
const serviceVariable = /^(.+)_SERVICE_(?:HOST|PORT(?:_\w+)?)$/;

/** Whether the variable describes a Service. A value of the user's own under such a name, as `ORRERY_PORT=8080`, does not. */
export function describesService(variable: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const value = environment[variable] ?? "";
  if (portPart.test(variable) || (portVariable.test(variable) && address.test(value))) {
    return true;
  }
  // Both variables always come together.
  const service = serviceVariable.exec(variable)?.[1];
  return service !== undefined && `${service}_SERVICE_HOST` in environment && `${service}_SERVICE_PORT` in environment;
}

/** The ignored variables in one line for the log; undefined if there are none. */
export function ignoredEnvironmentText(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const ignored = Object.keys(environment).filter((name) => name.startsWith("ORRERY_") && describesService(name, environment));
  return ignored.length === 0
    ? undefined
    : `Ignored environment variables that describe Kubernetes services: ${ignored.sort().join(", ")}; enableServiceLinks: false keeps them out of a pod`;
}
