// The site: guide, commands, vehicles, API, gallery. Its pages are assembled by scripts/site.mjs in site/pages.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Lists that scripts/site.mjs writes: pages of commands, vehicles and the API. */
const made = JSON.parse(readFileSync(at("../pages/made.json"), "utf8"));
const page = (text, link) => ({ text, link });

export default {
  title: "Sideslip",
  description: "Vehicle dynamics for Node and the browser: parafoils, aircraft and race cars",
  srcDir: at("../pages"),
  outDir: at("../dist"),
  cacheDir: at("../pages/.cache"),
  base: "/",
  cleanUrls: false,
  lastUpdated: false,
  // Links from the documents to sources, which are no pages.
  ignoreDeadLinks: [/\/src\//, /\/examples/, /\/test\//, /\.\.\/\.\./],
  vite: { logLevel: "error" },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      page("Guide", "/guide/start"),
      page("Commands", "/cli/run"),
      page("Vehicles", "/vehicles/aircraft"),
      page("API", "/api/"),
      page("Gallery", "/gallery"),
      { text: "Studio", link: "/studio/index.html", target: "_self" },
    ],
    sidebar: [
      {
        text: "Guide",
        items: [
          page("First flights", "/guide/start"),
          page("Scenarios", "/guide/scenarios"),
          page("Your own vehicle", "/guide/your-own-vehicle"),
          page("Race car", "/guide/race-car"),
          page("Analysis", "/guide/analysis"),
          page("Campaigns", "/campaigns"),
          page("Studio", "/studio-guide"),
          page("Autopilots", "/sitl"),
          page("ROS 2", "/ros2"),
          page("Foxglove", "/foxglove"),
          page("Gazebo", "/gazebo"),
          page("AVL", "/avl"),
          page("Library", "/guide/library"),
          page("Validation", "/guide/validation"),
          page("Performance", "/guide/performance"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Conventions", "/conventions"),
          page("Errata of the sources", "/errata"),
          page("The car", "/car"),
          page("Compiling", "/compile"),
          page("Architecture", "/architecture"),
          page("Changelog", "/changelog"),
        ],
      },
      { text: "Commands", collapsed: true, items: made.commands },
      { text: "Vehicles", collapsed: true, items: made.vehicles },
      { text: "API", collapsed: true, items: made.api },
    ],
  },
};
