/** Ground with a grid, sky, sun and fog. Ground and light follow the vehicle, so the world has no end. */
import * as THREE from "three";

export interface Tones {
  readonly sky: number;
  readonly horizon: number;
  readonly ground: number;
  readonly line: number;
}
export const DAY: Tones = { sky: 0x5f9ad6, horizon: 0xdbe8f1, ground: 0x93aa8d, line: 0x5d7359 };
export const NIGHT: Tones = { sky: 0x22405f, horizon: 0x9db4c6, ground: 0x5c6f60, line: 0x37463b };

const WIDE = 4000;

/**
 * A line each metre near by, each ten and hundred metres further out, faded where they would flicker. Drawn by arithmetic:
 * on machines without a graphics card a texture over half the picture is what costs most.
 */
const GROUND = {
  vertex:
    "varying vec2 at; varying float far; void main() { vec4 p = modelMatrix * vec4(position, 1.0); at = p.xz; vec4 seen = viewMatrix * p; far = -seen.z; gl_Position = projectionMatrix * seen; }",
  fragment: `varying vec2 at; varying float far;
uniform vec3 ground; uniform vec3 line; uniform vec3 horizon; uniform float near; uniform float end;
float grid(float step, vec2 wide) {
  vec2 d = abs(fract(at / step - 0.5) - 0.5) * step / wide;
  float strength = clamp(1.2 - max(wide.x, wide.y) * 5.0 / step, 0.0, 1.0);
  return strength * (1.0 - min(min(d.x, d.y), 1.0));
}
void main() {
  vec2 wide = fwidth(at) * 1.2;
  float lines = max(max(0.45 * grid(1.0, wide), 0.8 * grid(10.0, wide + 0.02)), grid(100.0, wide + 0.1));
  vec3 colour = mix(ground, line, lines);
  gl_FragColor = vec4(mix(colour, horizon, smoothstep(near, end, far)), 1.0);
  #include <colorspace_fragment>
}`,
};
const SKY = {
  vertex:
    "varying float up; void main() { up = normalize(position).y; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
  fragment: `varying float up; uniform vec3 sky; uniform vec3 horizon;
void main() {
  gl_FragColor = vec4(mix(horizon, sky, smoothstep(0.0, 0.45, up)), 1.0);
  #include <colorspace_fragment>
}`,
};
const FOG = [150, 1400] as const;

export class World {
  readonly scene = new THREE.Scene();
  private readonly colours = {
    sky: { value: new THREE.Color() },
    horizon: { value: new THREE.Color() },
    ground: { value: new THREE.Color() },
    line: { value: new THREE.Color() },
    near: { value: FOG[0] },
    end: { value: FOG[1] },
  };
  private readonly ground: THREE.Mesh;
  private readonly sky: THREE.Mesh;
  /** Only near the vehicle the ground can be in its shadow. */
  private readonly shade: THREE.Mesh;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
  private readonly ambient = new THREE.HemisphereLight(0xffffff, 0x66705f, 1.3);

  constructor(tones: Tones) {
    const { colours: uniforms } = this;
    this.ground = new THREE.Mesh(
      new THREE.PlaneGeometry(WIDE, WIDE),
      new THREE.ShaderMaterial({
        uniforms,
        depthWrite: false,
        vertexShader: GROUND.vertex,
        fragmentShader: GROUND.fragment,
      }),
    );
    this.sky = new THREE.Mesh(
      new THREE.SphereGeometry(1500, 24, 12),
      new THREE.ShaderMaterial({
        side: THREE.BackSide,
        depthWrite: false,
        uniforms,
        vertexShader: SKY.vertex,
        fragmentShader: SKY.fragment,
      }),
    );
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.ShadowMaterial({ opacity: 0.35 }));
    this.shade.receiveShadow = true;
    // Everything stands on the ground: it is drawn first and hides nothing, so that a road a finger above it does not flicker.
    this.sky.renderOrder = -3;
    this.ground.renderOrder = -2;
    this.ground.rotation.x = this.shade.rotation.x = -Math.PI / 2;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0006;
    this.scene.add(this.ground, this.shade, this.sky, this.sun, this.sun.target, this.ambient);
    this.scene.fog = new THREE.Fog(tones.horizon, ...FOG);
    this.tone(tones);
  }

  tone(tones: Tones): void {
    const { sky, horizon, ground, line } = this.colours;
    sky.value.set(tones.sky);
    horizon.value.set(tones.horizon);
    ground.value.set(tones.ground);
    line.value.set(tones.line);
    this.scene.fog?.color.set(tones.horizon);
    const isDay = tones === DAY;
    this.sun.intensity = isDay ? 2.4 : 1.9;
    this.ambient.intensity = isDay ? 1.6 : 1.3;
  }

  set hasShadow(isOn: boolean) {
    this.sun.castShadow = isOn;
    this.shade.visible = isOn;
  }

  /** Keeps everything around a place; `size` is how much of it casts a shadow. */
  follow(place: THREE.Vector3, size: number, groundHeight: number): void {
    const ten = (v: number) => Math.round(v / 100) * 100;
    this.ground.position.set(ten(place.x), groundHeight, ten(place.z));
    this.sky.position.copy(place);
    const { camera } = this.sun.shadow;
    const reach = 2.2 * size;
    // High up the shadow falls far below: the light's box reaches from the vehicle to the ground.
    const height = Math.max(1, place.y - groundHeight);
    const [east, south] = [0.12, 0.08];
    this.sun.position.set(place.x + 3 * east * reach, place.y + 3 * reach, place.z + 3 * south * reach);
    this.sun.target.position.copy(place);
    this.shade.position.set(place.x - east * height, groundHeight + 0.004 * size, place.z - south * height);
    this.shade.scale.setScalar(2 * reach);
    if (camera.right !== reach || camera.far < 3.2 * reach + 1.1 * height) {
      camera.left = camera.bottom = -reach;
      camera.right = camera.top = reach;
      camera.near = 0.1;
      camera.far = 8 * reach + 2 * height;
      camera.updateProjectionMatrix();
    }
  }
}
