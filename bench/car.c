/*
 * The reference of the car's bench: the four-wheel model of docs/car.md with an implicit integrator of the shape in which
 * acados is shipped with brains2: Radau IIA of four stages, ten steps of 1 ms in a control step of 10 ms, three full Newton
 * iterations each, exact Jacobians of all stages in every iteration (forward derivatives), one dense 44 x 44 LU.
 * Usage: car <control steps> <steps in 10 ms> <Newton iterations>; prints time per control step, LU speed and the end state.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N 11
#define S 4
#define M (N * S)
#define D 8 /* v_x v_y omega delta tau x 4: nothing else enters nonlinearly but phi, whose part is written out */

typedef struct {
  double v, d[D];
} dual;

static const double m = 230, I_z = 200, l_F = .7853, l_R = .7853, W = 1.24, z_CG = .295, C_m0 = 4.95, C_r0 = 350, C_r1 = 20,
                    C_r2 = 3, C_down = 3.96864, Ba = 14.550048996411983, Ca = 1.57, Da = 1.655492775, Ea = .546472,
                    t_tau = 1e-3, t_delta = .02, g = 9.81;

static inline dual con(double v) {
  dual r = {v, {0}};
  return r;
}
static inline dual lin(double v, const dual *a, double da) {
  dual r;
  r.v = v;
  for (int i = 0; i < D; i++) r.d[i] = da * a->d[i];
  return r;
}
static inline dual add(dual a, dual b) {
  a.v += b.v;
  for (int i = 0; i < D; i++) a.d[i] += b.d[i];
  return a;
}
static inline dual sub(dual a, dual b) {
  a.v -= b.v;
  for (int i = 0; i < D; i++) a.d[i] -= b.d[i];
  return a;
}
static inline dual mul(dual a, dual b) {
  dual r;
  r.v = a.v * b.v;
  for (int i = 0; i < D; i++) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
  return r;
}
static inline dual divide(dual a, dual b) {
  dual r;
  r.v = a.v / b.v;
  for (int i = 0; i < D; i++) r.d[i] = (a.d[i] - r.v * b.d[i]) / b.v;
  return r;
}
static inline dual times(double s, dual a) {
  a.v *= s;
  for (int i = 0; i < D; i++) a.d[i] *= s;
  return a;
}
static inline dual dsin(dual a) { return lin(sin(a.v), &a, cos(a.v)); }
static inline dual dcos(dual a) { return lin(cos(a.v), &a, -sin(a.v)); }
static inline dual datan(dual a) { return lin(atan(a.v), &a, 1 / (1 + a.v * a.v)); }
static inline dual dtanh(dual a) {
  double t = tanh(a.v);
  return lin(t, &a, 1 - t * t);
}
static inline dual dabs(dual a) { return a.v < 0 ? times(-1, a) : a; }

static dual magic(dual alpha) {
  dual b = times(Ba, alpha);
  return times(Da, dsin(times(Ca, datan(sub(b, times(Ea, sub(b, datan(b))))))));
}

