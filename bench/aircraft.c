/* The aircraft of src/vehicles/aircraft in free flight with RK4, written plainly in C as the yardstick of bench/run.mjs: rigid body
   with full inertia tensor, rotors with lag, lifting surfaces (AdvancedLiftDrag, stall blending, controls), servos, body drag,
   ground far below, elastic displacements of the contacts. Flown as the iris or as the advanced-plane.
   Usage: aircraft <steps> iris|plane [contacts]; prints steps per second of CPU time and a state for comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, MOST_STATES = 13 + 4 * MOST };
typedef struct { double x, y, z; } V3;
typedef struct { int law, reversible; V3 position, axis; double direction, motorConstant, momentConstant, drag, rolling, maxAirspeed, installation, inertia, maxSpeed, up, down; } Rotor;
typedef struct { int servo; double direction, CD, CY, CL, Cell, Cem, Cen; } Control;
typedef struct {
  V3 position; double R[9], area, span, chord, CD0, CL0, Cem0, alphaStall, M, CDfp, induced, CemaStall;
  double CLa, CLb, CYa, CYb, Cella, Cellb, Cema, Cemb, Cena, Cenb;
  double CDp, CDq, CDr, CYp, CYq, CYr, CLp, CLq, CLr, Cellp, Cellq, Cellr, Cemp, Cemq, Cemr, Cenp, Cenq, Cenr;
  int count; Control controls[MOST];
} Surface;
typedef struct { double min, max, tau, rate; } Servo;
typedef struct {
  int N, W, S, C, states;
  double m, g, rho, Ixx, Iyy, Izz, Ixy, Ixz, Iyz, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz, reach;
  V3 drag1, drag2, CdA;
  Rotor rotors[MOST]; Surface surfaces[MOST]; Servo servos[MOST];
} Parameters;

static void lift_drag(const Surface *s, const double *flow, const double *angles, double *out) {
  double u = flow[0], v = flow[1], w = flow[2], V = sqrt(u * u + w * w), sa = V > 0 ? w / V : 0, ca = V > 0 ? u / V : 1;
  double alpha = atan2(w, u), beta = atan2(v, u);
  double above = exp(s->M * (alpha - s->alphaStall)), below = exp(-s->M * (alpha + s->alphaStall));
  double attached = 1 / ((1 + above) * (1 + below)), sigma = (above + below + above * below) * attached;
  double cD = 0, cY = 0, cL = 0, cl = 0, cm = 0, cn = 0;
  for (int k = 0; k < s->count; k++) {
    const Control *c = &s->controls[k];
    double d = angles[c->servo] * c->direction * 57.295779513082323;
    cD += d * c->CD, cY += d * c->CY, cL += d * c->CL, cl += d * c->Cell, cm += d * c->Cem, cn += d * c->Cen;
  }
  double sign = alpha > 0 ? 1 : alpha < 0 ? -1 : 0;
  double CL = attached * (s->CL0 + s->CLa * alpha) + sigma * 2 * sign * sa * sa * ca + s->CLb * beta + cL;
  double CD = attached * (s->CD0 + CL * CL * s->induced) + sigma * s->CDfp * sa * sa + cD;
  double CY = s->CYa * alpha + s->CYb * beta + cY, Cl = s->Cella * alpha + s->Cellb * beta + cl, Cn = s->Cena * alpha + s->Cenb * beta + cn;
  double inside = alpha > s->alphaStall ? s->alphaStall : alpha < -s->alphaStall ? -s->alphaStall : alpha;
  double Cm = s->Cem0 + s->Cema * inside + s->CemaStall * (alpha - inside) + s->Cemb * beta + cm;
  double quarter = 0.25 * flow[6] * V * s->area, still = 2 * quarter * V, pb = flow[3] * s->span, qc = flow[4] * s->chord, rb = flow[5] * s->span;
  double L = still * CL + quarter * (s->CLp * pb + s->CLq * qc + s->CLr * rb), D = still * CD + quarter * (s->CDp * pb + s->CDq * qc + s->CDr * rb);
  out[0] = L * sa - D * ca;
  out[1] = still * CY + quarter * (s->CYp * pb + s->CYq * qc + s->CYr * rb);
  out[2] = -L * ca - D * sa;
  out[3] = s->span * (still * Cl + quarter * (s->Cellp * pb + s->Cellq * qc + s->Cellr * rb));
  out[4] = s->chord * (still * Cm + quarter * (s->Cemp * pb + s->Cemq * qc + s->Cemr * rb));
  out[5] = s->span * (still * Cn + quarter * (s->Cenp * pb + s->Cenq * qc + s->Cenr * rb));
}

static void derivative(const double *x, const double *u, const Parameters *p, const double *e, double *dx) {
  double n = sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
  double w = x[6] / n, i = x[7] / n, j = x[8] / n, k = x[9] / n, P = x[10], Q = x[11], R = x[12];
  double r11 = 1 - 2 * (j * j + k * k), r12 = 2 * (i * j - w * k), r13 = 2 * (i * k + w * j);
  double r21 = 2 * (i * j + w * k), r22 = 1 - 2 * (i * i + k * k), r23 = 2 * (j * k - w * i);
  double r31 = 2 * (i * k - w * j), r32 = 2 * (j * k + w * i), r33 = 1 - 2 * (i * i + j * j);
  double an = x[3] - e[0], ae = x[4] - e[1], ad = x[5] - e[2], thin = e[3];
  double ub = r11 * an + r21 * ae + r31 * ad, vb = r12 * an + r22 * ae + r32 * ad, wb = r13 * an + r23 * ae + r33 * ad;
  int near = (e[7] != 0 || e[8] != 0 || e[9] != 0) && (x[0] - e[4]) * e[7] + (x[1] - e[5]) * e[8] + (x[2] - e[6]) * e[9] <= p->reach;
  if (near) abort(); /* this flight stays high */
  double fx = 0, fy = 0, fz = 0, mx = 0, my = 0, mz = 0, hx = 0, hy = 0, hz = 0;
  const int N = p->N, S = p->S;
  for (int q = 0; q < N; q++) {
    const Rotor *r = &p->rotors[q];
    double omega = r->up == 0 ? (u[q] < r->maxSpeed ? u[q] : r->maxSpeed) : x[13 + q], speed = fabs(omega), health = u[N + q];
    V3 o = r->position, a = r->axis;
    double vx = ub + Q * o.z - R * o.y, vy = vb + R * o.x - P * o.z, vz = wb + P * o.y - Q * o.x;
    double along = vx * a.x + vy * a.y + vz * a.z, cx = vx - along * a.x, cy = vy - along * a.y, cz = vz - along * a.z;
    double raw = thin * r->motorConstant * omega * speed, T0 = r->law == 0 && !r->reversible ? fabs(raw) : raw;
    double s = 1 - fabs(along) / r->maxAirspeed, T = r->law == 0 ? (s > 0 ? s * T0 : 0) : T0, torque = T0 * r->momentConstant * health;
    T *= health * r->installation;
    double H = health * thin * speed * r->drag, roll = -health * thin * speed * (r->law == 0 ? r->direction : 1) * r->rolling;
    double couple = -r->direction * torque * r->installation;
    double Fx = T * a.x - H * cx, Fy = T * a.y - H * cy, Fz = T * a.z - H * cz;
    double target = u[q] < r->maxSpeed ? u[q] : r->maxSpeed, tau = target > omega ? r->up : r->down;
    double spin = tau > 0 ? (target - omega) / tau : 0;
    dx[13 + q] = spin;
    double reaction = couple - r->direction * r->inertia * spin, h = r->direction * r->inertia * omega;
    hx += h * a.x, hy += h * a.y, hz += h * a.z;
    fx += Fx, fy += Fy, fz += Fz;
    mx += o.y * Fz - o.z * Fy + reaction * a.x + roll * cx;
    my += o.z * Fx - o.x * Fz + reaction * a.y + roll * cy;
    mz += o.x * Fy - o.y * Fx + reaction * a.z + roll * cz;
  }
  double angles[MOST], flow[7], out[6];
  for (int q = 0; q < S; q++) {
    const Servo *s = &p->servos[q];
    double c = u[2 * N + q], limited = c > s->max ? s->max : c < s->min ? s->min : c, angle = x[13 + N + q];
    double rate = s->tau > 0 ? (limited - angle) / s->tau : 0;
    dx[13 + N + q] = rate > s->rate ? s->rate : rate < -s->rate ? -s->rate : rate;
    angles[q] = s->tau > 0 ? angle : limited;
  }
  for (int q = 0; q < p->W; q++) {
    const Surface *s = &p->surfaces[q];
    const double *A = s->R;
    V3 o = s->position;
    double vx = ub + Q * o.z - R * o.y, vy = vb + R * o.x - P * o.z, vz = wb + P * o.y - Q * o.x;
    for (int c = 0; c < 3; c++) {
      flow[c] = A[3 * c] * vx + A[3 * c + 1] * vy + A[3 * c + 2] * vz;
      flow[3 + c] = A[3 * c] * P + A[3 * c + 1] * Q + A[3 * c + 2] * R;
    }
    flow[6] = p->rho * thin;
    lift_drag(s, flow, angles, out);
    double Fx = A[0] * out[0] + A[3] * out[1] + A[6] * out[2], Fy = A[1] * out[0] + A[4] * out[1] + A[7] * out[2], Fz = A[2] * out[0] + A[5] * out[1] + A[8] * out[2];
    fx += Fx, fy += Fy, fz += Fz;
    mx += A[0] * out[3] + A[3] * out[4] + A[6] * out[5] + o.y * Fz - o.z * Fy;
    my += A[1] * out[3] + A[4] * out[4] + A[7] * out[5] + o.z * Fx - o.x * Fz;
    mz += A[2] * out[3] + A[5] * out[4] + A[8] * out[5] + o.x * Fy - o.y * Fx;
  }
  double area = 0.5 * p->rho * sqrt(ub * ub + vb * vb + wb * wb);
  fx -= thin * ub * (p->drag1.x + p->drag2.x * fabs(ub) + p->CdA.x * area);
  fy -= thin * vb * (p->drag1.y + p->drag2.y * fabs(vb) + p->CdA.y * area);
  fz -= thin * wb * (p->drag1.z + p->drag2.z * fabs(wb) + p->CdA.z * area);
  for (int q = 13 + N + S; q < p->states; q++) dx[q] = -x[q] * 20;
  dx[0] = x[3], dx[1] = x[4], dx[2] = x[5];
  dx[3] = (r11 * fx + r12 * fy + r13 * fz) / p->m;
  dx[4] = (r21 * fx + r22 * fy + r23 * fz) / p->m;
  dx[5] = (r31 * fx + r32 * fy + r33 * fz) / p->m + p->g;
  dx[6] = -0.5 * (i * P + j * Q + k * R);
  dx[7] = 0.5 * (w * P + j * R - k * Q);
  dx[8] = 0.5 * (w * Q + k * P - i * R);
  dx[9] = 0.5 * (w * R + i * Q - j * P);
  double lx = p->Ixx * P + p->Ixy * Q + p->Ixz * R + hx, ly = p->Ixy * P + p->Iyy * Q + p->Iyz * R + hy;
  double lz = p->Ixz * P + p->Iyz * Q + p->Izz * R + hz;
  double gx = mx - (Q * lz - R * ly), gy = my - (R * lx - P * lz), gz = mz - (P * ly - Q * lx);
  dx[10] = p->Jxx * gx + p->Jxy * gy + p->Jxz * gz;
  dx[11] = p->Jxy * gx + p->Jyy * gy + p->Jyz * gz;
  dx[12] = p->Jxz * gx + p->Jyz * gy + p->Jzz * gz;
}

