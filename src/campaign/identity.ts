/** Whose numbers these are: this version with these equations. */
import { SOURCES } from "../compile/sources.generated.ts";
import { VERSION } from "../version.ts";
import { textHash } from "./text-hash.ts";

export const IDENTITY: string = `${VERSION}-${textHash(JSON.stringify(SOURCES))}`;
