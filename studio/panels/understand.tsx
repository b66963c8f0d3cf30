export function Understand() {
  return <p>Understand</p>;
}
