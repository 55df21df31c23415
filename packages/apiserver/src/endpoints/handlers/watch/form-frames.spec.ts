import type { WatchEvent } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { WorkShare } from '../../../request/work-share.ts';
import { Turns, type WorkOwner } from '../../../request/turns.ts';
import type { RequestScope } from '../request-scope.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import { CBORFrames } from './cbor-events.ts';
import { createEventEncoder } from './create-event-encoder.ts';
import { FormFrames, WatchForm } from './form-frames.ts';
import { UnhurriedFrames } from './unhurried-frames.ts';

const added = (bytes: number): WatchEvent =>
  ({ type: 'ADDED', record: { json: Buffer.alloc(bytes) } }) as unknown as WatchEvent;

const ownerOf = (name: string, signal = new AbortController().signal): WorkOwner => ({
  user: { name, uid: '', groups: [], extra: {} },
  signal,
});

describe('frames of a form', () => {
  it('are kept for the watches of one version, until 8 MiB of younger ones are there', () => {
    const form = new WatchForm();
    const [one, other] = [{}, {}] as [RequestScope, RequestScope];
    const events = Array.from({ length: 4 }, () => added(1));
    const frames = events.map((event) => form.of(one).once(event, () => Buffer.alloc(3 * 1024 * 1024)));
    expect(events.map((event) => form.of(one).made(event))).to.deep.equal([undefined, undefined, ...frames.slice(2)]);
    expect(form.of(other).made(events[3]!)).to.equal(undefined);
    const large = new FormFrames().once(added(1), () => Buffer.alloc(9 * 1024 * 1024));
    expect((large as Uint8Array).length).to.equal(9 * 1024 * 1024);
    expect(form.of(one).made(events[3]!)).to.equal(undefined);
  });

  it('as CBOR are made once for all watches, in turns where the object is large', async () => {
    let made = 0;
    const shared = new FormFrames();
    const turns = new Turns();
    const watches = Array.from(
      { length: 20 },
      () =>
        new UnhurriedFrames(
          new CBORFrames({
            json: {
              frame: () => {
                made++;
                return Buffer.from(JSON.stringify({ type: 'ADDED', object: { text: 'x'.repeat(100_000) } }));
              },
            },
            schema: undefined,
            turns,
            shared,
          }),
          turns,
        ),
    );
    const event = added(100_000);
    const frames = await Promise.all(watches.map(async (watch) => watch.frame(event)));
    expect(new Set(frames).size).to.equal(1);
    expect(made).to.equal(1);
    expect(watches[0]!.frame(event)).to.equal(frames[0]);
  });

  it('fail once for all that wait', async () => {
    let made = 0;
    const shared = new FormFrames();
    const event = added(1);
    const make = async (): Promise<Uint8Array> => {
      made++;
      await Promise.resolve();
      throw new RangeError('no frame');
    };
    const watches = Array.from({ length: 20 }, () => {
      const inner = { made: () => shared.made(event), frame: () => shared.once(event, make) };
      return new UnhurriedFrames(inner, new Turns());
    });
    const results = await Promise.allSettled(watches.map(async (watch) => watch.frame(event)));
    expect(results.map(({ status }) => status)).to.deep.equal(Array.from(watches, () => 'rejected'));
    expect(made).to.equal(1);
    expect(shared.made(event)).to.equal(undefined);
  });

  it('go on for the others, before all else that who began them does, and when they are gone', async () => {
    const work = new WorkShare();
    const scope = { kindInfo: {}, storage: {}, servesRecords: true } as RequestScope;
    const watchOf = (owner: WorkOwner): ReturnType<typeof createEventEncoder> =>
      createEventEncoder(scope, {
        output: { mediaType: { format: 'cbor' } } as OutputMediaType,
        includeObject: 'Metadata',
        turns: work.turns(owner),
        sharedTurns: work.serverTurns,
      });
    const leaving = new AbortController();
    const busy = ownerOf('busy', leaving.signal);
    const event = {
      type: 'ADDED',
      record: { json: Buffer.from(JSON.stringify({ text: 'x'.repeat(100_000) })) },
    } as unknown as WatchEvent;
    const ofBusy = Promise.resolve(watchOf(busy).frame(event));
    let taken = 0;
    const elsewhere = work.turns(ownerOf('busy'));
    const others = Array.from({ length: 200 }, async () => {
      await elsewhere.take();
      // Its watch has begun the frame by now.
      if (taken++ === 0) leaving.abort();
    });
    const frame = await watchOf(ownerOf('other')).frame(event);
    expect(frame.length).to.be.greaterThan(100_000);
    expect(taken).to.be.lessThan(10);
    expect(await ofBusy).to.equal(frame);
    await Promise.all(others);
  });
});
