import type { ClientRequest } from 'node:http';

/** As many as Go's HTTP client takes (net/http, max1xxResponses). */
const most = 5;

/**
 * Ends a request whose server says more often that it goes on, or hints at more, than it may before it answers: each
 * costs the thread that serves everybody some microseconds, and a hundred thousand come in a moment.
 */
export function fewInformational(request: ClientRequest): void {
  let seen = 0;
  const another = (): void => {
    if (++seen === most + 1) request.destroy(new Error('net/http: too many 1xx informational responses'));
  };
  request.on('continue', another).on('information', another);
}
