import { expect } from 'chai';
import { JSONRecord } from '../storage/json-record.ts';
import { CacheEvent } from './cache-event.ts';
import { EventWindow } from './event-window.ts';

const event = (revision: number, recordedAtMs: number): CacheEvent =>
  new CacheEvent(
    new JSONRecord(`/r/${revision}`, revision, {
      json: new Uint8Array(),
      attributes: { name: '', namespace: '', labels: undefined, fields: {} },
      parse: () => ({}),
    }),
    { previous: undefined, deleted: false, recordedAtMs },
  );

describe('EventWindow', () => {
  it('grows while its events are fresh, up to a limit, and shrinks when they are not', () => {
    const sizes: number[] = [];
    const window = new EventWindow({
      minEvents: 10,
      maxEvents: 35,
      freshMs: 1000,
      onResize: (_, to) => sizes.push(to),
    });
    for (let i = 1; i <= 100; i++) window.append(event(i, i), Infinity);
    expect(sizes).to.deep.equal([20, 35]);
    expect(window.size).to.equal(35);
    for (let i = 101; i <= 300; i++) window.append(event(i, i * 2000), Infinity);
    expect(window.capacity).to.equal(10);
    expect(window.at(window.end - 1).revision).to.equal(300);
    expect(window.at(window.start).revision).to.equal(291);
  });

  it('can be watched from the list it follows until an event falls out', () => {
    const window = new EventWindow({ minEvents: 3, maxEvents: 3 });
    expect(window.floor(7)).to.equal(7);
    for (const revision of [10, 12, 15]) window.append(event(revision, 0), Infinity);
    expect(window.floor(7)).to.equal(7);
    window.append(event(20, 0), Infinity);
    expect(window.floor(7)).to.equal(11);
    expect(window.positionAfter(11)).to.equal(window.start);
    expect(window.positionAfter(12)).to.equal(window.start + 1);
    expect(window.positionAfter(20)).to.equal(window.end);
  });

  it('does not claim history between events of one revision', () => {
    const window = new EventWindow({ minEvents: 2, maxEvents: 2 });
    for (const revision of [10, 11, 11]) window.append(event(revision, 0), Infinity);
    expect(window.floor(1)).to.equal(10);
    window.append(event(12, 0), Infinity);
    expect(window.floor(1)).to.equal(11);
  });

  it('never drops what has not been dispatched', () => {
    const window = new EventWindow({ minEvents: 4, maxEvents: 4 });
    for (let i = 0; i < 9; i++) window.append(event(i, 0), 0);
    expect(window.size).to.equal(9);
    expect(window.start).to.equal(0);
  });
});