static void rk4(double *x, const double *u, const Parameters *p, const double *e, double h) {
  double k1[MOST_STATES], k2[MOST_STATES], k3[MOST_STATES], k4[MOST_STATES], s[MOST_STATES];
  const int states = p->states;
  derivative(x, u, p, e, k1);
  for (int i = 0; i < states; i++) s[i] = x[i] + 0.5 * h * k1[i];
  derivative(s, u, p, e, k2);
  for (int i = 0; i < states; i++) s[i] = x[i] + 0.5 * h * k2[i];
  derivative(s, u, p, e, k3);
  for (int i = 0; i < states; i++) s[i] = x[i] + h * k3[i];
  derivative(s, u, p, e, k4);
  for (int i = 0; i < states; i++) x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  double n = sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
  for (int i = 6; i < 10; i++) x[i] /= n;
  for (int c = 0; c < p->C; c++) {
    double *s = x + 13 + p->N + p->S + 2 * c, r = sqrt(s[0] * s[0] + s[1] * s[1]) / 2e-3;
    if (r > 1) s[0] /= r, s[1] /= r;
    else if (r < 1e-9) s[0] = s[1] = 0;
  }
}

static Parameters iris(int contacts) {
  Parameters p = {.N = 4, .C = contacts, .states = 17 + 2 * contacts, .m = 1.535, .g = 9.81, .rho = 1.225, .Ixx = 0.029125, .Iyy = 0.029125, .Izz = 0.055225, .reach = 0.9};
  double at[4][2] = {{0.13, 0.22}, {-0.13, -0.2}, {0.13, -0.22}, {-0.13, 0.2}}, turn[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; i++)
    p.rotors[i] = (Rotor){0, 0, {at[i][0], at[i][1], -0.023}, {0, 0, -1}, turn[i], 5.84e-6, 0.06, 1.75e-4, 1e-6, 25, 1, 0, 1100, 0.0125, 0.025};
  return p;
}

