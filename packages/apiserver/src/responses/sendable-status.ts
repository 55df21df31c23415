import type { ServerResponse } from 'node:http';

/**
 * Whether an answer of somebody else can go out with its status: Node throws for others, and Go's clients of HTTP take
 * any of three digits. @param status of an answer that is the last of its request
 */
export function isSendableStatus(status: number, { req }: ServerResponse): boolean {
  return status >= 200 && status <= (req.httpVersionMajor < 2 ? 999 : 599);
}
