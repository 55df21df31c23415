import { expect } from 'chai';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { ConfigMap } from '@kubechain/apimachinery/types/core/v1';
import { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import type { Transport, TransportRequest, TransportResponse } from '../client/transport.ts';
import { InformerEnds, type InformerEnd } from './informer-ends.ts';
import { SharedInformer } from './shared-informer.ts';

type Answer = (request: URL, signal: AbortSignal | undefined) => TransportResponse;

/** Answers requests one after the other, and notes them. */
class Script implements Transport {
  readonly asked: string[] = [];
  readonly answers: Answer[];

  constructor(...answers: Answer[]) {
    this.answers = answers;
  }

  send({ path, signal }: TransportRequest): Promise<TransportResponse> {
    const url = new URL(path, 'https://localhost');
    const version = url.searchParams.get('resourceVersion');
    this.asked.push(`${url.searchParams.has('watch') ? 'watch' : 'list'} ${version}`);
    const answer = this.answers.shift() ?? ((_, aborted) => quiet([], aborted));
    return Promise.resolve(answer(url, signal));
  }

  close(): void {
    /* nothing is open */
  }
}

const object = (name: string, resourceVersion: string): ConfigMap => ({
  metadata: { namespace: 'default', name, uid: name, resourceVersion, managedFields: [] },
});
const answer = (body: unknown, status = 200): TransportResponse => ({
  status,
  headers: {},
  body: (async function* () {
    yield Buffer.from(JSON.stringify(body));
  })(),
});
const list =
  (resourceVersion: string, ...items: ConfigMap[]): Answer =>
  () =>
    answer({ metadata: { resourceVersion }, items });
const events =
  (...lines: object[]): Answer =>
  () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      // In pieces that end anywhere.
      const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      for (let at = 0; at < text.length; at += 7) yield text.subarray(at, at + 7);
    })(),
  });
/** Events, and then nothing until the end. */
function quiet(lines: readonly object[], signal: AbortSignal | undefined): TransportResponse {
  return {
    status: 200,
    headers: {},
    body: (async function* () {
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
    })(),
  };
}

