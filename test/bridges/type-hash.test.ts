import { describe, expect, it } from "vitest";
import { typeHash } from "../../src/bridges/ros2/type-hash.ts";

/** As ROS 2 distributions publish them in their message packages. */
const PUBLISHED = {
  "std_msgs/String": "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
  "geometry_msgs/Vector3Stamped": "RIHS01_d4829622288cbb443886e7ea94ea5671a3b1be6bab4ad04224432a65f7d7887a",
};

describe("type hashes", () => {
  for (const [type, hash] of Object.entries(PUBLISHED))
    it(`of ${type} is that of the message package`, () => {
      expect(typeHash(type)).toBe(hash);
    });
});