/* f and the dense row-major Jacobian of it by x */
static void model(const double *x, const double *u, double *f, double *J) {
  dual q[D];
  for (int i = 0; i < D; i++) {
    q[i] = con(x[3 + i]);
    q[i].d[i] = 1;
  }
  dual vx = q[0], vy = q[1], om = q[2], de = q[3];
  dual cd = dcos(de), sd = dsin(de);
  dual frontSide = add(vy, times(l_F, om)), rearSide = sub(vy, times(l_R, om));
  dual mu[4];
  for (int i = 0; i < 4; i++) {
    dual along = add(vx, times((i % 2 ? .5 : -.5) * W, om));
    dual xw = i < 2 ? add(mul(along, cd), mul(frontSide, sd)) : along;
    dual yw = i < 2 ? sub(mul(frontSide, cd), mul(along, sd)) : rearSide;
    mu[i] = magic(times(-1, datan(divide(yw, dabs(xw)))));
  }
  const double L = l_F + l_R, kx = m * z_CG / L, ky = m * z_CG / W;
  dual load = add(con(m * g), times(.5 * C_down, mul(vx, vx)));
  dual NF = times(l_R / L, load), NR = times(l_F / L, load);
  dual sF = times(.5, add(mu[0], mu[1])), dF = times(.5, sub(mu[1], mu[0]));
  dual sR = times(.5, add(mu[2], mu[3])), dR = times(.5, sub(mu[3], mu[2]));
  dual drag = times(-1, mul(add(con(C_r0), add(times(C_r1, vx), times(C_r2, mul(vx, vx)))), dtanh(times(10, vx))));
  dual XF = times(C_m0, add(q[4], q[5])), XR = times(C_m0, add(q[6], q[7]));
  dual a11 = sub(con(m), times(kx, mul(sd, sF))), a12 = times(ky, mul(sd, dF));
  dual a21 = times(kx, sub(mul(cd, sF), sR)), a22 = sub(con(m), times(ky, add(mul(cd, dF), dR)));
  dual b1 = sub(add(add(mul(XF, cd), XR), drag), mul(sd, mul(sF, NF)));
  dual b2 = add(add(mul(XF, sd), mul(cd, mul(sF, NF))), mul(sR, NR));
  dual det = sub(mul(a11, a22), mul(a12, a21));
  dual ax = divide(sub(mul(b1, a22), mul(a12, b2)), det), ay = divide(sub(mul(a11, b2), mul(b1, a21)), det);
  dual AF = sub(NF, times(kx, ax)), AR = add(NR, times(kx, ax)), T = times(ky, ay);
  dual F[4] = {mul(mu[0], times(.5, sub(AF, T))), mul(mu[1], times(.5, add(AF, T))), mul(mu[2], times(.5, sub(AR, T))),
               mul(mu[3], times(.5, add(AR, T)))};
  dual yaw = add(times(.5 * W * C_m0, add(mul(sub(q[5], q[4]), cd), sub(q[7], q[6]))),
                 times(-.5 * W, mul(sub(F[1], F[0]), sd)));
  yaw = add(yaw, times(l_F, add(mul(XF, sd), mul(add(F[0], F[1]), cd))));
  yaw = sub(yaw, times(l_R, add(F[2], F[3])));
  dual d3 = add(ax, mul(vy, om)), d4 = sub(ay, mul(vx, om)), d5 = times(1 / I_z, yaw);
  double c = cos(x[2]), s = sin(x[2]);
  f[0] = x[3] * c - x[4] * s;
  f[1] = x[3] * s + x[4] * c;
  f[2] = x[5];
  f[3] = d3.v;
  f[4] = d4.v;
  f[5] = d5.v;
  f[6] = (u[0] - x[6]) / t_delta;
  for (int i = 0; i < 4; i++) f[7 + i] = (u[1 + i] - x[7 + i]) / t_tau;
  memset(J, 0, sizeof(double) * N * N);
  J[2] = -f[1];
  J[3] = c;
  J[4] = -s;
  J[N + 2] = f[0];
  J[N + 3] = s;
  J[N + 4] = c;
  J[2 * N + 5] = 1;
  for (int i = 0; i < D; i++) {
    J[3 * N + 3 + i] = d3.d[i];
    J[4 * N + 3 + i] = d4.d[i];
    J[5 * N + 3 + i] = d5.d[i];
  }
  J[6 * N + 6] = -1 / t_delta;
  for (int i = 7; i < N; i++) J[i * N + i] = -1 / t_tau;
}

static double A[S][S];

/* Tableau by collocation: nodes are the roots of d^3/dx^3 (x^3 (x - 1)^4) in (0, 1] */
static void tableau(void) {
  double c[S] = {0.08858795951270394739554614377, 0.40946686444073471086492625206882, 0.78765946176084705602524188987600, 1};
  double V[S][S], B[S][S];
  for (int i = 0; i < S; i++)
    for (int j = 0; j < S; j++) {
      V[i][j] = pow(c[i], j);
      B[i][j] = pow(c[i], j + 1) / (j + 1);
    }
  /* A = B V^-1, row by row: A V = B */
  for (int r = 0; r < S; r++) {
    double t[S][S + 1];
    for (int i = 0; i < S; i++) {
      for (int j = 0; j < S; j++) t[i][j] = V[j][i];
      t[i][S] = B[r][i];
    }
    for (int k = 0; k < S; k++) {
      int p = k;
      for (int i = k + 1; i < S; i++)
        if (fabs(t[i][k]) > fabs(t[p][k])) p = i;
      for (int j = 0; j <= S; j++) {
        double w = t[k][j];
        t[k][j] = t[p][j];
        t[p][j] = w;
      }
      for (int i = k + 1; i < S; i++) {
        double l = t[i][k] / t[k][k];
        for (int j = k; j <= S; j++) t[i][j] -= l * t[k][j];
      }
    }
    for (int i = S - 1; i >= 0; i--) {
      double sum = t[i][S];
      for (int j = i + 1; j < S; j++) sum -= t[i][j] * A[r][j];
      A[r][i] = sum / t[i][i];
    }
  }
}