describe('SharedInformer', () => {
  const begin = async (transport: Script, onAdd: () => void = () => undefined) => {
    const clock = new FakeClock();
    const client = new Client({ transport, userAgent: 'spec', clock });
    const seen: string[] = [];
    const errors: string[] = [];
    const ends: InformerEnd[] = [];
    const informer = new SharedInformer<ConfigMap>({
      resource: client.resource(resources.configmaps),
      clock,
      random: () => 0,
      onError: (error) => errors.push(error instanceof Error ? error.message : String(error)),
      onEnd: (end) => ends.push(end),
    });
    informer.addHandlers({
      onAdd: ({ metadata }) => {
        seen.push(`add ${metadata?.name}`);
        onAdd();
      },
      onUpdate: ({ metadata }) => seen.push(`update ${metadata?.name} ${metadata?.resourceVersion}`),
      onDelete: ({ metadata }) => seen.push(`delete ${metadata?.name}`),
    });
    const stop = new AbortController();
    informer.start(stop.signal);
    await settle();
    return { clock, informer, seen, errors, ends, stop };
  };
  const run = async (transport: Script, advanceMs = 0) => {
    const { clock, informer, seen, errors, ends, stop } = await begin(transport);
    await clock.advance(advanceMs);
    stop.abort();
    await settle();
    return { informer, seen, errors, ends };
  };

  it('lists from memory, then watches from there, and goes on where a watch ended', async () => {
    const transport = new Script(
      list('5', object('a', '3'), object('b', '4')),
      events(
        { type: 'MODIFIED', object: object('a', '6') },
        { type: 'DELETED', object: object('b', '7') },
        { type: 'ADDED', object: object('c', '8') },
        { type: 'BOOKMARK', object: { metadata: { resourceVersion: '12' } } },
      ),
    );
    const { informer, seen, errors, ends } = await run(transport);
    expect(ends).to.deep.equal(['server_ended', 'stopped']);
    expect(transport.asked).to.deep.equal(['list 0', 'watch 5', 'watch 12']);
    expect(seen).to.deep.equal(['add a', 'add b', 'update a 6', 'delete b', 'add c']);
    expect(informer.list('default').map(({ metadata }) => metadata?.name)).to.deep.equal(['a', 'c']);
    expect(informer.get('default/a')?.metadata?.managedFields).to.equal(undefined);
    expect(errors).to.deep.equal([]);
  });

  it('lists again when the history is gone, and tells what was missed', async () => {
    const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    const transport = new Script(
      list('5', object('a', '3'), object('b', '4')),
      events({ type: 'ERROR', object: gone }),
      list('9', object('b', '8'), object('c', '9')),
    );
    const { seen, ends } = await run(transport, 1000);
    expect(ends).to.deep.equal(['expired', 'stopped']);
    expect(transport.asked).to.deep.equal(['list 0', 'watch 5', 'list 0', 'watch 9']);
    expect(seen).to.deep.equal(['add a', 'add b', 'delete a', 'update b 8', 'add c']);
  });

  it('tells what was made again under its name as deleted and added', async () => {
    const anew = (resourceVersion: string): ConfigMap => {
      const { metadata } = object('a', resourceVersion);
      return { metadata: { ...metadata, uid: resourceVersion } };
    };
    const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    const transport = new Script(
      list('5', object('a', '3'), object('b', '4')),
      events({ type: 'ERROR', object: gone }),
      list('9', anew('8'), object('b', '4')),
      events({ type: 'MODIFIED', object: anew('10') }),
    );
    const { clock, informer, seen, stop } = await begin(transport);
    const deleted: (string | undefined)[] = [];
    informer.addHandlers({ onDelete: ({ metadata }) => deleted.push(metadata?.uid) });
    await clock.advance(1000);
    stop.abort();
    await settle();
    expect(seen).to.deep.equal(['add a', 'add b', 'delete a', 'add a', 'update b 4', 'delete a', 'add a']);
    expect(deleted).to.deep.equal(['a', '8']);
    expect(informer.get('default/a')?.metadata?.uid).to.equal('10');
  });

  it('shows nobody a state that never was: what a list says is there before any of it is told', async () => {
    const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    const transport = new Script(
      list('5', object('a', '3'), object('b', '4')),
      events({ type: 'ERROR', object: gone }),
      list('9', object('c', '8'), object('d', '9')),
    );
    const { clock, informer, stop } = await begin(transport);
    const held: string[][] = [];
    const look = (): number => held.push(informer.list('default').map(({ metadata }) => metadata?.name ?? ''));
    informer.addHandlers({ onAdd: look, onDelete: look });
    held.length = 0;
    await clock.advance(1000);
    informer.addIndex('by version', ({ metadata }) => [metadata?.resourceVersion ?? '']);
    expect(held).to.deep.equal(Array.from({ length: 4 }, () => ['c', 'd']));
    expect(informer.byIndex('by version', '8')).to.have.length(1);
    stop.abort();
    await settle();
  });

  it('holds what it has until a list is whole, and a version that it has only once', async () => {
    const gone = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    const broken: Answer = () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        const { metadata } = object('c', '8');
        yield Buffer.from(`{"metadata":{"resourceVersion":"9"},"items":[${JSON.stringify({ metadata })},`);
        await settle();
        throw new Error('broken');
      })(),
    });
    const transport = new Script(
      list('5', object('a', '3'), object('b', '4')),
      events({ type: 'ERROR', object: gone }),
      broken,
      list('9', object('b', '4'), object('c', '8')),
    );
    const { clock, informer, seen, errors, stop } = await begin(transport);
    const held = informer.get('default/b');
    await clock.advance(800);
    expect([errors.length, informer.size, seen]).to.deep.equal([1, 2, ['add a', 'add b']]);
    await clock.advance(1600);
    expect(seen).to.deep.equal(['add a', 'add b', 'delete a', 'update b 4', 'add c']);
    expect(informer.get('default/b')).to.equal(held);
    stop.abort();
    await settle();
  });

  it('shows what a list has in turns, and has it all once that is done', async () => {
    const transport = new Script(list('5', ...Array.from({ length: 20 }, (_, i) => object(`a${i}`, '3'))));
    const { informer, seen, stop } = await begin(transport, () => {
      for (const until = performance.now() + 5; performance.now() < until;);
    });
    expect([informer.hasSynced, transport.asked.length]).to.deep.equal([false, 1]);
    let turns = 0;
    for (; seen.length < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect([informer.hasSynced, transport.asked.length]).to.deep.equal([true, 2]);
    expect(turns).to.be.at.least(3);
    stop.abort();
    await settle();
  });

  it('shows all again in turns', async () => {
    const transport = new Script(list('5', ...Array.from({ length: 5 }, (_, i) => object(`a${i}`, '3'))));
    const { informer, clock, stop } = await begin(transport);
    let shown = 0;
    let others = 0;
    const count = (): void => {
      others++;
      if (shown < 5) setImmediate(count);
    };
    informer.addHandlers(
      {
        onUpdate: () => {
          const until = performance.now() + 15;
          while (performance.now() < until);
          if (shown++ === 0) setImmediate(count);
        },
      },
      { resyncMs: 1_000 },
    );
    await settle();
    await clock.advance(1_000);
    while (shown < 5) await new Promise((resolve) => setImmediate(resolve));
    expect(others).to.be.at.least(3);
    stop.abort();
    await settle();
  });

  it('tries again after failures, 800 ms at first', async () => {
    const down: Answer = () => answer({ kind: 'Status', status: 'Failure', code: 500, message: 'down' }, 500);
    const transport = new Script(down, down, list('1'));
    const { errors, informer } = await run(transport, 799);
    expect([errors, informer.hasSynced]).to.deep.equal([['down'], false]);
    const again = await run(new Script(down, down, list('1')), 800 + 1600);
    expect([again.errors.length, again.informer.hasSynced]).to.deep.equal([2, true]);
    // Lists are no watches.
    expect(again.ends).to.deep.equal(['stopped']);
  });

  it('ends watches that break as failed, and tells why', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 500, message: 'broken' };
    const { ends, errors } = await run(new Script(list('5'), events({ type: 'ERROR', object: status })), 1000);
    expect(ends).to.deep.equal(['failed', 'stopped']);
    expect(errors).to.deep.equal(['broken']);
  });
});

describe('InformerEnds', () => {
  it('counts by resource and reason', () => {
    const ends = new InformerEnds();
    for (const end of ['server_ended', 'failed', 'server_ended'] as const) ends.ended('pods.v1', end);
    const name = 'controller_informer_watch_terminations_total';
    expect(ends.text().split('\n').slice(1)).to.deep.equal([
      `# TYPE ${name} counter`,
      `${name}{resource="pods.v1",reason="server_ended"} 2`,
      `${name}{resource="pods.v1",reason="failed"} 1`,
      '',
    ]);
  });
});
