import type { Witness } from "../../model/facts.ts";

/** Two feet, two electric motors on a battery, and the ground below. */
const GROUNDED = {
  model: "aircraft",
  parameters: {
    m: 1.9,
    rho: 1.2,
    I: { xx: 0.031, yy: 0.027, zz: 0.049, xy: 0.0011, xz: -0.0013, yz: 0.0007 },
    boundary: { law: "normal", exponent: 2.1 },
    rotors: [
      {
        position: [0.21, 0.18, -0.06],
        axis: [0.07, -0.05, -1],
        direction: "ccw",
        motorConstant: 1.3e-5,
        momentConstant: 0.017,
        maxRelativeAirspeed: 60,
        radius: 0.17,
        inertia: 3.9e-5,
        motor: { R: 0.13, K: 0.0117, D: 2.3e-6 },
      },
      {
        position: [-0.19, -0.2, -0.05],
        axis: [-0.04, 0.06, -1],
        direction: "cw",
        motorConstant: 1.2e-5,
        momentConstant: 0.016,
        maxRelativeAirspeed: 55,
        radius: 0.16,
        inertia: 3.1e-5,
        motor: { R: 0.12, K: 0.0109, D: 1.9e-6 },
      },
    ],
    contacts: [
      {
        position: [0.17, 0.12, 0.09],
        radius: 0.03,
        softness: 0.03,
        restitution: 0.4,
        friction: 0.7,
        rolling: 0.2,
      },
      {
        position: [-0.15, -0.14, 0.08],
        radius: 0.04,
        softness: 0.035,
        restitution: 0.3,
        friction: 0.9,
        rolling: 0.6,
      },
    ],
    battery: { capacity: 9000, resistance: 0.021, used: [0, 0.6, 0.9, 1], voltage: [15.2, 13.9, 12.7, 9.8] },
  },
};

export const ON_THE_GROUND: readonly Witness[] = [
  {
    source:
      "transcription with vector algebra (numpy): on the ground, electric, ground effect; both feet touch",
    vehicle: GROUNDED,
    state: [
      0.4, -0.7, -0.085, 0.05, -0.03, 0.11, 0.9527392341909257, 0.06281031549189275, -0.017143932032473143,
      0.29673035149031074, 0.21, -0.17, 0.13, 510, 560, 0.0004, -0.0003, 0.0002, 0.0005, 6100,
    ],
    inputs: [0.61, 0.67, 0.9, 1],
    derivative: [
      0.05, -0.03, 0.11, -4.734119414551249, 4.97630616957316, -33.014458564721785, -0.027339790196279155,
      0.12414534388461285, -0.053908818506719094, 0.058389286269008966, -249.10734169121136,
      350.2028562479155, -16.330882041252107, 3284.558681465141, 5814.244863823068, -0.015779739570654278,
      0.06180314036932687, 0.025681865993247212, 0.09111610534418267, 24.282523569138142,
    ],
    outputs: {
      battery_voltage: 13.078955893936987,
      battery_current: 24.282523569138142,
      thrust_1: 3.0338045100713757,
      current_1: 15.470485348473547,
      force_boundary_1_z: -1.0419754622825361,
      thrust_2: 3.7601390396840455,
      current_2: 22.157503741148176,
      force_boundary_2_z: -0.8043463609012708,
      force_contact_1_x: -6.138973389133383,
      force_contact_1_y: 0.08576947910997035,
      force_contact_1_z: -65.37042776554627,
      force_contact_2_x: -1.5633173419519033,
      force_contact_2_y: 3.9544033576893933,
      force_contact_2_z: -7.956099875941614,
    },
  },
  {
    source:
      "transcription with vector algebra (numpy): on the ground, electric, ground effect; one foot slides",
    vehicle: GROUNDED,
    state: [
      0.4, -0.7, -0.11, 0.4, 0.3, -0.2, 0.7732832386561846, 0.18197901963336982, -0.014439010099919491,
      -0.6072134585251009, -0.3, 0.4, 0.2, 430, 600, 0.001, 0.0008, -0.0006, 0.0003, 8500,
    ],
    inputs: [0.5, 0.73, 1, 0.8],
    derivative: [
      0.4, 0.3, -0.2, 0.10817596374865432, 0.5779585520494831, 5.2801625068712355, 0.09090600081749947,
      0.004006304896600546, 0.2275407645466651, 0.11155827627730451, 8.71139524079402, 4.608873871319889,
      -11.696399705934391, 195.32427451490335, 2890.4110701331433, -0.1766892659111545, -0.5624495015279685,
      0.011999999999999999, -0.005999999999999999, 11.894659570284364,
    ],
    outputs: {
      battery_voltage: 11.16132326013514,
      battery_current: 11.894659570284364,
      thrust_1: 2.3850427545795223,
      current_1: 4.228166385135148,
      force_boundary_1_z: -0.5511527592881619,
      thrust_2: 3.440262545501954,
      current_2: 13.398049832488757,
      force_boundary_2_z: -0.6016405281159248,
      force_contact_1_x: 0.4522940630743816,
      force_contact_1_y: -1.8834523642116683,
      force_contact_1_z: -1.4124605767104252,
    },
  },
];
