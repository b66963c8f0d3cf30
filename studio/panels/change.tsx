export function Change() {
  return <p>Change</p>;
}
