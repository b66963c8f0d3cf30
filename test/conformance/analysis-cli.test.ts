/** The analysis commands as a person types them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, sideslip, writeFile } from "../support/cli.ts";

const json = (...args: string[]) => JSON.parse(sideslip([...args, "--json"]).stdout);

describe("trim", () => {
  it("what it saves is steady: explain finds no acceleration there", () => {
    const at = folder();
    expect(
      sideslip(["trim", "advanced-plane", "--airspeed", "16", "--climb", "1", "--save", "s.json"], at).status,
    ).toBe(0);
    const { derivative, warnings } = JSON.parse(
      sideslip(["explain", "advanced-plane", "--state", "s.json", "--json"], at).stdout,
    );
    for (const name of ["v_north", "v_east", "v_down", "p", "q", "r", "rotor_1"])
      expect(Math.abs(derivative[name])).toBeLessThan(1e-9);
    expect(derivative.down).toBe(-1);
    expect(warnings).toEqual([]);
  });
  it("a failure is a diagnosis, with exit code 1, as text and as JSON", () => {
    const { status, stdout, stderr } = sideslip(["trim", "advanced-plane", "--airspeed", "25"]);
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/NO steady motion found/);
    expect(stdout).toMatch(/rotor_1 at its limit of 3500 rad\/s/);
    expect(stdout).toMatch(/it trims with airspeed 24\.\d+ m\/s instead of 25 m\/s/);
    const { trimmed, nearest, residuals } = json("trim", "advanced-plane", "--airspeed", "25");
    expect(trimmed).toBe(false);
    expect(nearest[0]).toMatchObject({ changed: "speed", asked: 25 });
    expect(residuals.length).toBeGreaterThan(6);
  });
  it.each([
    [
      ["trim", "formula-student", "--airspeed", "3"],
      /--airspeed: does not apply to formula-student, which moves in the plane; allowed: --speed, --lateral, --turn/,
    ],
    [
      ["trim", "x500", "--lateral", "3"],
      /--lateral: does not apply to x500, which moves through the air; allowed: --airspeed/,
    ],
    [
      ["trim", "advanced-plane", "--airspeed", "10", "--climb", "12"],
      /--climb: must be smaller than the airspeed.*allowed: less than 10 m\/s/,
    ],
    [
      ["trim", "advanced-plane", "--airspeed", "-3"],
      /--airspeed: "-3" is out of range; allowed: 0 to 400 m\/s/,
    ],
    [["trim", "advanced-plane", "--airspeed", "15 kg"], /wrong kind of unit/],
    [
      ["trim", "advanced-plane", "--set", "servo_3=2"],
      /out of range; allowed: servo_3_cmd: -0\.78 to 0\.78 rad/,
    ],
    [
      ["trim", "advanced-plane", "--set", "sevo_3=0.1"],
      /is neither a control nor a parameter; did you mean "servo_3"\?/,
    ],
    [
      ["trim", "advanced-plane", "--save", "x.txt"],
      /--save: is not the name of a state file; allowed: x\.json/,
    ],
    [["trim", "nothing"], /nothing/],
    [["polar", "x500", "--over", "brake"], /"brake" is neither a condition nor a control of x500/],
    [["polar", "x500", "--over", "airspeed=9..3"], /is an empty range/],
    [["polar", "x500", "--over", "airspeed=a..b"], /is not a range.*allowed: airspeed=from\.\.to/],
    [
      ["envelope", "parafoil", "--over", "brake_left", "--and", "brake_left"],
      /--and: is both given and varied, or varied twice/,
    ],
    [["envelope", "parafoil", "--steps", "2.5"], /is not a whole number/],
    [["linearize", "x500", "--outputs", "altitud"], /is not an output; did you mean "altitude"\?/],
    [["linearize", "x500", "--save", "x.xls"], /x\.m \(MATLAB, Octave\), x\.py \(NumPy\), x\.csv or x\.json/],
    [["modes", "x500", "--out", "x.png"], /--out: is not the name of an SVG picture/],
    [["modes", "x500", "--report", "x.pdf"], /--report: is not the name of an HTML page/],
    [["modes", "parafoil", "--run", "x.csv"], /--run and --at must be given together/],
  ])("%s is refused in words", (args, words) => {
    const { status, stdout, stderr } = sideslip(args as string[]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(words as RegExp);
    expect(stderr).not.toMatch(/internal error|\n +at /);
  });
});

describe("linearize and modes", () => {
  it("the same matrices in every format, and the same eigenvalues", () => {
    const at = folder();
    for (const kind of ["m", "py", "csv", "json"])
      sideslip(["linearize", "parafoil", "--set", "brake_left=0.3", "--save", `p.${kind}`], at);
    const read = (kind: string) => readFileSync(join(at, `p.${kind}`), "utf8");
    const { A, states } = JSON.parse(read("json"));
    const rows = (text: string, open: string, close: string) =>
      text
        .slice(text.indexOf(open) + open.length, text.indexOf(close, text.indexOf(open)))
        .match(/-?\d+(\.\d+)?(e[-+]?\d+)?/g)
        ?.map(Number);
    expect(rows(read("m"), "A = [", "];")).toEqual(A.flat());
    expect(rows(read("py"), "A = np.array([", "])")).toEqual(A.flat());
    const csv = read("csv")
      .split("\n")
      .filter((line) => line.startsWith("A,"));
    for (const line of csv) {
      const [, row, column, value] = line.split(",");
      const index = (name: string) => states.findIndex((s: { name: string }) => s.name === name);
      expect(A[index(row)][index(column)]).toBe(Number(value));
    }
    const trace = A.reduce((sum: number, row: number[], i: number) => sum + row[i], 0);
    const { modes } = json("modes", "parafoil", "--set", "brake_left=0.3");
    expect(
      modes.reduce(
        (s: number, m: { real: number; imaginary: number }) => s + m.real * (m.imaginary > 0 ? 2 : 1),
        0,
      ),
    ).toBeCloseTo(trace, 8);
  });
  it("about any instant of a run, told that it is not steady", () => {
    const at = folder();
    sideslip(["run", "parafoil", "--duration", "3", "--out", "f.csv"], at);
    const { stdout, status } = sideslip(["linearize", "parafoil", "--run", "f.csv", "--at", "0.5"], at);
    expect(status).toBe(0);
    expect(stdout).toMatch(/this is not a steady motion/);
  });
});

describe("polar and envelope", () => {
  it("a multirotor's power over airspeed has its least somewhere in the middle or at rest, and every row is steady", () => {
    const rows = json("polar", "x500", "--over", "airspeed=0..12");
    expect(rows.length).toBe(21);
    for (const r of rows) expect(r.load_factor).toBeGreaterThan(0.9);
    expect(rows[20].pitch).toBeLessThan(rows[0].pitch);
  });
  it("the envelope of the parafoil agrees with its polar on the diagonal", () => {
    const { cells, named } = json("envelope", "parafoil", "--steps", "11");
    const polar = json("polar", "parafoil");
    for (const row of polar) {
      const cell = cells.find(
        (c: Record<string, number>) => c.brake_left === row.brake && c.brake_right === row.brake,
      );
      if (cell) expect(cell.sink).toBeCloseTo(row.sink, 8);
    }
    expect(named.find((n: { name: string }) => n.name === "best glide").value).toBeCloseTo(4.926, 3);
  });
  it("an aeroplane's best glide is where the tangent from the origin touches its speed polar", () => {
    const { glide, performance } = json("polar", "advanced-plane");
    const best = performance.best_glide.glide;
    for (const row of glide) expect(row.horizontal_speed / row.sink).toBeLessThanOrEqual(best + 1e-9);
    expect(performance.minimum_sink.sink).toBeLessThanOrEqual(performance.best_glide.sink);
  });
});

describe("check", () => {
  it("names what is wrong with a vehicle of one's own, and exits with 1", () => {
    const preset = readFileSync(
      new URL("../../src/vehicles/aircraft/presets/advanced-plane.yaml", import.meta.url),
      "utf8",
    );
    const file = writeFile(
      preset.replace("Cemq: -12.140140", "Cemq: 12.140140").replace("servo: 4,", "servo: 3,"),
      "mine.yaml",
    );
    const { status, stdout } = sideslip(["check", file]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/WRONG +negative damping of q/);
    expect(stdout).toMatch(/WRONG +the input servo_4_cmd .* moves nothing: is it connected\?/);
  });
  it("shows what a model accepts, with the reason", () => {
    const { findings, wrong } = json("check", "parafoil");
    expect(wrong).toBe(0);
    expect(
      findings
        .filter((f: { status: string }) => f.status === "accepted")
        .map((f: { text: string }) => f.text)
        .join(),
    ).toMatch(/weathercock.*wind over ground/);
  });
});

describe("reports", () => {
  it.each([
    ["trim", "advanced-plane"],
    ["linearize", "formula-student"],
    ["modes", "x500"],
    ["polar", "parafoil"],
    ["turn", "parafoil"],
    ["envelope", "parafoil"],
    ["explain", "parafoil"],
    ["check", "iris"],
  ])("%s %s: one page that needs nothing else", (command, vehicle) => {
    const at = folder();
    expect(sideslip([command, vehicle, "--report", "r.html"], at).status).toBe(0);
    const page = readFileSync(join(at, "r.html"), "utf8");
    expect(page).toContain(`sideslip ${command} ${vehicle} --report r.html`);
    expect(page).toContain(`Parameters of ${vehicle}`);
    expect(page).toContain("<svg");
    expect(page).not.toMatch(/<script|src=|href=|NaN|undefined|Infinity<\/td><td>1</);
    // No address but the names of XML's own standards.
    expect(page.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:/);
  });
});