static Parameters plane(void) {
  Parameters p = {.N = 1, .W = 1, .S = 4, .states = 18, .m = 1, .g = 9.81, .rho = 1.2041, .Ixx = 0.197563, .Iyy = 0.1458929, .Izz = 0.1477, .reach = 1};
  p.rotors[0] = (Rotor){0, 0, {0.22, 0, 0}, {1, 0, 0}, -1, 8.54858e-6, 0.01, 8.06428e-5, 1e-6, 25, 1, 0, 3500, 0.0125, 0.025};
  Surface s = {.position = {-0.12, 0, 0}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .area = 0.34, .chord = 0.22, .CD0 = 0.029, .CL0 = 0.15188, .Cem0 = 0.075,
    .alphaStall = 0.3391428111, .M = 15, .CLa = 5.015, .CYb = -0.258244, .Cellb = -0.03925, .Cema = -0.463966, .Cenb = 0.100826, .CDq = 0.055166,
    .CYp = 0.065861, .CYr = 0.230299, .CLq = 7.971792, .Cellp = -0.487407, .Cellr = 0.078165, .Cemq = -12.14014, .Cenp = -0.040416, .Cenr = -0.089947, .count = 4};
  s.span = sqrt(0.34 * 6.5), s.CDfp = 2 / (1 + exp(-0.224 - 0.115 * 6.5)), s.induced = 1 / (M_PI * 6.5 * 0.97);
  s.controls[0] = (Control){0, 1, -0.000059, 0.000171, -0.01194, -0.003331, 0.001498, -0.000057};
  s.controls[1] = (Control){1, 1, -0.000059, -0.000171, -0.01194, 0.003331, 0.001498, 0.000057};
  s.controls[2] = (Control){2, -1, 0.000274, 0, 0.010696, 0, -0.025798, 0};
  s.controls[3] = (Control){3, 1, 0, -0.003913, 0, -0.000257, 0, 0.001613};
  p.surfaces[0] = s;
  for (int i = 0; i < 4; i++) p.servos[i] = (Servo){-0.78, 0.78, 0.05, 5};
  return p;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  long steps = atol(argv[1]);
  int flies = strcmp(argv[2], "plane") == 0;
  Parameters p = flies ? plane() : iris(argc > 3 ? atoi(argv[3]) : 0);
  p.Jxx = 1 / p.Ixx, p.Jyy = 1 / p.Iyy, p.Jzz = 1 / p.Izz;
  double hover[MOST_STATES] = {0, 0, -1000, 1, 2, 0, 1, 0, 0, 0, 0.1, -0.2, 0.3, 780, 790, 800, 810};
  double cruise[MOST_STATES] = {0, 0, -1000, 15, 1, 0.5, 1, 0, 0, 0, 0.1, -0.1, 0.1, 600}, x[MOST_STATES];
  double rotors[8] = {800, 801, 802, 803, 1, 1, 1, 1}, sticks[6] = {640, 1, 0.02, -0.01, 0.03, 0.01};
  const double *start = flies ? cruise : hover, *u = flies ? sticks : rotors;
  double e[48] = {2, 1, 0.1, 1, 0, 0, 0, 0, 0, -1};
  memcpy(x, start, sizeof x);
  clock_t begun = clock();
  for (long i = 0; i < steps; i++) {
    if (i % 500 == 0) memcpy(x, start, sizeof x);
    rk4(x, u, &p, e, 0.005);
  }
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  printf("{\"stepsPerSecond\": %.6g, \"north\": %.17g, \"east\": %.17g}\n", steps / seconds, x[0], x[1]);
  return 0;
}
