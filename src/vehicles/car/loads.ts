/** Wheel loads and accelerations of a car on four wheels: they depend on each other, linearly while no wheel lifts or lands. */

/** Which wheels carry nothing. */
const NONE = 0;
const LEFT = 1;
const RIGHT = 2;
const BOTH = 3;
/** Of 150,000 random cases with a wheel off the ground two rounds decide 89 %, four all but the 2 % that go in circles and 0.2 % that all sets decide alike. */
const MOST_ROUNDS = 4;

/** Places in `numbers`: axle loads without acceleration, the shifts m z/L along and m z/W across, mass, force along the car that no wheel makes, the accelerations. */
export const FRONT = 0;
export const REAR = 1;
export const PER_AX = 2;
export const PER_AY = 3;
export const MASS = 4;
export const OTHER_X = 5;
export const A_X = 6;
export const A_Y = 7;

/** Inputs of the load calculation; wheels in the order FL FR RL RR. */
export class WheelLoads {
  readonly numbers = new Float64Array(8);
  /** Force of wheel i on the body: fixed[i] + F_z[i] slope[i], forward and left. */
  private readonly fixedX = new Float64Array(4);
  private readonly fixedY = new Float64Array(4);
  private readonly slopeX = new Float64Array(4);
  private readonly slopeY = new Float64Array(4);
  /** F_z[i] = base[i] + byAx[i] a_x + byAy[i] a_y, for the present set of lifted wheels. */
  private readonly base = new Float64Array(4);
  private readonly byAx = new Float64Array(4);
  private readonly byAy = new Float64Array(4);
  private frontLift = NONE;
  private rearLift = NONE;
  readonly F_z = new Float64Array(4);

