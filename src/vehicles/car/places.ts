// Places of the car's states and inputs. Equations that run in every step have constants of their own, which cost no load.
// biome-ignore format: a table
export const X = 0, Y = 1, PHI = 2, V_X = 3, V_Y = 4, OMEGA = 5, DELTA = 6,
  TAU_FL = 7, TAU_FR = 8, TAU_RL = 9, TAU_RR = 10, MODE = 11;
// biome-ignore format: a table
export const U_DELTA = 0, U_TAU_FL = 1, U_TAU_FR = 2, U_TAU_RL = 3, U_TAU_RR = 4;
