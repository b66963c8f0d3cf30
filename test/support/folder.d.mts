/** A new, empty folder that goes when the run ends. */
export function folder(name?: string): string;
