/** Settings in the browser's storage, which may be forbidden and may hold anything. */

export function readStored<T>(name: string, isRight: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`sideslip.${name}`) ?? "null");
    return isRight(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function store(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`sideslip.${name}`);
    else localStorage.setItem(`sideslip.${name}`, JSON.stringify(value));
  } catch {
    // Storage is forbidden or full: the setting is lost.
  }
}

export const isText = (value: unknown): value is string => typeof value === "string";
const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

export const areTexts = (value: unknown): value is Record<string, string[]> =>
  isBlock(value) && Object.values(value).every(isTexts);
export const areLists = (value: unknown): value is string[][] => Array.isArray(value) && value.every(isTexts);
export const areNumbers = (value: unknown, names: readonly string[]): boolean =>
  isBlock(value) &&
  Object.values(value).every((v) => isBlock(v) && names.every((n) => Number.isFinite(v[n])));
