import type { Filter } from '../request/filter.ts';

/** Answers depend on the user and the moment; handlers of public documents set their own value later. */
export const cacheControl: Filter = (request, response, next) => {
  response.setHeader('Cache-Control', 'no-cache, private');
  next(request, response);
};
