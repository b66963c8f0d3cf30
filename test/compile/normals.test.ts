/** Normal numbers drawn in bulk by machine code are those drawn one by one. */
import { expect, it } from "vitest";
import { useNormalsKernel } from "../../src/compile/normals.ts";
import { stream } from "../../src/math/random.ts";

it("has the bits of the plain function, from any index on, for any seed", () => {
  const seeds = [0, 1, 7, 4294967295, 4294967296 * 5 + 123, Number.MAX_SAFE_INTEGER];
  const indices = [
    0, 1, 2, 3, 63, 64, 65, 1000, 65_535, 1_000_003, 2_147_479_999, 2_147_480_000, 4_294_967_296,
  ];
  const draw = () =>
    seeds.flatMap((seed) =>
      ["wind.colored.north", "x"].flatMap((name) => {
        const { normal } = stream(seed, name);
        return [
          ...Array.from({ length: 300 }, (_, i) => normal(i)),
          ...indices.map((i) => normal(i)),
          ...Array.from({ length: 70 }, (_, i) => normal(69 - i)),
        ];
      }),
    );
  const plain = draw();
  useNormalsKernel();
  expect(draw()).toEqual(plain);
  expect(new Set(plain).size).toBeGreaterThan(3000);
});
