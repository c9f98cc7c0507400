/** Queries page. */
export function Queries() {
  return <h1>Queries</h1>;
}
