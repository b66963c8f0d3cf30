import { InputError } from "../model/input-error.ts";

/** What Redis needs; a package that is installed from npm brings neither by itself. */
const REDIS_PACKAGES = ["bullmq", "ioredis"];

/** Loads modules that use Redis; says what to install where its packages are absent. */
export async function withRedis<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" || !REDIS_PACKAGES.some((name) => message.includes(`'${name}'`)))
      throw error;
    throw new InputError(`campaigns through Redis need the packages ${REDIS_PACKAGES.join(" and ")}`, {
      field: "--engine",
      allowed: `npm install ${REDIS_PACKAGES.join(" ")}; without --engine the runs take this machine's threads`,
    });
  }
}
