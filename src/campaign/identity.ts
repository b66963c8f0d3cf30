/** Whose numbers these are: this version of this source. */
import { VERSION } from "../version.ts";
import { SOURCE_HASH } from "./identity.generated.ts";

export const IDENTITY: string = `${VERSION}-${SOURCE_HASH}`;
