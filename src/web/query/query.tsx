/** Query page. */
export function Query() {
  return <h1>Query</h1>;
}
