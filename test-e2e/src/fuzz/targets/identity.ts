import { IdentityHop } from '@kubechain/apiserver/testing';
import { connect, type ClientHttp2Session } from 'node:http2';
import { request as httpsRequest, Agent } from 'node:https';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';

/** The parts of a user that are compared; extras as entries in their order. */
interface ReadUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [string, readonly string[]])[];
}

const pieces = ['a', 'B', 'é', '✓', '😀', ' ', ',', ':', '%', '\n', '\u007f', '\u0080', 'system:masters', '='];
const claims = [
  'X-Remote-User',
  'x-remote-GROUP',
  'X-Remote-Uid',
  'X-Remote-Extra-Scopes',
  'X-Remote-Extra-%5f',
  'X_Remote_User',
  'X-Kubechain-Identity',
  'X-Kubechain-Decision',
  'X-Kubechain-Client',
  'Connection',
  'Audit-ID',
  'Authorization',
];
const words = ['root', 'system:masters', 'X-Remote-User', 'X-Kubechain-Identity', 'upgrade', 'close', 'e30=', ','];

/** Who a request is from, behind the hop: over a link, over HTTP, by an upgrade, asked by HTTP/1.1 and by HTTP/2. */
export const identity: FuzzTarget = {
  name: 'identity',
  about: 'users of any names and clients that claim to be others: behind the hop is who was stamped',
  shareOfCI: 2_000,
  open: async () => {
    const hops = [await IdentityHop.open({ link: true }), await IdentityHop.open({ link: false })] as const;
    const sessions = hops.map(({ port }) =>
      connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }).on('error', () => undefined),
    );
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1 });
    return {
      attempt: async (random, input) => {
        const at = random.below(2);
        const hop = hops[at] as IdentityHop;
        const user = anyUser(random);
        const claimed = random
          .list(6, () => [random.pick(claims), random.text(words, 3).slice(0, 2_000)] as const)
          .filter(canBeSent);
        const way = random.pick(['HTTP/1.1', 'HTTP/2', 'upgrade'] as const);
        input(JSON.stringify({ way, link: at === 0, user: { ...user, extra: user.extra }, claimed }));
        hop.user = { ...user, extra: Object.fromEntries(user.extra) };
        const answer =
          way === 'HTTP/2'
            ? await overHTTP2(sessions[at] as ClientHttp2Session, claimed)
            : await overHTTP1({ port: hop.port, agent: way === 'upgrade' ? false : agent }, claimed, way === 'upgrade');
        if (answer === undefined) return;
        const read = JSON.parse(answer) as ReadUser;
        if (shown(read) !== shown(user)) throw new FuzzFailure(`is ${shown(read)} behind the hop, not ${shown(user)}`);
      },
      close: async () => {
        for (const session of sessions) session.destroy();
        agent.destroy();
        for (const hop of hops) await hop.close();
      },
    };
  },
};

function anyUser(random: FuzzRandom): ReadUser {
  const text = (): string => random.text(pieces, 6).slice(0, 2_000).toWellFormed();
  const extra = new Map(random.list(3, () => [text().toLowerCase(), [text(), ...random.list(2, text)]] as const));
  return {
    name: `u${text()}`,
    ...(random.chance(2) ? { uid: `${text()}1` } : {}),
    groups: random.list(4, text),
    extra: [...extra],
  };
}

/** Other claims never leave this client. */
function canBeSent([name, value]: readonly [string, string]): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(value) && (name !== 'Connection' || !/upgrade/i.test(value));
}

type Claims = readonly (readonly [string, string])[];

function overHTTP1(
  at: { readonly port: number; readonly agent: Agent | false },
  claimed: Claims,
  upgrade: boolean,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ host: '127.0.0.1', path: '/whoami', rejectUnauthorized: false, ...at });
    for (const [name, value] of claimed) request.appendHeader(name, value);
    if (upgrade) {
      request.setHeader('Connection', 'Upgrade');
      request.setHeader('Upgrade', 'websocket');
    }
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve(answerOf(response.statusCode ?? 0, text));
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
}

function overHTTP2(session: ClientHttp2Session, claimed: Claims): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string | string[]> = { ':path': '/whoami' };
    for (const [name, value] of claimed) if (name !== 'Connection') headers[name.toLowerCase()] = value;
    const stream = session.request(headers);
    let text = '';
    let status = 0;
    stream.on('response', (answer) => (status = answer[':status'] ?? 0));
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    stream.on('end', () => {
      resolve(answerOf(status, text));
    });
    stream.on('error', reject);
  });
}

/** What was refused before it got to the hop tells nobody. */
function answerOf(status: number, text: string): string | undefined {
  if (status >= 500) throw new FuzzFailure(`${status}: ${text}`);
  return status === 200 ? text : undefined;
}

function shown({ extra, groups, name, uid }: ReadUser): string {
  return JSON.stringify([name, uid ?? '', groups, [...extra].sort(([a], [b]) => (a < b ? -1 : 1))]);
}
