export function Share() {
  return <p>Share</p>;
}
