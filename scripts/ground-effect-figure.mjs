// Draws docs/images/ground-effect.svg from the laws themselves: `npm run build && node scripts/ground-effect-figure.mjs`.
import { writeFileSync } from "node:fs";
import { svgCharts } from "../dist/formats/svg-chart.js";
import { cheesemanBennett, taper } from "../dist/parts/boundary-effect.js";

const z = Array.from({ length: 301 }, (_, i) => 0.25 + 0.02 * i);
const hakoniwa = (k) => z.map((d) => 1 + taper(d, 1) * (1 + d) ** -k);
const svg = svgCharts(
  [
    {
      title: "Ground effect at constant rotor speed",
      xLabel: "height of the hub over rotor radius",
      yLabel: "thrust over free thrust",
      series: [
        { name: "hakoniwa, k = 1.5", x: z, y: hakoniwa(1.5) },
        { name: "hakoniwa, k = 4", x: z, y: hakoniwa(4) },
        { name: "Cheeseman-Bennett", x: z, y: z.map((d) => 1 + cheesemanBennett(d, 1)) },
      ],
    },
  ],
  1,
);
writeFileSync(new URL("../docs/images/ground-effect.svg", import.meta.url), svg);