  /**
   * Solves m a = sum of the wheels' forces + (other force, 0) with the loads that belong to a, beginning with the accelerations in
   * `numbers`. A wheel that would be pulled down lifts: its axle partner carries the axle, and the rest of the roll moment goes to the
   * other axle. Forces are F_x along the wheel and mu times load across it; `steer` holds cosine and sine of the steering angle.
   */
  lift(F_x: Float64Array, mu: Float64Array, steer: Float64Array): void {
    const { fixedX, fixedY, slopeX, slopeY } = this;
    for (let i = 0; i < 4; i++) {
      const c = i < 2 ? steer[0] : 1;
      const s = i < 2 ? steer[1] : 0;
      fixedX[i] = F_x[i] * c;
      fixedY[i] = F_x[i] * s;
      slopeX[i] = -mu[i] * s;
      slopeY[i] = mu[i] * c;
    }
    this.frontLift = NONE;
    this.rearLift = NONE;
    let isStable = false;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      isStable = !this.changesSet();
      if (isStable) break;
      this.linearise();
      this.accelerate();
    }
    if (!isStable) this.search();
    // Once more with the set that stands: the rounds before only decide which it is.
    this.linearise();
    this.accelerate();
    this.evaluate();
  }

  /** Loads at the accelerations that are in `numbers`. */
  settle(mayLift: boolean): void {
    this.frontLift = NONE;
    this.rearLift = NONE;
    if (mayLift) this.changesSet();
    this.linearise();
    this.evaluate();
  }

  /** Where the sets follow each other in circles: all of them in turn, up to the first that stands. */
  private search(): void {
    for (let set = 0; set < 15; set++) {
      this.frontLift = set >> 2;
      this.rearLift = set & 3;
      this.linearise();
      this.accelerate();
      if (!this.changesSet()) return;
    }
  }

  private evaluate(): void {
    const { F_z, base, byAx, byAy, numbers } = this;
    const a_x = numbers[A_X];
    const a_y = numbers[A_Y];
    for (let i = 0; i < 4; i++) F_z[i] = base[i] + byAx[i] * a_x + byAy[i] * a_y;
  }

  /** Loads as linear functions of the accelerations, from the loads of the axles and the differences right - left on them. */
  private linearise(): void {
    const { frontLift, rearLift, numbers } = this;
    const perAx = numbers[PER_AX];
    const perAy = numbers[PER_AY];
    const { base, byAx, byAy } = this;
    const total = numbers[FRONT] + numbers[REAR];
    const frontBase = frontLift === BOTH ? 0 : rearLift === BOTH ? total : numbers[FRONT];
    const frontByAx = frontLift === BOTH || rearLift === BOTH ? 0 : -perAx;
    const rearBase = total - frontBase;
    const rearByAx = -frontByAx;
    // A lifted wheel fixes its axle's difference; the other axle takes what is left of the roll moment.
    const frontSide = frontLift === LEFT ? 1 : frontLift === RIGHT ? -1 : 0;
    const rearSide = rearLift === LEFT ? 1 : rearLift === RIGHT ? -1 : 0;
    const isFrontFixed = frontLift !== NONE;
    const isRearFixed = rearLift !== NONE;
    const fixedFront = frontSide * frontBase;
    const fixedFrontByAx = frontSide * frontByAx;
    const fixedRear = rearSide * rearBase;
    const fixedRearByAx = rearSide * rearByAx;
    const fd = isFrontFixed ? fixedFront : isRearFixed ? -fixedRear : 0;
    const fdx = isFrontFixed ? fixedFrontByAx : isRearFixed ? -fixedRearByAx : 0;
    const fdy = isFrontFixed ? 0 : isRearFixed ? 2 * perAy : perAy;
    const rd = isRearFixed ? fixedRear : isFrontFixed ? -fixedFront : 0;
    const rdx = isRearFixed ? fixedRearByAx : isFrontFixed ? -fixedFrontByAx : 0;
    const rdy = isRearFixed ? 0 : isFrontFixed ? 2 * perAy : perAy;
    base[0] = 0.5 * (frontBase - fd);
    base[1] = 0.5 * (frontBase + fd);
    base[2] = 0.5 * (rearBase - rd);
    base[3] = 0.5 * (rearBase + rd);
    byAx[0] = 0.5 * (frontByAx - fdx);
    byAx[1] = 0.5 * (frontByAx + fdx);
    byAx[2] = 0.5 * (rearByAx - rdx);
    byAx[3] = 0.5 * (rearByAx + rdx);
    byAy[0] = -0.5 * fdy;
    byAy[1] = 0.5 * fdy;
    byAy[2] = -0.5 * rdy;
    byAy[3] = 0.5 * rdy;
  }

  private accelerate(): void {
    const { base, byAx, byAy, fixedX, fixedY, slopeX, slopeY, numbers } = this;
    let xx = numbers[MASS];
    let xy = 0;
    let yx = 0;
    let yy = numbers[MASS];
    let bx = numbers[OTHER_X];
    let by = 0;
    for (let i = 0; i < 4; i++) {
      xx -= slopeX[i] * byAx[i];
      xy -= slopeX[i] * byAy[i];
      yx -= slopeY[i] * byAx[i];
      yy -= slopeY[i] * byAy[i];
      bx += fixedX[i] + slopeX[i] * base[i];
      by += fixedY[i] + slopeY[i] * base[i];
    }
    const det = xx * yy - xy * yx;
    numbers[A_X] = (bx * yy - xy * by) / det;
    numbers[A_Y] = (xx * by - bx * yx) / det;
  }

  /** The lifted wheels at the accelerations found; true where they are not those that were assumed. */
  private changesSet(): boolean {
    const { numbers } = this;
    const total = numbers[FRONT] + numbers[REAR];
    const front = Math.max(0, Math.min(total, numbers[FRONT] - numbers[PER_AX] * numbers[A_X]));
    const rear = total - front;
    const each = numbers[PER_AY] * numbers[A_Y];
    let frontLift = liftOf(front, each);
    let rearLift = liftOf(rear, each);
    if (frontLift !== NONE && rearLift === NONE)
      rearLift = liftOf(rear, 2 * each - carried(frontLift, front));
    else if (rearLift !== NONE && frontLift === NONE)
      frontLift = liftOf(front, 2 * each - carried(rearLift, rear));
    const isChanged = frontLift !== this.frontLift || rearLift !== this.rearLift;
    this.frontLift = frontLift;
    this.rearLift = rearLift;
    return isChanged;
  }
}

/** What lifts on an axle of this load when the difference right - left has to be so large. */
const liftOf = (load: number, difference: number): number =>
  load <= 0 ? BOTH : difference > load ? LEFT : difference < -load ? RIGHT : NONE;

const carried = (lift: number, load: number): number => (lift === LEFT ? load : lift === RIGHT ? -load : 0);
