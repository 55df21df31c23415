import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';

/** From here on `addWarning` has an effect; the recorder itself is only made for a request that has a warning. */
export const warnings: Filter = (request, response, next) => {
  serverContext(request).warningsEnabled = true;
  next(request, response);
};
