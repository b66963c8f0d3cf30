/** The page's policy allows no code made of text: zod need not try. First of all imports. */
import { config } from "zod";

config({ jitless: true });
