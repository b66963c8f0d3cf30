// The parafoil's graph as C++ with AVX2, four vehicles an instruction: what the machine could do with the same arithmetic in the same order.
// `avx2Program(folder)` compiles it; the program takes a number of steps and prints steps per second of CPU time, like parafoil.c.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { evaluator } from "../dist/compile/evaluate.js";
import { expand } from "../dist/compile/expand.js";
import { isFork, schedule } from "../dist/compile/schedule.js";
import { trace } from "../dist/compile/trace.js";
import { preset } from "../dist/index.js";

const INFIX = { add: "+", sub: "-", mul: "*", div: "/", lt: "<", le: "<=", eq: "==", and: "&", or: "|" };
const CALLS = { sqrt: "_mm256_sqrt_pd", floor: "_mm256_floor_pd", abs: "absolute", powerOf2: "powerOf2" };

const number = (v) =>
  Number.isFinite(v) ? (Object.is(v, -0) ? "-0.0" : `${v}`.replace(/^(-?\d+)$/, "$1.0")) : "(0.0/0.0)";

/** A function on vectors that writes each root. */
function emit(name, graph, roots, parameters) {
  const compute = evaluator({ p: parameters });
  const isKnown = new Map();
  for (const n of graph.nodes)
    isKnown.set(
      n,
      n.isConstant ||
        (n.op === "input" ? n.source.array === "p" : !n.isTruth && n.args.every((a) => isKnown.get(a))),
    );
  const isLeaf = (n) => isKnown.get(n) || n.op === "input";
  const plan = schedule(graph, roots, 16, isLeaf);
  const lines = [];
  // Parameters differ from lane to lane, so they are read like everything else; constants are not.
  const known = [];
  const of = (n) => {
    if (n.isConstant) return `V_(${number(n.value)})`;
    if (n.op === "input" && n.source.array !== "p") return `${n.source.array}[${n.source.path[0]}]`;
    if (isKnown.get(n)) {
      let at = known.indexOf(n);
      if (at < 0) at = known.push(n) - 1;
      return `p[${at}]`;
    }
    return `t${n.id}`;
  };
  const region = ({ items }) => {
    for (const item of items) {
      if (!isFork(item)) {
        const [a, b, c] = item.args.map(of);
        const infix = INFIX[item.op];
        const text = infix
          ? `${a} ${infix} ${b}`
          : item.op === "select"
            ? `${a} ? ${b} : ${c}`
            : item.op === "neg"
              ? `-${a}`
              : item.op === "not"
                ? `~${a}`
                : `${CALLS[item.op]}(${a})`;
        lines.push(`${item.isTruth ? "M" : "V"} t${item.id} = ${text};`);
        continue;
      }
      const mask = of(item.condition);
      lines.push(...item.selects.map((s) => `V t${s.id} = {};`), `if (any(${mask})) {`);
      region(item.yes);
      lines.push(...item.selects.map((s) => `t${s.id} = ${of(s.args[1])};`), `} if (!all(${mask})) {`);
      region(item.no);
      lines.push(...item.selects.map((s) => `t${s.id} = ${mask} ? t${s.id} : ${of(s.args[2])};`), "}");
    }
  };
  region(plan.root);
  lines.push(...roots.map((r, i) => `V o${i} = ${of(r)};`), ...roots.map((_, i) => `out[${i}] = o${i};`));
  const values = known.map((n) => number(compute(n)));
  return `static const double ${name}_values[] = {${values.join(", ") || "0"}};
static V ${name}_p[${Math.max(1, known.length)}];
static void ${name}(const V *x, const V *u, const V *e, V *out) {
  const V *p = ${name}_p;
  ${lines.join("\n  ")}
}`;
}

export function avx2Program(folder) {
  const { model, parameters } = preset("parafoil");
  const traced = trace(model, parameters, new Float64Array(4));
  const n = model.states.length;
  const { graph, roots } = expand(traced.graph, [...traced.rates, ...traced.projected]);
  const code = `#include <immintrin.h>
#include <cstdio>
#include <cstdlib>
#include <ctime>
typedef double V __attribute__((vector_size(32)));
typedef long long M __attribute__((vector_size(32)));
static inline V V_(double v) { return V{v, v, v, v}; }
static inline bool any(M m) { return _mm256_movemask_pd((__m256d)m) != 0; }
static inline bool all(M m) { return _mm256_movemask_pd((__m256d)m) == 15; }
static inline V absolute(V v) { return (V)((M)v & 0x7fffffffffffffffLL); }
static inline V powerOf2(V k) { return (V)((__builtin_convertvector(k, M) + 1023) << 52); }
${emit("derivative", graph, roots.slice(0, n), parameters)}
${emit("project", graph, roots.slice(n), parameters)}
int main(int, char **argv) {
  const long steps = atol(argv[1]);
  const int n = ${n};
  V x[n] = {}, s[n], k[4][n], u[2] = {}, e[4] = {V_(2), V_(1), V_(0.1), V_(1)};
  for (unsigned i = 0; i < sizeof derivative_values / 8; i++) derivative_p[i] = V_(derivative_values[i]);
  for (unsigned i = 0; i < sizeof project_values / 8; i++) project_p[i] = V_(project_values[i]);
  x[2] = V_(-1e6), x[3] = V_(4.5), x[5] = V_(0.9), x[6] = V_(1);
  V h = V_(0.005), half = 0.5 * h, sixth = h / 6.0;
  clock_t start = clock();
  for (long i = 0; i < steps; i++) {
    if (i % 200 == 0) u[0] = V_((i / 200 % 3) * 0.3), u[1] = V_((i / 200 % 2) * 0.4);
    derivative(x, u, e, k[0]);
    for (int j = 0; j < n; j++) s[j] = x[j] + half * k[0][j];
    derivative(s, u, e, k[1]);
    for (int j = 0; j < n; j++) s[j] = x[j] + half * k[1][j];
    derivative(s, u, e, k[2]);
    for (int j = 0; j < n; j++) s[j] = x[j] + h * k[2][j];
    derivative(s, u, e, k[3]);
    for (int j = 0; j < n; j++) x[j] += sixth * (k[0][j] + 2.0 * (k[1][j] + k[2][j]) + k[3][j]);
    project(x, u, e, x);
  }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("{\\"stepsPerSecond\\": %.17g, \\"north\\": %.17g, \\"east\\": %.17g}\\n", 4 * steps / seconds, x[0][0], x[1][0]);
}
`;
  writeFileSync(`${folder}/avx2.cpp`, code);
  const program = `${folder}/avx2`;
  execFileSync("g++", ["-O3", "-march=native", "-ffp-contract=off", "-o", program, `${folder}/avx2.cpp`]);
  return program;
}