/* Rows are padded to whole vectors: the inner loop is one stream of multiply-adds. */
#define P 48
static int lu(double a[M][P], int *pivot) {
  for (int k = 0; k < M; k++) {
    int p = k;
    for (int i = k + 1; i < M; i++)
      if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    pivot[k] = p;
    if (a[p][k] == 0) return 0;
    if (p != k)
      for (int j = 0; j < M; j++) {
        double w = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = w;
      }
    double inverse = 1 / a[k][k];
    for (int i = k + 1; i < M; i++) {
      double l = a[i][k] * inverse;
      a[i][k] = l;
      double *restrict to = a[i];
      const double *restrict from = a[k];
      for (int j = k + 1; j < M; j++) to[j] -= l * from[j];
    }
  }
  return 1;
}
static void back(double a[M][P], const int *pivot, double *b) {
  for (int k = 0; k < M; k++) {
    double w = b[k];
    b[k] = b[pivot[k]];
    b[pivot[k]] = w;
  }
  for (int i = 1; i < M; i++)
    for (int j = 0; j < i; j++) b[i] -= a[i][j] * b[j];
  for (int i = M - 1; i >= 0; i--) {
    for (int j = i + 1; j < M; j++) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

static void step(double *x, const double *u, double h, int iterations) {
  static double K[M], r[M], a[M][P], J[S][N * N], f[S][N], y[N];
  int pivot[M];
  memset(K, 0, sizeof K);
  for (int it = 0; it < iterations; it++) {
    for (int s = 0; s < S; s++) {
      for (int i = 0; i < N; i++) {
        y[i] = x[i];
        for (int j = 0; j < S; j++) y[i] += h * A[s][j] * K[j * N + i];
      }
      model(y, u, f[s], J[s]);
      for (int i = 0; i < N; i++) r[s * N + i] = f[s][i] - K[s * N + i];
    }
    for (int s = 0; s < S; s++)
      for (int i = 0; i < N; i++)
        for (int t = 0; t < S; t++)
          for (int j = 0; j < N; j++)
            a[s * N + i][t * N + j] = (s == t && i == j) - h * A[s][t] * J[s][i * N + j];
    lu(a, pivot);
    back(a, pivot, r);
    for (int i = 0; i < M; i++) K[i] += r[i];
  }
  for (int i = 0; i < N; i++)
    for (int s = 0; s < S; s++) x[i] += h * A[S - 1][s] * K[s * N + i];
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static double wave(double s) { return 4 * fabs(s - floor(s + .5)) - 1; }

int main(int argc, char **argv) {
  int controls = atoi(argv[1]), inner = atoi(argv[2]), iterations = atoi(argv[3]);
  if (argc < 4 || controls < 1) return 1;
  tableau();
  double x[N] = {0}, u[5];
  double begun = now();
  for (int k = 0; k < controls; k++) {
    /* Two seconds at a time from the same start. */
    if (k % 200 == 0) {
      memset(x, 0, sizeof x);
      x[3] = 8;
    }
    int l = k % 200;
    u[0] = .08 * wave(l / 100.);
    for (int i = 1; i < 5; i++) u[i] = 40 + 60 * wave(l / 37.);
    for (int i = 0; i < inner; i++) step(x, u, .01 / inner, iterations);
  }
  double spent = now() - begun;
  static double a[M][P], b[M][P];
  int pivot[M];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) b[i][j] = (i == j ? 8 : 0) + sin(i * 7 + j * 3);
  int rounds = 4000;
  double t = now();
  for (int i = 0; i < rounds; i++) {
    memcpy(a, b, sizeof a);
    lu(a, pivot);
  }
  double flops = rounds * 2. / 3 * M * M * M / (now() - t);
  printf("{\"microseconds\": %.6f, \"gigaflops\": %.3f, \"end\": [", spent / controls * 1e6, flops * 1e-9);
  for (int i = 0; i < N; i++) printf("%s%.17g", i ? ", " : "", x[i]);
  printf("]}\n");
  return 0;
}
