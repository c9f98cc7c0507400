/** Editor page. */
export function Editor() {
  return <h1>Editor</h1>;
}
