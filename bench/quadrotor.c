/* The aircraft of src/vehicles/aircraft, any number of rotors and contacts, flown as the iris in free flight with RK4, written
   plainly in C as the yardstick of bench/run.mjs: rigid body with full inertia tensor, rotors with lag, body drag, ground far
   below, elastic displacements of the contacts.
   Usage: quadrotor <steps> [contacts]; prints steps per second of CPU time and a state for comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, MOST_STATES = 13 + 3 * MOST };
typedef struct { double x, y, z; } V3;
typedef struct {
  int law, reversible;
  V3 position, axis;
  double direction, radius, motorConstant, momentConstant, drag, rolling, maxAirspeed, installation, inertia, maxSpeed, up, down;
} Rotor;
typedef struct { V3 position; double radius; } Contact;
typedef struct {
  int N, C, states;
  double m, g, rho, Ixx, Iyy, Izz, Ixy, Ixz, Iyz, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz, reach;
  V3 drag1, drag2, CdA;
  Rotor rotors[MOST];
  Contact contacts[MOST];
} Parameters;

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
  const int N = p->N;
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
  double area = 0.5 * p->rho * sqrt(ub * ub + vb * vb + wb * wb);
  fx -= thin * ub * (p->drag1.x + p->drag2.x * fabs(ub) + p->CdA.x * area);
  fy -= thin * vb * (p->drag1.y + p->drag2.y * fabs(vb) + p->CdA.y * area);
  fz -= thin * wb * (p->drag1.z + p->drag2.z * fabs(wb) + p->CdA.z * area);
  for (int q = 13 + N; q < p->states; q++) dx[q] = -x[q] * 20;
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
    double *s = x + 13 + p->N + 2 * c, r = sqrt(s[0] * s[0] + s[1] * s[1]) / 2e-3;
    if (r > 1) s[0] /= r, s[1] /= r;
    else if (r < 1e-9) s[0] = s[1] = 0;
  }
}

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 1000000;
  const int N = 4, C = argc > 2 ? atoi(argv[2]) : 4;
  Parameters p = {N, C, 13 + N + 2 * C, 1.535, 9.81, 1.225, 0.029125, 0.029125, 0.055225, 0, 0, 0, 1 / 0.029125, 1 / 0.029125, 1 / 0.055225, 0, 0, 0, 0.9};
  double at[4][2] = {{0.13, 0.22}, {-0.13, -0.2}, {0.13, -0.22}, {-0.13, 0.2}}, turn[4] = {1, 1, -1, -1};
  for (int i = 0; i < N; i++)
    p.rotors[i] = (Rotor){0, 0, {at[i][0], at[i][1], -0.023}, {0, 0, -1}, turn[i], 0.128, 5.84e-6, 0.06, 1.75e-4, 1e-6, 25, 1, 0, 1100, 0.0125, 0.025};
  double start[MOST_STATES] = {0, 0, -1000, 1, 2, 0, 1, 0, 0, 0, 0.1, -0.2, 0.3, 780, 790, 800, 810}, x[MOST_STATES];
  double u[8] = {800, 801, 802, 803, 1, 1, 1, 1}, e[48] = {2, 1, 0.1, 1, 0, 0, 0, 0, 0, -1};
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
