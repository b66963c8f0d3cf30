/** The checksum of X.25 (CRC-16/MCRF4XX), of bytes from a place on; `sum` carries one on. */
export function checksum(bytes: Uint8Array, from = 0, to = bytes.length, sum = 0xffff): number {
  let crc = sum;
  for (let i = from; i < to; i++) crc = (crc >> 8) ^ TABLE[(crc ^ bytes[i]) & 0xff];
  return crc;
}

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  return crc;
});
