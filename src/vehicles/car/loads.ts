/** Wheel loads and accelerations of a car on four wheels: they depend on each other, linearly while no wheel lifts or lands. */

/** Which wheels carry nothing. */
const NONE = 0;
const LEFT = 1;
const RIGHT = 2;
const BOTH = 3;
const MOST_ROUNDS = 12;

/** What decides the loads; wheels in the order FL FR RL RR. */
export class WheelLoads {
  /** Static and aerodynamic load of the axles, and how far accelerations shift it. */
  front = 0;
  rear = 0;
  private perAx = 0;
  private perAy = 0;
  /** Force of wheel i on the body: fixed[i] + F_z[i] slope[i], forward and left. */
  readonly fixedX = new Float64Array(4);
  readonly fixedY = new Float64Array(4);
  readonly slopeX = new Float64Array(4);
  readonly slopeY = new Float64Array(4);
  /** F_z[i] = base[i] + byAx[i] a_x + byAy[i] a_y, for the present set of lifted wheels. */
  private readonly base = new Float64Array(4);
  private readonly byAx = new Float64Array(4);
  private readonly byAy = new Float64Array(4);
  private frontLift = NONE;
  private rearLift = NONE;
  /** Results. */
  readonly F_z = new Float64Array(4);
  a_x = 0;
  a_y = 0;

  /** Axle loads without acceleration, and the shifts m z/L along and m z/W across. */
  prepare(front: number, rear: number, perAx: number, perAy: number): void {
    this.front = front;
    this.rear = rear;
    this.perAx = perAx;
    this.perAy = perAy;
  }

  /**
   * Solves m a = sum of the wheels' forces + (otherX, 0) with the loads that belong to a. A wheel that would be pulled down
   * lifts: its axle partner carries the axle, and the rest of the roll moment goes to the other axle.
   */
  solve(m: number, otherX: number, mayLift: boolean): void {
    this.frontLift = NONE;
    this.rearLift = NONE;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.linearise();
      this.accelerate(m, otherX);
      if (!mayLift || !this.changesSet()) break;
    }
    this.evaluate();
  }

  /** Loads at given accelerations. */
  at(a_x: number, a_y: number): void {
    this.a_x = a_x;
    this.a_y = a_y;
    this.frontLift = NONE;
    this.rearLift = NONE;
    this.changesSet();
    this.linearise();
    this.evaluate();
  }

  private evaluate(): void {
    const { F_z, base, byAx, byAy, a_x, a_y } = this;
    for (let i = 0; i < 4; i++) F_z[i] = base[i] + byAx[i] * a_x + byAy[i] * a_y;
  }

  /** Loads as linear functions of the accelerations, from the loads of the axles and the differences right - left on them. */
  private linearise(): void {
    const { frontLift, rearLift, perAx, perAy } = this;
    const total = this.front + this.rear;
    const frontBase = frontLift === BOTH ? 0 : rearLift === BOTH ? total : this.front;
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
    this.wheel(0, 0.5 * (frontBase - fd), 0.5 * (frontByAx - fdx), -0.5 * fdy);
    this.wheel(1, 0.5 * (frontBase + fd), 0.5 * (frontByAx + fdx), 0.5 * fdy);
    this.wheel(2, 0.5 * (rearBase - rd), 0.5 * (rearByAx - rdx), -0.5 * rdy);
    this.wheel(3, 0.5 * (rearBase + rd), 0.5 * (rearByAx + rdx), 0.5 * rdy);
  }

  private wheel(i: number, base: number, byAx: number, byAy: number): void {
    this.base[i] = base;
    this.byAx[i] = byAx;
    this.byAy[i] = byAy;
  }

  private accelerate(m: number, otherX: number): void {
    const { base, byAx, byAy, fixedX, fixedY, slopeX, slopeY } = this;
    let xx = m;
    let xy = 0;
    let yx = 0;
    let yy = m;
    let bx = otherX;
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
    this.a_x = (bx * yy - xy * by) / det;
    this.a_y = (xx * by - bx * yx) / det;
  }

  /** The lifted wheels at the accelerations found; true where they are not those that were assumed. */
  private changesSet(): boolean {
    const { a_x, a_y, perAx, perAy } = this;
    const total = this.front + this.rear;
    const front = Math.max(0, Math.min(total, this.front - perAx * a_x));
    const rear = total - front;
    const each = perAy * a_y;
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
