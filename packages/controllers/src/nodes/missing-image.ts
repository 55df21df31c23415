const missing = /(?:^|[/:_.-])(?:non-?existent|does-?not-?exist)(?:$|[/:_.@-])|:404(?:$|@)/i;

/**
 * Whether an image says in its name or tag that there is none: `nginx:nonexistent`, `web:404`. All others are taken to
 * be there.
 */
export function isMissingImage(image: string): boolean {
  return missing.test(image);
}
