import type { IncomingMessage } from 'node:http';

/**
 * Whether an answer of somebody else can go out with its status: Node throws for others, and Go's clients of HTTP take
 * any of three digits. @param status of an answer that is the last of its request
 */
export function isSendableStatus(status: number, { httpVersionMajor }: IncomingMessage): boolean {
  return status >= 200 && status <= (httpVersionMajor < 2 ? 999 : 599);
}
