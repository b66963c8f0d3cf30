/**
 * The MAVLink messages that a simulator and an autopilot exchange, as common.xml has them: fields in the order of the file,
 * those after `extensions` added later. Their order on the wire and the seed of their checksum follow from that.
 */
import { checksum } from "./checksum.ts";

const SIZES = { uint8: 1, int8: 1, uint16: 2, int16: 2, uint32: 4, int32: 4, float: 4, uint64: 8 } as const;
export type Type = keyof typeof SIZES;

export interface MessageField {
  readonly name: string;
  readonly type: Type;
  /** Of an array; 0 for a single number. */
  readonly count: number;
  /** In the payload. */
  readonly offset: number;
}
export interface MessageType {
  readonly id: number;
  readonly name: string;
  readonly fields: readonly MessageField[];
  /** Bytes of the payload with everything. */
  readonly length: number;
  /** Goes into the checksum, so that a different definition is detected. */
  readonly extra: number;
}

/** "uint16 eph", "float controls[16]". */
function readField(line: string): Omit<MessageField, "offset"> {
  const [, type, name, count] = /^(\w+) (\w+)(?:\[(\d+)\])?$/.exec(line) as RegExpExecArray;
  return { name, type: type as Type, count: Number(count ?? 0) };
}

function message(id: number, name: string, lines: string, extensions = ""): MessageType {
  const read = (text: string) => (text === "" ? [] : text.split(", ").map(readField));
  // Large numbers first, so that all are aligned; those added later stay behind.
  const base = read(lines).sort((a, b) => SIZES[b.type] - SIZES[a.type]);
  let offset = 0;
  const fields = [...base, ...read(extensions)].map((field) => {
    const at = offset;
    offset += SIZES[field.type] * Math.max(1, field.count);
    return { ...field, offset: at };
  });
  const text = [`${name} `];
  for (const { type, name: field, count } of base)
    text.push(
      `${type === "float" ? type : `${type}_t`} ${field} `,
      ...(count > 0 ? [String.fromCharCode(count)] : []),
    );
  const sum = checksum(Uint8Array.from(text.join(""), (c) => c.charCodeAt(0)));
  return { id, name, fields, length: offset, extra: (sum & 0xff) ^ (sum >> 8) };
}

const numbered = (type: Type, name: (k: number) => string, count: number) =>
  Array.from({ length: count }, (_, k) => `${type} ${name(k + 1)}`).join(", ");

export const HEARTBEAT = message(
  0,
  "HEARTBEAT",
  "uint8 type, uint8 autopilot, uint8 base_mode, uint32 custom_mode, uint8 system_status, uint8 mavlink_version",
);
export const RC_CHANNELS = message(
  65,
  "RC_CHANNELS",
  `uint32 time_boot_ms, uint8 chancount, ${numbered("uint16", (k) => `chan${k}_raw`, 18)}, uint8 rssi`,
);
export const COMMAND_LONG = message(
  76,
  "COMMAND_LONG",
  "uint8 target_system, uint8 target_component, uint16 command, uint8 confirmation, " +
    numbered("float", (k) => `param${k}`, 7),
);
export const HIL_ACTUATOR_CONTROLS = message(
  93,
  "HIL_ACTUATOR_CONTROLS",
  "uint64 time_usec, float controls[16], uint8 mode, uint64 flags",
);
export const HIL_SENSOR = message(
  107,
  "HIL_SENSOR",
  "uint64 time_usec, float xacc, float yacc, float zacc, float xgyro, float ygyro, float zgyro, " +
    "float xmag, float ymag, float zmag, float abs_pressure, float diff_pressure, float pressure_alt, " +
    "float temperature, uint32 fields_updated",
  "uint8 id",
);
export const HIL_GPS = message(
  113,
  "HIL_GPS",
  "uint64 time_usec, uint8 fix_type, int32 lat, int32 lon, int32 alt, uint16 eph, uint16 epv, uint16 vel, " +
    "int16 vn, int16 ve, int16 vd, uint16 cog, uint8 satellites_visible",
  "uint8 id, uint16 yaw",
);
export const HIL_STATE_QUATERNION = message(
  115,
  "HIL_STATE_QUATERNION",
  "uint64 time_usec, float attitude_quaternion[4], float rollspeed, float pitchspeed, float yawspeed, " +
    "int32 lat, int32 lon, int32 alt, int16 vx, int16 vy, int16 vz, uint16 ind_airspeed, uint16 true_airspeed, " +
    "int16 xacc, int16 yacc, int16 zacc",
);
export const DISTANCE_SENSOR = message(
  132,
  "DISTANCE_SENSOR",
  "uint32 time_boot_ms, uint16 min_distance, uint16 max_distance, uint16 current_distance, uint8 type, uint8 id, " +
    "uint8 orientation, uint8 covariance",
  "float horizontal_fov, float vertical_fov, float quaternion[4], uint8 signal_quality",
);

export const MESSAGES: readonly MessageType[] = [
  HEARTBEAT,
  RC_CHANNELS,
  COMMAND_LONG,
  HIL_ACTUATOR_CONTROLS,
  HIL_SENSOR,
  HIL_GPS,
  HIL_STATE_QUATERNION,
  DISTANCE_SENSOR,
];
