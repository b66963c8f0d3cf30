/* The parafoil of src/vehicles/parafoil, RK4, written plainly in C as the yardstick of bench/run.mjs.
   Usage: parafoil <steps>; prints steps per second of CPU time and a state for comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  double rho, g, m, Ix, Iy, Iz, m_payload, line_length, S, b, c, S_pd, c_D_pd;
  double c_L0, c_La, c_Lds, c_D0, c_Da2, c_Dds, alpha_stall, alpha_stall_brake, alpha_stall_width, c_D_stall, c_Yb;
  double c_lp, c_lda, c_lb, c_m0, c_ma, c_mq, c_mds, c_nr, c_nda, c_nb, c_n_weath, tau_act, eps, V_min, arms;
  double rc[3], rp[3];
} Parameters;

static double unit_clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static void derivative(const double *x, const double *u, const Parameters *p, const double *e, double *dx) {
  double n = 1 / sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
  double w = x[6] * n, i = x[7] * n, j = x[8] * n, k = x[9] * n;
  double P = x[10], Q = x[11], R = x[12];
  double left = unit_clamp(x[13]), right = unit_clamp(x[14]), ds = 0.5 * (left + right), da = left - right;
  double rho = p->rho * e[3];
  double r11 = 1 - 2 * (j * j + k * k), r12 = 2 * (i * j - w * k), r13 = 2 * (i * k + w * j);
  double r21 = 2 * (i * j + w * k), r22 = 1 - 2 * (i * i + k * k), r23 = 2 * (j * k - w * i);
  double r31 = 2 * (i * k - w * j), r32 = 2 * (j * k + w * i), r33 = 1 - 2 * (i * i + j * j);
  double an = x[3] - e[0], ae = x[4] - e[1], ad = x[5] - e[2];
  double ub = r11 * an + r21 * ae + r31 * ad, vb = r12 * an + r22 * ae + r32 * ad, wb = r13 * an + r23 * ae + r33 * ad;
  double V = sqrt(ub * ub + vb * vb + wb * wb), Vs = V > p->V_min ? V : p->V_min;
  double ua = fabs(ub) > p->eps ? fabs(ub) : p->eps, us = ub < 0 ? -ua : ua;
  double alpha = atan2(wb, us), sb = vb / (V > p->eps ? V : p->eps);
  double beta = asin(sb > 1 ? 1 : sb < -1 ? -1 : sb);
  double Vp = 1 / sqrt(us * us + wb * wb), ca = us * Vp, sa = wb * Vp, qbar = 0.5 * rho * Vs * Vs;
  double stall = (alpha - (p->alpha_stall - p->alpha_stall_brake * ds)) * (1 / p->alpha_stall_width);
  double g = stall > 0 ? exp(-stall * stall) : 1;
  double CL = (p->c_L0 + p->c_La * alpha + p->c_Lds * ds) * (0.3 + 0.7 * g);
  double CD = p->c_D0 + p->c_Da2 * alpha * alpha + p->c_Dds * ds + p->c_D_stall * (1 - g);
  double L = qbar * p->S * CL, D = qbar * p->S * CD;
  double fcx = L * sa - D * ca, fcy = qbar * p->S * p->c_Yb * beta, fcz = -D * sa - L * ca;
  double kp = -0.5 * rho * p->c_D_pd * p->S_pd * V, fpx = kp * ub, fpy = kp * vb, fpz = kp * wb;
  double fx = fcx + fpx, fy = fcy + fpy, fz = fcz + fpz, per_V = 1 / Vs, h = 0.5 * per_V;
  double wy = r12 * e[0] + r22 * e[1] + r32 * e[2];
  double Cl = p->c_lp * P * p->b * h + p->c_lda * da + p->c_lb * beta;
  double Cm = p->c_m0 + p->c_ma * alpha + p->c_mq * Q * p->c * h + p->c_mds * ds;
  double Cn = p->c_nr * R * p->b * h + p->c_nda * da + p->c_nb * beta + p->c_n_weath * wy * per_V;
  double mx = qbar * p->S * p->b * Cl, my = qbar * p->S * p->c * Cm, mz = qbar * p->S * p->b * Cn;
  if (p->arms == 1) {
    mx += p->rc[1] * fcz - p->rc[2] * fcy + p->rp[1] * fpz - p->rp[2] * fpy;
    my += p->rc[2] * fcx - p->rc[0] * fcz + p->rp[2] * fpx - p->rp[0] * fpz;
    mz += p->rc[0] * fcy - p->rc[1] * fcx + p->rp[0] * fpy - p->rp[1] * fpx;
  } else {
    double kpen = p->m_payload * p->g * p->line_length;
    mx -= kpen * r32, my += kpen * r31;
  }
  dx[0] = x[3], dx[1] = x[4], dx[2] = x[5];
  double per_m = 1 / p->m;
  dx[3] = (r11 * fx + r12 * fy + r13 * fz) * per_m;
  dx[4] = (r21 * fx + r22 * fy + r23 * fz) * per_m;
  dx[5] = (r31 * fx + r32 * fy + r33 * fz) * per_m + p->g;
  dx[6] = -0.5 * (i * P + j * Q + k * R);
  dx[7] = 0.5 * (w * P + j * R - k * Q);
  dx[8] = 0.5 * (w * Q + k * P - i * R);
  dx[9] = 0.5 * (w * R + i * Q - j * P);
  dx[10] = (mx - (p->Iz - p->Iy) * Q * R) * (1 / p->Ix);
  dx[11] = (my - (p->Ix - p->Iz) * R * P) * (1 / p->Iy);
  dx[12] = (mz - (p->Iy - p->Ix) * P * Q) * (1 / p->Iz);
  double per_tau = 1 / p->tau_act;
  dx[13] = (unit_clamp(u[0]) - left) * per_tau;
  dx[14] = (unit_clamp(u[1]) - right) * per_tau;
}

static void rk4(double *x, const double *u, const Parameters *p, const double *e, double h) {
  double k1[15], k2[15], k3[15], k4[15], s[15];
  derivative(x, u, p, e, k1);
  for (int i = 0; i < 15; i++) s[i] = x[i] + 0.5 * h * k1[i];
  derivative(s, u, p, e, k2);
  for (int i = 0; i < 15; i++) s[i] = x[i] + 0.5 * h * k2[i];
  derivative(s, u, p, e, k3);
  for (int i = 0; i < 15; i++) s[i] = x[i] + h * k3[i];
  derivative(s, u, p, e, k4);
  for (int i = 0; i < 15; i++) x[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
  double n = sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
  for (int i = 6; i < 10; i++) x[i] /= n;
  x[13] = unit_clamp(x[13]), x[14] = unit_clamp(x[14]);
}

int main(int argc, char **argv) {
  long steps = argc > 1 ? atol(argv[1]) : 1000000;
  Parameters p = {1.29, 9.81, 2.45, 0.8, 0.15, 0.85, 2.0, 0.5, 1.5, 1.88, 0.8, 0.1, 1.0, 0.55, 3.8, 0.3, 0.16, 0.5, 0.75,
                  0.35, 0.02, 0.15, 0.15, -6.8, -0.84, -0.005, 0, 0.1, -0.72, -1.49, 0, -0.27, -0.133, 0.15, 0.02, 0.2,
                  1e-6, 1.0, 0, {0, 0, -0.3}, {0, 0, 0.2}};
  double x[15] = {0, 0, -1e6, 4.5, 0, 0.9, 1}, u[2] = {0, 0}, e[4] = {2, 1, 0.1, 1};
  clock_t start = clock();
  for (long i = 0; i < steps; i++) {
    if (i % 200 == 0) u[0] = (i / 200) % 3 * 0.3, u[1] = (i / 200) % 2 * 0.4;
    rk4(x, u, &p, e, 0.005);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("{\"stepsPerSecond\": %.6g, \"north\": %.17g, \"east\": %.17g}\n", steps / seconds, x[0], x[1]);
  return 0;
}
