import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import { sharerOf } from '../request/sharer.ts';
import { writeTextError } from '../responses/write-text.ts';

/**
 * Counts the watches and other requests without a deadline that each user has open, and refuses more than `most` (0 is
 * any number) with 429: flow control has them only until they have begun. Users are sharers here: the service accounts
 * of a namespace are one, of kube-system each is. system:masters is never refused, so that a server can still be
 * repaired.
 */
export function watchesPerUser(most: number): Filter {
  const counts = new Map<string, number>();
  return (request, response, next) => {
    const context = serverContext(request);
    const { groups } = context.user;
    if (!context.longRunning || context.ended || groups.includes('system:masters')) {
      next(request, response);
      return;
    }
    const name = sharerOf(context.user);
    const count = counts.get(name) ?? 0;
    if (most > 0 && count >= most) {
      context.metrics?.dropped(context);
      response.setHeader('Retry-After', '1');
      writeTextError(response, 429, 'Too many requests, please try again later.');
      return;
    }
    counts.set(name, count + 1);
    response.once('close', () => {
      const left = (counts.get(name) ?? 0) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    });
    next(request, response);
  };
}
