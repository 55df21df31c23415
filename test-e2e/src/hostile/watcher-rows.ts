import { http2Flags, http2Frame, http2FrameTypes } from '@kubechain/apiserver/testing';
import { configMaps, namespaced, post } from './api-requests.ts';
import { asked, attack, headersOf, opened, repeated } from './attack-frames.ts';
import type { HostileRow } from './row.ts';
import type { Outcome, Target } from './target.ts';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const initial = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** So many watches over each of some connections, of which nothing is read, while something is written. */
async function unread(
  target: Target,
  { connections, query, streams }: { readonly connections: number; readonly streams: number; readonly query: string },
  write: () => Promise<Outcome>,
): Promise<Outcome> {
  const flags = http2Flags.endHeaders | http2Flags.endStream;
  const watches = repeated(streams, (i) =>
    http2Frame(http2FrameTypes.headers, {
      flags,
      stream: 2 * i + 1,
      payload: headersOf(target, `${configMaps}?${query}`),
    }),
  );
  const holding = target.hold(connections, [Buffer.concat([opened(0), watches]), Buffer.alloc(0), Buffer.alloc(0)], {
    alpn: 'h2',
    pauseMs: 1_500,
  });
  const outcome = await write();
  await holding;
  return outcome;
}

const inNamespace = (group: string, resource: string): string => `${group}/namespaces/hostile/${resource}?watch=true`;
/** Watches of kinds that have caches of their own. */
const kinds = [
  ...['configmaps', 'secrets', 'pods', 'services', 'endpoints', 'persistentvolumeclaims', 'serviceaccounts'].map(
    (resource) => inNamespace('/api/v1', resource),
  ),
  ...['deployments', 'replicasets', 'statefulsets', 'daemonsets'].map((resource) =>
    inNamespace('/apis/apps/v1', resource),
  ),
  inNamespace('/apis/batch/v1', 'jobs'),
];
const watched = (i: number): string => kinds[i % kinds.length] ?? configMaps;

/** Versions that no object has, and what no version is. */
const versions = [
  '0',
  '1',
  '-1',
  '00000000000000000001',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '1e3',
  '0x10',
  '1.0',
  '%20',
  '%00',
  '%D9%A3',
  'Infinity',
  'null',
];
/** What the reference says with 500, too, of a version that it cannot read. */
const unreadable = /resourceVersion: Invalid value|Invalid value: \\"|strconv|too large resource version|Timeout/i;

/** Watches that nobody reads, and versions that there are not. */
export const watcherRows: readonly HostileRow[] = [
  attack('watches: 1,000 that nobody reads, and 100 objects of 200 KB', (target) =>
    unread(target, { connections: 20, streams: 50, query: 'watch=true' }, async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 10; i++)
        statuses.push(
          ...(
            await target.http2(
              many(10, (j) =>
                post(
                  configMaps,
                  JSON.stringify({ metadata: { name: `unread-${i}-${j}` }, data: { a: 'x'.repeat(200_000) } }),
                ),
              ),
            )
          ).statuses,
        );
      return { statuses, text: '' };
    }),
  ),
  attack('watches: 1,000 from the beginning that nobody reads, of 2,000 objects', async (target) => {
    for (let i = 0; i < 20; i++)
      await target.http2(
        many(100, (j) => post(configMaps, JSON.stringify({ metadata: { name: `first-${i}-${j}` }, data: { a: 'b' } }))),
      );
    return unread(target, { connections: 20, streams: 50, query: initial }, () =>
      target.http2(many(20, () => ({ path: configMaps }))),
    );
  }),
  attack('watches: 500 from the beginning, of 15 MB each, of which little is read', async (target) => {
    for (let i = 0; i < 60; i++)
      await target.http2(
        many(50, (j) =>
          post(configMaps, JSON.stringify({ metadata: { name: `large-${i}-${j}` }, data: { a: 'x'.repeat(5_000) } })),
        ),
      );
    const asked = `GET ${configMaps}?${initial} HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`;
    return target.hold(500, [asked, ...many(10, () => '')], { pauseMs: 1_000 });
  }),
  attack('watches: 400 from the beginning of 2,000 events', async (target) => {
    const events = namespaced('events');
    const about = { involvedObject: { kind: 'Pod', namespace: 'hostile', name: 'p' } };
    for (let i = 0; i < 40; i++)
      await target.http2(
        many(50, (j) =>
          post(events, JSON.stringify({ metadata: { name: `e-${i}-${j}` }, message: 'x'.repeat(900), ...about })),
        ),
      );
    const outcome = await target.http2(many(400, () => ({ path: `${events}?${initial}&timeoutSeconds=1` })));
    await target.http2([{ method: 'DELETE', path: events }]);
    return outcome;
  }),
  attack('watches: 1,000 of events from before 6,000 writes', async (target) => {
    const { text } = await target.http2([{ path: `${configMaps}/kept` }]);
    const version = /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? '1';
    for (let i = 0; i < 60; i++)
      await target.http2(
        many(100, (j) =>
          post(configMaps, JSON.stringify({ metadata: { name: `written-${i}-${j}` }, data: { a: 'b' } })),
        ),
      );
    const path = `${namespaced('events')}?watch=true&timeoutSeconds=2&resourceVersion=${version}`;
    const outcomes = await Promise.all(many(10, () => target.http2(many(100, () => ({ path })))));
    return { statuses: outcomes.flatMap(({ statuses }) => statuses), text: outcomes[0]?.text ?? '' };
  }),
  attack('watches: 5,000 of twelve kinds at once, and their end', (target) =>
    target.hold(50, [Buffer.concat([opened(), repeated(100, (i) => asked(target, 2 * i + 1, watched(i)))])], {
      alpn: 'h2',
      pauseMs: 5_000,
    }),
  ),
  attack('watches: 2,000 of twelve kinds at once, each over a connection of its own', (target) =>
    Promise.all(
      many(kinds.length, (i) =>
        target.hold(2_000 / kinds.length, [`GET ${watched(i)} HTTP/1.1\r\nHost: a\r\n${target.authorization}\r\n`], {
          pauseMs: 8_000,
        }),
      ),
    ).then(() => ({ statuses: [], text: '' })),
  ),
  attack('watches: 300 from the beginning that are read', (target) =>
    target.http2(many(300, () => ({ path: `${configMaps}?${initial}&timeoutSeconds=1` }))),
  ),
  attack('watches: versions of all kinds', async (target) => {
    const outcomes: Outcome[] = [];
    for (const version of versions)
      for (const query of [
        `resourceVersion=${version}`,
        `resourceVersion=${version}&resourceVersionMatch=Exact`,
        `resourceVersion=${version}&resourceVersionMatch=NotOlderThan&limit=1`,
        `resourceVersion=${version}&watch=true&timeoutSeconds=1`,
        `${initial}&resourceVersion=${version}&timeoutSeconds=1`,
      ])
        outcomes.push(await target.http2([{ path: `${configMaps}?${query}` }]));
    const odd = outcomes.filter(({ statuses, text }) => !(statuses.some((s) => s >= 500) && unreadable.test(text)));
    const failed = odd.find(({ statuses }) => statuses.some((status) => status >= 500));
    return { statuses: odd.flatMap(({ statuses }) => statuses), text: failed?.text ?? '' };
  }),
];
