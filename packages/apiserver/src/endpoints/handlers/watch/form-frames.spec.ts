import type { WatchEvent } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { Turns } from '../../../request/turns.ts';
import type { RequestScope } from '../request-scope.ts';
import { CBORFrames } from './cbor-events.ts';
import { FormFrames, WatchForm } from './form-frames.ts';
import { UnhurriedFrames } from './unhurried-frames.ts';

const added = (bytes: number): WatchEvent =>
  ({ type: 'ADDED', record: { json: Buffer.alloc(bytes) } }) as unknown as WatchEvent;

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
});
