import { clientLimits } from './client-limits.ts';
import { errorLimits } from './error-limits.ts';
import { inputLimits } from './input-limits.ts';
import type { Limit } from './limit.ts';

/**
 * Everything that is limited because somebody else decides how much of it there is.
 *
 * To add a limit, add a row to the table of its part (a file beside this one, spread below), read its value where it is
 * enforced (`limits.requestBody.value`; a package that does not import this one keeps a constant, which the spec of
 * the table compares), and let the spec that the row names enforce it under a title with the row's key. Then
 * `npm run limits` writes docs/limits.md; a spec fails while the document, a row and its spec disagree.
 */
export const limits = { ...clientLimits, ...inputLimits, ...errorLimits } as const satisfies Readonly<
  Record<string, Limit>
>;
