import { request as askHTTPS } from 'node:https';
import type { HostileRequest, Outcome, Target } from './target.ts';

/** Connections that are used at once, and requests under way on each. */
const connections = 6;
const atOnce = 80;

/** So many of something. */
export const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Sends thousands of requests, made as they are sent; what was refused or failed is told first. */
export async function poured(target: Target, count: number, make: (i: number) => HostileRequest): Promise<Outcome> {
  const statuses: number[] = [];
  let text = '';
  let next = 0;
  const pour = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + atOnce);
      const outcome = await target.http2(many(next - from, (i) => make(from + i)));
      for (const status of outcome.statuses) statuses.push(status);
      if (text === '' || outcome.statuses.some((status) => status >= 300)) ({ text } = outcome);
    }
  };
  await Promise.all(many(connections, pour));
  return { statuses, text };
}

/** What several have come to, the first that failed first. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const failed = outcomes.find(({ statuses }) => statuses.some((status) => status >= 500));
  return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: (failed ?? outcomes[0])?.text ?? '' };
}

/** One object or list, whole; undefined where it is not answered with 200. */
export function read<T>({ port, token }: Target, path: string, accept = 'application/json'): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept };
    askHTTPS({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve(response.statusCode === 200 ? (JSON.parse(Buffer.concat(chunks).toString()) as T) : undefined),
      );
    })
      .on('error', reject)
      .end();
  });
}
