export function Controls() {
  return <p>Controls</p>;
}
