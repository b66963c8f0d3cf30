/** Identifies the program that computed a result: its version and its equations. */
import { VERSION } from "../version.ts";
import { SOURCE_HASH } from "./identity.generated.ts";

export const IDENTITY: string = `${VERSION}-${SOURCE_HASH}`;
