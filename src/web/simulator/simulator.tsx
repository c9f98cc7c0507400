/** Simulator page. */
export function Simulator() {
  return <h1>Simulator</h1>;
}
