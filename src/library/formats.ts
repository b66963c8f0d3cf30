/** Text of other tools, and ours: YAML documents, CSV, SVG charts, ROS 2 parameters, tracks, UIUC propellers, vehicle files. */
export { csvHeader, csvRow } from "../formats/csv.ts";
export { type RosParameters, readRosParameters } from "../formats/ros-params.ts";
export { type Panel, type Series, svgCharts, svgPanel } from "../formats/svg-chart.ts";
export { readCenterLine, readCones } from "../formats/track-csv.ts";
export { readUiuc, readUiucName, type UiucFile } from "../formats/uiuc.ts";
export { type MeasuredPropeller, nearest, propellersOf, tableOf } from "../formats/uiuc-database.ts";
export { writeVehicle, writtenVehicle } from "../formats/vehicle-yaml.ts";
export { type Document, overlay, plainSource } from "../model/document.ts";
export type { InputErrorDetails } from "../model/input-error.ts";
export { parseYaml } from "../model/yaml.ts";
