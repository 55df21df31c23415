import { setTimeout as delay } from 'node:timers/promises';
import type { HostileRequest, Outcome, Target } from './target.ts';

/** Something that nobody sane would send. */
export interface HostileRow {
  readonly name: string;
  readonly as: 'user' | 'nobody';
  /** False: what is answered is not compared with the reference, which may have no answer in time. */
  readonly compared?: false;
  fire(target: Target): Promise<Outcome>;
}

/** The same, where any answer will do that is none of a failure. */
export function uncompared(row: HostileRow): HostileRow {
  return { ...row, compared: false };
}

/** Bytes over HTTP/1.1; `{auth}` becomes the user's credentials. */
export function bytes(
  name: string,
  text: string | readonly (string | Uint8Array)[],
  as: HostileRow['as'] = 'user',
): HostileRow {
  const parts = typeof text === 'string' ? [text] : text;
  return {
    name,
    as,
    fire: (target) =>
      target.raw(
        parts.map((part) => (typeof part === 'string' ? part.replaceAll('{auth}', target.authorization) : part)),
      ),
  };
}

/** One API request, or several at once, over HTTP/2. */
export function request(
  name: string,
  requests: HostileRequest | readonly HostileRequest[],
  as: HostileRow['as'] = 'user',
): HostileRow {
  const all = Array.isArray(requests) ? (requests as readonly HostileRequest[]) : [requests as HostileRequest];
  return { name, as, fire: (target) => whenServed(all, () => target.http2(all)) };
}

/** The same, made when it is fired: it is large. */
export function made(
  name: string,
  make: () => HostileRequest | readonly HostileRequest[],
  as: HostileRow['as'] = 'user',
): HostileRow {
  return { name, as, fire: (target) => request(name, make()).fire(target) };
}

/** Custom resources are there a little after their definition. */
async function whenServed(requests: readonly HostileRequest[], fire: () => Promise<Outcome>): Promise<Outcome> {
  const custom = requests.some(({ path }) => path.startsWith('/apis/hostile.example/'));
  for (let tries = 0; ; tries++) {
    const outcome = await fire();
    if (!custom || tries === 20 || !outcome.statuses.includes(404)) return outcome;
    await delay(100);
  }
}
